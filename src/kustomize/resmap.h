/* The ordered list of resources of a build, and its index (kustomize spec 4).
 *
 * Nothing walks all resources to find one: every id and name a resource has or had is in one hash
 * table, which only grows; what an entry says is checked when it is found. A rename is entered when
 * something is looked for next, so that a row of them costs what the resource's history costs once.
 * The map owns its vectors, not the resources (those live in their sets). One thread at a time:
 * even a search writes its stamp.
 *
 * Iterate with
 *     for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
 * which may append (new ones are met) and remove on the way. */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "kustomize/resource.h"

struct kustomize_index_entry {
    uint32_t hash, next; /* next: index + 1 of the next entry of the same slot */
    struct kustomize_resource *r;
};

struct kustomize_resmap {
    VEC(struct kustomize_resource *) list; /* NULL where one was removed */
    size_t removed;                        /* holes in it */
    /* To be entered before a search: new ones, which are known by their current id, and those that
     * are called otherwise now. What is in no list any more, or in another map, is passed over. */
    VEC(struct kustomize_resource *) added, changed;
    VEC(struct kustomize_index_entry) entries;
    uint32_t *slots; /* index + 1 into entries */
    uint32_t slot_count;
    uint32_t stamp;
    bool has_empty;     /* a refresh met a resource without content */
    bool has_new_names; /* a replacement or patch has named some: there may be twins */
};

/* What a search found, in order of the list. Borrowed resources; vec_done or
 * kustomize_found_done. */
struct kustomize_found {
    struct kustomize_resource **v;
    size_t len, cap;
};
static inline void kustomize_found_done(struct kustomize_found *f) { vec_done(f); }
AUTO_VALUE(struct kustomize_found, kustomize_found_done)

void kustomize_resmap_done(struct kustomize_resmap *m); /* leaves {0} */
AUTO_VALUE(struct kustomize_resmap, kustomize_resmap_done)
static inline size_t kustomize_resmap_len(const struct kustomize_resmap *m)
{
    return m->list.len - m->removed;
}
struct kustomize_resource *kustomize_resmap_next(const struct kustomize_resmap *m, size_t *at);

/* At the end. ERR_EXISTS "may not add resource with an already registered id:
 * ConfigMap.v1.[noGrp]/a.[noNs]" with the places of both. */
int kustomize_resmap_append(struct kustomize_resmap *m, struct kustomize_resource *r,
                            struct err *e) MUST_CHECK;
/* Everything of other, in order; other is empty afterwards, also on failure. */
int kustomize_resmap_append_all(struct kustomize_resmap *m, struct kustomize_resmap *other,
                                struct err *e) MUST_CHECK;
/* ERR_EXISTS as above when another resource has r's id, too. */
int kustomize_resmap_check_twin(struct kustomize_resmap *m, const struct kustomize_resource *r,
                                struct err *e) MUST_CHECK;
/* The same for all, where a replacement or patch has named some since the last time. */
int kustomize_resmap_check_twins(struct kustomize_resmap *m, struct err *e) MUST_CHECK;
void kustomize_resmap_remove(struct kustomize_resmap *m, struct kustomize_resource *r);
/* After a transformer: resources whose tree has no fields left are removed. Costs nothing when no
 * refresh met one. */
void kustomize_resmap_drop_empty(struct kustomize_resmap *m);
/* Closes the holes that removed resources have left: `at` of a resource is then its rank. */
void kustomize_resmap_close(struct kustomize_resmap *m);
/* Closes the holes and sorts by compare, stable. */
typedef int kustomize_compare_fn(const void *ctx, const struct kustomize_resource *a,
                                 const struct kustomize_resource *b);
void kustomize_resmap_sort(struct kustomize_resmap *m, kustomize_compare_fn *compare,
                           const void *ctx);

/* ---- changing who a resource is */

/* Pushes the current id onto the history (upstream's StorePreviousId): before a change that
 * references must follow. Also when the id is to stay the same: being renamed makes a resource a
 * candidate for references. */
void kustomize_resmap_remember(struct kustomize_resmap *m, struct kustomize_resource *r);
/* After any change of apiVersion, kind, metadata.name, metadata.namespace in the tree, or of the
 * whole tree (also when r->root was replaced): reads the id again and updates the index. */
void kustomize_resmap_refresh(struct kustomize_resmap *m, struct kustomize_resource *r);
/* Its CustomResourceDefinition says that it is cluster-scoped (KD-7): references find it from
 * everywhere. */
void kustomize_resmap_mark_cluster(struct kustomize_resmap *m, struct kustomize_resource *r);
/* remember, write the tree, refresh. The text is copied; an empty one removes the field. */
void kustomize_resmap_rename(struct kustomize_resmap *m, struct kustomize_resource *r, str name);

/* ---- finding; ret is cleared first */

/* Those whose current id equals (res_id_eq: no namespace is "default"). */
void kustomize_resmap_by_current_id(struct kustomize_resmap *m, const struct res_id *id,
                                    struct kustomize_found *ret);
/* Those that have or had it. */
void kustomize_resmap_by_any_id(struct kustomize_resmap *m, const struct res_id *id,
                                struct kustomize_found *ret);
/* The only one that has or had the id (upstream's GetById). ERR_NOT_FOUND "no matches for Id ID;
 * failed to find unique target for patch GVK/NAME"; ERR_CONFLICT "multiple matches for Id ID; …".
 */
struct kustomize_resource *kustomize_resmap_get(struct kustomize_resmap *m, const struct res_id *id,
                                                struct err *e);
/* Those that have or had the name. */
void kustomize_resmap_by_name(struct kustomize_resmap *m, str name, struct kustomize_found *ret);
/* The same of those whose current effective namespace (res_effective_ns) is scope: "default",
 * "_non_namespaceable_" for cluster-scoped ones. */
void kustomize_resmap_by_name_in(struct kustomize_resmap *m, str name, str scope,
                                 struct kustomize_found *ret);
/* Those whose current kind it is. */
void kustomize_resmap_by_kind(struct kustomize_resmap *m, str kind, struct kustomize_found *ret);
