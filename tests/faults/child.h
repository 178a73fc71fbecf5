/* grapnel as a process of its own. */
#pragma once
#include <sys/types.h>

#include "faults/workload.h"

struct child {
    pid_t pid;
    char *out, *err; /* names of the files that its output goes to */
    int status;      /* as waitpid, once it was waited for */
    bool is_over;
};

/* Any command, NULL behind its words; its output goes to files in dir. */
int child_start_words(const char *const *argv, const char *dir, struct child *ret, struct err *e);
/* apply of the workload's spec; kubeconfig NULL: the workload's. */
int child_start(const char *program, const struct workload *w, const char *kubeconfig,
                struct child *ret, struct err *e);
/* Waits until it has ended, at most ms; false: it is still there. */
bool child_wait(struct child *c, int64_t ms);
/* The exit status, 128 + the signal that ended it. */
int child_rc(const struct child *c);
/* Appends what it wrote to stderr. */
void child_err(const struct child *c, struct buf *out);
void child_done(struct child *c); /* kills it when it is still there */
AUTO_VALUE(struct child, child_done)
