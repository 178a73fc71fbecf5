/* What client-side mode sends, and how objects move from it to the server's (helm spec 12.2,
 * 12.3). */
#include "chart/merge.h"
#include "chart/release/release_priv.h"
#include "doc/patch/merge.h"
#include "doc/patch/strategic.h"
#include "res/schema.h"

/* Takes null members out, or all others, at any depth of maps. */
static void keep_nulls(struct doc_node *patch, bool nulls)
{
    struct doc_iter it = doc_children(patch);

    while (doc_next(&it)) {
        bool is_null = doc_is_null(it.value);

        if (doc_is_map(it.value))
            keep_nulls(it.value, nulls);
        if (doc_is_map(it.value) ? !doc_len(it.value) && nulls : is_null != nulls)
            doc_remove(patch, it.key);
    }
}

/* What the target has and live has not, and the removal of what only the baseline had. */
static struct doc_node *merge_three_way(struct doc_set *set, const struct doc_node *baseline,
                                        const struct doc_node *target, const struct doc_node *live)
{
    struct doc_node *adds = doc_merge_patch_between(set, live, target);
    struct doc_node *removes =
        baseline ? doc_merge_patch_between(set, baseline, target) : doc_new_map(set);

    keep_nulls(adds, false);
    keep_nulls(removes, true);
    chart_merge_over(set, adds, removes);
    return adds;
}

struct doc_node *chart_patch_make(struct doc_set *set, const struct chart_object *o,
                                  const struct doc_node *baseline, const struct doc_node *live,
                                  bool three_way, enum kube_patch *ret_kind, struct err *e)
{
    const struct doc_schema *schema = res_kubernetes_schema();
    doc_shape shape = doc_schema_of(schema, o->node);

    if (shape && !str_eq(o->kind, STR("CustomResourceDefinition"))) {
        *ret_kind = KUBE_PATCH_STRATEGIC;
        return doc_strategic_three_way(set, baseline ? baseline : live, o->node, live, schema,
                                       shape, e);
    }
    *ret_kind = KUBE_PATCH_MERGE;
    if (three_way)
        return merge_three_way(set, baseline, o->node, live);
    return doc_merge_patch_between(set, baseline ? baseline : live, o->node);
}

/* ---- managed fields */

static bool is_entry(const struct doc_node *entry, const char *operation)
{
    return str_eq(doc_string(doc_get_lit(entry, "manager"), STR("")), CHART_MANAGER) &&
           str_eq(doc_string(doc_get_lit(entry, "operation"), STR("")), str_of(operation)) &&
           !doc_string(doc_get_lit(entry, "subresource"), STR("")).len;
}

static struct doc_node *find_entry(const struct doc_node *entries, const char *operation)
{
    struct doc_iter it = doc_children(entries);

    while (doc_next(&it))
        if (is_entry(it.value, operation))
            return it.value;
    return NULL;
}

/* The entries with all Update entries of ours put into one Apply entry. */
static struct doc_node *unite(struct doc_set *set, const struct doc_node *managed)
{
    struct doc_node *entries = doc_copy(set, managed), *update;
    struct doc_node *apply = find_entry(entries, "Apply");

    if (!apply) {
        apply = find_entry(entries, "Update");
        doc_set_string(set, apply, STR("operation"), STR("Apply"));
    }
    while ((update = find_entry(entries, "Update"))) {
        struct doc_node *fields = doc_ensure_map(set, apply, STR("fieldsV1"));

        if (fields)
            chart_merge_over(set, fields, doc_get_lit(update, "fieldsV1"));
        doc_remove_item(entries, update);
    }
    return entries;
}

static struct doc_node *replacement(struct doc_set *set, const char *path, struct doc_node *value)
{
    struct doc_node *operation = doc_new_map(set);

    doc_set_string(set, operation, STR("op"), STR("replace"));
    doc_set_string(set, operation, STR("path"), str_of(path));
    doc_set_field(set, operation, STR("value"), value);
    return operation;
}

struct doc_node *chart_migration_make(struct doc_set *set, const struct doc_node *live)
{
    const struct doc_node *managed = doc_at(live, "metadata/managedFields");
    struct doc_node *patch;
    str version = doc_text(doc_at(live, "metadata/resourceVersion"), STR(""));

    if (!find_entry(managed, "Update"))
        return NULL;
    patch = doc_new_list(set);
    doc_append(patch, replacement(set, "/metadata/managedFields", unite(set, managed)));
    /* so that somebody's change in between is a conflict */
    doc_append(patch, replacement(set, "/metadata/resourceVersion", doc_new_string(set, version)));
    return patch;
}
