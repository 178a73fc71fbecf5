#include "cli/khook/flags.h"

#include "base/log.h"
#include "base/mem.h"
#include "khook/spec/report.h"
#include "khook/spec/when.h"
#include "khook/spec/words.h"
#include "khook/vars/pipeline.h"
#include "sys/env.h"
#include "sys/file.h"

const struct cli_flag cli_spec_flags[] = {
    {"file", CLI_TEXT, "FILE", "the spec, \"-\" for standard input", 'f', "", "", true},
    {"set", CLI_LIST, "NAME=VALUE", "a variable; wins over every other source", 0, "", "", false},
    {"var-file", CLI_TEXT, "FILE", "a flat YAML mapping of variables", 0, "", "", false},
    {"var-prefix", CLI_TEXT, "PREFIX", "environment variables that define variables", 0, "",
     KHOOK_VAR_PREFIX, false},
    {"secret-prefix", CLI_TEXT, "PREFIX", "environment variables that define secret variables", 0,
     "", KHOOK_SECRET_PREFIX, false},
    {"base-dir", CLI_TEXT, "DIR",
     "where relative paths of the spec start; \"spec\" is the folder of the spec file", 0, "", "",
     false},
    {.name = ""},
};

const struct cli_flag cli_cluster_flags[] = {
    {"kubeconfig", CLI_TEXT, "FILE",
     "kubeconfig to use in place of KUBECONFIG and the home folder's", 0, "", "", false},
    {"context", CLI_TEXT, "NAME", "context of the kubeconfig", 0, "", "", false},
    {"cluster", CLI_TEXT, "NAME", "cluster of the kubeconfig", 0, "", "", false},
    {"user", CLI_TEXT, "NAME", "user of the kubeconfig", 0, "", "", false},
    {"server", CLI_TEXT, "URL", "address of the API server", 0, "", "", false},
    {"token", CLI_TEXT, "TOKEN",
     "bearer token; better kept in a kubeconfig, command lines can be seen by others", 0, "", "",
     false},
    {"as", CLI_TEXT, "USER", "user to impersonate", 0, "", "", false},
    {"as-group", CLI_LIST, "GROUP", "group to impersonate", 0, "", "", false},
    {"request-timeout", CLI_DURATION, "DURATION", "longest time for one request", 0, "", "0",
     false},
    {"certificate-authority", CLI_TEXT, "FILE", "certificates that vouch for the server", 0, "", "",
     false},
    {"insecure-skip-tls-verify", CLI_SWITCH, "", "do not verify the server: anyone may pose as it",
     0, "", "", false},
    {"tls-server-name", CLI_TEXT, "NAME", "name to verify the server's certificate against", 0, "",
     "", false},
    {.name = ""},
};

const struct cli_flag cli_output_flags[] = {
    {"output", CLI_CHOICE, "FORMAT", "how to print the result", 'o', "text json", "text", false},
    {.name = ""},
};

bool cli_wants_json(const struct cli *cli) { return str_eq(cli_text(cli, "output"), STR("json")); }

/* The folder of the spec file, the one given, or none. */
static char *base_dir_of(str flag, str file)
{
    ssize_t slash = str_rfind_char(file, '/');

    if (!str_eq(flag, STR("spec")))
        return mem_strndup(flag.p ? flag.p : "", flag.len);
    if (slash < 0)
        return mem_strdup("");
    return mem_strndup(file.p, slash ? (size_t)slash : 1);
}

static int vars_read(const struct cli *cli, struct khook_vars *vars, struct err *e)
{
    AUTO(str_vec_done) struct str_vec given = {0};
    VEC(const char *) sets = {0};
    str var_file = cli_text(cli, "var-file");
    AUTO(buf_done) struct buf var_text = {0};
    struct khook_var_options options = {
        .env = (const char *const *)env_all(),
        .var_prefix = cli_text(cli, "var-prefix"),
        .secret_prefix = cli_text(cli, "secret-prefix"),
        .var_file = var_file.len ? var_file.p : NULL,
    };
    int rc;

    if (var_file.len && file_read(var_file.p, KHOOK_MAX_SPEC_BYTES, &var_text, e) < 0)
        return err_wrap(e, "read the variables");
    options.var_file_text = buf_view(&var_text);
    cli_list(cli, "set", &given);
    for (size_t i = 0; i < given.len; i++) /* views of whole words of argv: they end in NUL */
        vec_push(&sets, given.v[i].p);
    options.sets = sets.v;
    options.set_count = sets.len;
    rc = khook_vars_load(vars, &options, e);
    vec_done(&sets);
    return rc;
}

static int usage(struct err *e)
{
    e->kind = ERR_USAGE; /* a file that cannot be read ends with 2, like a wrong flag */
    return -1;
}

int cli_spec_read(const struct cli *cli, struct cli_spec *ret, struct err *e)
{
    static const struct khook_engines engines = {.pipeline = khook_pipeline_run,
                                                 .condition = khook_when_run};
    str file = cli_text(cli, "file");

    if (vars_read(cli, &ret->vars, e) < 0)
        return usage(e);
    if (file_read(file.p, KHOOK_MAX_SPEC_BYTES, &ret->text, e) < 0)
        return err_wrap(e, "read the spec"), usage(e);
    ret->origin = mem_strdup(str_eq(file, STR("-")) ? "stdin" : file.p);
    ret->base_dir = base_dir_of(cli_text(cli, "base-dir"), file);
    ret->spec =
        khook_spec_read(buf_view(&ret->text), ret->origin, &ret->vars, &engines, &ret->problems);
    if (ret->spec)
        khook_warn_values_files(ret->spec, str_of(ret->base_dir), &ret->problems);
    return 0;
}

int cli_spec_load(const struct cli *cli, struct cli_spec *ret, struct err *e)
{
    if (cli_spec_read(cli, ret, e) < 0)
        return -1;
    khook_report_warnings(&ret->problems);
    if (!ret->spec)
        return khook_report_error(&ret->problems, e);
    return 0;
}

void cli_spec_done(struct cli_spec *s)
{
    khook_spec_free(s->spec);
    khook_vars_done(&s->vars);
    diag_list_done(&s->problems);
    buf_done(&s->text);
    mem_free(s->origin);
    mem_free(s->base_dir);
}

struct kube *cli_kube(const struct cli *cli, struct err *e)
{
    AUTO(str_vec_done) struct str_vec groups = {0};
    AUTO(kube_config_free) struct kube_config *config = NULL;
    struct kube_config_flags flags = {
        .kubeconfig = cli_text(cli, "kubeconfig"),
        .context = cli_text(cli, "context"),
        .cluster = cli_text(cli, "cluster"),
        .user = cli_text(cli, "user"),
        .server = cli_text(cli, "server"),
        .token = cli_text(cli, "token"),
        .certificate_authority = cli_text(cli, "certificate-authority"),
        .tls_server_name = cli_text(cli, "tls-server-name"),
        .as_user = cli_text(cli, "as"),
        .insecure_skip_tls_verify = cli_switch(cli, "insecure-skip-tls-verify"),
        .request_timeout_ms = cli_int(cli, "request-timeout"),
    };

    secret_add(flags.token);
    cli_list(cli, "as-group", &groups);
    flags.as_groups = groups.v;
    flags.as_group_count = groups.len;
    config = kube_config_load(&flags, e);
    return config ? kube_new(config, e) : NULL;
}
