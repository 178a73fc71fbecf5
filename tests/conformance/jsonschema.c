#include "conformance/suite.h"
#include "expr/schema/schema.h"

static const struct {
    const char *file, *name;
    enum schema_draft draft;
} drafts[] = {
    {"draft4.json", "draft4", SCHEMA_DRAFT_4},
    {"draft6.json", "draft6", SCHEMA_DRAFT_6},
    {"draft7.json", "draft7", SCHEMA_DRAFT_7},
    {"draft2019-09.json", "draft2019-09", SCHEMA_DRAFT_2019},
    {"draft2020-12.json", "draft2020-12", SCHEMA_DRAFT_2020},
};

static const struct doc_node *load(void *remotes, str url, struct err *e)
{
    (void)e;
    return doc_get(remotes, url);
}

static void run_group(struct suite *s, const char *draft, const struct schema_options *options,
                      const struct doc_node *group)
{
    AUTO(err_done) struct err bad = {0};
    AUTO(schema_free) struct schema *schema = NULL;
    struct doc_iter it = doc_children(doc_get_lit(group, "tests"));
    bool is_compiled = false;

    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};
        bool is_valid = false, want = doc_bool(doc_get_lit(it.value, "valid"), false);
        str file = doc_string(doc_get_lit(group, "file"), STR_NONE);
        str of = doc_string(doc_get_lit(group, "description"), STR_NONE);
        str id = arena_printf(&suite_set(s)->arena, "%s/%.*s/%.*s/%.*s", draft, STR_ARG(file),
                              STR_ARG(of),
                              STR_ARG(doc_string(doc_get_lit(it.value, "description"), STR_NONE)));

        if (!suite_begin(s, id))
            continue;
        if (!is_compiled)
            schema = schema_compile(doc_get_lit(group, "schema"), options, &bad);
        is_compiled = true;
        if (!schema)
            suite_end(s, false, "not compiled: %s", err_text(&bad));
        else if (schema_check(schema, doc_get_lit(it.value, "data"), NULL, &is_valid, &e) < 0)
            suite_end(s, false, "%s", err_text(&e));
        else
            suite_end(s, is_valid == want, "called %s", is_valid ? "valid" : "invalid");
    }
}

SUITE(jsonschema)
{
    struct doc_node *remotes = suite_json(s, "remotes.json");

    for (size_t i = 0; i < ARRAY_LEN(drafts); i++) {
        struct schema_options options = {.draft = drafts[i].draft, .load = load, .ctx = remotes};
        struct doc_iter it = doc_children(suite_json(s, drafts[i].file));

        while (doc_next(&it))
            run_group(s, drafts[i].name, &options, it.value);
    }
}
