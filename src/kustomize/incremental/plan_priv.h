/* The notes of a build and what is kept of its resources: for the files that build by parts. */
#pragma once
#include "kustomize/incremental/kept.h"
#include "kustomize/incremental/plan.h"

struct kustomize_plan_file {
    char *path; /* absolute, clean; owned */
    uint32_t hash;
    bool is_checked; /* see kustomize_plan_check */
};
struct kustomize_plan_files {
    struct kustomize_plan_file *v;
    size_t len, cap;
    uint64_t bits; /* a bit for each file, by its hash: most lists need no closer look */
    bool has_new;  /* files that are not checked */
};
static inline uint64_t kustomize_plan_bit(uint32_t hash) { return (uint64_t)1 << (hash & 63); }

/* An entry of a level: of resources, a generator, a component, in the order in which they are made.
 * A dirty one is made anew: what is noted then lies beside the old notes until the build is done.
 */
struct kustomize_leaf {
    struct kustomize_plan_level *owner;           /* the level that has the entry */
    struct kustomize_plan_level *level, *fresh;   /* what a folder holds, or NULL */
    struct kustomize_plan_files files, new_files; /* read for it */
    uint32_t place;                               /* number in the order of the whole build */
    uint32_t made;                                /* resources that are kept of it */
    bool is_component;
    bool is_dirty; /* to be made anew */
    bool is_old;   /* it, or a leaf above it, is dirty */
};

struct kustomize_plan_level {
    struct kustomize_leaf *leaf; /* that leads here; NULL: the root */
    char *dir;
    uint64_t text; /* of its kustomization */
    struct kustomize_leaf *leaves;
    size_t leaf_count, config_maps, secrets, components; /* where each kind of leaf begins */
    struct kustomize_plan_files files;                   /* that all of the level depends on */
    /* What transformers that must find something found, search by search with a NULL behind. */
    VEC(struct kustomize_leaf *) pins, new_pins;
    size_t next_pin;
    bool is_local;   /* each resource can be made without the others of the level */
    bool is_remote;  /* a clone: its files are not ours */
    bool has_dirty;  /* a leaf below it is */
    bool is_visited; /* by the build by parts that runs */
};

/* Who asked for the name. */
struct kustomize_plan_name {
    const struct kustomize_resource *referrer;
    uint32_t hash;
};

struct kustomize_plan {
    struct kustomize_plan_level *root;
    struct kustomize_kept_set kept;
    VEC(struct kustomize_plan_name) names;
    size_t old_count;     /* resources of leaves that are old */
    atomic_bool is_blind; /* something depends on more than is noted: of no use */
    bool wants_more;      /* it ended since more leaves are dirty */
    bool is_broken;       /* it failed halfway: of no use any more */
    bool is_changed;      /* it gave other bytes than the one before */
};

struct kustomize_plan *kustomize_plan_new(void);
void kustomize_plan_free(struct kustomize_plan *plan); /* NULL is fine */

/* ---- dirty.c */

/* A leaf that is made anew, with all that cannot be told apart from it. False: that is all. */
bool kustomize_plan_mark(struct kustomize_leaf *leaf);
/* Marks what depends on one of the files, given by sorted hashes of their paths. False: that is
 * all. */
bool kustomize_plan_mark_files(struct kustomize_plan *plan, const uint32_t *hashes, size_t count);
/* Says which leaves are old and how much was made of them, and numbers all: before a build by parts
 * and when its notes count. */
void kustomize_plan_prepare(struct kustomize_plan *plan);
/* After it: the fresh notes count, or go. */
void kustomize_plan_commit(struct kustomize_plan *plan);
void kustomize_plan_abort(struct kustomize_plan *plan);

/* ---- files.c */

void kustomize_plan_files_add(struct kustomize_plan_files *files, str dir, str path);
void kustomize_plan_files_done(struct kustomize_plan_files *files);
void kustomize_plan_level_free(struct kustomize_plan_level *level); /* NULL is fine */
struct kustomize_hashes {
    uint32_t *v;
    size_t len, cap;
};
/* Appends the folders of the files that were noted since the last check, to be watched; the texts
 * are the caller's. */
void kustomize_plan_folders(struct kustomize_plan *plan, struct str_vec *folders);
/* Once they are watched: appends the hashes of those files that changed since the build began
 * (CLOCK_REALTIME), which the watch may have been too late for. */
void kustomize_plan_check(struct kustomize_plan *plan, const struct timespec *since,
                          struct kustomize_hashes *changed);
