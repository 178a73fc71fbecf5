#include "sandbox/faults.h"

#include "sandbox/watch.h"

enum { WORD = 13 }; /* the longest, with its NUL */
static const char kind_names[][WORD] = {
#define X(name, text) [name] = text,
    SANDBOX_FAULTS(X)
#undef X
};
static const char point_names[][WORD] = {
#define X(name, text) [name] = text,
    SANDBOX_POINTS(X)
#undef X
};

/* ---- the list */

static bool glob(str pattern, str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;

    while (t < text.len) {
        if (p < pattern.len && pattern.p[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.len && pattern.p[p] == text.p[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.p[p] == '*')
        p++;
    return p == pattern.len;
}

/* The fault that is due here, if any; it is counted. Lock held. */
static bool hit(struct sandbox *sb, enum sandbox_point point, str method, str path,
                struct sandbox_fault *ret)
{
    for (size_t i = 0; i < sb->faults.len; i++) {
        struct sb_fault *f = &sb->faults.v[i];

        if (f->f.point != point || f->left == 0 ||
            (f->f.method.len && !str_eq(f->f.method, method)) ||
            (f->f.path.len && !glob(f->f.path, path)))
            continue;
        if (f->skip > 0) {
            f->skip--;
            continue;
        }
        if (f->left > 0)
            f->left--;
        sb->fault_hits++;
        *ret = f->f;
        return true;
    }
    return false;
}

/* Which kinds mean something at a point. */
static bool is_possible(enum sandbox_fault_kind kind, enum sandbox_point point)
{
    switch (kind) {
    case FAULT_RESET:
    case FAULT_RESTART:
    case FAULT_CLOCK:
    case FAULT_COMPACT:
        return true;
    case FAULT_DUPLICATE:
    case FAULT_BOOKMARK:
        return point >= POINT_FIRST_EVENT && point <= POINT_IDLE;
    case FAULT_HALF_EVENT:
    case FAULT_GONE:
    case FAULT_TOO_MANY:
    case FAULT_SERVER_ERROR:
    case FAULT_UNAUTHORIZED:
    case FAULT_CONFLICT:
    case FAULT_STALE:
    case FAULT_SLOW:
    case FAULT_LATE:
        return point != POINT_CONNECT;
    }
    return false;
}

int sandbox_fault_add(struct sandbox *sb, const struct sandbox_fault *fault, struct err *e)
{
    struct sb_fault f = {.f = *fault};

    if (!is_possible(fault->kind, fault->point))
        return err_set(e, ERR_INVALID, "fault \"%s\" cannot happen at point \"%s\"",
                       kind_names[fault->kind], point_names[fault->point]);
    f.left = fault->count ? fault->count : 1;
    f.skip = fault->skip;
    f.f.method = (str){mem_strndup(fault->method.p, fault->method.len), fault->method.len};
    f.f.path = (str){mem_strndup(fault->path.p, fault->path.len), fault->path.len};
    f.f.message = (str){mem_strndup(fault->message.p, fault->message.len), fault->message.len};
    LOCK_SCOPE(&sb->lock);
    vec_push(&sb->faults, f);
    for (size_t i = 0; fault->point == POINT_IDLE && i < sb->resources.len; i++)
        sb_watch_notify(sb->resources.v[i]); /* those that wait now */
    return 0;
}

void sandbox_fault_clear(struct sandbox *sb)
{
    LOCK_SCOPE(&sb->lock);
    for (size_t i = 0; i < sb->faults.len; i++) {
        mem_free((char *)sb->faults.v[i].f.method.p);
        mem_free((char *)sb->faults.v[i].f.path.p);
        mem_free((char *)sb->faults.v[i].f.message.p);
    }
    sb->faults.len = 0;
}

int sandbox_fault_hits(struct sandbox *sb)
{
    LOCK_SCOPE(&sb->lock);
    return sb->fault_hits;
}

/* ---- what touches the whole server */

static void end_watches(struct sandbox *sb)
{
    for (size_t i = 0; i < sb->resources.len; i++)
        for (struct sb_watch *w = sb->resources.v[i]->watches; w; w = w->next) {
            w->is_over = w->is_cut = true;
            http_stream_wake(w->stream);
        }
}

static void compact_all(struct sandbox *sb)
{
    for (size_t i = 0; i < sb->resources.len; i++)
        sb_compact_res(sb->resources.v[i], sb->rv);
}

void sandbox_compact(struct sandbox *sb)
{
    LOCK_SCOPE(&sb->lock);
    compact_all(sb);
}

/* As after a restart from an old copy of the data: versions count on from a lower number. */
static void restart(struct sandbox *sb)
{
    compact_all(sb);
    sb->rv = sb->rv / 2 + 1;
    for (size_t i = 0; i < sb->resources.len; i++)
        sb->resources.v[i]->dropped_rv = sb->rv;
    end_watches(sb);
}

static void touch_server(struct sandbox *sb, const struct sandbox_fault *f)
{
    if (f->kind == FAULT_CLOCK)
        sb->clock_skew_ms += 3600000L;
    else if (f->kind == FAULT_COMPACT)
        compact_all(sb);
    else if (f->kind == FAULT_RESTART)
        restart(sb);
}

static int status_of(struct sandbox *sb, const struct sandbox_fault *f)
{
    static const int server_errors[] = {500, 502, 503, 504};

    if (f->status)
        return f->status;
    switch (f->kind) {
    case FAULT_GONE:
        return 410;
    case FAULT_TOO_MANY:
        return 429;
    case FAULT_UNAUTHORIZED:
        return 401;
    case FAULT_CONFLICT:
        return 409;
    case FAULT_SERVER_ERROR:
        return server_errors[(size_t)sb->fault_hits % ARRAY_LEN(server_errors)];
    case FAULT_RESET:
    case FAULT_HALF_EVENT:
    case FAULT_STALE:
    case FAULT_DUPLICATE:
    case FAULT_BOOKMARK:
    case FAULT_COMPACT:
    case FAULT_SLOW:
    case FAULT_LATE:
    case FAULT_RESTART:
    case FAULT_CLOCK:
        break;
    }
    return 0;
}

/* ---- requests and answers */

static void take_effect(struct sb_req *r, const struct sandbox_fault *f, struct sb_effect *effect)
{
    int status = status_of(r->sb, f);

    touch_server(r->sb, f);
    if (f->kind == FAULT_RESET || f->kind == FAULT_RESTART) {
        effect->is_cut = true;
    } else if (f->kind == FAULT_LATE) {
        effect->delay_ms += f->delay_ms ? f->delay_ms : 100;
    } else if (f->kind == FAULT_SLOW) {
        effect->is_slow = true;
    } else if (f->kind == FAULT_STALE) {
        r->is_stale = true;
    } else if (f->kind == FAULT_HALF_EVENT) {
        effect->cut_half = true;
    } else if (status) {
        str own = status == 401 ? STR("Unauthorized") : STR("the sandbox was told to fail");

        sb_fail(r, status, NULL, "%.*s", STR_ARG(f->message.len ? f->message : own));
        r->retry_after_s = status == 429 || f->retry_after_s ? MAX(f->retry_after_s, 1) : 0;
        effect->is_answered = true;
    }
}

void sb_fault_request(struct sb_req *r, struct sb_effect *effect)
{
    struct sandbox_fault f;

    LOCK_SCOPE(&r->sb->lock);
    if (!r->sb->faults.len)
        return;
    if (hit(r->sb, POINT_REQUEST, r->method, r->path, &f))
        take_effect(r, &f, effect);
    if (!effect->is_cut && !effect->is_answered && sb_has_param(r, "continue") &&
        hit(r->sb, POINT_LIST_PAGE, r->method, r->path, &f))
        take_effect(r, &f, effect);
}

void sb_fault_answer(struct sb_req *r, struct sb_effect *effect)
{
    struct sandbox_fault f;

    LOCK_SCOPE(&r->sb->lock);
    if (!r->sb->faults.len)
        return;
    if (hit(r->sb, POINT_HEADER, r->method, r->path, &f)) {
        take_effect(r, &f, effect);
        if (effect->is_answered && r->watch) {
            sb_watch_free(r->watch);
            r->watch = NULL;
        }
    }
    if (!r->watch && !effect->is_cut && hit(r->sb, POINT_CLOSE, r->method, r->path, &f)) {
        take_effect(r, &f, effect);
        effect->cut_end |= effect->is_cut;
        effect->is_cut = false;
    }
}

bool sb_fault_accept(struct sandbox *sb)
{
    struct sandbox_fault f;

    LOCK_SCOPE(&sb->lock);
    if (!sb->faults.len || !hit(sb, POINT_CONNECT, STR_NONE, STR_NONE, &f))
        return true;
    touch_server(sb, &f);
    return f.kind != FAULT_RESET && f.kind != FAULT_RESTART;
}

/* ---- watches */

static void half_event(struct sb_watch *w, const char *type, const struct sb_event *ev)
{
    size_t before = w->pending.len;

    if (ev)
        sb_watch_emit(w, type, ev->obj);
    else
        sb_watch_bookmark(w, false);
    buf_trunc(&w->pending, before + (w->pending.len - before) / 2);
    w->is_over = w->is_cut = true;
}

bool sb_watch_fault(struct sb_watch *w, enum sandbox_point point, const char *type,
                    const struct sb_event *ev)
{
    struct sandbox_fault f;
    int status;

    if (!hit(w->sb, point, STR("GET"), w->path, &f))
        return false;
    status = status_of(w->sb, &f);
    touch_server(w->sb, &f);
    if (f.kind == FAULT_RESET || f.kind == FAULT_RESTART) {
        w->is_over = w->is_cut = true;
    } else if (f.kind == FAULT_HALF_EVENT) {
        half_event(w, type, ev);
    } else if (f.kind == FAULT_LATE) {
        sb_watch_hold(w, f.delay_ms ? f.delay_ms : 100);
    } else if (f.kind == FAULT_SLOW) {
        w->is_slow = true;
        return false;
    } else if (f.kind == FAULT_BOOKMARK) {
        sb_watch_bookmark(w, false);
        return false;
    } else if (f.kind == FAULT_DUPLICATE || f.kind == FAULT_STALE) {
        if (ev)
            sb_watch_emit(w, type, f.kind == FAULT_STALE && ev->prev ? ev->prev : ev->obj);
        return false;
    } else if (status) {
        sb_watch_error(w, status, sb_reason_of(status), STR("the sandbox was told to fail"));
    } else {
        return false; /* compaction and the clock: seen at the next turn */
    }
    return true;
}

/* ---- slow answers */

struct slow {
    struct sandbox *sb;
    struct buf body;
    size_t at;
    int refs; /* the stream's and the timer's */
    struct http_stream *stream;
    bool waits;
};

static void slow_unref(struct sandbox *sb UNUSED, void *arg)
{
    struct slow *s = arg;

    if (--s->refs > 0)
        return;
    buf_done(&s->body);
    mem_free(s);
}

static void slow_on_time(struct sandbox *sb, void *arg)
{
    struct slow *s = arg;

    s->waits = false;
    if (s->stream)
        http_stream_wake(s->stream);
    slow_unref(sb, s);
}

static ssize_t slow_read(void *ctx, char *out, size_t max)
{
    struct slow *s = ctx;
    size_t n = MIN(MIN(max, s->body.len - s->at), (size_t)64);

    LOCK_SCOPE(&s->sb->lock);
    if (s->waits)
        return HTTP_STREAM_WAIT;
    if (n == 0)
        return HTTP_STREAM_END;
    memcpy(out, s->body.p + s->at, n);
    s->at += n;
    s->waits = true;
    s->refs++;
    sb_timer(s->sb, clock_after(5), slow_on_time, slow_unref, s);
    return (ssize_t)n;
}

static void slow_started(void *ctx, struct http_stream *stream)
{
    struct slow *s = ctx;

    LOCK_SCOPE(&s->sb->lock);
    s->stream = stream;
}

static void slow_done(void *ctx)
{
    struct slow *s = ctx;
    struct sandbox *sb = s->sb;

    LOCK_SCOPE(&sb->lock);
    s->stream = NULL;
    slow_unref(sb, s);
}

void sb_slow_reply(struct sandbox *sb, struct http_call *call, struct http_reply *reply)
{
    static const struct http_source source = {slow_read, slow_done};
    struct slow *s = NEW(struct slow);

    s->sb = sb;
    s->refs = 1;
    s->body = reply->body;
    reply->body = (struct buf){0};
    http_call_stream(call, reply->status,
                     reply->content_type ? reply->content_type : "application/json", &source, s,
                     slow_started);
}

/* ---- over the API */

static int word_of(str text, const char (*names)[WORD], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(text, str_of(names[i])))
            return (int)i;
    return -1;
}

static int read_fault(const struct doc_node *n, struct sandbox_fault *f, struct err *e)
{
    int kind =
        word_of(doc_text(doc_get_lit(n, "fault"), STR_NONE), kind_names, ARRAY_LEN(kind_names));
    int point = word_of(doc_text(doc_get_lit(n, "point"), STR("request")), point_names,
                        ARRAY_LEN(point_names));

    if (kind < 0)
        return err_set(e, ERR_INVALID, "fault: one of reset, half-event, gone, ... is needed");
    if (point < 0)
        return err_set(e, ERR_INVALID, "point: one of connect, request, header, ... is needed");
    *f = (struct sandbox_fault){.kind = (enum sandbox_fault_kind)kind,
                                .point = (enum sandbox_point)point,
                                .method = doc_text(doc_get_lit(n, "method"), STR_NONE),
                                .path = doc_text(doc_get_lit(n, "path"), STR_NONE),
                                .count = (int)doc_int(doc_get_lit(n, "count"), 1),
                                .skip = (int)doc_int(doc_get_lit(n, "skip"), 0),
                                .delay_ms = (int)doc_int(doc_get_lit(n, "delayMs"), 0),
                                .retry_after_s = (int)doc_int(doc_get_lit(n, "retryAfter"), 0),
                                .status = (int)doc_int(doc_get_lit(n, "status"), 0),
                                .message = doc_text(doc_get_lit(n, "message"), STR_NONE)};
    return 0;
}

static void list_faults(struct sb_req *r)
{
    LOCK_SCOPE(&r->sb->lock);
    buf_addf(&r->out, "{\"hits\":%d,\"faults\":[", r->sb->fault_hits);
    for (size_t i = 0; i < r->sb->faults.len; i++) {
        const struct sb_fault *f = &r->sb->faults.v[i];

        buf_addf(&r->out,
                 "%s{\"fault\":\"%s\",\"point\":\"%s\",\"left\":%d,\"path\":", i ? "," : "",
                 kind_names[f->f.kind], point_names[f->f.point], f->left);
        doc_json_quote(f->f.path, 0, &r->out);
        buf_add_char(&r->out, '}');
    }
    buf_add_cstr(&r->out, "]}\n");
}

void sb_control(struct sb_req *r)
{
    AUTO(err_done) struct err e = {0};
    struct sandbox_fault f;
    struct doc_node *n;

    r->status = 200;
    r->set = doc_set_new();
    if (!str_eq(r->segments[1], STR("faults"))) {
        sb_fail(r, 404, NULL, "the sandbox has no such control");
    } else if (str_eq(r->method, STR("GET"))) {
        list_faults(r);
    } else if (str_eq(r->method, STR("DELETE"))) {
        sandbox_fault_clear(r->sb);
        buf_add_cstr(&r->out, "{}\n");
    } else if (!str_eq(r->method, STR("POST"))) {
        sb_fail(r, 405, NULL, "use GET, POST or DELETE");
    } else {
        n = doc_parse_json(r->set, r->body, "fault", &e);
        if (!n || read_fault(n, &f, &e) < 0 || sandbox_fault_add(r->sb, &f, &e) < 0)
            sb_fail(r, 400, NULL, "%s", err_text(&e));
        else
            buf_add_cstr(&r->out, "{}\n");
    }
}
