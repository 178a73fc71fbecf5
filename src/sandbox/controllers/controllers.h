/* Controllers: each brings one object nearer to what it asks for, from the present state alone.
 * Turns run under the lock, on the controllers' thread. */
#pragma once
#include "sandbox/priv.h"

/* One object that is being looked after, read for the turn. */
struct ctl {
    struct sandbox *sb;
    struct sb_slot *slot;
    struct doc_set *set;
    struct doc_node *doc, *meta, *spec, *status; /* status is made */
    bool is_changed;                             /* to be stored at the end of the turn */
};

/* Turns, one per controller; the object is there and its document loaded. */
void ctl_pod(struct ctl *c);
void ctl_replicaset(struct ctl *c);
void ctl_deployment(struct ctl *c);
void ctl_statefulset(struct ctl *c);
void ctl_daemonset(struct ctl *c);
void ctl_job(struct ctl *c);
void ctl_namespace(struct sandbox *sb, struct sb_slot *slot);

/* ---- help */
/* The status field gets a number, or goes when it is 0 (as omitempty does). */
void ctl_count(struct ctl *c, const char *field, int64_t value);
void ctl_number(struct ctl *c, const char *field, int64_t value); /* 0 is kept */
void ctl_text(struct ctl *c, struct doc_node *map, const char *field, str value);
void ctl_time(struct ctl *c, struct doc_node *map, const char *field); /* now */
void ctl_observed(struct ctl *c);
/* Sets a condition; lastTransitionTime moves with the status. True when anything changed. */
bool ctl_condition(struct ctl *c, const char *type, const char *status, const char *reason,
                   const char *message, bool has_update_time);
const struct doc_node *ctl_get_condition(const struct doc_node *object, const char *type);
void ctl_store(struct ctl *c); /* when is_changed */
/* A Pod from a template: labels, annotations, spec, the owner. NULL name: generated from prefix. */
struct doc_node *ctl_pod_of(struct ctl *c, struct doc_set *set, const struct doc_node *template,
                            const char *name, str prefix);
void ctl_create_pod(struct ctl *c, struct doc_set *set, struct doc_node *pod);
void ctl_add_owner(struct doc_set *set, struct doc_node *object, const struct ctl *owner);
/* The slots that name this one as controller; copied, the caller does vec_done. */
struct ctl_slots {
    struct sb_slot **v;
    size_t len, cap;
};
void ctl_slots_done(struct ctl_slots *s);
AUTO_VALUE(struct ctl_slots, ctl_slots_done)
void ctl_owned(struct ctl *c, enum sb_ctl what, struct ctl_slots *ret);
/* A short text that names a template: equal templates, equal texts. */
void ctl_template_hash(const struct doc_node *template, struct buf *out);
/* "25%" or 3 of total, percentages rounded as asked. */
int64_t ctl_part(const struct doc_node *n, int64_t total, bool up, int64_t fallback);
void ctl_event(struct ctl *c, const char *type, const char *reason, const char *message,
               const char *component);
bool ctl_is_active(const struct sb_slot *pod);
/* Ready for at least min_ready seconds; when not yet, this one gets another turn then. */
bool ctl_is_available(struct ctl *c, const struct sb_slot *pod, int64_t min_ready);
