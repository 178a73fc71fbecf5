/* What a session keeps of the resources of a build once their trees are gone: who they are and
 * were (for name references), what names they asked for, and the bytes they printed.
 *
 * A set owns everything; what has gone out of it is there until kustomize_kept_close. One thread at
 * a time. */
#pragma once
#include "kustomize/resmap.h"

struct kustomize_leaf;
struct kustomize_kept {
    struct kustomize_resource r; /* without tree; texts in the arena of the set */
    struct kustomize_leaf *leaf; /* that made it */
    uint32_t ordinal;            /* in order among those of its leaf */
    uint32_t name_count;
    uint32_t *names; /* hashes of names it asked for */
    bool is_printed; /* else it is seen by references only */
    uint32_t round;  /* of the set when it was made */
    size_t place;    /* in the order of the output */
    str text;        /* in the block of the set, or own */
    char *own;       /* or NULL */
};
struct kustomize_kept_set {
    struct doc_set *set;         /* for its arena */
    struct kustomize_resmap map; /* of kept->r */
    VEC(struct kustomize_kept *) order;
    uint32_t round; /* counts builds: what is new was made in this one */
    char *block;    /* the whole output of a build */
    size_t block_len;
    size_t own_len, gone; /* bytes of texts outside of it; resources that went */
};
static inline struct kustomize_kept *kustomize_kept_of(struct kustomize_resource *r)
{
    return CONTAINER_OF(r, struct kustomize_kept, r);
}

void kustomize_kept_done(struct kustomize_kept_set *set); /* leaves {0} */
/* A copy of who r is. It is in no list yet. */
struct kustomize_kept *kustomize_kept_new(struct kustomize_kept_set *set,
                                          const struct kustomize_resource *r);
/* It goes out of the map; its text is there until it is freed. */
void kustomize_kept_remove(struct kustomize_kept_set *set, struct kustomize_kept *kept);
void kustomize_kept_free_text(struct kustomize_kept_set *set, struct kustomize_kept *kept);
void kustomize_kept_set_text(struct kustomize_kept_set *set, struct kustomize_kept *kept,
                             struct buf *text); /* taken */
/* Is it the same resource to everyone else: ids and histories? */
bool kustomize_kept_is_like(const struct kustomize_kept *kept, const struct kustomize_resource *r);
/* All of that as one text, appended. */
void kustomize_kept_print(const struct kustomize_resource *r, struct buf *out);
bool kustomize_kept_asked(const struct kustomize_kept *kept, uint32_t name);
/* Fills the index, and gives back room that was taken for growing. */
void kustomize_kept_trim(struct kustomize_kept_set *set);
/* Frees what is of no use any more, when that is much. */
void kustomize_kept_close(struct kustomize_kept_set *set);
/* The pieces of the output, views into the set. */
void kustomize_kept_text(const struct kustomize_kept_set *set, struct str_vec *ret);
