#include "re/re.h"

#include <pthread.h>

#include "support/test.h"

static struct re *compiled(const char *pattern, unsigned flags)
{
    AUTO(err_done) struct err e = {0};
    struct re *re = re_compile(str_of(pattern), flags, &e);

    CHECK_OK(&e);
    return re;
}

TEST(bad_patterns_are_refused_in_gos_words)
{
    static const struct {
        const char *pattern, *want;
    } rows[] = {
        {"[a", "missing closing ]: `[a`"},
        {"a(b", "missing closing ): `a(b`"},
        {"a)b", "unexpected ): `a)b`"},
        {"*a", "missing argument to repetition operator: `*`"},
        {"a|+?", "missing argument to repetition operator: `+?`"},
        {"xa**", "invalid nested repetition operator: `**`"},
        {"a*?{2}", "invalid nested repetition operator: `*?{2}`"},
        {"a{3,2}", "invalid repeat count: `{3,2}`"},
        {"a{1001}", "invalid repeat count: `{1001}`"},
        {"(a{40}){26}", "invalid repeat count: `{26}`"},
        {"\\q", "invalid escape sequence: `\\q`"},
        {"a\\1", "invalid escape sequence: `\\1`"},
        {"\\x{110000}", "invalid escape sequence: `\\x{110000`"},
        {"ab\\", "trailing backslash at end of expression: ``"},
        {"[z-a]", "invalid character class range: `z-a`"},
        {"[[:foo:]]", "invalid character class range: `[:foo:]`"},
        {"\\p{Klingon}", "invalid character class range: `\\p{Klingon}`"},
        {"(?P<n!>a)", "invalid named capture: `(?P<n!>`"},
        {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
        {"(?<=a)", "invalid named capture: `(?<=a)`"},
        {"(?i", "invalid or unsupported Perl syntax: `(?i`"},
        {"\xff", "invalid UTF-8: `\xff`"},
        {"((\\pL{20}){10}){5}", "expression too large"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf want = {0};
        AUTO(re_free) struct re *re = re_compile(str_of(rows[i].pattern), 0, &e);

        CHECK(!re);
        buf_addf(&want, "error parsing regexp: %s", rows[i].want);
        CHECK_STR(str_of(err_text(&e)), buf_view(&want), rows[i].pattern);
    }
}

/* Places of the match and its groups: "0-3 1-2 -". */
TEST(matches_are_leftmost_first_with_groups)
{
    static const struct {
        const char *pattern, *text, *want;
        unsigned flags;
    } rows[] = {
        {"a+b", "xaab", "1-4", 0},
        {"(a|ab)(c|bcd)(d*)", "abcd", "0-4 0-1 1-4 4-4", 0},
        {"(a*)(b)?(c)?", "aac", "0-3 0-2 - 2-3", 0},
        {"(?U)a+", "aaa", "0-1", 0},
        {"a+", "aaa", "0-1", RE_UNGREEDY},
        {"^b", "a\nb", "none", 0},
        {"^b$", "a\nb\nc", "2-3", RE_MULTILINE},
        {"a.b", "a\nb", "none", 0},
        {"a.b", "a\nb", "0-3", RE_DOTALL},
        {"STRASSE", "\xe1\xba\x9e strasse", "4-11", RE_NOCASE},
        {"k", "\xe2\x84\xaa", "0-3", RE_NOCASE},
        {"[^k]", "K\xe2\x84\xaa", "none", RE_NOCASE},
        {"\\bfoo\\b", "a foo.", "2-5", 0},
        {"\\p{Lu}\\p{Ll}+",
         "die Stra\xc3\x9f"
         "e",
         "4-11", 0},
        {"\\P{L}",
         "\xce\xb1\xce\xb2"
         "1",
         "4-5", 0},
        {"[\\p{Greek}\\d]+$",
         "x\xce\xb1"
         "1",
         "1-4", 0},
        {"\\p{uppercase_letter}", "aB", "1-2", 0},
        {"(?P<y>\\d{4})-(?<m>\\d\\d)", "on 2024-05", "3-10 3-7 8-10", 0},
        {"\\Qa.b\\E+", "a.bbb", "0-5", 0},
        {"a.b", "axb a.b", "4-7", RE_LITERAL},
        {"", "abc", "0-0", 0},
        {"(?:(a)|b)*", "ab", "0-2 0-1", 0},
        {"[[:^digit:]-]+", "12a-b3", "2-5", 0},
        {"\\x41\\x{1F600}\\101\\n",
         "A\xf0\x9f\x98\x80"
         "A\n",
         "0-7", 0},
        {"a{,2}", "a{,2}", "0-5", 0},
        {".", "\xff\xc3\xa9", "1-3", 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(re_free) struct re *re = compiled(rows[i].pattern, rows[i].flags);
        AUTO(buf_done) struct buf got = {0};
        struct re_span spans[8];
        size_t count = re_group_count(re) + 1;

        if (!re_find(re, str_of(rows[i].text), 0, spans, count)) {
            buf_add_cstr(&got, "none");
            count = 0;
        }
        CHECK(re_match(re, str_of(rows[i].text)) == (count > 0));
        for (size_t j = 0; j < count; j++) {
            buf_add_cstr(&got, j ? " " : "");
            if (spans[j].from < 0)
                buf_add_char(&got, '-');
            else
                buf_addf(&got, "%zd-%zd", spans[j].from, spans[j].to);
        }
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].pattern);
    }
}

TEST(groups_have_names)
{
    AUTO(re_free) struct re *re = compiled("(a)(?P<second>b)", 0);

    CHECK_INT((long long)re_group_count(re), 2, "groups");
    CHECK_STR(re_group_name(re, 2), STR("second"), "name");
    CHECK_STR(re_group_name(re, 1), STR(""), "no name");
    CHECK_INT(re_group_index(re, STR("second")), 2, "index");
    CHECK_INT(re_group_index(re, STR("third")), -1, "no such group");
}

TEST(the_whole_text_can_be_asked_for)
{
    AUTO(re_free) struct re *re = compiled("a|ab", 0);

    CHECK(re_match_full(re, STR("ab")));
    CHECK(re_match_full(re, STR("a")));
    CHECK(!re_match_full(re, STR("abc")));
    CHECK(!re_match_full(re, STR("")));
}

TEST(replacing_follows_gos_templates)
{
    static const struct {
        const char *pattern, *text, *template, *want, *literal;
    } rows[] = {
        {"(a)(b)?", "ab-a", "<$2$1>", "<ba>-<a>", "<$2$1>-<$2$1>"},
        {"a", "banana", "$$", "b$n$n$", "b$$n$$n$$"},
        {"(?P<x>a)", "a", "${x}y$x_$1$9${", "aya${", "${x}y$x_$1$9${"},
        {"a*", "baac", "x", "xbxcx", "xbxcx"},
        {"",
         "\xc3\xa9"
         "a",
         "-", "-\xc3\xa9-a-", "-\xc3\xa9-a-"},
        {"(.)", "ab", "$1x $01",
         " "
         " ",
         "$1x $01$1x $01"},
        {"x", "abc", "y", "abc", "abc"},
        {"(?P<n>a)|(?<n>b)", "ab", "<$n>", "<a><b>", "<$n><$n>"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(re_free) struct re *re = compiled(rows[i].pattern, 0);
        AUTO(buf_done) struct buf out = {0}, literal = {0};

        re_replace_all(re, str_of(rows[i].text), str_of(rows[i].template), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].pattern);
        re_replace_all_literal(re, str_of(rows[i].text), str_of(rows[i].template), &literal);
        CHECK_STR(buf_view(&literal), str_of(rows[i].literal), rows[i].pattern);
    }
}

TEST(splitting_follows_go)
{
    static const struct {
        const char *pattern, *text;
        int limit;
        const char *want; /* pieces, each behind a '|' */
    } rows[] = {
        {",", "a,b,,c", -1, "|a|b||c"},
        {",", "a,b,c", 2, "|a|b,c"},
        {",", "a", 0, ""},
        {",", "", -1, "|"},
        {"", "ab", -1, "|a|b"},
        {"a*", "baac", -1, "|b|c"},
        {",", ",", -1, "||"},
        {"", "", -1, ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(re_free) struct re *re = compiled(rows[i].pattern, 0);
        AUTO(buf_done) struct buf got = {0};
        AUTO(str_vec_done) struct str_vec pieces = {0};

        re_split(re, str_of(rows[i].text), rows[i].limit, &pieces);
        for (size_t j = 0; j < pieces.len; j++)
            buf_addf(&got, "|%.*s", STR_ARG(pieces.v[j]));
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].text);
    }
}

TEST(quoted_text_matches_itself)
{
    AUTO(buf_done) struct buf pattern = {0};
    str text = STR("a.b*(c)[d]{1}|^$\\+?-/");
    AUTO(re_free) struct re *re = NULL;

    re_quote_meta(text, &pattern);
    re = compiled(buf_cstr(&pattern), 0);
    CHECK(re_match_full(re, text));
}

/* What takes exponential time elsewhere, over texts and caches large enough to overflow. */
TEST(hard_patterns_take_linear_time)
{
    AUTO(re_free)
    struct re *nested = compiled("(a*)*b", 0), *window = compiled("a[ab]{14}c(x)", 0),
              *words = compiled("\\b(?:[a-z]+ )*\\w+(!)", 0);
    AUTO(buf_done) struct buf text = {0};
    struct re_span spans[2];
    uint32_t noise = 1;

    buf_add_repeat(&text, 'a', 200000);
    CHECK(!re_find(nested, buf_view(&text), 0, spans, 2));
    buf_clear(&text);
    for (int i = 0; i < 300000; i++) {
        noise = noise * 1664525 + 1013904223;
        buf_add_char(&text, noise >> 31 ? 'a' : 'b');
    }
    buf_add_cstr(&text, "aaaaaaaaaaaaaaacx");
    CHECK(re_find(window, buf_view(&text), 0, spans, 2));
    CHECK_INT(spans[1].from, 300016, "group behind the window");
    buf_clear(&text);
    for (int i = 0; i < 40000; i++)
        buf_add_cstr(&text, "word ");
    buf_add_cstr(&text, "end!");
    CHECK(re_find(words, buf_view(&text), 0, spans, 2));
    CHECK_INT(spans[0].from, 0, "from the first word");
    CHECK_INT(spans[1].from, 200003, "to the mark");
}

static void *match_many(void *arg)
{
    const struct re *re = arg;
    intptr_t wrong = 0;

    for (int i = 0; i < 2000; i++) {
        char text[32];
        struct re_span spans[2];

        snprintf(text, sizeof(text), "item-%d.log", i);
        wrong += !re_find(re, str_of(text), 0, spans, 2) || spans[1].from != 5;
        wrong += re_match(re, STR("item-x.log"));
    }
    return (void *)wrong;
}

TEST(threads_share_an_expression)
{
    AUTO(re_free) struct re *re = compiled("item-(\\d+)\\.log$", 0);
    pthread_t threads[4];

    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        CHECK(pthread_create(&threads[i], NULL, match_many, re) == 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        void *wrong = NULL;

        pthread_join(threads[i], &wrong);
        CHECK(wrong == NULL);
    }
}
