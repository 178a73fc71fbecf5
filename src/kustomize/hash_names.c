#include "kustomize/hash.h"
#include "kustomize/transform.h"

/* Suffixes of other kinds are upstream's only as long as their trees are as they were read: KD-10.
 */
static void warn_dump(struct kustomize_build *b, const struct kustomize_resource *r)
{
    if (b->is_fixed || str_eq(r->id.gvk.kind, STR("ConfigMap")) ||
        str_eq(r->id.gvk.kind, STR("Secret")))
        return;
    kustomize_warn_at(b, r->set, r->root, "KD-10",
                      "KD-10: the suffix of %.*s \"%.*s\" depends on how its text is laid out; "
                      "--compat fixed hashes its content",
                      STR_ARG(r->id.gvk.kind), STR_ARG(r->id.name));
}

int kustomize_hash(struct kustomize_build *b, struct kustomize_resmap *m, struct err *e UNUSED)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        AUTO(buf_done) struct buf name = {0};

        if (!r->needs_hash)
            continue;
        warn_dump(b, r);
        buf_addf(&name, "%.*s-", STR_ARG(r->id.name));
        kustomize_hash_of(r->set, r->root, b->is_fixed, &name);
        kustomize_resmap_rename(m, r, buf_view(&name));
    }
    return 0;
}
