#include "kustomize/generate/hash.h"
#include "kustomize/transform.h"

/* Suffixes of other kinds are upstream's only as long as their trees are as they were read: KD-10.
 */
static void warn_dump(struct kustomize_build *b, const struct kustomize_resource *r)
{
    if (b->is_fixed || kustomize_hash_is_of_data(r->root))
        return;
    kustomize_warn_at(b, r->set, r->root, "KD-10",
                      "KD-10: the suffix of %.*s \"%.*s\" depends on how its text is laid out; "
                      "--compat fixed hashes its content",
                      STR_ARG(r->id.gvk.kind), STR_ARG(r->id.name));
}

static void drop_mark(struct kustomize_resource *r)
{
    struct doc_node *annotations = kustomize_resource_annotations(r);

    if (!doc_get_lit(annotations, KUSTOMIZE_NEEDS_HASH))
        return;
    doc_remove(annotations, STR(KUSTOMIZE_NEEDS_HASH));
    if (doc_len(annotations) == 0)
        doc_remove(doc_get_lit(r->root, "metadata"), STR("annotations"));
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
        if (b->is_fixed)
            drop_mark(r);
        kustomize_hash_of(r->set, r->root, b->is_fixed, &name);
        drop_mark(r);
        kustomize_resmap_rename(m, r, buf_view(&name));
    }
    return 0;
}
