/* Levels and simulated runs: the spec is read and its run set up by the product, only what a step
 * does is played (khook spec 9, 18.6). */
#include "base/duration.h"
#include "conformance/khook_case.h"
#include "doc/emit.h"
#include "khook/results.h"
#include "khook/runner.h"

/* ---- a spec from a case */

/* The least that each type needs. */
static const struct {
    const char *type, *block;
} blocks[] = {
    {"helm", "{\"chart\":\"./chart\"}"},
    {"apply", "{\"manifests\":[{\"inline\":\"kind: X\"}]}"},
    {"delete", "{\"resource\":\"configmap/x\"}"},
    {"patch", "{\"target\":\"configmap/x\",\"patch\":{\"a\":\"b\"}}"},
    {"wait", "{\"on\":\"configmap/x\",\"for\":\"delete\"}"},
    {"rollout", "{\"status\":\"deployment/x\",\"namespace\":\"n\"}"},
    {"job", "{\"image\":\"x\"}"},
};

static void add_block(const struct doc_node *step, struct buf *out)
{
    str type = khook_member(step, "type");

    for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
        if (str_eq(str_of(blocks[i].type), type.len ? type : STR("apply")))
            buf_addf(out, ",\"%s\":%s", blocks[i].type, blocks[i].block);
    }
}

/* "key":value of each of the keys that from has. */
static void add_members(const struct doc_node *from, const char *const *keys, struct buf *out)
{
    for (; *keys; keys++) {
        const struct doc_node *value = doc_get(from, str_of(*keys));

        if (!value)
            continue;
        buf_addf(out, "%s\"%s\":", out->p[out->len - 1] == '{' ? "" : ",", *keys);
        doc_emit_json(value, 0, out);
    }
}

/* Pauses that the case does not give are short: the built-in one is for clusters. */
static struct buf spec_text(const struct doc_node *node)
{
    static const char *const default_keys[] = {"onError", "retries", NULL};
    static const char *const step_keys[] = {"name",    "needs",   "retries", "retryDelay",
                                            "onError", "timeout", NULL};
    static const char *const condition[] = {"when", NULL};
    struct doc_iter it = doc_children(doc_get_lit(node, "steps"));
    struct buf out = {0};

    buf_add_cstr(&out, "{\"apiVersion\":\"khook.io/v1\",\"kind\":\"Khook\","
                       "\"metadata\":{\"name\":\"case\"},\"defaults\":{\"retryDelay\":\"1ms\"");
    add_members(doc_get_lit(node, "defaults"), default_keys, &out);
    buf_add_cstr(&out, "},\"steps\":[");
    for (bool first = true; doc_next(&it); first = false) {
        buf_add_cstr(&out, first ? "{" : ",{");
        add_members(it.value, step_keys, &out);
        if (doc_bool(doc_get_lit(it.value, "excluded"), false))
            add_members(it.value, condition, &out);
        add_block(it.value, &out);
        buf_add_char(&out, '}');
    }
    buf_add_cstr(&out, "]}");
    return out;
}

/* Only steps that the case calls excluded have a condition. */
static enum khook_condition never(void *ctx UNUSED, str expression UNUSED,
                                  const struct khook_vars *vars UNUSED, struct err *e UNUSED)
{
    return KHOOK_FALSE;
}

static struct khook_spec *read_spec(const struct doc_node *node, struct diag_list *problems)
{
    static const struct khook_engines engines = {.condition = never};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(buf_done) struct buf text = spec_text(node);

    return khook_spec_read(buf_view(&text), "case", &vars, &engines, problems);
}

static bool no_spec(struct khook_case *c, const struct diag_list *problems)
{
    AUTO(buf_done) struct buf text = {0};

    for (size_t i = 0; i < problems->len; i++)
        diag_format(&problems->v[i], &text);
    return khook_wrong(c, "the spec was refused: %s", buf_cstr(&text));
}

/* ---- levels */

/* The names stand behind the colon of the message. */
static bool cycle_is(struct khook_case *c, const struct diag_list *problems)
{
    struct doc_iter wanted = doc_children(doc_get_lit(c->expect, "cycle"));
    struct doc_iter others = doc_children(doc_get_lit(c->expect, "not_named"));
    AUTO(buf_done) struct buf names = {0};

    for (size_t i = 0; i < problems->len; i++) {
        if (str_eq(problems->v[i].code, STR("needs.cycle"))) {
            str text = problems->v[i].text;

            buf_addf(&names, "%.*s,",
                     STR_ARG(str_from(text, (size_t)str_rfind_char(text, ':') + 1)));
        }
    }
    while (doc_next(&wanted)) {
        AUTO(buf_done) struct buf name = {0};

        buf_addf(&name, " %.*s,", STR_ARG(doc_text(wanted.value, STR_NONE)));
        if (!str_contains(buf_view(&names), buf_view(&name)))
            return khook_wrong(c, "%s is not in:%s", buf_cstr(&name), buf_cstr(&names));
    }
    while (doc_next(&others)) {
        if (str_contains(buf_view(&names), doc_text(others.value, STR_NONE)))
            return khook_wrong(c, "too much in:%s", buf_cstr(&names));
    }
    return true;
}

static bool level_is(struct khook_case *c, const struct khook_outcome *o, const size_t *level,
                     size_t number, const struct doc_node *want)
{
    struct doc_iter it = doc_children(want);
    AUTO(buf_done) struct buf names = {0}, wanted = {0};

    for (size_t i = 0; i < o->count; i++) {
        if (level[i] == number)
            buf_addf(&names, "%.*s ", STR_ARG(o->steps[i].name));
    }
    while (doc_next(&it))
        buf_addf(&wanted, "%.*s ", STR_ARG(doc_text(it.value, STR_NONE)));
    return khook_same(c, "level", buf_view(&names), buf_view(&wanted));
}

bool khook_area_levels(struct khook_case *c)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free) struct khook_spec *spec = read_spec(c->node, &problems);
    AUTO(khook_outcome_done) struct khook_outcome o = {0};
    AUTO(run_cycle_done) struct run_cycle cycle = {0};
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "levels"));
    size_t *level, count = 0;

    if (doc_get_lit(c->expect, "cycle"))
        return !spec ? cycle_is(c, &problems) : khook_wrong(c, "no cycle was found");
    if (!spec)
        return no_spec(c, &problems);
    khook_outcome_init(&o, spec,
                       doc_bool(doc_get_lit(c->node, "reverse"), false) ? KHOOK_DESTROY_RUN
                                                                        : KHOOK_APPLY_RUN);
    level = ARENA_ARRAY(&c->arena, size_t, o.count);
    if (run_levels(o.steps, o.count, level, &count, &cycle) < 0)
        return khook_wrong(c, "a cycle: %s", buf_cstr(&cycle.path));
    if (count != doc_len(doc_get_lit(c->expect, "levels")))
        return khook_wrong(c, "got %zu levels", count);
    for (size_t i = 0; doc_next(&it); i++) {
        if (!level_is(c, &o, level, i, it.value))
            return false;
    }
    return true;
}

/* ---- runs */

enum { OTHERS_BEGIN_MS = 30 };

struct play {
    struct khook_case *c;
    struct khook_outcome o;
    struct cancel *cancel;
    struct buf *events; /* of each step */
    struct buf order;
};

static void play_done(struct play *p)
{
    for (size_t i = 0; p->events && i < p->o.count; i++)
        buf_done(&p->events[i]);
    buf_done(&p->order);
    khook_outcome_done(&p->o);
    cancel_free(p->cancel);
}
AUTO_VALUE(struct play, play_done)

static const struct doc_node *step_node(const struct play *p, size_t step)
{
    return doc_item(doc_get_lit(p->c->node, "steps"), step);
}

/* What attempt `number` comes to; the last entry repeats. */
static str outcome_of(const struct doc_node *step, int number)
{
    const struct doc_node *list = doc_get_lit(step, "outcome");
    size_t count = doc_len(list);

    return count ? doc_text(doc_item(list, MIN((size_t)number, count) - 1), STR_NONE) : STR("ok");
}

static void cancel_after(struct play *p, str step, int attempt)
{
    AUTO(buf_done) struct buf moment = {0};

    buf_addf(&moment, "after-attempt:%.*s:%d", STR_ARG(step), attempt);
    if (str_eq(buf_view(&moment), khook_member(p->c->node, "cancel")))
        cancel_trigger(p->cancel, ERR_CANCELED, "canceled by the case");
}

/* While the first attempt runs: the other steps of its level have begun too. */
static void cancel_during(struct play *p, const struct run_attempt *a)
{
    str when = khook_member(p->c->node, "cancel"), name = p->o.steps[a->step].name;
    AUTO(err_done) struct err e = {0};

    if (a->number > 1 || !str_drop_prefix(&when, STR("during:")) || !str_eq(when, name))
        return;
    if (cancel_sleep(a->cancel, OTHERS_BEGIN_MS, &e) == 0)
        cancel_trigger(p->cancel, ERR_CANCELED, "canceled by the case");
}

static int play_step(void *ctx, const struct run_attempt *a, struct err *e)
{
    struct play *p = ctx;
    const struct doc_node *step = step_node(p, a->step);
    str outcome = outcome_of(step, a->number);
    int64_t ms = 0;

    cancel_during(p, a);
    duration_parse_ms(khook_member(step, "duration"), &ms);
    if (cancel_sleep(a->cancel, str_eq(outcome, STR("hang")) ? 3600000 : ms, e) < 0)
        return -1;
    return str_eq(outcome, STR("fail")) ? err_set(e, ERR_IO, "failed as told") : 0;
}

static void play_event(void *ctx, const struct run_event *event)
{
    static const char *const words[] = {"running", "attempt-failed", "done"};
    struct play *p = ctx;

    buf_addf(&p->events[event->step], "%s ", words[event->type]);
    if (event->type == RUN_EVENT_RUNNING && event->attempt == 1)
        buf_addf(&p->order, "%.*s ", STR_ARG(p->o.steps[event->step].name));
    if (event->type == RUN_EVENT_ATTEMPT_FAILED)
        cancel_after(p, p->o.steps[event->step].name, event->attempt);
}

/* The words of a list, each with a blank behind it. */
static bool words_are(struct khook_case *c, const char *what, str got, const struct doc_node *want)
{
    struct doc_iter it = doc_children(want);
    AUTO(buf_done) struct buf words = {0};

    while (doc_next(&it))
        buf_addf(&words, "%.*s ", STR_ARG(doc_text(it.value, STR_NONE)));
    return !want || khook_same(c, what, got, buf_view(&words));
}

static bool step_is(struct play *p, size_t step)
{
    struct khook_result got = khook_result_of(&p->o.steps[step], &p->o.results[step]);
    const struct doc_node *want = doc_get(doc_get_lit(p->c->expect, "steps"), got.name);
    const struct doc_node *events = doc_get(doc_get_lit(p->c->expect, "events"), got.name);

    if (!want)
        return khook_wrong(p->c, "nothing is expected of %.*s", STR_ARG(got.name));
    if (!khook_same(p->c, "status", got.status, khook_member(want, "status")) ||
        !khook_same(p->c, "reason", got.skip_reason, khook_member(want, "reason")))
        return false;
    if (got.attempts != doc_int(doc_get_lit(want, "attempts"), 0))
        return khook_wrong(p->c, "%.*s: %lld attempts", STR_ARG(got.name), (long long)got.attempts);
    return words_are(p->c, "events", buf_view(&p->events[step]), events);
}

/* The record's part is played too: which steps it lets skip is the resume area's. */
static void mark_resumed(struct play *p)
{
    struct doc_iter it = doc_children(doc_get_lit(p->c->node, "resumed"));

    while (doc_next(&it)) {
        for (size_t i = 0; i < p->o.count; i++) {
            if (str_eq(p->o.steps[i].name, doc_text(it.value, STR_NONE)) &&
                !p->o.steps[i].skip_reason.len)
                p->o.steps[i].skip_reason = STR(KHOOK_RESUMED);
        }
    }
}

static bool play_case(struct play *p)
{
    struct run_plan plan = {.steps = p->o.steps,
                            .count = p->o.count,
                            .cancel = p->cancel,
                            .step = play_step,
                            .event = play_event,
                            .ctx = p};
    int status;

    p->events = ARENA_ARRAY(&p->c->arena, struct buf, p->o.count);
    mark_resumed(p);
    if (str_eq(khook_member(p->c->node, "cancel"), STR("before")))
        cancel_trigger(p->cancel, ERR_CANCELED, "canceled by the case");
    status = run_steps(&plan, p->o.results) < 0;
    for (size_t i = 0; i < p->o.count; i++) {
        if (!step_is(p, i))
            return false;
    }
    if (status != doc_int(doc_get_lit(p->c->expect, "exit"), -1))
        return khook_wrong(p->c, "the run ended with %d", status);
    return words_are(p->c, "order", buf_view(&p->order), doc_get_lit(p->c->expect, "order"));
}

bool khook_area_run(struct khook_case *c)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free) struct khook_spec *spec = read_spec(c->node, &problems);
    AUTO(play_done) struct play p = {.c = c, .cancel = cancel_new(NULL, CLOCK_NEVER)};
    bool is_destroy = str_eq(khook_member(c->node, "mode"), STR("destroy"));

    if (!spec)
        return no_spec(c, &problems);
    khook_outcome_init(&p.o, spec, is_destroy ? KHOOK_DESTROY_RUN : KHOOK_APPLY_RUN);
    return play_case(&p);
}
