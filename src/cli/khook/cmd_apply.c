/* grapnel apply -f SPEC */
#include "cli/khook/run.h"

static const struct cli_flag *const flag_tables[] = {cli_spec_flags, cli_cluster_flags,
                                                     cli_run_flags, cli_output_flags, NULL};

static int run(struct cli *cli, struct err *e) { return cli_run_spec(cli, KHOOK_APPLY_RUN, e); }

const struct cli_command cli_apply = {
    .name = "apply",
    .names = CLI_GRAPNEL | CLI_KHOOK,
    .summary = "Run the steps of a spec",
    .arguments = "",
    .about = "Runs the steps of a spec level by level: the steps of a level at once, the next "
             "level when every step of the "
             "one before has ended. A failed step is tried again as often as it says; what fails "
             "for good stops later "
             "levels, unless the step has onError: continue.\n\nWith state: in the spec a killed "
             "or failed run is taken up "
             "where it stopped, and a second run at the same time is refused.\n\nThe first "
             "interrupt cancels the running "
             "steps and writes the record, a second one ends the program at once.",
    .flags = flag_tables,
    .examples = "$ grapnel apply -f bootstrap.yaml --set VERSION=2\n$ grapnel apply -f "
                "bootstrap.yaml -o json\n",
    .max_arguments = 0,
    .run = run,
};
