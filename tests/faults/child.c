#include "faults/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/env.h"
#include "sys/file.h"

enum { LOOK_MS = 2, MAX_OUTPUT = 1 << 20 };

static void set_up(posix_spawnattr_t *attr)
{
    sigset_t none, all;

    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attr, &none);
    posix_spawnattr_setsigdefault(attr, &all); /* a background job of a shell ignores SIGINT */
    posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int child_start_words(const char *const *argv, const char *dir, struct child *ret, struct err *e)
{
    enum { FLAGS = O_WRONLY | O_CREAT | O_TRUNC };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    int rc;

    *ret = (struct child){.out = str_printf("%s/out", dir), .err = str_printf("%s/err", dir)};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, ret->out, FLAGS, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, ret->err, FLAGS, 0600);
    posix_spawnattr_init(&attr);
    set_up(&attr);
    rc = posix_spawn(&ret->pid, argv[0], &actions, &attr, (char *const *)argv,
                     (char *const *)env_all());
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    ret->is_over = rc != 0;
    return rc ? err_errno(e, rc, "%s", argv[0]) : 0;
}

int child_start(const char *program, const struct workload *w, const char *kubeconfig,
                struct child *ret, struct err *e)
{
    const char *argv[] = {program,      "apply",        "-f",
                          w->spec_path, "--kubeconfig", kubeconfig ? kubeconfig : w->kubeconfig,
                          NULL};

    return child_start_words(argv, w->dir, ret, e);
}

bool child_wait(struct child *c, int64_t ms)
{
    clock_ms deadline = clock_after(ms);

    while (!c->is_over) {
        AUTO(err_done) struct err never = {0};

        c->is_over = waitpid(c->pid, &c->status, WNOHANG) == c->pid;
        if (c->is_over || clock_left(deadline) == 0 || cancel_sleep(NULL, LOOK_MS, &never) < 0)
            break;
    }
    return c->is_over;
}

int child_rc(const struct child *c)
{
    return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) : WEXITSTATUS(c->status);
}

void child_err(const struct child *c, struct buf *out)
{
    AUTO(err_done) struct err e = {0};

    if (file_read(c->err, MAX_OUTPUT, out, &e) < 0)
        buf_add_cstr(out, err_text(&e));
}

void child_done(struct child *c)
{
    if (c->pid > 0 && !c->is_over) {
        kill(c->pid, SIGKILL);
        waitpid(c->pid, &c->status, 0);
    }
    mem_free(c->out);
    mem_free(c->err);
    *c = (struct child){0};
}
