/* grapnel destroy -f SPEC */
#include "cli/khook/run.h"

static const struct cli_flag *const flag_tables[] = {cli_spec_flags, cli_cluster_flags,
                                                     cli_run_flags, cli_output_flags, NULL};

static int run(struct cli *cli, struct err *e) { return cli_run_spec(cli, KHOOK_DESTROY_RUN, e); }

const struct cli_command cli_destroy = {
    .name = "destroy",
    .names = CLI_GRAPNEL | CLI_KHOOK,
    .summary = "Remove what a spec's steps made, in reverse order",
    .arguments = "",
    .about = "Tears the steps of a spec down, each before the steps it needs: apply steps delete "
             "their objects, the last one "
             "first, job steps their Job. Delete, patch, wait and rollout steps are skipped. What "
             "is gone already is "
             "success, so destroy can be repeated.\n\nskipIf does not count: objects that existed "
             "before the first run are "
             "removed too. Namespaces made by createNamespace stay. After a complete destroy the "
             "state record is deleted.",
    .flags = flag_tables,
    .examples = "$ grapnel destroy -f bootstrap.yaml\n",
    .max_arguments = 0,
    .run = run,
};
