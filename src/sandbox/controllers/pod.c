/* A Pod's life, told by its `fate` label as on the simulated nodes of the cluster tests: slow,
 * fail, crash, pull; without one it becomes Ready, and complete when a Job owns it. */
#include "base/duration.h"
#include "sandbox/addresses.h"
#include "sandbox/controllers/controllers.h"

enum { SLOW_MS = 700, FAIL_MS = 300, CRASH_MS = 1000 };

static const char node_name[] = "sandbox-node";

/* How far a fate has come (sb_slot.pod_step). */
enum step { STEP_NEW, STEP_WAITING, STEP_STARTED, STEP_ENDED };

static str fate_of(const struct ctl *c)
{
    return doc_text(doc_at(c->meta, "labels/fate"), STR_NONE);
}

static str note(const struct ctl *c, const char *key, str fallback)
{
    return doc_text(doc_get(doc_get_lit(c->meta, "annotations"), str_of(key)), fallback);
}

/* A new list of container statuses, one for each container; fill puts in what they do. */
typedef void fill_fn(struct ctl *c, struct doc_node *status, const struct doc_node *container);
static void each_container(struct ctl *c, fill_fn *fill, bool is_ready, int64_t restarts)
{
    struct doc_node *list =
        doc_set_field(c->set, c->status, STR("containerStatuses"), doc_new_list(c->set));
    struct doc_iter it = doc_children(doc_get_lit(c->spec, "containers"));

    while (doc_next(&it)) {
        struct doc_node *s = doc_append(list, doc_new_map(c->set));
        str image = doc_text(doc_get_lit(it.value, "image"), STR_NONE);

        doc_set_string(c->set, s, STR("name"), doc_text(doc_get_lit(it.value, "name"), STR_NONE));
        doc_set_string(c->set, s, STR("image"), image);
        doc_set_string(c->set, s, STR("imageID"), STR_NONE);
        doc_set_bool(c->set, s, STR("ready"), is_ready);
        doc_set_bool(c->set, s, STR("started"), is_ready);
        doc_set_int(c->set, s, STR("restartCount"), restarts);
        fill(c, s, it.value);
    }
    c->is_changed = true;
}

static struct doc_node *state(struct ctl *c, struct doc_node *status, const char *field,
                              const char *what)
{
    return doc_ensure_map(c->set, doc_ensure_map(c->set, status, str_of(field)), str_of(what));
}

static void fill_running(struct ctl *c, struct doc_node *s, const struct doc_node *container UNUSED)
{
    ctl_time(c, state(c, s, "state", "running"), "startedAt");
}

static void terminated(struct ctl *c, struct doc_node *s, const char *field, int code,
                       const char *reason, str message)
{
    struct doc_node *t = state(c, s, field, "terminated");

    doc_set_int(c->set, t, STR("exitCode"), code);
    doc_set_string(c->set, t, STR("reason"), str_of(reason));
    if (message.len)
        doc_set_string(c->set, t, STR("message"), message);
    ctl_time(c, t, "finishedAt");
}

static void fill_completed(struct ctl *c, struct doc_node *s,
                           const struct doc_node *container UNUSED)
{
    terminated(c, s, "state", 0, "Completed", STR_NONE);
}

static void fill_failed(struct ctl *c, struct doc_node *s, const struct doc_node *container UNUSED)
{
    terminated(c, s, "state", 1, "Error", note(c, "fate/message", STR("no reason given")));
}

static void fill_crashing(struct ctl *c, struct doc_node *s,
                          const struct doc_node *container UNUSED)
{
    struct doc_node *w = state(c, s, "state", "waiting");

    doc_set_string(c->set, w, STR("reason"), STR("CrashLoopBackOff"));
    doc_set_string(c->set, w, STR("message"), STR("back-off 10s restarting"));
    terminated(c, s, "lastState", 1, "Error", note(c, "fate/message", STR("no reason given")));
}

static void fill_unpulled(struct ctl *c, struct doc_node *s, const struct doc_node *container)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *w = state(c, s, "state", "waiting");

    buf_addf(&text, "Back-off pulling image \"%.*s\"",
             STR_ARG(doc_text(doc_get_lit(container, "image"), STR_NONE)));
    doc_set_string(c->set, w, STR("reason"), STR("ImagePullBackOff"));
    doc_set_string(c->set, w, STR("message"), buf_view(&text));
}

static void set_ready(struct ctl *c, bool is_ready, const char *reason)
{
    const char *status = is_ready ? "True" : "False";

    ctl_condition(c, "PodReadyToStartContainers", "True", NULL, NULL, false);
    ctl_condition(c, "Initialized", "True", NULL, NULL, false);
    ctl_condition(c, "Ready", status, reason, NULL, false);
    ctl_condition(c, "ContainersReady", status, reason, NULL, false);
}

static void set_address(struct ctl *c)
{
    char ip[SB_ADDRESS_SIZE];

    if (doc_get_lit(c->status, "podIP"))
        return;
    sb_address_of_pod(c->sb, ip);
    ctl_text(c, c->status, "podIP", str_of(ip));
    doc_set_string(c->set,
                   doc_append(doc_set_field(c->set, c->status, STR("podIPs"), doc_new_list(c->set)),
                              doc_new_map(c->set)),
                   STR("ip"), str_of(ip));
    ctl_text(c, c->status, "hostIP", STR("127.0.0.1"));
    if (!doc_get_lit(c->status, "startTime"))
        ctl_time(c, c->status, "startTime");
}

static void phase(struct ctl *c, const char *text)
{
    ctl_text(c, c->status, "phase", str_of(text));
}

/* ---- steps */

static void schedule(struct ctl *c)
{
    ctl_text(c, c->spec, "nodeName", str_of(node_name));
    phase(c, "Pending");
    ctl_condition(c, "PodScheduled", "True", NULL, NULL, false);
    ctl_store(c);
}

static void start(struct ctl *c)
{
    set_address(c);
    phase(c, "Running");
    each_container(c, fill_running, true, 0);
    set_ready(c, true, NULL);
    c->slot->pod_step = STEP_STARTED;
    ctl_store(c);
}

static void wait_then(struct ctl *c, int64_t ms)
{
    c->slot->due = clock_after(ms);
    sb_ctl_enqueue_at(c->sb, CTL_POD, c->slot, c->slot->due);
}

static void complete(struct ctl *c)
{
    phase(c, "Succeeded");
    each_container(c, fill_completed, false, 0);
    set_ready(c, false, "PodCompleted");
    c->slot->pod_step = STEP_ENDED;
    ctl_store(c);
}

static void fail(struct ctl *c)
{
    phase(c, "Failed");
    each_container(c, fill_failed, false, 0);
    set_ready(c, false, "PodFailed");
    c->slot->pod_step = STEP_ENDED;
    ctl_event(c, "Warning", "Died", "the container ended with exit code 1", "kubelet");
    ctl_store(c);
}

static void crash(struct ctl *c)
{
    int64_t restarts = doc_int(
        doc_get_lit(doc_first(doc_get_lit(c->status, "containerStatuses")), "restartCount"), 0);

    set_address(c);
    phase(c, "Running");
    each_container(c, fill_crashing, false, restarts + 1);
    set_ready(c, false, "ContainersNotReady");
    c->slot->pod_step = STEP_STARTED;
    wait_then(c, CRASH_MS);
    ctl_event(c, "Warning", "BackOff", "Back-off restarting failed container", "kubelet");
    ctl_store(c);
}

static void cannot_pull(struct ctl *c)
{
    set_address(c);
    phase(c, "Pending");
    each_container(c, fill_unpulled, false, 0);
    set_ready(c, false, "ContainersNotReady");
    c->slot->pod_step = STEP_ENDED;
    ctl_event(c, "Warning", "Failed", "Error: ImagePullBackOff", "kubelet");
    ctl_store(c);
}

static int64_t delay_of(const struct ctl *c)
{
    int64_t ms;

    return duration_parse_ms(note(c, "fate/after", STR_NONE), &ms) && ms >= 0 ? ms : SLOW_MS;
}

static bool is_of_job(const struct ctl *c)
{
    for (uint32_t i = 0; i < c->slot->owner_count; i++) {
        const struct sb_slot *owner = sb_by_uid(c->sb, c->slot->owners[i].uid);

        if (owner && owner->res->ctl == CTL_JOB)
            return true;
    }
    return false;
}

static void finish_deletion(struct ctl *c)
{
    if (c->slot->brief.has_finalizers)
        return;
    doc_set_int(c->set, c->meta, STR("deletionGracePeriodSeconds"), 0);
    sb_drop(c->sb, c->slot, c->set, c->doc);
}

/* Not started yet: what its fate does first. */
static void begin(struct ctl *c, str fate)
{
    if (str_eq(fate, STR("crash"))) {
        crash(c);
    } else if (str_eq(fate, STR("pull"))) {
        cannot_pull(c);
    } else if (str_eq(fate, STR("slow")) && c->slot->pod_step == STEP_NEW) {
        c->slot->pod_step = STEP_WAITING;
        wait_then(c, delay_of(c));
    } else {
        start(c);
    }
}

/* Running: what comes next, if anything. */
static void go_on(struct ctl *c, str fate)
{
    if (str_eq(fate, STR("crash"))) {
        crash(c);
    } else if (str_eq(fate, STR("fail"))) {
        if (c->slot->due)
            fail(c);
        else
            wait_then(c, FAIL_MS);
    } else if (is_of_job(c)) {
        complete(c);
    }
}

void ctl_pod(struct ctl *c)
{
    str fate = fate_of(c);

    if (c->slot->brief.is_deleting) {
        finish_deletion(c);
        return;
    }
    if (c->slot->brief.phase >= SB_SUCCEEDED || !c->spec || c->slot->pod_step == STEP_ENDED ||
        c->slot->due > clock_now())
        return;
    if (!doc_get_lit(c->spec, "nodeName"))
        schedule(c);
    else if (c->slot->brief.phase == SB_PENDING)
        begin(c, fate);
    else
        go_on(c, fate);
}
