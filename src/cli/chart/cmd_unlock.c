/* grapnel chart unlock NAME */
#include "cli/chart/helm_flags.h"
#include "cli/output.h"

static const struct cli_flag *const flag_tables[] = {cli_cluster_of_helm, NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_releases_done) struct cli_releases open = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(buf_done) struct buf out = {0};
    str name;
    bool was_pending;

    if (cli_release_name(cli, &name, e) < 0 || cli_releases_open(cli, false, &open, e) < 0 ||
        chart_store_get(open.store, name, 0, open.cancel, &r, e) < 0)
        return -1;
    was_pending = chart_status_is_pending(r.status);
    if (chart_store_claim(open.store, &r, 0, true, open.cancel, e) < 0)
        return -1;
    if (was_pending)
        buf_addf(&out, "revision %lld of %.*s was unlocked: it counts as failed\n",
                 (long long)r.revision, STR_ARG(name));
    else
        buf_addf(&out, "%.*s is not locked\n", STR_ARG(name));
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_chart_unlock = {
    .name = "chart unlock",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Free a release whose operation was killed",
    .arguments = "NAME",
    .about =
        "An install, upgrade or rollback that was killed leaves the release's last revision "
        "pending, and no other operation may begin. This gives that revision up: it becomes "
        "failed, and the next operation goes on from the last one that was deployed.\n\n"
        "grapnel's own operations renew a lease while they run and are taken over without this "
        "command once they were silent for 30 s; one that is alive is never unlocked. The helm CLI "
        "leaves no lease: its revisions are taken over after 5 minutes, or with this command at "
        "once.",
    .flags = flag_tables,
    .examples = "$ grapnel chart unlock web\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
