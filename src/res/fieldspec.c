#include "res/fieldspec.h"

#include "base/vec.h"
#include "doc/path.h"

enum { MAX_DEPTH = 1000 };

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

int res_field_spec_visit(struct doc_set *set, struct doc_node *object,
                         const struct res_field_spec *spec, enum doc_type made, res_field_fn *visit,
                         void *ctx, struct err *e)
{
    AUTO(doc_path_done) struct doc_path path = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(buf_done) struct buf name = {0};
    struct visit v = {set, spec, &path, made, visit, ctx, e};
    struct res_id id = res_id_of(object);

    if (!res_gvk_selected(&id.gvk, &spec->gvk))
        return 0;
    doc_path_split(&arena, spec->path, '/', &path);
    if (path.len == 0)
        vec_push(&path, STR_NONE);
    if (visit_at(&v, object, 0, 0) == 0)
        return 0;
    res_id_print(&id, &name);
    return err_wrap(e, "considering field '%.*s' of object %s", STR_ARG(spec->path),
                    buf_cstr(&name));
}
