#include "sys/proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/test.h"
#include "sys/env.h"
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

TEST(proc_ends_a_child_at_its_deadline)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    struct cancel *c = cancel_new(NULL, clock_after(60));

    /* The shell ignores SIGTERM, its child does not get it from the shell: the group does. */
    CHECK_INT(sh("trap '' TERM; echo started; while :; do sleep 60; done",
                 (struct proc_spec){.cancel = c, .grace_ms = 50}, &r, &e),
              -1, "run");
    CHECK_INT(e.kind, ERR_TIMEOUT, "kind");
    CHECK_STR(str_of(err_text(&e)), STR("/bin/sh: timed out"), "text");
    CHECK_STR(buf_view(&r.out), STR("started\n"), "what there was");
    CHECK_INT(r.signal, SIGKILL, "signal");
    CHECK(r.duration_ms < 20000);
    cancel_free(c);
}

static void trigger_soon(void *ctx)
{
    AUTO(err_done) struct err e = {0};

    cancel_sleep(NULL, 30, &e);
    cancel_trigger(ctx, ERR_CANCELED, "run canceled");
}

TEST(proc_lets_a_cancelled_child_say_good_bye)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    struct cancel *c = cancel_new(NULL, CLOCK_NEVER);
    struct thread *t = thread_start("trigger", trigger_soon, c, &e);

    CHECK_INT(sh("trap 'echo bye; exit 4' TERM; sleep 60 & wait", (struct proc_spec){.cancel = c},
                 &r, &e),
              -1, "run");
    thread_join(t);
    CHECK_INT(e.kind, ERR_CANCELED, "kind");
    CHECK_STR(buf_view(&r.out), STR("bye\n"), "output");
    CHECK_INT(r.exit_code, 4, "exit code");
    cancel_free(c);
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
    clock_ms begin = clock_now();
    int64_t pid = 0;

    CHECK_INT(sh("sleep 60 & echo $!", (struct proc_spec){0}, &r, &e), 0, "run");
    CHECK(clock_now() - begin < 20000);
    CHECK(str_to_int64(str_trim(buf_view(&r.out)), &pid));
    for (int i = 0; i < 1000 && kill((pid_t)pid, 0) == 0; i++) { /* a zombie until init reaps it */
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

static void kill_all_soon(void *ctx UNUSED)
{
    AUTO(err_done) struct err e = {0};

    cancel_sleep(NULL, 50, &e);
    proc_kill_all();
}

TEST(proc_kill_all_ends_running_children)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    struct thread *t = thread_start("kill", kill_all_soon, NULL, &e);

    CHECK_INT(sh("sleep 60", (struct proc_spec){0}, &r, &e), 0, "run");
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
