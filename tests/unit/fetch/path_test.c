#include "fetch/path.h"

#include "support/test.h"

TEST(fetch_clean_path_goes_by_the_text)
{
    static const struct {
        const char *in, *want;
    } rows[] = {{"", "."},
                {".", "."},
                {"a//b/./c/", "a/b/c"},
                {"a/..", "."},
                {"../a", "../a"},
                {"a/../../b", "../b"},
                {"../../a", "../../a"},
                {"/", "/"},
                {"/..//a", "/a"},
                {"/a/..", "/"},
                {"a/b/..", "a"},
                {"..", ".."},
                {"../x/..", ".."},
                {"..a/..", "."},
                {"/a/b/../../../c", "/c"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        buf_add_cstr(&out, "kept:/");
        fetch_clean_path(str_of(rows[i].in), &out);
        CHECK_STR(str_from(buf_view(&out), 6), str_of(rows[i].want), rows[i].in);
    }
}

TEST(fetch_is_below_goes_by_whole_parts)
{
    CHECK(fetch_is_below(STR("/a/b"), STR("/a")) && fetch_is_below(STR("/a"), STR("/a")));
    CHECK(fetch_is_below(STR("/a"), STR("/")) && !fetch_is_below(STR("/ab"), STR("/a")));
    CHECK(!fetch_is_below(STR("/a"), STR("/a/b")));
}
