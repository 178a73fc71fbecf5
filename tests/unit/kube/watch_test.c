#include "kube/watch.h"

#include <unistd.h>

#include "kube/client_priv.h"
#include "kube/watch_priv.h"
#include "support/test.h"
#include "support/tiny_server.h"

static const struct kube_type pods = {.version = STR_INIT("v1"),
                                      .kind = STR_INIT("Pod"),
                                      .plural = STR_INIT("pods"),
                                      .namespaced = true};

/* Writes events as "+a", "~a", "-a", "." (synced). */
struct log {
    struct buf text;
    size_t count, stop_after; /* 0: never */
};

static int on_event(void *ctx, const struct kube_event *ev)
{
    static const char signs[] = {
        [KUBE_ADDED] = '+', [KUBE_MODIFIED] = '~', [KUBE_DELETED] = '-', [KUBE_SYNCED] = '.'};
    struct log *log = ctx;

    buf_add_char(&log->text, signs[ev->type]);
    buf_add_str(&log->text, doc_string(doc_at(ev->object, "metadata/name"), STR_NONE));
    return log->stop_after && ++log->count >= log->stop_after;
}

#define EVENT(type, name, uid, version)                                                  \
    "{\"type\":\"" type "\",\"object\":{\"kind\":\"Pod\",\"metadata\":{\"name\":\"" name \
    "\",\"namespace\":\"n\",\"uid\":\"" uid "\",\"resourceVersion\":\"" version "\"}}}\n"
#define BOOKMARK(version) \
    "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"" version "\"}}}\n"
#define EXPIRED \
    "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}}\n"

static const char stream[] = EVENT("ADDED", "a", "1", "5") EVENT("MODIFIED", "a", "1", "6")
    EVENT("MODIFIED", "a", "1", "6") "\n" EVENT("ADDED", "b", "2", "7") BOOKMARK("9")
        EVENT("DELETED", "a", "1", "10") EVENT("DELETED", "a", "1", "10")
            EVENT("ADDED", "b", "3", "11") EVENT("STRANGE", "x", "4", "12");

TEST(a_stream_reads_the_same_wherever_it_is_cut)
{
    const str text = str_of(stream);

    for (size_t cut = 0; cut <= text.len; cut++) {
        struct log log = {0};
        AUTO(watch_history_done)
        struct watch_history h = {.type = &pods, .on_event = on_event, .ctx = &log};
        AUTO(watch_stream_done) struct watch_stream s;

        watch_stream_init(&s, &h);
        CHECK_INT(watch_stream_feed(&s, str_sub(text, 0, cut)), 0, "first");
        CHECK_INT(watch_stream_feed(&s, str_from(text, cut)), 0, "second");
        CHECK_STR(buf_view(&log.text), STR("+a~a+b-a-b+b"), "events");
        CHECK_STR(buf_view(&s.version), STR("12"), "version");
        buf_done(&log.text);
    }
}

TEST(a_stream_that_makes_no_sense_ends)
{
    static const struct {
        const char *text;
        enum err_kind kind;
    } rows[] = {{EXPIRED, ERR_GONE},
                {"{\"type\":\n", ERR_IO},
                {"[]\n", ERR_IO},
                {"{\"type\":\"ERROR\"}\n", ERR_UNAVAILABLE}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct log log = {0};
        AUTO(watch_history_done)
        struct watch_history h = {.type = &pods, .on_event = on_event, .ctx = &log};
        AUTO(watch_stream_done) struct watch_stream s;

        watch_stream_init(&s, &h);
        CHECK_INT(watch_stream_feed(&s, str_of(rows[i].text)), 1, rows[i].text);
        CHECK_INT(s.error.kind, rows[i].kind, rows[i].text);
        buf_done(&log.text);
    }
}

/* ---- against a server: each list and watch answers with the next line of a script */
struct script {
    const char *const *lists, *const *watches;
    size_t list, watch;    /* next */
    char versions[16][16]; /* resourceVersion of each watch */
    size_t unauthorized;   /* watches that are answered 401 first */
};

static const char watch_head[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

static bool send_watch(const char *text, int fd)
{
    AUTO(buf_done) struct buf out = {0};
    str all = str_of(text);
    bool is_cut = str_ends(all, STR("CUT")), is_open = str_ends(all, STR("OPEN"));
    char byte;

    if (is_cut)
        all.len -= 3;
    if (is_open)
        all.len -= 4;
    buf_addf(&out, "%s", watch_head);
    if (all.len)
        buf_addf(&out, "%zx\r\n%.*s\r\n", all.len, STR_ARG(all));
    if (is_cut || is_open) {
        tiny_write(fd, buf_view(&out));
        return is_open && read(fd, &byte, 1) > 0;
    }
    buf_add_cstr(&out, "0\r\n\r\n");
    return tiny_write(fd, buf_view(&out));
}

static bool play(void *ctx, const struct tiny_request *req, int fd)
{
    struct script *s = ctx;
    const char *text;

    if (!str_contains(req->target, STR("watch=1"))) {
        text = s->lists[s->list];
        if (!text)
            return tiny_answer(fd, 403, NULL, STR("no more lists"));
        s->list++;
        return tiny_answer(fd, 200, "application/json", str_of(text));
    }
    if (s->unauthorized && s->unauthorized--)
        return tiny_answer(fd, 401, NULL, STR("who?"));
    text = s->watches[s->watch];
    if (s->watch < ARRAY_LEN(s->versions)) {
        ssize_t at = str_find(req->target, STR("resourceVersion="));
        str version = str_cut(str_from(req->target, (size_t)at + 16), '&', NULL);

        snprintf(s->versions[s->watch], 16, "%.*s", STR_ARG(version));
    }
    s->watch++;
    if (strcmp(text, "RESET") == 0) {
        tiny_reset(fd);
        return false;
    }
    if (strcmp(text, "GONE") == 0)
        return tiny_answer(fd, 410, NULL, STR("{\"kind\":\"Status\",\"message\":\"too old\"}"));
    if (strcmp(text, "BUSY") == 0)
        return tiny_write(fd,
                          STR("HTTP/1.1 429 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n"));
    return send_watch(text, fd);
}

#define LIST(version, items)                                                                      \
    "{\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" version "\"},\"items\":[" items \
    "]}"
#define ITEM(name, uid, version)                                              \
    "{\"metadata\":{\"name\":\"" name "\",\"namespace\":\"n\",\"uid\":\"" uid \
    "\",\"resourceVersion\":\"" version "\"}}"

static int run(struct script *s, size_t stop_after, struct buf *ret_log, struct err *e)
{
    AUTO(tiny_stop) struct tiny_server *server = tiny_start(play, s);
    struct kube_config_flags flags = {.server = str_of(tiny_url(server)),
                                      .kubeconfig = STR("/dev/null")};
    AUTO(kube_config_free) struct kube_config *config = kube_config_load(&flags, e);
    AUTO(kube_free) struct kube *k = kube_new(config, e);
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(TEST_PATIENCE_MS));
    struct kube_ref ref = {.type = &pods};
    struct log log = {.stop_after = stop_after};
    int rc = kube_watch(k, &ref, NULL, cancel, on_event, &log, e);

    *ret_log = log.text;
    return rc;
}

TEST(a_watch_goes_on_from_where_it_was_cut)
{
    static const char *const lists[] = {LIST("4", ITEM("a", "1", "3")), NULL};
    static const char *const watches[] = {EVENT("MODIFIED", "a", "1", "5") "{\"type\":\"ADD"
                                                                           "CUT",
                                          "RESET", "BUSY", BOOKMARK("8"),
                                          EVENT("ADDED", "b", "2", "9") "OPEN"};
    struct script s = {.lists = lists, .watches = watches};
    AUTO(buf_done) struct buf log = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(run(&s, 4, &log, &e), 0, err_text(&e));
    CHECK_STR(buf_view(&log), STR("+a.~a+b"), "events");
    CHECK_INT(s.list, 1, "one list");
    CHECK_STR(str_of(s.versions[0]), STR("4"), "of the list");
    CHECK_STR(str_of(s.versions[1]), STR("5"), "of the event before the cut");
    CHECK_STR(str_of(s.versions[3]), STR("5"), "a reset changes nothing");
    CHECK_STR(str_of(s.versions[4]), STR("8"), "of the bookmark");
}

TEST(a_version_that_is_gone_means_a_new_list_and_only_news_are_told)
{
    static const char *const endings[] = {"GONE", EXPIRED "OPEN"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        const char *const lists[] = {
            LIST("4", ITEM("a", "1", "3") "," ITEM("b", "2", "4") "," ITEM("c", "3", "4")),
            LIST("2", ITEM("a", "1", "3") "," ITEM("b", "2", "9") "," ITEM("d", "5", "1")), NULL};
        const char *const watches[] = {endings[i], EVENT("DELETED", "d", "5", "3") "OPEN"};
        struct script s = {.lists = lists, .watches = watches};
        AUTO(buf_done) struct buf log = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(run(&s, 9, &log, &e), 0, err_text(&e));
        CHECK_STR(buf_view(&log), STR("+a+b+c.~b+d-c.-d"), "events");
        CHECK_STR(str_of(s.versions[1]), STR("2"), "a lower version is a version too");
    }
}

TEST(a_refused_list_ends_a_watch)
{
    static const char *const lists[] = {NULL};
    struct script s = {.lists = lists};
    AUTO(buf_done) struct buf log = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(run(&s, 1, &log, &e), -1, "403");
    CHECK_INT(e.kind, ERR_DENIED, err_text(&e));
}

TEST(a_401_of_the_stream_is_asked_again)
{
    static const char *const lists[] = {LIST("4", ""), LIST("5", ""), NULL};
    static const char *const watches[] = {EVENT("ADDED", "a", "1", "6") "OPEN"};
    struct script s = {.lists = lists, .watches = watches, .unauthorized = 1};
    AUTO(buf_done) struct buf log = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(run(&s, 3, &log, &e), 0, err_text(&e));
    CHECK_STR(buf_view(&log), STR("..+a"), "events");
}
