/* Phases 5 and 6 (khook spec 3): needs, levels, conditions. */
#include "khook/spec/read_priv.h"

enum { MAX_NEAREST = 50 }; /* "did you mean" looks at every step */

static struct khook_at steps_place(struct khook_reader *r, struct khook_at *root)
{
    *root = (struct khook_at){.node = r->spec->document};
    return khook_at_field(root, "steps");
}

/* Names to index + 1; the first of equal names stays. */
static void index_names(struct khook_reader *r, const struct khook_at *steps, struct map *names)
{
    struct khook_spec *spec = r->spec;

    for (size_t i = 0; i < spec->step_count; i++) {
        struct khook_step *step = &spec->steps[i];
        struct khook_at entry = {.up = steps, .index = i, .node = step->head.node};
        struct khook_at name = khook_at_field(&entry, "name");

        if (!step->name.len)
            continue;
        if (!map_has(names, step->name)) {
            map_put(names, step->name, (void *)(uintptr_t)(i + 1));
            continue;
        }
        khook_enter_step(r, &entry);
        khook_problem(r, &name, "step.duplicate", "a step before has the name %s already",
                      khook_shown(r, step->name));
        khook_leave_step(r);
    }
}

static void report_unknown(struct khook_reader *r, const struct khook_at *place, str need,
                           const struct map *names, int *asked)
{
    struct diag *d = r->found >= KHOOK_MAX_PROBLEMS
                         ? NULL
                         : khook_problem(r, place, "needs.unknown", "%s is no step of this spec",
                                         khook_shown(r, need));
    AUTO(str_vec_done) struct str_vec candidates = {0};
    struct map_iter it = {0};
    str nearest;

    if (!d || need.len > 200 || (*asked)++ >= MAX_NEAREST)
        return;
    while (map_next(names, &it))
        vec_push(&candidates, it.key);
    nearest = diag_nearest(need, candidates.v, candidates.len);
    if (nearest.len)
        khook_hint(r, d, "did you mean \"%.*s\"?", STR_ARG(nearest));
}

/* Turns the names of needs into indexes, each once. */
static void link_needs(struct khook_reader *r, const struct khook_at *steps,
                       const struct map *names)
{
    size_t *needed_by = ARENA_ARRAY(r->arena, size_t, r->spec->step_count + 1); /* the last one */
    int asked = 0;

    for (size_t i = 0; i < r->spec->step_count; i++) {
        struct khook_step *step = &r->spec->steps[i];
        struct khook_at entry = {.up = steps, .index = i, .node = step->head.node};
        struct khook_at needs = khook_at_field(&entry, "needs");
        size_t *to = ARENA_ARRAY(r->arena, size_t, step->needs_names.len + 1);
        struct doc_iter it = doc_children(needs.node);

        step->needs = to;
        khook_enter_step(r, &entry);
        for (size_t j = 0; j < step->needs_names.len && doc_next(&it); j++) {
            str need = step->needs_names.v[j];
            uintptr_t index = (uintptr_t)map_get(names, need);
            struct khook_at place = {.up = &needs, .index = j, .node = it.value};

            if (!index)
                report_unknown(r, &place, need, names, &asked);
            else if (needed_by[index] != i + 1)
                to[step->need_count++] = index - 1;
            needed_by[index] = i + 1;
        }
        khook_leave_step(r);
    }
}

static void report_cycle(struct khook_reader *r, const struct khook_at *steps,
                         const struct run_cycle *cycle)
{
    AUTO(buf_done) struct buf names = {0};
    struct khook_at place = *steps;

    for (size_t i = 0; i < cycle->members.len && i < 100; i++)
        buf_addf(&names, "%s%.*s", i ? ", " : "", STR_ARG(cycle->members.v[i]));
    if (cycle->members.len > 100)
        buf_addf(&names, " and %zu more", cycle->members.len - 100);
    for (size_t i = 0; i < r->spec->step_count && cycle->members.len; i++)
        if (str_eq(r->spec->steps[i].name, cycle->members.v[0])) {
            place.node = r->spec->steps[i].head.node;
            break;
        }
    khook_hint(r,
               khook_problem(r, &place, "needs.cycle",
                             "needs form a cycle; these steps can never start: %s",
                             buf_cstr(&names)),
               "the cycle: %s", buf_cstr(&cycle->path));
}

void khook_link_steps(struct khook_reader *r)
{
    AUTO(map_done) struct map names = {0};
    AUTO(run_cycle_done) struct run_cycle cycle = {0};
    struct khook_spec *spec = r->spec;
    struct khook_at root, steps = steps_place(r, &root);
    struct run_step *nodes = ARENA_ARRAY(r->arena, struct run_step, spec->step_count + 1);
    size_t *levels = ARENA_ARRAY(r->arena, size_t, spec->step_count + 1);

    index_names(r, &steps, &names);
    link_needs(r, &steps, &names);
    for (size_t i = 0; i < spec->step_count; i++)
        nodes[i] = (struct run_step){.name = spec->steps[i].name,
                                     .needs = spec->steps[i].needs,
                                     .need_count = spec->steps[i].need_count};
    if (run_levels(nodes, spec->step_count, levels, &spec->level_count, &cycle) < 0)
        report_cycle(r, &steps, &cycle);
    for (size_t i = 0; i < spec->step_count; i++)
        spec->steps[i].level = levels[i];
}

/* Moves a problem from the beginning of an expression to its place in it, if the expression stands
 * in the spec as it is: on one line, nothing substituted or escaped. */
static void point_into(struct diag *d, str expression, const struct diag *inside)
{
    str at = str_from(d->excerpt, d->column ? d->column - 1 : 0);
    size_t quote = str_starts(at, STR("\"")) || str_starts(at, STR("'"));

    if (inside->line == 1 && str_starts(str_from(at, quote), expression))
        d->column += (uint32_t)quote + inside->column - 1;
}

static void report_uncompiled(struct khook_reader *r, const struct khook_at *place, str expression,
                              const struct err *e)
{
    if (!e->diags)
        khook_problem(r, place, "when.compile", "%s", err_text(e));
    for (size_t i = 0; e->diags && i < e->diags->len; i++) {
        const struct diag *inside = &e->diags->v[i];
        struct diag *d = khook_problem(r, place, "when.compile", "%.*s", STR_ARG(inside->text));

        if (!d)
            return;
        point_into(d, expression, inside);
        d->hint = arena_dup(&r->problems->arena, inside->hint);
    }
}

static void judge(struct khook_reader *r, const struct khook_at *entry, struct khook_step *step,
                  const struct khook_vars *vars, const struct khook_engines *engines)
{
    AUTO(err_done) struct err e = {0};
    struct khook_at place = khook_at_field(entry, "when");

    if (!engines->condition) {
        khook_problem(r, &place, "when.compile",
                      "this build has no CEL engine: conditions cannot be judged");
        return;
    }
    switch (engines->condition(engines->ctx, step->when, vars, &e)) {
    case KHOOK_TRUE:
        break;
    case KHOOK_FALSE:
        step->is_excluded = true;
        break;
    case KHOOK_WHEN_COMPILE:
        report_uncompiled(r, &place, step->when, &e);
        break;
    case KHOOK_WHEN_EVAL:
        khook_problem(r, &place, "when.eval", "%s", err_text(&e));
        break;
    }
}

void khook_judge_conditions(struct khook_reader *r, const struct khook_vars *vars,
                            const struct khook_engines *engines)
{
    struct khook_at root, steps = steps_place(r, &root);

    for (size_t i = 0; i < r->spec->step_count; i++) {
        struct khook_step *step = &r->spec->steps[i];
        struct khook_at entry = {.up = &steps, .index = i, .node = step->head.node};

        if (!step->when.len)
            continue;
        khook_enter_step(r, &entry);
        judge(r, &entry, step, vars, engines);
        khook_leave_step(r);
    }
}
