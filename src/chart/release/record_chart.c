/* The chart inside a release record (helm spec 9.2): what later operations start from. */
#include "base/escape.h"
#include "chart/merge.h"
#include "chart/release/record.h"
#include "doc/emit.h"

static int add_file(struct doc_set *set, str name, str base64, struct chart_files *ret,
                    struct err *e)
{
    AUTO(buf_done) struct buf bytes = {0};

    if (!unescape_base64(base64, &bytes))
        return err_set(e, ERR_INVALID, "release record: %.*s is no base64", STR_ARG(name));
    vec_push(ret,
             {arena_dup(&set->arena, name), arena_dup(&set->arena, buf_view(&bytes)), 0, NULL});
    return 0;
}

static int add_files(struct doc_set *set, const struct doc_node *list, struct chart_files *ret,
                     struct err *e)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (add_file(set, doc_string(doc_get_lit(it.value, "name"), STR("")),
                     doc_string(doc_get_lit(it.value, "data"), STR("")), ret, e) < 0)
            return -1;
    return 0;
}

/* Chart.yaml without its dependencies: records hold no subcharts. */
static void add_metadata(const struct chart_record *r, struct doc_set *set, struct chart_files *ret)
{
    struct doc_node *metadata = doc_copy(set, chart_record_metadata(r));
    AUTO(buf_done) struct buf text = {0};

    doc_remove(metadata, STR("dependencies"));
    doc_emit_json(metadata, 0, &text);
    vec_push(ret, {STR("Chart.yaml"), arena_dup(&set->arena, buf_view(&text)), 0, NULL});
}

struct chart *chart_record_chart(const struct chart_record *r, struct doc_set *set, struct err *e)
{
    AUTO(chart_files_done) struct chart_files files = {0};
    const struct doc_node *stored = doc_get_lit(r->root, "chart");
    const struct doc_node *values = doc_get_lit(stored, "values");
    str schema = doc_string(doc_get_lit(stored, "schema"), STR(""));
    struct chart *c;

    if (!chart_record_metadata(r)) {
        err_set(e, ERR_INVALID, "release record: it has no chart");
        return NULL;
    }
    add_metadata(r, set, &files);
    if (add_files(set, doc_get_lit(stored, "templates"), &files, e) < 0 ||
        add_files(set, doc_get_lit(stored, "files"), &files, e) < 0 ||
        (schema.len && add_file(set, STR("values.schema.json"), schema, &files, e) < 0))
        return NULL;
    c = chart_from_files(set, &files, e);
    if (c && doc_is_map(values))
        c->values = doc_copy(set, values);
    return c;
}

struct doc_node *chart_record_values(const struct chart_record *r, struct doc_set *set,
                                     struct err *e)
{
    struct doc_node *values = doc_at(r->root, "chart/values"), *none = doc_new_map(set);
    const struct doc_node *config = chart_record_config(r);
    struct chart c = {.name = chart_record_chart_name(r),
                      .values = doc_is_map(values) ? values : none};

    return chart_coalesce(set, &c, config ? config : none, false, e);
}
