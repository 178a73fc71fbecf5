/* Ctrl-C in the middle of an apply: once it ends in order, twice at once; no child stays behind. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "faults/child.h"
#include "faults/faults.h"
#include "sys/file.h"

/* END_MS: far below the time-out of the step that waits, far above what a loaded machine takes. */
enum { PREPARE_MS = 120000, END_MS = 30000, LOOK_MS = 2, AGAIN_MS = 50 };

static const char never_step[] =
    "- name: never\n"
    "  needs: [conf]\n"
    "  wait: {for: \"jsonpath={.data.k}=other\", on: configmap/a, namespace: shop}\n";

/* What the server has seen. */
struct stage {
    _Atomic bool is_waiting;   /* the run watches for what never comes */
    _Atomic bool holds_writes; /* writes of the record wait until this ends */
    _Atomic bool is_held;      /* one waits */
};

static void pause_ms(int64_t ms)
{
    AUTO(err_done) struct err never = {0};

    (void)cancel_sleep(NULL, ms, &never);
}

static int on_before(void *ctx, const struct sandbox_call *call)
{
    struct stage *s = ctx;
    bool is_record = str_eq(call->path, STR(WORKLOAD_RECORD_PATH));

    while (s->holds_writes && is_record && str_eq(call->method, STR("PUT"))) {
        s->is_held = true;
        pause_ms(LOOK_MS);
    }
    return 0;
}

static void on_after(void *ctx, const struct sandbox_call *call)
{
    struct stage *s = ctx;

    if (call->is_watch && str_eq(call->plural, STR("configmaps")))
        s->is_waiting = true;
}

static bool comes_true(_Atomic bool *flag)
{
    clock_ms deadline = clock_after(PREPARE_MS);

    while (!*flag && clock_left(deadline))
        pause_ms(LOOK_MS);
    return *flag;
}

/* ---- judging */

struct trial {
    const struct faults_options *o;
    const char *name;
    struct stage stage;
    struct workload *w;
    struct child child;
    bool failed;
};

static void wrong(struct trial *t, const char *what, const char *text)
{
    t->failed = true;
    fprintf(stderr, "signals, %s: %s%s\n", t->name, what, text);
}

static void expect_end(struct trial *t, int rc)
{
    AUTO(buf_done) struct buf text = {0};

    if (!child_wait(&t->child, END_MS)) {
        wrong(t, "it does not end", "");
        return;
    }
    child_err(&t->child, &text);
    if (child_rc(&t->child) != rc) {
        buf_addf(&text, "\n(exit status %d instead of %d)", child_rc(&t->child), rc);
        wrong(t, "", buf_cstr(&text));
    } else if (rc == 1 && !strstr(buf_cstr(&text), "canceled")) {
        wrong(t, "it does not say that it was canceled: ", buf_cstr(&text));
    }
}

/* The record says that the run failed, what was done before stays done, no lease is left. */
static void expect_record(struct trial *t)
{
    AUTO(buf_done) struct buf state = {0};

    workload_state(t->w, &state);
    if (!strstr(buf_cstr(&state), "run=failed space=2 crd=2 conf=2"))
        wrong(t, "the record was not finished:\n", buf_cstr(&state));
    if (strstr(buf_cstr(&state), "khook.io/holder"))
        wrong(t, "the lease was not given up", "");
}

/* Signals until it ends: one that has not been taken yet swallows the next. */
static void signal_again(struct trial *t, int signo)
{
    clock_ms deadline = clock_after(END_MS);

    while (clock_left(deadline) && !t->child.is_over) {
        kill(t->child.pid, signo);
        (void)child_wait(&t->child, AGAIN_MS);
    }
}

/* ---- trials */

static void begin(struct trial *t, const char *kubeconfig)
{
    struct workload_options options = {
        .more_steps = never_step,
        .hooks = {.before = on_before, .after = on_after, .ctx = &t->stage}};
    AUTO(mem_free_str) char *dir = str_printf("%s/%s", t->o->dir, t->name);
    AUTO(err_done) struct err e = {0};

    t->w = workload_start(dir, &options, &e);
    if (!t->w || child_start(t->o->program, t->w, kubeconfig, &t->child, &e) < 0)
        wrong(t, "", err_text(&e));
}

static void once(struct trial *t, int signo)
{
    begin(t, NULL);
    if (t->failed || !comes_true(&t->stage.is_waiting)) {
        wrong(t, "the run does not get to its wait", "");
        return;
    }
    kill(t->child.pid, signo);
    expect_end(t, 1);
    expect_record(t);
}

/* The server does not answer the last write of the record, so the first signal cannot end it. */
static void twice(struct trial *t, int signo)
{
    begin(t, NULL);
    if (t->failed || !comes_true(&t->stage.is_waiting)) {
        wrong(t, "the run does not get to its wait", "");
        return;
    }
    t->stage.holds_writes = true;
    kill(t->child.pid, signo);
    if (!comes_true(&t->stage.is_held))
        wrong(t, "the record is not written", "");
    signal_again(t, signo);
    expect_end(t, 128 + signo);
    t->stage.holds_writes = false;
}

/* A credential plugin that writes its number and stays. */
static int write_plugin(const char *dir, const char *prelude, char **ret_config, char **ret_pid,
                        struct err *e)
{
    AUTO(mem_free_str) char *plugin = str_printf("%s-plugin", dir);
    AUTO(buf_done) struct buf text = {0};
    struct file_replace executable = {.mode = 0700};

    *ret_config = str_printf("%s-kubeconfig", dir);
    *ret_pid = str_printf("%s-pid", dir);
    buf_addf(&text, "#!/bin/sh\n%s\necho $$ >%s.new && mv %s.new %s\nwhile :; do sleep 1; done\n",
             prelude, *ret_pid, *ret_pid, *ret_pid);
    if (file_replace(plugin, buf_view(&text), &executable, e) < 0)
        return -1;
    buf_clear(&text);
    buf_addf(&text,
             "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
             "contexts: [{name: c, context: {cluster: c, user: u}}]\n"
             "clusters: [{name: c, cluster: {server: \"http://127.0.0.1:9\"}}]\n"
             "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, "
             "command: \"%s\", interactiveMode: Never}}}]\n",
             plugin);
    return file_replace(*ret_config, buf_view(&text), NULL, e);
}

static pid_t read_pid(const char *path)
{
    clock_ms deadline = clock_after(PREPARE_MS);

    while (clock_left(deadline)) {
        AUTO(buf_done) struct buf text = {0};
        AUTO(err_done) struct err e = {0};

        if (file_read(path, 64, &text, &e) == 0)
            return (pid_t)strtol(buf_cstr(&text), NULL, 10);
        pause_ms(LOOK_MS);
    }
    return 0;
}

/* Ended processes whose parent has gone wait for pid 1 to collect them: those are no more. */
static bool is_running(pid_t pid)
{
    AUTO(mem_free_str) char *path = str_printf("/proc/%d/stat", (int)pid);
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};

    return file_read(path, 4096, &text, &e) == 0 && !strstr(buf_cstr(&text), ") Z ");
}

static bool goes_away(pid_t pid)
{
    clock_ms deadline = clock_after(END_MS);

    while (is_running(pid) && clock_left(deadline))
        pause_ms(LOOK_MS);
    return !is_running(pid);
}

static void with_plugin(struct trial *t, const char *prelude, bool is_twice)
{
    AUTO(mem_free_str)
    char *dir = str_printf("%s/%s", t->o->dir, t->name), *config = NULL, *pid_file = NULL;
    AUTO(err_done) struct err e = {0};
    pid_t plugin = 0;

    if (write_plugin(dir, prelude, &config, &pid_file, &e) < 0) {
        wrong(t, "", err_text(&e));
        return;
    }
    begin(t, config);
    plugin = t->failed ? 0 : read_pid(pid_file);
    if (!plugin) {
        wrong(t, "the plugin was not started", "");
        return;
    }
    kill(t->child.pid, SIGINT);
    if (is_twice)
        signal_again(t, SIGINT);
    expect_end(t, is_twice ? 128 + SIGINT : 1);
    if (!goes_away(plugin))
        wrong(t, "the plugin is still there", "");
}

static void interrupt(struct trial *t) { once(t, SIGINT); }
static void terminate(struct trial *t) { once(t, SIGTERM); }
static void interrupt_twice(struct trial *t) { twice(t, SIGINT); }
static void terminate_twice(struct trial *t) { twice(t, SIGTERM); }
static void plugin(struct trial *t) { with_plugin(t, ":", false); }
static void stubborn_plugin(struct trial *t) { with_plugin(t, "trap '' TERM INT", true); }

static const struct {
    const char *name;
    void (*run)(struct trial *t);
} trials[] = {
    {"interrupt", interrupt},
    {"terminate", terminate},
    {"interrupt-twice", interrupt_twice},
    {"terminate-twice", terminate_twice},
    {"plugin", plugin},
    {"stubborn-plugin-twice", stubborn_plugin},
};

void faults_signals(const struct faults_options *o, struct faults_score *score)
{
    int passed = 0;

    for (size_t i = 0; i < ARRAY_LEN(trials); i++) {
        struct trial t = {.o = o, .name = trials[i].name};

        trials[i].run(&t);
        child_done(&t.child);
        t.stage.holds_writes = false;
        workload_stop(t.w);
        passed += !t.failed;
    }
    printf("signals: %d of %zu as promised\n", passed, ARRAY_LEN(trials));
    score->passed += passed;
    score->failed += (int)ARRAY_LEN(trials) - passed;
}
