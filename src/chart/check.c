/* Schemas of charts (helm spec 5). References reach files of the chart alone: there is none to load
 * but the schema itself. */
#include "chart/render_priv.h"
#include "doc/parse.h"
#include "expr/schema/schema.h"

static int judge(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                 struct buf *out)
{
    static const struct schema_options options = {.draft = SCHEMA_DRAFT_2020,
                                                  .base = STR_INIT("file:///values.schema.json")};
    AUTO(schema_problems_done) struct schema_problems problems = {0};
    AUTO(err_done) struct err bad = {0};
    const struct doc_node *root = doc_parse_json_flags(set, c->schema, DOC_LAST_WINS, "", &bad);
    AUTO(schema_free) struct schema *schema = root ? schema_compile(root, &options, &bad) : NULL;
    bool is_valid = false;

    if (!schema || schema_check(schema, values, &problems, &is_valid, &bad) < 0)
        buf_addf(out, "%.*s:\n%s\n", STR_ARG(c->name), err_text(&bad));
    else if (!is_valid) {
        buf_addf(out, "%.*s:\n", STR_ARG(c->name));
        schema_problems_print(&problems, out);
        if (out->len && out->p[out->len - 1] != '\n')
            buf_add_char(out, '\n');
    }
    return 0;
}

static void check(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                  struct buf *out)
{
    if (c->schema.p)
        judge(set, c, values, out);
    for (size_t i = 0; i < c->child_count; i++) {
        const struct doc_node *below = doc_get(values, c->children[i]->name);

        if (doc_is_map(below))
            check(set, c->children[i], below, out);
    }
}

int chart_check_schemas(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                        struct err *e)
{
    AUTO(buf_done) struct buf problems = {0};

    check(set, c, values, &problems);
    return problems.len ? err_set(e, ERR_INVALID,
                                  "values don't meet the specifications of the schema(s) in the "
                                  "following chart(s):\n%s",
                                  buf_cstr(&problems))
                        : 0;
}
