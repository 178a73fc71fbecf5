/* grapnel chart push */
#include <errno.h>
#include <sys/stat.h>

#include "chart/oci.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "sys/clock.h"
#include "sys/file.h"

static const struct cli_flag plain_flags[] = {
    {"plain-http", CLI_SWITCH, "", "ask the registry over plain HTTP", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {cli_chart_access_flags, plain_flags, NULL};

/* The archive, and when it was made; a provenance file beside it goes along. */
static int read_files(const char *path, struct buf *archive, struct buf *prov, struct buf *created,
                      struct err *e)
{
    AUTO(buf_done) struct buf prov_path = {0};
    struct stat st;

    if (stat(path, &st) < 0)
        return errno == ENOENT ? err_set(e, ERR_NOT_FOUND, "%s: no such file", path)
                               : err_errno(e, errno, "%s", path);
    if (S_ISDIR(st.st_mode))
        return err_set(e, ERR_INVALID, "cannot push directory, must provide chart archive (.tgz)");
    clock_rfc3339((int64_t)st.st_mtim.tv_sec * 1000, 0, created);
    buf_addf(&prov_path, "%s.prov", path);
    if (file_exists(buf_cstr(&prov_path)) &&
        file_read(buf_cstr(&prov_path), CHART_OCI_MAX_PROV, prov, e) < 0)
        return -1;
    return file_read(path, CHART_OCI_MAX_ARCHIVE, archive, e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(chart_oci_pulled_done) struct chart_oci_pulled pushed = {0};
    AUTO(buf_done) struct buf archive = {0}, prov = {0}, created = {0}, out = {0};
    AUTO(chart_oci_free) struct chart_oci *oci = NULL;
    struct chart_oci_push push;

    if (cli->arguments.len != 2)
        return err_set(e, ERR_USAGE, "a chart and where it goes are needed: ARCHIVE oci://...");
    cli_chart_source_read(cli, &from);
    if (read_files(cli->arguments.v[0].p, &archive, &prov, &created, e) < 0)
        return -1;
    push = (struct chart_oci_push){.archive = buf_view(&archive),
                                   .prov = buf_view(&prov),
                                   .reference = cli->arguments.v[1],
                                   .created = buf_view(&created)};
    oci = chart_oci_new(&from.source.access, buf_cstr(&from.dirs.registry_config), e);
    if (!oci || chart_oci_push(oci, &push, &pushed, e) < 0)
        return -1;
    buf_addf(&out, "Pushed: %s\nDigest: %s\n", buf_cstr(&pushed.reference),
             buf_cstr(&pushed.digest));
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_chart_push = {
    .name = "chart push",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Put a chart's archive into an OCI registry",
    .arguments = "ARCHIVE oci://HOST[:PORT]/PATH",
    .about =
        "The chart becomes HOST/PATH/NAME:VERSION, with the name and version of its Chart.yaml; a "
        "'+' of the version is stored as '_', which tags may hold. A provenance file beside the "
        "archive, ARCHIVE.prov, goes along. What is pushed is what helm v4.3.1 pushes, to the "
        "digest.\n\n"
        "Credentials are those of --username and --password, else of \"chart registry login\" "
        "(helm's registry/config.json), else of docker's config.json and its credential "
        "programs. Plain HTTP needs --plain-http, except for a registry of this machine.",
    .flags = flag_tables,
    .examples = "$ grapnel chart push web-1.2.0.tgz oci://registry.example.org/charts\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
