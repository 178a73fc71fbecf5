/* Kill points of operations on releases: install, upgrade and rollback die before or after the n-th
 * request, for every n. The next command takes the release over; then exactly one revision is
 * deployed, none is pending, and the objects are those of that revision. */
#include <stdio.h>

#include "base/mem.h"
#include "chart/release/store.h"
#include "faults/faults.h"
#include "faults/killer.h"
#include "sys/file.h"
#include "sys/thread.h"

enum { MAX_WORDS = 24 };

static const char *const chart[][2] = {
    {"Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.1.0\n"},
    {"values.yaml", "color: red\n"},
    {"templates/all.yaml",
     "{{- range list \"a\" \"b\" .Values.color }}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: "
     "{name: \"web-{{ . }}\"}\ndata: {color: \"{{ $.Values.color }}\"}\n{{- end }}\n---\n"
     "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\n"},
    {"templates/hooks.yaml",
     "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: before\n  annotations: {helm.sh/hook: "
     "\"pre-install,pre-upgrade,pre-rollback\"}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n"
     "  name: after\n  annotations: {helm.sh/hook: \"post-install,post-upgrade,post-rollback\", "
     "helm.sh/hook-delete-policy: hook-succeeded}\n"},
};

/* What is killed, what is done before it, what takes it up, and the colour of the objects then. */
static const struct operation {
    const char *name;
    const char *before[2], *killed, *next;
    const char *color; /* NULL: there is no release then */
} operations[] = {
    {"install", {NULL}, "install web CHART", "install web CHART", "red"},
    {"install again",
     {NULL},
     "install web CHART",
     "upgrade --install web CHART --set color=blue",
     "blue"},
    {"upgrade",
     {"install web CHART"},
     "upgrade web CHART --set color=blue",
     "upgrade web CHART --set color=green",
     "green"},
    {"upgrade, back",
     {"install web CHART"},
     "upgrade web CHART --set color=blue",
     "rollback web 1",
     "red"},
    {"rollback",
     {"install web CHART", "upgrade web CHART --set color=blue"},
     "rollback web 1",
     "upgrade web CHART --set color=green",
     "green"},
    {"uninstall", {"install web CHART"}, "uninstall web", "uninstall web --ignore-not-found", NULL},
};

struct scene { /* one server, one release */
    struct sandbox *sb;
    struct kube *kube;
    char *dir, *kubeconfig, *chart;
    const char *program;
    struct killer killer;
};

/* ---- the server */

static int write_chart(const char *dir, struct err *e)
{
    AUTO(mem_free_str) char *templates = str_printf("%s/templates", dir);

    if (file_mkdirs(templates, 0700, e) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_LEN(chart); i++) {
        AUTO(mem_free_str) char *path = str_printf("%s/%s", dir, chart[i][0]);

        if (file_replace(path, str_of(chart[i][1]), NULL, e) < 0)
            return -1;
    }
    return 0;
}

static void scene_stop(struct scene *s)
{
    kube_free(s->kube);
    sandbox_stop(s->sb);
    mem_free(s->dir);
    mem_free(s->kubeconfig);
    mem_free(s->chart);
}
AUTO_VALUE(struct scene, scene_stop)

static int scene_start(struct scene *s, const char *program, const char *dir, struct err *e)
{
    struct sandbox_options options = {.no_controllers = true, .hooks = killer_hooks(&s->killer)};
    struct kube_config_flags flags = {0};
    AUTO(kube_config_free) struct kube_config *config = NULL;
    AUTO(buf_done) struct buf text = {0};

    s->program = program;
    s->dir = mem_strdup(dir);
    s->kubeconfig = str_printf("%s/kubeconfig", dir);
    s->chart = str_printf("%s/chart", dir);
    s->sb = write_chart(s->chart, e) == 0 ? sandbox_start(&options, e) : NULL;
    if (!s->sb)
        return -1;
    sandbox_kubeconfig(s->sb, &text);
    if (file_replace(s->kubeconfig, buf_view(&text), NULL, e) < 0)
        return -1;
    flags.kubeconfig = str_of(s->kubeconfig);
    config = kube_config_load(&flags, e);
    s->kube = config ? kube_new(config, e) : NULL;
    return s->kube ? 0 : -1;
}

/* ---- commands */

/* `grapnel chart WORDS`, killed at request `at` if that is not 0. The exit status, -1 with e. */
static int run(struct scene *s, const char *words, int at, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(child_done) struct child child = {0};
    const char *argv[MAX_WORDS] = {s->program, "chart"};
    size_t count = 2;

    for (str rest = str_of(words); rest.p;) {
        str word = str_cut(rest, ' ', &rest);

        argv[count++] = str_eq(word, STR("CHART")) ? s->chart : arena_cstr(&arena, word);
    }
    argv[count++] = "--kubeconfig";
    argv[count++] = s->kubeconfig;
    argv[count++] = "--namespace";
    argv[count] = "default";
    killer_arm(&s->killer, at);
    return child_start_words(argv, s->dir, &child, e) < 0
               ? -1
               : killer_wait(&s->killer, &child, words, e);
}

/* Makes the lease of whoever was killed look old. */
static int age_lease(struct scene *s, struct err *e)
{
    AUTO(chart_store_free)
    struct chart_store *store = chart_store_new(s->kube, STR("default"), CHART_SECRETS);
    AUTO(chart_records_done) struct chart_records all = {0};

    if (chart_store_history(store, STR("web"), NULL, &all, e) < 0)
        return -1;
    for (size_t i = 0; i < all.len; i++) {
        AUTO(mem_free_str)
        char *name = str_printf("sh.helm.release.v1.web.v%lld", (long long)all.v[i].revision);

        if (all.v[i].holder.len &&
            sandbox_merge(s->sb, STR("v1"), STR("Secret"), STR("default"), str_of(name),
                          STR("{\"metadata\":{\"annotations\":{\"grapnel.dev/renewed\":"
                              "\"2020-01-01T00:00:00Z\"}}}"),
                          e) < 0)
            return -1;
    }
    return 0;
}

/* ---- what must be true afterwards */

static int check_records(struct scene *s, struct err *e)
{
    AUTO(chart_store_free)
    struct chart_store *store = chart_store_new(s->kube, STR("default"), CHART_SECRETS);
    AUTO(chart_records_done) struct chart_records all = {0};
    size_t deployed = 0;

    if (chart_store_history(store, STR("web"), NULL, &all, e) < 0)
        return -1;
    for (size_t i = 0; i < all.len; i++) {
        deployed += all.v[i].status == CHART_DEPLOYED;
        if (chart_status_is_pending(all.v[i].status))
            return err_set(e, ERR_INVALID, "revision %lld is pending",
                           (long long)all.v[i].revision);
        if (all.v[i].holder.len)
            return err_set(e, ERR_INVALID, "revision %lld is still held",
                           (long long)all.v[i].revision);
    }
    if (deployed != 1)
        return err_set(e, ERR_INVALID, "%zu revisions are deployed", deployed);
    return chart_records_last(&all)->status == CHART_DEPLOYED
               ? 0
               : err_set(e, ERR_INVALID, "the last revision is not the deployed one");
}

static int check_objects(struct scene *s, const char *color, struct err *e)
{
    const char *const names[] = {"web-a", "web-b", color};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        AUTO(buf_done) struct buf json = {0};
        AUTO(mem_free_str)
        char *name = str_printf("%s%s", i == 2 ? "web-" : "", names[i]);
        AUTO(mem_free_str) char *want = str_printf("\"color\":\"%s\"", color);

        if (sandbox_get(s->sb, STR("v1"), STR("ConfigMap"), STR("default"), str_of(name), &json,
                        e) < 0)
            return err_wrap(e, "%s", name);
        if (!str_contains(buf_view(&json), str_of(want)))
            return err_set(e, ERR_INVALID, "%s is not %s", name, color);
    }
    return 0;
}

static int check_gone(struct scene *s, struct err *e)
{
    AUTO(chart_store_free)
    struct chart_store *store = chart_store_new(s->kube, STR("default"), CHART_SECRETS);
    AUTO(chart_records_done) struct chart_records all = {0};
    AUTO(buf_done) struct buf json = {0};
    AUTO(err_done) struct err missing = {0};

    if (chart_store_history(store, STR("web"), NULL, &all, e) < 0)
        return -1;
    if (all.len)
        return err_set(e, ERR_INVALID, "%zu records are left", all.len);
    return sandbox_get(s->sb, STR("v1"), STR("ConfigMap"), STR("default"), STR("web-a"), &json,
                       &missing) < 0
               ? 0
               : err_set(e, ERR_INVALID, "an object is left");
}

static int check(struct scene *s, const char *color, struct err *e)
{
    if (!color)
        return check_gone(s, e);
    return check_records(s, e) < 0 ? -1 : check_objects(s, color, e);
}

/* ---- all points */

struct kills {
    const struct faults_options *o;
    const struct operation *operation;
    size_t number;
    int requests; /* of the operation, left alone */
    _Atomic int resumed, failed, missed;
    pthread_mutex_t lock; /* of stderr */
};

static int prepare(struct kills *c, struct scene *s, const char *dir, struct err *e)
{
    if (scene_start(s, c->o->program, dir, e) < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_LEN(c->operation->before) && c->operation->before[i]; i++)
        if (run(s, c->operation->before[i], 0, e) != 0)
            return -1;
    return 0;
}

/* 1: it had ended before the point came. */
static int kill_and_go_on(struct kills *c, struct scene *s, const char *dir, int at, struct err *e)
{
    int rc;

    if (prepare(c, s, dir, e) < 0)
        return -1;
    rc = run(s, c->operation->killed, at, e);
    if (rc <= 0)
        return rc == 0 ? 1 : -1;
    if (age_lease(s, e) < 0)
        return -1;
    if (!strcmp(c->operation->name, "install") && check_records(s, e) == 0)
        return 1; /* all was done but the last answer: the name is taken */
    err_done(e);
    if (run(s, c->operation->next, 0, e) != 0)
        return err_wrap(e, "the next command");
    return check(s, c->operation->color, e);
}

static void run_one(void *ctx, size_t i)
{
    struct kills *c = ctx;
    size_t point = i * (size_t)MAX(c->o->each, 1);
    int at = (int)(point / 2) + 1, rc;
    AUTO(mem_free_str)
    char *dir = str_printf("%s/release-%zu-%zu", c->o->dir, c->number, i);
    AUTO(scene_stop) struct scene s = {.killer.is_after = point % 2};
    AUTO(err_done) struct err e = {0};

    rc = kill_and_go_on(c, &s, dir, at, &e);
    if (rc == 1) {
        c->missed++;
    } else if (rc == 0) {
        c->resumed++;
    } else {
        LOCK_SCOPE(&c->lock);
        fprintf(stderr, "kill %s %s request %d: %s\n", c->operation->name,
                s.killer.is_after ? "after" : "before", at, err_text(&e));
        c->failed++;
    }
}

static int count_requests(struct kills *c, struct err *e)
{
    AUTO(mem_free_str) char *dir = str_printf("%s/release-%zu", c->o->dir, c->number);
    AUTO(scene_stop) struct scene s = {0};

    if (prepare(c, &s, dir, e) < 0 || run(&s, c->operation->killed, 0, e) != 0)
        return -1;
    return s.killer.seen;
}

void faults_releases(const struct faults_options *o, struct faults_score *score)
{
    for (size_t i = 0; i < ARRAY_LEN(operations); i++) {
        struct kills c = {
            .o = o, .operation = &operations[i], .number = i, .lock = PTHREAD_MUTEX_INITIALIZER};
        AUTO(err_done) struct err e = {0};

        if (o->only && !strstr(operations[i].name, o->only))
            continue;
        c.requests = count_requests(&c, &e);
        if (c.requests > 0)
            faults_each(o->workers, (size_t)c.requests * 2 / (size_t)MAX(o->each, 1), run_one, &c);
        else
            fprintf(stderr, "%s: %s\n", operations[i].name, err_text(&e));
        printf("kill points of %s: %d of %d taken up (it has %d requests; %d points came after its "
               "end)\n",
               operations[i].name, c.resumed, c.resumed + c.failed, c.requests, c.missed);
        score->passed += c.resumed;
        score->failed += c.failed + (c.requests <= 0);
    }
}
