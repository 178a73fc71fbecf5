#include "fn/ignore.h"
#include "support/test.h"

TEST(krmignore_follows_gitignore)
{
    static const struct {
        const char *rules, *path;
        bool is_folder, wanted;
    } rows[] = {
        {"a.yaml", "a.yaml", false, true},
        {"a.yaml", "sub/a.yaml", false, true},
        {"/a.yaml", "sub/a.yaml", false, false},
        {"sub/a.yaml", "sub/a.yaml", false, true},
        {"sub/a.yaml", "x/sub/a.yaml", false, false},
        {"*.yaml", "x/y.yaml", false, true},
        {"*.yaml\n!y.yaml", "x/y.yaml", false, false},
        {"!y.yaml\n*.yaml", "x/y.yaml", false, true},
        {"dir/", "dir", true, true},
        {"dir/", "dir", false, false},
        {"**/b", "b", false, true},
        {"**/b", "a/c/b", false, true},
        {"a/**", "a", true, false},
        {"a/**", "a/b/c", false, true},
        {"a/**/z", "a/z", false, true},
        {"a/**/z", "a/b/c/z", false, true},
        {"a/**/z", "b/z", false, false},
        {"a/*/z", "a/b/c/z", false, false},
        {"f?o", "foo", false, true},
        {"f?o", "fo", false, false},
        {"[a-c]x", "bx", false, true},
        {"[!a-c]x", "bx", false, false},
        {"[]]x", "]x", false, true},
        {"[a", "[a", false, true},
        {"\\#x", "#x", false, true},
        {"# x", "# x", false, false},
        {"\\!x", "!x", false, true},
        {"x ", "x", false, true},
        {"x\\ ", "x ", false, true},
        {"a*b*c", "a-b-b-c", false, true},
        {"", "x", false, false},
        {"/", "x", false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fn_ignore_done) struct fn_ignore ignore = {0};

        fn_ignore_add(&ignore, STR(""), str_of(rows[i].rules));
        CHECK_INT(fn_ignore_has(&ignore, str_of(rows[i].path), rows[i].is_folder), rows[i].wanted,
                  rows[i].rules);
    }
}

TEST(krmignore_of_a_folder_holds_below_it_only)
{
    AUTO(fn_ignore_done) struct fn_ignore ignore = {0};

    fn_ignore_add(&ignore, STR("sub"), STR("/a.yaml\nb.yaml"));
    CHECK(fn_ignore_has(&ignore, STR("sub/a.yaml"), false));
    CHECK(fn_ignore_has(&ignore, STR("sub/x/b.yaml"), false));
    CHECK(!fn_ignore_has(&ignore, STR("a.yaml"), false));
    CHECK(!fn_ignore_has(&ignore, STR("sub/x/a.yaml"), false));
    CHECK(!fn_ignore_has(&ignore, STR("subway/b.yaml"), false));
}
