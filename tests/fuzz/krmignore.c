/* An ignore file and, behind a NUL, a path: an answer, the same one for the file read twice. */
#include "fn/ignore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(fn_ignore_done) struct fn_ignore ignore = {0};
    str path, text = str_cut((str){(const char *)data, size}, '\0', &path);
    bool answer;

    if (!path.len)
        return 0;
    fn_ignore_add(&ignore, STR("sub"), text);
    assert(!fn_ignore_has(&ignore, STR("other"), false));
    fn_ignore_add(&ignore, STR_NONE, text);
    answer = fn_ignore_has(&ignore, path, true);
    fn_ignore_add(&ignore, STR_NONE, text);
    assert(fn_ignore_has(&ignore, path, true) == answer);
    return 0;
}
