/* The user of a kubeconfig context: credentials. */
#include "doc/emit.h"
#include "doc/parse.h"
#include "http/url.h"
#include "kube/config_load_priv.h"
#include "sys/env.h"

static const char extension_name[] = "client.authentication.k8s.io/exec";

static struct diag *complain(struct kubeconfig *k, const struct kubeconfig_entry *at,
                             const struct doc_node *n, const char *text)
{
    return doc_diag(&k->diags, at->file->set, n, false, "kubeconfig.user", "%s", text);
}

static const str *fill_texts(struct kubeconfig *k, const struct kubeconfig_entry *at,
                             const struct doc_node *list, struct arena *a, size_t *ret_count)
{
    str *texts = ARENA_ARRAY(a, str, doc_len(list));
    struct doc_iter it = doc_children(list);

    *ret_count = 0;
    if (!doc_is_null(list) && doc_type(list) != DOC_LIST)
        complain(k, at, list, "a list of texts is needed here");
    else
        while (doc_next(&it))
            texts[(*ret_count)++] = arena_dup(a, doc_text(it.value, STR_NONE));
    return texts;
}

/* ---- exec plugins */
static void fill_env(struct kube_exec *exec, const struct doc_node *list, struct arena *a)
{
    struct kube_exec_env *env = ARENA_ARRAY(a, struct kube_exec_env, doc_len(list));
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        str name = doc_text(doc_get_lit(it.value, "name"), STR_NONE);

        if (name.len)
            env[exec->env_count++] = (struct kube_exec_env){
                arena_dup(a, name),
                arena_dup(a, doc_text(doc_get_lit(it.value, "value"), STR_NONE))};
    }
    exec->env = env;
}

static void fill_interactive(struct kube_exec *exec, struct kubeconfig *k,
                             const struct kubeconfig_entry *at)
{
    str mode = kubeconfig_text(k, at, "interactiveMode");

    if (str_eq(mode, STR("Never")))
        exec->interactive = KUBE_INTERACTIVE_NEVER;
    else if (str_eq(mode, STR("Always")))
        exec->interactive = KUBE_INTERACTIVE_ALWAYS;
    else if (mode.len && !str_eq(mode, STR("IfAvailable")))
        complain(k, at, doc_get_lit(at->body, "interactiveMode"),
                 "interactiveMode is Never, IfAvailable or Always");
}

/* What the plugin may want to know of its cluster: the extension with its reserved name. */
static str cluster_config(const struct kubeconfig_entry *cluster, struct arena *a)
{
    struct doc_iter it = doc_children(doc_get_lit(cluster->body, "extensions"));

    while (doc_next(&it)) {
        AUTO(buf_done) struct buf json = {0};

        if (!str_eq(doc_text(doc_get_lit(it.value, "name"), STR_NONE), str_of(extension_name)))
            continue;
        doc_emit_json(doc_get_lit(it.value, "extension"), 0, &json);
        return arena_dup(a, buf_view(&json));
    }
    return STR_NONE;
}

static bool policy_allows(bool is_foreign)
{
    str policy = str_of(env_get("GRAPNEL_EXEC_PLUGINS"));

    if (str_eq(policy, STR("deny")))
        return false;
    return !is_foreign || str_eq(policy, STR("allow"));
}

static void fill_exec(struct kube_config *c, struct kubeconfig *k,
                      const struct kubeconfig_entry *user, const struct kubeconfig_entry *cluster,
                      bool is_foreign)
{
    struct kubeconfig_entry at = *user;
    struct kube_exec *exec;
    struct arena *a = &c->arena;

    at.body = doc_get_lit(user->body, "exec");
    if (doc_is_null(at.body))
        return;
    exec = ARENA_NEW(a, struct kube_exec);
    exec->api_version = arena_dup(a, kubeconfig_text(k, &at, "apiVersion"));
    exec->command = arena_dup(a, kubeconfig_text(k, &at, "command"));
    exec->install_hint = arena_dup(a, kubeconfig_text(k, &at, "installHint"));
    exec->folder = arena_dup(a, at.file->folder);
    exec->origin = arena_dup(a, at.file->path);
    exec->args = fill_texts(k, &at, doc_get_lit(at.body, "args"), a, &exec->arg_count);
    fill_env(exec, doc_get_lit(at.body, "env"), a);
    fill_interactive(exec, k, &at);
    exec->wants_cluster_info = kubeconfig_bool(k, &at, "provideClusterInfo");
    exec->cluster_config = cluster_config(cluster, a);
    exec->is_allowed = policy_allows(is_foreign);
    if (exec->command.len == 0)
        complain(k, &at, at.body, "exec needs a command");
    if (!str_eq(exec->api_version, STR("client.authentication.k8s.io/v1")) &&
        !str_eq(exec->api_version, STR("client.authentication.k8s.io/v1beta1")))
        complain(k, &at, at.body,
                 "exec needs apiVersion client.authentication.k8s.io/v1 or …/v1beta1: v1alpha1 is "
                 "no longer spoken, update the plugin");
    c->exec = exec;
}

/* ---- impersonation */
static void fill_extra(struct kube_config *c, const struct doc_node *extra)
{
    struct doc_iter keys = doc_children(extra);
    struct kube_extra *v;
    size_t count = 0;

    while (doc_next(&keys))
        count += doc_len(keys.value);
    v = ARENA_ARRAY(&c->arena, struct kube_extra, count);
    keys = doc_children(extra);
    while (doc_next(&keys)) {
        struct doc_iter values = doc_children(keys.value);
        AUTO(buf_done) struct buf name = {0};

        buf_add_cstr(&name, "Impersonate-Extra-");
        http_url_encode(keys.key, "!#$&'*+^`|", &name); /* header characters stay */
        while (doc_next(&values))
            v[c->as_extra_count++] =
                (struct kube_extra){arena_dup(&c->arena, buf_view(&name)),
                                    arena_dup(&c->arena, doc_text(values.value, STR_NONE))};
    }
    c->as_extra = v;
}

static void fill_impersonation(struct kube_config *c, struct kubeconfig *k,
                               const struct kubeconfig_entry *user)
{
    c->as_user = arena_dup(&c->arena, kubeconfig_text(k, user, "as"));
    c->as_uid = arena_dup(&c->arena, kubeconfig_text(k, user, "as-uid"));
    c->as_groups =
        fill_texts(k, user, doc_get_lit(user->body, "as-groups"), &c->arena, &c->as_group_count);
    fill_extra(c, doc_get_lit(user->body, "as-user-extra"));
}

void kube_config_fill_user(struct kube_config *c, struct kubeconfig *k,
                           const struct kubeconfig_entry *user,
                           const struct kubeconfig_entry *cluster, bool is_foreign)
{
    const struct doc_node *provider = doc_get_lit(user->body, "auth-provider");
    str token_file = kubeconfig_text(k, user, "tokenFile");

    c->cert_pem = kubeconfig_pem(k, user, "client-certificate", &c->arena);
    c->key_pem = kubeconfig_pem(k, user, "client-key", &c->arena);
    if (c->cert_pem.len && !c->key_pem.len)
        complain(k, user, user->body, "a client-certificate needs its client-key");
    c->token = arena_dup(&c->arena, str_trim(kubeconfig_text(k, user, "token")));
    if (token_file.len)
        c->token_file = kubeconfig_path(user->file, token_file, &c->arena);
    c->username = arena_dup(&c->arena, kubeconfig_text(k, user, "username"));
    c->password = arena_dup(&c->arena, kubeconfig_text(k, user, "password"));
    fill_impersonation(c, k, user);
    fill_exec(c, k, user, cluster, is_foreign);
    if (!doc_is_null(provider))
        complain(k, user, provider,
                 "auth-provider is no longer supported (Kubernetes removed it in 1.26): use an "
                 "exec plugin");
}
