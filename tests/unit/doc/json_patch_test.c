#include "doc/patch/json.h"

#include "doc/emit.h"
#include "doc/parse.h"
#include "doc/patch/merge.h"
#include "support/test.h"

static void check_patch(const char *doc, const char *patch, const char *want, const char *error)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *d = doc_parse_json(set, str_of(doc), "doc", &e);
    struct doc_node *p = doc_parse_json(set, str_of(patch), "patch", &e);

    CHECK_OK(&e);
    if (doc_json_patch(set, d, set, p, &e) < 0)
        CHECK_STR(str_of(err_text(&e)), str_of(error), patch);
    else
        CHECK_STR(STR(""), str_of(error), patch);
    doc_emit_json(d, 0, &out);
    CHECK_STR(buf_view(&out), str_of(want), patch);
}

TEST(json_patch_changes_in_place)
{
    check_patch(
        "{\"a\":1,\"b\":[1,2]}",
        "[{\"op\":\"add\",\"path\":\"/b/1\",\"value\":{\"c\":null}},"
        "{\"op\":\"add\",\"path\":\"/b/-\",\"value\":3},{\"op\":\"remove\",\"path\":\"/a\"}]",
        "{\"b\":[1,{\"c\":null},2,3]}", "");
    check_patch("{\"a/b\":{\"m~n\":1}}",
                "[{\"op\":\"replace\",\"path\":\"/a~1b/m~0n\",\"value\":[2]}]",
                "{\"a/b\":{\"m~n\":[2]}}", "");
    check_patch("{\"a\":{\"x\":1},\"b\":2}",
                "[{\"op\":\"move\",\"from\":\"/a/x\",\"path\":\"/b\"},{\"op\":\"copy\",\"from\":\"/"
                "a\",\"path\":\"/c\"}]",
                "{\"a\":{},\"b\":1,\"c\":{}}", "");
    check_patch("[1,2,3]",
                "[{\"op\":\"move\",\"from\":\"/0\",\"path\":\"/2\"},{\"op\":\"test\",\"path\":\"/"
                "2\",\"value\":1.0}]",
                "[2,3,1]", "");
    check_patch("{\"a\":1}", "[{\"op\":\"replace\",\"path\":\"\",\"value\":[]}]", "[]", "");
}

TEST(json_patch_that_fails_changes_nothing)
{
    check_patch("{\"a\":[1,2,{\"b\":3}],\"c\":4,\"d\":5}",
                "[{\"op\":\"remove\",\"path\":\"/a/0\"},{\"op\":\"remove\",\"path\":\"/c\"},\n"
                "{\"op\":\"replace\",\"path\":\"/a/1/"
                "b\",\"value\":{\"x\":1}},{\"op\":\"add\",\"path\":\"/a/1/b/y\",\"value\":2},"
                "{\"op\":\"add\",\"path\":\"/e\",\"value\":1},{\"op\":\"move\",\"from\":\"/"
                "d\",\"path\":\"/a/0\"},\n"
                " {\"op\":\"test\",\"path\":\"/e\",\"value\":2}]",
                "{\"a\":[1,2,{\"b\":3}],\"c\":4,\"d\":5}",
                "patch:3:2: operation 6, test \"/e\": the value is another one");
}

TEST(json_patch_says_what_is_wrong_where)
{
    static const struct {
        const char *patch, *error;
    } rows[] = {
        {"[{\"op\":\"remove\",\"path\":\"/x/y\"}]",
         "patch:1:2: operation 0, remove \"/x/y\": there is nothing at \"/x\""},
        {"[{\"op\":\"remove\",\"path\":\"\"}]",
         "patch:1:2: operation 0, remove \"\": the whole document cannot be removed"},
        {"[{\"op\":\"add\",\"path\":\"/l/5\",\"value\":1}]",
         "patch:1:2: operation 0, add \"/l/5\": the list has 2 items only"},
        {"[{\"op\":\"add\",\"path\":\"/l/01\",\"value\":1}]",
         "patch:1:2: operation 0, add \"/l/01\": \"01\" is no index of a list"},
        {"[{\"op\":\"add\",\"path\":\"/n/x\",\"value\":1}]",
         "patch:1:2: operation 0, add \"/n/x\": what is at \"/n\" is neither a map nor a list"},
        {"[{\"op\":\"add\",\"path\":\"n\",\"value\":1}]",
         "patch:1:2: operation 0, add \"n\": \"n\" is no JSON pointer: '/' and ~0 or ~1 are "
         "expected"},
        {"[{\"op\":\"add\",\"path\":\"/n\"}]",
         "patch:1:2: operation 0, add \"/n\": it needs a \"value\""},
        {"[{\"op\":\"move\",\"path\":\"/l/0\",\"from\":\"/l\"}]",
         "patch:1:2: operation 0, move \"/l/0\": a value cannot be moved into itself"},
        {"[{\"path\":\"/n\"}]", "patch:1:2: operation 0: it needs \"op\", a text"},
        {"[{\"op\":\"set\",\"path\":\"/n\"}]",
         "patch:1:2: operation 0, set \"/n\": \"set\" is no operation: add, remove, replace, move, "
         "copy and test are"},
        {"{}", "a JSON patch is a list of operations"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_patch("{\"l\":[1,2],\"n\":3}", rows[i].patch, "{\"l\":[1,2],\"n\":3}", rows[i].error);
}

TEST(json_patch_is_bounded_in_what_it_copies)
{
    AUTO(buf_done) struct buf patch = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *d = doc_parse_json(set, STR("{\"a\":[1,2,3,4,5,6,7,8,9]}"), "doc", &e);

    buf_add_char(&patch, '[');
    for (int i = 0; i < 60; i++)
        buf_addf(&patch, "%s{\"op\":\"copy\",\"from\":\"\",\"path\":\"/k%d\"}", i ? "," : "", i);
    buf_add_char(&patch, ']');
    CHECK(doc_json_patch(set, d, set, doc_parse_json(set, buf_view(&patch), "p", &e), &e) < 0);
    CHECK(str_contains(str_of(err_text(&e)), STR("the patch copies more than 1000000 values")));
    CHECK_INT((long long)doc_len(d), 1, "as before");
}

static void check_merge(const char *doc, const char *patch, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *from = doc_parse_json(set, str_of(doc), "doc", &e), *d = doc_copy(set, from);

    doc_merge_patch(set, d, doc_parse_json(set, str_of(patch), "patch", &e));
    CHECK_OK(&e);
    doc_emit_json(d, 0, &out);
    CHECK_STR(buf_view(&out), str_of(want), patch);
    doc_merge_patch(set, from, doc_merge_patch_between(set, from, d));
    CHECK(doc_equal(from, d) || str_contains(buf_view(&out), STR("null")));
}

TEST(merge_patch_merges_maps_and_replaces_the_rest)
{
    check_merge("{\"a\":{\"b\":1,\"c\":2},\"d\":[1]}",
                "{\"a\":{\"b\":null,\"e\":{\"f\":null,\"g\":1}},\"d\":[null,2]}",
                "{\"a\":{\"c\":2,\"e\":{\"g\":1}},\"d\":[null,2]}");
    check_merge("{\"a\":1}", "{\"a\":{\"x\":{\"y\":null}}}", "{\"a\":{\"x\":{}}}");
    check_merge("[1]", "{\"a\":1}", "{\"a\":1}");
    check_merge("{\"a\":1}", "\"text\"", "\"text\"");
    check_merge("{\"a\":1,\"b\":2}", "{}", "{\"a\":1,\"b\":2}");
}

/* What a patch makes of {"l":[1,2,3],"m":{"x":null}}; empty: it fails, and changes nothing. */
static void check_lenient(const char *patch, const char *want)
{
    static const char doc[] = "{\"l\":[1,2,3],\"m\":{\"x\":null}}";
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *d = doc_parse_json(set, str_of(doc), "doc", &e);
    struct doc_node *p = doc_parse(set, str_of(patch), DOC_MANIFEST, "patch", &e);

    CHECK_OK(&e);
    CHECK_INT(doc_json_patch_lenient(set, d, set, p, &e), *want ? 0 : -1, patch);
    doc_emit_json(d, 0, &out);
    CHECK_STR(buf_view(&out), *want ? str_of(want) : str_of(doc), patch);
}

TEST(json_patch_lenient_is_as_lenient_as_gos)
{
    static const struct {
        const char *patch, *want;
    } rows[] = {
        {"- {op: add, path: /l/-1, value: 9}", "{\"l\":[1,2,3,9],\"m\":{\"x\":null}}"},
        {"- {op: add, path: /l/-4, value: 9}", "{\"l\":[9,1,2,3],\"m\":{\"x\":null}}"},
        {"- {op: add, path: /l/-5, value: 9}", ""},
        {"- {op: add, path: /l/+01, value: 9}", "{\"l\":[1,9,2,3],\"m\":{\"x\":null}}"},
        {"- {op: add, path: /l/4, value: 9}", ""},
        {"- {op: replace, path: /l/-1, value: 9}", "{\"l\":[1,2,9],\"m\":{\"x\":null}}"},
        {"- {op: replace, path: /l/3, value: 9}", ""},
        {"- {op: remove, path: /l/-3}", "{\"l\":[2,3],\"m\":{\"x\":null}}"},
        {"- {op: remove, path: /l/-4}", ""},
        {"- {op: remove, path: /l/x}", ""},
        {"- {op: remove, path: /nope}", ""},
        {"- {op: replace, path: /m/y, value: 1}", "{\"l\":[1,2,3],\"m\":{\"x\":null,\"y\":1}}"},
        {"- {op: replace, path: /n/y, value: 1}", ""},
        {"- {op: test, path: /n}", "{\"l\":[1,2,3],\"m\":{\"x\":null}}"},
        {"- {op: test, path: /n, value: 1}", ""},
        {"- {op: copy, from: /n, path: /m}", "{\"l\":[1,2,3],\"m\":null}"},
        {"- {op: move, from: /n, path: /m}", ""},
        {"- {op: move, from: /m, path: /m/z}", ""},
        {"- {op: add, path: /m}", "{\"l\":[1,2,3],\"m\":null}"},
        {"- {op: add, path: x/m, value: 1}", "{\"l\":[1,2,3],\"m\":1}"},
        {"- {op: add, path: x, value: 1}", ""},
        {"- {op: add, path: /m~2, value: 1}", "{\"l\":[1,2,3],\"m\":{\"x\":null},\"m~2\":1}"},
        {"- {op: add, path: '', value: {}}", ""},
        {"- {op: remove, path: ''}", ""},
        {"- {op: copy, from: '', path: /a}", ""},
        {"- {op: replace, path: '', value: {}}", "{}"},
        {"- {op: replace, path: '', value: 1}", ""},
        {"[{\"op\":\"add\",\"path\":\"/m\",\"value\":\"\u00e9\"},"
         "{\"op\":\"test\",\"path\":\"/m\",\"value\":\"\u00e9\"}]",
         "{\"l\":[1,2,3],\"m\":\"\u00e9\"}"},
        {"[{\"op\":\"add\",\"path\":\"/m\",\"value\":\"\u00e9\"},"
         "{\"op\":\"test\",\"path\":\"/m\",\"value\":\"\\u00e9\"}]",
         ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_lenient(rows[i].patch, rows[i].want);
}
