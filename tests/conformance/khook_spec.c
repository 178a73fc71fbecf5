/* Areas of whole specs: validation, conditions, the graph. */
#include "conformance/khook_case.h"
#include "khook/spec/graph.h"

static void add_message(const struct diag *d, struct buf *out)
{
    buf_addf(out, "%.*s; %.*s", STR_ARG(d->text), STR_ARG(d->hint));
}

/* Is there a problem, or a warning, as `want` describes it? */
static bool is_found(struct khook_case *c, const struct diag_list *list,
                     enum diag_severity severity, const struct doc_node *want)
{
    str code = khook_member(want, "code"), step = khook_member(want, "step");

    for (size_t i = 0; i < list->len; i++) {
        const struct diag *d = &list->v[i];
        AUTO(buf_done) struct buf message = {0};
        size_t before = c->why.len;

        add_message(d, &message);
        if (d->severity != severity || khook_lacks_engine(buf_view(&message)) ||
            (code.len && !str_eq(code, d->code)) || (step.len && !str_eq(step, d->subject)))
            continue;
        if (khook_mentions(c, want, buf_view(&message)))
            return true;
        buf_trunc(&c->why, before);
    }
    return khook_wrong(c, "not found: %.*s %.*s", STR_ARG(code),
                       STR_ARG(doc_text(doc_item(doc_get_lit(want, "mentions"), 0), STR_NONE)));
}

static bool all_found(struct khook_case *c, const struct diag_list *list,
                      enum diag_severity severity, const char *field)
{
    struct doc_iter it = doc_children(doc_get(c->expect, str_of(field)));

    while (doc_next(&it)) {
        if (is_found(c, list, severity, it.value))
            continue;
        for (size_t i = 0; i < list->len; i++)
            khook_wrong(c, "have %.*s: %.*s", STR_ARG(list->v[i].code), STR_ARG(list->v[i].text));
        return false;
    }
    return true;
}

/* ---- facts */

static const struct khook_step *find_step(const struct khook_spec *spec, str name)
{
    for (size_t i = 0; i < spec->step_count; i++)
        if (str_eq(spec->steps[i].name, name))
            return &spec->steps[i];
    return NULL;
}

static bool names_are(struct khook_case *c, const struct khook_spec *spec,
                      const struct doc_node *want, bool excluded_only)
{
    struct doc_iter it = doc_children(want);

    for (size_t i = 0; want && i < spec->step_count; i++) {
        const struct khook_step *step = &spec->steps[i];

        if (excluded_only && !step->is_excluded)
            continue;
        if (!doc_next(&it) || !str_eq(step->name, doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "step %.*s", STR_ARG(step->name));
    }
    return !doc_next(&it) || khook_wrong(c, "too few steps");
}

static bool number_is(struct khook_case *c, const struct doc_node *want, const char *member,
                      int64_t got)
{
    const struct doc_node *n = doc_get(want, str_of(member));

    return !n || doc_int(n, -1) == got || khook_wrong(c, "%s is %lld", member, (long long)got);
}

static bool effective_are(struct khook_case *c, const struct khook_spec *spec,
                          const struct doc_node *want)
{
    struct doc_iter it = doc_children(want);

    while (doc_next(&it)) {
        const struct khook_step *step = find_step(spec, it.key);
        const struct doc_node *on_error = doc_get_lit(it.value, "onError");

        if (!step)
            return khook_wrong(c, "no step %.*s", STR_ARG(it.key));
        if (!number_is(c, it.value, "retries", step->retries) ||
            !number_is(c, it.value, "timeout_ms", step->timeout_ms) ||
            !number_is(c, it.value, "retryDelay_ms", step->retry_delay_ms))
            return false;
        if (on_error &&
            !khook_same(c, "onError", step->on_error == RUN_FAIL ? STR("fail") : STR("continue"),
                        doc_text(on_error, STR_NONE)))
            return false;
    }
    return true;
}

static bool facts_are(struct khook_case *c, const struct khook_spec *spec)
{
    const struct doc_node *facts = doc_get_lit(c->expect, "facts");
    const struct doc_node *state = doc_get_lit(facts, "state");
    struct doc_iter it = doc_children(facts), types;

    if (state && doc_bool(state, false) != spec->has_state)
        return khook_wrong(c, "state is %d", spec->has_state);
    while (doc_next(&it)) {
        str got = str_eq(it.key, STR("name"))              ? spec->name
                  : str_eq(it.key, STR("state_namespace")) ? spec->state_ns
                                                           : spec->state_name;

        if (doc_is_string(it.value) && !khook_same(c, "fact", got, doc_text(it.value, STR_NONE)))
            return false;
    }
    types = doc_children(doc_get_lit(facts, "types"));
    while (doc_next(&types)) {
        const struct khook_step *step = find_step(spec, types.key);

        if (!step ||
            !khook_same(c, "type", khook_type_name(step->type), doc_text(types.value, STR_NONE)))
            return khook_wrong(c, "type of %.*s", STR_ARG(types.key));
    }
    return names_are(c, spec, doc_get_lit(facts, "steps"), false) &&
           names_are(c, spec, doc_get_lit(facts, "excluded"), true) &&
           effective_are(c, spec, doc_get_lit(facts, "effective"));
}

bool khook_area_validation(struct khook_case *c)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free) struct khook_spec *spec = NULL;
    struct khook_engines engines = khook_case_engines();
    bool valid = doc_bool(doc_get_lit(c->expect, "valid"), false);

    khook_case_vars(c, "vars", &vars);
    spec = khook_spec_read(khook_member(c->node, "spec"), "spec.yaml", &vars, &engines, &problems);
    if (valid && !spec)
        return khook_wrong(c, "%.*s: %.*s", STR_ARG(problems.v[0].code),
                           STR_ARG(problems.v[0].text));
    if (!valid)
        return spec ? khook_wrong(c, "it is valid")
                    : all_found(c, &problems, DIAG_ERROR, "problems");
    return all_found(c, &problems, DIAG_WARNING, "warnings") && facts_are(c, spec);
}

/* ---- conditions, graph */

bool khook_area_when(struct khook_case *c)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(err_done) struct err e = {0};
    struct khook_engines engines = khook_case_engines();
    const struct doc_node *result = doc_get_lit(c->expect, "result");
    enum khook_condition got;

    if (!engines.condition)
        return khook_wrong(c, "the CEL engine is not built");
    khook_case_vars(c, "vars", &vars);
    got = engines.condition(engines.ctx, khook_member(c->node, "expr"), &vars, &e);
    if (result)
        return got == (doc_bool(result, false) ? KHOOK_TRUE : KHOOK_FALSE) ||
               khook_wrong(c, "got %d: %s", got, err_text(&e));
    return khook_same(c, "code",
                      got == KHOOK_WHEN_COMPILE ? STR("when.compile")
                      : got == KHOOK_WHEN_EVAL  ? STR("when.eval")
                                                : STR("none"),
                      khook_member(c->expect, "error")) &&
           khook_mentions(c, c->expect, str_of(err_text(&e)));
}

bool khook_area_graph(struct khook_case *c)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_spec_free) struct khook_spec *spec = NULL;
    AUTO(buf_done) struct buf out = {0};
    struct khook_engines engines = khook_case_engines();

    if (doc_get_lit(c->expect, "exit")) /* what the flags refuse */
        return khook_graph_refused(c);
    khook_case_vars(c, "vars", &vars);
    spec = khook_spec_read(khook_member(c->node, "spec"), "spec.yaml", &vars, &engines, &problems);
    if (!spec)
        return khook_wrong(c, "%.*s", STR_ARG(problems.v[0].text));
    if (!khook_graph(spec, khook_member(c->node, "format"), &out))
        return khook_wrong(c, "unknown format");
    return khook_same(c, "output", buf_view(&out), khook_member(c->expect, "output"));
}
