#include "khook/release.h"

#include "base/log.h"
#include "doc/parse.h"
#include "khook/difference.h"
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

/* ---- differences */

struct side {
    struct doc_set *set;
    struct doc_list roots;
};
static void side_done(struct side *s)
{
    doc_list_done(&s->roots);
    doc_set_free(s->set);
}
AUTO_VALUE(struct side, side_done)

static int read_side(struct side *s, str manifest, struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_VALUES};

    s->set = doc_set_new();
    return doc_parse_all(s->set, manifest, &options, "manifest", &s->roots, e);
}

static bool is_same(const struct doc_node *a, const struct doc_node *b)
{
    static const char *const paths[] = {"apiVersion", "kind", "metadata/name",
                                        "metadata/namespace"};

    for (size_t i = 0; i < ARRAY_LEN(paths); i++)
        if (!str_eq(doc_text(doc_at(a, paths[i]), STR("")), doc_text(doc_at(b, paths[i]), STR(""))))
            return false;
    return true;
}

static struct doc_node *twin_of(const struct side *s, const struct doc_node *object)
{
    for (size_t i = 0; i < s->roots.len; i++)
        if (doc_is_map(s->roots.v[i]) && is_same(s->roots.v[i], object))
            return s->roots.v[i];
    return NULL;
}

struct comparison {
    const struct khook_context *ctx;
    str ns;
    struct cancel *cancel;
    struct buf *out;
};

/* A kind that is not served yet counts as namespaced. */
static int compare(const struct comparison *c, const struct doc_node *of, struct doc_node *live,
                   struct doc_node *planned, struct err *e)
{
    struct kube_type unknown = {.version = STR("v1"),
                                .kind = doc_text(doc_get_lit(of, "kind"), STR("")),
                                .namespaced = true};
    struct kube_object a = {.set = doc_set_new()}, b = {.set = doc_set_new()};
    str ns = doc_text(doc_at(of, "metadata/namespace"), STR_NONE);
    struct kube_ref ref = {.type = kube_type_of(c->ctx->kube,
                                                doc_text(doc_get_lit(of, "apiVersion"), STR("")),
                                                unknown.kind, c->cancel, e),
                           .name = doc_text(doc_at(of, "metadata/name"), STR(""))};

    if (!ref.type && e->kind == ERR_NOT_FOUND) {
        err_done(e);
        ref.type = &unknown;
    }
    if (ref.type) {
        ref.ns = !ref.type->namespaced ? STR("") : ns.len ? ns : c->ns;
        a.root = live ? doc_copy(a.set, live) : NULL;
        b.root = planned ? doc_copy(b.set, planned) : NULL;
        khook_difference(&ref, &a, &b, c->out);
    }
    kube_object_done(&a);
    kube_object_done(&b);
    return ref.type ? 0 : -1;
}

int khook_release_difference(const struct khook_context *ctx, str live, str planned, str ns,
                             struct cancel *cancel, struct buf *out, struct err *e)
{
    AUTO(side_done) struct side before = {0}, after = {0};
    struct comparison c = {.ctx = ctx, .ns = ns, .cancel = cancel, .out = out};

    if (read_side(&before, live, e) < 0 || read_side(&after, planned, e) < 0)
        return -1;
    for (size_t i = 0; i < after.roots.len; i++) {
        struct doc_node *object = after.roots.v[i];

        if (doc_is_map(object) && compare(&c, object, twin_of(&before, object), object, e) < 0)
            return -1;
    }
    for (size_t i = 0; i < before.roots.len; i++) {
        struct doc_node *object = before.roots.v[i];

        if (doc_is_map(object) && !twin_of(&after, object) &&
            compare(&c, object, object, NULL, e) < 0)
            return -1;
    }
    return 0;
}
