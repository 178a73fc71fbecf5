/* grapnel build */
#include <unistd.h>

#include "cli/fn/flags.h"
#include "cli/kustomize/build_watch.h"
#include "cli/kustomize/fetch_flags.h"
#include "cli/output.h"
#include "fetch/root.h"
#include "kustomize/build.h"
#include "kustomize/compare.h"
#include "kustomize/explain.h"
#include "sys/env.h"
#include "sys/file.h"

static const struct cli_flag flags[] = {
    {"output", CLI_TEXT, "PATH",
     "write to this file, or into this folder: one file for each resource", 'o', "", "", false},
    {"load-restrictor", CLI_CHOICE, "WHAT", "whether files may lie outside of their kustomization",
     0, "LoadRestrictionsRootOnly LoadRestrictionsNone", "LoadRestrictionsRootOnly", false},
    {"reorder", CLI_CHOICE, "ORDER",
     "order of the resources; deprecated, use sortOptions in the kustomization", 0, "legacy none",
     "", false},
    {"compat", CLI_CHOICE, "MODE",
     "whose rules count where kustomize is known to be wrong: its own, or those that mend it", 0,
     "kustomize fixed", "kustomize", false},
    {"strict", CLI_SWITCH, "",
     "warn of YAML that is not what it looks like (yes, 0777, 1e3, <<), and fail on any warning", 0,
     "", "", false},
    {"enable-managedby-label", CLI_SWITCH, "",
     "label every resource with the program that built it; deprecated, use buildMetadata", 0, "",
     "", false},
    {"enable-alpha-plugins", CLI_SWITCH, "", "run functions that generators and transformers name",
     0, "", "", false},
    {"enable-exec", CLI_SWITCH, "",
     "let functions be executables of this machine; only for kustomizations you trust", 0, "", "",
     false},
    {"enable-helm", CLI_SWITCH, "", "render charts", 0, "", "", false},
    {"helm-command", CLI_TEXT, "PROGRAM", "render charts with this program", 0, "", "helm", false},
    {"helm-api-versions", CLI_LIST, "VERSION", "API versions that charts see", 0, "", "", false},
    {"helm-kube-version", CLI_TEXT, "VERSION", "Kubernetes version that charts see", 0, "", "",
     false},
    {"helm-debug", CLI_SWITCH, "", "print what the chart engine does", 0, "", "", false},
    {"network", CLI_SWITCH, "", "let functions that ask for it use the network", 0, "", "", false},
    {"network-name", CLI_TEXT, "NAME", "the container network of such functions", 0, "", "bridge",
     false},
    {"mount", CLI_LIST, "OPTIONS", "a storage option for containers: type=bind,source=…,target=…",
     0, "", "", false},
    {"env", CLI_LIST, "NAME[=VALUE]", "an environment variable for functions", 'e', "", "", false},
    {"as-current-user", CLI_SWITCH, "", "run containers with the user and group of the caller", 0,
     "", "", false},
    {"explain", CLI_TEXT, "KIND/NAME[:PATH]",
     "print where the fields of a resource come from, or the story of one field", 0, "", "", false},
    {"diff", CLI_TEXT, "DIR|URL",
     "print what differs from the build of this one; ends with status 3 when something does", 0, "",
     "", false},
    {"watch", CLI_SWITCH, "", "build again whenever a file changes", 'w', "", "", false},
    {"jobs", CLI_INT, "N", "threads that read bases; 0: one for each core", 0, "", "0", false},
    {"stack-trace", CLI_SWITCH, "", "accepted; messages always name the place and what led there",
     0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_fetch_flags, NULL};

/* ---- options */

static int read_mount(str text, struct fn_mount *ret, struct err *e)
{
    str whole = text;

    while (text.len) {
        str value, key, part = str_cut(text, ',', &text);

        key = str_cut(part, '=', &value);
        if (str_eq(key, STR("type")))
            ret->type = value;
        else if (str_eq(key, STR("source")) || str_eq(key, STR("src")))
            ret->source = value;
        else if (str_eq(key, STR("target")) || str_eq(key, STR("dst")) ||
                 str_eq(key, STR("destination")))
            ret->target = value;
        else if (str_eq(key, STR("rw")))
            ret->is_writable = !str_eq(value, STR("false"));
        else if (!str_eq(key, STR("ro")) && !str_eq(key, STR("readonly")))
            return err_set(e, ERR_USAGE, "--mount %.*s: \"%.*s\" is none of its parts",
                           STR_ARG(whole), STR_ARG(key));
    }
    return 0;
}

/* What the options borrow from the command line. */
struct given {
    struct str_vec envs, mounts;
    VEC(struct fn_mount) parsed;
};

static void given_done(struct given *g)
{
    str_vec_done(&g->envs);
    str_vec_done(&g->mounts);
    vec_done(&g->parsed);
}
AUTO_VALUE(struct given, given_done)

static int function_options(const struct cli *cli, struct given *g, struct fn_runner *ret,
                            struct err *e)
{
    cli_list(cli, "env", &g->envs);
    cli_list(cli, "mount", &g->mounts);
    for (size_t i = 0; i < g->mounts.len; i++)
        if (read_mount(g->mounts.v[i], vec_add(&g->parsed), e) < 0)
            return -1;
    *ret = (struct fn_runner){
        .natives = cli_natives(),
        .allows_container = cli_switch(cli, "enable-alpha-plugins"),
        .allows_exec = cli_switch(cli, "enable-exec") && cli_switch(cli, "enable-alpha-plugins"),
        .allows_network = cli_switch(cli, "network"),
        .allows_mounts = true,
        .container_flag = "--enable-alpha-plugins",
        .exec_flag = "--enable-exec",
        .network_name = cli_text(cli, "network-name").p,
        .as_current_user = cli_switch(cli, "as-current-user"),
        .logs_to_stderr = true,
        .accepts_documents = true,
        .envs = &g->envs,
        .mounts = g->parsed.v,
        .mount_count = g->parsed.len,
    };
    return 0;
}

static int read_options(const struct cli *cli, struct given *g, struct kustomize_options *ret,
                        struct err *e)
{
    str reorder = cli_text(cli, "reorder");

    ret->restriction = str_eq(cli_text(cli, "load-restrictor"), STR("LoadRestrictionsNone"))
                           ? FETCH_UNRESTRICTED
                           : FETCH_ROOT_ONLY;
    ret->reorder = reorder.len == 0               ? KUSTOMIZE_REORDER_UNSET
                   : str_eq(reorder, STR("none")) ? KUSTOMIZE_REORDER_NONE
                                                  : KUSTOMIZE_REORDER_LEGACY;
    ret->managed_by_label = cli_switch(cli, "enable-managedby-label");
    ret->plugins = cli_switch(cli, "enable-alpha-plugins");
    ret->exec = cli_switch(cli, "enable-exec");
    ret->helm = cli_switch(cli, "enable-helm") || ret->plugins;
    ret->helm_command = cli_given(cli, "helm-command") ? cli_text(cli, "helm-command") : STR_NONE;
    ret->helm_kube_version = cli_text(cli, "helm-kube-version");
    cli_list(cli, "helm-api-versions", &ret->helm_api_versions);
    ret->helm_debug = cli_switch(cli, "helm-debug");
    ret->is_fixed = str_eq(cli_given(cli, "compat") ? cli_text(cli, "compat")
                                                    : str_of(env_get("GRAPNEL_COMPAT")),
                           STR("fixed"));
    ret->is_strict = cli_switch(cli, "strict");
    ret->jobs = (unsigned)cli_int(cli, "jobs");
    return function_options(cli, g, &ret->functions, e);
}

static const char *target_of(const struct cli *cli)
{
    return cli->arguments.len ? cli->arguments.v[0].p : ".";
}

/* ---- output */

static int write_folder(const char *folder, const struct kustomize_result *result, struct err *e)
{
    bool with_ns = kustomize_has_namespaces(result);
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(&result->resources, &at));) {
        AUTO(buf_done) struct buf path = {0}, text = {0};

        buf_addf(&path, "%s/", folder);
        kustomize_file_name(r, with_ns, &path);
        if (kustomize_resource_print(r, &text, e) < 0 ||
            file_replace(buf_cstr(&path), buf_view(&text), NULL, e) < 0)
            return -1;
    }
    return 0;
}

static int print_piece(void *ctx UNUSED, str text, struct err *e) { return cli_print_raw(text, e); }

static int write_result(const struct cli *cli, const struct kustomize_result *result, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    const char *path = cli_given(cli, "output") ? cli_text(cli, "output").p : NULL;

    if (path && file_is_dir(path))
        return write_folder(path, result, e);
    if (!path)
        return kustomize_result_write(result, print_piece, NULL, e);
    if (kustomize_result_print(result, &text, e) < 0)
        return -1;
    return file_replace(path, buf_view(&text), NULL, e);
}

static int build(const struct cli *cli, const struct kustomize_options *options,
                 struct kustomize_result *result, struct err *e)
{
    int rc = kustomize_build_run(target_of(cli), options, result, e);

    cli_print_diags(&result->warnings);
    return rc;
}

static int print(const struct cli *cli, const struct kustomize_options *options, struct err *e)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};

    return build(cli, options, &result, e) < 0 ? -1 : write_result(cli, &result, e);
}

/* ---- other ways to look at a build */

static int explain(const struct cli *cli, struct kustomize_options options, struct err *e)
{
    AUTO(kustomize_explain_free)
    struct kustomize_explain *x = kustomize_explain_new(cli_text(cli, "explain"), e);
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(buf_done) struct buf out = {0};

    if (!x)
        return -1;
    options.on_step = kustomize_explain_step;
    options.on_step_ctx = x;
    if (build(cli, &options, &result, e) < 0 || kustomize_explain_print(x, &result, &out, e) < 0)
        return -1;
    return cli_print_raw(buf_view(&out), e);
}

static int compare(const struct cli *cli, const struct kustomize_options *options, struct err *e)
{
    AUTO(kustomize_result_done) struct kustomize_result from = {0}, to = {0};
    AUTO(buf_done) struct buf out = {0};
    bool is_same;

    if (kustomize_build_run(cli_text(cli, "diff").p, options, &from, e) < 0 ||
        build(cli, options, &to, e) < 0 || kustomize_compare(&from, &to, &out, &is_same, e) < 0 ||
        cli_print_raw(buf_view(&out), e) < 0)
        return -1;
    return is_same ? 0 : 3;
}

static int choose(const struct cli *cli, const struct kustomize_options *options, struct err *e)
{
    if (cli_given(cli, "explain"))
        return explain(cli, *options, e);
    if (cli_given(cli, "diff"))
        return compare(cli, options, e);
    return cli_switch(cli, "watch") ? cli_build_watch(cli, target_of(cli), options, e)
                                    : print(cli, options, e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(given_done) struct given given = {0};
    AUTO(cli_fetch_done) struct cli_fetch fetch = {0};
    struct kustomize_options options = {0};
    int rc = read_options(cli, &given, &options, e);

    if (rc == 0)
        rc = cli_fetch_read(cli, &fetch, &options, e);
    if (rc == 0)
        rc = choose(cli, &options, e);
    if (rc == 0 && cli_fetch_save(&fetch, e) < 0)
        rc = -1;
    str_vec_done(&options.helm_api_versions);
    return rc;
}

const struct cli_command cli_build = {
    .name = "build",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Print the resources of a kustomization",
    .arguments = "[DIR|URL]",
    .about =
        "Builds the kustomization in a folder (the current one if none is named) or behind a git "
        "URL, and prints its resources. The output is that of kustomize v5.8.2, byte for byte.\n\n"
        "Nothing is printed when the build fails: the message then names file, line and column of "
        "the field at fault and the kustomizations that led there, and the exit status is 1.",
    .flags = flag_tables,
    .examples = "$ grapnel build overlays/prod | kubectl apply -f -\n"
                "$ grapnel build -o out/ overlays/prod\n"
                "$ grapnel build --explain deployment/web:spec.replicas overlays/prod\n"
                "$ grapnel build --diff overlays/staging overlays/prod\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};
