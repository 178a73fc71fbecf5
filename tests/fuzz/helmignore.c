/* .helmignore: the first line is a path, the rest the rules. Every refusal says why; a path is left
 * out or not, the same when it is asked twice. */
#include "chart/ignore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(chart_ignore_done) struct chart_ignore ignore = {0};
    AUTO(err_done) struct err e = {0};
    str rest = {(const char *)data, size}, path;
    bool is_valid;

    if (!str_next_line(&rest, &path))
        return 0;
    if (chart_ignore_read(&ignore, rest, &e) < 0) {
        assert(e.text && e.text[0]);
        return 0;
    }
    for (int folder = 0; folder < 2; folder++)
        assert(chart_ignore_has(&ignore, path, folder) == chart_ignore_has(&ignore, path, folder));
    (void)chart_glob(rest, path, &is_valid);
    return 0;
}
