#include "sys/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/clock_jump.h"
#include "support/test.h"
#include "sys/env.h"
#include "sys/file.h"
#include "sys/thread.h"

static int sh(const char *script, struct proc_spec spec, struct proc_result *result, struct err *e)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};

    spec.argv = argv;
    return proc_run(&spec, result, e);
}

TEST(proc_gives_output_error_and_exit_code)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};

    CHECK_INT(sh("cat; echo err >&2; exit 3", (struct proc_spec){.input = STR("in")}, &r, &e), 0,
              "run");
    CHECK_OK(&e);
    CHECK_STR(buf_view(&r.out), STR("in"), "output");
    CHECK_STR(buf_view(&r.err), STR("err\n"), "error");
    CHECK_INT(r.exit_code, 3, "exit code");
    CHECK(r.max_rss_kb > 0);
    proc_describe(&r, &text);
    CHECK_STR(buf_view(&text), STR("exit status 3"), "description");
}

TEST(proc_passes_environment_folder_and_no_descriptors)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(env_list_done) struct env_list env = {0};
    AUTO(err_done) struct err e = {0};
    int leaked = open("/dev/null", O_RDONLY); /* without O_CLOEXEC, as a library would */

    env_list_set(&env, STR("ONLY"), STR("this"));
    CHECK_INT(sh("echo $ONLY$HOME; pwd; for f in /proc/self/fd/*; do echo ${f##*/}; done; "
                 "read x || echo no input",
                 (struct proc_spec){.env = env.v, .dir = "/usr"}, &r, &e),
              0, "run");
    close(leaked);
    CHECK(str_starts(buf_view(&r.out), STR("this\n/usr\n0\n1\n2\n")));
    CHECK(str_ends(buf_view(&r.out), STR("no input\n")));
    CHECK_INT(str_contains(buf_view(&r.out), STR("\n4\n")), 0, "a leaked descriptor");
}

TEST(proc_says_what_could_not_be_started)
{
    static const struct {
        const char *argv0, *dir, *text;
    } rows[] = {
        {"/no/such/tool", NULL, "start /no/such/tool: No such file or directory"},
        {"no-such-tool-anywhere", NULL, "start no-such-tool-anywhere: No such file or directory"},
        {"/etc/passwd", NULL, "start /etc/passwd: Permission denied"},
        {"/bin/true", "/no/such/folder", "start /bin/true: No such file or directory"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const char *argv[] = {rows[i].argv0, NULL};
        AUTO(proc_result_done) struct proc_result r = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(proc_run(&(struct proc_spec){.argv = argv, .dir = rows[i].dir}, &r, &e), -1,
                  rows[i].argv0);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].text), rows[i].argv0);
    }
}

TEST(proc_says_that_an_interpreter_is_missing)
{
    AUTO(mem_free_str) char *path = str_printf("%s/script", test_tmp());
    const char *argv[] = {path, NULL};
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_replace(path, STR("#!/no/such/shell\n"), NULL, &e), 0, err_text(&e));
    CHECK_INT(chmod(path, 0755), 0, "chmod");
    CHECK_INT(proc_run(&(struct proc_spec){.argv = argv}, &r, &e), -1, "run");
    CHECK(str_contains(str_of(err_text(&e)), STR("interpreter that its first line names")));
}

TEST(proc_moves_megabytes_both_ways_at_once)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf in = {0};

    buf_add_repeat(&in, 'x', 3000000);
    CHECK_INT(sh("cat", (struct proc_spec){.input = buf_view(&in)}, &r, &e), 0, "run");
    CHECK(str_eq(buf_view(&r.out), buf_view(&in)));
}

TEST(proc_survives_a_child_that_does_not_read)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf in = {0};

    buf_add_repeat(&in, 'x', 3000000);
    CHECK_INT(sh("exec <&-; echo done", (struct proc_spec){.input = buf_view(&in)}, &r, &e), 0,
              "run");
    CHECK_STR(buf_view(&r.out), STR("done\n"), "output");
}

/* A path in the test's folder, owned by the caller. */
static char *in_tmp(const char *name) { return str_printf("%s/%s", test_tmp(), name); }

TEST(proc_ends_a_child_at_its_deadline)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(mem_free_str) char *ready = in_tmp("ready");
    struct cancel *c;

    clock_jumps_begin(ready);
    c = cancel_new(NULL, clock_after(CLOCK_HOUR));
    /* The shell ignores SIGTERM, its child does not get it from the shell: the group does. */
    CHECK_INT(sh("trap '' TERM; echo started; : >ready; while :; do sleep 600; done",
                 (struct proc_spec){.cancel = c, .grace_ms = 50, .dir = test_tmp()}, &r, &e),
              -1, "run");
    CHECK_INT(e.kind, ERR_TIMEOUT, "kind");
    CHECK_STR(str_of(err_text(&e)), STR("/bin/sh: timed out"), "text");
    CHECK_STR(buf_view(&r.out), STR("started\n"), "what there was");
    CHECK_INT(r.signal, SIGKILL, "signal");
    cancel_free(c);
    clock_jumps_end();
}

/* The leader writes its number and what fits into the pipe, and ends while nobody reads. */
static void wait_for_the_end(void *ctx, bool is_stderr UNUSED, str chunk)
{
    struct buf *seen = ctx;
    int64_t pid;

    if (!seen->len && str_to_int64(str_cut(chunk, '\n', NULL), &pid)) {
        siginfo_t info;

        CHECK_INT(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0, "the leader's end");
    }
    buf_add_str(seen, chunk);
}

/* On a loaded machine more time than it takes to read on may pass between any two lines of ours. */
TEST(proc_loses_no_output_of_a_child_that_has_ended_however_late_it_looks)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf seen = {0};
    str rest;

    clock_jumps_begin(NULL);
    clock_jump_each(CLOCK_HOUR);
    CHECK_INT(sh("echo $$; exec head -c 60000 /dev/zero",
                 (struct proc_spec){.output = wait_for_the_end, .ctx = &seen}, &r, &e),
              0, "run");
    clock_jumps_end();
    str_cut(buf_view(&seen), '\n', &rest);
    CHECK_INT((long long)rest.len, 60000, "bytes");
}

/* Where the child is ready to be stopped. */
struct farewell {
    struct cancel *cancel;
    struct buf said;
};

static void stop_when_ready(void *ctx, bool is_stderr UNUSED, str chunk)
{
    struct farewell *f = ctx;

    buf_add_str(&f->said, chunk);
    if (str_eq(buf_view(&f->said), STR("ready\n")))
        cancel_trigger(f->cancel, ERR_CANCELED, "run canceled");
}

TEST(proc_lets_a_cancelled_child_say_good_bye)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(cancel_free) struct cancel *c = cancel_new(NULL, CLOCK_NEVER);
    struct farewell f = {.cancel = c};

    CHECK_INT(
        sh("trap 'echo bye; exit 4' TERM; echo ready; sleep 60 & wait",
           (struct proc_spec){
               .cancel = c, .grace_ms = TEST_PATIENCE_MS, .output = stop_when_ready, .ctx = &f},
           &r, &e),
        -1, "run");
    CHECK_INT(e.kind, ERR_CANCELED, "kind");
    CHECK_STR(buf_view(&f.said), STR("ready\nbye\n"), "output");
    CHECK_INT(r.exit_code, 4, "exit code");
    buf_done(&f.said);
}

TEST(proc_limits_output_and_keeps_the_end_of_errors)
{
    AUTO(proc_result_done) struct proc_result r = {0}, r2 = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(sh("yes", (struct proc_spec){.output_limit = 1000}, &r, &e), -1, "endless");
    CHECK_INT(e.kind, ERR_LIMIT, "kind");
    CHECK_INT((int)r.out.len, 1000, "kept");
    err_done(&e);
    CHECK_INT(sh("yes 2>/dev/null | head -c 100000 >&2; echo the end >&2",
                 (struct proc_spec){.stderr_limit = 10}, &r2, &e),
              0, "errors");
    CHECK_STR(buf_view(&r2.err), STR("y\nthe end\n"), "the end");
}

TEST(proc_kills_what_its_child_leaves_behind)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    clock_ms end = clock_after(TEST_PATIENCE_MS);
    int64_t pid = 0;

    CHECK_INT(sh("sleep 600 & echo $!", (struct proc_spec){0}, &r, &e), 0, "run");
    CHECK(clock_now() < end);
    CHECK(str_to_int64(str_trim(buf_view(&r.out)), &pid));
    while (clock_now() < end && kill((pid_t)pid, 0) == 0) { /* a zombie until init reaps it */
        AUTO(buf_done) struct buf path = {0};
        char stat[256] = "";
        int fd;

        buf_addf(&path, "/proc/%lld/stat", (long long)pid);
        fd = open(buf_cstr(&path), O_RDONLY | O_CLOEXEC);
        if (fd < 0 || read(fd, stat, sizeof(stat) - 1) <= 0 || strstr(stat, ") Z "))
            pid = 0;
        if (fd >= 0)
            close(fd);
        if (!pid)
            return;
        cancel_sleep(NULL, 5, &e);
    }
    CHECK(kill((pid_t)pid, 0) < 0);
}

static size_t open_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    size_t count = 0;

    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static void spawn_many(void *ctx UNUSED)
{
    for (int i = 0; i < 25; i++) {
        AUTO(proc_result_done) struct proc_result r = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(sh("(sleep 9 >/dev/null 2>&1 &); echo $0", (struct proc_spec){0}, &r, &e), 0,
                  "run");
        CHECK_STR(buf_view(&r.out), STR("/bin/sh\n"), "output");
    }
}

TEST(proc_leaves_no_zombies_and_no_descriptors)
{
    size_t before = open_descriptors();
    struct thread *threads[4];
    AUTO(err_done) struct err e = {0};

    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        threads[i] = thread_start("spawn", spawn_many, NULL, &e);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        thread_join(threads[i]);
    CHECK_INT((long long)open_descriptors(), (long long)before, "descriptors");
    CHECK_INT(kill(0, 0) == 0 && waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, 1, "zombies");
}

static void gather(void *ctx, bool is_stderr, str chunk)
{
    struct buf *seen = ctx;

    buf_addf(&seen[is_stderr], "%.*s", STR_ARG(chunk));
}

TEST(proc_hands_output_on_as_it_comes)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    struct buf seen[2] = {{0}};

    CHECK_INT(
        sh("echo out; echo err >&2", (struct proc_spec){.output = gather, .ctx = seen}, &r, &e), 0,
        "run");
    CHECK_STR(buf_view(&seen[0]), STR("out\n"), "output");
    CHECK_STR(buf_view(&seen[1]), STR("err\n"), "error");
    CHECK_INT((int)r.out.len, 0, "not kept");
    buf_done(&seen[0]);
    buf_done(&seen[1]);
}

static void say_ready(void *ctx, bool is_stderr UNUSED, str chunk UNUSED)
{
    cancel_trigger(ctx, ERR_CANCELED, "ready");
}

static void kill_all_when_ready(void *ctx)
{
    AUTO(err_done) struct err e = {0};

    cancel_sleep(ctx, TEST_PATIENCE_MS, &e);
    proc_kill_all();
}

TEST(proc_kill_all_ends_running_children)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    AUTO(cancel_free) struct cancel *ready = cancel_new(NULL, CLOCK_NEVER);
    struct thread *t = thread_start("kill", kill_all_when_ready, ready, &e);

    CHECK_INT(sh("echo ready; exec sleep 600",
                 (struct proc_spec){.output = say_ready, .ctx = ready}, &r, &e),
              0, "run");
    thread_join(t);
    proc_describe(&r, &text);
    CHECK_STR(buf_view(&text), STR("killed by SIGKILL"), "description");
}

TEST(proc_kills_what_left_its_group_when_asked)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    int64_t pid = 0;

    CHECK_INT(sh("setsid sh -c 'setsid sleep 60 & echo $!' & wait",
                 (struct proc_spec){.kills_orphans = true}, &r, &e),
              0, "run");
    CHECK(str_to_int64(str_trim(buf_view(&r.out)), &pid) && pid > 1);
    CHECK(kill((pid_t)pid, 0) < 0 && errno == ESRCH);
}
