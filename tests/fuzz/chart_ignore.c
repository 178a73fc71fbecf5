/* .helmignore and the names it is asked for: the first line is the name. A rule that is the name
 * itself leaves it out. */
#include "chart/ignore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_plain(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.p[i] <= ' ' || (unsigned char)name.p[i] >= 0x7f ||
            strchr("*?[\\!#/", name.p[i]))
            return false;
    return name.len > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(chart_ignore_done) struct chart_ignore rules = {0}, own = {0};
    str rest, name = str_cut((str){(const char *)data, size}, '\n', &rest);

    if (chart_ignore_read(&rules, rest, &e) == 0) {
        (void)chart_ignore_has(&rules, name, false);
        (void)chart_ignore_has(&rules, name, true);
    } else {
        assert(e.text); /* every failure says why */
    }
    if (is_plain(name)) {
        err_done(&e);
        assert(chart_ignore_read(&own, name, &e) == 0);
        assert(chart_ignore_has(&own, name, false));
    }
    return 0;
}
