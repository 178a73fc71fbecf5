/* Running templates: actions, control structures, templates inside templates (template spec 4). */
#include "expr/gotmpl/eval_priv.h"
#include "expr/gotmpl/objects_priv.h"

enum walk { WALK_FAILED = -1, WALK_ON, WALK_BREAK, WALK_CONTINUE };

static enum walk walk_list(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *list);

static enum walk add_text(struct tmpl_run *r, str text)
{
    if (UNLIKELY(r->out->len + text.len > r->options.limits.max_output)) {
        trun_limit(r, "the output is larger than %zu bytes", r->options.limits.max_output);
        return WALK_FAILED;
    }
    buf_add_str(r->out, text);
    return WALK_ON;
}

static enum walk print(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value v)
{
    trun_at(r, n);
    if (v.type == TMPL_STRING)
        return add_text(r, tmpl_text(v));
    if (tmpl_is_nil(v))
        return add_text(r, STR("<no value>"));
    if (!struct_print_self(r, v, r->out))
        value_print(r, v, r->out);
    return r->e->kind == ERR_NONE ? add_text(r, STR_NONE) : WALK_FAILED;
}

static enum walk walk_action(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n)
{
    struct tmpl_value v;

    if (eval_pipeline(r, dot, n->control.pipe, &v) < 0)
        return WALK_FAILED;
    return n->control.pipe->pipe.variables.len ? WALK_ON : print(r, n, v);
}

static enum walk walk_if_with(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n)
{
    struct tmpl_value v;

    if (eval_pipeline(r, dot, n->control.pipe, &v) < 0)
        return WALK_FAILED;
    if (value_truth(r, v))
        return walk_list(r, n->kind == NODE_WITH ? v : dot, n->control.list);
    return n->control.else_list ? walk_list(r, dot, n->control.else_list) : WALK_ON;
}

/* ---- range */

/* One round: WALK_BREAK ends the loop. */
static enum walk one_round(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value index,
                           struct tmpl_value item)
{
    const struct node_list *variables = &n->control.pipe->pipe.variables;
    enum walk way;

    if (trun_step(r) < 0)
        return WALK_FAILED;
    if (variables->len > 1)
        r->vars.v[r->base + variables->v[0]->chain.slot] = index;
    if (variables->len)
        r->vars.v[r->base + variables->v[variables->len - 1]->chain.slot] = item;
    way = walk_list(r, item, n->control.list);
    return way == WALK_CONTINUE ? WALK_ON : way;
}

static enum walk range_int(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value v,
                           bool *ret_any)
{
    enum walk way = WALK_ON;
    int64_t count = v.i;

    *ret_any = count > 0;
    for (v.i = 0; v.i < count && way == WALK_ON; v.i++)
        way = one_round(r, n, TMPL_NOTHING, v);
    return way;
}

/* A duration is an integer to Go: its nanoseconds, each a duration. */
static enum walk range_duration(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value v,
                                bool *ret_any)
{
    enum walk way = WALK_ON;
    int64_t count = duration_of(v);

    *ret_any = count > 0;
    for (int64_t i = 0; i < count && way == WALK_ON; i++)
        way = trun_room(r, 0) < 0 ? WALK_FAILED
                                  : one_round(r, n, TMPL_NOTHING, object_of_duration(r, i));
    return way;
}

static enum walk range_list(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value v,
                            bool *ret_any)
{
    const struct tmpl_value *items = v.len ? value_items(r, v) : NULL;
    enum walk way = WALK_ON;

    *ret_any = v.len > 0;
    for (uint32_t i = 0; i < v.len && way == WALK_ON; i++) {
        struct tmpl_value item = items[i];

        if (v.elem == TMPL_ANY)
            item.flags |= TMPL_IN_ANY;
        way = one_round(r, n, tmpl_int(i), item);
    }
    return way;
}

static enum walk range_map(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value v,
                           bool *ret_any)
{
    size_t count;
    const struct tmpl_entry *entries = value_entries(r, v, &count);
    enum walk way = WALK_ON;

    *ret_any = count > 0;
    for (size_t i = 0; i < count && way == WALK_ON; i++)
        way = one_round(r, n, tmpl_string(entries[i].key), entries[i].value);
    return way;
}

static enum walk range_over(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value v,
                            bool *ret_any)
{
    AUTO(buf_done) struct buf shown = {0};
    bool is_count;

    if (v.type == TMPL_LIST)
        return range_list(r, n, v, ret_any);
    if (v.type == TMPL_MAP)
        return range_map(r, n, v, ret_any);
    if (v.type == TMPL_INVALID)
        return WALK_ON;
    is_count = tmpl_is_int(v) || value_is(v, &object_duration);
    if (is_count && n->control.pipe->pipe.variables.len <= 1)
        return tmpl_is_int(v) ? range_int(r, n, v, ret_any) : range_duration(r, n, v, ret_any);
    if (value_is_struct(v))
        struct_print(r, v, &shown);
    else
        value_print(r, v, &shown);
    if (is_count) {
        trun_fail(r, "can't use %s to iterate over more than one variable", buf_cstr(&shown));
        return WALK_FAILED;
    }
    trun_fail(r, "range can't iterate over %s", buf_cstr(&shown));
    return WALK_FAILED;
}

static enum walk walk_range(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n)
{
    bool any = false;
    struct tmpl_value v;
    enum walk way;

    if (eval_pipeline(r, dot, n->control.pipe, &v) < 0)
        return WALK_FAILED;
    way = range_over(r, n, v, &any);
    if (way == WALK_FAILED)
        return way;
    return !any && n->control.else_list ? walk_list(r, dot, n->control.else_list) : WALK_ON;
}

/* ---- templates */

int trun_template(struct tmpl_run *r, const struct tmpl_template *t, struct tmpl_value dot)
{
    const struct tmpl_template *caller = r->template;
    const struct tmpl_node *node = r->node;
    size_t base = r->base, len = r->vars.len;
    enum walk way;

    if (dot.type == TMPL_NIL)
        dot = TMPL_NOTHING; /* data that is nil has no type: its fields are missing, not refused */
    vec_reserve(&r->vars, t->slots);
    r->base = len;
    r->vars.len = len + t->slots;
    memset(&r->vars.v[len], 0, t->slots * sizeof(*r->vars.v));
    r->vars.v[len] = dot;
    r->template = t;
    r->depth++;
    way = walk_list(r, dot, t->root);
    r->depth--;
    r->template = caller;
    r->node = node;
    r->vars.len = len;
    r->base = base;
    return way == WALK_FAILED ? -1 : 0;
}

static enum walk walk_template(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n)
{
    const struct tmpl_template *t = set_find(r->set, n->control.name);
    struct tmpl_value inner = TMPL_NOTHING;

    if (!t) {
        trun_fail(r, "template \"%.*s\" not defined", STR_ARG(n->control.name));
        return WALK_FAILED;
    }
    if (r->depth >= r->options.limits.max_depth) {
        trun_limit(r, "exceeded maximum template depth (%u)", r->options.limits.max_depth);
        return WALK_FAILED;
    }
    if (trun_step(r) < 0 || (n->control.pipe && eval_pipeline(r, dot, n->control.pipe, &inner) < 0))
        return WALK_FAILED;
    return trun_template(r, t, inner) < 0 ? WALK_FAILED : WALK_ON;
}

static enum walk walk(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n)
{
    trun_at(r, n);
    switch ((enum node_kind)n->kind) {
    case NODE_TEXT:
        return add_text(r, n->text);
    case NODE_ACTION:
        return walk_action(r, dot, n);
    case NODE_IF:
    case NODE_WITH:
        return walk_if_with(r, dot, n);
    case NODE_RANGE:
        return walk_range(r, dot, n);
    case NODE_BREAK:
        return WALK_BREAK;
    case NODE_CONTINUE:
        return WALK_CONTINUE;
    case NODE_TEMPLATE:
        return walk_template(r, dot, n);
    default:
        return walk_list(r, dot, n);
    }
}

static enum walk walk_list(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *list)
{
    enum walk way = WALK_ON;

    for (uint32_t i = 0; i < list->list.len && way == WALK_ON; i++)
        way = walk(r, dot, list->list.v[i]);
    return way;
}
