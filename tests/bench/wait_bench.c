/* Waits (P27): from a change in the API to the end of the wait, in an in-process sandbox; the 99th
 * percentile. And what a wait asks while nothing changes: nothing. */
#include <unistd.h>

#include "base/mem.h"
#include "bench/pair.h"
#include "khook/await/await.h"
#include "sandbox/sandbox.h"
#include "sys/file.h"
#include "sys/thread.h"

enum { ROUNDS = 200, MOST_MS = 20, QUIET_MS = 1500 };

struct world {
    struct sandbox *sb;
    struct kube *kube;
    _Atomic size_t requests;
    double changed;
};

static void count_request(void *ctx, const struct sandbox_call *call UNUSED)
{
    struct world *w = ctx;

    w->requests++;
}

static int connect(struct world *w, struct err *e)
{
    AUTO(buf_done) struct buf kubeconfig = {0};
    AUTO(mem_free_str) char *path = str_printf("/tmp/wait-bench-%d", (int)getpid());
    struct kube_config_flags flags = {.kubeconfig = str_of(path)};
    AUTO(kube_config_free) struct kube_config *config = NULL;

    sandbox_kubeconfig(w->sb, &kubeconfig);
    if (file_replace(path, buf_view(&kubeconfig), NULL, e) < 0)
        return -1;
    config = kube_config_load(&flags, e);
    unlink(path);
    w->kube = config ? kube_new(config, e) : NULL;
    return w->kube ? 0 : -1;
}

static int config_map_set(struct world *w, const char *value, struct err *e)
{
    AUTO(mem_free_str)
    char *json =
        str_printf("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\","
                   "\"namespace\":\"default\"},\"data\":{\"go\":\"%s\"}}",
                   value);

    return sandbox_put(w->sb, str_of(json), e);
}

struct change {
    struct world *w;
    int64_t after_ms;
    struct thread *thread;
};

static void change_later(void *ctx)
{
    struct change *c = ctx;
    AUTO(err_done) struct err e = {0};

    (void)cancel_sleep(NULL, c->after_ms, &e);
    c->w->changed = pair_now();
    (void)config_map_set(c->w, "yes", &e);
}

/* Seconds from the change to the end of one wait. */
static int round_once(struct world *w, int64_t after_ms, double *ret, struct err *e)
{
    static const str text = STR_INIT("jsonpath={.data.go}=yes");
    AUTO(wait_for_done) struct wait_for condition = {0};
    struct khook_await await = {.type = STR("configmap"),
                                .name = STR("c"),
                                .ns = STR("default"),
                                .texts = &text,
                                .count = 1};
    struct change change = {.w = w, .after_ms = after_ms};
    int rc;

    if (wait_for_parse(text, WAIT_KHOOK, &condition, e) < 0 || config_map_set(w, "no", e) < 0)
        return -1;
    await.conditions = &condition;
    change.thread = thread_start("change", change_later, &change, e);
    if (!change.thread)
        return -1;
    rc = khook_await(w->kube, &await, NULL, NULL, e);
    *ret = pair_now() - w->changed;
    thread_join(change.thread);
    return rc;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int measure(struct world *w, bool *ret_met, struct err *e)
{
    static double seconds[ROUNDS];
    size_t before, asked;
    double quiet;

    for (size_t i = 0; i < ROUNDS; i++)
        if (round_once(w, 3 + (int64_t)(i % 5), &seconds[i], e) < 0)
            return -1;
    qsort(seconds, ROUNDS, sizeof(seconds[0]), by_size);
    *ret_met = pair_value("wait/from the change to the end, p50", seconds[ROUNDS / 2] * 1e3, "ms",
                          MOST_MS);
    *ret_met &= pair_value("wait/from the change to the end, p99", seconds[ROUNDS * 99 / 100] * 1e3,
                           "ms", MOST_MS);
    before = w->requests;
    if (round_once(w, QUIET_MS, &quiet, e) < 0)
        return -1;
    asked = w->requests - before;
    *ret_met &= pair_value("wait/requests of a wait of 1.5 s", (double)asked, "requests",
                           2); /* the list and the watch */
    return 0;
}

int main(void)
{
    AUTO(err_done) struct err e = {0};
    struct world w = {0};
    struct sandbox_options options = {.no_controllers = true,
                                      .hooks = {.after = count_request, .ctx = &w}};
    bool met = false;
    int rc;

    w.sb = sandbox_start(&options, &e);
    rc = w.sb ? connect(&w, &e) : -1;
    if (rc == 0)
        rc = measure(&w, &met, &e);
    kube_free(w.kube);
    sandbox_stop(w.sb);
    if (rc < 0)
        fprintf(stderr, "wait: %s\n", err_text(&e));
    return rc < 0 ? 2 : !met;
}
