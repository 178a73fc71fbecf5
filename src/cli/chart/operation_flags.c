#include "cli/chart/operation_flags.h"

#include "base/log.h"
#include "base/mem.h"
#include "chart/deps/deps.h"
#include "chart/package.h"
#include "cli/chart/release_print.h"
#include "cli/output.h"
#include "sys/env.h"

const struct cli_flag cli_wait_flags[] = {
    {"wait", CLI_WORD, "STRATEGY", "wait until everything is ready", 0,
     "watcher hookOnly legacy true false", "", false},
    {"timeout", CLI_DURATION, "DURATION", "longest time for each wait", 0, "", "5m", false},
    {"no-hooks", CLI_SWITCH, "", "leave hooks out", 0, "", "", false},
    {"description", CLI_TEXT, "TEXT", "what the history says of it", 0, "", "", false},
    {.name = ""},
};

const struct cli_flag cli_apply_flags[] = {
    {"wait-for-jobs", CLI_SWITCH, "", "with --wait: until Jobs are complete too", 0, "", "", false},
    {"server-side", CLI_WORD, "MODE", "objects are applied by the server, or patched by us", 0,
     "true false auto", "auto", false},
    {"force-conflicts", CLI_SWITCH, "", "take over fields that others manage", 0, "", "", false},
    {"force-replace", CLI_SWITCH, "", "replace objects; only with --server-side=false", 0, "", "",
     false},
    {"force", CLI_SWITCH, "", "the older name of --force-replace", 0, "", "", false},
    {.name = ""},
};

const struct cli_flag cli_history_flags[] = {
    {"history-max", CLI_INT, "COUNT", "revisions that are kept; 0: all", 0, "", "", false},
    {"cleanup-on-fail", CLI_SWITCH, "", "on failure delete the objects it created", 0, "", "",
     false},
    {.name = ""},
};

const struct cli_flag cli_dry_run_flags[] = {
    {"dry-run", CLI_WORD, "WHERE", "change nothing; the server is asked, or not even that", 0,
     "client server none true false", "", false},
    {.name = ""},
};

const struct cli_flag cli_release_flags[] = {
    {"rollback-on-failure", CLI_SWITCH, "",
     "on failure go back to what was before; waits for objects too", 0, "", "", false},
    {"atomic", CLI_SWITCH, "", "the older name of --rollback-on-failure", 0, "", "", false},
    {"create-namespace", CLI_SWITCH, "", "make the namespace when it does not exist", 0, "", "",
     false},
    {"take-ownership", CLI_SWITCH, "", "adopt objects that exist and are nobody's or another's", 0,
     "", "", false},
    {"labels", CLI_LIST, "KEY=VALUE", "labels of the release's record", 'l', "", "", false},
    {"skip-crds", CLI_SWITCH, "", "do not install the CRDs of crds/", 0, "", "", false},
    {"upgrade-crds", CLI_SWITCH, "", "apply the CRDs of crds/ also where they exist", 0, "", "",
     false},
    {"skip-schema-validation", CLI_SWITCH, "", "do not judge values by the chart's schemas", 0, "",
     "", false},
    {"disable-openapi-validation", CLI_SWITCH, "", "let the server drop fields it does not know", 0,
     "", "", false},
    {"render-subchart-notes", CLI_SWITCH, "", "print the notes of subcharts too", 0, "", "", false},
    {"hide-notes", CLI_SWITCH, "", "do not print the notes", 0, "", "", false},
    {"hide-secret", CLI_SWITCH, "", "leave Secrets out of what a dry run prints", 0, "", "", false},
    {"dependency-update", CLI_SWITCH, "",
     "fetch dependencies that are missing in the chart's folder first", 0, "", "", false},
    {"post-renderer", CLI_TEXT, "PROGRAM", "gets the rendered manifests, prints what is installed",
     0, "", "", false},
    {"post-renderer-args", CLI_LIST, "TEXT", "argument of the post-renderer", 0, "", "", false},
    {"post-renderer-strategy", CLI_CHOICE, "HOW",
     "hooks and manifests go to the post-renderer in one stream, in two, or without the hooks", 0,
     "combined separate nohooks", "combined", false},
    {"enable-dns", CLI_SWITCH, "", "let templates ask for addresses of hosts: getHostByName", 0, "",
     "", false},
    {.name = ""},
};

const struct cli_flag cli_upgrade_flags[] = {
    {"install", CLI_SWITCH, "", "install the chart when there is no such release", 'i', "", "",
     false},
    {"reset-values", CLI_SWITCH, "", "only the values given now", 0, "", "", false},
    {"reuse-values", CLI_SWITCH, "", "the values given now over all of the last revision", 0, "",
     "", false},
    {"reset-then-reuse-values", CLI_SWITCH, "",
     "the values given now over those given before, over the new chart's defaults", 0, "", "",
     false},
    {.name = ""},
};

/* ---- reading */

static enum chart_wait_strategy wait_of(const struct cli *cli)
{
    str word = cli_text_if(cli, "wait");

    if (str_eq(word, STR("legacy")))
        return CHART_WAIT_LEGACY;
    return str_eq(word, STR("watcher")) || str_eq(word, STR("true")) ? CHART_WAIT_WATCHER
                                                                     : CHART_WAIT_HOOKS;
}

static enum chart_dry_run dry_run_of(const struct cli *cli)
{
    str word = cli_text_if(cli, "dry-run");

    if (cli_switch_if(cli, "validate")) /* of template; the older name of --dry-run=server */
        return CHART_DRY_SERVER;
    if (str_eq(word, STR("server")))
        return CHART_DRY_SERVER;
    return str_eq(word, STR("client")) || str_eq(word, STR("true")) ? CHART_DRY_CLIENT
                                                                    : CHART_DRY_NONE;
}

static enum chart_side side_of(const struct cli *cli)
{
    str word = cli_text_if(cli, "server-side");

    if (str_eq(word, STR("true")))
        return CHART_SIDE_SERVER;
    return str_eq(word, STR("false")) ? CHART_SIDE_CLIENT : CHART_SIDE_AUTO;
}

static enum chart_reuse reuse_of(const struct cli *cli)
{
    if (cli_switch_if(cli, "reset-values"))
        return CHART_REUSE_RESET;
    if (cli_switch_if(cli, "reuse-values"))
        return CHART_REUSE_VALUES;
    return cli_switch_if(cli, "reset-then-reuse-values") ? CHART_REUSE_AFTER_RESET
                                                         : CHART_REUSE_NONE;
}

static enum chart_post_strategy post_strategy_of(const struct cli *cli)
{
    str word = cli_text_if(cli, "post-renderer-strategy");

    if (str_eq(word, STR("separate")))
        return CHART_POST_SEPARATE;
    return str_eq(word, STR("nohooks")) ? CHART_POST_NO_HOOKS : CHART_POST_COMBINED;
}

static int64_t history_max(const struct cli *cli)
{
    enum { USUAL = 10 };
    int64_t value;

    if (cli_has_flag(cli, "history-max") && cli_given(cli, "history-max"))
        return cli_int(cli, "history-max");
    return str_to_int64(str_of(env_get("HELM_MAX_HISTORY")), &value) && value >= 0 ? value : USUAL;
}

static struct doc_node *labels_of(const struct cli *cli, struct doc_set *set, struct err *e)
{
    AUTO(str_vec_done) struct str_vec given = {0};
    struct doc_node *labels = doc_new_map(set);

    cli_list(cli, "labels", &given);
    for (size_t i = 0; i < given.len; i++)
        for (str rest = given.v[i]; rest.len;) {
            str value, name = str_cut(str_cut(rest, ',', &rest), '=', &value);

            if (chart_record_is_reserved(name)) {
                err_set(e, ERR_INVALID,
                        "user supplied labels contains system reserved label name. System labels: "
                        "[name owner status version createdAt modifiedAt]");
                return NULL;
            }
            doc_set_string(set, labels, name, value);
        }
    return labels;
}

static void read_post_renderer(const struct cli *cli, struct cli_operation *o)
{
    str program = cli_text_if(cli, "post-renderer");

    if (!program.len)
        return;
    cli_list(cli, "post-renderer-args", &o->post_arguments);
    o->post_argv = mem_zalloc((o->post_arguments.len + 1) * sizeof(*o->post_argv));
    for (size_t i = 0; i < o->post_arguments.len; i++) /* whole words of argv: they end in NUL */
        o->post_argv[i] = o->post_arguments.v[i].p;
    o->op.post_renderer = program.p;
    o->op.post_renderer_arguments = o->post_argv;
    o->op.post_strategy = post_strategy_of(cli);
}

static void on_tale(void *ctx, enum chart_tale tale, str text)
{
    const struct cli *cli = ctx;

    switch (tale) {
    case CHART_TALE_STEP:
        if (cli->name == CLI_HELM)
            log_record(LOG_DEBUG, text, NULL, 0);
        else
            log_record(LOG_INFO, text, NULL, 0);
        return;
    case CHART_TALE_WARNING:
        log_record(LOG_WARN, text, NULL, 0);
        return;
    case CHART_TALE_LOG:
        cli_say(text);
        return;
    case CHART_TALE_MISSING:
    case CHART_TALE_REASONS:
        return;
    }
}

static void read_flags(const struct cli *cli, struct chart_operation *op)
{
    op->timeout_ms = cli_int(cli, "timeout");
    op->wait = wait_of(cli);
    op->waits_for_jobs = cli_switch_if(cli, "wait-for-jobs");
    op->no_hooks = cli_switch_if(cli, "no-hooks");
    op->hides_secrets = cli_switch_if(cli, "hide-secret");
    op->side = side_of(cli);
    op->force_conflicts = cli_switch_if(cli, "force-conflicts");
    op->force_replace = cli_switch_if(cli, "force-replace") || cli_switch_if(cli, "force");
    op->no_validation = cli_switch_if(cli, "disable-openapi-validation");
    op->description = cli_text_if(cli, "description");
    op->rolls_back = cli_switch_if(cli, "rollback-on-failure") || cli_switch_if(cli, "atomic");
    op->cleans_up = cli_switch_if(cli, "cleanup-on-fail");
    op->history_max = history_max(cli);
    op->skips_crds = cli_switch_if(cli, "skip-crds");
    op->upgrades_crds = cli_switch_if(cli, "upgrade-crds");
    op->skips_schema = cli_switch_if(cli, "skip-schema-validation");
    op->renders_subchart_notes = cli_switch_if(cli, "render-subchart-notes");
    op->creates_namespace = cli_switch_if(cli, "create-namespace");
    op->takes_ownership = cli_switch_if(cli, "take-ownership");
    op->replaces = cli_switch_if(cli, "replace");
    op->enables_dns = cli_switch_if(cli, "enable-dns");
    op->kube_version = cli_text_if(cli, "kube-version");
    op->reuse = reuse_of(cli);
    op->installs = cli_switch_if(cli, "install");
}

/* Without a cluster a kubeconfig is read only for helm's sake, or when it is named. */
static str offline_namespace(const struct cli *cli, struct cli_operation *o)
{
    if (cli->name != CLI_HELM && !cli_given(cli, "kubeconfig") && !cli_given(cli, "kube-context"))
        return cli_chart_namespace(cli);
    cli_release_namespace(cli, &o->ns);
    return buf_view(&o->ns);
}

static int check_flags(const struct cli *cli, const struct chart_operation *op, struct err *e)
{
    if (op->hides_secrets && op->dry_run == CHART_DRY_NONE)
        return err_set(e, ERR_USAGE, "hiding Kubernetes secrets requires a dry-run mode");
    if (!cli_has_flag(cli, "force-conflicts") || !cli_given(cli, "force-conflicts"))
        return 0;
    if (cli_given(cli, "force-replace"))
        return err_set(e, ERR_USAGE, CLI_NOT_TOGETHER, "force-replace force-conflicts",
                       "force-conflicts force-replace");
    if (cli_given(cli, "force"))
        return err_set(e, ERR_USAGE, CLI_NOT_TOGETHER, "force force-conflicts",
                       "force force-conflicts");
    if (op->force_conflicts && op->side == CHART_SIDE_CLIENT && op->dry_run == CHART_DRY_NONE)
        return err_set(e, ERR_USAGE, "forceConflicts enabled when serverSideApply disabled");
    return 0;
}

int cli_operation_open(const struct cli *cli, str name, struct cli_operation *ret, struct err *e)
{
    struct chart_operation *op = &ret->op;

    ret->set = doc_set_new();
    *op = (struct chart_operation){.name = name, .set = ret->set, .tell = on_tale};
    op->ctx = (void *)cli;
    op->dry_run = dry_run_of(cli);
    read_flags(cli, op);
    if (check_flags(cli, op, e) < 0)
        return -1;
    if (op->dry_run == CHART_DRY_CLIENT && cli_has_flag(cli, "generate-name")) {
        op->ns = offline_namespace(cli, ret);
        return 0;
    }
    if (cli_releases_open(cli, false, &ret->open, e) < 0)
        return -1;
    op->kube = ret->open.kube;
    op->driver = ret->open.driver;
    op->cancel = ret->open.cancel;
    op->ns = str_of(ret->open.ns);
    return 0;
}

/* --dependency-update: fetches what is missing and loads the chart, which is a folder, afresh. */
static struct chart *with_dependencies(const struct cli *cli, str reference,
                                       struct cli_operation *o, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    struct chart_deps_options options = {
        .source = &from.source, .now_us = clock_wall_us(), .line = cli_chart_print_line};
    AUTO(err_done) struct err missing = {0};

    if (chart_check_dependencies(o->op.chart, &missing) == 0)
        return o->op.chart;
    cli_chart_source_read(cli, &from);
    if (chart_package_epoch(&options.epoch_s, e) < 0 ||
        chart_deps_update(arena_cstr(&o->set->arena, reference), &options, e) < 0)
        return NULL;
    return cli_chart_load(cli, o->set, reference, e);
}

int cli_operation_load(const struct cli *cli, str reference, struct cli_operation *o, struct err *e)
{
    struct chart_operation *op = &o->op;
    cli_chart_load_fn *load = op->leaves_crds ? cli_chart_load_late : cli_chart_load;

    cli_chart_values(cli, &o->given);
    op->values = chart_user_values_read(o->set, &o->given, e);
    op->chart = op->values ? load(cli, o->set, reference, e) : NULL;
    if (op->chart && cli_switch(cli, "dependency-update"))
        op->chart = with_dependencies(cli, reference, o, e);
    op->labels = op->chart ? labels_of(cli, o->set, e) : NULL;
    read_post_renderer(cli, o);
    return op->labels ? 0 : -1;
}

void cli_operation_done(struct cli_operation *o)
{
    cli_releases_done(&o->open);
    chart_user_values_done(&o->given);
    str_vec_done(&o->post_arguments);
    mem_free(o->post_argv);
    buf_done(&o->ns);
    doc_set_free(o->set);
    *o = (struct cli_operation){0};
}

/* ---- telling */

int cli_operation_failed(const char *what, struct err *e) { return err_wrap(e, "%s", what); }

/* The tree that status prints, with the chart as helm prints it only here: behind "info". */
static struct doc_node *tree_with_chart(const struct chart_record *r, struct doc_set *set)
{
    struct doc_node *tree = doc_new_map(set);
    struct doc_iter it = doc_children(cli_release_tree(r, set, NULL));

    while (doc_next(&it)) {
        doc_set_field(set, tree, it.key, doc_copy(set, it.value));
        if (str_eq(it.key, STR("info")))
            doc_set_field(set, tree, STR("chart"), doc_copy(set, doc_get_lit(r->root, "chart")));
    }
    return tree;
}

int cli_operation_print(const struct cli *cli, const char *headline, const struct chart_record *r,
                        struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str format = cli_text(cli, "output");
    unsigned parts = 0;

    if (cli_switch_if(cli, "hide-notes"))
        parts |= CLI_SUMMARY_NO_NOTES;
    if (dry_run_of(cli) != CHART_DRY_NONE)
        parts |= CLI_SUMMARY_MANIFEST;
    if (!str_eq(format, STR("table"))) {
        cli_print_tree(tree_with_chart(r, set), str_eq(format, STR("json")), &out);
        return cli_print_raw(buf_view(&out), e);
    }
    if (headline)
        buf_add_cstr(&out, headline);
    if (cli_release_summary(r, parts, STR_NONE, &out, e) < 0)
        return -1;
    return cli_print_raw(buf_view(&out), e);
}
