/* grapnel chart diff NAME CHART, grapnel chart diff NAME --from REVISION [--to REVISION] */
#include <assert.h>
#include <unistd.h>

#include "cli/operation_flags.h"
#include "cli/output.h"
#include "cli/release_print.h"
#include "doc/diff.h"
#include "khook/release_difference.h"

enum { DIFFERS = 3 }; /* the exit status */

/* --dry-run never says "none" here, so an upgrade changes nothing. */
static const struct cli_flag flags[] = {
    {"from", CLI_INT, "REVISION", "compare this revision, not a chart, with --to's", 0, "", "",
     false},
    {"to", CLI_INT, "REVISION", "compare this revision, not a chart, with --from's", 0, "", "",
     false},
    {"exit-code", CLI_SWITCH, "", "end with status 3 when something differs", 0, "", "", false},
    {"dry-run", CLI_WORD, "WHERE", "render with what the server tells, or without it", 0,
     "server client", "server", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags,
                                                     cli_upgrade_flags,
                                                     cli_wait_flags,
                                                     cli_apply_flags,
                                                     cli_history_flags,
                                                     cli_release_flags,
                                                     cli_chart_values_flags,
                                                     cli_chart_source_flags,
                                                     cli_chart_access_flags,
                                                     cli_chart_trust_flags,
                                                     cli_cluster_of_helm,
                                                     NULL};

/* ---- comparing */

struct side {
    const struct chart_record *record; /* NULL: there is none */
    bool is_planned;
};

static void side_label(const struct side *s, struct buf *out)
{
    if (!s->record)
        buf_add_cstr(out, "none");
    else if (s->is_planned)
        buf_add_cstr(out, "planned");
    else
        buf_addf(out, "revision-%lld", (long long)s->record->revision);
}

static void side_text(const struct cli *cli, const struct side *s, struct buf *out)
{
    if (!s->record)
        return;
    buf_add_str(out, chart_record_manifest(s->record));
    buf_add_char(out, '\n');
    if (!cli_switch(cli, "no-hooks"))
        cli_release_hooks(s->record, out);
}

/* The status. */
static int compare(const struct cli *cli, const struct cli_releases *open, const struct side *from,
                   const struct side *to, struct err *e)
{
    AUTO(buf_done) struct buf before = {0}, after = {0}, diff = {0}, out = {0};
    AUTO(buf_done) struct buf from_label = {0}, to_label = {0};
    struct khook_manifests m = {.kube = open->kube,
                                .cancel = open->cancel,
                                .ns = str_of(open->ns),
                                .leaves_kept = to->is_planned};

    side_text(cli, from, &before);
    side_text(cli, to, &after);
    side_label(from, &from_label);
    side_label(to, &to_label);
    m.from = buf_view(&before);
    m.to = buf_view(&after);
    m.sides = (struct khook_sides){buf_cstr(&from_label), buf_cstr(&to_label)};
    if (khook_release_difference(&m, &diff, e) < 0)
        return -1;
    doc_diff_tint(buf_view(&diff), "", cli_wants_color(STDOUT_FILENO), &out);
    if (cli_print(buf_view(&out), e) < 0)
        return -1;
    return diff.len && cli_switch(cli, "exit-code") ? DIFFERS : 0;
}

/* ---- a chart */

static int compare_chart(const struct cli *cli, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};
    AUTO(chart_records_done) struct chart_records history = {0};
    AUTO(chart_record_done) struct chart_record planned = {0};
    struct side from = {0}, to = {&planned, true};

    if (cli_operation_open(cli, cli->arguments.v[0], &o, e) < 0 ||
        cli_operation_load(cli, cli->arguments.v[1], &o, e) < 0)
        return -1;
    assert(o.op.dry_run != CHART_DRY_NONE);
    o.op.installs = true;
    o.op.hides_secrets = false; /* their values are masked; left out they would look deleted */
    if (chart_upgrade(&o.op, NULL, &planned, e) < 0 ||
        chart_store_history(o.open.store, o.op.name, o.open.cancel, &history, e) < 0)
        return -1;
    from.record = chart_records_baseline(&history);
    return compare(cli, &o.open, &from, &to, e);
}

/* ---- revisions */

/* The revision that a flag names, without it the deployed one. */
static int find(const struct cli *cli, const struct chart_records *history, const char *flag,
                struct side *ret, struct err *e)
{
    str name = cli->arguments.v[0];

    if (!cli_given(cli, flag)) {
        ret->record = chart_records_baseline(history);
        return ret->record
                   ? 0
                   : err_set(e, ERR_NOT_FOUND, "\"%.*s\" has no deployed releases", STR_ARG(name));
    }
    for (size_t i = 0; i < history->len; i++)
        if (history->v[i].revision == cli_int(cli, flag))
            ret->record = &history->v[i];
    return ret->record ? 0
                       : err_set(e, ERR_NOT_FOUND, "release \"%.*s\" has no revision %lld",
                                 STR_ARG(name), (long long)cli_int(cli, flag));
}

static int compare_revisions(const struct cli *cli, struct err *e)
{
    AUTO(cli_releases_done) struct cli_releases open = {0};
    AUTO(chart_records_done) struct chart_records history = {0};
    struct side from = {0}, to = {0};
    str name;

    if (cli_release_name(cli, &name, e) < 0 || cli_releases_open(cli, false, &open, e) < 0 ||
        chart_store_history(open.store, name, open.cancel, &history, e) < 0)
        return -1;
    if (!history.len)
        return err_set(e, ERR_NOT_FOUND, "release: not found");
    if (find(cli, &history, "from", &from, e) < 0 || find(cli, &history, "to", &to, e) < 0)
        return -1;
    return compare(cli, &open, &from, &to, e);
}

static int run(struct cli *cli, struct err *e)
{
    bool has_revisions = cli_given(cli, "from") || cli_given(cli, "to");

    if (cli->arguments.len == 2 && !has_revisions)
        return compare_chart(cli, e);
    if (cli->arguments.len == 1 && has_revisions)
        return compare_revisions(cli, e);
    return err_set(e, ERR_USAGE, "\"%s %s\" requires NAME CHART, or NAME with --from or --to",
                   cli->program, cli_command_name(cli->command, cli->program));
}

const struct cli_command cli_chart_diff = {
    .name = "chart diff",
    .names = CLI_GRAPNEL,
    .summary = "Show what an upgrade would change, or what differs between two revisions",
    .arguments = "NAME [CHART]",
    .about =
        "With a chart: renders it as chart upgrade --install with the same flags would, and "
        "compares it, object by object, with the revision that the upgrade would start from. "
        "Nothing is changed. Without a release everything is new. Objects that stay because they "
        "are annotated helm.sh/resource-policy: keep are no difference. Flags that only say how "
        "changes are made have no effect.\n\n"
        "With --from, --to or both: compares two revisions of the release; the deployed one takes "
        "the place of a flag that is missing.\n\n"
        "Hooks are compared too, unless --no-hooks is given. The data of Secrets is masked: it is "
        "only told that it differs.",
    .flags = flag_tables,
    .examples = "$ grapnel chart diff web ./charts/web --set image.tag=1.5 --exit-code\n"
                "$ grapnel chart diff web --from 2 --to 3\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
