#include "khook/spec/waits.h"

int khook_wait_parse(str text, bool is_apply, struct wait_for *ret, struct err *e)
{
    if (wait_for_parse(text, WAIT_KHOOK, ret, e) < 0)
        return -1;
    if (!is_apply || ret->kind != WAIT_DELETE)
        return 0;
    wait_for_done(ret);
    return err_set(e, ERR_INVALID,
                   "\"delete\" cannot hold for what was just applied; use a "
                   "delete: step, or a wait: step with for: delete");
}
