/* grapnel chart package */
#include <limits.h>
#include <unistd.h>

#include "base/log.h"
#include "chart/deps/deps.h"
#include "chart/package.h"
#include "chart/provenance.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "sys/clock.h"
#include "sys/file.h"

#define MAX_PASSPHRASE ((size_t)64 << 10)

static const struct cli_flag flags[] = {
    {"destination", CLI_TEXT, "DIR", "folder the archive is written into", 'd', "", ".", false},
    {"version", CLI_TEXT, "VERSION", "version of the chart, in place of Chart.yaml's", 0, "", "",
     false},
    {"app-version", CLI_TEXT, "TEXT", "appVersion, in place of Chart.yaml's", 0, "", "", false},
    {"dependency-update", CLI_SWITCH, "", "fetch the dependencies first", 'u', "", "", false},
    {"sign", CLI_SWITCH, "", "write a provenance file beside the archive", 0, "", "", false},
    {"key", CLI_TEXT, "NAME", "key to sign with", 0, "", "", false},
    {"keyring", CLI_TEXT, "FILE", "secret keys; gpg's own if there is none", 0, "", "", false},
    {"passphrase-file", CLI_TEXT, "FILE", "passphrase of the key; \"-\" is standard input", 0, "",
     "", false},
    {"plain-http", CLI_SWITCH, "", "ask registries over plain HTTP", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_chart_access_flags, NULL};

static void drop_line(void *ctx, str line)
{
    (void)ctx;
    (void)line;
}

static int update(const struct cli *cli, const char *path, int64_t epoch_s, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    struct chart_deps_options options = {
        .source = &from.source, .now_us = clock_wall_us(), .epoch_s = epoch_s, .line = drop_line};

    cli_chart_source_read(cli, &from);
    return chart_deps_update(path, &options, e);
}

static int sign(const struct cli *cli, str archive, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf phrase = {0}, prov = {0}, prov_path = {0};
    struct chart_signer signer = {0};
    str name = str_of(path), file = cli_text(cli, "passphrase-file");

    name = str_from(name, (size_t)(str_rfind_char(name, '/') + 1));
    if (!cli_text(cli, "key").len)
        return err_set(e, ERR_USAGE, "--key is required for signing a package");
    signer.key = cli_text(cli, "key").p;
    signer.keyring = cli_text(cli, "keyring").len ? cli_text(cli, "keyring").p : NULL;
    if (file.len) {
        str line, rest;

        if (file_read(file.p, MAX_PASSPHRASE, &phrase, e) < 0)
            return -1;
        rest = buf_view(&phrase);
        signer.passphrase = str_next_line(&rest, &line) ? line : STR("");
        signer.has_passphrase = true;
        secret_add(signer.passphrase);
    }
    if (chart_sign(archive, name, &signer, &prov, e) < 0)
        return -1;
    buf_addf(&prov_path, "%s.prov", path);
    return file_replace(buf_cstr(&prov_path), buf_view(&prov), NULL, e);
}

static int check_all(const struct chart *c, struct err *e)
{
    AUTO(err_done) struct err bad = {0};
    ssize_t at;

    if (chart_check_dependencies(c, &bad) == 0)
        return 0;
    at = str_find(str_of(err_text(&bad)), STR("found in Chart.yaml"));
    return err_set(e, bad.kind, "%s", err_text(&bad) + MAX(at, 0));
}

static int write_archive(const struct cli *cli, struct doc_set *set, const struct chart *c,
                         int64_t epoch_s, struct err *e)
{
    AUTO(buf_done) struct buf archive = {0}, path = {0}, line = {0};
    str dir = cli_text(cli, "destination");
    char here[PATH_MAX];
    struct file_replace options = {.mode = 0644};

    if (chart_package(set, c, epoch_s, &archive, e) < 0)
        return -1;
    if (file_mkdirs(dir.p, 0755, e) < 0)
        return -1;
    if (str_eq(dir, STR(".")) && getcwd(here, sizeof(here)))
        buf_add_cstr(&path, here);
    else
        buf_add_str(&path, str_trim_right(dir, "/"));
    buf_add_char(&path, '/');
    chart_package_name(c, &path);
    if (file_replace(buf_cstr(&path), buf_view(&archive), &options, e) < 0 ||
        (cli_switch(cli, "sign") && sign(cli, buf_view(&archive), buf_cstr(&path), e) < 0))
        return -1;
    buf_addf(&line, "Successfully packaged chart and saved it to: %s\n", buf_cstr(&path));
    return cli_print(buf_view(&line), e);
}

static int package(const struct cli *cli, const char *path, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct chart *c;
    int64_t epoch_s;

    if (!file_exists(path))
        return err_set(e, ERR_NOT_FOUND, "stat %s: no such file or directory", path);
    if (chart_package_epoch(&epoch_s, e) < 0 ||
        (cli_switch(cli, "dependency-update") && update(cli, path, epoch_s, e) < 0))
        return -1;
    c = chart_load(set, path, e);
    if (!c ||
        chart_set_versions(set, c, cli_text(cli, "version"), cli_text(cli, "app-version"), e) < 0 ||
        check_all(c, e) < 0)
        return -1;
    return write_archive(cli, set, c, epoch_s, e);
}

static int run(struct cli *cli, struct err *e)
{
    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "need at least one argument, the path to the chart");
    for (size_t i = 0; i < cli->arguments.len; i++)
        if (package(cli, cli->arguments.v[i].p, e) < 0)
            return -1;
    return 0;
}

const struct cli_command cli_chart_package = {
    .name = "chart package",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Put a chart's folder into an archive",
    .arguments = "PATH [PATH ...]",
    .about =
        "Writes NAME-VERSION.tgz. Files that .helmignore names are left out. Times are those of "
        "the files, or SOURCE_DATE_EPOCH: the same files and times give the same bytes.",
    .flags = flag_tables,
    .examples = "$ grapnel chart package ./web --version 1.4.0 -d public\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
