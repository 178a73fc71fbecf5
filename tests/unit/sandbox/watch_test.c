/* Watches: what a stream says, and when it ends. */
#include <pthread.h>

#include "sys/thread.h"
#include "unit/sandbox/api.h"

#define CM "/api/v1/namespaces/default/configmaps"

/* A watch on a thread of its own; events as "TYPE name" words. */
struct watcher {
    struct api *api;
    const char *query;
    struct cancel *stop;
    struct thread *thread;
    pthread_mutex_t lock;
    pthread_cond_t cond;
    struct buf text, events;
    size_t count, lines;
    int status;
    bool has_ended, failed;
};

static void read_line(struct watcher *w, str line)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse_json(set, line, "event", &e);
    str type = api_text(n, "type"), name = api_text(n, "object/metadata/name");

    w->lines++;
    CHECK_OK(&e);
    if (str_eq(name, STR("kube-root-ca.crt")))
        return;
    if (str_eq(type, STR("ERROR")))
        name = api_text(n, "object/code");
    buf_addf(&w->events, "%s%.*s %.*s", w->events.len ? ", " : "", STR_ARG(type), STR_ARG(name));
    w->count++;
}

static int on_piece(void *ctx, str piece)
{
    struct watcher *w = ctx;

    LOCK_SCOPE(&w->lock);
    buf_add_str(&w->text, piece);
    for (;;) {
        ssize_t end = str_find_char(buf_view(&w->text), '\n');

        if (end < 0)
            break;
        read_line(w, str_sub(buf_view(&w->text), 0, (size_t)end));
        memmove(w->text.p, w->text.p + end + 1, w->text.len - (size_t)end);
        w->text.len -= (size_t)end + 1;
    }
    pthread_cond_broadcast(&w->cond);
    return 0;
}

static void watch_main(void *ctx)
{
    struct watcher *w = ctx;
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    AUTO(http_response_done) struct http_response r = {0};
    struct http_request req = {.method = "GET"};
    int rc;

    sandbox_url(w->api->sb, &url);
    buf_addf(&url, CM "?watch=true%s", w->query);
    req.url = buf_view(&url);
    rc = http_stream(w->api->client, &req, 0, w->stop, on_piece, w, &r, &e);
    LOCK_SCOPE(&w->lock);
    w->failed = rc < 0;
    w->status = r.status;
    w->has_ended = true;
    pthread_cond_broadcast(&w->cond);
}

static void watch_start(struct watcher *w, struct api *a, const char *query)
{
    AUTO(err_done) struct err e = {0};

    *w = (struct watcher){.api = a, .query = query};
    pthread_mutex_init(&w->lock, NULL);
    thread_cond_init(&w->cond);
    w->stop = cancel_new(NULL, clock_after(TEST_PATIENCE_MS));
    w->thread = thread_start("watch", watch_main, w, &e);
    CHECK_OK(&e);
}

static void watch_expect(struct watcher *w, size_t count, const char *want)
{
    clock_ms end = clock_after(TEST_PATIENCE_MS);

    LOCK_SCOPE(&w->lock);
    while (w->count < count && !w->has_ended && clock_now() < end)
        thread_cond_wait(&w->cond, &w->lock, end);
    CHECK_STR(buf_view(&w->events), str_of(want), "events");
}

static void watch_stop(struct watcher *w)
{
    cancel_trigger(w->stop, ERR_CANCELED, "enough");
    thread_join(w->thread);
    cancel_free(w->stop);
    buf_done(&w->text);
    buf_done(&w->events);
    pthread_cond_destroy(&w->cond);
    pthread_mutex_destroy(&w->lock);
}

static void watch_wait_end(struct watcher *w)
{
    clock_ms end = clock_after(TEST_PATIENCE_MS);

    LOCK_SCOPE(&w->lock);
    while (!w->has_ended && clock_now() < end)
        thread_cond_wait(&w->cond, &w->lock, end);
    CHECK(w->has_ended);
}

static void put(struct api *a, const char *name, const char *label)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf json = {0};

    buf_addf(&json,
             "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\","
             "\"namespace\":\"default\",\"labels\":{\"l\":\"%s\"}}}",
             name, label);
    CHECK_INT(sandbox_put(a->sb, buf_view(&json), &e), 0, "put");
}

static void drop(struct api *a, const char *name)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(sandbox_remove(a->sb, STR("v1"), STR("ConfigMap"), STR("default"), str_of(name), &e),
              0, "remove");
}

TEST(watch_tells_what_is_there_and_what_happens)
{
    AUTO(api_stop) struct api a = {0};
    struct watcher w;

    api_start(&a, NULL);
    put(&a, "one", "x");
    watch_start(&w, &a, "");
    watch_expect(&w, 1, "ADDED one");
    put(&a, "two", "x");
    put(&a, "two", "y");
    drop(&a, "one");
    watch_expect(&w, 4, "ADDED one, ADDED two, MODIFIED two, DELETED one");
    watch_stop(&w);
}

TEST(watch_with_a_selector_adds_and_deletes_what_starts_and_ceases_to_match)
{
    AUTO(api_stop) struct api a = {0};
    struct watcher w;

    api_start(&a, NULL);
    put(&a, "one", "x");
    watch_start(&w, &a, "&labelSelector=l%3Dx");
    watch_expect(&w, 1, "ADDED one");
    put(&a, "two", "y");
    put(&a, "one", "y");
    put(&a, "two", "x");
    watch_expect(&w, 3, "ADDED one, DELETED one, ADDED two");
    watch_stop(&w);
}

TEST(watch_from_a_version_replays_and_an_old_one_is_gone)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(buf_done) struct buf query = {0};
    struct doc_node *n;
    struct watcher w;

    api_start(&a, NULL);
    api_get(&a, CM, &n);
    buf_addf(&query, "&resourceVersion=%.*s", STR_ARG(api_text(n, "metadata/resourceVersion")));
    put(&a, "one", "x");
    drop(&a, "one");
    watch_start(&w, &a, buf_cstr(&query));
    watch_expect(&w, 2, "ADDED one, DELETED one");
    watch_stop(&w);
    sandbox_compact(a.sb);
    watch_start(&w, &a, buf_cstr(&query));
    watch_wait_end(&w);
    watch_expect(&w, 1, "ERROR 410");
    watch_stop(&w);
    watch_start(&w, &a, "&resourceVersion=999999");
    watch_wait_end(&w);
    watch_expect(&w, 1, "ERROR 410");
    watch_stop(&w);
}

TEST(a_restart_halves_versions_that_counted_on_from_the_first_one)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(err_done) struct err e = {0};
    struct sandbox_fault restart = {.kind = FAULT_RESTART, .point = POINT_REQUEST};
    struct doc_node *n;
    uint64_t before, after;

    api_start(&a, &(struct sandbox_options){.first_version = 100000});
    put(&a, "one", "x");
    api_get(&a, CM "/one", &n);
    CHECK(str_to_uint64(api_text(n, "metadata/resourceVersion"), &before));
    CHECK(before > 100000 && before < 101000);
    CHECK_INT(sandbox_fault_add(a.sb, &restart, &e), 0, "restart");
    api_get(&a, CM, NULL); /* cut; it may be sent again */
    CHECK_INT(sandbox_fault_hits(a.sb), 1, "restarts");
    put(&a, "two", "x");
    api_get(&a, CM "/two", &n);
    CHECK(str_to_uint64(api_text(n, "metadata/resourceVersion"), &after));
    CHECK(after > 50000 && after < 51000);
}

TEST(watch_ends_at_its_timeout_with_a_bookmark)
{
    AUTO(api_stop) struct api a = {0};
    struct watcher w;

    api_start(&a, NULL);
    watch_start(&w, &a, "&timeoutSeconds=1&allowWatchBookmarks=true");
    watch_wait_end(&w);
    watch_expect(&w, 1, "BOOKMARK ");
    CHECK(!w.failed);
    watch_stop(&w);
}

TEST(watch_marks_the_end_of_its_initial_events)
{
    AUTO(api_stop) struct api a = {0};
    struct watcher w;

    api_start(&a, NULL);
    put(&a, "one", "x");
    watch_start(&w, &a,
                "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1");
    watch_expect(&w, 2, "ADDED one, BOOKMARK ");
    put(&a, "two", "x");
    watch_expect(&w, 3, "ADDED one, BOOKMARK , ADDED two");
    watch_stop(&w);
}

TEST(faults_hit_watches_at_their_points)
{
    static const struct {
        enum sandbox_fault_kind kind;
        enum sandbox_point point;
        const char *events;
        bool ends;
    } rows[] = {
        {FAULT_RESET, POINT_FIRST_EVENT, "", true},
        {FAULT_HALF_EVENT, POINT_FIRST_EVENT, "", true},
        {FAULT_GONE, POINT_MID_EVENT, "ADDED one, ERROR 410", true},
        {FAULT_TOO_MANY, POINT_MID_EVENT, "ADDED one, ERROR 429", true},
        {FAULT_RESTART, POINT_MID_EVENT, "ADDED one", true},
        {FAULT_DUPLICATE, POINT_MID_EVENT, "ADDED one, ADDED two, ADDED two", false},
        {FAULT_BOOKMARK, POINT_FIRST_EVENT, "BOOKMARK , ADDED one, ADDED two", false},
        {FAULT_SLOW, POINT_FIRST_EVENT, "ADDED one, ADDED two", false},
        {FAULT_LATE, POINT_FIRST_EVENT, "ADDED one, ADDED two", false},
        {FAULT_RESET, POINT_IDLE, "", true},
        {FAULT_BOOKMARK, POINT_IDLE, "BOOKMARK , ADDED one, ADDED two", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(api_stop) struct api a = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf query = {0};
        struct doc_node *n;
        struct watcher w;
        size_t count = 0;

        api_start(&a, &(struct sandbox_options){.no_controllers = true});
        api_await(&a, CM "/kube-root-ca.crt", "kind", "ConfigMap");
        api_get(&a, CM, &n);
        buf_addf(&query, "&resourceVersion=%.*s", STR_ARG(api_text(n, "metadata/resourceVersion")));
        CHECK_INT(sandbox_fault_add(a.sb,
                                    &(struct sandbox_fault){.kind = rows[i].kind,
                                                            .point = rows[i].point,
                                                            .path = STR("*/configmaps")},
                                    &e),
                  0, "fault");
        if (rows[i].point != POINT_IDLE) {
            put(&a, "one", "x");
            put(&a, "two", "x");
        }
        watch_start(&w, &a, buf_cstr(&query));
        if (rows[i].ends)
            watch_wait_end(&w);
        if (rows[i].point == POINT_IDLE && !rows[i].ends) {
            watch_expect(&w, 1, "BOOKMARK ");
            put(&a, "one", "x");
            put(&a, "two", "x");
        }
        for (const char *p = rows[i].events; *p; p++)
            count += *p == ',';
        watch_expect(&w, count + (rows[i].events[0] != 0), rows[i].events);
        CHECK_INT(sandbox_fault_hits(a.sb), 1, "one hit");
        watch_stop(&w);
    }
}
