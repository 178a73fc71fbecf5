#include "doc/diff.h"
#include "doc/parse.h"
#include "support/test.h"

static void check_text(const char *from, const char *to, size_t context, const char *want)
{
    AUTO(buf_done) struct buf out = {0};

    doc_diff_unified(str_of(from), str_of(to), "live/x", "planned/x", context, &out);
    CHECK_STR(buf_view(&out), str_of(want), from);
}

TEST(texts_differ_in_hunks_with_context)
{
    check_text("a\nb\n", "a\nb\n", 3, "");
    check_text("", "a\n", 3, "--- live/x\n+++ planned/x\n@@ -0,0 +1 @@\n+a\n");
    check_text("a\nb\n", "", 3, "--- live/x\n+++ planned/x\n@@ -1,2 +0,0 @@\n-a\n-b\n");
    check_text("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", 3,
               "--- live/x\n+++ planned/x\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
    check_text(
        "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n", 1,
        "--- live/x\n+++ planned/x\n@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -7,2 +7,2 @@\n 7\n-8\n+y\n");
    check_text(
        "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n", 3,
        "--- live/x\n+++ planned/x\n@@ -1,8 +1,8 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+y\n");
    check_text(
        "a\nb", "a\nb\n", 3,
        "--- live/x\n+++ planned/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

TEST(a_text_diff_finds_the_fewest_lines)
{
    check_text("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n", 0,
               "--- live/x\n+++ planned/x\n@@ -1 +1 @@\n-a\n+c\n@@ -3 +2,0 @@\n-c\n@@ -6 +4,0 "
               "@@\n-b\n@@ -7,0 +6 @@\n+c\n");
}

TEST(texts_that_differ_everywhere_are_compared_in_bounded_time)
{
    AUTO(buf_done) struct buf from = {0}, to = {0}, out = {0};

    for (int i = 0; i < 30000; i++) {
        buf_addf(&from, "line %d\n", i % 3 ? i : i * 7919 % 1000);
        buf_addf(&to, "line %d\n", i % 3 ? -i : i * 10009 % 1000);
    }
    doc_diff_unified(buf_view(&from), buf_view(&to), "a", "b", 3, &out);
    CHECK(out.len > from.len);
}

TEST(lines_of_a_diff_have_colours_by_their_sign)
{
    AUTO(buf_done) struct buf plain = {0}, tinted = {0};

    doc_diff_tint(STR("@@ -1 +1 @@\n-a\n+b\n c\n"), "  ", false, &plain);
    CHECK_STR(buf_view(&plain), STR("  @@ -1 +1 @@\n  -a\n  +b\n   c\n"), "plain");
    doc_diff_tint(STR("@@ -1 +1 @@\n-a\n+b\n c\n"), "", true, &tinted);
    CHECK_STR(buf_view(&tinted),
              STR("\033[36m@@ -1 +1 @@\033[0m\n\033[31m-a\033[0m\n\033[32m+b\033[0m\n c\n"),
              "tinted");
}

static void check_trees(const char *from, const char *to, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_diff_done) struct doc_diff d = {0};
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *a = doc_parse_json(set, str_of(from), "from", &e);
    struct doc_node *b = doc_parse_json(set, str_of(to), "to", &e);

    CHECK_OK(&e);
    doc_diff(a, b, &d);
    doc_diff_print(&d, &out);
    CHECK_STR(buf_view(&out), str_of(want), from);
}

TEST(trees_differ_by_path)
{
    check_trees("{\"a\":1,\"b\":[1,2]}", "{\"b\":[1,2],\"a\":1.0}", "");
    check_trees("{\"a\":1,\"b\":{\"c\":true}}", "{\"b\":{\"c\":false,\"d.e\":null}}",
                "- a: 1\n~ b.c: true -> false\n+ b.d\\.e: null\n");
    check_trees("[1,2,3]", "[1,3]", "~ 1: 2 -> 3\n- 2: 3\n");
    check_trees("{\"l\":[{\"name\":\"a\",\"v\":1},{\"name\":\"b\"}]}",
                "{\"l\":[{\"name\":\"c\"},{\"name\":\"b\"},{\"v\":2,\"name\":\"a\"}]}",
                "~ l.[name=a].v: 1 -> 2\n+ l.[name=c]: {\"name\":\"c\"}\n");
    check_trees("1", "\"1\"", "~ (all): 1 -> \"1\"\n");
}
