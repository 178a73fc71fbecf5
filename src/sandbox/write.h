/* What the writing requests share: checks and the steps from a new state to a stored one. Under
 * the lock. */
#pragma once
#include "sandbox/priv.h"

/* How an object is about to change. */
struct sb_change {
    struct sb_kind *kind;
    struct sb_slot *slot; /* NULL: it is created */
    struct doc_node *old; /* with apiVersion and kind; NULL: it is created */
    struct doc_node *now; /* belongs to the request's set */
    str manager, sub;
    bool is_apply; /* managedFields are done already */
};

/* Everything behind the merge: metadata, defaults, validation, managed fields, storing, the answer.
 * -1: the request has failed. */
int sb_finish_update(struct sb_req *r, struct sb_change *c);
/* The answer of a dry run or a deletion: the object as it would be, or as it was. */
void sb_answer_unstored(struct sb_req *r, int status, const struct doc_node *n);

/* meta.c */
/* uid, creationTimestamp, generation, name from generateName. */
void sb_meta_new(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                 struct doc_node *object);
/* Keeps what the server owns from the old state. */
void sb_meta_keep(struct doc_set *set, struct doc_node *now, const struct doc_node *old);
/* generation + 1 when the specification changed. */
void sb_meta_bump(const struct sb_kind *kind, struct doc_set *set, struct doc_node *now,
                  const struct doc_node *old);
int sb_check_preconditions(struct sb_req *r, const struct sb_kind *kind, const struct doc_node *old,
                           str uid, str version);
str sb_manager(const struct sb_req *r);
struct doc_node *sb_meta(struct doc_set *set, struct doc_node *object);
/* Equal but for what every write changes. */
bool sb_same_state(const struct doc_node *a, const struct doc_node *b);

/* patch.c: a merge patch (RFC 7386) on a copy. */
struct doc_node *sb_merged(struct doc_set *set, const struct doc_node *to,
                           const struct doc_node *patch);
/* Refuses bodies that are no patch to this kind: 415. */
int sb_check_patch_type(struct sb_req *r);
/* The patched copy of old, or NULL with the request failed. */
struct doc_node *sb_patched(struct sb_req *r, const struct doc_node *old);

/* scale.c */
int sb_do_scale(struct sb_req *r);
/* virtual.c: reviews, evictions, tokens; 1: not one of them. */
int sb_do_virtual(struct sb_req *r);
int sb_do_log(struct sb_req *r);
