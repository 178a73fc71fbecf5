/* Plan: what a run would do, without doing it (khook spec 18.4, 18.5). Reads only; a problem with
 * one step is `unknown` for that step, never a failure. Blocking, on the caller's thread; text and
 * JSON are pure. */
#pragma once
#include "khook/act/action.h"
#include "khook/state/state.h"

struct khook_planned {
    struct khook_prediction prediction;
    struct buf diff;    /* with diff: text, or empty */
    bool has_diff;      /* a diff was asked for and this action has one */
    char *diff_problem; /* why it could not be made, or NULL */
};
struct khook_plan {
    const struct khook_spec *spec;
    struct khook_planned *steps; /* by index of the spec */
    struct buf cluster;          /* server version; empty offline */
    bool is_offline;
};
struct khook_plan_options {
    const struct khook_context *context; /* kube NULL: offline */
    bool diff;
    struct cancel *cancel;
};
/* -1: the cluster or the record cannot be read at all. Offline local manifest sources are read and
 * parsed, so that their mistakes show: ERR_INVALID. */
int khook_plan_make(const struct khook_plan_options *options, struct khook_plan *ret,
                    struct err *e);
void khook_plan_done(struct khook_plan *p);
AUTO_VALUE(struct khook_plan, khook_plan_done)

bool khook_plan_changes(const struct khook_plan *p); /* some step would change something */
void khook_plan_text(const struct khook_plan *p, bool color,
                     struct buf *out); /* to be masked by who prints it */
/* The last line without its end: "Plan: 2 install, 1 create" in the order of the actions, or
 * "nothing to do" when all are skipped, resumed or settled. */
void khook_plan_total(const enum khook_plan_action *actions, size_t count, struct buf *out);
void khook_plan_json(const struct khook_plan *p, struct buf *out); /* masked value by value */
