#include "base/buf.h"
#include "re/unicode.h"
#include "support/test.h"
#include "unit/re/compare.h"

static uint64_t seed;

/* xorshift: the same sequence on every machine. */
static unsigned pick(unsigned below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 33) % below;
}

static const char *one_of(const char *const *list, size_t count)
{
    return list[pick((unsigned)count)];
}

static void add_pattern(struct buf *out, int depth)
{
    static const char *const atoms[] = {
        "a",          "b",
        "c",          ".",
        "[ab]",       "[^a]",
        "\\d",        "\\w",
        "\\S",        "^",
        "$",          "\\b",
        "\\B",        "\\A",
        "\\z",        "(?i)k",
        "(?i:S)",     "(?s:.)",
        "(?m:^)",     "(?m:$)",
        "\xc3\xa9",   "[\xc3\xa0-\xc3\xbf]",
        "[^\\x{e9}]", "\xe2\x84\xaa",
        "\\n",        "[[:alpha:]]",
        "\\x{1F600}", "",
        "\\Qa.\\E",   "[a-c0-9_]",
    };
    static const char *const repeats[] = {"*",   "+",     "?",    "*?",     "+?", "??",
                                          "{2}", "{0,2}", "{1,}", "{1,3}?", "{0}"};

    switch (depth ? pick(8) : 0) {
    case 1:
    case 2:
        add_pattern(out, depth - 1);
        add_pattern(out, depth - 1);
        break;
    case 3:
        buf_add_cstr(out, pick(3) ? "(" : "(?U:");
        add_pattern(out, depth - 1);
        buf_add_char(out, '|');
        add_pattern(out, depth - 1);
        buf_add_char(out, ')');
        break;
    case 4:
        buf_add_cstr(out, "(");
        add_pattern(out, depth - 1);
        buf_add_cstr(out, ")");
        break;
    case 5:
    case 6:
        buf_add_cstr(out, pick(2) ? "(?:" : "(");
        add_pattern(out, depth - 1);
        buf_add_cstr(out, ")");
        buf_add_cstr(out, one_of(repeats, ARRAY_LEN(repeats)));
        break;
    default:
        buf_add_cstr(out, one_of(atoms, ARRAY_LEN(atoms)));
        if (pick(3) == 0)
            buf_add_cstr(out, one_of(repeats, ARRAY_LEN(repeats)));
    }
}

static void add_text(struct buf *out)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         "c",
                                         "A",
                                         "k",
                                         "K",
                                         "s",
                                         " ",
                                         "\n",
                                         "0",
                                         "_",
                                         "a.",
                                         "\xc3\xa9",
                                         "\xc3\x89",
                                         "\xe2\x84\xaa",
                                         "\xc5\xbf",
                                         "\xf0\x9f\x98\x80",
                                         "\xff",
                                         "\xc3"};
    unsigned count = pick(12);

    for (unsigned i = 0; i < count; i++)
        buf_add_cstr(out, one_of(pieces, ARRAY_LEN(pieces)));
}

TEST(generated_patterns_match_as_in_libre2)
{
    AUTO(buf_done) struct buf pattern = {0}, text = {0};
    int differences = 0;

    seed = 88172645463325252u;
    for (int i = 0; i < 6000 && differences < 10; i++) {
        buf_clear(&pattern);
        add_pattern(&pattern, 4);
        for (int j = 0; j < 4; j++) {
            const char *why;

            buf_clear(&text);
            add_text(&text);
            why = compare_with_oracle(buf_view(&pattern), (str){buf_cstr(&text), text.len});
            if (*why) {
                test_fail(__FILE__, __LINE__, "/%s/ on \"%s\": %s", buf_cstr(&pattern),
                          buf_cstr(&text), why);
                differences++;
            }
        }
    }
}

/* Characters that syntax is made of, in any order: most are refused, by both. */
TEST(generated_nonsense_is_refused_as_by_libre2)
{
    static const char *const pieces[] = {
        "a",    "b",   "(",   ")",      "[",   "]",     "{",      "}",      "*",
        "+",    "?",   "|",   "\\",     "^",   "$",     ".",      "-",      ",",
        "1",    "2",   "0",   ":",      "(?",  "(?P<",  ">",      "i",      "[:word:]",
        "[:",   "\\d", "\\Q", "\\E",    "\\x", "{2,1}", "{1000}", "{1001}", "\\8",
        "\\01", "[^",  "\\_", "(?i-s:", "U",   "=",     "!",      "n",
    };
    AUTO(buf_done) struct buf pattern = {0};
    int differences = 0;

    seed = 1234567891234567u;
    for (int i = 0; i < 20000 && differences < 10; i++) {
        unsigned count = 1 + pick(7);
        const char *why;

        buf_clear(&pattern);
        for (unsigned j = 0; j < count; j++)
            buf_add_cstr(&pattern, one_of(pieces, ARRAY_LEN(pieces)));
        why = compare_with_oracle(buf_view(&pattern), STR("ab1-"));
        if (*why) {
            test_fail(__FILE__, __LINE__, "/%s/: %s", buf_cstr(&pattern), why);
            differences++;
        }
    }
}

TEST(case_folds_as_in_libre2)
{
    for (size_t i = 0; i < re_fold_count; i++) {
        AUTO(buf_done) struct buf pattern = {0}, text = {0};
        uint32_t first = re_folds[i].lo, c = first;
        const char *why;

        buf_add_cstr(&pattern, "^(?i:(");
        buf_add_utf8(&pattern, first);
        buf_add_cstr(&pattern, ")*)$");
        do {
            buf_add_utf8(&text, c);
            c = re_unicode_fold(c);
        } while (c != first);
        why = compare_with_oracle(buf_view(&pattern), buf_view(&text));
        if (*why)
            test_fail(__FILE__, __LINE__, "U+%04X: %s", first, why);
    }
}
