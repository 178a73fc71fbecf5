/* grapnel chart pull */
#include "chart/download.h"
#include "chart/unpack.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "sys/file.h"

static const struct cli_flag flags[] = {
    {"destination", CLI_TEXT, "DIR", "folder the archive is written into", 'd', "", ".", false},
    {"untar", CLI_SWITCH, "", "write the chart's files, not the archive", 0, "", "", false},
    {"untardir", CLI_TEXT, "DIR", "folder they are written into, below that of --destination", 0,
     "", ".", false},
    {"prov", CLI_SWITCH, "", "write the provenance file too, unjudged", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {
    flags, cli_chart_source_flags, cli_chart_access_flags, cli_chart_trust_flags, NULL};

static void join(str dir, str name, struct buf *out)
{
    if (dir.len && !str_eq(dir, STR(".")) && !str_starts(name, STR("/")))
        buf_addf(out, "%.*s/", STR_ARG(str_trim_right(dir, "/")));
    buf_add_str(out, name);
}

static int write_to(const struct cli *cli, const struct chart_download *d, const char *end,
                    str bytes, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct file_replace options = {.mode = 0644};

    join(cli_text(cli, "destination"), buf_view(&d->file_name), &path);
    buf_add_cstr(&path, end);
    return file_replace(buf_cstr(&path), bytes, &options, e);
}

static int untar(const struct cli *cli, str reference, const struct chart_download *d,
                 struct err *e)
{
    AUTO(buf_done) struct buf dir = {0}, expected = {0}, ignored = {0};
    str name = str_from(reference, (size_t)(str_rfind_char(reference, '/') + 1));

    join(cli_text(cli, "destination"), cli_text(cli, "untardir"), &dir);
    join(buf_view(&dir), name, &expected);
    if (file_exists(buf_cstr(&expected)))
        return err_set(e, ERR_EXISTS,
                       "failed to untar: a file or directory with the name %s already exists",
                       buf_cstr(&expected));
    return chart_unpack(buf_view(&d->archive), buf_cstr(&dir), &ignored, e);
}

/* What helm tells: the digest of what came from a registry, whose signature was found. */
static void tell(const struct cli *cli, str reference, const struct chart_download *d,
                 struct buf *out)
{
    if (d->oci_digest.len)
        buf_addf(out, "Pulled: %s\nDigest: %s\n", buf_cstr(&d->url), buf_cstr(&d->oci_digest));
    buf_add_str(out, buf_view(&d->report));
    if (cli_switch(cli, "prov") && !d->prov.len)
        buf_addf(out, "WARNING: Verification not found for %.*s: %s\n", STR_ARG(reference),
                 err_text(&d->no_prov));
}

static int pull(const struct cli *cli, str reference, const struct chart_source *source,
                struct err *e)
{
    AUTO(chart_download_done) struct chart_download d = {0};
    AUTO(buf_done) struct buf out = {0};
    bool unpacks = cli_switch(cli, "untar");

    if (chart_download(reference, source,
                       cli_switch(cli, "prov") ? CHART_PROV_IF_THERE : CHART_NO_PROV, &d, e) < 0)
        return -1;
    tell(cli, reference, &d, &out);
    if (d.prov.len && !unpacks && write_to(cli, &d, ".prov", buf_view(&d.prov), e) < 0)
        return -1;
    if ((unpacks ? untar(cli, reference, &d, e) : write_to(cli, &d, "", buf_view(&d.archive), e)) <
        0)
        return -1;
    return cli_print(buf_view(&out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires at least 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    cli_chart_source_read(cli, &from);
    for (size_t i = 0; i < cli->arguments.len; i++)
        if (pull(cli, cli->arguments.v[i], &from.source, e) < 0)
            return -1;
    return 0;
}

const struct cli_command cli_chart_pull = {
    .name = "chart pull",
    .aliases = "chart fetch",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Fetch charts from repositories or registries",
    .arguments = "CHART [CHART ...]",
    .about =
        "Writes the archive of a chart, or with --untar its files, into a folder. CHART is "
        "REPO/NAME of `chart repo add`, a name with --repo, or the URL of an archive, https:// or "
        "oci://. What comes is held against the digest in the repository's index.",
    .flags = flag_tables,
    .examples = "$ grapnel chart pull infra/web --version '^2'\n"
                "$ grapnel chart pull web --repo https://charts.example.com --untar\n"
                "$ grapnel chart pull oci://registry.example.com/charts/web --version 2.1.0\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
