#include "sandbox/watch.h"

enum { FILL_BYTES = 32 << 10, BOOKMARK_MS = 60 * 1000, DEFAULT_TIMEOUT_S = 2700 };

static void copy_str(struct sb_watch *w, str *to, str from) { *to = arena_dup(&w->arena, from); }

/* ---- what a watcher is sent */

void sb_watch_emit(struct sb_watch *w, const char *type, const struct sb_obj *obj)
{
    buf_addf(&w->pending, "{\"type\":\"%s\",\"object\":", type);
    if (w->is_table) {
        struct sb_req r = {.sb = w->sb, .kind = w->kind};

        sb_table_begin(&r, w->kind, &w->pending);
        sb_table_row(&r, w->kind, obj, true, &w->pending);
        sb_table_end(obj->rv, &w->pending);
        arena_done(&r.arena);
    } else {
        sb_obj_print(w->kind, obj, &w->pending);
    }
    buf_add_cstr(&w->pending, "}\n");
}

void sb_watch_bookmark(struct sb_watch *w, bool is_initial_end)
{
    buf_addf(&w->pending,
             "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%.*s\",\"apiVersion\":\"%.*s\","
             "\"metadata\":{\"resourceVersion\":\"%llu\",\"creationTimestamp\":null%s}}}\n",
             STR_ARG(w->kind->kind), STR_ARG(sb_api_version(w->kind, &w->arena)),
             (unsigned long long)MAX(w->cursor, w->sb->rv),
             is_initial_end ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "");
}

void sb_watch_error(struct sb_watch *w, int code, const char *reason, str message)
{
    buf_add_cstr(&w->pending, "{\"type\":\"ERROR\",\"object\":");
    sb_status_of(code, reason, message, &w->pending);
    buf_trunc(&w->pending, w->pending.len - 1); /* the line end goes behind the brace */
    buf_add_cstr(&w->pending, "}\n");
    w->is_over = true;
}

static bool is_selected(struct sb_watch *w, const struct sb_obj *obj)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;

    if (sb_selector_is_all(w->selector))
        return true;
    set = doc_set_new();
    return sb_selector_match(w->selector, sb_load(set, w->kind, obj));
}

/* An object that starts or ceases to match is added or deleted in the eyes of a watcher. */
static const char *type_for(struct sb_watch *w, const struct sb_event *ev)
{
    bool now, before;

    if ((w->ns.len && !str_eq(sb_obj_ns(ev->obj), w->ns)) ||
        (w->name.len && !str_eq(sb_obj_name(ev->obj), w->name)))
        return NULL;
    now = ev->type != SB_DELETED && is_selected(w, ev->obj);
    before = ev->prev && is_selected(w, ev->prev);
    if (now)
        return before ? "MODIFIED" : "ADDED";
    return before ? "DELETED" : NULL;
}

static size_t first_after(const struct sb_res *res, uint64_t rv)
{
    size_t low = 0, high = res->events.len;

    while (low < high) {
        size_t mid = (low + high) / 2;

        if (res->events.v[mid].rv <= rv)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void gone(struct sb_watch *w)
{
    AUTO(buf_done) struct buf text = {0};

    buf_addf(&text, "too old resource version: %llu (%llu)", (unsigned long long)w->cursor,
             (unsigned long long)w->kind->res->dropped_rv);
    sb_watch_error(w, 410, "Expired", buf_view(&text));
}

static void fill(struct sb_watch *w)
{
    const struct sb_res *res = w->kind->res;

    if (w->cursor < res->dropped_rv) {
        gone(w);
        return;
    }
    for (size_t i = first_after(res, w->cursor);
         i < res->events.len && w->pending.len < FILL_BYTES && !w->is_over && !w->is_held; i++) {
        const struct sb_event ev = res->events.v[i];
        const char *type = type_for(w, &ev);

        if (type && w->sb->faults.len &&
            sb_watch_fault(w, w->event_count ? POINT_MID_EVENT : POINT_FIRST_EVENT, type, &ev))
            return;
        w->cursor = ev.rv;
        if (!type)
            continue;
        w->event_count++;
        sb_watch_emit(w, type, ev.obj);
    }
}

/* ---- time */

static void on_time(struct sandbox *sb, void *arg);

static void arm(struct sb_watch *w)
{
    sb_timer(w->sb, MIN(w->deadline, w->has_bookmarks ? w->bookmark_at : CLOCK_NEVER), on_time,
             NULL, (void *)(uintptr_t)w->id);
}

static struct sb_watch *watch_by_id(struct sandbox *sb, uint64_t id)
{
    for (size_t i = 0; i < sb->resources.len; i++)
        for (struct sb_watch *w = sb->resources.v[i]->watches; w; w = w->next)
            if (w->id == id)
                return w;
    return NULL;
}

static void on_time(struct sandbox *sb, void *arg)
{
    struct sb_watch *w = watch_by_id(sb, (uint64_t)(uintptr_t)arg);

    if (!w)
        return;
    if (clock_now() >= w->deadline) {
        if (w->has_bookmarks)
            sb_watch_bookmark(w, false);
        w->is_over = true;
    } else if (clock_now() >= w->bookmark_at) {
        sb_watch_bookmark(w, false);
        w->bookmark_at = clock_after(BOOKMARK_MS);
        arm(w);
    } else {
        arm(w);
    }
    http_stream_wake(w->stream);
}

static void on_release(struct sandbox *sb, void *arg)
{
    struct sb_watch *w = watch_by_id(sb, (uint64_t)(uintptr_t)arg);

    if (!w)
        return;
    w->is_held = false;
    http_stream_wake(w->stream);
}

void sb_watch_hold(struct sb_watch *w, int ms)
{
    w->is_held = true;
    sb_timer(w->sb, clock_after(ms), on_release, NULL, (void *)(uintptr_t)w->id);
}

/* ---- the stream */

static ssize_t take_pending(struct sb_watch *w, char *out, size_t max)
{
    size_t n = MIN(max, w->pending.len - w->sent);

    if (w->is_slow) {
        n = MIN(n, (size_t)7);
        sb_watch_hold(w, 5);
    }
    memcpy(out, w->pending.p + w->sent, n);
    w->sent += n;
    if (w->sent == w->pending.len) {
        if (w->pending.cap > FILL_BYTES * (size_t)2)
            buf_done(&w->pending); /* a burst's memory is not kept */
        buf_clear(&w->pending);
        w->sent = 0;
    }
    return (ssize_t)n;
}

static ssize_t watch_read(void *ctx, char *out, size_t max)
{
    struct sb_watch *w = ctx;

    LOCK_SCOPE(&w->sb->lock);
    if (w->is_held)
        return HTTP_STREAM_WAIT;
    if (w->sent == w->pending.len && !w->is_over)
        fill(w);
    if (w->sent == w->pending.len && !w->is_over && !w->is_held && w->sb->faults.len)
        sb_watch_fault(w, POINT_IDLE, NULL, NULL);
    if (w->sent < w->pending.len)
        return take_pending(w, out, max);
    if (w->is_over && w->sb->faults.len && !w->is_cut)
        sb_watch_fault(w, POINT_CLOSE, NULL, NULL);
    if (!w->is_over)
        return HTTP_STREAM_WAIT;
    return w->is_cut ? HTTP_STREAM_CUT : HTTP_STREAM_END;
}

static void watch_done(void *ctx)
{
    struct sb_watch *w = ctx;
    struct sandbox *sb = w->sb;

    LOCK_SCOPE(&sb->lock);
    sb_watch_free(w);
}

static void watch_started(void *ctx, struct http_stream *stream)
{
    struct sb_watch *w = ctx;
    struct sb_res *res = w->kind->res;

    LOCK_SCOPE(&w->sb->lock);
    w->stream = stream;
    w->next = res->watches;
    w->link = &res->watches;
    if (w->next)
        w->next->link = &w->next;
    res->watches = w;
    arm(w);
}

void sb_watch_start(struct sb_watch *w, struct http_call *call)
{
    static const struct http_source source = {watch_read, watch_done};

    http_call_stream(call, 200,
                     w->is_table ? "application/json;as=Table;v=v1;g=meta.k8s.io;stream=watch"
                                 : "application/json;stream=watch",
                     &source, w, watch_started);
}

void sb_watch_discard(struct sb_watch *w)
{
    struct sandbox *sb = w->sb;

    LOCK_SCOPE(&sb->lock);
    sb_watch_free(w);
}

void sb_watch_free(struct sb_watch *w)
{
    if (!w)
        return;
    if (w->link) {
        *w->link = w->next;
        if (w->next)
            w->next->link = w->link;
    }
    sb_selector_free(w->selector);
    buf_done(&w->pending);
    arena_done(&w->arena);
    mem_free(w);
}

void sb_watch_notify(struct sb_res *res)
{
    for (struct sb_watch *w = res->watches; w; w = w->next)
        http_stream_wake(w->stream);
}

uint64_t sb_watch_oldest(const struct sb_res *res)
{
    uint64_t oldest = UINT64_MAX;

    for (const struct sb_watch *w = res->watches; w; w = w->next)
        oldest = MIN(oldest, w->cursor);
    return oldest;
}

/* ---- start */

static void add_present(struct sb_watch *w)
{
    const struct sb_res *res = w->kind->res;

    for (size_t i = 0; i < res->slots.len; i++) {
        const struct sb_slot *s = res->slots.v[i];

        if ((!w->ns.len || str_eq(s->ns, w->ns)) && (!w->name.len || str_eq(s->name, w->name)) &&
            is_selected(w, s->obj)) {
            w->event_count++;
            sb_watch_emit(w, "ADDED", s->obj);
        }
    }
}

static int set_start(struct sb_req *r, struct sb_watch *w)
{
    str rv = sb_param(r, "resourceVersion");
    bool wants_initial = sb_param_bool(r, "sendInitialEvents");

    if (rv.len && !str_to_uint64(rv, &w->cursor))
        return sb_fail(r, 400, NULL, "resourceVersion: Invalid value: \"%.*s\"", STR_ARG(rv));
    if (wants_initial || (w->cursor == 0 && !sb_has_param(r, "sendInitialEvents"))) {
        add_present(w);
        w->cursor = r->sb->rv;
        if (wants_initial && w->has_bookmarks)
            sb_watch_bookmark(w, true);
    } else if (w->cursor == 0) {
        w->cursor = r->sb->rv;
    } else if (w->cursor > r->sb->rv) { /* a version of an earlier life of the server */
        gone(w);
    }
    return 0;
}

static clock_ms deadline_of(const struct sb_req *r)
{
    int64_t seconds = DEFAULT_TIMEOUT_S;

    if (!str_to_int64(sb_param(r, "timeoutSeconds"), &seconds) || seconds <= 0)
        seconds = DEFAULT_TIMEOUT_S;
    return clock_after(MIN(seconds, (int64_t)86400) * 1000);
}

int sb_do_watch(struct sb_req *r)
{
    struct sb_selector *selector =
        sb_selector_parse(r, sb_param(r, "labelSelector"), sb_param(r, "fieldSelector"));
    struct sb_watch *w;

    if (!selector)
        return -1;
    w = NEW(struct sb_watch);
    w->sb = r->sb;
    w->id = ++r->sb->next_watch;
    w->kind = r->kind;
    w->selector = selector;
    w->is_table = sb_wants_table(r);
    w->has_bookmarks = sb_param_bool(r, "allowWatchBookmarks");
    w->deadline = deadline_of(r);
    w->bookmark_at = clock_after(BOOKMARK_MS);
    copy_str(w, &w->ns, r->ns);
    copy_str(w, &w->name, r->name.len ? r->name : sb_selector_name(selector));
    copy_str(w, &w->path, r->path);
    if (set_start(r, w) < 0) {
        sb_watch_free(w);
        return -1;
    }
    r->watch = w;
    r->status = 200;
    return 0;
}
