#include "kube/why.h"

#include "base/vec.h"
#include "kube/selector.h"

/* ---- one Pod */

static const struct doc_node *state_of(const struct doc_node *container, const char *which)
{
    return doc_get(doc_get_lit(container, "state"), str_of(which));
}

static void add_reason(const struct doc_node *state, const char *fallback, struct buf *out)
{
    str reason = doc_text(doc_get_lit(state, "reason"), STR_NONE);
    str message = doc_text(doc_get_lit(state, "message"), STR_NONE);

    if (reason.len)
        buf_add_str(out, reason);
    else
        buf_add_cstr(out, fallback);
    if (message.len)
        buf_addf(out, ": %.*s", STR_ARG(message));
}

/* Reasons to wait that do not end by themselves. */
static bool is_stuck_reason(str reason)
{
    static const char reasons[][27] = {
        "CrashLoopBackOff",     "ImagePullBackOff",  "ErrImagePull",
        "InvalidImageName",     "ErrImageNeverPull", "CreateContainerConfigError",
        "CreateContainerError", "RunContainerError", "RegistryUnavailable",
    };

    for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
        if (str_eq(reason, str_of(reasons[i])))
            return true;
    return false;
}

static const char status_lists[][22] = {"initContainerStatuses", "containerStatuses"};

bool kube_pod_is_stuck(const struct doc_node *pod, struct buf *ret_reason)
{
    const struct doc_node *status = doc_get_lit(pod, "status");

    buf_clear(ret_reason);
    if (str_eq(doc_text(doc_get_lit(status, "phase"), STR_NONE), STR("Failed"))) {
        add_reason(status, "Failed", ret_reason);
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(status_lists); i++) {
        struct doc_iter it = doc_children(doc_get(status, str_of(status_lists[i])));

        while (doc_next(&it)) {
            const struct doc_node *waiting = state_of(it.value, "waiting");

            if (!is_stuck_reason(doc_text(doc_get_lit(waiting, "reason"), STR_NONE)))
                continue;
            add_reason(waiting, "", ret_reason);
            return true;
        }
    }
    return false;
}

static void add_exit_code(const struct doc_node *terminated, struct buf *out)
{
    int64_t code = doc_int(doc_get_lit(terminated, "exitCode"), 0);

    if (code)
        buf_addf(out, " (exit code %lld)", (long long)code);
}

/* What one container says of its end, now or before its last restart; false when it runs or ended
 * well. */
static bool container_reason(const struct doc_node *container, struct buf *out)
{
    const struct doc_node *waiting = state_of(container, "waiting"),
                          *ended = state_of(container, "terminated");
    const struct doc_node *last = doc_at(container, "lastState/terminated");
    bool said = false;

    if (waiting && is_stuck_reason(doc_text(doc_get_lit(waiting, "reason"), STR_NONE))) {
        add_reason(waiting, "waiting", out);
        said = true;
    }
    if (!ended)
        ended = last;
    if (ended && doc_int(doc_get_lit(ended, "exitCode"), 0)) {
        if (said)
            buf_add_cstr(out, ", last ended: ");
        add_reason(ended, "terminated", out);
        add_exit_code(ended, out);
        said = true;
    }
    return said;
}

static void pod_reasons(const struct doc_node *pod, struct buf *out)
{
    const struct doc_node *status = doc_get_lit(pod, "status");

    for (size_t i = 0; i < ARRAY_LEN(status_lists); i++) {
        struct doc_iter it = doc_children(doc_get(status, str_of(status_lists[i])));

        while (doc_next(&it)) {
            AUTO(buf_done) struct buf reason = {0};

            if (!container_reason(it.value, &reason))
                continue;
            buf_addf(out, "; container \"%.*s\": %s",
                     STR_ARG(doc_text(doc_get_lit(it.value, "name"), STR_NONE)), buf_cstr(&reason));
        }
    }
}

/* The container whose log is asked for: one that failed, else the first. */
static str log_container(const struct doc_node *pod)
{
    const struct doc_node *status = doc_get_lit(pod, "status");

    for (size_t i = 0; i < ARRAY_LEN(status_lists); i++) {
        struct doc_iter it = doc_children(doc_get(status, str_of(status_lists[i])));

        while (doc_next(&it)) {
            AUTO(buf_done) struct buf reason = {0};

            if (container_reason(it.value, &reason))
                return doc_text(doc_get_lit(it.value, "name"), STR_NONE);
        }
    }
    return doc_text(doc_get_lit(doc_item(doc_at(pod, "spec/containers"), 0), "name"), STR_NONE);
}

static bool is_restarted(const struct doc_node *pod, str container)
{
    struct doc_iter it = doc_children(doc_at(pod, "status/containerStatuses"));

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "name"), STR_NONE), container))
            return state_of(it.value, "waiting") &&
                   doc_int(doc_get_lit(it.value, "restartCount"), 0) > 0;
    return false;
}

static bool pod_log(struct kube *k, const struct doc_node *pod, int lines, struct cancel *cancel,
                    struct buf *out)
{
    AUTO(buf_done) struct buf log = {0};
    AUTO(err_done) struct err e = {0};
    str name = doc_text(doc_at(pod, "metadata/name"), STR_NONE), container = log_container(pod),
        text;

    if (kube_log(k, doc_text(doc_at(pod, "metadata/namespace"), STR_NONE), name, container, lines,
                 is_restarted(pod, container), cancel, &log, &e) < 0)
        return false;
    text = str_trim_right(buf_view(&log), "\n");
    if (!text.len)
        return false;
    buf_addf(out, "; last lines of pod/%.*s:\n%.*s", STR_ARG(name), STR_ARG(text));
    return true;
}

/* ---- the Pods below an object */

struct newest {
    struct kube_object pod;
    str created;
    bool is_bad;
};

/* Keeps the newest Pod, one that does badly before one that does well. */
static int on_pod(void *ctx, struct doc_set *set UNUSED, struct doc_node *pod)
{
    struct newest *n = ctx;
    AUTO(buf_done) struct buf reason = {0};
    str created = doc_text(doc_at(pod, "metadata/creationTimestamp"), STR_NONE);
    bool bad;

    pod_reasons(pod, &reason);
    bad = reason.len > 0 || kube_pod_is_stuck(pod, &reason);
    if (n->pod.root && (n->is_bad > bad || (n->is_bad == bad && str_cmp(created, n->created) < 0)))
        return 0;
    kube_object_done(&n->pod);
    n->pod.set = doc_set_new();
    n->pod.root = doc_copy(n->pod.set, pod);
    n->created = doc_text(doc_at(n->pod.root, "metadata/creationTimestamp"), STR_NONE);
    n->is_bad = bad;
    return 0;
}

static void find_pod(struct kube *k, const struct doc_node *object, str ns, struct cancel *cancel,
                     struct newest *ret)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf selector = {0};
    struct kube_ref ref = {.type = kube_type_of(k, STR("v1"), STR("Pod"), cancel, &e), .ns = ns};
    struct kube_list_options options = {0};
    const struct doc_node *wanted = doc_at(object, "spec/selector");

    if (wanted)
        kube_selector_text(wanted, &selector);
    else if (str_eq(doc_text(doc_get_lit(object, "kind"), STR_NONE), STR("Job")))
        buf_addf(&selector, "job-name=%.*s",
                 STR_ARG(doc_text(doc_at(object, "metadata/name"), STR_NONE)));
    if (!ref.type || !selector.len)
        return;
    options.label_selector = buf_view(&selector);
    (void)kube_list(k, &ref, &options, cancel, on_pod, ret, NULL, &e);
}

/* ---- events */

struct event {
    str time, text;
};

struct events {
    struct arena arena;
    VEC(struct event) list;
};

static str event_time(const struct doc_node *event)
{
    static const char fields[][15] = {"lastTimestamp", "eventTime", "firstTimestamp"};

    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        str time = doc_text(doc_get(event, str_of(fields[i])), STR_NONE);

        if (time.len)
            return time;
    }
    return doc_text(doc_at(event, "metadata/creationTimestamp"), STR_NONE);
}

static int on_event(void *ctx, struct doc_set *set UNUSED, struct doc_node *event)
{
    struct events *events = ctx;

    if (!str_eq(doc_text(doc_get_lit(event, "type"), STR_NONE), STR("Warning")))
        return 0;
    vec_push(&events->list,
             {.time = arena_dup(&events->arena, event_time(event)),
              .text = arena_printf(&events->arena, "%.*s: %.*s",
                                   STR_ARG(doc_text(doc_get_lit(event, "reason"), STR_NONE)),
                                   STR_ARG(doc_text(doc_get_lit(event, "message"), STR_NONE)))});
    return 0;
}

static int newest_first(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    return str_cmp(y->time, x->time);
}

static void list_events(struct kube *k, const struct doc_node *object, str ns,
                        struct cancel *cancel, struct events *events)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf selector = {0};
    struct kube_ref ref = {.type = kube_type_of(k, STR("v1"), STR("Event"), cancel, &e), .ns = ns};
    struct kube_list_options options = {0};
    str uid = doc_text(doc_at(object, "metadata/uid"), STR_NONE);

    if (!ref.type || !uid.len)
        return;
    buf_addf(&selector, "involvedObject.uid=%.*s", STR_ARG(uid));
    options.field_selector = buf_view(&selector);
    (void)kube_list(k, &ref, &options, cancel, on_event, events, NULL, &e);
}

static void add_events(struct events *events, int most, struct buf *out)
{
    size_t shown = 0;

    vec_sort(&events->list, newest_first);
    for (size_t i = 0; i < events->list.len && shown < (size_t)most; i++) {
        if (i && str_eq(events->list.v[i].text, events->list.v[i - 1].text))
            continue;
        buf_addf(out, "%s%.*s", shown ? ", " : "; events: ", STR_ARG(events->list.v[i].text));
        shown++;
    }
}

void kube_why(struct kube *k, const struct kube_type *type, const struct doc_node *object,
              int log_lines, int events, struct cancel *cancel, struct buf *out)
{
    bool is_pod = str_eq(type->kind, STR("Pod")) && !type->group.len;
    str ns = doc_text(doc_at(object, "metadata/namespace"), STR_NONE);
    struct newest newest = {0};
    struct events found = {0};
    AUTO(buf_done) struct buf log = {0};
    const struct doc_node *pod = object;

    if (!is_pod) {
        find_pod(k, object, ns, cancel, &newest);
        pod = newest.pod.root;
        list_events(k, object, ns, cancel, &found);
    }
    if (pod) {
        pod_reasons(pod, out);
        (void)pod_log(k, pod, log_lines, cancel, &log);
        list_events(k, pod, ns, cancel, &found);
    }
    add_events(&found, events, out);
    buf_add_str(out, buf_view(&log));
    kube_object_done(&newest.pod);
    vec_done(&found.list);
    arena_done(&found.arena);
}
