/* grapnel validate -f SPEC */
#include "cli/khook/flags.h"
#include "cli/output.h"
#include "khook/spec/report.h"

static const struct cli_flag *const flag_tables[] = {cli_spec_flags, cli_output_flags, NULL};

/* What was wrong before the spec could be judged, as JSON too; e stays for the last line. */
static int print_usage(const struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err ignored = {0};

    if (cli_wants_json(cli)) {
        khook_report_usage(e, &out);
        (void)cli_print_raw(buf_view(&out), &ignored);
    }
    return -1;
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_spec_done) struct cli_spec spec = {0};
    AUTO(buf_done) struct buf out = {0};

    if (cli_spec_read(cli, &spec, e) < 0)
        return print_usage(cli, e);
    if (cli_wants_json(cli)) {
        khook_report_json(&spec.problems, &out);
        if (cli_print_raw(buf_view(&out), e) < 0)
            return -1;
    } else {
        khook_report_warnings(&spec.problems);
    }
    if (!spec.spec)
        return khook_report_error(&spec.problems, e);
    if (cli_wants_json(cli))
        return 0;
    buf_addf(&out, "%.*s: valid, %zu step(s) in %zu level(s)\n", STR_ARG(spec.spec->name),
             spec.spec->step_count, spec.spec->level_count);
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_validate = {
    .name = "validate",
    .names = CLI_GRAPNEL | CLI_KHOOK,
    .summary = "Report every problem of a spec",
    .arguments = "",
    .about = "Reads a spec with its variables and reports every problem with its place, in one "
             "run. No cluster is needed, nothing is fetched. Ends with status 2 when there is a "
             "problem; warnings do not change the status.",
    .flags = flag_tables,
    .examples = "$ grapnel validate -f bootstrap.yaml\n"
                "$ grapnel validate -f bootstrap.yaml --set env=prod -o json\n",
    .max_arguments = 0,
    .run = run,
};
