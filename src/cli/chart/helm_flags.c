#include "cli/chart/helm_flags.h"

#include "base/log.h"
#include "base/mem.h"
#include "chart/name.h"
#include "sys/env.h"

const struct cli_flag cli_cluster_of_helm[] = {
    {"namespace", CLI_TEXT, "NAME", "namespace of the release", 'n', "", "", false},
    {"kubeconfig", CLI_TEXT, "FILE",
     "kubeconfig to use in place of KUBECONFIG and the home folder's", 0, "", "", false},
    {"kube-context", CLI_TEXT, "NAME", "context of the kubeconfig", 0, "", "", false},
    {"kube-apiserver", CLI_TEXT, "URL", "address of the API server", 0, "", "", false},
    {"kube-token", CLI_TEXT, "TOKEN", "bearer token; better kept in a kubeconfig", 0, "", "",
     false},
    {"kube-as-user", CLI_TEXT, "USER", "user to impersonate", 0, "", "", false},
    {"kube-as-group", CLI_LIST, "GROUP", "group to impersonate", 0, "", "", false},
    {"kube-ca-file", CLI_TEXT, "FILE", "certificates that vouch for the server", 0, "", "", false},
    {"kube-insecure-skip-tls-verify", CLI_SWITCH, "", "do not judge the server's certificate", 0,
     "", "", false},
    {"kube-tls-server-name", CLI_TEXT, "NAME", "name to judge the server's certificate by", 0, "",
     "", false},
    {"debug", CLI_SWITCH, "", "tell more", 0, "", "", false},
    {"color", CLI_CHOICE, "WHEN", "taken for helm's sake: results are never coloured", 0,
     "auto never always", "", false},
    {"colour", CLI_CHOICE, "WHEN", "as --color", 0, "auto never always", "", false},
    {"burst-limit", CLI_INT, "COUNT", "taken for helm's sake: the server's limits are followed", 0,
     "", "", false},
    {"qps", CLI_TEXT, "COUNT", "taken for helm's sake, as --burst-limit", 0, "", "", false},
    {.name = ""},
};

const struct cli_flag cli_revision_flag[] = {
    {"revision", CLI_INT, "NUMBER", "this revision instead of the newest", 0, "", "", false},
    {.name = ""},
};

const struct cli_flag cli_format_flag[] = {
    {"output", CLI_CHOICE, "FORMAT", "how to print the result", 'o', "table json yaml", "table",
     false},
    {.name = ""},
};

/* A flag, else helm's variable for it. */
static str given(const struct cli *cli, const char *flag, const char *variable)
{
    return cli_given(cli, flag) ? cli_text(cli, flag) : str_of(env_get(variable));
}

static bool is_true(str text) { return str_eq(text, STR("true")) || str_eq(text, STR("1")); }

static struct kube_config *load_config(const struct cli *cli, struct err *e)
{
    AUTO(str_vec_done) struct str_vec groups = {0};
    struct kube_config_flags flags = {
        .kubeconfig = cli_text(cli, "kubeconfig"),
        .context = given(cli, "kube-context", "HELM_KUBECONTEXT"),
        .server = given(cli, "kube-apiserver", "HELM_KUBEAPISERVER"),
        .token = given(cli, "kube-token", "HELM_KUBETOKEN"),
        .certificate_authority = given(cli, "kube-ca-file", "HELM_KUBECAFILE"),
        .tls_server_name = given(cli, "kube-tls-server-name", "HELM_KUBETLS_SERVER_NAME"),
        .as_user = given(cli, "kube-as-user", "HELM_KUBEASUSER"),
        .insecure_skip_tls_verify = is_true(
            given(cli, "kube-insecure-skip-tls-verify", "HELM_KUBEINSECURE_SKIP_TLS_VERIFY")),
    };

    secret_add(flags.token);
    cli_list(cli, "kube-as-group", &groups);
    if (!groups.len)
        for (str rest = str_of(env_get("HELM_KUBEASGROUPS")); rest.len;)
            vec_push(&groups, str_cut(rest, ',', &rest));
    flags.as_groups = groups.v;
    flags.as_group_count = groups.len;
    return kube_config_load(&flags, e);
}

static char *namespace_of(const struct cli *cli, const struct kube_config *config)
{
    str ns = given(cli, "namespace", "HELM_NAMESPACE");

    if (!ns.len)
        ns = kube_config_namespace(config);
    if (!ns.len)
        ns = STR("default");
    return mem_strndup(ns.p, ns.len);
}

int cli_releases_open(const struct cli *cli, bool all, struct cli_releases *ret, struct err *e)
{
    AUTO(kube_config_free) struct kube_config *config = NULL;

    if (chart_driver_of(str_of(env_get("HELM_DRIVER")), &ret->driver, e) < 0)
        return -1;
    if (cli_switch(cli, "debug"))
        log_set_level(LOG_DEBUG);
    config = load_config(cli, e);
    if (!config)
        return -1;
    ret->cancel = cancel_new(NULL, CLOCK_NEVER);
    ret->signals = signal_start(ret->cancel, NULL, NULL, e);
    ret->kube = ret->signals ? kube_new(config, e) : NULL;
    if (!ret->kube)
        return -1;
    ret->ns = namespace_of(cli, config);
    ret->store = chart_store_new(ret->kube, all ? STR("") : str_of(ret->ns), ret->driver);
    chart_store_on_lost(ret->store, ret->cancel);
    return 0;
}

void cli_releases_done(struct cli_releases *r)
{
    chart_store_free(r->store);
    kube_free(r->kube);
    signal_stop(r->signals);
    cancel_free(r->cancel);
    mem_free(r->ns);
    *r = (struct cli_releases){0};
}

void cli_release_namespace(const struct cli *cli, struct buf *ret)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(kube_config_free) struct kube_config *config = load_config(cli, &ignored);
    str ns = given(cli, "namespace", "HELM_NAMESPACE");

    if (!ns.len && config)
        ns = kube_config_namespace(config);
    buf_add_str(ret, ns.len ? ns : STR("default"));
}

int cli_release_name(const struct cli *cli, str *ret, struct err *e)
{
    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    *ret = cli->arguments.v[0];
    return chart_check_release_name(*ret, e);
}

int cli_release_get(const struct cli *cli, struct cli_releases *open, struct chart_record *ret,
                    struct err *e)
{
    str name = STR_NONE;

    if (cli_release_name(cli, &name, e) < 0 || cli_releases_open(cli, false, open, e) < 0)
        return -1;
    return chart_store_get(open->store, name, cli_int(cli, "revision"), open->cancel, ret, e);
}
