#include "doc/edit.h"

#include "doc/emit.h"
#include "doc/parse.h"
#include "doc/patch/json.h"
#include "doc/path.h"
#include "support/test.h"

static void check_edit(const char *text, const char *patch, const char *want)
{
    static const struct doc_parse_options options = {.dialect = DOC_MANIFEST};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new(), *patches = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *p = doc_parse_json(patches, str_of(patch), "patch", &e);

    CHECK_OK(&e);
    CHECK(doc_parse_all(set, str_of(text), &options, "t", &roots, &e) == 0);
    CHECK_OK(&e);
    if (roots.len == 0 || doc_json_patch(set, roots.v[0], patches, p, &e) < 0) {
        CHECK_OK(&e);
        return;
    }
    doc_edit_emit(set, 1, roots.v, roots.len, &out);
    CHECK_STR(buf_view(&out), str_of(want), patch);
}

TEST(edit_without_changes_gives_the_text_back)
{
    static const char *const rows[] = {
        "# c\na:   1   # one\n\n\nb: {x: [1,2] , y: \"q\"}\nc:\n    - 'd'\n",
        ("\xef\xbb\xbf"
         "a: 1\r\nb: 2\r\n"),
        "a: &x {k: v}\nb: *x\nc:\n  <<: *x\n  k: w\n---\n- 1\n...\n",
        "? long\n: value\n",
        "{\n  \"a\": [\n    1\n  ]\n}",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_edit(rows[i], "[]", rows[i]);
}

TEST(edit_renames_a_key_in_its_place)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"# c\nold:   # why\n  -   x\n\nb:    2\n", "# c\nnew:   # why\n  -   x\n\nb:    2\n"},
        {"a:   1\n'old' : \"q\"   # c\n", "a:   1\nnew : \"q\"   # c\n"},
        {"a: 1\n# of old\nold: &x {k:  v}\nb: *x\n", "a: 1\n# of old\nnew: &x {k:  v}\nb: *x\n"},
        {"{old:   1, b: 2}\n", "{\"new\":1,\"b\":2}\n"},
        {"? old\n: 1\nb: 2\n", "new: 1\nb: 2\n"},
    };
    static const struct doc_parse_options options = {.dialect = DOC_MANIFEST};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list roots = {0};
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(doc_parse_all(set, str_of(rows[i].text), &options, "t", &roots, &e), 0,
                  rows[i].text);
        doc_rename(set, roots.v[0], doc_get_lit(roots.v[0], "old"), STR("new"));
        doc_edit_emit(set, 1, roots.v, roots.len, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].text);
    }
}

TEST(edit_replaces_values_in_their_place)
{
    static const struct {
        const char *text, *value, *want;
    } rows[] = {
        {"a: 1 # keep\nb: 2\n", "7", "a: 7 # keep\nb: 2\n"},
        {"a:   'old'   # keep\nb: 2\n", "\"two words\"", "a: two words   # keep\nb: 2\n"},
        {"a:\nb: 2\n", "\"x: y\"", "a: 'x: y'\nb: 2\n"},
        {"a: |\n  l1\n  l2\n\nb: 2\n", "true", "a: true\n\nb: 2\n"},
        {"a: 1 # keep\nb: 2\n", "\"l1\\nl2\\n\"", "a: | # keep\n  l1\n  l2\nb: 2\n"},
        {"a: 1 # keep\nb: 2\n", "{\"x\":[1]}", "a: # keep\n  x:\n  - 1\nb: 2\n"},
        {"a: # keep\n  x: 1\n  y: 2 # gone\n# of b\nb: 2\n", "3", "a: 3 # keep\n# of b\nb: 2\n"},
        {"a:\n  - x\nb: 2\n", "[1,2]", "a:\n  - 1\n  - 2\nb: 2\n"},
        {"a: long\n  text\nb: 2\n", "\"short\"", "a: short\nb: 2\n"},
        {"a: {x: 1}\nb: 2\n", "{}", "a: {}\nb: 2\n"},
        {"a: &n 1\nb: *n\n", "5", "a: &n 5\nb: 1\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf patch = {0};

        buf_addf(&patch, "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":%s}]", rows[i].value);
        check_edit(rows[i].text, buf_cstr(&patch), rows[i].want);
    }
}

TEST(edit_writes_documents_with_odd_line_ends_anew)
{
    static const struct {
        const char *text, *patch, *want;
    } rows[] = {
        {"\rw: 0 ", "[{\"op\":\"add\",\"path\":\"/x\",\"value\":1}]", "\r\nw: 0\nx: 1\n"},
        {"w: 0\rx:\r- 2\r# c", "[{\"op\":\"add\",\"path\":\"/x/0\",\"value\":1}]",
         "w: 0\nx:\n- 1\n- 2\n# c"},
        {"w: 0\xc2\x85x: 2\n", "[{\"op\":\"remove\",\"path\":\"/w\"}]", "x: 2\n"},
        {"\xe2\x80\xa8!!str # c\nw\n", "[{\"op\":\"replace\",\"path\":\"\",\"value\":7}]",
         "\xe2\x80\xa8\n7\n"},
        {"!t # c\xe2\x80\xa8w: 0\n", "[{\"op\":\"replace\",\"path\":\"/w\",\"value\":1}]",
         "!t\nw: 1\n"},
        {"{k:\xe2\x80\xa8 v}",
         "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"a\":\"b\xc2\x85\xe2\x80\xa9\"}}]",
         "{\"a\":\"b\\u0085\\u2029\"}\n"},
        {"w:  0\nx: \"a\xe2\x80\xa8 b\"\n", /* within quotes they are text */
         "[{\"op\":\"replace\",\"path\":\"/w\",\"value\":1}]", "w: 1\nx: \"a\xe2\x80\xa8 b\"\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_edit(rows[i].text, rows[i].patch, rows[i].want);
}

TEST(edit_gives_no_line_end_to_a_block_scalar_without_one)
{
    static const char *const add = "[{\"op\":\"add\",\"path\":\"/b\",\"value\":1}]";

    check_edit("a: |\n  x", add, "a: |-\n  x\nb: 1\n");
    check_edit("a: |-\n  x", add, "a: |-\n  x\nb: 1\n");
    check_edit("a: |\n  x\n", add, "a: |\n  x\nb: 1\n");
}

TEST(edit_adds_behind_the_comments_of_what_was_there)
{
    check_edit("a:\n- 1\n  # deep\n    \n# not\n",
               "[{\"op\":\"add\",\"path\":\"/b\",\"value\":\"x\\ny\\n\"}]",
               "a:\n- 1\n  # deep\nb: |\n  x\n  y\n# not\n");
}

TEST(edit_takes_no_comment_into_a_block_scalar)
{
    check_edit("a\n# c\n", "[{\"op\":\"replace\",\"path\":\"\",\"value\":[\"x\\ny\"]}]",
               "- |-\n  x\n  y\n# c\n");
    check_edit("a: b\n\n  # c\n  # d\n\n  # e\nb: 1\n",
               "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":\"x\\ny\"}]",
               "a: |-\n  x\n  y\n\n# c\n# d\n\n  # e\nb: 1\n");
    check_edit("a\n b \n \t\n", "[{\"op\":\"replace\",\"path\":\"\",\"value\":\"1\"}]", "\"1\" \n");
    check_edit("!t\na\nb\n\n \n\n\t\n", "[{\"op\":\"replace\",\"path\":\"\",\"value\":\"#\"}]",
               "'#'\n\n\n");
    check_edit("a: !t&(1 b\n", "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":\"c\"}]", "a: c\n");
    check_edit("c:\t#c\n", "[{\"op\":\"replace\",\"path\":\"\",\"value\":{\"d\":1}}]",
               "#c\nd: 1\n");
}

TEST(edit_keeps_apart_what_marks_a_document)
{
    static const struct doc_parse_options options = {.dialect = DOC_MANIFEST,
                                                     .flags = DOC_KEEP_EMPTY};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(buf_done) struct buf out = {0};

    CHECK(doc_parse_all(set, STR("---"), &options, "t", &roots, &e) == 0 && roots.len == 1);
    doc_replace(roots.v[0], doc_new_string(set, STR("two words")));
    doc_edit_emit(set, 1, roots.v, roots.len, &out);
    CHECK_STR(buf_view(&out), STR("--- two words"), "---");
    CHECK(doc_parse_all(set, STR("--- # c"), &options, "t", &roots, &e) == 0 && roots.len == 2);
    doc_replace(roots.v[1], doc_new_string(set, STR("two words")));
    buf_clear(&out);
    doc_edit_emit(set, 2, roots.v + 1, 1, &out);
    CHECK_STR(buf_view(&out), STR("--- # c\ntwo words\n"), "---");
}

TEST(edit_takes_no_comment_for_a_tag)
{
    check_edit("--- # !tag\nw: 0\n", "[{\"op\":\"replace\",\"path\":\"\",\"value\":7}]",
               "--- # !tag\n7\n");
    check_edit("a: [ # &x\n  {} ]\n", "[{\"op\":\"replace\",\"path\":\"/a/0\",\"value\":7}]",
               "a: [ # &x\n  7 ]\n");
}

TEST(edit_adds_behind_what_was_there_before)
{
    check_edit("spec:\n  a: 1 # one\n\n# tail\nkind: X\n",
               "[{\"op\":\"add\",\"path\":\"/spec/b\",\"value\":{\"c\":2}}]",
               "spec:\n  a: 1 # one\n  b:\n    c: 2\n\n# tail\nkind: X\n");
    check_edit("l:\n  - 1\n  - 2\n", "[{\"op\":\"add\",\"path\":\"/l/1\",\"value\":\"new\"}]",
               "l:\n  - 1\n  - new\n  - 2\n");
    check_edit("l:\n- a: 1\n  b: 2\n", "[{\"op\":\"add\",\"path\":\"/l/0\",\"value\":{\"c\":[3]}}]",
               "l:\n- c:\n  - 3\n- a: 1\n  b: 2\n");
    check_edit("a: 1", "[{\"op\":\"add\",\"path\":\"/b\",\"value\":\"x\"}]", "a: 1\nb: x\n");
    check_edit("a: {x: 1}\n", "[{\"op\":\"add\",\"path\":\"/a/z\",\"value\":\"a, b\"}]",
               "a: {x: 1, z: \"a, b\"}\n");
    check_edit("{\n  \"a\": 1\n}\n", "[{\"op\":\"add\",\"path\":\"/b\",\"value\":{\"c\":null}}]",
               "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": null\n  }\n}\n");
    check_edit("a: {}\n", "[{\"op\":\"add\",\"path\":\"/a/b\",\"value\":1}]", "a: {b: 1}\n");
}

TEST(edit_removes_with_the_comment_above)
{
    check_edit("# head\n\n# of a\na: 1 # one\n# of b\nb:\n  x: 2\n\n# of c\nc: 3\n",
               "[{\"op\":\"remove\",\"path\":\"/b\"}]",
               "# head\n\n# of a\na: 1 # one\n\n# of c\nc: 3\n");
    check_edit("l:\n- a: 1\n  b: 2 # two\n- c: 3\n", "[{\"op\":\"remove\",\"path\":\"/l/0/a\"}]",
               "l:\n- b: 2 # two\n- c: 3\n");
    check_edit("l:\n- 1\n- 2\n- 3\nm: x\n",
               "[{\"op\":\"remove\",\"path\":\"/l/2\"},{\"op\":\"remove\",\"path\":\"/l/0\"}]",
               "l:\n- 2\nm: x\n");
    check_edit("a:\n  b: 1\nc: 2\n", "[{\"op\":\"remove\",\"path\":\"/a/b\"}]", "a: {}\nc: 2\n");
    check_edit("a: [1, 2, 3] # x\n", "[{\"op\":\"remove\",\"path\":\"/a/1\"}]", "a: [1, 3] # x\n");
}

TEST(edit_expands_what_merges_or_stands_in_another_order)
{
    check_edit("x: &x\n  k: v\nm:\n  <<: *x\n  z: 1\n",
               "[{\"op\":\"replace\",\"path\":\"/x/k\",\"value\":\"w\"}]",
               "x: &x\n  k: w\nm:\n  k: v\n  z: 1\n");
    check_edit("x: &x\n  k: v\nm:\n  <<: *x\n  z: 1\n",
               "[{\"op\":\"add\",\"path\":\"/m/z\",\"value\":2}]",
               "x: &x\n  k: v\nm:\n  <<: *x\n  z: 2\n");
}

/* An anchor of a merge key that is no map any more: the maps that took nothing from it show no
 * trace of the key but in the text. */
TEST(edit_leaves_no_merge_key_whose_anchor_has_changed)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"x: &x {}\nm: {<<: *x}\n", "x: &x 5\nm: {}\n"},
        {"x: &x {}\nm:\n  <<: *x\nz: 1 # one\n", "x: &x 5\nm: {}\nz: 1 # one\n"},
        {"x: &x {}\nm:\n  <<: [*x]\n", "x: &x 5\nm: {}\n"},
        {"x: &x {}\nm:\n- - <<: *x\n  - 1\n", "x: &x 5\nm:\n- - {}\n  - 1\n"},
        {"x: &x {k: v}\nm:\n  k: w\n  <<: *x\n", "x: &x 5\nm:\n  k: v\n"},
        {"x: &x {k: v}\nm:\n  <<: *x\n  k: w\n", "x: &x 5\nm:\n  k: w\n"},
        {"x: &x {k: v}\nm: [<<: *x, 1]\n", "x: &x 5\nm: [{k: v}, 1]\n"},
        {"x: &x {k: v}\nm:\n  q: [{<<: *x, k: 1}] # q\n", "x: &x 5\nm:\n  q: [{k: 1}] # q\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_edit(rows[i].text, "[{\"op\":\"replace\",\"path\":\"/x\",\"value\":5}]",
                   rows[i].want);
}

TEST(edit_writes_nulls_of_no_characters_so_that_they_stay_null)
{
    check_edit("top: &x {k: }\nb: *x\n", "[{\"op\":\"remove\",\"path\":\"/top\"}]",
               "b: {k: null}\n");
}

TEST(edit_writes_made_documents_behind_the_others)
{
    static const struct doc_parse_options options = {.dialect = DOC_MANIFEST};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *made = doc_new_map(set);

    CHECK(doc_parse_all(set, STR("a: 1\n---\nb: 2"), &options, "t", &roots, &e) == 0);
    doc_set_string(set, made, STR("c"), STR("3"));
    doc_set_int(set, roots.v[1], STR("b"), 5);
    struct doc_node *all[] = {roots.v[0], roots.v[1], made};
    doc_edit_emit(set, 1, all, 3, &out);
    CHECK_STR(buf_view(&out), STR("a: 1\n---\nb: 5\n---\nc: \"3\"\n"), "three");
}

TEST(edit_writes_new_line_comments)
{
    static const struct {
        const char *text, *path, *comment, *want;
    } rows[] = {
        {"a: 1\nb: 2\n", "a", "# x", "a: 1 # x\nb: 2\n"},
        {"a: 'v'   # old\nb: 2\n", "a", "# new", "a: 'v'   # new\nb: 2\n"},
        {"a: v # old\nb: 2\n", "a", "", "a: v\nb: 2\n"},
        {"a:\n- x  # one\n\n- y\nb: 2\n", "a", "# l", "a: # l\n- x  # one\n\n- y\nb: 2\n"},
        {"a: &n # old\n  x: 1\nb: 2\n", "a", "# m", "a: &n # m\n  x: 1\nb: 2\n"},
        {"a: [1,  2]\nb: 2\n", "a", "# f", "a: [1, 2] # f\nb: 2\n"},
        {"a:\n- x\n- y\n", "a/1", "# y", "a:\n- x\n- y # y\n"},
    };
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list roots = {0};
        AUTO(buf_done) struct buf out = {0};

        CHECK(doc_parse_all(set, str_of(rows[i].text), &options, "t", &roots, &e) == 0);
        doc_set_line_comment(set, doc_path_get(roots.v[0], str_of(rows[i].path), '/'),
                             str_of(rows[i].comment));
        doc_edit_emit(set, 1, roots.v, roots.len, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].text);
        buf_clear(&out);
        doc_emit(roots.v[0], DOC_EMIT_KYAML, &out);
        CHECK(str_contains(buf_view(&out), str_of(rows[i].comment)));
    }
}
