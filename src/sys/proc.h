/* Child processes: posix_spawn into a process group of their own, with limits, a deadline and no
 * descriptors but the standard three. Whatever is left of the group when its leader has ended is
 * killed: nothing outlives the call but what left the group. Any thread; several at once.
 *
 * Where a cancel fires, the group gets SIGTERM, and SIGKILL grace_ms later. */
#pragma once
#include "base/buf.h"
#include "sys/cancel.h"

/* A piece of output as it comes, on the calling thread. */
typedef void proc_output_fn(void *ctx, bool is_stderr, str chunk);

struct proc_spec {
    const char *const *argv; /* NULL at the end; argv[0] without a slash is searched in PATH */
    char *const *env;        /* everything the child gets; NULL: env_all() */
    const char *dir;         /* working folder, NULL: ours; a relative argv[0] starts there */
    str input;               /* standard input; empty: /dev/null */
    bool has_terminal;       /* standard input and error are ours: plugins that ask for passwords */
    bool passes_output;      /* standard output is ours too: commands run for the user */
    size_t output_limit;     /* of standard output; more ends the child with ERR_LIMIT. 0: 16 MiB */
    size_t stderr_limit;     /* the last bytes of standard error are kept. 0: 64 KiB */
    int64_t grace_ms;        /* 0: 5000 */
    bool kills_orphans;      /* what leaves the group is killed too, once no child is running */
    proc_output_fn *output;  /* takes output and error instead of the result's buffers */
    void *ctx;
    struct cancel *cancel; /* may be NULL; its deadline is the child's */
};

struct proc_result {
    int exit_code; /* -1: ended by a signal */
    int signal;    /* 0: none */
    int64_t duration_ms, user_us, system_us, max_rss_kb;
    struct buf out, err;
};
void proc_result_done(struct proc_result *r);
AUTO_VALUE(struct proc_result, proc_result_done)

/* Runs the child to its end: 0, whatever its exit code. -1 when it could not be started, was
 * cancelled, ran out of time or wrote too much; the result then holds what there was. *ret must be
 * {0}. */
int proc_run(const struct proc_spec *spec, struct proc_result *ret, struct err *e) MUST_CHECK;
/* "exit status 3", "killed by SIGKILL". */
void proc_describe(const struct proc_result *r, struct buf *out);
/* Kills every group that proc_run has running: the last act of the process (signal_last_fn). */
void proc_kill_all(void);
