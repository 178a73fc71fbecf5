/* The phases of reading a spec (khook spec 3): substitution, YAML, structure and rules, the graph,
 * conditions. */
#include "doc/parse.h"
#include "khook/spec/read_priv.h"
#include "res/name.h"

str khook_type_name(enum khook_type type)
{
    static const str names[] = {
#define X(name, text) [name] = STR_INIT(text),
        KHOOK_TYPES(X)
#undef X
    };

    return names[type];
}

void khook_spec_free(struct khook_spec *spec)
{
    if (!spec)
        return;
    for (size_t i = 0; i < spec->waits.len; i++)
        wait_for_done(spec->waits.v[i]);
    vec_done(&spec->waits);
    khook_text_done(&spec->text);
    doc_set_free(spec->set);
    arena_done(&spec->arena);
    mem_free(spec);
}

struct khook_action khook_step_action(const struct khook_step *step)
{
    const void *const blocks[KHOOK_TYPE_COUNT] = {
        [KHOOK_HELM] = step->helm,   [KHOOK_APPLY] = step->apply, [KHOOK_DELETE] = step->del,
        [KHOOK_PATCH] = step->patch, [KHOOK_WAIT] = step->wait,   [KHOOK_ROLLOUT] = step->rollout,
        [KHOOK_JOB] = step->job,
    };
    const struct khook_head *head = blocks[step->type];

    return (struct khook_action){&khook_table_actions[step->type], head, head ? head->node : NULL};
}

/* ---- phases 1 and 2 */

static void problem_at(struct khook_spec *spec, struct diag_list *problems, const char *code,
                       const struct khook_place *place, const char *text)
{
    diag_add(problems, &(struct diag){.code = str_of(code),
                                      .origin = str_of(spec->text.origin),
                                      .line = place->line,
                                      .column = place->column,
                                      .excerpt = place->excerpt,
                                      .text = str_of(text)});
}

/* By its mark, or by a first character that is half a NUL; NULL: it is not UTF-16. */
static const char *utf16_problem(str text)
{
#define CONVERT(name) "is " name ", not UTF-8: `iconv -f " name " -t UTF-8` converts it"
    if (str_starts(text, STR("\xFF\xFE")) || str_starts(text, STR("\xFE\xFF")))
        return CONVERT("UTF-16");
    if (text.len < 2 || !text.p[0] == !text.p[1])
        return NULL;
    return text.p[0] ? CONVERT("UTF-16LE") : CONVERT("UTF-16BE");
#undef CONVERT
}

static bool check_bytes(struct khook_spec *spec, str text, struct diag_list *problems)
{
    AUTO(khook_text_done) struct khook_text bare = {0};
    struct khook_place none = {0}, place;
    const char *utf16 = utf16_problem(text);
    size_t bad = 0;

    if (text.len > KHOOK_MAX_SPEC_BYTES) {
        problem_at(spec, problems, "value.range", &none, "is larger than the limit of 16 MiB");
        return false;
    }
    if (!utf16 && str_is_utf8(text, &bad))
        return true;
    if (spec->text.lines) { /* a variable brought them */
        place = khook_text_place(&spec->text, bad);
    } else {
        khook_text_init(&bare, text, spec->text.origin);
        place = khook_original_place(&bare, bad);
    }
    place.excerpt = STR_NONE;
    problem_at(spec, problems, "yaml.syntax", &place, utf16 ? utf16 : "is no valid UTF-8");
    return false;
}

static size_t offset_of_line(str text, uint32_t line, uint32_t column)
{
    str rest = text, skipped;

    while (line-- > 1 && str_next_line(&rest, &skipped))
        ;
    return MIN((size_t)(rest.p - text.p) + (column ? column - 1 : 0), text.len);
}

/* What the reader says about the substituted text, told about the author's. */
static void add_yaml_problems(struct khook_spec *spec, const struct err *e,
                              struct diag_list *problems)
{
    struct khook_place none = {0};

    if (!e->diags)
        problem_at(spec, problems, "yaml.syntax", &none, err_text(e));
    for (size_t i = 0; e->diags && i < e->diags->len; i++) {
        struct diag d = e->diags->v[i];
        str code = d.code;

        d.code = str_eq(code, STR("yaml.duplicate-key")) ? code : STR("yaml.syntax");
        if (d.line) {
            struct khook_place place = khook_text_place(
                &spec->text, offset_of_line(buf_view(&spec->text.text), d.line, d.column));

            d.line = place.line;
            d.column = place.column;
            d.excerpt = place.excerpt;
        }
        diag_add(problems, &d);
    }
}

static bool parse(struct khook_spec *spec, struct diag_list *problems)
{
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_parse_options options = {
        .dialect = DOC_SPEC,
        .flags = DOC_BORROW,
        .limits.max_expansion = KHOOK_MAX_ALIAS_NODES,
    };

    if (doc_parse_all(spec->set, buf_view(&spec->text.text), &options, spec->text.origin, &roots,
                      &e) < 0) {
        add_yaml_problems(spec, &e, problems);
        return false;
    }
    if (roots.len > 1) {
        struct khook_place place =
            khook_text_place(&spec->text, doc_offset(spec->set, roots.v[1], false));

        problem_at(spec, problems, "yaml.multiple-documents", &place,
                   "a second document begins here; a spec is one document");
        return false;
    }
    spec->document = roots.len ? roots.v[0] : NULL;
    return true;
}

/* ---- phases 3 and 4 */

static void resolve_steps(struct khook_spec *spec)
{
    struct khook_defaults built_in = {
        .timeout_ms = 300000, .retry_delay_ms = 10000, .on_error_word = STR("fail")};
    const struct khook_defaults *defaults = spec->root.defaults ? spec->root.defaults : &built_in;

    for (size_t i = 0; i < spec->step_count; i++) {
        struct khook_step *step = &spec->steps[i];
        const struct khook_table *table = &khook_table_step;

        if (!khook_is_given(&step->head, table, "timeout"))
            step->timeout_ms = defaults->timeout_ms;
        if (!khook_is_given(&step->head, table, "retries"))
            step->retries = defaults->retries;
        if (!khook_is_given(&step->head, table, "retryDelay"))
            step->retry_delay_ms = defaults->retry_delay_ms;
        if (!step->on_error_word.len)
            step->on_error_word = defaults->on_error_word;
        step->on_error = str_eq(step->on_error_word, STR("continue")) ? RUN_CONTINUE : RUN_FAIL;
    }
}

/* The effective values count, also when the block is switched off (7.1). */
static void resolve_state(struct khook_reader *r, const struct khook_at *root)
{
    struct khook_spec *spec = r->spec;
    struct khook_state *state = spec->root.state;
    struct khook_at at = khook_at_field(root, "state"), name = khook_at_field(&at, "name");
    const struct doc_node *value = doc_get_lit(spec->document, "state");

    if (value && doc_is_null(value))
        khook_hint(r,
                   khook_warning(r, &at, "null.block",
                                 "state is null and counts as absent: no "
                                 "record is kept"),
                   "write state: {} to keep one");
    if (!state)
        return;
    spec->has_state = state->enabled;
    spec->state_ns = state->ns;
    spec->state_name = state->name;
    if (state->name.len || !spec->name.len)
        return;
    spec->state_name = arena_printf(r->arena, "khook-state-%.*s", STR_ARG(spec->name));
    if (!res_is_subdomain(spec->state_name) || spec->state_name.len > 253)
        khook_problem(r, &name, res_is_subdomain(spec->state_name) ? "value.range" : "value.format",
                      "metadata.name produces %s, which is no valid name of a Secret; set "
                      "state.name",
                      khook_shown(r, spec->state_name));
}

static void read_document(struct khook_reader *r)
{
    struct khook_spec *spec = r->spec;
    struct khook_at root = {.node = spec->document};

    if (doc_is_null(spec->document)) {
        khook_problem(r, &root, "field.required",
                      "the spec is empty: apiVersion, kind, metadata and steps are required");
        return;
    }
    if (!doc_is_map(spec->document)) {
        khook_problem(r, &root, "field.type", "a spec must be a map, not %s",
                      khook_type_word(spec->document));
        return;
    }
    khook_read_block(r, &root, &khook_table_root, &spec->root);
    spec->name = spec->root.metadata ? spec->root.metadata->name : STR_NONE;
    spec->steps = spec->root.steps.v;
    spec->step_count = spec->root.steps.len;
    resolve_steps(spec);
    resolve_state(r, &root);
}

/* ---- warnings about variables */

static void warn_secrets(struct khook_spec *spec, const struct khook_vars *vars,
                         struct diag_list *problems)
{
    struct map_iter it = {0};

    while (map_next(&vars->by_name, &it)) {
        const struct khook_var *var = it.value;
        size_t shortest = MIN(var->value.len ? var->value.len : SIZE_MAX,
                              var->secret_value.len ? var->secret_value.len : SIZE_MAX);

        if (!var->is_secret)
            continue;
        if (shortest < 4)
            diag_add(problems,
                     &(struct diag){.severity = DIAG_WARNING,
                                    .code = STR("secret.short"),
                                    .field = var->name,
                                    .text = arena_printf(&spec->arena,
                                                         "the secret %.*s is shorter than four "
                                                         "characters: masking it will hide other "
                                                         "text too",
                                                         STR_ARG(var->name))});
        if (var->is_set_flag)
            diag_add(problems,
                     &(struct diag){.severity = DIAG_WARNING,
                                    .code = STR("secret.set"),
                                    .field = var->name,
                                    .text = arena_printf(&spec->arena,
                                                         "the secret %.*s was given with --set: "
                                                         "other users can see command lines",
                                                         STR_ARG(var->name)),
                                    .hint = STR("use the environment or --var-file")});
    }
}

/* ---- all of it */

static bool read_phases(struct khook_spec *spec, str text, const struct khook_vars *vars,
                        const struct khook_engines *engines, struct diag_list *problems)
{
    struct khook_subst_options options = {
        .vars = vars, .pipeline = engines->pipeline, .pipeline_ctx = engines->ctx};
    struct khook_reader r = {.spec = spec, .problems = problems, .arena = &spec->arena};
    const char *origin = spec->text.origin;
    size_t before = problems->errors;

    warn_secrets(spec, vars, problems);
    if (!check_bytes(spec, text, problems))
        return false;
    text = arena_dup(&spec->arena, text);
    khook_subst(text, origin, &options, &spec->text, problems);
    if (problems->errors > before || !check_bytes(spec, buf_view(&spec->text.text), problems) ||
        !parse(spec, problems))
        return false;
    read_document(&r);
    khook_link_steps(&r);
    khook_judge_conditions(&r, vars, engines);
    diag_sort(problems);
    if (r.found > KHOOK_MAX_PROBLEMS)
        diag_add(problems, &(struct diag){.severity = DIAG_WARNING,
                                          .code = STR("problems.limit"),
                                          .text = arena_printf(&spec->arena,
                                                               "%zu further problems are not shown",
                                                               r.found - KHOOK_MAX_PROBLEMS)});
    return problems->errors == before;
}

struct khook_spec *khook_spec_read(str text, const char *origin, const struct khook_vars *vars,
                                   const struct khook_engines *engines, struct diag_list *problems)
{
    struct khook_spec *spec = NEW(struct khook_spec);

    spec->set = doc_set_new();
    spec->text.origin = origin;
    if (read_phases(spec, text, vars, engines, problems))
        return spec;
    khook_spec_free(spec);
    return NULL;
}
