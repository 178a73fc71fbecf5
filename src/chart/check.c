/* Schemas of charts (helm spec 5). References reach files of the chart alone: by their paths,
 * relative to the schema. */
#include "chart/render_priv.h"
#include "doc/parse.h"
#include "expr/schema/schema.h"
#include "http/url.h"

/* ---- files that a schema refers to */

struct schema_files {
    struct doc_set *set;
    const struct chart *c;
};

static const struct doc_node *load_file(void *ctx, str url, struct err *e)
{
    const struct schema_files *files = ctx;
    AUTO(buf_done) struct buf name = {0};

    if (!str_drop_prefix(&url, STR("file:///")) || !http_url_decode(url, &name))
        return NULL;
    for (size_t i = 0; i < files->c->file_count; i++) {
        const struct chart_file *f = &files->c->files[i];

        if (str_eq(f->name, buf_view(&name)))
            return doc_parse_json_flags(files->set, f->text, DOC_LAST_WINS, name.p, e);
    }
    return NULL;
}

/* ---- judging */

void chart_judge_schema(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                        struct buf *problems)
{
    struct schema_files files = {set, c};
    struct schema_options options = {.draft = SCHEMA_DRAFT_2020,
                                     .is_checked = true,
                                     .takes_doubles = true,
                                     .formats = SCHEMA_FORMATS_OF_OLD_DRAFTS,
                                     .base = STR("file:///values.schema.json"),
                                     .load = load_file,
                                     .ctx = &files};
    AUTO(schema_problems_done) struct schema_problems found = {0};
    AUTO(err_done) struct err bad = {0};
    const struct doc_node *root = doc_parse_json_flags(set, c->schema, DOC_LAST_WINS, "", &bad);
    AUTO(schema_free) struct schema *schema = root ? schema_compile(root, &options, &bad) : NULL;
    bool is_valid = false;

    if (!schema || schema_check(schema, values, &found, &is_valid, &bad) < 0)
        buf_add_cstr(problems, err_text(&bad));
    else if (!is_valid)
        schema_problems_print(&found, problems);
}

static void check(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                  struct buf *out)
{
    AUTO(buf_done) struct buf problems = {0};

    if (c->schema.p)
        chart_judge_schema(set, c, values, &problems);
    if (problems.len)
        buf_addf(out, "%.*s:\n%s", STR_ARG(c->name), buf_cstr(&problems));
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
