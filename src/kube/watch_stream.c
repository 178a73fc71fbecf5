#include "doc/parse.h"
#include "kube/watch_priv.h"

enum { MAX_LINE = 64 << 20, MAX_KEPT = 1 << 20 };

void watch_stream_init(struct watch_stream *s, struct watch_history *history)
{
    *s = (struct watch_stream){.history = history, .set = doc_set_new()};
}

void watch_stream_done(struct watch_stream *s)
{
    doc_set_free(s->set);
    buf_done(&s->partial);
    buf_done(&s->version);
    err_done(&s->error);
}

static void set_error(struct watch_stream *s, const struct doc_node *status)
{
    int64_t code = doc_int(doc_get_lit(status, "code"), 500);
    str message = doc_string(doc_get_lit(status, "message"), STR("the watch failed"));

    err_set(&s->error, code == 410 ? ERR_GONE : ERR_UNAVAILABLE, "%.*s", STR_ARG(message));
    s->error.code = (int)code;
}

static void remember_version(struct watch_stream *s, const struct doc_node *object)
{
    str version = doc_string(doc_at(object, "metadata/resourceVersion"), STR_NONE);

    if (version.len == 0)
        return;
    buf_clear(&s->version);
    buf_add_str(&s->version, version);
}

static const struct {
    char name[9];
    enum kube_event_type type;
} changes[] = {
    {"ADDED", KUBE_ADDED},
    {"MODIFIED", KUBE_MODIFIED},
    {"DELETED", KUBE_DELETED},
};

/* One event: a change, a bookmark, or the end. Types unknown to us are left out. */
static void take_event(struct watch_stream *s, struct doc_node *event)
{
    str type = doc_string(doc_get_lit(event, "type"), STR_NONE);
    struct doc_node *object = doc_get_lit(event, "object");

    s->events++;
    if (str_eq(type, STR("ERROR"))) {
        set_error(s, object);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(changes); i++)
        if (str_eq(type, str_of(changes[i].name)))
            watch_change(s->history, changes[i].type, s->set, object);
    remember_version(s, object); /* after it was told, so that a cut never skips one */
}

static bool take_line(struct watch_stream *s, str line)
{
    struct doc_node *event;

    line = str_trim(line);
    if (line.len == 0)
        return true;
    doc_set_clear(s->set);
    event = doc_parse_json_view(s->set, line, "watch", &s->error);
    if (event && doc_is_map(event)) {
        take_event(s, event);
    } else {
        err_done(&s->error);
        err_set(&s->error, ERR_IO, "the watch sent what is no event");
    }
    return s->error.kind == ERR_NONE && !s->history->is_ended;
}

/* Adds the rest of a line that came in two pieces; true when there is more to do with *piece. */
static bool complete_partial(struct watch_stream *s, str *piece, bool *ret_go_on)
{
    ssize_t end = str_find_char(*piece, '\n');
    str part = end < 0 ? *piece : str_sub(*piece, 0, (size_t)end);

    *ret_go_on = true;
    if (s->partial.len + part.len > MAX_LINE) {
        err_set(&s->error, ERR_LIMIT, "an event of the watch is larger than %d MiB",
                MAX_LINE >> 20);
        *ret_go_on = false;
        return false;
    }
    buf_add_str(&s->partial, part);
    if (end < 0)
        return false;
    *piece = str_from(*piece, (size_t)end + 1);
    *ret_go_on = take_line(s, buf_view(&s->partial));
    if (s->partial.cap > MAX_KEPT)
        buf_done(&s->partial);
    else
        buf_clear(&s->partial);
    return *ret_go_on;
}

int watch_stream_feed(void *stream, str piece)
{
    struct watch_stream *s = stream;
    ssize_t end;
    bool go_on;

    if (s->partial.len && !complete_partial(s, &piece, &go_on))
        return !go_on;
    while ((end = str_find_char(piece, '\n')) >= 0) {
        if (!take_line(s, str_sub(piece, 0, (size_t)end)))
            return 1;
        piece = str_from(piece, (size_t)end + 1);
    }
    if (piece.len && !complete_partial(s, &piece, &go_on))
        return !go_on;
    return 0;
}
