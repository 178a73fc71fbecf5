#include "expr/schema/schema_priv.h"

enum { MAX_DEPTH = 1000 };

static const char type_names[][8] = {
    [DOC_NULL] = "null",     [DOC_BOOL] = "boolean", [DOC_NUMBER] = "number",
    [DOC_STRING] = "string", [DOC_LIST] = "array",   [DOC_MAP] = "object"};

static void add_type_names(uint8_t types, struct buf *out)
{
    static const unsigned order[] = {DOC_NULL,   DOC_BOOL, DOC_NUMBER, 6 /* TYPE_INTEGER */,
                                     DOC_STRING, DOC_LIST, DOC_MAP};

    for (size_t i = 0; i < ARRAY_LEN(order); i++) {
        if (!(types >> order[i] & 1))
            continue;
        if (out->len)
            buf_add_cstr(out, " or ");
        buf_add_cstr(out, order[i] == 6 ? "integer" : type_names[order[i]]);
    }
}

static bool run_type(struct run *r, const struct check *c, const struct doc_node *value,
                     const struct trail *trail)
{
    AUTO(buf_done) struct buf want = {0};

    if (!c->types || c->types >> value->type & 1)
        return true;
    if (c->types & TYPE_INTEGER && value->type == DOC_NUMBER &&
        schema_is_integer(value,
                          r->schema->options.takes_doubles ? SCHEMA_DRAFT_6 : c->resource->draft))
        return true;
    if (r->problems)
        add_type_names(c->types, &want);
    return problem(r, trail, "got %s, want %s", type_names[value->type], buf_cstr(&want));
}

static bool is_composite(const struct doc_node *node)
{
    return doc_is_list(node) || doc_is_map(node);
}

static bool refuse_enum(struct run *r, const struct check *c, const struct trail *trail)
{
    AUTO(buf_done) struct buf want = {0};
    struct doc_iter it = doc_children(c->enumeration);

    if (!r->problems)
        return false;
    while (doc_next(&it)) {
        if (is_composite(it.value))
            return problem(r, trail, "'enum' failed");
        if (want.len)
            buf_add_cstr(&want, ", ");
        problem_value(it.value, &want);
    }
    return problem(r, trail,
                   doc_len(c->enumeration) == 1 ? "value must be %s" : "value must be one of %s",
                   buf_cstr(&want));
}

static bool run_enum(struct run *r, const struct check *c, const struct doc_node *value,
                     const struct trail *trail)
{
    struct doc_iter it = doc_children(c->enumeration);

    while (doc_next(&it))
        if (doc_equal(it.value, value))
            return true;
    return refuse_enum(r, c, trail);
}

static bool run_const(struct run *r, const struct check *c, const struct doc_node *value,
                      const struct trail *trail)
{
    AUTO(buf_done) struct buf want = {0};

    if (doc_equal(c->constant, value))
        return true;
    if (is_composite(c->constant))
        return problem(r, trail, "'const' failed");
    if (r->problems)
        problem_value(c->constant, &want);
    return problem(r, trail, "value must be %s", buf_cstr(&want));
}

static bool run_format(struct run *r, enum schema_format format, const struct doc_node *value,
                       const struct trail *trail)
{
    AUTO(buf_done) struct buf got = {0}, why = {0};

    if (!doc_is_string(value) || schema_format_is_met(format, doc_string(value, STR_NONE), &why))
        return true;
    problem_value(value, &got);
    return problem(r, trail, "%s is not valid %s: %s", buf_cstr(&got), schema_format_name(format),
                   buf_cstr(&why));
}

/* A value that fails here is judged no further. */
static bool run_values(struct run *r, const struct check *c, const struct doc_node *value,
                       const struct trail *trail)
{
    return run_type(r, c, value, trail) && (!c->constant || run_const(r, c, value, trail)) &&
           (!c->enumeration || run_enum(r, c, value, trail)) &&
           (!c->format || run_format(r, c->format, value, trail));
}

static struct marks *marks_new(struct run *r, const struct doc_node *value)
{
    struct marks *m = ARENA_NEW(&r->scratch, struct marks);

    m->len = doc_len(value);
    m->bits = ARENA_ARRAY(&r->scratch, uint64_t, (m->len + 63) / 64);
    return m;
}

bool run_branch(struct run *r, const struct check *c, const struct doc_node *value,
                const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    struct marks *own = marks ? marks_new(r, value) : NULL;

    if (!run_check(r, c, value, scope, trail, own))
        return false;
    for (size_t i = 0; own && i < (own->len + 63) / 64; i++)
        marks->bits[i] |= own->bits[i];
    if (own && own->all)
        marks->all = true;
    return true;
}

/* Without messages. */
static bool run_quietly(struct run *r, const struct check *c, const struct doc_node *value,
                        const struct scope *scope, struct marks *marks)
{
    struct schema_problems *problems = r->problems;
    bool ok;

    r->problems = NULL;
    ok = run_branch(r, c, value, scope, NULL, marks);
    r->problems = problems;
    return ok;
}

static void explain_branches(struct run *r, const struct check_list *list,
                             const struct doc_node *value, const struct scope *scope,
                             const struct trail *trail)
{
    if (!r->problems)
        return;
    r->level++;
    for (size_t i = 0; i < list->len; i++)
        run_branch(r, list->v[i], value, scope, trail, NULL);
    r->level--;
}

static bool run_any(struct run *r, const struct check *c, const struct doc_node *value,
                    const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    bool ok = false;

    for (size_t i = 0; i < c->any_of.len && (!ok || marks); i++)
        ok = run_quietly(r, c->any_of.v[i], value, scope, marks) || ok;
    if (ok)
        return true;
    problem(r, trail, "'anyOf' failed");
    explain_branches(r, &c->any_of, value, scope, trail);
    return false;
}

static bool run_one(struct run *r, const struct check *c, const struct doc_node *value,
                    const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    size_t first = SIZE_MAX;

    for (size_t i = 0; i < c->one_of.len; i++) {
        if (!run_quietly(r, c->one_of.v[i], value, scope, marks))
            continue;
        if (first != SIZE_MAX)
            return problem(r, trail, "'oneOf' failed, subschemas %zu, %zu matched", first, i);
        first = i;
    }
    if (first != SIZE_MAX)
        return true;
    problem(r, trail, "'oneOf' failed, none matched");
    explain_branches(r, &c->one_of, value, scope, trail);
    return false;
}

static bool run_if(struct run *r, const struct check *c, const struct doc_node *value,
                   const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    const struct check *then = run_quietly(r, c->if_, value, scope, marks) ? c->then_ : c->else_;

    return !then || run_branch(r, then, value, scope, trail, marks);
}

static bool run_all(struct run *r, const struct check *c, const struct doc_node *value,
                    const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    size_t from = problem_mark(r);
    bool ok = true;

    for (size_t i = 0; i < c->all_of.len && (ok || r->problems); i++)
        ok = run_branch(r, c->all_of.v[i], value, scope, trail, marks) && ok;
    return ok || problem_heading(r, from, trail, STR("'allOf' failed"));
}

static bool run_logic(struct run *r, const struct check *c, const struct doc_node *value,
                      const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    bool ok = !c->not_ || !run_quietly(r, c->not_, value, scope, NULL) ||
              problem(r, trail, "'not' failed");

    if (c->all_of.len && (ok || r->problems))
        ok = run_all(r, c, value, scope, trail, marks) && ok;
    if (c->any_of.len && (ok || r->problems))
        ok = run_any(r, c, value, scope, trail, marks) && ok;
    if (c->one_of.len && (ok || r->problems))
        ok = run_one(r, c, value, scope, trail, marks) && ok;
    if (c->if_ && (ok || r->problems))
        ok = run_if(r, c, value, scope, trail, marks) && ok;
    return ok;
}

static const struct check *compiled(const struct run *r, const struct doc_node *node)
{
    return map_get(&r->schema->checks, (str){(const char *)&node, sizeof node});
}

/* The outermost resource of the dynamic scope that has the anchor; the target when it is no dynamic
 * one. */
static const struct check *dynamic_target(const struct run *r, const struct dynamic_ref *ref,
                                          const struct scope *scope)
{
    const struct check *target = ref->fallback;

    if (!ref->anchor.len && !ref->fallback->resource->is_recursive)
        return target;
    if (ref->anchor.len || ref->fallback->resource->draft == SCHEMA_DRAFT_2019)
        for (; scope; scope = scope->up) {
            const struct resource *at = scope->resource;
            const struct doc_node *node = ref->anchor.len
                                              ? map_get(&at->dynamic_anchors, ref->anchor)
                                          : at->is_recursive ? at->root
                                                             : NULL;

            if (node && compiled(r, node))
                target = compiled(r, node);
        }
    return target;
}

static bool run_ref(struct run *r, const struct check *target, const struct doc_node *value,
                    const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    size_t from = problem_mark(r);

    if (run_branch(r, target, value, scope, trail, marks))
        return true;
    if (from < problem_mark(r))
        r->problems->all.v[from].is_group = false;
    return false;
}

static bool run_unevaluated(struct run *r, const struct check *c, const struct doc_node *value,
                            const struct scope *scope, const struct trail *trail,
                            struct marks *marks)
{
    const struct check *rule = doc_is_map(value)    ? c->unevaluated_properties
                               : doc_is_list(value) ? c->unevaluated_items
                                                    : NULL;
    struct doc_iter it = doc_children(value);
    bool ok = true;

    if (!rule)
        return true;
    for (size_t i = 0; doc_next(&it); i++) {
        struct trail at = {trail, it.key, i, doc_is_map(value)};

        if (!marks_has(marks, i) && !run_check(r, rule, it.value, scope, &at, NULL))
            ok = false;
    }
    marks->all = true;
    return ok;
}

static bool run_keywords(struct run *r, const struct check *c, const struct doc_node *value,
                         const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    bool is_last = c->unevaluated_items || c->unevaluated_properties;
    struct marks *own = is_last && !marks && doc_len(value) ? marks_new(r, value) : marks;
    bool ok = true;

    if (!run_values(r, c, value, trail))
        return false;
    if (c->ref)
        ok = run_ref(r, c->ref, value, scope, trail, own);
    if (!ok && !r->problems)
        return false;
    ok = (doc_is_map(value)    ? run_object(r, c, value, scope, trail, own)
          : doc_is_list(value) ? run_array(r, c, value, scope, trail, own)
                               : run_scalar(r, c, value, trail)) &&
         ok;
    if (c->dynamic && (ok || r->problems))
        ok = run_ref(r, dynamic_target(r, c->dynamic, scope), value, scope, trail, own) && ok;
    if (ok || r->problems)
        ok = run_logic(r, c, value, scope, trail, own) && ok;
    if (is_last && own && (ok || r->problems))
        ok = run_unevaluated(r, c, value, scope, trail, own) && ok;
    return ok;
}

bool run_check(struct run *r, const struct check *c, const struct doc_node *value,
               const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    struct scope here = {scope, c->resource};
    bool is_other = !scope || scope->resource != c->resource, ok;
    size_t from = problem_mark(r);

    if (c->is_false)
        return problem(r, trail, "false schema");
    if (c->is_empty)
        return true;
    if (r->depth >= MAX_DEPTH) {
        r->is_too_deep = true;
        return false;
    }
    r->depth++;
    ok = run_keywords(r, c, value, is_other ? &here : scope, trail, marks);
    r->depth--;
    if (!ok)
        problem_group(r, from, trail);
    return ok;
}

int schema_check(const struct schema *s, const struct doc_node *value, struct schema_problems *ret,
                 bool *ret_valid, struct err *e)
{
    static const struct doc_node null = {.type = DOC_NULL};
    struct run r = {.schema = s, .problems = ret};
    struct trail start = {0};
    size_t from = problem_mark(&r);

    *ret_valid = run_check(&r, s->root, value ? value : &null, NULL, &start, NULL);
    problem_ungroup(&r, from);
    arena_done(&r.scratch);
    return r.is_too_deep
               ? err_set(e, ERR_LIMIT, "value and schema are nested more than %d deep", MAX_DEPTH)
               : 0;
}
