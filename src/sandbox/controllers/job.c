/* Jobs: Pods until enough of them succeeded or too many failed. */
#include "sandbox/controllers/controllers.h"

enum { BACKOFF_MS = 1000, BACKOFF_MAX_MS = 360 * 1000 };

struct job {
    int64_t completions, parallelism, limit, deadline_s; /* completions -1: any success ends it */
    int64_t active, ready, succeeded, failed;
    int64_t started_ms;
};

static bool is_finished(const struct ctl *c)
{
    static const char ends[][9] = {"Complete", "Failed"};

    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        const struct doc_node *n = ctl_get_condition(c->doc, ends[i]);

        if (str_eq(doc_text(doc_get_lit(n, "status"), STR_NONE), STR("True")))
            return true;
    }
    return false;
}

static void count(struct job *j, const struct ctl_slots *pods)
{
    j->active = j->ready = j->succeeded = j->failed = 0;
    for (size_t i = 0; i < pods->len; i++) {
        const struct sb_brief *b = &pods->v[i]->brief;

        j->succeeded += b->phase == SB_SUCCEEDED;
        j->failed += b->phase == SB_FAILED;
        j->active += ctl_is_active(pods->v[i]);
        j->ready += ctl_is_active(pods->v[i]) && b->is_ready;
    }
}

static void end_active(struct ctl *c, const struct ctl_slots *pods)
{
    for (size_t i = 0; i < pods->len; i++)
        if (ctl_is_active(pods->v[i]))
            sb_delete_slot(c->sb, pods->v[i], SB_BACKGROUND);
}

/* Pods that were ended in mid-run count as failed, as on a real cluster. */
static void fail(struct ctl *c, struct job *j, const struct ctl_slots *pods, const char *reason,
                 const char *message)
{
    end_active(c, pods);
    j->failed += j->active;
    j->active = j->ready = 0;
    ctl_condition(c, "FailureTarget", "True", reason, message, false);
    ctl_condition(c, "Failed", "True", reason, message, false);
    ctl_event(c, "Warning", reason, message, "job-controller");
}

static void complete(struct ctl *c, struct job *j, const struct ctl_slots *pods)
{
    static const char reason[] = "CompletionsReached";
    static const char message[] = "Reached expected number of succeeded pods";

    end_active(c, pods);
    j->active = j->ready = 0;
    ctl_condition(c, "SuccessCriteriaMet", "True", reason, message, false);
    ctl_condition(c, "Complete", "True", reason, message, false);
    ctl_time(c, c->status, "completionTime");
    ctl_event(c, "Normal", "Completed", "Job completed", "job-controller");
}

/* After failures new Pods wait: 1 s, 2 s, 4 s ... A real cluster starts at 10 s. */
static bool backs_off(struct ctl *c, const struct job *j)
{
    int64_t wait = BACKOFF_MS;

    if (j->failed == 0)
        return false;
    for (int64_t i = 1; i < j->failed && wait < BACKOFF_MAX_MS; i++)
        wait *= 2;
    if (c->slot->pod_step < j->failed) { /* a failure that was not waited for yet */
        c->slot->pod_step = (int)j->failed;
        c->slot->due = clock_after(MIN(wait, (int64_t)BACKOFF_MAX_MS));
        sb_ctl_enqueue_at(c->sb, CTL_JOB, c->slot, c->slot->due);
    }
    return clock_now() < c->slot->due;
}

static void create_pods(struct ctl *c, struct job *j)
{
    int64_t wanted = j->parallelism;

    if (j->completions >= 0)
        wanted = MIN(wanted, j->completions - j->succeeded);
    else if (j->succeeded)
        wanted = j->active; /* one succeeded: the others only finish */
    if (j->active >= wanted || backs_off(c, j))
        return;
    for (; j->active < wanted; j->active++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();

        ctl_create_pod(c, set,
                       ctl_pod_of(c, set, doc_get_lit(c->spec, "template"), NULL, c->slot->name));
    }
}

/* True: the time is over. Else the end of it is another turn. */
static bool is_late(struct ctl *c, const struct job *j)
{
    int64_t left = j->started_ms + j->deadline_s * 1000 - sb_wall(c->sb);

    if (j->deadline_s <= 0)
        return false;
    if (left > 0)
        sb_ctl_enqueue_at(c->sb, CTL_JOB, c->slot, clock_after(left));
    return left <= 0;
}

static void read_spec(struct ctl *c, struct job *j)
{
    const struct doc_node *completions = doc_get_lit(c->spec, "completions");

    j->parallelism = doc_int(doc_get_lit(c->spec, "parallelism"), 1);
    j->completions = doc_int(completions, doc_is_null(completions) ? -1 : 1);
    j->limit = doc_int(doc_get_lit(c->spec, "backoffLimit"), 6);
    j->deadline_s = doc_int(doc_get_lit(c->spec, "activeDeadlineSeconds"), 0);
    if (!doc_get_lit(c->status, "startTime"))
        ctl_time(c, c->status, "startTime");
    if (!clock_parse_rfc3339(doc_text(doc_get_lit(c->status, "startTime"), STR_NONE),
                             &j->started_ms))
        j->started_ms = sb_wall(c->sb);
}

/* ttlSecondsAfterFinished: the Job goes with its Pods. True: it went. */
static bool expire(struct ctl *c)
{
    const struct doc_node *ttl = doc_get_lit(c->spec, "ttlSecondsAfterFinished");
    const struct doc_node *end = ctl_get_condition(c->doc, "Complete");
    int64_t at, left;

    if (!ttl)
        return false;
    if (!end)
        end = ctl_get_condition(c->doc, "Failed");
    if (!clock_parse_rfc3339(doc_text(doc_get_lit(end, "lastTransitionTime"), STR_NONE), &at))
        return false;
    left = at + doc_int(ttl, 0) * 1000 - sb_wall(c->sb);
    if (left > 0) {
        sb_ctl_enqueue_at(c->sb, CTL_JOB, c->slot, clock_after(left));
        return false;
    }
    sb_delete_slot(c->sb, c->slot, SB_BACKGROUND);
    return true;
}

static void go_on(struct ctl *c, struct job *j, const struct ctl_slots *pods)
{
    bool is_enough =
        j->completions >= 0 ? j->succeeded >= j->completions : j->succeeded > 0 && j->active == 0;

    if (is_enough)
        complete(c, j, pods);
    else if (j->failed > j->limit)
        fail(c, j, pods, "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    else if (is_late(c, j))
        fail(c, j, pods, "DeadlineExceeded", "Job was active longer than specified deadline");
    else
        create_pods(c, j);
}

static void suspend(struct ctl *c, struct job *j, const struct ctl_slots *pods)
{
    end_active(c, pods);
    j->active = j->ready = 0;
    if (doc_remove(c->status, STR("startTime")))
        c->is_changed = true;
    ctl_condition(c, "Suspended", "True", "JobSuspended", "Job suspended", false);
}

void ctl_job(struct ctl *c)
{
    AUTO(ctl_slots_done) struct ctl_slots pods = {0};
    struct job j = {0};

    if (c->slot->brief.is_deleting)
        return;
    if (is_finished(c)) {
        expire(c);
        return;
    }
    ctl_owned(c, CTL_POD, &pods);
    count(&j, &pods);
    if (doc_bool(doc_get_lit(c->spec, "suspend"), false)) {
        suspend(c, &j, &pods);
    } else {
        read_spec(c, &j);
        if (ctl_get_condition(c->doc, "Suspended"))
            ctl_condition(c, "Suspended", "False", "JobResumed", "Job resumed", false);
        go_on(c, &j, &pods);
    }
    ctl_count(c, "active", j.active);
    ctl_count(c, "succeeded", j.succeeded);
    ctl_count(c, "failed", j.failed);
    ctl_number(c, "ready", j.ready);
    ctl_number(c, "terminating", 0);
    if (!doc_get_lit(c->status, "uncountedTerminatedPods"))
        doc_ensure_map(c->set, c->status, STR("uncountedTerminatedPods"));
    ctl_store(c);
}
