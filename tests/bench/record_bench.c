/* record_bench KUBECONFIG FILE COMMAND...: runs the command against a proxy in front of the API
 * server and writes down what it sends (requests.h), for bare_bench to send again. Ends with the
 * command's exit status.
 *
 * Groups: what only looks may be on its way together; writes may when they are of one method and
 * one collection, which is the order that helm promises its users (kind after kind). */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/requests.h"
#include "bench/target.h"
#include "http/client.h"
#include "http/server.h"
#include "sys/proc.h"

static struct {
    struct target target;
    struct http_client *client;
    pthread_mutex_t lock; /* of what follows */
    struct buf out;
    int group;
    char *kind; /* of the group: method and collection */
} proxy = {.lock = PTHREAD_MUTEX_INITIALIZER};

static str collection(str target)
{
    str path = str_cut(target, '?', NULL);

    return str_sub(path, 0, (size_t)MAX(str_rfind_char(path, '/'), (ssize_t)0));
}

static void record(const struct http_server_request *req, str accept, str content_type)
{
    struct request r = {.method = req->method,
                        .target = req->target,
                        .accept = accept,
                        .content_type = content_type,
                        .body = req->body};
    bool looks = str_eq(req->method, STR("GET"));
    char *kind = str_printf("%.*s %.*s", STR_ARG(req->method),
                            STR_ARG(looks ? STR("anything") : collection(req->target)));

    pthread_mutex_lock(&proxy.lock);
    if (!proxy.kind || strcmp(kind, proxy.kind) != 0)
        proxy.group++;
    mem_free(proxy.kind);
    proxy.kind = kind;
    r.group = proxy.group;
    request_write(&r, &proxy.out);
    pthread_mutex_unlock(&proxy.lock);
}

static void on_request(void *ctx, const struct http_server_request *req)
{
    struct http_header headers[] = {
        {STR("Accept"), http_call_header(req->call, "Accept")},
        {STR("Content-Type"), http_call_header(req->call, "Content-Type")}};
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(mem_free_str) char *method = mem_strndup(req->method.p, req->method.len);
    AUTO(mem_free_str)
    char *url = str_printf("%s%.*s", proxy.target.server, STR_ARG(req->target));
    AUTO(err_done) struct err e = {0};
    struct http_request forward = {.method = method,
                                   .url = str_of(url),
                                   .headers = headers,
                                   .header_count = req->body.len ? 2 : 1,
                                   .body = req->body.len ? req->body : STR_NONE};
    AUTO(mem_free_str) char *type = NULL;
    struct http_reply reply = {0};
    str said;

    (void)ctx;
    record(req, headers[0].value, headers[1].value);
    if (http_call(proxy.client, &forward, NULL, &answer, &e) < 0) {
        fprintf(stderr, "record: %s\n", err_text(&e));
        http_call_cut(req->call);
        return;
    }
    said = http_response_header(&answer, "content-type");
    type = mem_strndup(said.p, said.len);
    reply.status = answer.status;
    reply.content_type = type;
    reply.body = answer.body;
    answer.body = (struct buf){0};
    http_call_reply(req->call, &reply);
}

static int run(char **words, uint16_t port, struct err *e)
{
    char path[] = "/tmp/record-XXXXXX";
    int fd = mkstemp(path);
    struct proc_spec spec = {.argv = (const char *const *)words};
    AUTO(proc_result_done) struct proc_result result = {0};
    int rc;

    if (fd < 0)
        return err_errno(e, errno, "mkstemp");
    dprintf(fd,
            "{apiVersion: v1, kind: Config, current-context: x, contexts: [{name: x, context: "
            "{cluster: x, user: x}}], users: [{name: x, user: {}}], clusters: [{name: x, cluster: "
            "{server: 'http://127.0.0.1:%d'}}]}\n",
            port);
    close(fd);
    setenv("KUBECONFIG", path, 1);
    rc = proc_run(&spec, &result, e);
    unlink(path);
    if (rc == 0 && result.exit_code != 0)
        fprintf(stderr, "%.*s", STR_ARG(buf_view(&result.err)));
    return rc < 0 ? -1 : result.exit_code;
}

int main(int argc, char **argv)
{
    AUTO(err_done) struct err e = {0};
    struct http_server_options server = {.handler = on_request, .threads = 4};
    struct http_client_options client = {0};
    struct http_server *s;
    FILE *f;
    int rc = -1;

    if (argc < 4)
        return 2;
    if (target_read(argv[1], &proxy.target, &e) == 0) {
        client.tls.ca_pem = buf_view(&proxy.target.ca);
        client.tls.cert_pem = buf_view(&proxy.target.cert);
        client.tls.key_pem = buf_view(&proxy.target.key);
        proxy.client = http_client_new(&client, &e);
        s = proxy.client ? http_server_start(&server, &e) : NULL;
        rc = s ? run(argv + 3, http_server_port(s), &e) : -1;
        http_server_stop(s);
        http_client_free(proxy.client);
    }
    if (rc < 0)
        fprintf(stderr, "record: %s\n", err_text(&e));
    f = rc == 0 ? fopen(argv[2], "we") : NULL;
    if (f && fwrite(proxy.out.p, 1, proxy.out.len, f) != proxy.out.len)
        rc = 1;
    if (f && fclose(f) != 0)
        rc = 1;
    target_done(&proxy.target);
    buf_done(&proxy.out);
    mem_free(proxy.kind);
    return f || rc > 0 ? rc : 1;
}
