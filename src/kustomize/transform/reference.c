#include "kustomize/config/fieldtree.h"
#include "kustomize/transform.h"
#include "kustomize/transform/fields.h"
#include "kustomize/transform/reference_priv.h"
#include "res/scalar.h"

/* One referrer after another: the tree of its kind leads to the fields that hold names, and the
 * list's index from a name to those who bore it. So the cost is that of the references, not that
 * of the resources times anything. */

static str kind_key(const struct res_gvk *gvk, struct buf *out)
{
    buf_clear(out);
    buf_add_str(out, gvk->kind);
    buf_add_char(out, '|');
    buf_add_str(out, gvk->version);
    buf_add_char(out, '|');
    buf_add_str(out, gvk->group);
    return buf_view(out);
}

/* The fields of a kind that refer to others; the tag of a leaf is the kind referred to. */
static const struct kustomize_field_tree *tree_of(struct kustomize_fixer *f,
                                                  const struct res_gvk *gvk)
{
    str key = kind_key(gvk, &f->key);
    struct kustomize_field_tree *tree = map_get(&f->trees, key);

    if (tree)
        return tree;
    tree = kustomize_config_refs_tree(f->b->config, gvk, &f->arena);
    map_put(&f->trees, arena_dup(&f->arena, key), tree);
    return tree;
}

/* ---- setting */

static int fix_scalar(struct kustomize_fixer *f, struct doc_node *n)
{
    struct kustomize_resource *referral;
    str name = res_scalar_text(f->referrer->set, n);

    if (kustomize_fixer_select(f, name, NULL, &referral) < 0)
        return -1;
    if (!referral || str_eq(referral->id.name, name))
        return 0;
    return kustomize_set_scalar(f->referrer->set, n, referral->id.name, f->e);
}

static int fix_map(struct kustomize_fixer *f, struct doc_node *n)
{
    struct doc_set *set = f->referrer->set;
    struct doc_node *name = doc_get_lit(n, "name"), *ns = doc_get_lit(n, "namespace");
    struct kustomize_resource *referral;

    if (!name)
        return err_set(f->e, ERR_INVALID, "path config error; no 'name' field in node");
    if (kustomize_fixer_select(f, res_scalar_text(set, name), n, &referral) < 0)
        return -1;
    if (!referral)
        return 0;
    if (kustomize_set_scalar(set, name, referral->id.name, f->e) < 0)
        return -1;
    if (!referral->id.ns.len)
        return 0;
    if (ns)
        return kustomize_set_scalar(set, ns, referral->id.ns, f->e);
    res_scalar_put_loose(set, n, STR("namespace"), referral->id.ns);
    return 0;
}

static int fix_list(struct kustomize_fixer *f, struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it)) {
        if (doc_is_null(it.value))
            continue;
        if (doc_is_list(it.value))
            return err_set(f->e, ERR_INVALID,
                           "a list in a list: expected a name, or a map with one");
        if ((doc_is_map(it.value) ? fix_map : fix_scalar)(f, it.value) < 0)
            return -1;
    }
    return 0;
}

/* Wraps with the field's place. */
static int fail_at(struct kustomize_fixer *f, const struct doc_node *n)
{
    struct doc_place place = doc_place(f->referrer->set, n);

    if (place.line)
        f->place = place;
    return -1;
}

static int fix_field(void *ctx, struct doc_node *n, const struct kustomize_field_leaf *leaves,
                     struct err *e)
{
    struct kustomize_fixer *f = ctx;

    f->e = e;
    for (; leaves && !doc_is_null(n); leaves = leaves->next) {
        int rc;

        f->path = leaves->path;
        f->target = *(const struct res_gvk *)leaves->tag;
        kustomize_fixer_mend_target(f, n);
        rc = doc_is_map(n) ? fix_map(f, n) : doc_is_list(n) ? fix_list(f, n) : fix_scalar(f, n);
        if (rc < 0)
            return fail_at(f, n);
    }
    return 0;
}

static int fail_placed(struct kustomize_fixer *f, struct err *e)
{
    if (!f->place.line)
        f->place = doc_place(f->referrer->set, f->referrer->root);
    return f->place.line
               ? err_wrap(e, "%.*s:%u:%u", STR_ARG(f->place.origin), f->place.line, f->place.column)
               : -1;
}

static int fail_referrer(struct kustomize_fixer *f, str path, struct err *e)
{
    AUTO(buf_done) struct buf id = {0};

    res_id_print(&f->referrer->id, &id);
    err_wrap(e,
             "updating name reference in '%.*s' field of '%s': considering field '%.*s' of "
             "object %s",
             STR_ARG(path), buf_cstr(&id), STR_ARG(path), buf_cstr(&id));
    if (!f->place.line)
        f->place = doc_place(f->referrer->set, f->referrer->root);
    return f->place.line
               ? err_wrap(e, "%.*s:%u:%u", STR_ARG(f->place.origin), f->place.line, f->place.column)
               : -1;
}

static bool has_former_names(const struct kustomize_resmap *m)
{
    const struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (r->previous_count)
            return true;
    return false;
}

static int fix_referrer(struct kustomize_fixer *f, struct kustomize_resource *r, struct err *e)
{
    const struct kustomize_field_tree *tree = tree_of(f, &kustomize_resource_original(r)->gvk);
    str path;

    if (kustomize_field_tree_is_empty(tree))
        return 0;
    f->e = e;
    if (kustomize_fixer_begin(f, r) < 0)
        return fail_placed(f, e);
    return kustomize_field_tree_visit(tree, r->root, fix_field, f, &path, e) < 0
               ? fail_referrer(f, path, e)
               : 0;
}

int kustomize_name_references_among(struct kustomize_build *b, struct kustomize_resmap *m,
                                    struct kustomize_resmap *referrals, struct err *e)
{
    AUTO(kustomize_fixer_done)
    struct kustomize_fixer f = {
        .b = b, .m = referrals, .e = e, .has_former = has_former_names(referrals)};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (kustomize_resource_check_history(r, e) < 0 || fix_referrer(&f, r, e) < 0)
            return -1;
    return 0;
}

int kustomize_name_references(struct kustomize_build *b, struct kustomize_resmap *m, struct err *e)
{
    return kustomize_name_references_among(b, m, m, e);
}
