/* What runs report: the console's lines and the results file (KRM functions spec 5.6). One thread
 * at a time. */
#pragma once
#include "fn/runner.h"

/* One run of a function, told when it begins and when it has ended. Texts are borrowed for the
 * call. */
struct fn_event {
    enum { FN_EVENT_PACKAGE, FN_EVENT_RUNNING, FN_EVENT_DONE } type;
    str name; /* image or command line; of a package, its path */
    bool is_exec;
    ssize_t selected; /* items, when a selector is in use; -1: all */
    bool has_failed;
    const struct fn_outcome *outcome; /* FN_EVENT_DONE */
    const struct doc_node *results;
};
/* Called on the thread that runs the function. */
typedef void fn_event_fn(void *ctx, const struct fn_event *event);

/* Appends what the console shows of an event; at most four lines a block when is_short. */
void fn_event_print(const struct fn_event *event, bool is_short, struct buf *out);

/* The file's content, gathered event by event. */
struct fn_results {
    struct doc_set *set;
    struct doc_node *items;
    bool has_failed;
};
void fn_results_init(struct fn_results *r);
void fn_results_done(struct fn_results *r);
AUTO_VALUE(struct fn_results, fn_results_done)
void fn_results_add(struct fn_results *r, const struct fn_event *event); /* FN_EVENT_DONE only */
/* Writes results.yaml into dir, which is made. */
int fn_results_save(const struct fn_results *r, const char *dir, struct err *e) MUST_CHECK;
