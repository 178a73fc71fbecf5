/* grapnel chart test NAME */
#include "base/log.h"
#include "cli/chart/operation_flags.h"
#include "cli/chart/release_print.h"
#include "cli/output.h"

static const struct cli_flag flags[] = {
    {"filter", CLI_LIST, "name=TEST", "only this test; !name=TEST: all but this", 0, "", "", false},
    {"logs", CLI_SWITCH, "", "print the logs of the tests' Pods", 0, "", "", false},
    {"timeout", CLI_DURATION, "DURATION", "longest time for each test", 0, "", "5m", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_cluster_of_helm, NULL};

/* As helm does, what is no name is passed over, but it is told. */
static void read_filters(const struct cli *cli, struct chart_test_options *ret)
{
    AUTO(str_vec_done) struct str_vec given = {0};

    cli_list(cli, "filter", &given);
    for (size_t i = 0; i < given.len; i++)
        for (str rest = given.v[i]; rest.len;) {
            str value, name = str_cut(str_cut(rest, ',', &rest), '=', &value);

            if (value.p && str_eq(name, STR("name")))
                vec_push(&ret->names, value);
            else if (value.p && str_eq(name, STR("!name")))
                vec_push(&ret->not_names, value);
            else
                log_warn("--filter takes name=TEST or !name=TEST; this one has no effect",
                         LOG_STR("filter", given.v[i]));
        }
}

static void options_done(struct chart_test_options *options)
{
    str_vec_done(&options->names);
    str_vec_done(&options->not_names);
}
AUTO_VALUE(struct chart_test_options, options_done)

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(options_done) struct chart_test_options options = {0};
    AUTO(buf_done) struct buf out = {0}, logs = {0};
    AUTO(err_done) struct err bad = {0};
    str name;
    int rc;

    if (cli_release_name(cli, &name, e) < 0 || cli_operation_open(cli, name, &o, e) < 0)
        return -1;
    read_filters(cli, &options);
    options.logs = cli_switch(cli, "logs") ? &logs : NULL;
    rc = chart_test(&o.op, &options, &r, e);
    if (r.root && cli_release_summary(&r, CLI_SUMMARY_NO_NOTES, STR_NONE, &out, &bad) == 0)
        buf_addf(&out, "%s%s", options.logs ? "\n" : "", buf_cstr(&logs));
    if (out.len && cli_print(buf_view(&out), &bad) < 0 && rc == 0) {
        err_move(e, &bad);
        return -1;
    }
    return rc;
}

const struct cli_command cli_chart_test = {
    .name = "chart test",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Run the tests of a release",
    .arguments = "NAME",
    .about = "Runs the hooks of the release that are annotated helm.sh/hook: test, one after "
             "another, and prints what became of them. A test that fails ends it.",
    .flags = flag_tables,
    .examples = "$ grapnel chart test web --logs\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};
