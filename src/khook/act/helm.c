/* helm: install or upgrade a chart (khook spec 10). */
#include "base/log.h"
#include "base/mem.h"
#include "chart/locate.h"
#include "khook/act/deliver.h"
#include "khook/act/release.h"
#include "khook/act/release_difference.h"

/* ---- the chart and its values */

static int locate(const struct khook_context *ctx, const struct khook_chart_source *s,
                  struct cancel *cancel, struct buf *ret_path, struct err *e)
{
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    struct chart_source source = {
        .repo = s->repo,
        .version = s->version,
        .access = {.username = s->username, .password = s->password, .cancel = cancel},
        .dirs = &dirs};

    if (s->form == KHOOK_CHART_PATH) {
        AUTO(mem_free_str) char *path = khook_path_of(ctx, s->ref);

        buf_add_cstr(ret_path, path);
        return 0;
    }
    secret_add(s->password);
    chart_dirs_read(&dirs);
    return chart_locate(s->ref, &source, ret_path, e);
}

/* Fills in chart and values; they live in the set. */
static int prepare(const struct khook_context *ctx, const struct khook_helm *h,
                   struct cancel *cancel, struct doc_set *set, struct chart_operation *op,
                   struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, display = {0};

    khook_chart_display(&h->source, &display);
    if (locate(ctx, &h->source, cancel, &path, e) < 0 ||
        !(op->chart = chart_load(set, buf_cstr(&path), e)))
        return err_wrap(e, "chart %s", buf_cstr(&display));
    op->values = khook_values_load(ctx, &h->values_from, h->values, set, cancel, e);
    op->set = set;
    op->reuse = CHART_REUSE_RESET;
    op->installs = true;
    op->rolls_back = h->atomic;
    op->wait = h->wait || h->atomic ? CHART_WAIT_WATCHER : CHART_WAIT_HOOKS;
    return op->values ? 0 : -1;
}

/* ---- running */

static int install(const struct khook_context *ctx, const struct khook_attempt *a, bool has_history,
                   struct err *e)
{
    const struct khook_helm *h = a->step->helm;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_record_done) struct chart_record record = {0};
    struct chart_operation op;

    if (khook_operation(ctx, h->release, h->ns, a->cancel, a->outstanding, &op, e) < 0 ||
        prepare(ctx, h, a->cancel, set, &op, e) < 0)
        return -1;
    return chart_upgrade(&op, NULL, &record, e) < 0
               ? err_wrap(e, "%s release \"%.*s\"", has_history ? "upgrading" : "installing",
                          STR_ARG(h->release))
               : 0;
}

static int run(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    const struct khook_helm *h = a->step->helm;
    AUTO(chart_records_done) struct chart_records history = {0};

    if (khook_release_history(ctx, h->release, h->ns, a->cancel, &history, e) < 0)
        return -1;
    if (h->skip_if.len && history.len) {
        buf_add_cstr(a->note, "skipIf: installed");
        return 0;
    }
    if (h->create_ns && khook_ensure_namespace(ctx->kube, h->ns, a->cancel, e) < 0)
        return -1;
    return install(ctx, a, history.len > 0, e);
}

static int teardown(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    const struct khook_helm *h = a->step->helm;
    bool found;

    return khook_release_remove(ctx, h->release, h->ns, a->cancel, a->outstanding, &found, e);
}

/* ---- plan */

static int predict(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    const struct khook_helm *h = step->helm;
    AUTO(chart_records_done) struct chart_records history = {0};

    if (khook_release_history(ctx, h->release, h->ns, cancel, &history, e) < 0)
        return -1;
    if (history.len && h->skip_if.len) {
        ret->action = KHOOK_PLAN_SKIP;
        buf_add_cstr(&ret->detail, "skipIf: installed");
        return 0;
    }
    ret->action = history.len ? KHOOK_PLAN_UPGRADE : KHOOK_PLAN_INSTALL;
    buf_addf(&ret->detail, "release \"%.*s\": ", STR_ARG(h->release));
    if (history.len) {
        khook_release_describe(chart_records_last(&history), &ret->detail);
        buf_add_cstr(&ret->detail, " -> ");
    }
    khook_chart_display(&h->source, &ret->detail);
    if (!history.len)
        khook_predict_namespace(ctx, h->ns, h->create_ns, cancel, &ret->detail);
    return 0;
}

/* Rendered as an upgrade would be, nothing is stored. */
static int diff(const struct khook_context *ctx, const struct khook_step *step,
                struct cancel *cancel, struct buf *out, struct err *e)
{
    const struct khook_helm *h = step->helm;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_records_done) struct chart_records history = {0};
    AUTO(chart_record_done) struct chart_record planned = {0};
    struct chart_operation op;
    const struct chart_record *last;

    if (khook_release_history(ctx, h->release, h->ns, cancel, &history, e) < 0 ||
        khook_operation(ctx, h->release, h->ns, cancel, NULL, &op, e) < 0 ||
        prepare(ctx, h, cancel, set, &op, e) < 0)
        return -1;
    op.dry_run = CHART_DRY_SERVER;
    if (chart_upgrade(&op, NULL, &planned, e) < 0)
        return -1;
    last = chart_records_last(&history);
    return khook_release_difference(
        &(struct khook_manifests){.kube = ctx->kube,
                                  .cancel = cancel,
                                  .ns = h->ns,
                                  .from = last ? chart_record_manifest(last) : STR_NONE,
                                  .to = chart_record_manifest(&planned),
                                  .sides = khook_live_and_planned,
                                  .leaves_kept = true},
        out, e);
}

static void summary(const struct khook_step *step, struct buf *out)
{
    const struct khook_helm *h = step->helm;

    buf_addf(out, "release \"%.*s\": ", STR_ARG(h->release));
    khook_chart_display(&h->source, out);
    buf_addf(out, " -> namespace %.*s", STR_ARG(h->ns));
}

const struct khook_executor khook_act_helm = {
    .run = run,
    .teardown = teardown,
    .predict = predict,
    .diff = diff,
    .summary = summary,
};
