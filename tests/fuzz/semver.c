/* A version that is read prints as one that is equal; a constraint is read and asked without harm.
 */
#include "expr/semver/semver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    str rest, text = str_cut((str){(const char *)data, size}, '\n', &rest);
    struct semver v, back;

    if (semver_parse(text, SEMVER_LENIENT, &v, &e) < 0)
        return 0;
    semver_print(&v, &out);
    if (out.len <= 256) {
        assert(semver_parse(buf_view(&out), SEMVER_STRICT, &back, &e) == 0);
        assert(semver_compare(&v, &back) == 0);
    }
    if (rest.p) {
        AUTO(semver_constraint_free)
        struct semver_constraint *c = semver_constraint_parse(rest, &e);

        if (c && semver_matches(c, &v, false))
            assert(semver_matches(c, &v, true));
    }
    return 0;
}
