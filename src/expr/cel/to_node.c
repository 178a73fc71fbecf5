/* Values as documents: what is printed of a result. */
#include "base/escape.h"
#include "expr/cel/cel_priv.h"

enum { MAX_DEPTH = 1000 };

struct copier {
    struct doc_set *set;
    struct arena *arena;
    struct err *e;
};

static struct doc_node *copy(struct copier *c, const struct cel_value *v, int depth);

static struct doc_node *copy_list(struct copier *c, const struct cel_list *list, int depth)
{
    struct doc_node *out = doc_new_list(c->set);

    for (size_t i = 0; i < list->len; i++) {
        struct doc_node *item = copy(c, &list->v[i], depth + 1);

        if (!item)
            return NULL;
        doc_append(out, item);
    }
    return out;
}

static struct doc_node *copy_map(struct copier *c, const struct cel_map *map, int depth)
{
    const struct cel_entry *entries = cel_map_entries(c->arena, map);
    struct doc_node *out = doc_new_map(c->set);
    size_t len = cel_map_len(map);

    for (size_t i = 0; i < len; i++) {
        struct cel_value key = cel_to_string(c->arena, &entries[i].key);
        struct doc_node *value = copy(c, &entries[i].value, depth + 1);

        if (!value)
            return NULL;
        doc_set_field(c->set, out, key.kind == CEL_STRING ? key.s : STR_NONE, value);
    }
    return out;
}

static struct doc_node *copy_bytes(struct copier *c, str bytes)
{
    AUTO(buf_done) struct buf text = {0};

    escape_base64(bytes, true, &text);
    return doc_new_string(c->set, buf_view(&text));
}

static struct doc_node *copy_double(struct copier *c, double d)
{
    AUTO(buf_done) struct buf text = {0};

    cel_add_double(d, &text);
    if (d - d != 0) /* infinite or no number: no JSON */
        return doc_new_string(c->set, buf_view(&text));
    return doc_new_number(c->set, buf_view(&text));
}

static struct doc_node *copy_text(struct copier *c, const struct cel_value *v)
{
    struct cel_value text = cel_to_string(c->arena, v);

    return doc_new_string(c->set, text.kind == CEL_STRING ? text.s : STR_NONE);
}

static struct doc_node *copy(struct copier *c, const struct cel_value *v, int depth)
{
    AUTO(buf_done) struct buf text = {0};

    if (depth > MAX_DEPTH) {
        err_set(c->e, ERR_LIMIT, "the value is nested deeper than %d", MAX_DEPTH);
        return NULL;
    }
    switch (v->kind) {
    case CEL_ERROR:
        err_set(c->e, ERR_INVALID, "%.*s", STR_ARG(v->error->text));
        return NULL;
    case CEL_NULL:
        return doc_new_null(c->set);
    case CEL_BOOL:
        return doc_new_bool(c->set, v->b);
    case CEL_INT:
        return doc_new_int(c->set, v->i);
    case CEL_UINT:
        buf_addf(&text, "%llu", (unsigned long long)v->u);
        return doc_new_number(c->set, buf_view(&text));
    case CEL_DOUBLE:
        return copy_double(c, v->d);
    case CEL_STRING:
        return doc_new_string(c->set, v->s);
    case CEL_BYTES:
        return copy_bytes(c, v->s);
    case CEL_LIST:
        return copy_list(c, v->list, depth);
    case CEL_MAP:
        return copy_map(c, v->map, depth);
    case CEL_TIMESTAMP:
    case CEL_DURATION:
        return copy_text(c, v);
    case CEL_TYPE:
        return doc_new_string(c->set, cel_type_runtime_name(v->type));
    case CEL_OPTIONAL:
        return v->inner ? copy(c, v->inner, depth + 1) : doc_new_null(c->set);
    case CEL_OBJECT:
        return doc_new_string(c->set, v->object->text);
    }
    return NULL;
}

struct doc_node *cel_to_node(struct doc_set *set, struct arena *arena, const struct cel_value *v,
                             struct err *e)
{
    struct copier c = {set, arena, e};

    return copy(&c, v, 0);
}
