#include "kube/watch.h"

#include "base/log.h"
#include "kube/client_priv.h"
#include "kube/watch_priv.h"
#include "sys/random.h"

enum {
    SHORTEST_S = 300, /* of a watch: as client-go, five to ten minutes */
    IDLE_MS = 150000, /* bookmarks come each minute: no word for longer is a dead connection */
    FIRST_BACKOFF_MS = 50,
    BACKOFF_MS = 1000, /* at most, for the first FEW_FAILURES in a row */
    LONG_BACKOFF_MS = 5000,
    FEW_FAILURES = 30,
    QUICK_MS = 1000, /* a watch that ends sooner without a word has failed */
};

struct watch {
    struct kube *k;
    const struct kube_ref *ref;
    const struct kube_list_options *options;
    struct cancel *cancel;
    struct watch_history history;
    struct watch_stream stream;
    int failures;   /* in a row */
    bool is_listed; /* version is good to watch from */
};

/* ---- the list */
static int on_object(void *ctx, struct doc_set *set, struct doc_node *object)
{
    struct watch *w = ctx;

    watch_list_object(&w->history, set, object);
    return w->history.is_ended;
}

static void on_restart(void *ctx)
{
    struct watch *w = ctx;

    watch_list_begin(&w->history);
}

static int list(struct watch *w, struct err *e)
{
    watch_list_begin(&w->history);
    if (kube_list_pages(w->k, w->ref, w->options, w->cancel, on_object, on_restart, w,
                        &w->stream.version, e) < 0)
        return -1;
    w->is_listed = true;
    if (!w->history.is_ended)
        watch_list_end(&w->history);
    return 0;
}

/* ---- the stream */
static void watch_path(struct watch *w, struct buf *path)
{
    struct kube_query q = {.out = path};
    char seconds[16];

    snprintf(seconds, sizeof(seconds), "%u", SHORTEST_S + (unsigned)random_below(SHORTEST_S));
    kube_path(w->ref, true, path);
    kube_query_add(&q, "watch", STR("1"));
    kube_query_add(&q, "allowWatchBookmarks", STR("true"));
    kube_query_add(&q, "timeoutSeconds", str_of(seconds));
    kube_query_add(&q, "resourceVersion", buf_view(&w->stream.version));
    kube_query_add(&q, "labelSelector", w->options->label_selector);
    kube_query_add(&q, "fieldSelector", w->options->field_selector);
}

/* One watch to its end. An end without an error is the server's timeout. */
static int stream_once(struct watch *w, struct err *e)
{
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(buf_done) struct buf path = {0};
    clock_ms begin = clock_now();
    int rc;

    watch_path(w, &path);
    buf_clear(&w->stream.partial); /* half an event of the watch before */
    w->stream.events = 0;
    err_done(&w->stream.error);
    rc = kube_send_stream(w->k, buf_view(&path), IDLE_MS, w->cancel, watch_stream_feed, &w->stream,
                          &r, e);
    if (w->stream.events)
        w->failures = 0;
    if (rc < 0 || w->history.is_ended)
        return rc;
    if (r.status >= 300)
        return kube_status_error(r.status, buf_view(&r.body), e);
    if (w->stream.error.kind != ERR_NONE) {
        err_move(e, &w->stream.error);
        return -1;
    }
    if (!w->stream.events && clock_now() - begin < QUICK_MS)
        return err_set(e, ERR_UNAVAILABLE, "the server ended the watch at once");
    w->failures = 0;
    return 0;
}

/* ---- going on */
static int64_t backoff_ms(int failures)
{
    int64_t most = failures > FEW_FAILURES ? LONG_BACKOFF_MS : BACKOFF_MS;
    int64_t ms = MIN((int64_t)FIRST_BACKOFF_MS << MIN(failures, 10), most);

    return ms / 2 + (int64_t)random_below((uint64_t)ms / 2 + 1);
}

/* What no later try can mend. A 401 of the stream is mended by fresh credentials, or told by the
 * list that follows. */
static bool is_final(const struct watch *w, const struct err *e)
{
    switch (e->kind) {
    case ERR_DENIED:
        return !(e->code == 401 && w->is_listed);
    case ERR_NOT_FOUND:
    case ERR_INVALID:
    case ERR_UNSUPPORTED:
    case ERR_LIMIT:
    case ERR_CANCELED:
        return true;
    default:
        return false;
    }
}

/* After a failure: 0 when it was waited for and the watch may go on. A version that is too old, an
 * answer that makes no sense or a refusal mean a new list; a dropped connection goes on where it
 * was. */
static int recover(struct watch *w, struct err *e)
{
    bool goes_on = w->is_listed && (e->kind == ERR_UNAVAILABLE || e->kind == ERR_TIMEOUT);
    int64_t wait = MAX(e->retry_after_ms, backoff_ms(w->failures));

    if (cancel_is_set(w->cancel) || is_final(w, e))
        return -1;
    if (e->kind == ERR_GONE && w->failures == 0)
        wait = 0;
    if (log_is_on(LOG_DEBUG))
        log_debug("a watch was interrupted", LOG_STR("kind", w->ref->type->kind),
                  LOG_STR("reason", str_of(err_text(e))));
    w->failures++;
    w->is_listed = goes_on;
    err_done(e);
    return cancel_sleep(w->cancel, wait, e);
}

static int run(struct watch *w, struct err *e)
{
    while (!w->history.is_ended) {
        int rc = w->is_listed ? stream_once(w, e) : list(w, e);

        if (rc < 0 && recover(w, e) < 0)
            return -1;
    }
    return 0;
}

int kube_watch(struct kube *k, const struct kube_ref *ref, const struct kube_list_options *options,
               struct cancel *cancel, kube_event_fn *on_event, void *ctx, struct err *e)
{
    static const struct kube_list_options none = {0};
    struct watch w = {.k = k,
                      .ref = ref,
                      .options = options ? options : &none,
                      .cancel = cancel,
                      .history = {.type = ref->type, .on_event = on_event, .ctx = ctx}};
    int rc;

    watch_stream_init(&w.stream, &w.history);
    rc = run(&w, e);
    watch_stream_done(&w.stream);
    watch_history_done(&w.history);
    return rc;
}

int kube_watch_object(struct kube *k, const struct kube_ref *ref, struct cancel *cancel,
                      kube_event_fn *on_event, void *ctx, struct err *e)
{
    AUTO(buf_done) struct buf selector = {0};
    struct kube_ref all = {.type = ref->type, .ns = ref->ns};
    struct kube_list_options options = {0};

    buf_addf(&selector, "metadata.name=%.*s", STR_ARG(ref->name));
    options.field_selector = buf_view(&selector);
    return kube_watch(k, &all, &options, cancel, on_event, ctx, e);
}
