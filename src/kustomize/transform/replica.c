#include "kustomize/incremental/plan.h"
#include "kustomize/transform/fields.h"

/* replicas (kustomize spec 11). */
static int set_count(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    const struct kustomize_replica *replica = ctx;
    AUTO(buf_done) struct buf text = {0};
    bool is_quoted = doc_is_string(field) && field->style != DOC_PLAIN;
    struct doc_node *count;

    buf_addf(&text, "%lld", (long long)replica->count);
    if (kustomize_set_scalar(set, field, buf_view(&text), e) < 0)
        return -1;
    /* Whatever was there, but quotes stay: a text "2" becomes the text "3" upstream. */
    count = is_quoted ? doc_new_string(set, buf_view(&text)) : doc_new_int(set, replica->count);
    count->style = is_quoted ? DOC_DOUBLE : DOC_PLAIN;
    doc_replace(field, count);
    return 0;
}

/* Has or had the resource the name, as a kind that the spec selects? */
static bool is_meant(const struct kustomize_resource *r, str name,
                     const struct res_field_spec *spec)
{
    if (str_eq(r->id.name, name) && res_gvk_selected(&r->id.gvk, &spec->gvk))
        return true;
    for (size_t i = 0; i < r->previous_count; i++)
        if (str_eq(r->previous[i].name, name) && res_gvk_selected(&r->previous[i].gvk, &spec->gvk))
            return true;
    return false;
}

/* Of the names that resources of these kinds have. */
static str nearest_name(struct kustomize_resmap *m, str name, const struct kustomize_specs *specs)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        for (size_t i = 0; i < specs->len; i++)
            if (res_gvk_selected(&r->id.gvk, &specs->v[i].gvk))
                vec_push(&names, kustomize_resource_original(r)->name);
    return diag_nearest(name, names.v, names.len);
}

static int not_found(const struct kustomize_replica *replica, const struct kustomize_specs *specs,
                     struct err *e)
{
    AUTO(buf_done) struct buf kinds = {0};

    for (size_t i = 0; i < specs->len; i++) {
        if (i)
            buf_add_char(&kinds, ' ');
        res_gvk_print(&specs->v[i].gvk, &kinds);
    }
    return err_set(e, ERR_NOT_FOUND,
                   "resource with name %.*s does not match a config with the following GVK [%s]",
                   STR_ARG(replica->name), buf_cstr(&kinds));
}

int kustomize_replica(struct kustomize_build *b, struct kustomize_resmap *m,
                      const struct kustomize_replica *replica, const struct kustomize_specs *specs,
                      struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0}, meant = {0};

    kustomize_resmap_by_name(m, replica->name, &found);
    for (size_t i = 0; i < specs->len; i++)
        for (size_t j = 0; j < found.len; j++) {
            struct kustomize_resource *r = found.v[j];

            if (!is_meant(r, replica->name, &specs->v[i]))
                continue;
            vec_push(&meant, r);
            if (res_field_spec_visit(r->set, r->root, &specs->v[i], DOC_NUMBER, set_count,
                                     (void *)replica, e) < 0)
                return kustomize_fail_at(b, replica->node, e);
        }
    if (kustomize_plan_is_elsewhere(b, meant.v, meant.len) || meant.len)
        return 0;
    (void)not_found(replica, specs, e);
    kustomize_suggest(e, nearest_name(m, replica->name, specs));
    return kustomize_fail_at(b, replica->node, e);
}
