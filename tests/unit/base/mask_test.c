#include "base/mask.h"

#include "support/test.h"

TEST(mask_replaces_whole_occurrences)
{
    static const struct {
        const char *patterns[4], *in, *want;
    } rows[] = {
        {{NULL}, "plain", "plain"},
        {{"abc", "abcdef"}, "x abcdef y abc z", "x *** y *** z"},
        {{"abcdef", "abc"}, "abcde", "***de"},
        {{"k"}, "kick", "***ic***"},
        {{"ok"}, "okok", "******"},
        {{"abc", "cde"}, "abcde f", "*** f"}, /* overlapping: neither stays half visible */
        {{"bcd", "abcde", "c"}, "abcde", "***"},
        {{"she", "he", "hers"}, "ushers", "u***"},
        {{"aab"}, "aaaab", "aa***"},
        {{""}, "empty", "empty"},
        {{"secret"}, "", ""},
        {{"\n"}, "a\nb", "a***b"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(mask_done) struct mask m = {0};
        AUTO(buf_done) struct buf out = {0};

        for (size_t j = 0; j < 4 && rows[i].patterns[j]; j++)
            mask_add(&m, str_of(rows[i].patterns[j]));
        mask_apply(&m, str_of(rows[i].in), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].in);
    }
}

TEST(mask_takes_patterns_between_uses)
{
    AUTO(mask_done) struct mask m = {0};
    AUTO(buf_done) struct buf out = {0};

    mask_add(&m, STR("xbc"));
    mask_apply(&m, STR("abc xbc;"), &out);
    mask_add(&m, STR("bc"));
    mask_apply(&m, STR("abc xbc;"), &out);
    mask_add(&m, STR("abc xb"));
    mask_apply(&m, STR("abc xbc;"), &out);
    CHECK_STR(buf_view(&out), STR("abc ***;a*** ***;***;"), "three times");
}

TEST(mask_is_linear_on_text_that_almost_matches)
{
    AUTO(mask_done) struct mask m = {0};
    AUTO(buf_done) struct buf text = {0}, out = {0};

    buf_add_repeat(&text, 'a', 20000);
    buf_add_char(&text, 'b');
    mask_add(&m, buf_view(&text));
    buf_clear(&text);
    buf_add_repeat(&text, 'a', 1000000);
    mask_apply(&m, buf_view(&text), &out);
    CHECK_INT((long long)out.len, 1000000, "nothing to mask");
}
