/* grapnel chart registry login, logout */
#include "base/log.h"
#include "chart/oci.h"
#include "cli/chart/flags.h"
#include "cli/chart/prompt.h"
#include "cli/output.h"
#include "fetch/registry_login.h"

static const struct cli_flag login_flags[] = {
    {"username", CLI_TEXT, "NAME", "user of the registry", 'u', "", "", false},
    {"password", CLI_TEXT, "TEXT",
     "password or identity token; others see it in a list of "
     "processes: prefer --password-stdin",
     'p', "", "", false},
    {"password-stdin", CLI_SWITCH, "", "read the password or identity token from standard input", 0,
     "", "", false},
    {"ca-file", CLI_TEXT, "FILE", "authorities that the server's certificate is judged by (PEM)", 0,
     "", "", false},
    {"cert-file", CLI_TEXT, "FILE", "certificate that is shown to the server (PEM)", 0, "", "",
     false},
    {"key-file", CLI_TEXT, "FILE", "key of that certificate (PEM)", 0, "", "", false},
    {"insecure", CLI_SWITCH, "", "do not judge the server's certificate", 0, "", "", false},
    {"plain-http", CLI_SWITCH, "", "ask the registry over plain HTTP", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const login_tables[] = {login_flags, NULL};

static int host_of(const struct cli *cli, str *ret, struct err *e)
{
    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "the host of a registry is needed: HOST[:PORT]");
    *ret = cli->arguments.v[0];
    if (str_find_char(*ret, '/') >= 0 || !ret->len)
        return err_set(e, ERR_INVALID,
                       "invalid reference: invalid registry \"%.*s\": HOST[:PORT] is wanted, "
                       "without a scheme and a path",
                       STR_ARG(*ret));
    return 0;
}

/* Without a name, what stands for the password is an identity token. */
static int read_login(const struct cli *cli, struct registry_login *ret, struct err *e)
{
    static const char remedy[] = "give --username and --password-stdin";
    struct buf *secret = &ret->password;

    buf_add_str(&ret->username, cli_text(cli, "username"));
    if (!ret->username.len && !cli_given(cli, "password") && !cli_switch(cli, "password-stdin") &&
        cli_ask("Username: ", false, remedy, &ret->username, e) < 0)
        return -1;
    if (!ret->username.len)
        secret = &ret->identity;
    if (cli_switch(cli, "password-stdin"))
        return cli_read_secret("-", secret, e);
    if (cli_given(cli, "password")) {
        log_warn("--password is seen by other users of this machine: use --password-stdin");
        buf_add_str(secret, cli_text(cli, "password"));
        return 0;
    }
    return cli_ask(ret->username.len ? "Password: " : "Token: ", true, remedy, secret, e);
}

static struct chart_access access_of(const struct cli *cli, const struct registry_login *login)
{
    return (struct chart_access){
        .username = buf_view(&login->username),
        .password = buf_view(login->username.len ? &login->password : &login->identity),
        .ca_file = cli_text(cli, "ca-file"),
        .cert_file = cli_text(cli, "cert-file"),
        .key_file = cli_text(cli, "key-file"),
        .is_insecure = cli_switch(cli, "insecure"),
        .is_plain_http = cli_switch(cli, "plain-http")};
}

static int log_in(struct cli *cli, struct err *e)
{
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(registry_login_done) struct registry_login login = {0};
    AUTO(chart_oci_free) struct chart_oci *oci = NULL;
    struct chart_access access;
    str host = STR_NONE;

    if (host_of(cli, &host, e) < 0 || read_login(cli, &login, e) < 0)
        return -1;
    if (!login.password.len && !login.identity.len)
        return err_set(e, ERR_USAGE, "an empty password logs nobody in");
    cli_chart_dirs(cli, &dirs);
    access = access_of(cli, &login);
    oci = chart_oci_new(&access, buf_cstr(&dirs.registry_config), e);
    if (!oci)
        return -1;
    if (chart_oci_ping(oci, host, e) < 0)
        return err_wrap(e, "authenticating to \"%.*s\"", STR_ARG(host));
    if (registry_login_store(buf_cstr(&dirs.registry_config), host, &login, NULL, e) < 0)
        return -1;
    return cli_print(STR("Login Succeeded\n"), e);
}

static int log_out(struct cli *cli, struct err *e)
{
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(buf_done) struct buf out = {0};
    str host = STR_NONE;

    if (host_of(cli, &host, e) < 0)
        return -1;
    cli_chart_dirs(cli, &dirs);
    if (registry_login_erase(buf_cstr(&dirs.registry_config), host, NULL, e) < 0)
        return -1;
    buf_addf(&out, "Removing login credentials for %.*s\n", STR_ARG(host));
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_chart_registry_login = {
    .name = "chart registry login",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Keep credentials of an OCI registry",
    .arguments = "HOST[:PORT]",
    .about = "Asks the registry whether user and password are good and keeps them in helm's file "
             "registry/config.json ($HELM_REGISTRY_CONFIG), readable by its owner alone, or "
             "through the credential program that the file names. What is not given is asked for "
             "at the terminal, the password without showing it.",
    .flags = login_tables,
    .examples = "$ pass registry | grapnel chart registry login registry.example.org -u ann "
                "--password-stdin\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = log_in,
};

const struct cli_command cli_chart_registry_logout = {
    .name = "chart registry logout",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Forget the credentials of an OCI registry",
    .arguments = "HOST[:PORT]",
    .about = "Takes what \"chart registry login\" kept out of helm's file registry/config.json, or "
             "out of the credential program that the file names.",
    .flags = NULL,
    .examples = "$ grapnel chart registry logout registry.example.org\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = log_out,
};
