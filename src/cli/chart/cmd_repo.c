/* grapnel chart repo add|list|update|remove */
#include "base/log.h"
#include "chart/repo/cache.h"
#include "chart/repo/refresh.h"
#include "cli/chart/columns.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "doc/emit.h"
#include "sys/file.h"

#define MAX_PASSWORD ((size_t)64 << 10)

static int load(struct cli_chart_source *from, struct chart_repos *repos, struct err *e)
{
    return chart_repos_load(buf_cstr(&from->dirs.repository_config), repos, e);
}

static int print_line(struct err *e, const char *fmt, ...) PRINTF(2, 3);
static int print_line(struct err *e, const char *fmt, ...)
{
    AUTO(buf_done) struct buf out = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&out, fmt, args);
    va_end(args);
    buf_add_char(&out, '\n');
    return cli_print(buf_view(&out), e);
}

/* ---- add */

static const struct cli_flag add_flags[] = {
    {"force-update", CLI_SWITCH, "", "replace a repository of that name", 0, "", "", false},
    {"password-stdin", CLI_SWITCH, "", "read the password from standard input", 0, "", "", false},
    {"pass-credentials", CLI_SWITCH, "",
     "send user and password to other hosts than the repository's too", 0, "", "", false},
    {"timeout", CLI_DURATION, "DURATION", "how long fetching the index may take", 0, "", "2m0s",
     false},
    {"allow-deprecated-repos", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const add_tables[] = {add_flags, cli_chart_access_flags, NULL};

static int read_password(struct buf *ret, struct err *e)
{
    if (file_read("-", MAX_PASSWORD, ret, e) < 0)
        return -1;
    buf_trunc(ret, str_trim_right(buf_view(ret), "\r\n").len);
    secret_add(buf_view(ret));
    return 0;
}

static struct chart_repo repo_of(const struct cli *cli, const struct chart_access *access)
{
    return (struct chart_repo){
        .name = cli->arguments.v[0],
        .url = cli->arguments.v[1],
        .username = access->username,
        .password = access->password,
        .cert_file = access->cert_file,
        .key_file = access->key_file,
        .ca_file = access->ca_file,
        .is_insecure = access->is_insecure,
        .passes_credentials = access->passes_credentials,
    };
}

/* 1: it is there already, as it is to be. */
static int check_name(const struct cli *cli, const struct chart_repos *repos,
                      const struct chart_repo *repo, struct err *e)
{
    const struct chart_repo *there = chart_repos_find(repos, repo->name);

    if (str_contains(repo->name, STR("/")))
        return err_set(e, ERR_USAGE,
                       "repository name (%.*s) contains '/', please specify a different name "
                       "without '/'",
                       STR_ARG(repo->name));
    if (cli_switch(cli, "force-update") || !there)
        return 0;
    if (!chart_repo_equal(there, repo))
        return err_set(e, ERR_EXISTS,
                       "repository name (%.*s) already exists, please specify a different name",
                       STR_ARG(repo->name));
    return 1;
}

static int add_locked(const struct cli *cli, struct cli_chart_source *from,
                      const struct chart_repo *repo, struct err *e)
{
    AUTO(chart_repos_done) struct chart_repos repos = {0};
    int known;

    if (load(from, &repos, e) < 0)
        return -1;
    known = check_name(cli, &repos, repo, e);
    if (known < 0)
        return -1;
    if (known)
        return print_line(e, "\"%.*s\" already exists with the same configuration, skipping",
                          STR_ARG(repo->name));
    if (chart_index_update(repo, &from->dirs, &from->source.access, e) < 0) {
        if (str_starts(str_of(err_text(e)), STR("could not find protocol")) ||
            str_starts(str_of(err_text(e)), STR("invalid chart URL")))
            return -1;
        return err_wrap(e,
                        "looks like \"%.*s\" is not a valid chart repository or cannot be reached",
                        STR_ARG(repo->url));
    }
    chart_repos_put(&repos, repo);
    if (chart_repos_save(buf_cstr(&from->dirs.repository_config), &repos, e) < 0)
        return -1;
    return print_line(e, "\"%.*s\" has been added to your repositories", STR_ARG(repo->name));
}

static int run_add(struct cli *cli, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(buf_done) struct buf password = {0};
    AUTO(file_close) int lock = -1;
    AUTO(cancel_free)
    struct cancel *deadline = cancel_new(NULL, clock_after(cli_int(cli, "timeout")));
    struct chart_repo repo;

    if (cli->arguments.len != 2)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 2 arguments", cli->program,
                       cli_command_name(cli->command, cli->program));
    cli_chart_source_read(cli, &from);
    from.source.access.cancel = deadline;
    if (cli_switch(cli, "password-stdin")) {
        if (read_password(&password, e) < 0)
            return -1;
        from.source.access.password = buf_view(&password);
    }
    repo = repo_of(cli, &from.source.access);
    lock = chart_repos_lock(buf_cstr(&from.dirs.repository_config), deadline, e);
    return lock < 0 ? -1 : add_locked(cli, &from, &repo, e);
}

const struct cli_command cli_chart_repo_add = {
    .name = "chart repo add",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Give a chart repository a name",
    .arguments = "NAME URL",
    .about =
        "Fetches the index of the repository at URL and writes the repository into "
        "repositories.yaml, helm's file: $HELM_REPOSITORY_CONFIG, or in $HELM_CONFIG_HOME or "
        "~/.config/helm. Its charts are then called NAME/CHART. The file is readable by its owner "
        "alone, for passwords are in it.\n\n"
        "User and password are only sent to the scheme, host and port of URL, unless "
        "--pass-credentials is given.",
    .flags = add_tables,
    .examples = "$ grapnel chart repo add infra https://charts.example.com\n"
                "$ grapnel chart repo add infra https://charts.example.com --username ci "
                "--password-stdin <token\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run_add,
};

/* ---- list */

static const struct cli_flag list_flags[] = {
    {"no-headers", CLI_SWITCH, "", "leave the headers of the table out", 0, "", "", false},
    {"output", CLI_CHOICE, "FORMAT", "how to print the list", 'o', "table json yaml", "table",
     false},
    {.name = ""},
};
static const struct cli_flag *const list_tables[] = {list_flags, NULL};

static void list_nodes(const struct chart_repos *repos, bool is_json, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *list = doc_new_list(set);

    for (size_t i = 0; i < repos->list.len; i++) {
        struct doc_node *n = doc_append(list, doc_new_map(set));
        doc_set_string(set, n, STR("name"), repos->list.v[i].name);
        doc_set_string(set, n, STR("url"), repos->list.v[i].url);
    }
    if (is_json) {
        doc_emit_json(list, DOC_JSON_HTML, out);
        buf_add_char(out, '\n');
    } else {
        doc_emit(list, DOC_EMIT_SORTED, out);
    }
}

static int run_list(struct cli *cli, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(chart_repos_done) struct chart_repos repos = {0};
    AUTO(cli_columns_done) struct cli_columns table = {.count = 2};
    AUTO(buf_done) struct buf out = {0};
    str format = cli_text(cli, "output");

    cli_chart_source_read(cli, &from);
    if (load(&from, &repos, e) < 0)
        return -1;
    if (!str_eq(format, STR("table"))) {
        list_nodes(&repos, str_eq(format, STR("json")), &out);
        return cli_print(buf_view(&out), e);
    }
    if (!repos.list.len) {
        cli_say(STR("no repositories to show\n"));
        return 0;
    }
    if (!cli_switch(cli, "no-headers")) {
        cli_columns_add(&table, STR("NAME"));
        cli_columns_add(&table, STR("URL"));
    }
    for (size_t i = 0; i < repos.list.len; i++) {
        cli_columns_add(&table, repos.list.v[i].name);
        cli_columns_add(&table, repos.list.v[i].url);
    }
    cli_columns_print(&table, &out);
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_chart_repo_list = {
    .name = "chart repo list",
    .aliases = "chart repo ls",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "List the chart repositories that have names",
    .arguments = "",
    .about = "Prints the names and URLs in repositories.yaml.",
    .flags = list_tables,
    .max_arguments = 0,
    .fails_with_one = true,
    .run = run_list,
};

/* ---- update */

static const struct cli_flag update_flags[] = {
    {"timeout", CLI_DURATION, "DURATION", "how long fetching the indexes may take", 0, "", "2m0s",
     false},
    {.name = ""},
};
static const struct cli_flag *const update_tables[] = {update_flags, NULL};

static int check_names(const struct cli *cli, const struct chart_repos *repos, struct err *e)
{
    if (!repos->list.len)
        return err_set(e, ERR_NOT_FOUND, "no repositories found. You must add one before updating");
    for (size_t i = 0; i < cli->arguments.len; i++)
        if (!chart_repos_find(repos, cli->arguments.v[i]))
            return err_set(e, ERR_NOT_FOUND,
                           "no repositories found matching '%.*s'.  Nothing will be updated",
                           STR_ARG(cli->arguments.v[i]));
    return 0;
}

static bool is_asked_for(const struct cli *cli, str name)
{
    for (size_t i = 0; i < cli->arguments.len; i++)
        if (str_eq(cli->arguments.v[i], name))
            return true;
    return !cli->arguments.len;
}

static int run_update(struct cli *cli, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(chart_repos_done) struct chart_repos repos = {0}, chosen = {0};
    AUTO(cancel_free)
    struct cancel *deadline = cancel_new(NULL, clock_after(cli_int(cli, "timeout")));

    cli_chart_source_read(cli, &from);
    from.source.access.cancel = deadline;
    if (load(&from, &repos, e) < 0 || check_names(cli, &repos, e) < 0)
        return -1;
    for (size_t i = 0; i < repos.list.len; i++)
        if (is_asked_for(cli, repos.list.v[i].name))
            vec_push(&chosen.list, repos.list.v[i]);
    return chart_refresh(chosen.list.v, chosen.list.len, &from.dirs, &from.source.access,
                         cli_chart_print_line, NULL, e);
}

const struct cli_command cli_chart_repo_update = {
    .name = "chart repo update",
    .aliases = "chart repo up",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Fetch the indexes of chart repositories anew",
    .arguments = "[NAME ...]",
    .about = "Charts are looked up in the index that was fetched last. This fetches the indexes of "
             "the named repositories, or of all, several at once.",
    .flags = update_tables,
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_update,
};

/* ---- remove */

static const struct cli_flag *const no_tables[] = {NULL};

static int forget(const struct chart_dirs *dirs, str name, struct err *e)
{
    static const char files[][11] = {"index.yaml", "charts.txt"};

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        AUTO(buf_done) struct buf path = {0};

        chart_index_path(dirs, name, files[i], &path);
        if (file_remove_tree(buf_cstr(&path), e) < 0)
            return -1;
    }
    return 0;
}

static int remove_one(struct cli_chart_source *from, struct chart_repos *repos, str name,
                      struct err *e)
{
    if (!chart_repos_remove(repos, name))
        return err_set(e, ERR_NOT_FOUND, "no repo named \"%.*s\" found", STR_ARG(name));
    if (chart_repos_save(buf_cstr(&from->dirs.repository_config), repos, e) < 0 ||
        forget(&from->dirs, name, e) < 0)
        return -1;
    return print_line(e, "\"%.*s\" has been removed from your repositories", STR_ARG(name));
}

static int run_remove(struct cli *cli, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(chart_repos_done) struct chart_repos repos = {0};
    AUTO(file_close) int lock = -1;

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires at least 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    cli_chart_source_read(cli, &from);
    lock = chart_repos_lock(buf_cstr(&from.dirs.repository_config), NULL, e);
    if (lock < 0 || load(&from, &repos, e) < 0)
        return -1;
    if (!repos.list.len)
        return err_set(e, ERR_NOT_FOUND, "no repositories configured");
    for (size_t i = 0; i < cli->arguments.len; i++)
        if (remove_one(&from, &repos, cli->arguments.v[i], e) < 0)
            return -1;
    return 0;
}

const struct cli_command cli_chart_repo_remove = {
    .name = "chart repo remove",
    .aliases = "chart repo rm",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Forget chart repositories",
    .arguments = "NAME [NAME ...]",
    .about = "Takes repositories out of repositories.yaml, and their cached indexes away.",
    .flags = no_tables,
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_remove,
};
