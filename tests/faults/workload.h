/* A spec with a step of every type, the server it runs against, and what is there afterwards.
 *
 * The server serves plain HTTP on loopback; the client has its token in a file, as a Pod has. With
 * is_tls it serves TLS, and the client shows a certificate. Each
 * workload has a folder of its own below `dir`. Not locked: one thread a workload. */
#pragma once
#include "khook/runner.h"
#include "sandbox/sandbox.h"

#define WORKLOAD_RECORD_PATH "/api/v1/namespaces/default/secrets/khook-state-shop"

struct workload_options {
    bool has_bulk; /* 600 ConfigMaps more, and a step that lists them in two pages */
    bool is_tls;
    const char *more_steps;     /* YAML that is put behind the spec, or NULL */
    struct sandbox_hooks hooks; /* the workload's own count comes on top */
};

struct workload {
    struct sandbox *sb;
    char *dir, *spec_path, *kubeconfig; /* kubeconfig: the file's name */
    struct workload_options options;
    _Atomic int jobs_created; /* Jobs that the server made */
};

/* dir is made; NULL with e set. */
struct workload *workload_start(const char *dir, const struct workload_options *options,
                                struct err *e);
void workload_stop(struct workload *w);
AUTO_PTR(struct workload, workload_stop)

/* An apply in this process: 0 when all steps succeeded; else -1 and e says what failed. */
int workload_apply(struct workload *w, struct err *e);
/* What is in the store, without what differs from run to run: a line an object, sorted. */
void workload_state(struct workload *w, struct buf *out);
/* The state once it stays as it is: controllers have come to rest. */
void workload_rest(struct workload *w, struct buf *out);
/* Waits until the state is `want` (controllers may still be at work). When it never is, the lines
 * that differ are put into `difference`. */
bool workload_settles(struct workload *w, str want, struct buf *difference);
/* Makes the lease of a run that was killed look old. Nothing to be done without a record. */
void workload_age_lease(struct workload *w);
