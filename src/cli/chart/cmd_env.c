/* grapnel chart env [NAME] */
#include "cli/chart/flags.h"
#include "cli/chart/helm_flags.h"
#include "cli/output.h"
#include "sys/env.h"

static const struct cli_flag *const flag_tables[] = {cli_cluster_of_helm, NULL};

struct variable {
    char name[34], flag[30], fallback[7]; /* flag empty: it has none */
};
static const struct variable variables[] = {
    {"HELM_BURST_LIMIT", "burst-limit", "100"},
    {"HELM_DEBUG", "debug", "false"},
    {"HELM_DRIVER", "", "secret"},
    {"HELM_KUBEAPISERVER", "kube-apiserver", ""},
    {"HELM_KUBEASGROUPS", "kube-as-group", ""},
    {"HELM_KUBEASUSER", "kube-as-user", ""},
    {"HELM_KUBECAFILE", "kube-ca-file", ""},
    {"HELM_KUBECONTEXT", "kube-context", ""},
    {"HELM_KUBEINSECURE_SKIP_TLS_VERIFY", "kube-insecure-skip-tls-verify", "false"},
    {"HELM_KUBETLS_SERVER_NAME", "kube-tls-server-name", ""},
    {"HELM_MAX_HISTORY", "", "10"},
    {"HELM_QPS", "qps", "0.00"},
};

struct setting {
    const char *name;
    str value;
};
struct settings {
    VEC(struct setting) v;
};

static str value_of(const struct cli *cli, const struct variable *v)
{
    const char *set = env_get(v->name);

    if (*v->flag && cli_given(cli, v->flag))
        return cli_text(cli, v->flag);
    return str_of(set && set[0] ? set : v->fallback);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct setting *)a)->name, ((const struct setting *)b)->name);
}

static int print(const struct cli *cli, const struct settings *all, struct buf *out, struct err *e)
{
    str only = cli->arguments.len ? cli->arguments.v[0] : STR_NONE;
    bool is_known = !only.len;

    for (size_t i = 0; i < all->v.len; i++) {
        const struct setting *s = &all->v.v[i];

        if (!only.len)
            buf_addf(out, "%s=\"%.*s\"\n", s->name, STR_ARG(s->value));
        else if (str_eq(only, str_of(s->name)) && (is_known = true))
            buf_addf(out, "%.*s\n", STR_ARG(s->value));
    }
    if (!is_known) /* an empty line, as of helm */
        buf_add_char(out, '\n');
    return cli_print(buf_view(out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(buf_done) struct buf ns = {0}, out = {0};
    struct settings all = {0};
    int rc;

    cli_chart_dirs(cli, &dirs);
    cli_release_namespace(cli, &ns);
    vec_push(&all.v, {"HELM_BIN", str_of(cli->program)});
    vec_push(&all.v, {"HELM_CACHE_HOME", buf_view(&dirs.cache_home)});
    vec_push(&all.v, {"HELM_CONFIG_HOME", buf_view(&dirs.config_home)});
    vec_push(&all.v, {"HELM_CONTENT_CACHE", buf_view(&dirs.content_cache)});
    vec_push(&all.v, {"HELM_DATA_HOME", buf_view(&dirs.data_home)});
    vec_push(&all.v, {"HELM_NAMESPACE", buf_view(&ns)});
    vec_push(&all.v, {"HELM_REGISTRY_CONFIG", buf_view(&dirs.registry_config)});
    vec_push(&all.v, {"HELM_REPOSITORY_CACHE", buf_view(&dirs.repository_cache)});
    vec_push(&all.v, {"HELM_REPOSITORY_CONFIG", buf_view(&dirs.repository_config)});
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        vec_push(&all.v, {variables[i].name, value_of(cli, &variables[i])});
    vec_sort(&all.v, by_name);
    rc = print(cli, &all, &out, e);
    vec_done(&all.v);
    return rc;
}

const struct cli_command cli_chart_env = {
    .name = "chart env",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Show the settings of charts and releases",
    .arguments = "[NAME]",
    .about = "Prints helm's environment variables as they count here: folders, namespace, storage "
             "and how the cluster is reached. With a name, that one's value. A token is not shown.",
    .flags = flag_tables,
    .examples = "$ grapnel chart env HELM_REPOSITORY_CACHE\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};
