#include "base/err.h"
#include "conformance/suite.h"
#include "doc/parse.h"
#include "support/yaml_events.h"

/* The tree builder must come to an end on what the scanner takes, whatever it thinks of it. */
static void build(str text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};

    (void)!doc_parse_all(set, text, &options, "case", &roots, &e);
}

static void judge(struct suite *s, const struct doc_node *c, const struct doc_node *deviation)
{
    AUTO(buf_done) struct buf got = {0};
    str text = doc_text(doc_get_lit(c, "yaml"), STR_NONE);
    str libyaml = doc_text(doc_get_lit(deviation, "libyaml"), STR_NONE);
    str want = doc_text(doc_get_lit(deviation ? deviation : c, "events"), STR_NONE);
    bool is_accepted = yaml_print(text, false, false, &got);
    bool refuse =
        libyaml.len ? str_eq(libyaml, STR("refuses")) : doc_bool(doc_get_lit(c, "error"), false);

    build(text);
    if (is_accepted == refuse)
        suite_end(s, false, "%s: %s", refuse ? "accepted" : "refused", buf_cstr(&got));
    else
        suite_end(s, refuse || str_eq(buf_view(&got), want), "got %s", buf_cstr(&got));
}

SUITE(yaml)
{
    const struct doc_node *deviations = suite_json(s, "libyaml-deviations.json");
    struct doc_iter it = doc_children(suite_json(s, "yaml-test-suite.json"));

    while (doc_next(&it)) {
        str id = doc_text(doc_get_lit(it.value, "id"), STR("?"));

        if (suite_begin(s, id))
            judge(s, it.value, doc_get(deviations, id));
    }
}
