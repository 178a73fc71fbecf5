/* What a client can hardly be faster than, for comparison: 16 threads, each with a connection of
 * its own, bodies made beforehand, answers not looked at.
 *
 *   bare_bench KUBECONFIG MANIFESTS NAMESPACE   sends each object as a server-side apply
 *   bare_bench KUBECONFIG REQUESTS              sends what record_bench wrote down, group by group
 */
#include <curl/curl.h>
#include <pthread.h>

#include "base/mem.h"
#include "bench/input.h"
#include "bench/requests.h"
#include "bench/target.h"
#include "doc/emit.h"
#include "khook/act/object.h"
#include "kube/client.h"

enum { CONNECTIONS = 16 };

struct sending {
    int group;
    char *method, *url;
    struct curl_slist *headers;
    str body; /* p NULL: none */
};

static struct {
    struct target target;
    struct sending *v;
    size_t count;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t group_ended;
    size_t next, running, failed;
    int group;
} work = {.lock = PTHREAD_MUTEX_INITIALIZER, .group_ended = PTHREAD_COND_INITIALIZER};

static size_t swallow(void *data, size_t size, size_t count, void *ctx)
{
    (void)data, (void)ctx;
    return size * count;
}

static void blob(CURL *curl, CURLoption option, const struct buf *text)
{
    struct curl_blob b = {text->p, text->len, CURL_BLOB_NOCOPY};

    if (text->len)
        curl_easy_setopt(curl, option, &b);
}

/* The next request, once all of the group before are answered; NULL: there is none. */
static const struct sending *take(void)
{
    const struct sending *ret = NULL;

    pthread_mutex_lock(&work.lock);
    while (work.next < work.count && work.v[work.next].group != work.group && work.running)
        pthread_cond_wait(&work.group_ended, &work.lock);
    if (work.next < work.count) {
        ret = &work.v[work.next++];
        work.group = ret->group;
        work.running++;
    }
    pthread_mutex_unlock(&work.lock);
    return ret;
}

static void give(bool is_good)
{
    pthread_mutex_lock(&work.lock);
    work.failed += !is_good;
    if (--work.running == 0)
        pthread_cond_broadcast(&work.group_ended);
    pthread_mutex_unlock(&work.lock);
}

static bool send_one(CURL *curl, const struct sending *s)
{
    bool is_get = strcmp(s->method, "GET") == 0;
    long status = 0;

    curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    if (s->body.p) {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)s->body.len);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, s->body.p);
    }
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, s->method);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, s->headers);
    curl_easy_setopt(curl, CURLOPT_URL, s->url);
    return curl_easy_perform(curl) == CURLE_OK &&
           curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK &&
           (status < 300 || (is_get && status == 404));
}

static void *send_some(void *ctx)
{
    CURL *curl = curl_easy_init();
    const struct sending *s;

    (void)ctx;
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, swallow);
    blob(curl, CURLOPT_CAINFO_BLOB, &work.target.ca);
    blob(curl, CURLOPT_SSLCERT_BLOB, &work.target.cert);
    blob(curl, CURLOPT_SSLKEY_BLOB, &work.target.key);
    while ((s = take()))
        give(send_one(curl, s));
    curl_easy_cleanup(curl);
    return NULL;
}

static struct curl_slist *header(struct curl_slist *list, const char *name, str value)
{
    AUTO(mem_free_str) char *line = str_printf("%s: %.*s", name, STR_ARG(value));

    return value.len ? curl_slist_append(list, line) : list;
}

/* ---- a file of requests */
static bool plan_requests(str text)
{
    AUTO(requests_done) struct requests requests = {0};

    if (!requests_read(text, &requests))
        return false;
    work.count = requests.len;
    work.v = mem_zalloc(work.count * sizeof(*work.v));
    for (size_t i = 0; i < work.count; i++) {
        const struct request *r = &requests.v[i];
        struct sending *s = &work.v[i];

        s->group = r->group;
        s->method = str_printf("%.*s", STR_ARG(r->method));
        s->url = str_printf("%s%.*s", work.target.server, STR_ARG(r->target));
        s->headers = header(header(NULL, "Accept", r->accept), "Content-Type", r->content_type);
        s->body = r->body.len ? r->body : STR_NONE;
    }
    return true;
}

/* ---- objects */
static int plan_objects(const char *kubeconfig, const struct khook_objects *objects, const char *ns,
                        struct err *e)
{
    struct kube_config_flags flags = {.kubeconfig = str_of(kubeconfig)};
    AUTO(kube_config_free) struct kube_config *config = kube_config_load(&flags, e);
    AUTO(kube_free) struct kube *k = config ? kube_new(config, e) : NULL;
    struct curl_slist *headers;

    if (!k)
        return -1;
    headers = header(NULL, "Content-Type", STR("application/apply-patch+yaml"));
    work.count = objects->list.len;
    work.v = mem_zalloc(work.count * sizeof(*work.v));
    for (size_t i = 0; i < work.count; i++) {
        const struct khook_object *o = &objects->list.v[i];
        const struct kube_type *type = kube_type_of(k, o->api_version, o->kind, NULL, e);
        struct buf body = {0};

        if (!type)
            return -1;
        work.v[i].url = str_printf("%s/%s/%.*s/%s%s%s%.*s/%.*s?fieldManager=khook&force=true",
                                   work.target.server, type->group.len ? "apis" : "api",
                                   STR_ARG(o->api_version), type->namespaced ? "namespaces/" : "",
                                   type->namespaced ? ns : "", type->namespaced ? "/" : "",
                                   STR_ARG(type->plural), STR_ARG(o->name));
        doc_emit_json(o->node, 0, &body);
        work.v[i].body = buf_view(&body);
        work.v[i].method = mem_strdup("PATCH");
        work.v[i].headers = headers;
    }
    return 0;
}

static int plan(int argc, char **argv, str text, struct err *e)
{
    AUTO(khook_objects_done) struct khook_objects objects = {0};

    if (target_read(argv[1], &work.target, e) < 0)
        return -1;
    if (argc == 3)
        return plan_requests(text) ? 0 : err_set(e, ERR_INVALID, "%s holds no requests", argv[2]);
    khook_objects_init(&objects);
    if (khook_manifests_parse(&objects, text, 0, &(struct khook_origin){.name = argv[2]}, e) < 0)
        return -1;
    return plan_objects(argv[1], &objects, argv[3], e);
}

int main(int argc, char **argv)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    pthread_t threads[CONNECTIONS];

    if (argc < 3 || argc > 4 || !input_read(argv[2], &text))
        return 2;
    if (plan(argc, argv, buf_view(&text), &e) < 0) {
        fprintf(stderr, "bare: %s\n", err_text(&e));
        return 2;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (size_t i = 0; i < CONNECTIONS; i++)
        pthread_create(&threads[i], NULL, send_some, NULL);
    for (size_t i = 0; i < CONNECTIONS; i++)
        pthread_join(threads[i], NULL);
    return work.failed > 0;
}
