#include "sys/proc.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/file.h"
#include "sys/proc_priv.h"
#include "sys/thread.h"

/* How long output is read on after the leader has ended: what it wrote itself is there at once,
 * longer pipes are held by processes it left behind. */
#define DRAIN_MS 200
/* As many of our reads as a full pipe takes (pipe(7): 64 KiB), and some for short ones. */
#define DRAIN_READS 8
/* Without pidfds (Linux before 5.3) the end of a child is looked for this often. */
#define LOOK_MS 20

enum stage { STAGE_RUNNING, STAGE_TERMINATED, STAGE_KILLED, STAGE_ENDED };

struct running {
    const struct proc_spec *spec;
    struct proc_child child;
    struct proc_result *result;
    str input; /* what is still to be written */
    enum stage stage;
    clock_ms next; /* of a stage: when SIGKILL follows, when draining ends */
    struct err *e; /* why it is stopped */
    struct running *older, *newer;
};

/* Every child of the process: a second signal must kill them all (proc_kill_all). */
static struct {
    pthread_mutex_t lock;
    struct running *newest;
    size_t unlisted;  /* children that are being started or reaped */
    bool has_orphans; /* somebody wants what left its group killed */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int start(struct running *r, struct err *e)
{
    int rc;

    {
        LOCK_SCOPE(&all.lock);
        all.unlisted++;
        if (r->spec->kills_orphans) {
            proc_orphans_begin();
            all.has_orphans = true;
        }
    }
    rc = proc_spawn(r->spec, &r->child, e);
    LOCK_SCOPE(&all.lock);
    all.unlisted--;
    if (rc < 0)
        return -1;
    r->older = all.newest;
    if (r->older)
        r->older->newer = r;
    all.newest = r;
    return 0;
}

/* After a child is reaped: with no other there, whoever is still a child was handed to us. */
static void kill_orphans(void)
{
    LOCK_SCOPE(&all.lock);
    all.unlisted--;
    if (!all.has_orphans || all.newest || all.unlisted)
        return;
    proc_orphans_kill();
    all.has_orphans = false;
}

static void list_remove(struct running *r)
{
    LOCK_SCOPE(&all.lock);
    all.unlisted++;
    if (r->older)
        r->older->newer = r->newer;
    if (r->newer)
        r->newer->older = r->older;
    else
        all.newest = r->older;
}

/* A child with the terminal is in our own group and is signalled alone. */
static void send_signal(const struct running *r, int signo)
{
    kill(r->spec->has_terminal ? r->child.pid : -r->child.pid, signo);
}

void proc_kill_all(void)
{
    LOCK_SCOPE(&all.lock);
    for (struct running *r = all.newest; r; r = r->older)
        send_signal(r, SIGKILL);
}

static void close_end(int *fd)
{
    file_close(*fd);
    *fd = -1;
}

static void terminate(struct running *r)
{
    if (r->stage != STAGE_RUNNING)
        return;
    send_signal(r, SIGTERM);
    r->stage = STAGE_TERMINATED;
    r->next = clock_after(r->spec->grace_ms ? r->spec->grace_ms : 5000);
}

static void write_input(struct running *r)
{
    ssize_t n = write(r->child.in, r->input.p, r->input.len);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    r->input = str_from(r->input, n > 0 ? (size_t)n : 0);
    if (n < 0 || r->input.len == 0) /* EPIPE: the child does not want the rest */
        close_end(&r->child.in);
}

static void keep_output(struct running *r, str chunk)
{
    size_t limit = r->spec->output_limit ? r->spec->output_limit : (size_t)16 << 20;
    size_t room = limit - r->result->out.len;

    buf_add_str(&r->result->out, str_sub(chunk, 0, room));
    if (chunk.len > room && r->e->kind == ERR_NONE) {
        err_set(r->e, ERR_LIMIT, "%s wrote more than %zu bytes", r->spec->argv[0], limit);
        terminate(r);
    }
}

/* The end of a long error output says more than its beginning. */
static void keep_error(struct running *r, str chunk)
{
    size_t limit = r->spec->stderr_limit ? r->spec->stderr_limit : (size_t)64 << 10;
    struct buf *kept = &r->result->err;

    buf_add_str(kept, chunk);
    if (kept->len > 2 * limit) {
        memmove(kept->p, kept->p + kept->len - limit, limit);
        buf_trunc(kept, limit);
    }
}

static void read_output(struct running *r, int *fd, bool is_stderr)
{
    char chunk[16384];
    ssize_t n = read(*fd, chunk, sizeof(chunk));

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        close_end(fd);
    else if (r->spec->output)
        r->spec->output(r->spec->ctx, is_stderr, (str){chunk, (size_t)n});
    else if (is_stderr)
        keep_error(r, (str){chunk, (size_t)n});
    else
        keep_output(r, (str){chunk, (size_t)n});
}

/* The leader is a zombie: reaped later, so that the number of its group stays taken. */
static void look_for_end(struct running *r)
{
    siginfo_t info = {0};

    if (waitid(P_PID, (id_t)r->child.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == 0)
        return;
    r->stage = STAGE_ENDED;
    r->next = clock_after(DRAIN_MS);
    close_end(&r->child.in);
}

static void check_cancel(struct running *r)
{
    struct err why = {0};

    if (r->stage != STAGE_RUNNING || cancel_check(r->spec->cancel, &why) == 0)
        return;
    err_wrap(&why, "%s", r->spec->argv[0]);
    err_move(r->e, &why);
    terminate(r);
}

static void check_time(struct running *r)
{
    if (r->stage == STAGE_TERMINATED && clock_now() >= r->next) {
        send_signal(r, SIGKILL);
        r->stage = STAGE_KILLED;
    }
}

static int poll_timeout(const struct running *r)
{
    clock_ms until = r->stage == STAGE_RUNNING  ? cancel_deadline(r->spec->cancel)
                     : r->stage == STAGE_KILLED ? CLOCK_NEVER
                                                : r->next;
    int64_t left = clock_left(until);

    if (r->child.pidfd < 0 && r->stage != STAGE_ENDED)
        left = MIN(left, (int64_t)LOOK_MS);
    if (!clock_is_real()) /* a test's clock moves on its own */
        left = MIN(left, (int64_t)1);
    return left == CLOCK_NEVER ? -1 : (int)MIN(left, (int64_t)INT32_MAX);
}

static void wait_for_something(struct running *r)
{
    bool has_ended = r->stage == STAGE_ENDED;
    struct pollfd fds[] = {
        {r->child.in, POLLOUT, 0},
        {r->child.out, POLLIN, 0},
        {r->child.err, POLLIN, 0},
        {has_ended ? -1 : r->child.pidfd, POLLIN, 0},
        {r->stage == STAGE_RUNNING ? cancel_fd(r->spec->cancel) : -1, POLLIN, 0},
    };

    if (poll(fds, ARRAY_LEN(fds), poll_timeout(r)) < 0)
        return;
    if (fds[0].revents)
        write_input(r);
    if (fds[1].revents)
        read_output(r, &r->child.out, false);
    if (fds[2].revents)
        read_output(r, &r->child.err, true);
    if (fds[3].revents || (r->child.pidfd < 0 && !has_ended))
        look_for_end(r);
}

static bool is_over(const struct running *r)
{
    return r->stage == STAGE_ENDED &&
           ((r->child.out < 0 && r->child.err < 0) || clock_now() >= r->next);
}

/* What the leader wrote is in the pipes even when so much time has passed that nobody looked. */
static void drain(struct running *r)
{
    for (int i = 0; i < DRAIN_READS; i++) {
        if (r->child.out >= 0)
            read_output(r, &r->child.out, false);
        if (r->child.err >= 0)
            read_output(r, &r->child.err, true);
    }
}

/* First the rest of the group, then the leader, whose number is free from then on. */
static void reap(struct running *r)
{
    struct rusage usage = {0};
    int status = 0;

    if (!r->spec->has_terminal)
        send_signal(r, SIGKILL);
    list_remove(r);
    while (wait4(r->child.pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    r->result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    r->result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    r->result->user_us = (int64_t)usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec;
    r->result->system_us = (int64_t)usage.ru_stime.tv_sec * 1000000 + usage.ru_stime.tv_usec;
    r->result->max_rss_kb = usage.ru_maxrss;
}

static void trim_error(struct running *r)
{
    size_t limit = r->spec->stderr_limit ? r->spec->stderr_limit : (size_t)64 << 10;
    struct buf *kept = &r->result->err;

    if (kept->len > limit) {
        memmove(kept->p, kept->p + kept->len - limit, limit);
        buf_trunc(kept, limit);
    }
}

/* A child that closes its input must not end us: SIGPIPE is held back for the time of the run and
 * taken off when it came. */
struct pipe_guard {
    sigset_t before;
    bool was_pending;
};

static void pipe_guard_set(struct pipe_guard *g)
{
    sigset_t pipe_only, pending;

    sigpending(&pending);
    g->was_pending = sigismember(&pending, SIGPIPE);
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &g->before);
}

static void pipe_guard_done(struct pipe_guard *g)
{
    static const struct timespec at_once = {0, 0};
    sigset_t pipe_only;

    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    if (!g->was_pending)
        sigtimedwait(&pipe_only, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &g->before, NULL);
}
AUTO_VALUE(struct pipe_guard, pipe_guard_done)

int proc_run(const struct proc_spec *spec, struct proc_result *ret, struct err *e)
{
    struct running r = {.spec = spec, .result = ret, .input = spec->input, .e = e};
    clock_ms begin = clock_now();
    AUTO(pipe_guard_done) struct pipe_guard guard;

    pipe_guard_set(&guard);
    if (cancel_check(spec->cancel, e) < 0)
        return err_wrap(e, "%s", spec->argv[0]);
    if (start(&r, e) < 0)
        return -1;
    while (!is_over(&r)) {
        wait_for_something(&r);
        check_cancel(&r);
        check_time(&r);
    }
    drain(&r);
    reap(&r);
    kill_orphans();
    close_end(&r.child.in);
    close_end(&r.child.out);
    close_end(&r.child.err);
    close_end(&r.child.pidfd);
    trim_error(&r);
    ret->duration_ms = clock_now() - begin;
    return e->kind == ERR_NONE ? 0 : -1;
}

void proc_describe(const struct proc_result *r, struct buf *out)
{
    const char *name = r->signal ? sigabbrev_np(r->signal) : NULL;

    if (!r->signal)
        buf_addf(out, "exit status %d", r->exit_code);
    else if (name)
        buf_addf(out, "killed by SIG%s", name);
    else
        buf_addf(out, "killed by signal %d", r->signal);
}

void proc_result_done(struct proc_result *r)
{
    buf_done(&r->out);
    buf_done(&r->err);
}
