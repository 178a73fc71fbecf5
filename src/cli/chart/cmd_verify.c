/* grapnel chart verify */
#include "chart/provenance.h"
#include "cli/chart/flags.h"
#include "cli/output.h"

static const struct cli_flag flags[] = {
    {"keyring", CLI_TEXT, "FILE", "public keys that the signature is judged by", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(buf_done) struct buf report = {0};

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "a chart's archive is needed");
    cli_chart_source_read(cli, &from);
    if (chart_verify_file(cli->arguments.v[0].p, buf_cstr(&from.keyring), &report, e) < 0)
        return -1;
    return cli_print(buf_view(&report), e);
}

const struct cli_command cli_chart_verify = {
    .name = "chart verify",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Judge the provenance file of a chart's archive",
    .arguments = "ARCHIVE",
    .about = "ARCHIVE.prov must be signed by a key of --keyring, by default that of gpg "
             "(pubring.gpg, $GNUPGHOME), and must name the digest that the archive has. The "
             "signature is judged by the installed gpgv.",
    .flags = flag_tables,
    .examples = "$ grapnel chart verify web-1.2.0.tgz --keyring release-keys.gpg\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};
