#include "kube/config.h"

#include "base/log.h"
#include "doc/parse.h"
#include "http/proxy.h"
#include "kube/config_load_priv.h"
#include "sys/env.h"
#include "sys/file.h"

#define SERVICE_ACCOUNT "/var/run/secrets/kubernetes.io/serviceaccount"

enum { MAX_PEM = 4 << 20 };

static struct kube_config *config_new(void)
{
    struct kube_config *c = NEW(struct kube_config);

    c->refs = 1;
    return c;
}

struct kube_config *kube_config_ref(const struct kube_config *config)
{
    struct kube_config *c = (struct kube_config *)config; /* only its count changes */

    atomic_fetch_add(&c->refs, 1);
    return c;
}

void kube_config_free(struct kube_config *c)
{
    if (!c || atomic_fetch_sub(&c->refs, 1) > 1)
        return;
    arena_done(&c->arena);
    mem_free(c);
}

str kube_config_server(const struct kube_config *c) { return c->server; }
str kube_config_namespace(const struct kube_config *c) { return c->ns; }

/* ---- no kubeconfig */
static int none_found(const struct kubeconfig *k, struct err *e)
{
    AUTO(buf_done) struct buf sought = {0};

    for (size_t i = 0; i < k->sought.len; i++)
        buf_addf(&sought, "%s%.*s", i ? ", " : "", STR_ARG(k->sought.v[i]));
    if (k->empty.len)
        return err_set(e, ERR_INVALID,
                       "kubeconfig: %.*s is empty; name another with --kubeconfig or KUBECONFIG, "
                       "or start a cluster of your own with `grapnel sandbox`",
                       STR_ARG(k->empty));
    if (env_get("KUBERNETES_SERVICE_HOST"))
        buf_addf(&sought, "%sthe service account of this Pod (is it mounted? %s)",
                 sought.len ? " and " : "", SERVICE_ACCOUNT);
    return err_set(e, ERR_NOT_FOUND,
                   "no kubeconfig: looked for %s; name one with --kubeconfig or KUBECONFIG, or "
                   "start a cluster of your own with `grapnel sandbox`",
                   sought.len ? sought.p : "nothing, HOME is not set");
}

static bool is_in_pod(void)
{
    return env_get("KUBERNETES_SERVICE_HOST") && env_get("KUBERNETES_SERVICE_PORT") &&
           file_exists(SERVICE_ACCOUNT "/token");
}

static int load_in_pod(struct kube_config *c, struct err *e)
{
    AUTO(buf_done) struct buf ca = {0}, ns = {0};
    AUTO(err_done) struct err no_ns = {0};
    const char *host = env_get("KUBERNETES_SERVICE_HOST");

    if (file_read(SERVICE_ACCOUNT "/ca.crt", MAX_PEM, &ca, e) < 0)
        return err_wrap(e, "service account of this Pod");
    c->server = arena_printf(&c->arena, strchr(host, ':') ? "https://[%s]:%s" : "https://%s:%s",
                             host, env_get("KUBERNETES_SERVICE_PORT"));
    c->ca_pem = arena_dup(&c->arena, buf_view(&ca));
    c->token_file = STR(SERVICE_ACCOUNT "/token");
    if (file_read(SERVICE_ACCOUNT "/namespace", MAX_PEM, &ns, &no_ns) == 0)
        c->ns = arena_dup(&c->arena, str_trim(buf_view(&ns)));
    return 0;
}

/* ---- a context and what it names */
struct choice {
    str context, cluster, user;
    struct kubeconfig_entry context_entry, cluster_entry, user_entry; /* body NULL: none */
};

/* "…; did you mean "x"?" or the names there are. */
static int unknown_name(const struct kubeconfig *k, const char *what, const char *list, str name,
                        struct err *e)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    AUTO(buf_done) struct buf hint = {0};
    str near;

    kubeconfig_names(k, list, &names);
    near = diag_nearest(name, names.v, names.len);
    if (near.len)
        buf_addf(&hint, "did you mean \"%.*s\"?", STR_ARG(near));
    else if (names.len == 0)
        buf_addf(&hint, "it has no %s at all", list);
    for (size_t i = 0; !near.len && i < MIN(names.len, (size_t)10); i++)
        buf_addf(&hint, "%s\"%.*s\"", i ? ", " : "it has ", STR_ARG(names.v[i]));
    return err_set(e, ERR_INVALID, "%s \"%.*s\" is not in the kubeconfig (%.*s); %s", what,
                   STR_ARG(name), STR_ARG(k->files.len ? k->files.v[0].path : STR("no file")),
                   buf_cstr(&hint));
}

static int choose_context(struct kubeconfig *k, const struct kube_config_flags *flags,
                          struct choice *ret, struct err *e)
{
    ret->context = flags->context.len ? flags->context : kubeconfig_current_context(k);
    if (ret->context.len == 0)
        return 0;
    if (!kubeconfig_find(k, "contexts", "context", ret->context, &ret->context_entry))
        return unknown_name(k, "context", "contexts", ret->context, e);
    ret->cluster = kubeconfig_text(k, &ret->context_entry, "cluster");
    ret->user = kubeconfig_text(k, &ret->context_entry, "user");
    return 0;
}

static int choose(struct kubeconfig *k, const struct kube_config_flags *flags, struct choice *ret,
                  struct err *e)
{
    if (choose_context(k, flags, ret, e) < 0)
        return -1;
    if (flags->cluster.len)
        ret->cluster = flags->cluster;
    if (flags->user.len)
        ret->user = flags->user;
    if (ret->cluster.len == 0 && flags->server.len == 0) {
        AUTO(str_vec_done) struct str_vec names = {0};

        kubeconfig_names(k, "contexts", &names);
        return names.len ? err_set(e, ERR_INVALID,
                                   "the kubeconfig (%.*s) has no current-context; choose one with "
                                   "--context, such as %.*s",
                                   STR_ARG(k->files.v[0].path), STR_ARG(names.v[0]))
                         : err_set(e, ERR_INVALID,
                                   "the kubeconfig (%.*s) has no current-context, nor any other; "
                                   "name another file with --kubeconfig or KUBECONFIG, or a "
                                   "server with --server",
                                   STR_ARG(k->files.v[0].path));
    }
    if (ret->cluster.len &&
        !kubeconfig_find(k, "clusters", "cluster", ret->cluster, &ret->cluster_entry))
        return unknown_name(k, "cluster", "clusters", ret->cluster, e);
    if (ret->user.len && !kubeconfig_find(k, "users", "user", ret->user, &ret->user_entry))
        return unknown_name(k, "user", "users", ret->user, e);
    return 0;
}

static void fill_proxy(struct kube_config *c, struct kubeconfig *k,
                       const struct kubeconfig_entry *cluster)
{
    AUTO(err_done) struct err e = {0};
    struct http_proxy proxy = {.source = "proxy-url"};

    c->proxy_url = arena_dup(&c->arena, kubeconfig_text(k, cluster, "proxy-url"));
    c->proxy_source = arena_printf(&c->arena, "proxy-url of cluster \"%.*s\"", STR_ARG(c->cluster));
    proxy.url = c->proxy_url;
    if (proxy.url.len && http_proxy_check(&proxy, &e) < 0)
        doc_diag(&k->diags, cluster->file->set, doc_get_lit(cluster->body, "proxy-url"), false,
                 "kubeconfig.proxy", "%s", err_text(&e));
}

static void fill_cluster(struct kube_config *c, struct kubeconfig *k,
                         const struct kubeconfig_entry *cluster)
{
    const struct doc_node *server = doc_get_lit(cluster->body, "server");

    c->server = arena_dup(&c->arena, kubeconfig_text(k, cluster, "server"));
    c->ca_pem = kubeconfig_pem(k, cluster, "certificate-authority", &c->arena);
    c->tls_server_name = arena_dup(&c->arena, kubeconfig_text(k, cluster, "tls-server-name"));
    fill_proxy(c, k, cluster);
    c->insecure = kubeconfig_bool(k, cluster, "insecure-skip-tls-verify");
    if (c->server.len == 0)
        doc_diag(&k->diags, cluster->file->set, server ? server : cluster->node, false,
                 "kubeconfig.server", "this cluster has no server");
    if (c->insecure && c->ca_pem.len)
        doc_diag(&k->diags, cluster->file->set, cluster->node, false, "kubeconfig.tls",
                 "certificate-authority and insecure-skip-tls-verify exclude each other: remove "
                 "the latter");
}

/* ---- flags go over everything */
static int read_authority(struct kube_config *c, str path, struct err *e)
{
    AUTO(arena_done) struct arena a = {0};
    AUTO(buf_done) struct buf ca = {0};

    if (file_read(arena_cstr(&a, path), MAX_PEM, &ca, e) < 0)
        return err_wrap(e, "--certificate-authority");
    if (!str_contains(buf_view(&ca), STR("-----BEGIN ")))
        return err_set(
            e, ERR_INVALID,
            "--certificate-authority: %.*s holds no PEM (\"-----BEGIN CERTIFICATE-----\")",
            STR_ARG(path));
    c->ca_pem = arena_dup(&c->arena, buf_view(&ca));
    c->insecure = false;
    return 0;
}

static void copy_flag(struct kube_config *c, str *to, str flag)
{
    if (flag.len)
        *to = arena_dup(&c->arena, flag);
}

static int apply_flags(struct kube_config *c, const struct kube_config_flags *flags, struct err *e)
{
    copy_flag(c, &c->server, flags->server);
    copy_flag(c, &c->tls_server_name, flags->tls_server_name);
    copy_flag(c, &c->as_user, flags->as_user);
    if (flags->token.len) { /* in place of whatever the kubeconfig has */
        copy_flag(c, &c->token, flags->token);
        c->token_file = c->username = c->password = STR_NONE;
        c->exec = NULL;
    }
    if (flags->as_group_count) {
        str *groups = ARENA_ARRAY(&c->arena, str, flags->as_group_count);

        for (size_t i = 0; i < flags->as_group_count; i++)
            groups[i] = arena_dup(&c->arena, flags->as_groups[i]);
        c->as_groups = groups;
        c->as_group_count = flags->as_group_count;
    }
    if (flags->certificate_authority.len && read_authority(c, flags->certificate_authority, e) < 0)
        return -1;
    if (flags->insecure_skip_tls_verify) {
        c->insecure = true;
        c->ca_pem = STR_NONE;
    }
    c->request_timeout_ms = flags->request_timeout_ms;
    return 0;
}

/* ---- together */
static int check_url(struct kube_config *c, struct err *e)
{
    struct http_url url;

    c->server = str_trim_right(c->server, "/");
    if (http_url_parse(c->server, &url, e) < 0) {
        /* "localhost:8080": kubectl takes it for http */
        if (str_contains(c->server, STR("://")))
            return err_wrap(e, "server of cluster \"%.*s\"", STR_ARG(c->cluster));
        err_done(e);
        c->server = arena_printf(&c->arena, "http://%.*s", STR_ARG(c->server));
        return http_url_parse(c->server, &url, e);
    }
    if (c->as_user.len == 0 && (c->as_group_count || c->as_uid.len || c->as_extra_count))
        return err_set(e, ERR_INVALID,
                       "impersonating groups, a uid or extra fields needs a user "
                       "(--as)");
    return 0;
}

static void announce(const struct kube_config *c)
{
    secret_add(c->token);
    secret_add(c->password);
    secret_add(c->key_pem);
    if (c->insecure)
        log_warn("the server's certificate is NOT verified: anyone between here and there can read "
                 "and change everything, credentials included",
                 LOG_STR("server", c->server),
                 LOG_STR("remedy", STR("remove insecure-skip-tls-verify and give the "
                                       "certificate-authority")));
}

static int load_from_files(struct kube_config *c, struct kubeconfig *k,
                           const struct kube_config_flags *flags, struct err *e)
{
    struct choice choice = {0};

    if (choose(k, flags, &choice, e) < 0)
        return -1;
    c->context = arena_dup(&c->arena, choice.context);
    c->cluster = arena_dup(&c->arena, choice.cluster);
    c->user = arena_dup(&c->arena, choice.user);
    if (choice.context_entry.body)
        c->ns = arena_dup(&c->arena, kubeconfig_text(k, &choice.context_entry, "namespace"));
    if (choice.cluster_entry.node)
        fill_cluster(c, k, &choice.cluster_entry);
    if (choice.user_entry.node)
        kube_config_fill_user(c, k, &choice.user_entry, &choice.cluster_entry, flags->is_foreign);
    diag_sort(&k->diags);
    return k->diags.errors ? err_diags(e, &k->diags) : 0;
}

struct kube_config *kube_config_of(struct kubeconfig *k, const struct kube_config_flags *flags,
                                   struct err *e)
{
    AUTO(kube_config_free) struct kube_config *c = config_new();
    int rc;

    if (k->files.len || flags->server.len)
        rc = load_from_files(c, k, flags, e);
    else
        rc = is_in_pod() ? load_in_pod(c, e) : none_found(k, e);
    if (rc < 0 || apply_flags(c, flags, e) < 0 || check_url(c, e) < 0)
        return NULL;
    announce(c);
    return TAKE(c);
}

struct kube_config *kube_config_load(const struct kube_config_flags *flags, struct err *e)
{
    AUTO(kubeconfig_done) struct kubeconfig k = {0};

    return kubeconfig_read(&k, flags, e) < 0 ? NULL : kube_config_of(&k, flags, e);
}
