/* kube_bench WATCH.NDJSON: the client against a stand-in for the API server, a process of its own
 * on plain loopback HTTP. P14: what an event of a watch costs this process, read, parsed in full
 * and told. P20: 1,000 server-side applies, 16 in flight, at a server that takes 5 ms for each. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/input.h"
#include "bench/pair.h"
#include "doc/parse.h"
#include "kube/watch.h"

enum { APPLIES = 1000, IN_FLIGHT = 16, SERVER_US = 5000 };

/* ---- the stand-in */
static struct buf events; /* as chunks of an answer */
static size_t event_count;

static void send_all(int fd, str bytes)
{
    while (bytes.len) {
        ssize_t n = send(fd, bytes.p, MIN(bytes.len, (size_t)65536), MSG_NOSIGNAL);

        if (n <= 0)
            return;
        bytes = str_from(bytes, (size_t)n);
    }
}

static void answer(int fd, str body)
{
    AUTO(buf_done) struct buf out = {0};

    buf_addf(&out, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n%.*s", body.len, STR_ARG(body));
    send_all(fd, buf_view(&out));
}

static void serve_request(int fd, str request)
{
    if (str_contains(request, STR("watch=1"))) {
        send_all(fd, STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
        send_all(fd, buf_view(&events));
    } else if (str_starts(request, STR("PATCH"))) {
        usleep(SERVER_US);
        answer(fd, STR("{\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"x\"}}"));
    } else {
        answer(
            fd,
            STR("{\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}"));
    }
}

/* Requests are small and come whole: the client sends head and body before it waits. */
static void *serve(void *arg)
{
    int fd = (int)(intptr_t)arg, on = 1;
    char request[8192];
    ssize_t n;

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    while ((n = recv(fd, request, sizeof(request), 0)) > 0) {
        bool has_body = str_starts((str){request, (size_t)n}, STR("PATCH"));
        size_t len = (size_t)n;

        while (has_body && str_ends((str){request, len}, STR("\r\n\r\n")) &&
               (n = recv(fd, request + len, sizeof(request) - len, 0)) > 0)
            len += (size_t)n;
        serve_request(fd, (str){request, len});
    }
    close(fd);
    return NULL;
}

static int read_events(const char *path)
{
    AUTO(buf_done) struct buf text = {0};
    str rest, line;

    if (!input_read(path, &text))
        return -1;
    rest = buf_view(&text);
    for (; str_next_line(&rest, &line); event_count++)
        buf_addf(&events, "%zx\r\n%.*s\n\r\n", line.len + 1, STR_ARG(line));
    buf_add_cstr(&events, "90\r\n{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\",\"metadata\":{"
                          "\"name\":\"the-end\",\"namespace\":\"the-end\",\"uid\":\"the-end\","
                          "\"resourceVersion\":\"999999999999\"}}}  \n\r\n");
    return 0;
}

/* The process of the server: its cost is not ours. Returns its port. */
static int start_server(const char *path)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t len = sizeof(at);

    if (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(fd, 64) < 0 ||
        getsockname(fd, (struct sockaddr *)&at, &len) < 0)
        return -1;
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (read_events(path) < 0)
            _exit(1);
        for (;;) {
            pthread_t thread;
            int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

            pthread_create(&thread, NULL, serve, (void *)(intptr_t)client);
            pthread_detach(thread);
        }
    }
    close(fd);
    return ntohs(at.sin_port);
}

/* ---- the client */
static int on_event(void *ctx, const struct kube_event *ev)
{
    size_t *count = ctx;

    ++*count;
    return str_eq(doc_string(doc_at(ev->object, "metadata/namespace"), STR_NONE), STR("the-end"));
}

static bool bench_watch(struct kube *k, size_t lines)
{
    static const struct kube_type pods = {.version = STR_INIT("v1"),
                                          .kind = STR_INIT("Pod"),
                                          .plural = STR_INIT("pods"),
                                          .namespaced = true};
    struct kube_ref ref = {.type = &pods};
    AUTO(err_done) struct err e = {0};
    size_t told = 0;
    double least = 1e9;

    for (int i = 0; i < 16; i++) { /* once to warm up; what neighbours cost is not ours */
        double cpu = pair_cpu();

        if (kube_watch(k, &ref, NULL, NULL, on_event, &told, &e) < 0)
            return pair_value(err_text(&e), 1, "failed", 0.5);
        least = MIN(least, pair_cpu() - cpu);
    }
    return pair_value("kube/watch, cpu an event", least * 1e6 / (double)lines, "us", 10);
}

struct applies {
    struct kube *k;
    atomic_int next, failed;
};

static void *apply_some(void *ctx)
{
    static const struct kube_type maps = {.version = STR_INIT("v1"),
                                          .kind = STR_INIT("ConfigMap"),
                                          .plural = STR_INIT("configmaps"),
                                          .namespaced = true};
    struct kube_ref ref = {.type = &maps, .ns = STR("default"), .name = STR("x")};
    struct kube_write_options options = {.field_manager = STR("bench"), .force = true};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct applies *a = ctx;
    struct doc_node *object =
        doc_parse_json(set, STR("{\"kind\":\"ConfigMap\",\"data\":{\"a\":\"b\"}}"), "bench", &e);

    while (atomic_fetch_add(&a->next, 1) < APPLIES) {
        AUTO(kube_object_done) struct kube_object got = {0};

        a->failed += kube_patch(a->k, &ref, KUBE_PATCH_APPLY, object, &options, NULL, &got, &e) < 0;
    }
    return NULL;
}

static bool bench_applies(struct kube *k)
{
    struct applies a = {.k = k};
    pthread_t threads[IN_FLIGHT];
    double cpu = pair_cpu(), begin = pair_now();
    bool ok;

    for (size_t i = 0; i < IN_FLIGHT; i++)
        pthread_create(&threads[i], NULL, apply_some, &a);
    for (size_t i = 0; i < IN_FLIGHT; i++)
        pthread_join(threads[i], NULL);
    /* The bar is against kubectl, in the same run: tests/bench/apply.sh. */
    ok = pair_value("kube/apply 1,000 objects at 5 ms", pair_now() - begin, "s", 0);
    ok &= pair_value("kube/apply, cpu a request", (pair_cpu() - cpu) * 1e6 / APPLIES, "us", 0);
    return ok && pair_value("kube/apply, failed", a.failed, "", 0.5);
}

int main(int argc, char **argv)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    struct kube_config_flags flags = {.kubeconfig = STR("/dev/null")};
    AUTO(kube_config_free) struct kube_config *config = NULL;
    AUTO(kube_free) struct kube *k = NULL;
    char url[64];
    size_t lines = 0;
    int port;
    bool ok;

    if (argc != 2 || !input_read(argv[1], &text) || (port = start_server(argv[1])) < 0)
        return 2;
    for (size_t i = 0; i < text.len; i++)
        lines += text.p[i] == '\n';
    snprintf(url, sizeof(url), "http://127.0.0.1:%d", port);
    flags.server = str_of(url);
    config = kube_config_load(&flags, &e);
    k = config ? kube_new(config, &e) : NULL;
    if (!k)
        return 2;
    buf_done(&text);
    ok = bench_applies(k);
    ok &= bench_watch(k, lines);
    return ok ? 0 : 1;
}
