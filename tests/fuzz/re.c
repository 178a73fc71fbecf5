/* Input: a pattern, a NUL, a text. Ours and libre2 agree about both, replacing and splitting keep
 * within the text. */
#include "re/re.h"
#include "unit/re/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf same = {0};
    AUTO(str_vec_done) struct str_vec pieces = {0};
    AUTO(re_free) struct re *re = NULL;
    str text, pattern = str_cut((str){(const char *)data, size}, '\0', &text);
    const char *why = compare_with_oracle(pattern, text);
    size_t total = 0;

    if (*why) {
        fprintf(stderr, "/%.*s/: %s\n", STR_ARG(pattern), why);
        abort();
    }
    re = re_compile(pattern, 0, &e);
    if (!re) {
        assert(e.text && e.text[0]);
        return 0;
    }
    re_replace_all(re, text, STR("$0"), &same);
    assert(str_eq(buf_view(&same), text));
    re_split(re, text, -1, &pieces);
    for (size_t i = 0; i < pieces.len; i++)
        total += pieces.v[i].len;
    assert(total <= text.len);
    return 0;
}
