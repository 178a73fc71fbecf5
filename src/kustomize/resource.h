/* A resource of a build: its tree, who it is now and who it was (kustomize spec 4).
 *
 * Everything a resource points to (tree, texts, histories) lives in its set; sets differ between
 * resources, since bases are read side by side. So a change of the tree is made with r->set, never
 * with another. One thread at a time. What upstream keeps in annotations below
 * internal.config.kubernetes.io/ is kept beside the tree here. */
#pragma once
#include "doc/node.h"
#include "res/id.h"

/* Where a resource or a transformer came from (spec 14). Paths are relative to the folder of the
 * root kustomization, or to repo when that is set. */
struct kustomize_origin {
    str path, repo, ref;
    str configured_in;                           /* file that holds the generator or transformer */
    str by_api_version, by_kind, by_name, by_ns; /* configuredBy; empty kind: none */
};

enum kustomize_behavior {
    KUSTOMIZE_BEHAVIOR_UNSET,
    KUSTOMIZE_BEHAVIOR_CREATE,
    KUSTOMIZE_BEHAVIOR_REPLACE,
    KUSTOMIZE_BEHAVIOR_MERGE,
};

/* Texts that grow in the set's arena. */
struct kustomize_texts {
    str *v;
    uint32_t len, cap;
};

struct kustomize_transformations {
    const struct kustomize_origin **v;
    uint32_t len, cap;
};

struct kustomize_resource {
    struct doc_node *root;
    struct doc_set *set;     /* owns root, everything below, and this struct */
    struct res_id id;        /* now; views into the tree, kept true by kustomize_resmap_refresh */
    str scope;               /* res_effective_ns(&id), kept with it */
    struct res_id *previous; /* oldest first: [0] is the original id; group and version are always
                                the current ones, as upstream's */
    uint32_t previous_count, previous_cap;
    struct kustomize_texts prefixes, suffixes; /* innermost first */

    bool had_odd_id;   /* a comma in a name or namespace, or no name: upstream keeps former ones
                          divided by commas, and fails then */
    bool is_traceless; /* it had an id that is not among the previous ones */
    bool needs_hash;
    bool allow_name_change, allow_kind_change; /* of the patch this object is */
    bool from_chart;                           /* namespace leaves it alone */
    bool is_finite;                            /* looked at when finished: no infinite number */
    bool is_cluster; /* by its CustomResourceDefinition, with --compat fixed (KD-7) */
    enum kustomize_behavior behavior;

    struct kustomize_origin origin;
    struct kustomize_transformations transformations;
    struct kustomize_leaf *leaf; /* what made it, and what is kept of it: incremental/; or NULL */
    struct kustomize_kept *kept;

    size_t at;         /* index in its resmap */
    bool is_removed;   /* from its resmap: looked at by nobody any more */
    uint32_t seen;     /* stamp of the resmap's searches */
    uint32_t *indexed; /* hashes under which its resmap knows it */
    uint32_t indexed_count, indexed_cap;
    enum {
        KUSTOMIZE_INDEXED,
        KUSTOMIZE_ADDED,  /* by its current id only */
        KUSTOMIZE_CHANGED /* by what it was before */
    } index_state;        /* its resmap's concern */
};

/* A resource around a tree of the set; the struct lives in the set's arena. The tree may lack
 * anything. */
struct kustomize_resource *kustomize_resource_new(struct doc_set *set, struct doc_node *root);
/* Deep copy into another set (or the same), history and marks included. */
struct kustomize_resource *kustomize_resource_copy(struct doc_set *set,
                                                   const struct kustomize_resource *r);
/* Where references look for it: its scope, unless it is cluster-scoped by a definition. */
static inline str kustomize_resource_home(const struct kustomize_resource *r)
{
    return r->is_cluster ? STR("_non_namespaceable_") : r->scope;
}
/* The id it was born with. */
static inline const struct res_id *kustomize_resource_original(const struct kustomize_resource *r)
{
    return r->previous_count ? &r->previous[0] : &r->id;
}
/* Is id (by res_id_eq, or without namespaces by res_gvkn_eq) the current or a previous one? */
bool kustomize_resource_had_id(const struct kustomize_resource *r, const struct res_id *id);
bool kustomize_resource_had_name(const struct kustomize_resource *r, str name);
/* ERR_INVALID when one of its names cannot be kept. */
int kustomize_resource_check_history(const struct kustomize_resource *r, struct err *e) MUST_CHECK;
/* Is the name a previous one? The current name does not count (spec 7, sieve 2). */
bool kustomize_resource_was_named(const struct kustomize_resource *r, str name);
/* Known to references, but not printed. */
bool kustomize_is_local_only(const struct kustomize_resource *r);
bool kustomize_resource_is_empty(const struct kustomize_resource *r);
/* Texts are copied into the set. */
void kustomize_resource_add_prefix(struct kustomize_resource *r, str prefix);
void kustomize_resource_add_suffix(struct kustomize_resource *r, str suffix);
/* Takes over the names a merged or replaced resource had: previous ids, prefixes, suffixes. */
void kustomize_resource_take_history(struct kustomize_resource *r,
                                     const struct kustomize_resource *from);
/* Makes metadata.annotations where upstream has some: for what is kept beside the tree here. The
 * output drops it when it stays empty. */
void kustomize_resource_ensure_annotations(struct kustomize_resource *r);
/* What becomes of a resource whose annotations are taken away as a whole, since upstream keeps
 * there where it came from (origin, transformations), and all the rest. */
void kustomize_resource_forget_origin(struct kustomize_resource *r);
void kustomize_resource_forget(struct kustomize_resource *r);
/* Says that a transformer was run over it; by lives as long as the build. */
void kustomize_resource_add_transformation(struct kustomize_resource *r,
                                           const struct kustomize_origin *by);
/* metadata.labels, metadata.annotations: NULL when absent or no map. */
struct doc_node *kustomize_resource_labels(const struct kustomize_resource *r);
struct doc_node *kustomize_resource_annotations(const struct kustomize_resource *r);

/* ---- for the resmap, which keeps its index true with them */
void kustomize_resource_read_id(struct kustomize_resource *r);
void kustomize_resource_remember(struct kustomize_resource *r);
/* False when the hash was noted before. */
bool kustomize_resource_note_index(struct kustomize_resource *r, uint32_t hash);
