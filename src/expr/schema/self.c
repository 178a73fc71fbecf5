/* Schemas as values: judged by the metaschema of their draft. */
#include "doc/parse.h"
#include "expr/schema/schema_priv.h"

static struct schema *compile_metaschema(struct doc_set *set, str uri, enum schema_draft draft,
                                         struct err *e)
{
    struct schema_options options = {.draft = draft, .base = uri, .formats = SCHEMA_FORMATS_ALL};
    const struct doc_node *root = doc_parse_json_view(set, schema_metaschema(uri), "metaschema", e);

    return root ? schema_compile(root, &options, e) : NULL;
}

static int refuse(const struct schema *meta, const struct doc_node *root, str uri, str meta_uri,
                  struct err *e)
{
    AUTO(schema_problems_done) struct schema_problems found = {0};
    AUTO(buf_done) struct buf text = {0};
    bool is_valid;

    if (schema_check(meta, root, &found, &is_valid, e) < 0)
        return -1;
    schema_problems_print(&found, &text);
    return err_set(e, ERR_INVALID,
                   "\"%.*s#\" is not valid against metaschema: jsonschema validation failed with "
                   "'%.*s#'\n%.*s",
                   STR_ARG(uri), STR_ARG(meta_uri), (int)text.len - 1, buf_cstr(&text));
}

int schema_check_document(const struct resource *r, str uri, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;
    AUTO(schema_free) struct schema *meta = NULL;
    str name = doc_string(doc_get_lit(r->root, "$schema"), STR_NONE), meta_uri;
    enum schema_draft draft = r->draft;
    bool is_valid;

    if (name.len && !schema_draft_of(name, &draft))
        return 0;
    meta_uri = schema_draft_uri(draft);
    set = doc_set_new();
    meta = compile_metaschema(set, meta_uri, draft, e);
    if (!meta || schema_check(meta, r->root, NULL, &is_valid, e) < 0)
        return -1;
    return is_valid ? 0 : refuse(meta, r->root, uri, meta_uri, e);
}
