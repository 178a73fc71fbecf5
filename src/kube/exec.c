#include "kube/exec_priv.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/time.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "sys/env.h"
#include "sys/proc.h"

enum { OUTPUT_LIMIT = 1 << 20, LAST_WORDS = 500, LONGEST_MS = 300000 };

void kube_exec_result_done(struct kube_exec_result *r)
{
    buf_done(&r->token);
    buf_done(&r->cert_pem);
    buf_done(&r->key_pem);
}

/* ---- what the plugin is told */
static void add_field(struct buf *out, const char *name, str value)
{
    if (value.len == 0)
        return;
    buf_addf(out, ",\"%s\":", name);
    doc_json_quote(value, 0, out);
}

static void add_cluster(const struct kube_config *c, struct buf *out)
{
    AUTO(buf_done) struct buf ca = {0};

    buf_add_cstr(out, ",\"cluster\":{\"server\":");
    doc_json_quote(c->server, 0, out);
    add_field(out, "tls-server-name", c->tls_server_name);
    if (c->insecure)
        buf_add_cstr(out, ",\"insecure-skip-tls-verify\":true");
    escape_base64(c->ca_pem, true, &ca);
    add_field(out, "certificate-authority-data", buf_view(&ca));
    add_field(out, "proxy-url", c->proxy_url);
    if (c->exec->cluster_config.len)
        buf_addf(out, ",\"config\":%.*s", STR_ARG(c->exec->cluster_config));
    buf_add_char(out, '}');
}

static void kube_exec_info(const struct kube_config *c, bool is_interactive, struct buf *out)
{
    buf_add_cstr(out, "{\"kind\":\"ExecCredential\"");
    add_field(out, "apiVersion", c->exec->api_version);
    buf_addf(out, ",\"spec\":{\"interactive\":%s", is_interactive ? "true" : "false");
    if (c->exec->wants_cluster_info)
        add_cluster(c, out);
    buf_add_cstr(out, "}}");
}

/* ---- what it answers */

static bool is_pem(const struct buf *text)
{
    return str_contains(buf_view(text), STR("-----BEGIN "));
}

static int kube_exec_parse(const struct kube_exec *exec, str text, struct kube_exec_result *ret,
                           struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    const struct doc_node *root =
        str_trim(text).len ? doc_parse_json_view(set, text, "the plugin's output", e) : NULL;
    const struct doc_node *status = doc_get_lit(root, "status");
    str version = doc_string(doc_get_lit(root, "apiVersion"), STR_NONE);
    str expires = doc_string(doc_get_lit(status, "expirationTimestamp"), STR_NONE);

    if (!str_trim(text).len)
        return err_set(e, ERR_DENIED, "it printed nothing, an ExecCredential was expected");
    if (!root)
        return -1;
    if (!str_eq(doc_string(doc_get_lit(root, "kind"), STR_NONE), STR("ExecCredential")))
        return err_set(e, ERR_DENIED, "its output is no ExecCredential");
    if (!str_eq(version, exec->api_version))
        return err_set(e, ERR_DENIED, "it answers in \"%.*s\", the kubeconfig asks for \"%.*s\"",
                       STR_ARG(version), STR_ARG(exec->api_version));
    buf_add_str(&ret->token, doc_string(doc_get_lit(status, "token"), STR_NONE));
    buf_add_str(&ret->cert_pem, doc_string(doc_get_lit(status, "clientCertificateData"), STR_NONE));
    buf_add_str(&ret->key_pem, doc_string(doc_get_lit(status, "clientKeyData"), STR_NONE));
    if (!ret->token.len && !ret->cert_pem.len)
        return err_set(e, ERR_DENIED, "its output has neither a token nor a client certificate");
    if (!ret->cert_pem.len != !ret->key_pem.len)
        return err_set(e, ERR_DENIED, "its output has only one of client certificate and key");
    if (ret->cert_pem.len && !(is_pem(&ret->cert_pem) && is_pem(&ret->key_pem)))
        return err_set(e, ERR_DENIED,
                       "its client certificate or key holds no PEM (\"-----BEGIN …\")");
    ret->expires_wall_ms = INT64_MAX;
    if (expires.len && !time_parse_rfc3339(expires, &ret->expires_wall_ms))
        return err_set(e, ERR_DENIED, "its expirationTimestamp \"%.*s\" is no time",
                       STR_ARG(expires));
    return 0;
}

/* ---- which program */
static bool is_program(const char *path, struct stat *st)
{
    return stat(path, st) == 0 && S_ISREG(st->st_mode) && access(path, X_OK) == 0;
}

/* The last path that was tried exists: why is it none? */
static bool say_no_program(const char *path, struct err *e)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return false;
    err_set(e, ERR_DENIED,
            S_ISREG(st.st_mode) ? "%s may not be executed (chmod +x)" : "%s is no program", path);
    return true;
}

/* As kubectl: a command with a '/' is relative to its kubeconfig, others are searched in PATH, but
 * never in the working folder. */
static bool find_program(const struct kube_exec *exec, struct buf *path, struct stat *st)
{
    str rest = str_of(env_get("PATH"));

    if (str_find_char(exec->command, '/') >= 0) {
        str command = exec->command;

        if (command.p[0] != '/')
            buf_addf(path, "%.*s/", STR_ARG(exec->folder));
        buf_add_str(path, str_starts(command, STR("./")) ? str_from(command, 2) : command);
        return is_program(buf_cstr(path), st);
    }
    while (rest.p) {
        str folder = str_cut(rest, ':', &rest);

        buf_clear(path);
        buf_addf(path, "%.*s/%.*s", STR_ARG(folder), STR_ARG(exec->command));
        if (folder.len && folder.p[0] == '/' && is_program(buf_cstr(path), st))
            return true;
    }
    return false;
}

static int check_program(const struct kube_exec *exec, struct buf *path, struct err *e)
{
    struct stat st;
    bool is_found;

    if (!exec->is_allowed)
        return err_set(e, ERR_DENIED,
                       "not started: policy forbids it; GRAPNEL_EXEC_PLUGINS=allow permits the "
                       "plugins of any kubeconfig");
    is_found = find_program(exec, path, &st);
    if (!is_found && say_no_program(buf_cstr(path), e))
        return -1;
    if (!is_found)
        return err_set(e, ERR_DENIED, "there is no such program; %.*s",
                       STR_ARG(exec->install_hint.len
                                   ? str_trim(exec->install_hint)
                                   : STR("install it, or put its folder into PATH")));
    if (st.st_mode & S_IWOTH)
        return err_set(e, ERR_DENIED, "not started: everybody may change %s (chmod o-w)",
                       buf_cstr(path));
    return 0;
}

/* ---- running it */
static int run(const struct kube_config *c, const char *path, bool is_interactive,
               struct cancel *cancel, struct proc_result *ret, struct err *e)
{
    const struct kube_exec *exec = c->exec;
    AUTO(arena_done) struct arena a = {0};
    AUTO(env_list_done) struct env_list env = {0};
    AUTO(buf_done) struct buf info = {0};
    const char **argv = ARENA_ARRAY(&a, const char *, exec->arg_count + 2);
    struct proc_spec spec = {.argv = argv,
                             .has_terminal = is_interactive,
                             .output_limit = OUTPUT_LIMIT,
                             .cancel = cancel};

    argv[0] = path;
    for (size_t i = 0; i < exec->arg_count; i++)
        argv[i + 1] = arena_cstr(&a, exec->args[i]);
    env_list_inherit(&env);
    for (size_t i = 0; i < exec->env_count; i++)
        env_list_set(&env, exec->env[i].name, exec->env[i].value);
    kube_exec_info(c, is_interactive, &info);
    env_list_set(&env, STR("KUBERNETES_EXEC_INFO"), buf_view(&info));
    spec.env = env.v;
    return proc_run(&spec, ret, e);
}

static int check_exit(const struct proc_result *r, struct err *e)
{
    AUTO(buf_done) struct buf how = {0};
    str words = str_trim(buf_view(&r->err));

    if (r->exit_code == 0)
        return 0;
    if (words.len > LAST_WORDS)
        words = str_from(words, words.len - LAST_WORDS);
    proc_describe(r, &how);
    return err_set(e, ERR_DENIED, "%s%s%.*s", buf_cstr(&how), words.len ? ": " : "",
                   STR_ARG(words));
}

static int run_and_parse(const struct kube_config *c, struct cancel *cancel,
                         struct kube_exec_result *ret, struct err *e)
{
    const struct kube_exec *exec = c->exec;
    AUTO(cancel_free) struct cancel *own = cancel_new(cancel, clock_after(LONGEST_MS));
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(buf_done) struct buf path = {0};
    bool has_terminal = isatty(STDIN_FILENO);

    if (check_program(exec, &path, e) < 0)
        return -1;
    if (exec->interactive == KUBE_INTERACTIVE_ALWAYS && !has_terminal)
        return err_set(e, ERR_DENIED, "it wants to ask on a terminal, and there is none");
    has_terminal &= exec->interactive != KUBE_INTERACTIVE_NEVER;
    if (run(c, buf_cstr(&path), has_terminal, own, &r, e) < 0 || check_exit(&r, e) < 0)
        return -1;
    return kube_exec_parse(exec, buf_view(&r.out), ret, e);
}

int kube_exec_run(const struct kube_config *c, struct cancel *cancel, struct kube_exec_result *ret,
                  struct err *e)
{
    if (run_and_parse(c, cancel, ret, e) == 0)
        return 0;
    if (e->kind != ERR_CANCELED && e->kind != ERR_TIMEOUT)
        e->kind = ERR_DENIED;
    return err_wrap(e, "credential plugin \"%.*s\" of %.*s", STR_ARG(c->exec->command),
                    STR_ARG(c->exec->origin));
}
