/* upgrade (helm spec 10.2). */
#include "chart/merge.h"
#include "chart/name.h"
#include "chart/release/release_priv.h"

static int not_deployed(const struct chart_operation *op, struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "\"%.*s\" has no deployed releases", STR_ARG(op->name));
}

/* The user's values of the new record (4.7). */
static int choose_values(const struct chart_operation *op, const struct chart_record *before,
                         const struct doc_node **ret, struct err *e)
{
    const struct doc_node *config = chart_record_config(before);
    struct doc_node *given = op->values ? doc_copy(op->set, op->values) : doc_new_map(op->set);

    *ret = given;
    if (op->reuse == CHART_REUSE_RESET)
        return 0;
    if (op->reuse == CHART_REUSE_NONE) {
        if (!doc_len(given) && doc_len(config))
            *ret = doc_copy(op->set, config);
        return 0;
    }
    if (op->reuse == CHART_REUSE_VALUES) {
        struct doc_node *all = chart_record_values(before, op->set, e);

        if (!all)
            return err_wrap(e, "failed to rebuild old values");
        op->chart->values = all;
    }
    if (config)
        chart_merge_under(op->set, given, config, false);
    return 0;
}

/* ---- objects */

static int build_baseline(struct chart_begun *b, const struct chart_record *before,
                          struct chart_objects *ret, struct err *e)
{
    if (chart_objects_parse(&b->run, chart_record_manifest(before), ret, e) == 0)
        return 0;
    if (e->kind == ERR_NOT_FOUND)
        return err_wrap(e, "current release manifest contains removed kubernetes api(s) for this "
                           "kubernetes version and it is therefore unable to build the kubernetes "
                           "objects for performing the diff. error from kubernetes");
    return err_wrap(e, "unable to build kubernetes objects from current release manifest");
}

static int prepare(struct chart_begun *b, const struct chart_record *before,
                   const struct chart_record *r, struct chart_objects *baseline,
                   struct chart_objects *objects, struct err *e)
{
    if (build_baseline(b, before, baseline, e) < 0)
        return -1;
    if (chart_objects_parse(&b->run, chart_record_manifest(r), objects, e) < 0)
        return err_wrap(e, "unable to build kubernetes objects from new release manifest");
    chart_objects_own(&b->run, objects);
    if (chart_objects_check(&b->run, objects, baseline, b->run.op->takes_ownership, e) < 0)
        return err_wrap(e, "unable to continue with update");
    return 0;
}

static int carry_out(struct chart_begun *b, struct chart_record *r, struct chart_course *course,
                     struct err *e)
{
    if (chart_store_prune(b->store, &b->history, b->run.op->history_max, b->cancel, e) < 0 ||
        chart_store_first(b, r, e) < 0)
        return -1;
    if (chart_carry_out(b, course, e) == 0 &&
        chart_complete(b, r, STR("Upgrade complete"), course->baseline_revision, e) == 0)
        return 0;
    return chart_fail(b, r, "Upgrade", e);
}

/* Renders the chart as the revision that follows. */
static int render(struct chart_begun *b, const struct chart_record *before,
                  struct chart_record *ret, struct err *e)
{
    const struct chart_operation *op = b->run.op;
    struct chart_record_start start = {.name = op->name,
                                       .ns = op->ns,
                                       .revision = b->last->revision + 1,
                                       .status = CHART_PENDING_UPGRADE,
                                       .description = STR("Preparing upgrade"),
                                       .is_client_side = !b->run.server_side,
                                       .first_us = chart_record_first_deployed(before),
                                       .now_us = clock_wall_us()};
    const struct doc_node *values;

    if (choose_values(op, before, &values, e) < 0)
        return -1;
    start.config = values;
    start.labels = chart_labels_merge(op->set, before->labels, op->labels);
    return chart_render_record(&b->run, values, &start, ret, e);
}

/* *ret_good: the revision to go back to. */
static int upgrade(struct chart_begun *b, const struct chart_record *before,
                   struct chart_record *ret, bool *ret_stored, struct err *e)
{
    AUTO(chart_objects_done) struct chart_objects objects = {0}, baseline = {0};
    struct chart_course course = {.record = ret,
                                  .objects = &objects,
                                  .baseline = &baseline,
                                  .baseline_revision = before->revision,
                                  .before = CHART_PRE_UPGRADE,
                                  .after = CHART_POST_UPGRADE,
                                  .before_fails = "pre-upgrade hooks failed",
                                  .after_fails = "post-upgrade hooks failed"};
    int rc;

    b->run.server_side = chart_picks_server(b->run.op, before);
    course.migrates = b->run.server_side && !str_eq(chart_record_apply_method(before), STR("ssa"));
    if (render(b, before, ret, e) < 0 || prepare(b, before, ret, &baseline, &objects, e) < 0)
        return -1;
    if (b->run.op->dry_run != CHART_DRY_NONE) {
        str description = b->run.op->description;

        if (chart_foresee(&b->run, &objects, &baseline, course.migrates, e) < 0)
            return -1;
        chart_record_set_status(ret, ret->status,
                                description.len ? description : STR("Dry run complete"));
        if (b->run.op->hides_secrets)
            chart_hide_secrets(ret);
        return 0;
    }
    rc = carry_out(b, ret, &course, e);
    *ret_stored = rc == 0 || ret->status == CHART_FAILED;
    return rc;
}

/* --rollback-on-failure */
static int undo(const struct chart_operation *op, int64_t good, struct err *e)
{
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    struct chart_operation back = chart_undo_of(op, cancel);
    AUTO(chart_record_done) struct chart_record record = {0};
    AUTO(err_done) struct err bad = {0}, both = {0};

    back.force_conflicts = op->force_conflicts;
    if (!good)
        err_set(&both, e->kind,
                "unable to find a previously successful release when attempting to rollback. "
                "original upgrade error: %s",
                err_text(e));
    else if (chart_rollback(&back, good, &record, &bad) < 0)
        err_set(&both, e->kind,
                "an error occurred while rolling back the release. original upgrade error: %s: %s",
                err_text(e), err_text(&bad));
    else
        err_set(&both, e->kind,
                "release %.*s failed, and has been rolled back due to rollback-on-failure being "
                "set: %s",
                STR_ARG(op->name), err_text(e));
    err_done(e);
    err_move(e, &both);
    return -1;
}

/* 1: there is nothing to upgrade. */
static int try_upgrade(const struct chart_operation *op, struct chart_record *ret,
                       int64_t *ret_good, bool *ret_stored, struct err *e)
{
    AUTO(chart_begun_done) struct chart_begun b = {0};
    const struct chart_record *before;

    if (chart_begin(&b, op, e) < 0)
        return -1;
    before = chart_records_baseline(&b.history);
    if (op->installs && (!b.last || b.last->status == CHART_UNINSTALLED))
        return 1;
    if (!before)
        return not_deployed(op, e);
    *ret_good = chart_last_good(&b);
    return upgrade(&b, before, ret, ret_stored, e);
}

int chart_upgrade(const struct chart_operation *given, bool *ret_installed,
                  struct chart_record *ret, struct err *e)
{
    struct chart_operation op = *given;
    bool stored = false;
    int64_t good = 0;
    int rc;

    if (ret_installed)
        *ret_installed = false;
    if (op.rolls_back && op.wait == CHART_WAIT_HOOKS)
        op.wait = CHART_WAIT_WATCHER;
    if (chart_check_release_name(op.name, e) < 0)
        return -1;
    rc = op.dry_run == CHART_DRY_CLIENT && !op.kube ? 1 : try_upgrade(&op, ret, &good, &stored, e);
    if (rc == 1) {
        op.replaces = true;
        if (ret_installed)
            *ret_installed = true;
        return chart_install(&op, ret, e);
    }
    return rc < 0 && stored && op.rolls_back ? undo(&op, good, e) : rc;
}
