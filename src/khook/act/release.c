#include "khook/act/release.h"

#include "base/log.h"
#include "sys/env.h"

enum { HISTORY_MAX = 10 };

static void tell(void *ctx, enum chart_tale tale, str text)
{
    struct buf *outstanding = ctx;

    switch (tale) {
    case CHART_TALE_STEP:
        log_info("release", LOG_STR("step", text));
        return;
    case CHART_TALE_WARNING:
        log_warn("release", LOG_STR("warning", text));
        return;
    case CHART_TALE_LOG:
        log_info("release", LOG_STR("log", text));
        return;
    case CHART_TALE_MISSING:
        if (outstanding) {
            buf_clear(outstanding);
            buf_add_str(outstanding, text);
        }
        return;
    case CHART_TALE_REASONS:
        if (outstanding)
            buf_add_str(outstanding, text);
        return;
    }
}

int khook_operation(const struct khook_context *ctx, str release, str ns, struct cancel *cancel,
                    struct buf *outstanding, struct chart_operation *ret, struct err *e)
{
    clock_ms deadline = cancel_deadline(cancel);

    *ret = (struct chart_operation){.kube = ctx->kube,
                                    .name = release,
                                    .ns = ns,
                                    .cancel = cancel,
                                    .tell = tell,
                                    .ctx = outstanding,
                                    .history_max = HISTORY_MAX};
    if (deadline != CLOCK_NEVER)
        ret->timeout_ms = MAX(clock_left(deadline), (int64_t)1);
    return chart_driver_of(str_of(env_get("HELM_DRIVER")), &ret->driver, e);
}

int khook_release_history(const struct khook_context *ctx, str release, str ns,
                          struct cancel *cancel, struct chart_records *ret, struct err *e)
{
    AUTO(chart_store_free) struct chart_store *store = NULL;
    enum chart_driver driver;

    if (chart_driver_of(str_of(env_get("HELM_DRIVER")), &driver, e) < 0)
        return -1;
    store = chart_store_new(ctx->kube, ns, driver);
    return chart_store_history(store, release, cancel, ret, e) < 0
               ? err_wrap(e, "reading the history of release \"%.*s\"", STR_ARG(release))
               : 0;
}

int khook_release_remove(const struct khook_context *ctx, str release, str ns,
                         struct cancel *cancel, struct buf *outstanding, bool *ret_found,
                         struct err *e)
{
    AUTO(chart_record_done) struct chart_record record = {0};
    AUTO(buf_done) struct buf kept = {0};
    struct chart_uninstall_options options = {.cascade = KUBE_BACKGROUND, .ignores_missing = true};
    struct chart_operation op;

    if (khook_operation(ctx, release, ns, cancel, outstanding, &op, e) < 0)
        return -1;
    op.wait = CHART_WAIT_WATCHER;
    if (chart_uninstall(&op, &options, &record, &kept, e) < 0)
        return err_wrap(e, "uninstalling release \"%.*s\"", STR_ARG(release));
    *ret_found = record.root != NULL;
    for (str line, rest = buf_view(&kept); str_next_line(&rest, &line);)
        log_info("an object of the release stays", LOG_STR("release", release),
                 LOG_STR("object", line));
    return 0;
}

void khook_release_describe(const struct chart_record *r, struct buf *out)
{
    str chart = chart_record_chart_name(r), version = chart_record_chart_version(r),
        status = chart_status_name(r->status);

    buf_addf(out, "revision %lld, %.*s-%.*s, %.*s", (long long)r->revision, STR_ARG(chart),
             STR_ARG(version), STR_ARG(status));
}
