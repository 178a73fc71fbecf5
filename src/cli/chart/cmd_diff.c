/* grapnel chart diff NAME CHART, grapnel chart diff NAME --from REVISION [--to REVISION], both with
 * --live */
#include <assert.h>
#include <unistd.h>

#include "cli/chart/operation_flags.h"
#include "cli/chart/release_print.h"
#include "cli/output.h"
#include "doc/diff.h"
#include "khook/act/release_difference.h"

enum { DIFFERS = 3 }; /* the exit status */

/* --dry-run never says "none" here, so an upgrade changes nothing. */
static const struct cli_flag flags[] = {
    {"from", CLI_INT, "REVISION", "compare this revision, not a chart, with --to's", 0, "", "",
     false},
    {"to", CLI_INT, "REVISION", "compare this revision, not a chart, with --from's", 0, "", "",
     false},
    {"live", CLI_SWITCH, "", "compare the objects in the cluster, not a revision's manifest", 0, "",
     "", false},
    {"output", CLI_CHOICE, "FORMAT", "how to print what differs", 'o', "diff json yaml", "diff",
     false},
    {"context", CLI_INT, "LINES", "lines to show around each change", 'C', "", "3", false},
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

/* ---- what comes out */

struct report {
    const struct cli *cli;
    struct buf from, to; /* what the sides are called */
    struct buf diff;
    struct doc_set *set;
    struct doc_node *list; /* with -o json and yaml, instead of the diff */
};
static void report_done(struct report *r)
{
    buf_done(&r->from);
    buf_done(&r->to);
    buf_done(&r->diff);
    doc_set_free(r->set);
}
AUTO_VALUE(struct report, report_done)

static void report_start(const struct cli *cli, struct report *r)
{
    *r = (struct report){.cli = cli, .set = doc_set_new()};
    if (!str_eq(cli_text(cli, "output"), STR("diff")))
        r->list = doc_new_list(r->set);
}

static struct khook_sides sides_of(struct report *r)
{
    return (struct khook_sides){.from = buf_cstr(&r->from),
                                .to = buf_cstr(&r->to),
                                .context = (size_t)cli_int(r->cli, "context")};
}

static void print_tree(struct report *r, str ns, struct buf *out)
{
    struct doc_node *tree = doc_new_map(r->set);
    str format = cli_text(r->cli, "output");

    doc_set_string(r->set, tree, STR("release"), r->cli->arguments.v[0]);
    doc_set_string(r->set, tree, STR("namespace"), ns);
    doc_set_string(r->set, tree, STR("from"), buf_view(&r->from));
    doc_set_string(r->set, tree, STR("to"), buf_view(&r->to));
    doc_set_bool(r->set, tree, STR("differs"), doc_len(r->list) > 0);
    doc_set_field(r->set, tree, STR("objects"), r->list);
    cli_print_tree(tree, str_eq(format, STR("json")), out);
}

/* The status. */
static int report_end(struct report *r, str ns, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    bool differs = r->list ? doc_len(r->list) > 0 : r->diff.len > 0;

    if (r->list)
        print_tree(r, ns, &out);
    else
        doc_diff_tint(buf_view(&r->diff), "", cli_wants_color(STDOUT_FILENO), &out);
    if (cli_print(buf_view(&out), e) < 0)
        return -1;
    return differs && cli_switch(r->cli, "exit-code") ? DIFFERS : 0;
}

/* ---- comparing manifests */

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
    AUTO(buf_done) struct buf before = {0}, after = {0};
    AUTO(report_done) struct report r = {0};
    struct khook_manifests m = {.kube = open->kube,
                                .cancel = open->cancel,
                                .ns = str_of(open->ns),
                                .leaves_kept = to->is_planned};

    report_start(cli, &r);
    side_text(cli, from, &before);
    side_text(cli, to, &after);
    side_label(from, &r.from);
    side_label(to, &r.to);
    m.from = buf_view(&before);
    m.to = buf_view(&after);
    m.sides = sides_of(&r);
    m.set = r.set;
    m.list = r.list;
    if (khook_release_difference(&m, &r.diff, e) < 0)
        return -1;
    return report_end(&r, m.ns, e);
}

/* ---- comparing what is there */

static int on_foreseen(void *ctx, const struct kube_ref *ref, struct kube_object *live,
                       struct kube_object *planned, struct err *e UNUSED)
{
    struct report *r = ctx;
    struct khook_sides sides = sides_of(r);
    struct doc_node *tree;

    if (!r->list) {
        khook_difference(&sides, ref, live, planned, &r->diff);
        return 0;
    }
    tree = khook_difference_tree(ref, live, planned, r->set);
    if (tree)
        doc_append(r->list, tree);
    return 0;
}

static int check_live(const struct cli *cli, struct err *e)
{
    if (cli_given(cli, "from"))
        return err_set(e, ERR_USAGE,
                       "--live takes the place of --from: the objects in the cluster are compared");
    return str_eq(cli_text(cli, "dry-run"), STR("server"))
               ? 0
               : err_set(e, ERR_USAGE, "--live asks the server: --dry-run=client cannot be given");
}

/* What the operation, a dry run, would change in the cluster. A revision of 0: an upgrade to the
 * chart. The status. */
static int foresee(struct cli_operation *o, const struct cli *cli, int64_t revision, struct err *e)
{
    AUTO(report_done) struct report r = {0};
    AUTO(chart_record_done) struct chart_record planned = {0};
    int rc;

    report_start(cli, &r);
    buf_add_cstr(&r.from, "live");
    if (revision)
        buf_addf(&r.to, "revision-%lld", (long long)revision);
    else
        buf_add_cstr(&r.to, "planned");
    o->op.foresee = on_foreseen;
    o->op.foresee_ctx = &r;
    rc = revision ? chart_rollback(&o->op, revision, &planned, e)
                  : chart_upgrade(&o->op, NULL, &planned, e);
    return rc < 0 ? -1 : report_end(&r, o->op.ns, e);
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
    if (cli_switch(cli, "live"))
        return foresee(&o, cli, 0, e);
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

static int find_history(const struct cli *cli, const struct cli_releases *open,
                        struct chart_records *ret, struct err *e)
{
    str name;

    if (cli_release_name(cli, &name, e) < 0 ||
        chart_store_history(open->store, name, open->cancel, ret, e) < 0)
        return -1;
    return ret->len ? 0 : err_set(e, ERR_NOT_FOUND, "release: not found");
}

static int compare_revisions(const struct cli *cli, struct err *e)
{
    AUTO(cli_releases_done) struct cli_releases open = {0};
    AUTO(chart_records_done) struct chart_records history = {0};
    struct side from = {0}, to = {0};

    if (cli_releases_open(cli, false, &open, e) < 0 || find_history(cli, &open, &history, e) < 0 ||
        find(cli, &history, "from", &from, e) < 0 || find(cli, &history, "to", &to, e) < 0)
        return -1;
    return compare(cli, &open, &from, &to, e);
}

/* What somebody changed since: how the objects differ from a revision. */
static int compare_live(const struct cli *cli, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};
    AUTO(chart_records_done) struct chart_records history = {0};
    struct side to = {0};

    if (cli_operation_open(cli, cli->arguments.v[0], &o, e) < 0 ||
        find_history(cli, &o.open, &history, e) < 0 || find(cli, &history, "to", &to, e) < 0)
        return -1;
    return foresee(&o, cli, to.record->revision, e);
}

static int run(struct cli *cli, struct err *e)
{
    bool has_revisions = cli_given(cli, "from") || cli_given(cli, "to");
    bool is_live = cli_switch(cli, "live");

    if (is_live && check_live(cli, e) < 0)
        return -1;
    if (cli->arguments.len == 2 && !has_revisions)
        return compare_chart(cli, e);
    if (cli->arguments.len == 1 && is_live)
        return compare_live(cli, e);
    if (cli->arguments.len == 1 && has_revisions)
        return compare_revisions(cli, e);
    return err_set(e, ERR_USAGE,
                   "\"%s %s\" requires NAME CHART, or NAME with --from, --to or --live",
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
        "With --live the objects in the cluster are compared, with all that somebody changed in "
        "them since, and the answers of the server to a dry run of the very requests: with a chart "
        "those of the upgrade, without one those of a rollback to the revision of --to, or to the "
        "deployed one. What only the server writes (status, uid, resourceVersion, ...) is left "
        "out, and so are hooks. A field that somebody else holds is told as a warning.\n\n"
        "With -o json and yaml: release, namespace, from, to, differs, and objects, a list of "
        "maps with apiVersion, kind, namespace, name, change (added, changed, removed), and fields "
        "(path, from, to of each) of a changed one, else object.\n\n"
        "Hooks are compared too, unless --no-hooks is given. The data of Secrets is masked: it is "
        "only told that it differs.",
    .flags = flag_tables,
    .examples = "$ grapnel chart diff web ./charts/web --set image.tag=1.5 --exit-code\n"
                "$ grapnel chart diff web --live\n"
                "$ grapnel chart diff web --from 2 --to 3\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
