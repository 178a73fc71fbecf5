#include "khook/difference.h"

#include "doc/diff.h"
#include "doc/emit.h"
#include "khook/object.h"

static const struct doc_node *data_of(const struct kube_object *o, str block, str key)
{
    return doc_get(doc_get(doc_get_lit(o->root, "kind") ? o->root : NULL, block), key);
}

/* Masks every value of a Secret; one that differs from its counterpart says so. */
static void mask_block(struct kube_object *o, const struct kube_object *other, str block,
                       const char *changed)
{
    struct doc_iter it = doc_children(doc_get(o->root, block));

    while (doc_next(&it)) {
        const struct doc_node *counterpart = other ? data_of(other, block, it.key) : NULL;
        bool same = counterpart && doc_equal(it.value, counterpart);

        doc_set_string(o->set, doc_get(o->root, block), it.key,
                       same ? STR("***") : str_of(changed));
    }
}

static void tidy(struct kube_object *o)
{
    doc_remove(doc_get_lit(o->root, "metadata"), STR("managedFields"));
}

/* Both sides are compared before either is masked, so the planned side is judged against a copy. */
static void mask_secret(struct kube_object *live, struct kube_object *planned)
{
    static const str blocks[] = {STR_INIT("data"), STR_INIT("stringData")};
    struct kube_object before = {.set = doc_set_new()};

    before.root = live->root ? doc_copy(before.set, live->root) : NULL;
    for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
        if (live->root)
            mask_block(live, planned, blocks[i], "*** (before)");
        mask_block(planned, before.root ? &before : NULL, blocks[i], "*** (after)");
    }
    kube_object_done(&before);
}

const struct khook_sides khook_live_and_planned = {"live", "planned"};

void khook_difference(const struct khook_sides *sides, const struct kube_ref *ref,
                      struct kube_object *live, struct kube_object *planned, struct buf *out)
{
    AUTO(buf_done) struct buf id = {0}, from = {0}, to = {0}, label_from = {0}, label_to = {0};

    tidy(live);
    tidy(planned);
    if (str_eq(ref->type->kind, STR("Secret")) && ref->type->group.len == 0)
        mask_secret(live, planned);
    khook_object_id(ref->type->kind, ref->name, ref->ns, &id);
    buf_addf(&label_from, "%s/%s", sides->from, buf_cstr(&id));
    buf_addf(&label_to, "%s/%s", sides->to, buf_cstr(&id));
    if (live->root)
        doc_emit(live->root, DOC_EMIT_SORTED, &from);
    if (planned->root)
        doc_emit(planned->root, DOC_EMIT_SORTED, &to);
    doc_diff_unified(buf_view(&from), buf_view(&to), buf_cstr(&label_from), buf_cstr(&label_to), 3,
                     out);
}
