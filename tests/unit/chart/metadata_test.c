/* What Chart.yaml says, in JSON (helm spec 1, 16). */
#include "chart/chart.h"
#include "doc/emit.h"
#include "support/test.h"

static struct chart *load(struct doc_set *set, str chart_yaml)
{
    AUTO(chart_files_done) struct chart_files files = {0};
    AUTO(err_done) struct err e = {0};
    struct chart *c;

    vec_push(&files, {.name = STR("Chart.yaml"), .text = chart_yaml});
    vec_push(&files, {.name = STR("values.yaml"), .text = STR("a: 1 # one\n")});
    vec_push(&files, {.name = STR("Chart.lock"), .text = STR("digest: x\n")});
    c = chart_from_files(set, &files, &e);
    CHECK_OK(&e);
    return c;
}

TEST(metadata_in_json_leaves_empty_members_out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct chart *c = load(set, STR("apiVersion: v2\nversion: 1.0.0\nNAME: web\nhome: \"\"\n"
                                    "deprecated: false\nannotations: {b: c}\n"
                                    "dependencies:\n- name: d\n  version: ''\n"));

    doc_emit_json(chart_metadata_json(set, c), 0, &out);
    CHECK_STR(buf_view(&out),
              STR("{\"name\":\"web\",\"version\":\"1.0.0\",\"apiVersion\":\"v2\","
                  "\"annotations\":{\"b\":\"c\"},"
                  "\"dependencies\":[{\"name\":\"d\",\"repository\":\"\"}]}"),
              "");
    buf_clear(&out);
    doc_emit_json(chart_dependency_json(set, c, 0), 0, &out);
    CHECK_STR(buf_view(&out), STR("{\"name\":\"d\",\"repository\":\"\"}"), "");
}

TEST(charts_keep_the_text_of_their_values_and_lock)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct chart *c = load(set, STR("apiVersion: v2\nversion: 1.0.0\nname: web\n"));

    CHECK_STR(c->values_text, STR("a: 1 # one\n"), "");
    CHECK_STR(c->lock_text, STR("digest: x\n"), "");
}

TEST(texts_of_metadata_have_blanks_for_spaces_and_nothing_unseen)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct chart *c = load(set, STR("version: 1.0.0\nname: web\ndescription: |\n  two\u00a0words,"
                                    "\t\u3000\n  no\u200b width \u00e9\u4e16\U0001f600\n"));

    CHECK_STR(doc_text(doc_get_lit(c->metadata, "Description"), STR_NONE),
              STR("two words,   no width \u00e9\u4e16\U0001f600 "), "");
}

TEST(a_chart_yaml_that_is_there_twice_is_read_over_the_first)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_files_done) struct chart_files files = {0};
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};
    struct chart *c;

    vec_push(&files, {.name = STR("Chart.yaml"),
                      .text = STR("apiVersion: v2\nname: old\nversion: 1.0.0\nhome: h\n"
                                  "keywords: [a, b]\nannotations: {a: 1x, b: 2x}\n")});
    vec_push(&files, {.name = STR("Chart.yaml"),
                      .text = STR("NAME: new\nhome: null\nkeywords: [c]\n"
                                  "annotations: {b: 3x, c: 4x}\n")});
    c = chart_from_files(set, &files, &e);
    CHECK_OK(&e);
    doc_emit_json(chart_metadata_json(set, c), DOC_JSON_SORTED, &out);
    CHECK_STR(buf_view(&out),
              STR("{\"annotations\":{\"a\":\"1x\",\"b\":\"3x\",\"c\":\"4x\"},\"apiVersion\":\"v2\","
                  "\"home\":\"h\",\"keywords\":[\"c\"],\"name\":\"new\",\"version\":\"1.0.0\"}"),
              "");
}
