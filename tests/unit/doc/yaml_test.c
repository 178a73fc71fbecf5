#include "base/base.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"
#include "support/yaml_events.h"

/* What text reads as, in JSON with the order of keys kept, or the error. */
static void read_as(str text, const struct doc_parse_options *options, struct buf *out)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (doc_parse_all(set, text, options, "t.yaml", &roots, &e) < 0) {
        CHECK(roots.len == 0);
        buf_add_cstr(out, err_text(&e));
        return;
    }
    for (size_t i = 0; i < roots.len; i++) {
        if (i)
            buf_add_char(out, ' ');
        doc_emit_json(roots.v[i], 0, out);
    }
}

static void check_reads_as(const char *text, struct doc_parse_options options, const char *want)
{
    AUTO(buf_done) struct buf out = {0};

    read_as(str_of(text), &options, &out);
    CHECK_STR(buf_view(&out), str_of(want), text);
}

TEST(yaml_documents_become_trees)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"# nothing\n", ""},
        {"a: 1\nb: [x, 'y', \"z\\n\"]\nc: {d: e}\n",
         "{\"a\":1,\"b\":[\"x\",\"y\",\"z\\n\"],\"c\":{\"d\":\"e\"}}"},
        {"a:\n- 1\n- b: 2\n  c: 3\n-\n", "{\"a\":[1,{\"b\":2,\"c\":3},null]}"},
        {"a: one\n  two\n\n  three\n", "{\"a\":\"one two\\nthree\"}"},
        {"a: |\n  x\n   y\nb: >-\n  x\n  y\n", "{\"a\":\"x\\n y\\n\",\"b\":\"x y\"}"},
        {"---\na\n---\n---\nb\n...\n", "\"a\" \"b\""},
        {"\xEF\xBB\xBF"
         "a: 1\n",
         "{\"a\":1}"},
        {"a: &x {b: 1}\nc: *x\n", "{\"a\":{\"b\":1},\"c\":{\"b\":1}}"},
        {"? a\n: b\n", "{\"a\":\"b\"}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_reads_as(rows[i].text, (struct doc_parse_options){.dialect = DOC_SPEC}, rows[i].want);
}

/* libyaml refuses them, go-yaml does not. */
TEST(colons_before_the_marks_of_a_flow_belong_to_the_scalar)
{
    check_reads_as("[a:, b:]\n", (struct doc_parse_options){.dialect = DOC_VALUES},
                   "[\"a:\",\"b:\"]");
    check_reads_as("{a:b: 1, c:}\n", (struct doc_parse_options){.dialect = DOC_VALUES},
                   "{\"a:b\":1,\"c:\":null}");
}

TEST(yaml_refusals_name_the_place)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"a: b: c\n", "t.yaml:1:5: a ':' cannot begin a value here; put text that contains ': ' in "
                      "quotes, or check the indentation of this line and the one before"},
        {"a: 1\nb: 2\na: 3\n", "t.yaml:3:1: duplicate key \"a\", first at line 1 column 1"},
        {"a:\n\tb: 1\n", "t.yaml:2:1: a tab cannot indent a line; indent with blanks"},
        {"a: *x\n", "t.yaml:1:4: unknown anchor 'x' referenced"},
        {"a: &x [*x]\n", "t.yaml:1:8: anchor 'x' value contains itself"},
        {"[a]: 1\n", "t.yaml:1:1: a list or map cannot be a key"},
        {"a: \"\x01\"\n", "t.yaml:1:5: the control character U+0001 is not allowed"},
        {"a: \xFF\n", "t.yaml:1:4: the text is not valid UTF-8: invalid leading UTF-8 octet 0xFF"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_reads_as(rows[i].text, (struct doc_parse_options){.dialect = DOC_SPEC}, rows[i].want);
}

/* Lines that the short cut takes, or just not: both ways give the same. */
TEST(flow_collections_on_a_line_are_read_like_others)
{
    static const struct {
        const char *text, *json;
    } rows[] = {
        {"a: [x, 1, \"q r\", 'it']\nb: 2\n", "{\"a\":[\"x\",1,\"q r\",\"it\"],\"b\":2}"},
        {"a: [  x ,w  ]\n", "{\"a\":[\"x\",\"w\"]}"},
        {"a: [\"x\\ty\", 'it''s', x y, é]\n", "{\"a\":[\"x\\ty\",\"it's\",\"x y\",\"é\"]}"},
        {"a: [x,]\n", "{\"a\":[\"x\"]}"},
        {"a: [\"k\": v, [w]]\n", "{\"a\":[{\"k\":\"v\"},[\"w\"]]}"},
        {"a: {b: 1, \"c\": {d: [x, {}], e: []}, 'f': \"g h\"}\nz: 2\n",
         "{\"a\":{\"b\":1,\"c\":{\"d\":[\"x\",{}],\"e\":[]},\"f\":\"g h\"},\"z\":2}"},
        {"a: [{b: c}, {b: -1}, [[d]]]\n", "{\"a\":[{\"b\":\"c\"},{\"b\":-1},[[\"d\"]]]}"},
        {"a: {b:1, c : 2, \"d\":3}\n", "{\"a\":{\"b:1\":null,\"c\":2,\"d\":3}}"},
        {"a: {b: [c]\n  , d: e}\n", "{\"a\":{\"b\":[\"c\"],\"d\":\"e\"}}"},
        {"- a: [x] # c\n  b: [w,\n   z]\n", "[{\"a\":[\"x\"],\"b\":[\"w\",\"z\"]}]"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct doc_parse_options options = {.dialect = DOC_MANIFEST};
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list roots = {0};
        AUTO(buf_done) struct buf out = {0}, fast = {0}, slow = {0};

        CHECK(doc_parse_all(set, str_of(rows[i].text), &options, "t", &roots, &e) == 0);
        CHECK_OK(&e);
        if (roots.len == 1)
            doc_emit_json(roots.v[0], 0, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].json), rows[i].text);
        CHECK(yaml_print(str_of(rows[i].text), false, true, &fast));
        CHECK(yaml_print(str_of(rows[i].text), true, true, &slow));
        CHECK_STR(buf_view(&fast), buf_view(&slow), rows[i].text);
    }
}
