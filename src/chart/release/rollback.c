/* rollback (helm spec 10.3). */
#include "chart/name.h"
#include "chart/release/release_priv.h"

enum { MAX_DESCRIPTION = 256 };

static const struct chart_record *find(const struct chart_begun *b, int64_t revision)
{
    for (size_t i = 0; i < b->history.len; i++)
        if (b->history.v[i].revision == revision)
            return &b->history.v[i];
    return NULL;
}

static const struct chart_record *target_of(const struct chart_begun *b, int64_t revision,
                                            struct err *e)
{
    const struct chart_record *target;

    if (!b->last) {
        err_set(e, ERR_NOT_FOUND, "release: not found");
        return NULL;
    }
    if (!revision)
        revision = b->last->revision - 1;
    target = find(b, revision);
    if (!target)
        err_set(e, ERR_NOT_FOUND, "release has no %lld version", (long long)revision);
    return target;
}

static int build(struct chart_begun *b, const struct chart_record *r, const char *which,
                 struct chart_objects *ret, struct err *e)
{
    if (chart_objects_parse(&b->run, chart_record_manifest(r), ret, e) < 0)
        return err_wrap(e, "unable to build kubernetes objects from %s release manifest", which);
    return 0;
}

/* The current record gives way also when the update failed: it is not what runs any more. */
static int fail(struct chart_begun *b, const struct chart_course *course, struct err *e)
{
    AUTO(err_done) struct err ignored = {0};

    if (b->last->status == CHART_DEPLOYED && !course->updated && !cancel_is_set(b->cancel)) {
        chart_record_set_status(b->last, CHART_SUPERSEDED, chart_record_description(b->last));
        if (chart_store_update(b->store, b->last, b->cancel, &ignored) < 0)
            chart_run_tell(&b->run, CHART_TALE_WARNING, "%s", err_text(&ignored));
    }
    return chart_fail(b, course->record, "Rollback", e);
}

static int carry_out(struct chart_begun *b, struct chart_course *course, str description,
                     struct err *e)
{
    if (chart_objects_check(&b->run, course->objects, course->baseline, true, e) < 0)
        return -1;
    if (chart_store_prune(b->store, &b->history, b->run.op->history_max, b->cancel, e) < 0 ||
        chart_store_first(b, course->record, e) < 0)
        return -1;
    if (chart_carry_out(b, course, e) == 0 &&
        chart_complete(b, course->record, description, 0, e) == 0)
        return 0;
    return fail(b, course, e);
}

static int roll_back(struct chart_begun *b, const struct chart_record *target,
                     struct chart_record *ret, struct err *e)
{
    AUTO(chart_objects_done) struct chart_objects objects = {0}, baseline = {0};
    AUTO(buf_done) struct buf description = {0};
    struct chart_record_start start = {.name = b->run.op->name,
                                       .ns = b->run.op->ns,
                                       .revision = b->last->revision + 1,
                                       .status = CHART_PENDING_ROLLBACK,
                                       .is_client_side = !b->run.server_side,
                                       .first_us = chart_record_first_deployed(b->last),
                                       .now_us = clock_wall_us()};
    struct chart_course course = {.record = ret,
                                  .objects = &objects,
                                  .baseline = &baseline,
                                  .before = CHART_PRE_ROLLBACK,
                                  .after = CHART_POST_ROLLBACK};

    course.migrates = b->run.server_side && !str_eq(chart_record_apply_method(b->last), STR("ssa"));
    buf_addf(&description, "Rollback to %lld", (long long)target->revision);
    start.description = buf_view(&description);
    chart_record_copy(target, &start, ret);
    chart_record_set_rollback(ret, target->revision);
    if (build(b, b->last, "current", &baseline, e) < 0 || build(b, ret, "new", &objects, e) < 0)
        return -1;
    chart_objects_own(&b->run, &objects);
    if (b->run.op->dry_run != CHART_DRY_NONE)
        return chart_foresee(&b->run, &objects, &baseline, course.migrates, e);
    return carry_out(b, &course, buf_view(&description), e);
}

int chart_rollback(const struct chart_operation *op, int64_t revision, struct chart_record *ret,
                   struct err *e)
{
    AUTO(chart_begun_done) struct chart_begun b = {0};
    const struct chart_record *target;

    if (op->description.len > MAX_DESCRIPTION)
        return err_set(e, ERR_USAGE, "description must be %d characters or less, got %zu",
                       MAX_DESCRIPTION, op->description.len);
    if (chart_check_release_name(op->name, e) < 0 || chart_begin(&b, op, e) < 0)
        return -1;
    target = target_of(&b, revision, e);
    if (!target)
        return -1;
    b.run.server_side = chart_picks_server(op, target);
    return roll_back(&b, target, ret, e);
}
