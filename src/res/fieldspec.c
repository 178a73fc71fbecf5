#include "res/fieldspec.h"

#include "base/vec.h"
#include "doc/path.h"

enum { MAX_DEPTH = 1000 };

struct row {
    struct res_field_spec spec;
    struct doc_path path;
};

struct visit {
    struct doc_set *set;
    const struct res_field_spec *spec;
    const struct doc_path *path;
    enum doc_type made;
    res_field_fn *fn;
    void *ctx;
    struct err *e;
};

static int visit_at(struct visit *v, struct doc_node *n, size_t step, int depth);

static struct doc_node *new_node(struct doc_set *set, enum doc_type type)
{
    return type == DOC_MAP    ? doc_new_map(set)
           : type == DOC_LIST ? doc_new_list(set)
                              : doc_new_string(set, STR_NONE);
}

/* The field of a map for a step, made or given its type where that is wanted; NULL when there is
 * none. */
static struct doc_node *field_at(struct visit *v, struct doc_node *map, str name, bool is_list,
                                 bool is_last)
{
    struct doc_node *field = doc_get(map, name);
    enum doc_type type = DOC_NULL;

    if (is_list)
        type = DOC_LIST;
    else if (v->spec->create && v->made != DOC_NULL)
        type = is_last ? v->made : DOC_MAP;
    if (!field && (is_list || type == DOC_NULL))
        return NULL;
    if (!field)
        return doc_set_field(v->set, map, name, new_node(v->set, type));
    if (type != DOC_NULL && doc_is_null(field))
        doc_replace(field, new_node(v->set, type));
    return field;
}

static int visit_map(struct visit *v, struct doc_node *map, size_t step, int depth)
{
    str name = v->path->v[step];
    bool is_list = str_ends(name, STR("[]"));
    struct doc_node *field;

    if (is_list)
        name.len -= 2;
    if (name.len == 0)
        return err_set(v->e, ERR_INVALID, "cannot set or create an empty field name");
    field = field_at(v, map, name, is_list, step + 1 == v->path->len);
    return field ? visit_at(v, field, step + 1, depth + 1) : 0;
}

static int visit_list(struct visit *v, struct doc_node *list, size_t step, int depth)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (visit_at(v, it.value, step, depth + 1) < 0)
            return -1;
    return 0;
}

static int visit_at(struct visit *v, struct doc_node *n, size_t step, int depth)
{
    if (step == v->path->len)
        return v->fn(v->ctx, v->set, n, v->e);
    if (depth > MAX_DEPTH)
        return err_set(v->e, ERR_LIMIT, "nested too deeply");
    switch (doc_type(n)) {
    case DOC_NULL:
        return 0;
    case DOC_MAP:
        return visit_map(v, n, step, depth);
    case DOC_LIST:
        return visit_list(v, n, step, depth);
    case DOC_ALIAS:
        return visit_at(v, n->extra->target, step, depth + 1);
    case DOC_BOOL:
    case DOC_NUMBER:
    case DOC_STRING:
        break;
    }
    return err_set(v->e, ERR_INVALID, "expected sequence or mapping node");
}

static void divide(struct arena *arena, str path, struct doc_path *ret)
{
    doc_path_split(arena, path, '/', ret);
    if (ret->len == 0)
        vec_push(ret, STR_NONE);
}

static int visit_row(struct visit *v, struct doc_node *object, const struct res_id *id)
{
    AUTO(buf_done) struct buf name = {0};

    if (visit_at(v, object, 0, 0) == 0)
        return 0;
    res_id_print(id, &name);
    return err_wrap(v->e, "considering field '%.*s' of object %s", STR_ARG(v->spec->path),
                    buf_cstr(&name));
}

int res_field_spec_visit(struct doc_set *set, struct doc_node *object,
                         const struct res_field_spec *spec, enum doc_type made, res_field_fn *visit,
                         void *ctx, struct err *e)
{
    AUTO(doc_path_done) struct doc_path path = {0};
    AUTO(arena_done) struct arena arena = {0};
    struct visit v = {set, spec, &path, made, visit, ctx, e};
    struct res_id id = res_id_of(object);

    if (!res_gvk_selected(&id.gvk, &spec->gvk))
        return 0;
    divide(&arena, spec->path, &path);
    return visit_row(&v, object, &id);
}

/* ---- plans */

/* The rows that select a kind. */
struct choice {
    struct res_gvk gvk;
    uint32_t *rows;
    size_t count;
};

struct res_field_plan {
    struct arena arena; /* choices, their texts, steps of paths */
    struct row *rows;
    size_t count;
    struct choice **slots; /* open-addressed, by hash of the kind; never more than half full */
    size_t slot_count, used;
    struct choice *last; /* found last: objects of a kind tend to come in a row */
};

struct res_field_plan *res_field_plan_new(const struct res_field_spec *specs, size_t count)
{
    struct res_field_plan *plan = NEW(struct res_field_plan);

    plan->rows = ARENA_ARRAY(&plan->arena, struct row, count);
    plan->count = count;
    for (size_t i = 0; i < count; i++) {
        plan->rows[i].spec = specs[i];
        divide(&plan->arena, specs[i].path, &plan->rows[i].path);
    }
    return plan;
}

void res_field_plan_free(struct res_field_plan *plan)
{
    if (!plan)
        return;
    for (size_t i = 0; i < plan->count; i++)
        doc_path_done(&plan->rows[i].path);
    mem_free(plan->slots);
    arena_done(&plan->arena);
    mem_free(plan);
}

static size_t slot_of(const struct res_field_plan *plan, const struct res_gvk *gvk)
{
    size_t at = str_hash(gvk->kind) ^ (str_hash(gvk->group) * 31);

    for (at &= plan->slot_count - 1; plan->slots[at]; at = (at + 1) & (plan->slot_count - 1))
        if (res_gvk_eq(&plan->slots[at]->gvk, gvk))
            break;
    return at;
}

static void grow(struct res_field_plan *plan)
{
    struct choice **old = plan->slots;
    size_t count = plan->slot_count;

    if (plan->used * 2 < count)
        return;
    plan->slot_count = MAX(count * 2, (size_t)16);
    plan->slots = mem_zalloc(plan->slot_count * sizeof(*plan->slots));
    for (size_t i = 0; i < count; i++)
        if (old[i])
            plan->slots[slot_of(plan, &old[i]->gvk)] = old[i];
    mem_free(old);
}

static struct choice *choose(struct res_field_plan *plan, const struct res_gvk *gvk)
{
    struct choice *c = ARENA_NEW(&plan->arena, struct choice);

    c->gvk.group = arena_dup(&plan->arena, gvk->group);
    c->gvk.version = arena_dup(&plan->arena, gvk->version);
    c->gvk.kind = arena_dup(&plan->arena, gvk->kind);
    c->rows = ARENA_ARRAY(&plan->arena, uint32_t, plan->count);
    for (size_t i = 0; i < plan->count; i++)
        if (res_gvk_selected(gvk, &plan->rows[i].spec.gvk))
            c->rows[c->count++] = (uint32_t)i;
    return c;
}

static struct choice *choice_of(struct res_field_plan *plan, const struct res_gvk *gvk)
{
    size_t at;

    if (plan->last && res_gvk_eq(&plan->last->gvk, gvk))
        return plan->last;
    grow(plan);
    at = slot_of(plan, gvk);
    if (!plan->slots[at]) {
        plan->slots[at] = choose(plan, gvk);
        plan->used++;
    }
    return plan->last = plan->slots[at];
}

int res_field_plan_visit(struct res_field_plan *plan, struct doc_set *set, struct doc_node *object,
                         const struct res_id *id, enum doc_type made, res_field_fn *visit,
                         void *ctx, struct err *e)
{
    const struct choice *c = choice_of(plan, &id->gvk);

    for (size_t i = 0; i < c->count; i++) {
        const struct row *row = &plan->rows[c->rows[i]];
        struct visit v = {set, &row->spec, &row->path, made, visit, ctx, e};

        if (visit_row(&v, object, id) < 0)
            return -1;
    }
    return 0;
}
