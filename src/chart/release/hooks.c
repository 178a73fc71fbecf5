/* Running hooks (helm spec 7). */
#include "chart/release/release_priv.h"

/* ---- which, in which order */

static int by_weight(const void *a, const void *b)
{
    const struct chart_hook *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return str_cmp(x->name, y->name);
}

static bool has_name(const struct str_vec *names, str name)
{
    for (size_t i = 0; i < names->len; i++)
        if (str_eq(names->v[i], name))
            return true;
    return false;
}

static bool is_wanted(const struct chart_hook *hook, enum chart_event event,
                      const struct chart_test_options *filter)
{
    if (!(hook->events & (1u << event)))
        return false;
    if (!filter)
        return true;
    if (filter->names.len && !has_name(&filter->names, hook->name))
        return false;
    return !has_name(&filter->not_names, hook->name);
}

/* The hooks of the event; order of the record where weight and name are the same. */
static void choose(const struct chart_record *r, enum chart_event event,
                   const struct chart_test_options *filter, struct chart_hooks *ret)
{
    size_t kept = 0;

    chart_record_hooks(r, ret);
    for (size_t i = 0; i < ret->len; i++)
        if (is_wanted(&ret->v[i], event, filter))
            ret->v[kept++] = ret->v[i];
    ret->len = kept;
    for (size_t i = 1; i < kept; i++) /* few, and it must be stable */
        for (size_t j = i; j > 0 && by_weight(&ret->v[j], &ret->v[j - 1]) < 0; j--) {
            struct chart_hook swap = ret->v[j];

            ret->v[j] = ret->v[j - 1];
            ret->v[j - 1] = swap;
        }
}

/* ---- deletion and logs by policy */

/* Deletes what the hook made and waits until it is gone. */
static int delete_hook(const struct chart_run *run, const struct chart_hook *hook, struct err *e)
{
    AUTO(chart_objects_done) struct chart_objects objects = {0};
    size_t left = 0;

    if (str_eq(hook->kind, STR("CustomResourceDefinition")))
        return 0; /* what is stored under it would go too */
    if (chart_objects_parse(run, hook->manifest, &objects, e) < 0)
        return err_wrap(e, "unable to build kubernetes object for deleting hook %.*s",
                        STR_ARG(hook->path));
    for (size_t i = 0; i < objects.len; i++) {
        struct chart_object *o = &objects.v[i];

        if (o->is_generated)
            continue; /* nobody knows its name */
        if (kube_delete(run->kube, &o->ref, NULL, run->cancel, e) == 0)
            objects.v[left++] = *o;
        else if (e->kind != ERR_NOT_FOUND)
            return -1;
        err_done(e);
    }
    objects.len = left;
    return left ? chart_wait_watching(run, &objects, CHART_UNTIL_GONE, e) : 0;
}

static int delete_by(const struct chart_run *run, const struct chart_hook *hook,
                     enum chart_hook_policy policy, struct err *e)
{
    return hook->delete_policies & policy ? delete_hook(run, hook, e) : 0;
}

struct logs {
    const struct chart_run *run;
    bool has_heads; /* "POD LOGS: NAME (CONTAINER)" before each */
    struct buf *out;
};

static int on_pod(void *ctx, struct doc_set *set UNUSED, struct doc_node *pod)
{
    const struct logs *l = ctx;
    struct doc_iter it = doc_children(doc_at(pod, "spec/containers"));
    str name = doc_text(doc_at(pod, "metadata/name"), STR(""));
    str ns = doc_text(doc_at(pod, "metadata/namespace"), STR(""));

    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};
        str container = doc_text(doc_get_lit(it.value, "name"), STR(""));

        if (l->has_heads)
            buf_addf(l->out, "POD LOGS: %.*s (%.*s)\n", STR_ARG(name), STR_ARG(container));
        if (kube_log(l->run->kube, ns, name, container, 0, false, l->run->cancel, l->out, &e) < 0)
            chart_run_tell(l->run, CHART_TALE_WARNING, "logs of pod %.*s: %s", STR_ARG(name),
                           err_text(&e));
        if (l->has_heads)
            buf_add_char(l->out, '\n');
    }
    return 0;
}

static int read_logs(const struct chart_run *run, const struct chart_hook *hook, bool has_heads,
                     struct buf *out, struct err *e)
{
    bool is_job = str_eq(hook->kind, STR("Job"));
    struct logs l = {run, has_heads, out};
    struct kube_list_options options = {0};
    struct kube_ref pods = {.ns = run->op->ns};
    AUTO(buf_done) struct buf selector = {0};

    if (!is_job && !str_eq(hook->kind, STR("Pod")))
        return 0;
    pods.type = kube_type_of(run->kube, STR("v1"), STR("Pod"), run->cancel, e);
    if (!pods.type)
        return -1;
    buf_addf(&selector, "%s=%.*s", is_job ? "job-name" : "metadata.name", STR_ARG(hook->name));
    if (is_job)
        options.label_selector = buf_view(&selector);
    else
        options.field_selector = buf_view(&selector);
    return kube_list(run->kube, &pods, &options, run->cancel, on_pod, &l, NULL, e);
}

static void tell_logs(const struct chart_run *run, const struct chart_hook *hook,
                      enum chart_hook_policy policy)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};

    if (!(hook->log_policies & policy))
        return;
    if (read_logs(run, hook, false, &out, &e) < 0)
        chart_run_tell(run, CHART_TALE_WARNING, "logs of hook %.*s: %s", STR_ARG(hook->name),
                       err_text(&e));
    else if (out.len && run->op->tell)
        run->op->tell(run->op->ctx, CHART_TALE_LOG, buf_view(&out));
}

/* ---- one hook */

static int execute(const struct chart_run *run, const struct chart_hook *hook, str event,
                   struct chart_objects *objects, struct err *e)
{
    if (chart_objects_parse(run, hook->manifest, objects, e) < 0)
        return err_wrap(e, "unable to build kubernetes object for %.*s hook %.*s", STR_ARG(event),
                        STR_ARG(hook->path));
    for (size_t i = 0; i < objects->len; i++)
        if (chart_create_object(run, &objects->v[i], e) < 0)
            return -1;
    return 0;
}

static void note_run(struct chart_record *r, struct chart_hook *hook, const char *phase)
{
    hook->phase = str_of(phase);
    if (str_eq(hook->phase, STR("Running")))
        hook->started_us = clock_wall_us();
    else
        hook->completed_us = clock_wall_us();
    chart_record_set_run(r, hook);
}

static int run_one(const struct chart_run *run, struct chart_record *r, enum chart_event event,
                   struct chart_hook *hook, struct err *e)
{
    AUTO(chart_objects_done) struct chart_objects objects = {0};
    str event_name = chart_event_name(event);

    if (delete_by(run, hook, CHART_BEFORE_HOOK_CREATION, e) < 0)
        return -1;
    chart_run_tell(run, CHART_TALE_STEP, "%.*s hook %.*s", STR_ARG(event_name),
                   STR_ARG(hook->name));
    hook->completed_us = 0;
    note_run(r, hook, "Running");
    if (chart_store_update(run->store, r, run->cancel, e) < 0)
        return err_wrap(e, "record hook %.*s", STR_ARG(hook->name));
    if (execute(run, hook, event_name, &objects, e) < 0) {
        note_run(r, hook, "Failed");
        return err_wrap(e, "warning: Hook %.*s %.*s failed", STR_ARG(event_name),
                        STR_ARG(hook->path));
    }
    if (chart_wait_watching(run, &objects, CHART_UNTIL_RAN, e) < 0) {
        note_run(r, hook, "Failed");
        tell_logs(run, hook, CHART_HOOK_FAILED);
        return -1;
    }
    note_run(r, hook, "Succeeded");
    return 0;
}

/* After hook `at` failed: it goes by hook-failed, those before it by hook-succeeded. */
static void clean_up(const struct chart_run *run, const struct chart_hooks *hooks, size_t at)
{
    AUTO(err_done) struct err failed = {0};

    if (delete_by(run, &hooks->v[at], CHART_HOOK_FAILED, &failed) < 0)
        chart_run_tell(run, CHART_TALE_WARNING, "delete hook %.*s: %s", STR_ARG(hooks->v[at].name),
                       err_text(&failed));
    for (size_t i = 0; i < at; i++) {
        AUTO(err_done) struct err e = {0};

        if (delete_by(run, &hooks->v[i], CHART_HOOK_SUCCEEDED, &e) < 0)
            chart_run_tell(run, CHART_TALE_WARNING, "delete hook %.*s: %s",
                           STR_ARG(hooks->v[i].name), err_text(&e));
    }
}

/* test --logs: of all tests, before any of them is deleted. */
static void collect_logs(const struct chart_run *run, const struct chart_hooks *hooks,
                         struct buf *out)
{
    for (size_t i = 0; i < hooks->len; i++) {
        AUTO(err_done) struct err e = {0};

        if (str_eq(hooks->v[i].kind, STR("Pod")) && read_logs(run, &hooks->v[i], true, out, &e) < 0)
            chart_run_tell(run, CHART_TALE_WARNING, "logs of %.*s: %s", STR_ARG(hooks->v[i].name),
                           err_text(&e));
    }
}

int chart_run_hooks(const struct chart_run *run, struct chart_record *r, enum chart_event event,
                    const struct chart_test_options *filter, struct err *e)
{
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};
    struct buf *logs = filter ? filter->logs : NULL;
    bool failed = false;
    size_t i;

    choose(r, event, filter, &hooks);
    for (i = 0; i < hooks.len && !failed; i++)
        failed = run_one(run, r, event, &hooks.v[i], e) < 0;
    if (logs)
        collect_logs(run, &hooks, logs);
    if (failed) {
        clean_up(run, &hooks, i - 1);
        return -1;
    }
    for (i = hooks.len; i-- > 0;) {
        tell_logs(run, &hooks.v[i], CHART_HOOK_SUCCEEDED);
        if (delete_by(run, &hooks.v[i], CHART_HOOK_SUCCEEDED, e) < 0)
            return -1;
    }
    return 0;
}
