#include "expr/jsonpath/jsonpath.h"

#include "doc/parse.h"
#include "expr/jsonpath/waitfor.h"
#include "support/test.h"

static const char pods[] =
    "{\"kind\":\"PodList\",\"items\":["
    "{\"name\":\"a\",\"n\":1,\"ok\":true,\"w\":0.5,\"tags\":[\"x\",\"y\"],\"io/"
    "key\":{\"q.r\":\"dotted\"}},"
    "{\"name\":\"b\",\"n\":2,\"ok\":false,\"w\":2.0,\"tags\":[],\"none\":null},"
    "{\"name\":\"c\",\"n\":3,\"w\":1e21,\"tags\":[\"z\"]}]}";

struct row {
    const char *template, *want; /* want: the output, or the message */
    unsigned flags;
};

static void check_rows(const struct row *rows, size_t count)
{
    AUTO(err_done) struct err bad = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = doc_parse_json(set, str_of(pods), "pods", &bad);

    CHECK_OK(&bad);
    for (size_t i = 0; i < count; i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf out = {0};
        AUTO(jsonpath_free) struct jsonpath *path = jsonpath_compile(str_of(rows[i].template), &e);

        if (path && jsonpath_print(path, root, rows[i].flags, &out, &e) == 0)
            CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].template);
        else
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), rows[i].template);
    }
}

TEST(jsonpath_prints_what_a_template_asks_for)
{
    static const struct row rows[] = {
        {"plain }", "plain }", 0},
        {"{.kind}/{$.kind}{@.kind}", "PodList/PodListPodList", 0},
        {"{.items[0].io/key.q\\.r}", "dotted", 0},
        {"{.items[0]['io/key']['q\\.r']}", "dotted", 0},
        {"{.items[*].w}", "0.5 2 1e+21", 0},
        {"{.items[-1].name}{.items[0:2].name}", "ca b", 0},
        {"{.items[::2]['name','n']}", "a c 1 3", 0},
        {"{..tags[0]}", "array index out of bounds: index 0, length 0", 0},
        {"{.items[*].tags[*]}", "x y", 0}, /* an empty slice leaves out the lists behind it */
        {"{.items[?(@.n>=2)].name}", "b c", 0},
        {"{.items[?(@.ok!=true)].name}", "ok is not found", 0},
        {"{.items[?(@.ok!=true)].name}", "b", JSONPATH_ALLOW_MISSING},
        {"{.items[?(@.none)].name}", "b", 0},
        {"{.items[?(@.tags[9])].name}", "a b c", 0}, /* an index out of bounds exists */
        {"{.items[?(@.name==\"b\")].tags}", "[]", 0},
        {"{range .items[*]}{.name}={.n}{\"\\n\"}{end}.", "a=1\nb=2\nc=3\n.", 0},
        {"{.items[1].name}{'\\x41\\u00e9\\101'}{1.50}{+7}{false}",
         "bA\xc3\xa9"
         "A1.57false",
         0},
        {"{.kind}{.items[1]}",
         "[\n    \"PodList\"\n]\n[\n    {\n        \"n\": 2,\n        \"name\": \"b\",\n"
         "        \"none\": null,\n        \"ok\": false,\n        \"tags\": [],\n        \"w\": "
         "2\n    }\n]\n",
         JSONPATH_JSON},
        {"{.kind.*}", "80 111 100 76 105 115 116", 0}, /* the bytes of a text */
    };

    check_rows(rows, ARRAY_LEN(rows));
}

TEST(an_empty_range_runs_dry)
{
    static const struct row rows[] = {
        {"{range .items[1].tags[*]}{.x}{end}", "x is not found", 0},
        {"{range .items[1].tags[*]}{.x}{end}.", ".", JSONPATH_ALLOW_MISSING},
        {"{range .items[*]}{.name}:{range .tags[*]}{@},{end};{end}", "a:x,y,;b:;c:z,;",
         JSONPATH_ALLOW_MISSING},
        {"{end}", "not in range, nothing to end", 0},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

TEST(jsonpath_refuses_bad_templates_with_upstreams_words)
{
    static const struct row rows[] = {
        {"{.a", "unclosed action", 0},
        {"{.a[0}", "unterminated array", 0},
        {"{.a[b]}", "invalid array index b", 0},
        {"{.a[1:2:3:4]}", "invalid array index 1:2:3:4", 0},
        {"{.a[99999999999]}", "array index 99999999999 is not a number", 0},
        {"{.a[?(@.b==1}", "unterminated filter", 0},
        {"{.a[?(@.b==1)}", "unclosed array expect ]", 0},
        {"{.items[?(@.n===1)]}", "unrecognized filter operator ===", 0},
        {"{\"x}", "unterminated quoted string", 0},
        {"{'\\q'}", "unquote string '\\q' error invalid syntax", 0},
        {"{1.2.3}", "cannot parse number 1.2.3", 0},
        {"{....}", "invalid multiple recursive descent", 0},
        {"{%}", "unrecognized character in action: U+0025 '%'", 0},
        {"{foo}", "unrecognized identifier foo", 0},
        {"{range .items[?(@.zz)]}{[?(@.n)]}{end}",
         "<invalid reflect.Value> is not array or slice and cannot be filtered", 0},
    };

    check_rows(rows, ARRAY_LEN(rows));
}

TEST(jsonpath_ends_when_a_template_explodes)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0}, nested = {0};
    AUTO(jsonpath_free) struct jsonpath *path = NULL, *ranges = NULL;
    struct doc_node *root = doc_new_list(set);

    for (int i = 0; i < 300; i++) {
        struct doc_node *outer = doc_new_list(set);

        doc_append(outer, root);
        root = outer;
    }
    path = jsonpath_compile(STR("{range ..}{range ..}{range ..}{range ..}x"), &e);
    CHECK(path && jsonpath_print(path, root, 0, &out, &e) < 0);
    CHECK_STR(str_of(err_text(&e)), STR("the JSONPath template takes more than 10000000 steps"),
              "ranges");
    err_done(&e);
    for (int i = 0; i < 100; i++)
        buf_add_cstr(&nested, "{range @}");
    ranges = jsonpath_compile(buf_view(&nested), &e);
    CHECK(ranges && jsonpath_print(ranges, root, 0, &out, &e) < 0);
    CHECK_STR(str_of(err_text(&e)), STR("ranges are nested too deeply"), "nesting");
}

TEST(wait_conditions_are_read_in_both_dialects)
{
    static const struct {
        const char *text;
        enum wait_dialect dialect;
        const char *name, *value, *error;
    } rows[] = {
        {"delete", WAIT_KHOOK, "", "", NULL},
        {"condition=Ready", WAIT_KHOOK, "Ready", "True", NULL},
        {"condition=Ready=a=b", WAIT_KHOOK, "Ready", "a=b", NULL},
        {"condition=Ready=", WAIT_KHOOK, "", "", "the value of condition \"Ready\" is empty"},
        {"condition=", WAIT_KHOOK, "", "", "the name of the condition is empty"},
        {"jsonpath=a.b=1=2", WAIT_KHOOK, "{.a.b}", "1=2", NULL},
        {"jsonpath={.a[?(@.b==\"}\")].c}=x", WAIT_KHOOK, "{.a[?(@.b==\"}\")].c}", "x", NULL},
        {"jsonpath={.a", WAIT_KHOOK, "", "", "the jsonpath expression has no closing brace"},
        {"jsonpath={.a}x", WAIT_KHOOK, "", "",
         "after the closing brace of a jsonpath expression only \"=VALUE\" may follow"},
        {"jsonpath=.a{.b}", WAIT_KHOOK, "", "",
         "a jsonpath expression is either bare or wholly inside braces"},
        {"jsonpath={.a}=", WAIT_KHOOK, "{.a}", "", NULL},
        {"jsonpath={}", WAIT_KHOOK, "", "",
         "bad jsonpath expression {}: empty jsonpath expression"},
        {"jsonpath={status}", WAIT_KHOOK, "", "",
         "bad jsonpath expression {status}: unknown word \"status\"; a field begins with a dot"},
        {"jsonpath={range .a[*]}{.b}", WAIT_KHOOK, "", "",
         "bad jsonpath expression {range .a[*]}{.b}: {range} without {end}"},
        {"jsonpath={end}", WAIT_KHOOK, "", "",
         "bad jsonpath expression {end}: {end} without {range}"},
        {"jsonpath={status}", WAIT_KUBECTL, "{status}", "", NULL},
        {"jsonpath={.a}='v'", WAIT_KHOOK, "{.a}", "'v'", NULL},
        {"jsonpath={.a}='v'", WAIT_KUBECTL, "{.a}", "v", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(wait_for_done) struct wait_for w = {0};

        if (wait_for_parse(str_of(rows[i].text), rows[i].dialect, &w, &e) < 0) {
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].error), rows[i].text);
            continue;
        }
        CHECK(!rows[i].error);
        CHECK_STR(w.name, str_of(rows[i].name), rows[i].text);
        CHECK_STR(w.value, str_of(rows[i].value), rows[i].text);
    }
}

TEST(a_condition_is_met_by_one_result_in_khooks_reading)
{
    static const struct {
        const char *text;
        int khook, kubectl;
    } rows[] = {
        {"jsonpath={.items[*].name}=b", 1, -1},
        {"jsonpath={.items[9].name}=b", 0, -1},
        {"jsonpath={.kind}=PodList", 1, 1},
        {"jsonpath={.kind}=podlist", 0, 0},
        {"jsonpath={.items}", 1, 1},
        {"jsonpath={.items[1].tags}", 0, 1},
        {"jsonpath={.items}=x", 0, -1},
        {"jsonpath={.nothing}", 0, 0},
        {"jsonpath={.kind}/{.items[0].name}=PodList/a", 1, -1},
        {"jsonpath={.kind}/{.nothing}=PodList/a", 0, -1},
        {"jsonpath={.nothing}/{.none}", 0, 0},
        {"condition=Ready", 0, 0},
        {"delete", 0, 0},
    };
    AUTO(err_done) struct err bad = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = doc_parse_json(set, str_of(pods), "pods", &bad);

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        for (int d = 0; d < 2; d++) {
            AUTO(err_done) struct err e = {0};
            AUTO(wait_for_done) struct wait_for w = {0};

            CHECK(wait_for_parse(str_of(rows[i].text), d ? WAIT_KUBECTL : WAIT_KHOOK, &w, &e) == 0);
            CHECK_INT(wait_for_met(&w, root, &e), d ? rows[i].kubectl : rows[i].khook,
                      rows[i].text);
        }
    }
}
