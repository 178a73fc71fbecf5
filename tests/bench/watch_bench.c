/* Watch ingest (P14): a list and a watch of Pods over plain HTTP on loopback, full parse;
 * microseconds of this process' processor time for an event of 4.6 KB. The server is another
 * process that has all its bytes ready. */
#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/input.h"
#include "bench/pair.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "kube/watch.h"

enum { EVENTS = 20000, MOST_US = 10 };

/* ---- the server: answers by path, one connection after the other */

static void send_all(int fd, str text)
{
    while (text.len) {
        ssize_t n = write(fd, text.p, text.len);

        if (n <= 0)
            _exit(0);
        text = str_from(text, (size_t)n);
    }
}

static void answer(int fd, const char *type, str body)
{
    AUTO(buf_done) struct buf head = {0};

    buf_addf(&head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", type,
             body.len);
    send_all(fd, buf_view(&head));
    send_all(fd, body);
}

/* Events in chunks of 64 KB, as a real server's buffers come. */
static void stream(int fd, str events)
{
    send_all(fd, STR("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: "
                     "chunked\r\n\r\n"));
    while (events.len) {
        str piece = str_sub(events, 0, 1 << 16);
        char head[32];

        snprintf(head, sizeof(head), "%zx\r\n", piece.len);
        send_all(fd, str_of(head));
        send_all(fd, piece);
        send_all(fd, STR("\r\n"));
        events = str_from(events, piece.len);
    }
    pause();
}

static void serve_one(int fd, str events)
{
    char request[16384];
    ssize_t n;

    while ((n = read(fd, request, sizeof(request) - 1)) > 0) {
        str text = {request, (size_t)n};

        if (str_contains(text, STR("watch=")))
            stream(fd, events);
        else if (str_contains(text, STR("/pods")))
            answer(fd, "application/json",
                   STR("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{"
                       "\"resourceVersion\":\"1\"},\"items\":[]}"));
        else if (str_contains(text, STR("GET /api/v1 ")))
            answer(fd, "application/json",
                   STR("{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[{"
                       "\"name\":\"pods\",\"singularName\":"
                       "\"pod\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"get\",\"list\","
                       "\"watch\"],\"shortNames\":[\"po\"]"
                       "}]}"));
        else if (str_contains(text, STR("GET /api ")))
            answer(fd, "application/json", STR("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}"));
        else
            answer(fd, "application/json",
                   STR("{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[]}"));
    }
}

static pid_t serve(str events, uint16_t *ret_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    pid_t pid;

    if (listener < 0 || bind(listener, (struct sockaddr *)&at, len) < 0 ||
        listen(listener, 16) < 0 || getsockname(listener, (struct sockaddr *)&at, &len) < 0)
        return -1;
    *ret_port = ntohs(at.sin_port);
    pid = fork(); /* before any thread of ours */
    while (pid == 0) {
        int fd = accept(listener, NULL, NULL);

        if (fork() == 0) {
            serve_one(fd, events);
            _exit(0);
        }
        close(fd);
    }
    close(listener);
    return pid;
}

/* ---- the reader */

struct seen {
    size_t events;
    double first, last;
};

static int on_event(void *ctx, const struct kube_event *event)
{
    struct seen *s = ctx;

    if (event->type == KUBE_SYNCED)
        return 0;
    if (s->events++ == 0)
        s->first = pair_cpu();
    s->last = pair_cpu();
    return s->events == EVENTS;
}

static int measure(uint16_t port, double *ret_us, struct err *e)
{
    AUTO(mem_free_str) char *url = str_printf("http://127.0.0.1:%u", port);
    struct kube_config_flags flags = {.server = str_of(url)};
    AUTO(kube_config_free) struct kube_config *config = kube_config_load(&flags, e);
    AUTO(kube_free) struct kube *k = config ? kube_new(config, e) : NULL;
    struct kube_ref ref = {.type = k ? kube_type_named(k, STR("pods"), NULL, e) : NULL};
    struct kube_list_options options = {0};
    struct seen seen = {0};

    if (!ref.type || kube_watch(k, &ref, &options, NULL, on_event, &seen, e) < 0)
        return -1;
    *ret_us = (seen.last - seen.first) * 1e6 / (double)(seen.events - 1);
    return 0;
}

/* Each Pod of the list as an event, again and again. */
static void events_make(str list, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *root = doc_parse_json(set, list, "pods.json", &e);
    size_t made = 0;

    while (root && made < EVENTS) {
        struct doc_iter it = doc_children(doc_get_lit(root, "items"));

        while (doc_next(&it) && made++ < EVENTS) {
            doc_set_string(set, it.value, STR("kind"), STR("Pod"));
            doc_set_string(set, it.value, STR("apiVersion"), STR("v1"));
            buf_add_cstr(out, "{\"type\":\"MODIFIED\",\"object\":");
            doc_emit_json(it.value, 0, out);
            buf_add_cstr(out, "}\n");
        }
    }
}

int main(int argc, char **argv)
{
    AUTO(buf_done) struct buf list = {0}, events = {0};
    AUTO(err_done) struct err e = {0};
    uint16_t port = 0;
    double us = 0;
    pid_t server;
    int rc;

    if (argc != 2 || !input_read(argv[1], &list))
        return 2;
    events_make(buf_view(&list), &events);
    server = serve(buf_view(&events), &port);
    if (server < 0)
        return 2;
    rc = measure(port, &us, &e);
    kill(server, SIGKILL);
    if (rc < 0) {
        fprintf(stderr, "watch: %s\n", err_text(&e));
        return 2;
    }
    return !pair_value("watch/an event of 4.6 KB, processor time", us, "us", MOST_US);
}
