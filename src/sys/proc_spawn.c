#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/env.h"
#include "sys/file.h"
#include "sys/proc_priv.h"

/* Two ends; -1 when closed or not wanted. */
struct ends {
    int child, ours;
};

struct streams {
    struct ends in, out, err;
};

static void ends_done(struct ends *ends)
{
    file_close(ends->child);
    file_close(ends->ours);
}

static void streams_done(struct streams *s)
{
    ends_done(&s->in);
    ends_done(&s->out);
    ends_done(&s->err);
}
AUTO_VALUE(struct streams, streams_done)

static int open_ends(struct ends *ends, bool child_reads, struct err *e)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) < 0)
        return err_errno(e, errno, "pipe");
    ends->child = fds[child_reads ? 0 : 1];
    ends->ours = fds[child_reads ? 1 : 0];
    if (fcntl(ends->ours, F_SETFL, O_NONBLOCK) < 0)
        return err_errno(e, errno, "pipe");
    return 0;
}

static int open_streams(const struct proc_spec *spec, struct streams *s, struct err *e)
{
    if (!spec->has_terminal) {
        if (spec->input.len && open_ends(&s->in, true, e) < 0)
            return -1;
        if (open_ends(&s->err, false, e) < 0)
            return -1;
    }
    return spec->passes_output ? 0 : open_ends(&s->out, false, e);
}

static void add_actions(posix_spawn_file_actions_t *actions, const struct proc_spec *spec,
                        const struct streams *s)
{
    if (s->in.child >= 0)
        posix_spawn_file_actions_adddup2(actions, s->in.child, STDIN_FILENO);
    else if (!spec->has_terminal)
        posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (s->out.child >= 0)
        posix_spawn_file_actions_adddup2(actions, s->out.child, STDOUT_FILENO);
    if (s->err.child >= 0)
        posix_spawn_file_actions_adddup2(actions, s->err.child, STDERR_FILENO);
    /* Ours are close-on-exec; what a library opened without it stays out as well. */
    posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    if (spec->dir)
        posix_spawn_file_actions_addchdir_np(actions, spec->dir);
}

/* A group of its own, no blocked and no ignored signals. With the terminal the child stays in our
 * group: a background group could not read from it. */
static void add_attributes(posix_spawnattr_t *attr, bool has_terminal)
{
    sigset_t none, all;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attr, &none);
    posix_spawnattr_setsigdefault(attr, &all);
    posix_spawnattr_setpgroup(attr, 0);
    posix_spawnattr_setflags(attr, has_terminal ? flags : flags | POSIX_SPAWN_SETPGROUP);
}

static int spawn(const struct proc_spec *spec, const struct streams *s, pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    int rc;

    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    add_actions(&actions, spec, s);
    add_attributes(&attr, spec->has_terminal);
    rc = posix_spawnp(ret_pid, spec->argv[0], &actions, &attr, (char *const *)spec->argv,
                      spec->env ? spec->env : env_all());
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

int proc_spawn(const struct proc_spec *spec, struct proc_child *ret, struct err *e)
{
    AUTO(streams_done) struct streams s = {{-1, -1}, {-1, -1}, {-1, -1}};
    int rc;

    if (open_streams(spec, &s, e) < 0)
        return err_wrap(e, "start %s", spec->argv[0]);
    rc = spawn(spec, &s, &ret->pid);
    if (rc == ENOENT && !spec->dir && access(spec->argv[0], F_OK) == 0)
        return err_set(e, ERR_NOT_FOUND,
                       "start %s: the interpreter that its first line names is not there",
                       spec->argv[0]);
    if (rc)
        return err_errno(e, rc, "start %s", spec->argv[0]);
    ret->pidfd = (int)syscall(SYS_pidfd_open, ret->pid, 0); /* close-on-exec by itself */
    ret->in = s.in.ours;
    ret->out = s.out.ours;
    ret->err = s.err.ours;
    s.in.ours = s.out.ours = s.err.ours = -1;
    return 0;
}
