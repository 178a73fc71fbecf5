#include "kube/config.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/log.h"
#include "kube/auth_priv.h"
#include "kube/config_priv.h"
#include "kube/exec_priv.h"
#include "support/test.h"
#include "sys/env.h"
#include "sys/file.h"

static const char *write_file(struct buf *path, const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};

    buf_clear(path);
    buf_addf(path, "%s/%s", test_tmp(), name);
    CHECK_INT(file_replace(buf_cstr(path), str_of(text), NULL, &e), 0, err_text(&e));
    return buf_cstr(path);
}

static const char two_contexts[] =
    "apiVersion: v1\n"
    "kind: Config\n"
    "current-context: dev\n"
    "clusters:\n"
    "- name: east\n"
    "  cluster:\n"
    "    server: https://east:6443/\n"
    "    tls-server-name: api.east\n"
    "    proxy-url: http://proxy:3128\n"
    "- name: west\n"
    "  cluster: {server: 'https://west', insecure-skip-tls-verify: true}\n"
    "users:\n"
    "- name: ann\n"
    "  user: {token: ' t0ken-of-ann ', as: boss, as-groups: [g1, g2]}\n"
    "- name: bob\n"
    "  user: {username: bob, password: hush-bob}\n"
    "contexts:\n"
    "- name: dev\n"
    "  context: {cluster: east, user: ann}\n"
    "- name: prod\n"
    "  context: {cluster: west, user: bob}\n";

static struct kube_config *load(const char *text, const struct kube_config_flags *more,
                                struct err *e)
{
    struct kube_config_flags flags = more ? *more : (struct kube_config_flags){0};
    AUTO(buf_done) struct buf path = {0};

    flags.kubeconfig = str_of(write_file(&path, "config", text));
    return kube_config_load(&flags, e);
}

TEST(the_current_context_names_cluster_and_user)
{
    AUTO(err_done) struct err e = {0};
    AUTO(kube_config_free) struct kube_config *c = load(two_contexts, NULL, &e);

    CHECK_OK(&e);
    if (!c)
        return;
    CHECK_STR(c->server, STR("https://east:6443"), "server");
    CHECK_STR(c->tls_server_name, STR("api.east"), "tls-server-name");
    CHECK_STR(c->proxy_url, STR("http://proxy:3128"), "proxy-url");
    CHECK_STR(c->token, STR("t0ken-of-ann"), "token");
    CHECK_STR(c->as_user, STR("boss"), "as");
    CHECK_INT(c->as_group_count, 2, "as-groups");
    CHECK_STR(c->context, STR("dev"), "context");
    secret_forget_all();
}

static void drop_record(void *ctx, enum log_level level, str line)
{
    (void)level;
    buf_add_str(ctx, line);
}

TEST(flags_go_over_the_kubeconfig)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf log = {0};
    struct kube_config_flags flags = {.context = STR("prod"), .token = STR("given-token")};
    AUTO(kube_config_free) struct kube_config *c = NULL;

    log_set_sink(drop_record, &log);
    c = load(two_contexts, &flags, &e);
    log_set_sink(NULL, NULL);
    CHECK_OK(&e);
    if (!c)
        return;
    CHECK_STR(c->server, STR("https://west"), "server");
    CHECK(c->insecure);
    CHECK(str_contains(buf_view(&log), STR("NOT verified")));
    CHECK_STR(c->token, STR("given-token"), "token");
    CHECK_STR(c->username, STR(""), "a token takes the place of a password");
    secret_forget_all();
}

TEST(broken_kubeconfigs_are_refused_with_their_place)
{
#define HEAD                                                                                 \
    "current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\nclusters:\n" \
    "- name: c\n  cluster: {server: 'https://h'}\n"
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"a: [", "config:1:"},
        {"- x", "is not a kubeconfig"},
        {"", "config is empty; name another"},
        {"# nothing yet\n", "config is empty; name another"},
        {"{}", "no current-context, nor any other"},
        {"kind: ConfigMap\n", "is not a kubeconfig: it holds a ConfigMap"},
        {"contexts: [{name: nape}]", "no current-context; choose one with --context, such as nape"},
        {"current-context: nope\ncontexts: [{name: nape}]", "did you mean \"nape\""},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: c}}]",
         "cluster \"c\" is not"},
        {HEAD "users: [{name: w}]", "user \"u\" is not"},
        {HEAD
         "users:\n- name: u\n  user:\n    client-certificate-data: '*'\n    client-key-data: x",
         "config:9:30: \"client-certificate-data\" is not base64"},
        {HEAD "users:\n- name: u\n  user:\n    client-certificate-data: eA==", "holds no PEM"},
        {HEAD "users:\n- name: u\n  user: {client-certificate: none.pem}", "No such file"},
        {HEAD "users:\n- name: u\n  user: {exec: {command: x, apiVersion: v1alpha1}}",
         "client.authentication.k8s.io/v1"},
        {HEAD "users:\n- name: u\n  user: {exec: {apiVersion: client.authentication.k8s.io/v1}}",
         "needs a command"},
        {HEAD "users:\n- name: u\n  user: {auth-provider: {name: gcp}}", "no longer supported"},
        {HEAD "users:\n- name: u\n  user: {token: [x]}", "\"token\" must be a text"},
        {HEAD "users:\n- name: u\n  user: {as-groups: [x]}", "needs a user"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\n"
         "clusters: [{name: c, cluster: {server: ''}}]",
         "has no server"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\n"
         "clusters: [{name: c, cluster: {server: 'https://a b'}}]",
         "blank or control"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\n"
         "clusters: [{name: c, cluster: {server: 'https://h', proxy-url: 'ftp://u:hush@h'}}]",
         "config:3:64: proxy (proxy-url): \"ftp\" is no kind of proxy"},
        {"current-context: a\ncontexts: [{name: a, context: {cluster: c}}]\n"
         "clusters: [{name: c, cluster: {server: 'https://h', certificate-authority-data: eA==}}]",
         "\"certificate-authority-data\" holds no PEM"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(kube_config_free) struct kube_config *c = load(rows[i].text, NULL, &e);

        CHECK(!c);
        CHECK_INT(e.kind, ERR_INVALID, rows[i].want);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), "should contain");
    }
}

TEST(an_authority_without_pem_is_refused)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0};
    struct kube_config_flags flags = {.context = STR("prod")};
    AUTO(kube_config_free) struct kube_config *c = NULL;

    flags.certificate_authority = str_of(write_file(&path, "ca.der", "0\202\003"));
    c = load(two_contexts, &flags, &e);
    CHECK(!c);
    CHECK_INT(e.kind, ERR_INVALID, err_text(&e));
    CHECK(str_contains(str_of(err_text(&e)), STR("--certificate-authority: ")));
    CHECK(str_contains(str_of(err_text(&e)), STR("holds no PEM")));
}

TEST(kubeconfigs_of_a_list_are_merged_the_first_wins)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf one = {0}, two = {0}, list = {0}, pem = {0};
    char *vars[2] = {NULL, NULL};
    AUTO(kube_config_free) struct kube_config *c = NULL;

    write_file(&pem, "ca.pem", "-----BEGIN CERTIFICATE-----\nx\n");
    write_file(&one, "one",
               "clusters: [{name: c, cluster: {server: 'https://first', "
               "certificate-authority: ca.pem}}]\n");
    write_file(&two, "two",
               "current-context: a\ncontexts: [{name: a, context: {cluster: c, user: u}}]\n"
               "clusters: [{name: c, cluster: {server: 'https://second', tls-server-name: x}}]\n"
               "users: [{name: u, user: {token: second-token}}]");
    buf_addf(&list, "KUBECONFIG=%s/missing:%s::%s", test_tmp(), buf_cstr(&one), buf_cstr(&two));
    vars[0] = list.p;
    env_replace(vars);
    c = kube_config_load(&(struct kube_config_flags){0}, &e);
    env_replace(NULL);
    CHECK_OK(&e);
    if (!c)
        return;
    CHECK_STR(c->server, STR("https://first"), "first wins");
    CHECK_STR(c->tls_server_name, STR(""), "as a whole");
    CHECK_STR(c->ca_pem, STR("-----BEGIN CERTIFICATE-----\nx\n"), "beside its kubeconfig");
    CHECK_STR(c->token, STR("second-token"), "the rest comes from the second");
    secret_forget_all();
}

TEST(no_kubeconfig_at_all_says_where_it_was_looked_for)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf home = {0};
    char *vars[2] = {NULL, NULL};

    buf_addf(&home, "HOME=%s", test_tmp());
    vars[0] = home.p;
    env_replace(vars);
    CHECK(!kube_config_load(&(struct kube_config_flags){0}, &e));
    env_replace(NULL);
    CHECK_INT(e.kind, ERR_NOT_FOUND, err_text(&e));
    CHECK(str_contains(str_of(err_text(&e)), STR("/.kube/config")));
    CHECK(str_contains(str_of(err_text(&e)), STR("--kubeconfig")));
}

TEST(a_pod_without_a_service_account_is_told_so)
{
    AUTO(err_done) struct err e = {0};
    char host[] = "KUBERNETES_SERVICE_HOST=10.0.0.1";
    char *vars[] = {host, NULL};

    env_replace(vars);
    CHECK(!kube_config_load(&(struct kube_config_flags){0}, &e));
    env_replace(NULL);
    CHECK(str_contains(str_of(err_text(&e)), STR("service account of this Pod (is it mounted?")));
}

TEST(a_server_flag_needs_no_kubeconfig)
{
    AUTO(err_done) struct err e = {0};
    char *vars[1] = {NULL};
    struct kube_config_flags flags = {.server = STR("localhost:8080")};
    AUTO(kube_config_free) struct kube_config *c = NULL;

    env_replace(vars);
    c = kube_config_load(&flags, &e);
    env_replace(NULL);
    CHECK_OK(&e);
    if (c)
        CHECK_STR(kube_config_server(c), STR("http://localhost:8080"), "server");
}

/* ---- exec plugins */
static struct kube_exec plugin(const char *command)
{
    return (struct kube_exec){.api_version = STR("client.authentication.k8s.io/v1"),
                              .command = str_of(command),
                              .install_hint = STR("get it from the moon"),
                              .folder = str_of(test_tmp()),
                              .interactive = KUBE_INTERACTIVE_NEVER,
                              .is_allowed = true,
                              .origin = STR("kubeconfig")};
}

static void write_script(const char *name, const char *text, mode_t mode)
{
    AUTO(buf_done) struct buf path = {0};

    write_file(&path, name, text);
    CHECK_INT(chmod(buf_cstr(&path), mode), 0, name);
}

TEST(a_plugin_is_run_with_its_environment_and_answers_with_a_token)
{
    static const struct kube_exec_env env[] = {{STR_INIT("FLAVOUR"), STR_INIT("mint")}};
    static const str args[] = {STR_INIT("get"), STR_INIT("token")};
    struct kube_exec exec = plugin("./plug");
    struct kube_config c = {.server = STR("https://h"), .exec = &exec};
    AUTO(kube_exec_result_done) struct kube_exec_result r = {0};
    AUTO(err_done) struct err e = {0};

    exec.env = env;
    exec.env_count = 1;
    exec.args = args;
    exec.arg_count = 2;
    exec.wants_cluster_info = true;
    write_script(
        "plug",
        "#!/bin/sh\ncase $KUBERNETES_EXEC_INFO in *'\"server\":\"https://h\"'*) ;; *) exit 9;; "
        "esac\necho '{\"apiVersion\":\"client.authentication.k8s.io/v1\","
        "\"kind\":\"ExecCredential\",\"status\":{\"token\":\"'$FLAVOUR-$1-$2'\","
        "\"expirationTimestamp\":\"2030-01-02T03:04:05Z\"}}'\n",
        0755);
    CHECK_INT(kube_exec_run(&c, NULL, &r, &e), 0, err_text(&e));
    CHECK_STR(buf_view(&r.token), STR("mint-get-token"), "token");
    CHECK_INT(r.expires_wall_ms, 1893553445000, "expires");
}

TEST(plugins_that_fail_say_what_to_do)
{
    static const struct {
        const char *command, *script, *want;
        mode_t mode;
        bool is_denied;
    } rows[] = {
        {"no-such-plugin", NULL, "there is no such program; get it from the moon", 0, false},
        {"./fails", "#!/bin/sh\necho no luck >&2; exit 3\n", "3: no luck", 0755, false},
        {"./open", "#!/bin/sh\n", "everybody may change", 0777, false},
        {"./empty", "#!/bin/sh\n", "it printed nothing", 0755, false},
        {"./rubbish", "#!/bin/sh\necho '<html>'\n", "the plugin's output:1:1", 0755, false},
        {"./plain", "#!/bin/sh\n", "/plain may not be executed (chmod +x)", 0644, false},
        {"./blob",
         "#!/bin/sh\necho '{\"kind\":\"ExecCredential\",\"apiVersion\":"
         "\"client.authentication.k8s.io/v1\",\"status\":{\"clientCertificateData\":\"xx\","
         "\"clientKeyData\":\"yy\"}}'\n",
         "holds no PEM", 0755, false},
        {"./other", "#!/bin/sh\necho '{\"kind\":\"Pod\"}'\n", "no ExecCredential", 0755, false},
        {"./old", "#!/bin/sh\necho '{\"kind\":\"ExecCredential\",\"apiVersion\":\"x\"}'\n",
         "it answers in \"x\"", 0755, false},
        {"./denied", "#!/bin/sh\n", "policy forbids it", 0755, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct kube_exec exec = plugin(rows[i].command);
        struct kube_config c = {.server = STR("https://h"), .exec = &exec};
        AUTO(kube_exec_result_done) struct kube_exec_result r = {0};
        AUTO(err_done) struct err e = {0};

        exec.is_allowed = !rows[i].is_denied;
        if (rows[i].script)
            write_script(rows[i].command + 2, rows[i].script, rows[i].mode);
        CHECK_INT(kube_exec_run(&c, NULL, &r, &e), -1, rows[i].command);
        CHECK_INT(e.kind, ERR_DENIED, rows[i].command);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), "should contain");
    }
}

/* A plugin whose clock is behind, or whose tokens live for a moment, was run for ever. */
TEST(credentials_that_have_expired_already_are_used_and_warned_about)
{
    struct kube_exec exec = plugin("./late");
    struct kube_config c = {.server = STR("https://h"), .exec = &exec};
    AUTO(buf_done) struct buf log = {0};
    AUTO(err_done) struct err e = {0};
    struct kube_auth *auth = kube_auth_new(&c);
    ssize_t at;

    write_script("late",
                 "#!/bin/sh\necho '{\"apiVersion\":\"client.authentication.k8s.io/v1\","
                 "\"kind\":\"ExecCredential\",\"status\":{\"token\":\"late-token\","
                 "\"expirationTimestamp\":\"2020-01-02T03:04:05Z\"}}'\n",
                 0755);
    log_set_sink(drop_record, &log);
    for (int i = 0; i < 2; i++) {
        AUTO(kube_grant_done) struct kube_grant grant = {0};

        CHECK_INT(kube_auth_get(auth, NULL, &grant, &e), 0, err_text(&e));
        CHECK_STR(buf_view(&grant.authorization), STR("Bearer late-token"), "used");
    }
    log_set_sink(NULL, NULL);
    CHECK(str_contains(buf_view(&log), STR("expired=2020-01-02T03:04:05Z")));
    at = str_find(buf_view(&log), STR("have expired"));
    CHECK(at > 0 && str_find(str_from(buf_view(&log), (size_t)at + 1), STR("have expired")) < 0);
    kube_auth_free(auth);
    secret_forget_all();
}

TEST(tokens_that_fit_no_header_are_refused_with_their_place)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"one\ntwo\n", "holds several lines"}, {"Bearer x", "holds a blank"}, {"\n", "is empty"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf path = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(kube_grant_done) struct kube_grant grant = {0};
        struct kube_config c = {.server = STR("https://h")};
        struct kube_auth *auth = kube_auth_new(&c);

        c.token_file = str_of(write_file(&path, "token", rows[i].text));
        CHECK_INT(kube_auth_get(auth, NULL, &grant, &e), -1, rows[i].want);
        CHECK_INT(e.kind, ERR_DENIED, rows[i].want);
        CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].want)));
        CHECK(str_contains(str_of(err_text(&e)), STR("/token")));
        kube_auth_free(auth);
    }
    secret_forget_all();
}

TEST(a_token_file_is_read_again_when_the_server_refuses_what_it_held)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(kube_grant_done) struct kube_grant first = {0}, second = {0};
    struct kube_config c = {.server = STR("https://h")};
    struct kube_auth *auth = kube_auth_new(&c);

    c.token_file = str_of(write_file(&path, "rotated", "first-token\n"));
    CHECK_INT(kube_auth_get(auth, NULL, &first, &e), 0, err_text(&e));
    CHECK_STR(buf_view(&first.authorization), STR("Bearer first-token"), "first");
    write_file(&path, "rotated", "second-token\n");
    CHECK(kube_auth_refused(auth, &first));
    CHECK_INT(kube_auth_get(auth, NULL, &second, &e), 0, err_text(&e));
    CHECK_STR(buf_view(&second.authorization), STR("Bearer second-token"), "second");
    kube_grant_done(&first);
    kube_grant_done(&second);
    kube_auth_free(auth);
    secret_forget_all();
}
