#include "sys/signal.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"
#include "sys/proc.h"
#include "sys/thread.h"

TEST(signal_cancels_the_run_with_its_name)
{
    struct cancel *run = cancel_new(NULL, CLOCK_NEVER);
    AUTO(err_done) struct err e = {0};
    struct signal_guard *g = signal_start(run, NULL, NULL, &e);

    CHECK_OK(&e);
    kill(getpid(), SIGTERM);
    CHECK_INT(cancel_sleep(run, TEST_PATIENCE_MS, &e), -1, "sleep");
    CHECK_INT(e.kind, ERR_CANCELED, "kind");
    CHECK_STR(str_of(err_text(&e)), STR("canceled by SIGTERM"), "reason");
    signal_stop(g);
    cancel_free(run);
}

static void last_words(void *ctx, int signo)
{
    char text[] = {(char)signo};

    if (write(*(int *)ctx, text, 1) != 1)
        _exit(1);
}

/* In a process of its own: two signals, the second kills. */
static void be_interrupted(int signo, int out)
{
    struct cancel *run = cancel_new(NULL, CLOCK_NEVER);
    struct err e = {0};
    struct signal_guard *g;

    signal(SIGINT, SIG_DFL); /* a shell's background job begins with it ignored */
    g = signal_start(run, last_words, &out, &e);
    if (!g)
        _exit(99);
    kill(getpid(), SIGINT);
    cancel_sleep(run, TEST_PATIENCE_MS, &e);
    kill(getpid(), signo);
    for (;;)
        pause();
}

TEST(signal_twice_ends_the_process_at_once)
{
    static const int rows[] = {SIGINT, SIGTERM};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int pipe_fds[2], status = 0;
        char said = 0;
        pid_t pid;

        CHECK_INT(pipe(pipe_fds), 0, "pipe");
        pid = fork();
        if (pid == 0)
            be_interrupted(rows[i], pipe_fds[1]);
        close(pipe_fds[1]);
        CHECK_INT(waitpid(pid, &status, 0), pid, "waitpid");
        CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 128 + rows[i], "exit status");
        CHECK_INT(read(pipe_fds[0], &said, 1), 1, "the last function ran");
        CHECK_INT(said, rows[i], "with the signal");
        close(pipe_fds[0]);
    }
}

TEST(signal_that_was_ignored_stays_ignored)
{
    struct cancel *run = cancel_new(NULL, CLOCK_NEVER);
    AUTO(err_done) struct err e = {0};
    struct signal_guard *g;

    signal(SIGHUP, SIG_IGN);
    g = signal_start(run, NULL, NULL, &e);
    kill(getpid(), SIGHUP);
    CHECK_INT(cancel_sleep(run, 5, &e), 0, "not cancelled");
    signal_stop(g);
    signal(SIGHUP, SIG_DFL);
    cancel_free(run);
}

/* The child tells its number. */
static void tell(void *ctx, bool is_stderr UNUSED, str chunk)
{
    if (write(*(int *)ctx, chunk.p, chunk.len) < 0)
        _exit(1);
}

static void run_child(void *ctx)
{
    static const char *const argv[] = {"/bin/sh", "-c", "echo $$; exec sleep 300", NULL};
    struct proc_result result = {0};
    struct err e = {0};

    if (proc_run(&(struct proc_spec){.argv = argv, .output = tell, .ctx = ctx}, &result, &e) < 0)
        _exit(1);
    for (;;) /* the process ends first */
        pause();
}

static bool is_gone(pid_t pid)
{
    char path[64], text[256] = "";
    FILE *f;

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    f = fopen(path, "re");
    if (!f)
        return true;
    if (!fgets(text, sizeof(text), f))
        text[0] = '\0';
    fclose(f);
    return strstr(text, ") Z ") != NULL; /* until init reaps it */
}

TEST(signal_twice_takes_the_children_along)
{
    int pipe_fds[2], status = 0;
    char text[32] = "";
    int64_t child = 0;
    pid_t pid;

    CHECK_INT(pipe(pipe_fds), 0, "pipe");
    pid = fork();
    if (pid == 0) {
        struct cancel *run = cancel_new(NULL, CLOCK_NEVER);
        struct err e = {0};

        signal(SIGINT, SIG_DFL);
        if (!signal_start(run, NULL, NULL, &e) ||
            !thread_start("child", run_child, &pipe_fds[1], &e))
            _exit(99);
        for (;;)
            pause();
    }
    CHECK(read(pipe_fds[0], text, sizeof(text) - 1) > 0);
    CHECK(str_to_int64(str_trim(str_of(text)), &child));
    kill(pid, SIGINT);
    while (waitpid(pid, &status, WNOHANG) == 0) { /* one may be taken before the other came */
        AUTO(err_done) struct err e = {0};

        cancel_sleep(NULL, 5, &e);
        kill(pid, SIGINT);
    }
    CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 130, "exit status");
    for (clock_ms end = clock_after(TEST_PATIENCE_MS); clock_now() < end;) {
        AUTO(err_done) struct err e = {0};

        if (is_gone((pid_t)child))
            break;
        cancel_sleep(NULL, 5, &e);
    }
    CHECK(is_gone((pid_t)child));
    close(pipe_fds[0]);
    close(pipe_fds[1]);
}
