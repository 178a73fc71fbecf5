#include "kustomize/compare.h"

#include "base/map.h"
#include "doc/diff.h"

enum { CONTEXT = 3 };

/* A value that both sides share shows as stars; one that differs says so. Neither is shown. */
static void mask_block(struct kustomize_resource *r, const struct doc_node *other, str block,
                       const char *changed)
{
    struct doc_iter it = doc_children(doc_get(r->root, block));

    while (doc_next(&it)) {
        const struct doc_node *value = doc_get(doc_get(other, block), it.key);
        const char *shown = value && doc_equal(value, it.value) ? "***" : changed;

        doc_replace(it.value, doc_new_string(r->set, str_of(shown)));
    }
}

static void mask(struct kustomize_resource *from, struct kustomize_resource *to)
{
    static const char blocks[][11] = {"data", "stringData"};
    struct kustomize_resource *any = to ? to : from;
    struct doc_node *was = from ? doc_copy(from->set, from->root) : NULL;

    if (!str_eq(any->id.gvk.kind, STR("Secret")))
        return;
    for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
        if (from)
            mask_block(from, to ? to->root : NULL, str_of(blocks[i]), "*** (before)");
        if (to)
            mask_block(to, was, str_of(blocks[i]), "*** (after)");
    }
}

/* ---- which of the other build's resources it is */

struct pairs {
    struct kustomize_result *from;
    struct map taken; /* bytes of an address -> the resource */
};

static bool is_taken(const struct pairs *p, struct kustomize_resource *r)
{
    return map_has(&p->taken, (str){(const char *)&r, sizeof r});
}

/* The only one left of its kind that has or had the name. */
static struct kustomize_resource *by_name(const struct pairs *p, const struct kustomize_resource *r,
                                          str name)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    struct kustomize_resource *only = NULL;

    kustomize_resmap_by_name(&p->from->resources, name, &found);
    for (size_t i = 0; i < found.len; i++) {
        const struct res_gvk *gvk = &found.v[i]->id.gvk;

        if (!str_eq(gvk->kind, r->id.gvk.kind) || !str_eq(gvk->group, r->id.gvk.group) ||
            is_taken(p, found.v[i]))
            continue;
        if (only)
            return NULL;
        only = found.v[i];
    }
    return only;
}

/* By its id; else, in another namespace or with another hash, by its names, the newest first. */
static struct kustomize_resource *partner(const struct pairs *p, const struct kustomize_resource *r)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    struct kustomize_resource *other;

    kustomize_resmap_by_current_id(&p->from->resources, &r->id, &found);
    if (found.len)
        return is_taken(p, found.v[0]) ? NULL : found.v[0];
    other = by_name(p, r, r->id.name);
    for (size_t i = r->previous_count; !other && i-- > 0;)
        other = by_name(p, r, r->previous[i].name);
    return other;
}

static int compare_pair(struct kustomize_resource *from, struct kustomize_resource *to,
                        struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf was = {0}, is = {0}, label = {0}, new_label = {0};

    res_id_print(&(from ? from : to)->id, &label);
    res_id_print(&(to ? to : from)->id, &new_label);
    mask(from, to);
    if ((from && kustomize_resource_print(from, &was, e) < 0) ||
        (to && kustomize_resource_print(to, &is, e) < 0))
        return -1;
    doc_diff_unified(buf_view(&was), buf_view(&is), from ? buf_cstr(&label) : "/dev/null",
                     to ? buf_cstr(&new_label) : "/dev/null", CONTEXT, out);
    return 0;
}

int kustomize_compare(struct kustomize_result *from, struct kustomize_result *to, struct buf *out,
                      bool *ret_same, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    struct pairs pairs = {.from = from};
    struct kustomize_resource *r, *other;
    size_t before = out->len;
    int rc = 0;

    for (size_t at = 0; rc == 0 && (r = kustomize_resmap_next(&to->resources, &at));) {
        other = partner(&pairs, r);
        if (other)
            map_put(&pairs.taken, arena_dup(&arena, (str){(const char *)&other, sizeof other}),
                    other);
        rc = compare_pair(other, r, out, e);
    }
    for (size_t at = 0; rc == 0 && (r = kustomize_resmap_next(&from->resources, &at));)
        if (!is_taken(&pairs, r))
            rc = compare_pair(r, NULL, out, e);
    map_done(&pairs.taken);
    *ret_same = out->len == before;
    return rc;
}
