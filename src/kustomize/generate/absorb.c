#include "kustomize/generate/data.h"
#include "kustomize/transform.h"
#include "res/scalar.h"

/* ---- maps of texts, as upstream reads them: scalars by their text, everything else as "" */

/* The entries of from that to lacks. A null is empty, or among labels and annotations the word it
 * is written with. */
static void merge_texts(struct doc_set *set, struct doc_node *to, const struct doc_set *from_set,
                        const struct doc_node *from, bool nulls_are_words)
{
    struct doc_iter it = doc_children(doc_is_map(from) ? from : NULL);

    while (doc_next(&it)) {
        bool is_empty = doc_is_null(it.value) && !nulls_are_words;
        str text = is_empty ? STR("") : res_scalar_text(from_set, it.value);

        if (doc_get(to, it.key))
            continue;
        if (nulls_are_words)
            doc_set_string(set, to, it.key, text);
        else
            kustomize_set_data(set, to, it.key, text);
    }
}

static void merge_metadata(struct kustomize_resource *r, const struct kustomize_resource *old,
                           const char *name)
{
    struct doc_node *metadata = doc_ensure_map(r->set, r->root, STR("metadata"));
    const struct doc_node *from = doc_get(doc_get_lit(old->root, "metadata"), str_of(name));

    if (doc_len(from))
        merge_texts(r->set, doc_ensure_map(r->set, metadata, str_of(name)), old->set, from, true);
}

/* The texts of an old Secret's stringData count as data, before those that stand there. */
static void merge_string_data(struct kustomize_resource *r, struct doc_node *data,
                              const struct kustomize_resource *old)
{
    struct doc_iter it = doc_children(doc_get_lit(old->root, "stringData"));

    while (str_eq(r->id.gvk.kind, STR("Secret")) && doc_next(&it)) {
        AUTO(buf_done) struct buf text = {0};

        if (doc_get(data, it.key))
            continue;
        kustomize_base64(doc_is_null(it.value) ? STR("") : res_scalar_text(old->set, it.value),
                         &text);
        kustomize_set_data(r->set, data, it.key, buf_view(&text));
    }
}

static void merge_data(struct kustomize_resource *r, const struct kustomize_resource *old)
{
    static const char names[][11] = {"data", "binaryData"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct doc_node *to = doc_ensure_map(r->set, r->root, str_of(names[i]));

        if (!to)
            continue;
        if (i == 0)
            merge_string_data(r, to, old);
        merge_texts(r->set, to, old->set, doc_get(old->root, str_of(names[i])), false);
        if (!doc_len(to))
            doc_remove(r->root, str_of(names[i]));
    }
}

/* ---- absorbing */

static int fail(struct kustomize_build *b, const struct kustomize_resource *r, const char *what,
                struct err *e)
{
    AUTO(buf_done) struct buf id = {0};

    res_id_print(&r->id, &id);
    err_set(e, ERR_EXISTS, "merging from generator: id %s %s", buf_cstr(&id), what);
    return kustomize_fail_at(b, NULL, e);
}

/* Upstream finds it by any id it had, and then looks for the merged one by name and kind. */
static int fail_to_replace(struct kustomize_build *b, const struct kustomize_resource *old,
                           const struct kustomize_resource *r, struct err *e)
{
    AUTO(buf_done) struct buf id = {0};
    struct res_id merged = old->id;

    merged.gvk = r->id.gvk;
    res_id_print(&merged, &id);
    err_set(e, ERR_NOT_FOUND,
            "merging from generator: cannot find resource with id %s to replace: it is a %.*s now",
            buf_cstr(&id), STR_ARG(old->id.gvk.kind));
    return kustomize_fail_at(b, NULL, e);
}

/* The old resource goes on with the new one's tree: what points to it, and its history, stay. */
static void take_tree(struct kustomize_resmap *m, struct kustomize_resource *old,
                      struct kustomize_resource *r)
{
    struct doc_node *metadata = doc_ensure_map(r->set, r->root, STR("metadata"));

    /* upstream sets these without a type */
    res_scalar_put_loose(r->set, metadata, STR("name"), old->id.name);
    if (old->id.ns.len)
        res_scalar_put_loose(r->set, metadata, STR("namespace"), old->id.ns);
    else
        doc_remove(metadata, STR("namespace"));
    old->root = r->root;
    old->set = r->set;
    old->needs_hash = old->needs_hash && r->needs_hash; /* upstream's: both have to want it */
    old->behavior = r->behavior;
    kustomize_resmap_refresh(m, old);
}

static int merge_into(struct kustomize_build *b, struct kustomize_resmap *m,
                      struct kustomize_resource *old, struct kustomize_resource *r, struct err *e)
{
    if (r->behavior != KUSTOMIZE_BEHAVIOR_MERGE && r->behavior != KUSTOMIZE_BEHAVIOR_REPLACE)
        return fail(b, r, "exists; behavior must be merge or replace", e);
    if (!res_gvk_eq(&old->id.gvk, &r->id.gvk))
        return fail_to_replace(b, old, r, e);
    merge_metadata(r, old, "labels");
    merge_metadata(r, old, "annotations");
    if (r->behavior == KUSTOMIZE_BEHAVIOR_MERGE)
        merge_data(r, old);
    else
        old->origin = r->origin;
    take_tree(m, old, r);
    return 0;
}

static int absorb(struct kustomize_build *b, struct kustomize_resmap *m,
                  struct kustomize_resource *r, struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    bool has_to_be_there =
        r->behavior == KUSTOMIZE_BEHAVIOR_MERGE || r->behavior == KUSTOMIZE_BEHAVIOR_REPLACE;

    kustomize_resmap_by_any_id(m, &r->id, &found);
    if (found.len > 1)
        return fail(b, r, "was found more than once: several objects could accept the merge", e);
    if (found.len)
        return merge_into(b, m, found.v[0], r, e);
    return has_to_be_there ? fail(b, r, "does not exist; cannot merge or replace", e)
                           : kustomize_resmap_append(m, r, e);
}

int kustomize_absorb(struct kustomize_build *b, struct kustomize_resmap *m,
                     struct kustomize_resmap *generated, struct err *e)
{
    VEC(struct kustomize_resource *) all = {0};
    struct kustomize_resource *r;
    int rc = 0;

    for (size_t at = 0; (r = kustomize_resmap_next(generated, &at));)
        vec_push(&all, r);
    for (size_t i = 0; i < all.len && rc == 0; i++) {
        kustomize_resmap_remove(generated, all.v[i]); /* before it enters the other list */
        rc = absorb(b, m, all.v[i], e);
    }
    vec_done(&all);
    kustomize_resmap_done(generated);
    return rc;
}
