#include "cli/chart/flags.h"

#include "base/log.h"
#include "cli/output.h"
#include "sys/env.h"

const struct cli_flag cli_chart_values_flags[] = {
    {"values", CLI_LIST, "FILE", "values from a YAML file; \"-\" is standard input", 'f', "", "",
     false},
    {"set", CLI_LIST, "KEY=VALUE", "values: a=1,b.c=x,d={x,y},e[0]=z", 0, "", "", false},
    {"set-string", CLI_LIST, "KEY=VALUE", "values that are texts", 0, "", "", false},
    {"set-json", CLI_LIST, "KEY=JSON", "values as JSON, or one JSON map", 0, "", "", false},
    {"set-file", CLI_LIST, "KEY=PATH", "values that are the content of files", 0, "", "", false},
    {"set-literal", CLI_LIST, "KEY=TEXT", "a value that is the whole rest of the argument", 0, "",
     "", false},
    {.name = ""},
};

const struct cli_flag cli_chart_access_flags[] = {
    {"username", CLI_TEXT, "NAME", "user of the repository or registry", 0, "", "", false},
    {"password", CLI_TEXT, "TEXT", "password of the repository or registry", 0, "", "", false},
    {"ca-file", CLI_TEXT, "FILE", "authorities that servers' certificates are judged by (PEM)", 0,
     "", "", false},
    {"cert-file", CLI_TEXT, "FILE", "certificate that is shown to servers (PEM)", 0, "", "", false},
    {"key-file", CLI_TEXT, "FILE", "key of that certificate (PEM)", 0, "", "", false},
    {"insecure-skip-tls-verify", CLI_SWITCH, "", "do not judge servers' certificates", 0, "", "",
     false},
    {.name = ""},
};

const struct cli_flag cli_chart_trust_flags[] = {
    {"plain-http", CLI_SWITCH, "", "ask registries over plain HTTP", 0, "", "", false},
    {"keyring", CLI_TEXT, "FILE", "public keys that signatures are judged by", 0, "", "", false},
    {"verify", CLI_SWITCH, "", "refuse charts without a good signature", 0, "", "", false},
    {.name = ""},
};

const struct cli_flag cli_chart_source_flags[] = {
    {"repo", CLI_TEXT, "URL", "repository that the chart is a name in", 0, "", "", false},
    {"version", CLI_TEXT, "CONSTRAINT",
     "version of the chart: 1.2.3, ^1.2, \">=1 <3\"; the newest "
     "one is taken when there is none",
     0, "", "", false},
    {"devel", CLI_SWITCH, "", "take pre-releases too: --version '>0.0.0-0'", 0, "", "", false},
    {"strict-links", CLI_SWITCH, "", "refuse links that lead out of the chart's folder", 0, "", "",
     false},
    {"pass-credentials", CLI_SWITCH, "",
     "send user and password to other hosts than the repository's too", 0, "", "", false},
    {.name = ""},
};

const struct cli_flag cli_chart_path_flags[] = {
    {"repository-config", CLI_TEXT, "FILE", "names of chart repositories", 0, "", "", false},
    {"repository-cache", CLI_TEXT, "DIR", "indexes of chart repositories", 0, "", "", false},
    {"registry-config", CLI_TEXT, "FILE", "credentials of registries", 0, "", "", false},
    {"content-cache", CLI_TEXT, "DIR", "archives of charts that were fetched", 0, "", "", false},
    {.name = ""},
};

static void replace(const struct cli *cli, const char *flag, struct buf *ret)
{
    if (!cli_given(cli, flag))
        return;
    buf_clear(ret);
    buf_add_str(ret, cli_text(cli, flag));
}

void cli_chart_dirs(const struct cli *cli, struct chart_dirs *ret)
{
    chart_dirs_read(ret);
    replace(cli, "repository-config", &ret->repository_config);
    replace(cli, "repository-cache", &ret->repository_cache);
    replace(cli, "registry-config", &ret->registry_config);
    replace(cli, "content-cache", &ret->content_cache);
}

void cli_chart_source_read(const struct cli *cli, struct cli_chart_source *ret)
{
    const char *home = env_get("HOME"), *gnupg = env_get("GNUPGHOME");

    cli_chart_dirs(cli, &ret->dirs);
    if (cli_text_if(cli, "keyring").len)
        buf_add_str(&ret->keyring, cli_text(cli, "keyring"));
    else if (gnupg && gnupg[0])
        buf_addf(&ret->keyring, "%s/pubring.gpg", gnupg);
    else
        buf_addf(&ret->keyring, "%s/.gnupg/pubring.gpg", home ? home : "");
    ret->source = (struct chart_source){
        .repo = cli_text_if(cli, "repo"),
        .version = cli_text_if(cli, "version"),
        .is_devel = cli_switch_if(cli, "devel"),
        .verifies = cli_switch_if(cli, "verify"),
        .keyring = buf_view(&ret->keyring),
        .access = {.username = cli_text_if(cli, "username"),
                   .password = cli_text_if(cli, "password"),
                   .ca_file = cli_text_if(cli, "ca-file"),
                   .cert_file = cli_text_if(cli, "cert-file"),
                   .key_file = cli_text_if(cli, "key-file"),
                   .passes_credentials = cli_switch_if(cli, "pass-credentials"),
                   .is_insecure = cli_switch_if(cli, "insecure-skip-tls-verify"),
                   .is_plain_http = cli_switch_if(cli, "plain-http")},
        .dirs = &ret->dirs,
    };
    secret_add(ret->source.access.password);
}

void cli_chart_source_done(struct cli_chart_source *source)
{
    chart_dirs_done(&source->dirs);
    buf_done(&source->keyring);
}

typedef struct chart *load_fn(struct doc_set *set, const char *path, struct err *e);

static struct chart *load_with(const struct cli *cli, struct doc_set *set, str reference,
                               load_fn *load, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(buf_done) struct buf path = {0};
    struct chart *c;

    cli_chart_source_read(cli, &from);
    if (chart_locate(reference, &from.source, &path, e) < 0)
        return NULL;
    if (cli_switch_if(cli, "strict-links"))
        load = chart_load_strict;
    c = load(set, buf_cstr(&path), e);
    if (c && c->is_deprecated)
        log_warn("this chart is deprecated", LOG_STR("chart", c->name));
    return c;
}

struct chart *cli_chart_load(const struct cli *cli, struct doc_set *set, str reference,
                             struct err *e)
{
    return load_with(cli, set, reference, chart_load, e);
}

struct chart *cli_chart_load_late(const struct cli *cli, struct doc_set *set, str reference,
                                  struct err *e)
{
    return load_with(cli, set, reference, chart_load_late, e);
}

/* -f a.yaml,b.yaml is two files, and -f "" none, as with helm. */
static void list_files(const struct cli *cli, struct str_vec *ret)
{
    AUTO(str_vec_done) struct str_vec given = {0};

    cli_list(cli, "values", &given);
    for (size_t i = 0; i < given.len; i++)
        for (str rest = given.v[i]; rest.len;)
            vec_push(ret, str_cut(rest, ',', &rest));
}

void cli_chart_values(const struct cli *cli, struct chart_user_values *ret)
{
    list_files(cli, &ret->files);
    cli_list(cli, "set", &ret->sets[CHART_SET_TYPED]);
    cli_list(cli, "set-string", &ret->sets[CHART_SET_STRING]);
    cli_list(cli, "set-file", &ret->sets[CHART_SET_FILE]);
    cli_list(cli, "set-json", &ret->sets[CHART_SET_JSON]);
    cli_list(cli, "set-literal", &ret->sets[CHART_SET_LITERAL]);
}

str cli_chart_namespace(const struct cli *cli)
{
    const char *env = env_get("HELM_NAMESPACE");

    if (cli_given(cli, "namespace"))
        return cli_text(cli, "namespace");
    return env && env[0] ? str_of(env) : STR("default");
}

void cli_chart_print_line(void *ctx, str line)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err ignored = {0}; /* a full disk shows at the command's last print */

    (void)ctx;
    buf_addf(&out, "%.*s\n", STR_ARG(line));
    (void)cli_print(buf_view(&out), &ignored);
}
