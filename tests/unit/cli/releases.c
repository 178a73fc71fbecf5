#include "unit/cli/releases.h"

#include "doc/parse.h"
#include "support/test.h"
#include "sys/file.h"

void world_start(struct world *w, const struct sandbox_options *given)
{
    AUTO(buf_done) struct buf text = {0}, path = {0};
    AUTO(kube_config_free) struct kube_config *config = NULL;
    struct sandbox_options options = {0};
    struct kube_config_flags flags = {0};

    if (given)
        options = *given;
    w->sb = sandbox_start(&options, &w->e);
    CHECK_OK(&w->e);
    sandbox_kubeconfig(w->sb, &text);
    buf_addf(&path, "%s/kubeconfig", test_tmp());
    CHECK(file_replace(buf_cstr(&path), buf_view(&text), NULL, &w->e) == 0);
    flags.kubeconfig = buf_view(&path);
    config = kube_config_load(&flags, &w->e);
    w->kube = config ? kube_new(config, &w->e) : NULL;
    CHECK_OK(&w->e);
}

void world_done(struct world *w)
{
    kube_free(w->kube);
    sandbox_stop(w->sb);
    err_done(&w->e);
    buf_done(&w->told);
    buf_done(&w->missing);
}
static void on_tale(void *ctx, enum chart_tale tale, str text)
{
    struct world *w = ctx;

    if (tale == CHART_TALE_MISSING) {
        buf_clear(&w->missing);
        buf_add_str(&w->missing, text);
        if (w->on_unavailable && str_contains(text, STR("(Available: 0/1)")))
            w->on_unavailable(w);
        return;
    }
    buf_addf(&w->told, "%.*s\n", STR_ARG(text));
}

void plan_done(struct plan *p)
{
    chart_record_done(&p->record);
    doc_set_free(p->set);
}
static void add(struct chart_files *files, const char *name, const char *text)
{
    vec_push(files, {.name = str_of(name), .text = str_of(text)});
}

void plan(struct world *w, struct plan *p, const char *manifest, const char *hooks, const char *crd,
          const char *values)
{
    AUTO(chart_files_done) struct chart_files files = {0};

    p->set = doc_set_new();
    add(&files, "Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.0.0\n");
    add(&files, "values.yaml", "color: red\n");
    add(&files, "templates/a.yaml", manifest);
    if (hooks)
        add(&files, "templates/hooks.yaml", hooks);
    if (crd)
        add(&files, "crds/crd.yaml", crd);
    p->op = (struct chart_operation){.kube = w->kube,
                                     .name = STR("web"),
                                     .ns = STR("default"),
                                     .tell = on_tale,
                                     .ctx = w,
                                     .timeout_ms = TEST_PATIENCE_MS,
                                     .history_max = 10,
                                     .set = p->set};
    p->op.chart = chart_from_files(p->set, &files, &w->e);
    CHECK_OK(&w->e);
    p->op.values = doc_parse(p->set, str_of(values ? values : "{}"), DOC_VALUES, "values", &w->e);
    CHECK_OK(&w->e);
}

bool has(struct world *w, const char *api_version, const char *kind, const char *name,
         const char *text)
{
    AUTO(buf_done) struct buf json = {0};
    AUTO(err_done) struct err e = {0};

    return sandbox_get(w->sb, str_of(api_version), str_of(kind), STR("default"), str_of(name),
                       &json, &e) == 0 &&
           str_contains(buf_view(&json), str_of(text));
}
enum chart_status status_of(struct world *w, int64_t revision)
{
    AUTO(chart_store_free)
    struct chart_store *store = chart_store_new(w->kube, STR("default"), CHART_SECRETS);
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(err_done) struct err e = {0};

    return chart_store_get(store, STR("web"), revision, NULL, &r, &e) == 0 ? r.status
                                                                           : CHART_UNKNOWN;
}

void install(struct world *w, const char *manifest)
{
    AUTO(plan_done) struct plan p = {0};

    plan(w, &p, manifest, NULL, NULL, NULL);
    CHECK(chart_install(&p.op, &p.record, &w->e) == 0);
    CHECK_OK(&w->e);
}
