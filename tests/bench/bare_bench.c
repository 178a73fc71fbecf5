/* bare_bench KUBECONFIG MANIFESTS NAMESPACE: sends each object as a server-side apply, and nothing
 * else: 16 threads, each with a connection of its own, bodies made beforehand. What a client can
 * hardly be faster than, for comparison. The kubeconfig is one with embedded credentials (the
 * sandbox's, tests/cluster's). */
#include <curl/curl.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/escape.h"
#include "base/mem.h"
#include "bench/input.h"
#include "bench/pair.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "khook/object.h"
#include "kube/client.h"

enum { CONNECTIONS = 16 };

struct sending {
    char *url;
    struct buf body;
};

static struct {
    struct sending *v;
    size_t count;
    atomic_size_t next, failed;
    struct buf ca, cert, key;
} work;

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

static void *send_some(void *ctx)
{
    CURL *curl = curl_easy_init();
    struct curl_slist *headers =
        curl_slist_append(NULL, "Content-Type: application/apply-patch+yaml");
    size_t at;

    (void)ctx;
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PATCH");
    curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, swallow);
    blob(curl, CURLOPT_CAINFO_BLOB, &work.ca);
    blob(curl, CURLOPT_SSLCERT_BLOB, &work.cert);
    blob(curl, CURLOPT_SSLKEY_BLOB, &work.key);
    while ((at = atomic_fetch_add(&work.next, 1)) < work.count) {
        long status = 0;

        curl_easy_setopt(curl, CURLOPT_URL, work.v[at].url);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, work.v[at].body.p);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)work.v[at].body.len);
        if (curl_easy_perform(curl) != CURLE_OK ||
            curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK || status >= 300)
            atomic_fetch_add(&work.failed, 1);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return NULL;
}

static void credential(const struct doc_node *map, const char *data, const char *file,
                       struct buf *out)
{
    str text = doc_text(doc_get(map, str_of(data)), STR_NONE),
        path = doc_text(doc_get(map, str_of(file)), STR_NONE);

    if (text.len)
        unescape_base64(text, out);
    else if (path.len)
        input_read(path.p, out);
}

/* The server's address; credentials go to work. */
static char *read_kubeconfig(const char *path, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root =
        input_read(path, &text) ? doc_parse(set, buf_view(&text), DOC_MANIFEST, path, e) : NULL;
    const struct doc_node *cluster =
        doc_get_lit(doc_item(doc_get_lit(root, "clusters"), 0), "cluster");
    const struct doc_node *user = doc_get_lit(doc_item(doc_get_lit(root, "users"), 0), "user");

    credential(cluster, "certificate-authority-data", "certificate-authority", &work.ca);
    credential(user, "client-certificate-data", "client-certificate", &work.cert);
    credential(user, "client-key-data", "client-key", &work.key);
    return str_printf("%.*s", STR_ARG(doc_text(doc_get_lit(cluster, "server"), STR_NONE)));
}

static int plan(const char *server, const char *kubeconfig, const struct khook_objects *objects,
                const char *ns, struct err *e)
{
    struct kube_config_flags flags = {.kubeconfig = str_of(kubeconfig)};
    AUTO(kube_config_free) struct kube_config *config = kube_config_load(&flags, e);
    AUTO(kube_free) struct kube *k = config ? kube_new(config, e) : NULL;

    if (!k)
        return -1;
    work.count = objects->list.len;
    work.v = mem_zalloc(work.count * sizeof(*work.v));
    for (size_t i = 0; i < work.count; i++) {
        const struct khook_object *o = &objects->list.v[i];
        const struct kube_type *type = kube_type_of(k, o->api_version, o->kind, NULL, e);

        if (!type)
            return -1;
        work.v[i].url =
            str_printf("%s/%s/%.*s/%s%s%s%.*s/%.*s?fieldManager=khook&force=true", server,
                       type->group.len ? "apis" : "api", STR_ARG(o->api_version),
                       type->namespaced ? "namespaces/" : "", type->namespaced ? ns : "",
                       type->namespaced ? "/" : "", STR_ARG(type->plural), STR_ARG(o->name));
        doc_emit_json(o->node, 0, &work.v[i].body);
    }
    return 0;
}

int main(int argc, char **argv)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    AUTO(mem_free_str) char *server = NULL;
    pthread_t threads[CONNECTIONS];

    if (argc != 4 || !input_read(argv[2], &text))
        return 2;
    khook_objects_init(&objects);
    server = read_kubeconfig(argv[1], &e);
    if (khook_manifests_parse(&objects, buf_view(&text), 0, argv[2], &e) < 0 ||
        plan(server, argv[1], &objects, argv[3], &e) < 0) {
        fprintf(stderr, "bare: %s\n", err_text(&e));
        return 2;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (size_t i = 0; i < CONNECTIONS; i++)
        pthread_create(&threads[i], NULL, send_some, NULL);
    for (size_t i = 0; i < CONNECTIONS; i++)
        pthread_join(threads[i], NULL);
    return atomic_load(&work.failed) > 0;
}
