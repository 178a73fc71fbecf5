#include "fn/tag.h"

#include "support/test.h"

TEST(tags_are_versions_words_or_ranges)
{
    static const struct {
        const char *tag;
        enum fn_tag kind;
    } rows[] = {
        {"v0.2", FN_TAG_PLAIN},       {"1.2.3", FN_TAG_PLAIN},    {"latest", FN_TAG_PLAIN},
        {"1.2.3-rc.1", FN_TAG_PLAIN}, {"1.x", FN_TAG_RANGE},      {">=1.2.0 <2", FN_TAG_RANGE},
        {"~0.2", FN_TAG_RANGE},       {"^1 || ^3", FN_TAG_RANGE}, {"*", FN_TAG_RANGE},
        {"a b", FN_TAG_WRONG},        {">=a", FN_TAG_WRONG},      {"--rm", FN_TAG_WRONG},
        {"a+b", FN_TAG_WRONG},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(fn_tag_kind(str_of(rows[i].tag)), rows[i].kind, rows[i].tag);
}

TEST(the_newest_tag_that_fits_is_chosen)
{
    static const struct {
        const char *tags, *range, *want;
    } rows[] = {
        {"v0.1 v0.9 v0.10 latest", "~0.10", "v0.10"},
        {"0.1.0 1.2.0 1.10.0 2.0.0", ">=1.2.0 <2", "1.10.0"},
        {"v1 v1.2 v1.2.0", "1.x", "v1.2.0"},
        {"1.0.0 1.1.0-rc.1", "^1", "1.0.0"},
        {"1.0.0 1.1.0-rc.1", "^1.1.0-0", "1.1.0-rc.1"},
        {"latest sha256-00.sig <none>", "*", ""},
        {"1.0.0", ">=2", ""},
        {"", "*", ""},
        {"1.2.0 v1.2.0", "*", "v1.2.0"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(str_vec_done) struct str_vec tags = {0};
        str rest = str_of(rows[i].tags);

        while (rest.len)
            vec_push(&tags, str_cut(rest, ' ', &rest));
        CHECK_STR(fn_choose_tag(&tags, str_of(rows[i].range)), str_of(rows[i].want), rows[i].range);
    }
}

TEST(tags_and_digests_are_cut_off_images)
{
    CHECK_STR(fn_without_tag(STR("localhost:5000/a/b:v1")), STR("localhost:5000/a/b"), "");
    CHECK_STR(fn_without_tag(STR("localhost:5000/a")), STR("localhost:5000/a"), "");
    CHECK_STR(fn_without_tag(STR("a:v1@sha256:00")), STR("a"), "");
}
