/* Patterns of paths and .helmignore (helm spec 2). */
#include "chart/ignore.h"
#include "support/test.h"

static const struct {
    const char *pattern, *name;
    int want; /* -1: no pattern */
} globs[] = {
    {"*.txt", "a.txt", 1},
    {"*.txt", "b/a.txt", 0},
    {"b/*.txt", "b/a.txt", 1},
    {"?x", "ax", 1},
    {"?x", "x", 0},
    {"[a-c]1", "b1", 1},
    {"[^a-c]1", "b1", 0},
    {"[^a-c]1", "d1", 1},
    {"a*b*c", "axxbyyc", 1},
    {"a*b*c", "axxbyy", 0},
    {"\\*", "*", 1},
    {"\\*", "x", 0},
    {"", "", 1},
    {"*", "", 1},
    {"[", "a", -1},
    {"a\\", "a", -1},
    {"[]a]", "a", -1},
    {"é?", "éx", 1},
};

TEST(globs_match_inside_a_part)
{
    for (size_t i = 0; i < ARRAY_LEN(globs); i++) {
        bool valid, is_match = chart_glob(str_of(globs[i].pattern), str_of(globs[i].name), &valid);

        CHECK_INT(valid ? is_match : -1, globs[i].want, globs[i].pattern);
    }
}

static const struct {
    const char *rules, *path;
    bool is_folder, want;
} ignores[] = {
    {"# note\n\n*.bak\n", "templates/x.bak", false, true},
    {"*.bak", "templates/x.yaml", false, false},
    {"docs/", "docs", true, true},
    {"docs/", "docs", false, false},
    {"/a.txt", "a.txt", false, true},
    {"/a.txt", "b/a.txt", false, false},
    {"b/a.txt", "b/a.txt", false, true},
    {"!keep.txt", "other.txt", false, true},
    {"!keep.txt", "keep.txt", false, false},
    {"docs/*.md", "docs/a.md", false, true},
    {"docs/*.md", "docs/b/a.md", false, false},
    {"*/a.md", "docs/a.md", false, true},
    {"*/a.md", "docs/b/a.md", false, false},
    {"*~", "templates/x~", false, true},
    {"*~", "templates/~x", false, false},
    {"a\\*", "a*", false, true},
    {"a\\*", "ab", false, false},
    {"a?.txt", "ab.txt", false, true},
    {"", "templates/.hidden", false, true},
    {"", "templates/.", false, false},
    {"", "templates/.a/b", false, false},
    {"", "x/templates/.hidden", false, false},
    {"", "templates/a", false, false},
};

TEST(rules_leave_files_out)
{
    for (size_t i = 0; i < ARRAY_LEN(ignores); i++) {
        AUTO(chart_ignore_done) struct chart_ignore ignore = {0};
        AUTO(err_done) struct err e = {0};

        CHECK(chart_ignore_read(&ignore, str_of(ignores[i].rules), &e) == 0);
        CHECK_INT(chart_ignore_has(&ignore, str_of(ignores[i].path), ignores[i].is_folder),
                  ignores[i].want, ignores[i].path);
    }
}

TEST(double_stars_are_refused)
{
    AUTO(chart_ignore_done) struct chart_ignore ignore = {0};
    AUTO(err_done) struct err e = {0};

    CHECK(chart_ignore_read(&ignore, STR("a/**/b"), &e) < 0);
}
