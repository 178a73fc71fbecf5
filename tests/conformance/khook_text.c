/* Areas of single texts: substitution, variables, durations, charts, waits, values, manifests. */
#include "base/duration.h"
#include "base/log.h"
#include "conformance/khook_case.h"
#include "doc/emit.h"
#include "khook/act/object.h"
#include "khook/spec/values.h"
#include "khook/spec/waits.h"

/* ---- substitution, variables */

static bool is_listed(const struct doc_node *list, str text)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (str_eq(doc_text(it.value, STR_NONE), text))
            return true;
    return false;
}

/* The registered values must be, or with subset set contain, the listed ones. */
static bool masked_are(struct khook_case *c, const struct doc_node *want, bool subset)
{
    AUTO(buf_done) struct buf list = {0};
    struct doc_iter it = doc_children(want);
    str rest;

    secret_list(&list);
    for (rest = buf_view(&list); rest.len && !subset;) {
        str value = str_cut(rest, '\0', &rest);

        if (!is_listed(want, value))
            return khook_wrong(c, "\"%.*s\" is registered", STR_ARG(value));
    }
    while (doc_next(&it)) {
        bool found = false;

        for (rest = buf_view(&list); rest.len && !found;)
            found = str_eq(str_cut(rest, '\0', &rest), doc_text(it.value, STR_NONE));
        if (!found)
            return khook_wrong(c, "\"%.*s\" is not registered",
                               STR_ARG(doc_text(it.value, STR_NONE)));
    }
    return true;
}

static bool missing_are(struct khook_case *c, const struct doc_node *want,
                        const struct diag_list *problems)
{
    struct doc_iter it = doc_children(want);

    for (size_t i = 0; i < problems->len; i++) {
        if (!str_eq(problems->v[i].code, STR("substitution.missing")))
            continue;
        if (!doc_next(&it) || !str_eq(doc_text(it.value, STR_NONE), problems->v[i].field))
            return khook_wrong(c, "missing: %.*s", STR_ARG(problems->v[i].field));
    }
    return !doc_next(&it) ||
           khook_wrong(c, "not missing: %.*s", STR_ARG(doc_text(it.value, STR_NONE)));
}

static bool pipeline_errors_are(struct khook_case *c, const struct doc_node *want,
                                const struct diag_list *problems)
{
    AUTO(buf_done) struct buf all = {0};
    struct doc_iter it = doc_children(want);

    for (size_t i = 0; i < problems->len; i++)
        if (str_eq(problems->v[i].code, STR("substitution.pipeline")))
            buf_addf(&all, "%.*s\n", STR_ARG(problems->v[i].text));
    if (khook_lacks_engine(buf_view(&all)) || !all.len)
        return khook_wrong(c, "got: %s", buf_cstr(&all));
    while (doc_next(&it))
        if (!str_contains_nocase(buf_view(&all), doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "no \"%.*s\" in: %s", STR_ARG(doc_text(it.value, STR_NONE)),
                               buf_cstr(&all));
    return true;
}

bool khook_area_substitution(struct khook_case *c)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_text_done) struct khook_text text = {0};
    struct khook_engines engines = khook_case_engines();
    struct khook_subst_options options = {
        .vars = &vars, .pipeline = engines.pipeline, .pipeline_ctx = engines.ctx};
    const struct doc_node *output = doc_get_lit(c->expect, "output");
    const struct doc_node *errors = doc_get_lit(c->expect, "pipeline_errors");
    const struct doc_node *masked = doc_get_lit(c->expect, "masked");
    bool is_right;

    khook_case_vars(c, "vars", &vars);
    khook_subst(khook_member(c->node, "input"), "input", &options, &text, &problems);
    is_right = missing_are(c, doc_get_lit(c->expect, "missing"), &problems);
    if (errors)
        is_right &= pipeline_errors_are(c, errors, &problems);
    if (output && problems.errors)
        is_right = khook_wrong(c, "%.*s", STR_ARG(problems.v[0].text));
    if (output)
        is_right &= khook_same(c, "output", buf_view(&text.text), doc_text(output, STR_NONE));
    return (!masked || masked_are(c, masked, false)) && is_right;
}

static const char *const *texts_of(struct khook_case *c, const struct doc_node *n, bool as_env)
{
    const char **v = ARENA_ARRAY(&c->arena, const char *, doc_len(n) + 1);
    struct doc_iter it = doc_children(n);

    for (size_t i = 0; doc_next(&it); i++)
        v[i] = as_env ? arena_printf(&c->arena, "%.*s=%.*s", STR_ARG(it.key),
                                     STR_ARG(doc_text(it.value, STR_NONE)))
                            .p
                      : arena_cstr(&c->arena, doc_text(it.value, STR_NONE));
    return v;
}

static bool vars_are(struct khook_case *c, const struct khook_vars *vars)
{
    const struct doc_node *want = doc_get_lit(c->expect, "vars");
    const struct doc_node *secrets = doc_get_lit(c->expect, "secret_names");
    struct map_iter it = {0};

    if (vars->by_name.len != doc_len(want))
        return khook_wrong(c, "%zu variables", vars->by_name.len);
    while (map_next(&vars->by_name, &it)) {
        const struct khook_var *var = it.value;

        if (!khook_same(c, "value", var->value, doc_text(doc_get(want, it.key), STR_NONE)) ||
            !doc_get(want, it.key))
            return false;
        if (secrets && var->is_secret != is_listed(secrets, var->name))
            return khook_wrong(c, "%.*s: secret is %d", STR_ARG(var->name), var->is_secret);
    }
    return masked_are(c, doc_get_lit(c->expect, "masked"), true);
}

bool khook_area_variables(struct khook_case *c)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(err_done) struct err e = {0};
    const struct doc_node *sets = doc_get_lit(c->node, "set");
    const struct doc_node *file = doc_get_lit(c->node, "var_file");
    struct khook_var_options options = {
        .env = texts_of(c, doc_get_lit(c->node, "env"), true),
        .var_prefix = khook_member(c->node, "var_prefix"),
        .secret_prefix = khook_member(c->node, "secret_prefix"),
        .var_file = file ? "vars.yaml" : NULL,
        .var_file_text = doc_text(file, STR_NONE),
        .sets = texts_of(c, sets, false),
        .set_count = doc_len(sets),
    };
    int rc = khook_vars_load(&vars, &options, &e);

    if (!doc_get_lit(c->expect, "error"))
        return rc < 0 ? khook_wrong(c, "%s", err_text(&e)) : vars_are(c, &vars);
    if (rc == 0 || e.kind != ERR_USAGE)
        return khook_wrong(c, "no usage error: %s", err_text(&e));
    return khook_mentions(c, c->expect, str_of(err_text(&e)));
}

/* ---- durations, redaction */

bool khook_area_duration(struct khook_case *c)
{
    const struct doc_node *want = doc_get_lit(c->expect, "ms");
    int64_t ms = -1;
    bool is_good = duration_parse_ms(khook_member(c->node, "text"), &ms);
    str code = !is_good ? STR("value.format") : ms < 0 ? STR("value.range") : STR("");

    if (want)
        return (is_good && ms == doc_int(want, -2)) || khook_wrong(c, "got %lld", (long long)ms);
    return khook_same(c, "code", code, khook_member(c->expect, "error"));
}

bool khook_area_redaction(struct khook_case *c)
{
    AUTO(buf_done) struct buf out = {0};
    struct doc_iter it = doc_children(doc_get_lit(c->node, "values"));

    while (doc_next(&it))
        secret_add(doc_text(it.value, STR_NONE));
    if (doc_get_lit(c->node, "result"))
        return khook_redacted_result(c);
    secret_mask(khook_member(c->node, "text"), &out);
    return khook_same(c, "output", buf_view(&out), khook_member(c->expect, "output"));
}

/* ---- chart, waits */

bool khook_area_chart(struct khook_case *c)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf display = {0};
    const struct doc_node *helm = doc_get_lit(c->node, "helm");
    const struct doc_node *auth = doc_get_lit(helm, "auth");
    const struct doc_node *want = doc_get_lit(c->expect, "source");
    struct khook_chart_fields fields = {
        .chart = khook_member(helm, "chart"),
        .repo = khook_member(helm, "repo"),
        .version = khook_member(helm, "version"),
        .has_auth = auth != NULL,
        .username = khook_member(auth, "username"),
        .password = khook_member(auth, "password"),
    };
    struct khook_chart_source got;
    int rc = khook_chart_resolve(&fields, &c->arena, &got, &e);

    if (!want)
        return rc == 0 ? khook_wrong(c, "no error")
                       : khook_mentions(c, doc_get_lit(c->expect, "error"), str_of(err_text(&e)));
    if (rc < 0)
        return khook_wrong(c, "%s", err_text(&e));
    khook_chart_display(&got, &display);
    return khook_same(c, "form", str_of(khook_chart_form_name(got.form)),
                      khook_member(want, "form")) &&
           khook_same(c, "ref", got.ref, khook_member(want, "ref")) &&
           khook_same(c, "repo", got.repo, khook_member(want, "repo")) &&
           khook_same(c, "version", got.version, khook_member(want, "version")) &&
           khook_same(c, "username", got.username, khook_member(want, "username")) &&
           khook_same(c, "password", got.password, khook_member(want, "password")) &&
           khook_same(c, "display", buf_view(&display), khook_member(c->expect, "display"));
}

bool khook_area_waitfor(struct khook_case *c)
{
    static const char *const modes[] = {
        [WAIT_DELETE] = "delete", [WAIT_CONDITION] = "condition", [WAIT_JSONPATH] = "jsonpath"};
    AUTO(err_done) struct err e = {0};
    AUTO(wait_for_done) struct wait_for w = {0};
    bool is_apply = str_eq(khook_member(c->node, "context"), STR("apply"));
    int rc = khook_wait_parse(khook_member(c->node, "expr"), is_apply, &w, &e);

    if (!doc_get_lit(c->expect, "mode"))
        return rc == 0 ? khook_wrong(c, "no error")
                       : khook_mentions(c, doc_get_lit(c->expect, "error"), str_of(err_text(&e)));
    if (rc < 0)
        return khook_wrong(c, "%s", err_text(&e));
    return khook_same(c, "mode", str_of(modes[w.kind]), khook_member(c->expect, "mode")) &&
           khook_same(c, "expr", w.name, khook_member(c->expect, "expr")) &&
           khook_same(c, "value", w.value, khook_member(c->expect, "value"));
}

/* ---- values, manifests */

bool khook_area_values(struct khook_case *c)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_iter it = doc_children(doc_get_lit(c->node, "layers"));
    const struct doc_node *want = doc_get_lit(c->expect, "error");
    struct doc_node *values = doc_new_map(set);
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf json = {0};

    while (doc_next(&it)) {
        const struct doc_node *layer =
            khook_values_parse(set, doc_text(it.value, STR_NONE), "values.yaml", &e);

        if (!layer)
            break;
        khook_values_merge(set, values, layer);
    }
    if (want && e.kind == ERR_NONE)
        return khook_wrong(c, "no error");
    if (want)
        return str_contains_nocase(str_of(err_text(&e)), doc_text(want, STR_NONE)) ||
               khook_wrong(c, "%s", err_text(&e));
    if (e.kind != ERR_NONE)
        return khook_wrong(c, "%s", err_text(&e));
    doc_emit_json(values, 0, &json);
    return khook_json_is(c, buf_view(&json), doc_get_lit(c->expect, "result"), false);
}

static bool objects_are(struct khook_case *c, const struct khook_objects *objects)
{
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "objects"));

    for (size_t i = 0; i < objects->list.len; i++) {
        const struct khook_object *o = &objects->list.v[i];
        AUTO(buf_done) struct buf id = {0};

        khook_object_id(o->kind, o->name, o->ns, &id);
        if (!doc_next(&it))
            return khook_wrong(c, "one more: %s", buf_cstr(&id));
        if (!khook_same(c, "object", buf_view(&id), doc_text(it.value, STR_NONE)))
            return false;
    }
    return !doc_next(&it) || khook_wrong(c, "only %zu objects", objects->list.len);
}

bool khook_area_manifests(struct khook_case *c)
{
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "error"));
    AUTO(err_done) struct err e = {0};
    int rc;

    khook_objects_init(&objects);
    rc = khook_manifests_parse(&objects, khook_member(c->node, "text"), 0,
                               &(struct khook_origin){.name = "inline"}, &e);
    if (rc == 0)
        rc = khook_objects_require(&objects, &e);
    if (doc_get_lit(c->expect, "objects"))
        return rc < 0 ? khook_wrong(c, "%s", err_text(&e)) : objects_are(c, &objects);
    if (rc == 0)
        return khook_wrong(c, "no error");
    while (doc_next(&it))
        if (!str_contains_nocase(str_of(err_text(&e)), doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "%s", err_text(&e));
    return true;
}
