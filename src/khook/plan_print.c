/* A plan as text and as JSON. */
#include "doc/diff.h"
#include "doc/emit.h"
#include "khook/plan.h"
#include "khook/results.h"

static bool is_open(enum khook_plan_action action)
{
    return action != KHOOK_PLAN_SKIP && action != KHOOK_PLAN_RESUME && action != KHOOK_PLAN_NO_OP;
}

void khook_plan_total(const enum khook_plan_action *actions, size_t count, struct buf *out)
{
    size_t counts[KHOOK_PLAN_COUNT] = {0};
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        counts[actions[i]]++;
        any |= is_open(actions[i]);
    }
    if (!any) {
        buf_add_cstr(out, "nothing to do");
        return;
    }
    buf_add_cstr(out, "Plan: ");
    any = false;
    for (int a = 0; a < KHOOK_PLAN_COUNT; a++) {
        if (!counts[a])
            continue;
        buf_addf(out, "%s%zu %s", any ? ", " : "", counts[a],
                 khook_plan_word((enum khook_plan_action)a));
        any = true;
    }
}

static void total_line(const struct khook_plan *p, struct buf *out)
{
    VEC(enum khook_plan_action) actions = {0};

    for (size_t i = 0; i < p->spec->step_count; i++)
        vec_push(&actions, p->steps[i].prediction.action);
    khook_plan_total(actions.v, actions.len, out);
    vec_done(&actions);
    buf_add_char(out, '\n');
}

static void indent(str text, const char *margin, struct buf *out)
{
    str line;

    while (str_next_line(&text, &line))
        buf_addf(out, "%s%.*s\n", margin, STR_ARG(line));
}

static void diff_text(const struct khook_planned *planned, bool color, struct buf *out)
{
    if (!planned->has_diff)
        return;
    if (planned->diff_problem)
        buf_addf(out, "    diff: unavailable \u2014 %s\n", planned->diff_problem);
    else if (!planned->diff.len)
        buf_add_cstr(out, "    diff: no changes\n");
    else
        doc_diff_tint(buf_view(&planned->diff), "      ", color, out);
}

static void step_text(const struct khook_plan *p, size_t i, bool color, struct buf *out)
{
    const struct khook_step *step = &p->spec->steps[i];
    const struct khook_planned *planned = &p->steps[i];
    str type = khook_type_name(step->type), detail = buf_view(&planned->prediction.detail), line;

    buf_addf(out, "  %.*s [%.*s] ", STR_ARG(step->name), STR_ARG(type));
    khook_executor_of(step->type)->summary(step, out);
    for (size_t n = 0; n < step->need_count; n++)
        buf_addf(out, "%s%.*s%s",
                 n ? ", " : " (needs: ", STR_ARG(p->spec->steps[step->needs[n]].name),
                 n + 1 == step->need_count ? ")" : "");
    buf_add_char(out, '\n');
    if (p->is_offline && !step->is_excluded)
        return;
    buf_addf(out, "    plan: %s", khook_plan_word(planned->prediction.action));
    if (str_next_line(&detail, &line))
        buf_addf(out, " \u2014 %.*s", STR_ARG(line));
    buf_add_char(out, '\n');
    indent(detail, "      ", out);
    diff_text(planned, color, out);
}

/* Steps level by level, see run_order. */
struct order {
    struct arena arena;
    size_t *step, *start;
};
static void order_done(struct order *o) { arena_done(&o->arena); }
AUTO_VALUE(struct order, order_done)

static void by_level(const struct khook_plan *p, struct order *o)
{
    size_t count = p->spec->step_count, *level = ARENA_ARRAY(&o->arena, size_t, count);

    for (size_t i = 0; i < count; i++)
        level[i] = p->spec->steps[i].level;
    o->step = ARENA_ARRAY(&o->arena, size_t, count);
    o->start = ARENA_ARRAY(&o->arena, size_t, p->spec->level_count + 1);
    run_order(level, count, p->spec->level_count, o->step, o->start);
}

void khook_plan_text(const struct khook_plan *p, bool color, struct buf *out)
{
    AUTO(order_done) struct order o = {0};

    if (p->cluster.len)
        buf_addf(out, "cluster: Kubernetes %s\n", buf_cstr(&p->cluster));
    buf_addf(out, "%.*s: %zu step(s) in %zu level(s)\n", STR_ARG(p->spec->name),
             p->spec->step_count, p->spec->level_count);
    by_level(p, &o);
    for (size_t level = 0; level < p->spec->level_count; level++) {
        buf_addf(out, "\nLevel %zu (parallel):\n", level + 1);
        for (size_t i = o.start[level]; i < o.start[level + 1]; i++)
            step_text(p, o.step[i], color, out);
    }
    if (p->is_offline)
        return;
    buf_add_char(out, '\n');
    total_line(p, out);
}

/* ---- JSON */

static void member(const char *name, str value, struct buf *out)
{
    buf_addf(out, "\"%s\":", name);
    khook_json_text(value, out);
}

static void levels_json(const struct khook_plan *p, struct buf *out)
{
    AUTO(order_done) struct order o = {0};

    by_level(p, &o);
    buf_add_cstr(out, "\"levels\":[");
    for (size_t level = 0; level < p->spec->level_count; level++) {
        buf_add_cstr(out, level ? ",[" : "[");
        for (size_t i = o.start[level]; i < o.start[level + 1]; i++) {
            if (i > o.start[level])
                buf_add_char(out, ',');
            doc_json_quote(p->spec->steps[o.step[i]].name, 0, out);
        }
        buf_add_char(out, ']');
    }
    buf_add_char(out, ']');
}

static void step_json(const struct khook_plan *p, size_t i, struct buf *out)
{
    const struct khook_planned *planned = &p->steps[i];

    buf_add_cstr(out, "{\"name\":");
    doc_json_quote(p->spec->steps[i].name, 0, out);
    buf_add_cstr(out, ",\"type\":");
    doc_json_quote(khook_type_name(p->spec->steps[i].type), 0, out);
    if (!p->is_offline || p->spec->steps[i].is_excluded) {
        buf_addf(out, ",\"action\":\"%s\",", khook_plan_word(planned->prediction.action));
        member("detail", buf_view(&planned->prediction.detail), out);
    }
    if (planned->has_diff) {
        buf_add_char(out, ',');
        member(planned->diff_problem ? "diffProblem" : "diff",
               planned->diff_problem ? str_of(planned->diff_problem) : buf_view(&planned->diff),
               out);
    }
    buf_add_char(out, '}');
}

static void totals_json(const struct khook_plan *p, struct buf *out)
{
    size_t counts[KHOOK_PLAN_COUNT] = {0};
    bool any = false;

    for (size_t i = 0; i < p->spec->step_count; i++)
        counts[p->steps[i].prediction.action]++;
    buf_add_cstr(out, "\"totals\":{");
    for (int a = 0; a < KHOOK_PLAN_COUNT && !p->is_offline; a++) {
        if (!counts[a])
            continue;
        buf_addf(out, "%s\"%s\":%zu", any ? "," : "", khook_plan_word((enum khook_plan_action)a),
                 counts[a]);
        any = true;
    }
    buf_add_char(out, '}');
}

void khook_plan_json(const struct khook_plan *p, struct buf *out)
{
    buf_add_char(out, '{');
    member("name", p->spec->name, out);
    if (p->cluster.len) {
        buf_add_char(out, ',');
        member("cluster", buf_view(&p->cluster), out);
    }
    buf_add_char(out, ',');
    levels_json(p, out);
    buf_add_cstr(out, ",\"steps\":[");
    for (size_t i = 0; i < p->spec->step_count; i++) {
        if (i)
            buf_add_char(out, ',');
        step_json(p, i, out);
    }
    buf_add_cstr(out, "],");
    totals_json(p, out);
    buf_add_cstr(out, "}\n");
}
