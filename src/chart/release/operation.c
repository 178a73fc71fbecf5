/* What operations have in common: their beginning, their course, their end (helm spec 9.3, 10). */
#include "chart/release/release_priv.h"

enum { LAST_WORDS_MS = 10000 }; /* for the record of an operation that was cancelled */

void chart_begun_done(struct chart_begun *b)
{
    chart_records_done(&b->history);
    chart_store_free(b->store);
    cancel_free(b->cancel);
    chart_coming_done(&b->coming);
    buf_done(&b->reasons.text);
    *b = (struct chart_begun){0};
}

int chart_begin(struct chart_begun *b, const struct chart_operation *op, struct err *e)
{
    b->cancel = cancel_new(op->cancel, CLOCK_NEVER);
    b->store = chart_store_new(op->kube, op->ns, op->driver);
    chart_store_on_lost(b->store, b->cancel);
    b->run = (struct chart_run){.op = op,
                                .kube = op->kube,
                                .store = b->store,
                                .cancel = b->cancel,
                                .reasons = &b->reasons,
                                .coming = &b->coming};
    if (chart_store_history(b->store, op->name, b->cancel, &b->history, e) < 0)
        return -1;
    b->last = chart_records_last(&b->history);
    if (!b->last || op->dry_run != CHART_DRY_NONE)
        return 0;
    b->took_over = chart_status_is_pending(b->last->status);
    return chart_store_claim(b->store, b->last, chart_run_timeout(&b->run), false, b->cancel, e);
}

/* ---- the course */

static int run_hooks(struct chart_begun *b, const struct chart_course *c, enum chart_event event,
                     const char *fails, struct err *e)
{
    if (b->run.op->no_hooks || chart_run_hooks(&b->run, c->record, event, NULL, e) == 0)
        return 0;
    return fails ? err_wrap(e, "%s", fails) : -1;
}

static void clean_up(struct chart_begun *b, const struct chart_objects *objects)
{
    AUTO(chart_objects_done) struct chart_objects created = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(LAST_WORDS_MS));
    struct chart_run run = b->run;
    AUTO(err_done) struct err e = {0};

    run.cancel = cancel;
    for (size_t i = 0; i < objects->len; i++)
        if (objects->v[i].is_new)
            vec_push(&created, objects->v[i]);
    chart_run_tell(&run, CHART_TALE_STEP, "cleanup on fail: deleting %zu new object%s", created.len,
                   created.len == 1 ? "" : "s");
    if (chart_delete_objects(&run, &created, KUBE_BACKGROUND, &e) < 0)
        chart_run_tell(&run, CHART_TALE_WARNING, "cleanup on fail: %s", err_text(&e));
}

static int update(struct chart_begun *b, struct chart_course *c, struct err *e)
{
    AUTO(chart_objects_done) struct chart_objects deleted = {0};

    if (chart_deliver(&b->run, c->objects, c->baseline, c->migrates, e) < 0 ||
        chart_delete_rest(&b->run, c->baseline, c->objects, &deleted, e) < 0)
        return -1;
    c->updated = true;
    if (b->run.op->wait != CHART_WAIT_HOOKS)
        chart_run_tell(&b->run, CHART_TALE_STEP, "waiting for %zu object%s", c->objects->len,
                       c->objects->len == 1 ? "" : "s");
    if (chart_wait_ready(&b->run, c->objects, e) < 0)
        return -1;
    return chart_wait_gone(&b->run, &deleted, e);
}

int chart_carry_out(struct chart_begun *b, struct chart_course *c, struct err *e)
{
    if (run_hooks(b, c, c->before, c->before_fails, e) < 0)
        return -1;
    if (update(b, c, e) < 0) {
        if (b->run.op->cleans_up)
            clean_up(b, c->objects);
        return -1;
    }
    return run_hooks(b, c, c->after, c->after_fails, e);
}

int chart_store_first(struct chart_begun *b, struct chart_record *r, struct err *e)
{
    AUTO(err_done) struct err why = {0};

    if (chart_store_create(b->store, r, b->cancel, &why) == 0)
        return 0;
    if (why.kind == ERR_NOT_FOUND) /* where a record goes to is all that can be missing */
        return err_set(e, why.kind,
                       "create: failed to create: %s; the namespace has to be there before, or be "
                       "created along (--create-namespace, createNamespace)",
                       err_text(&why));
    err_move(e, &why);
    return err_wrap(e, "create: failed to create");
}

/* ---- the end */

static int store_failure(struct chart_begun *b, struct chart_record *r, struct err *e)
{
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(LAST_WORDS_MS));
    AUTO(err_done) struct err bad = {0}, both = {0};

    if (chart_store_update(b->store, r, cancel, &bad) == 0)
        return -1;
    err_set(&both, e->kind, "%s; and the release record could not be updated: %s", err_text(e),
            err_text(&bad));
    err_done(e);
    err_move(e, &both);
    return -1;
}

int chart_fail(struct chart_begun *b, struct chart_record *r, const char *what, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    buf_addf(&text, "%s \"%.*s\" failed: %s", what, STR_ARG(r->name), err_text(e));
    chart_record_set_status(r, CHART_FAILED, buf_view(&text));
    (void)store_failure(b, r, e);
    return chart_reasons_tell(&b->run, e);
}

int chart_supersede(struct chart_begun *b, const struct chart_record *but, int64_t also,
                    struct err *e)
{
    for (size_t i = 0; i < b->history.len; i++) {
        struct chart_record *r = &b->history.v[i];

        if ((r->status != CHART_DEPLOYED && r->revision != also) || r->revision == but->revision)
            continue;
        chart_record_set_status(r, CHART_SUPERSEDED, chart_record_description(r));
        if (chart_store_update(b->store, r, b->cancel, e) < 0 && e->kind != ERR_NOT_FOUND)
            return err_wrap(e, "supersede revision %lld", (long long)r->revision);
        err_done(e);
    }
    return 0;
}

/* The new record first: a tool that is killed in between leaves two deployed ones, and the newest
 * counts; the other way round it would leave none. */
int chart_complete(struct chart_begun *b, struct chart_record *r, str description, int64_t also,
                   struct err *e)
{
    str own = b->run.op->description;

    chart_record_set_status(r, CHART_DEPLOYED, own.len ? own : description);
    if (chart_store_update(b->store, r, b->cancel, e) < 0)
        return -1;
    return chart_supersede(b, r, also, e);
}

bool chart_picks_server(const struct chart_operation *op, const struct chart_record *baseline)
{
    switch (op->side) {
    case CHART_SIDE_SERVER:
        return true;
    case CHART_SIDE_CLIENT:
        return false;
    case CHART_SIDE_AUTO:
        break;
    }
    return !baseline || str_eq(chart_record_apply_method(baseline), STR("ssa"));
}

int64_t chart_last_good(const struct chart_begun *b)
{
    for (size_t i = b->history.len; i-- > 0;) {
        enum chart_status status = b->history.v[i].status;

        if (status == CHART_SUPERSEDED || status == CHART_DEPLOYED)
            return b->history.v[i].revision;
    }
    return 0;
}

struct chart_operation chart_undo_of(const struct chart_operation *op, struct cancel *cancel)
{
    struct chart_operation undo = *op;

    undo.cancel = cancel;
    undo.rolls_back = undo.cleans_up = undo.waits_for_jobs = false;
    undo.description = STR_NONE;
    return undo;
}
