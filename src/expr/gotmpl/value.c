#include "expr/gotmpl/objects_priv.h"

enum { LONG_LIST = 64 /* items from which on a list of a document gets an array */ };

/* ---- documents as values */

static struct tmpl_value number_of(const struct doc_node *n, bool ints)
{
    int64_t i;
    double f = 0;

    if (n->is_int && (ints || (n->extra && str_eq(n->extra->tag, TMPL_TAG_INT64))) &&
        doc_to_int64(n, &i))
        return ints ? tmpl_int(i) : tmpl_int64(i);
    if (n->is_int && n->len < 16 && doc_to_int64(n, &i) && i)
        return tmpl_float((double)i); /* exact, and faster than strtod; -0 has a sign */
    doc_to_double(n, &f);
    return tmpl_float(f);
}

struct tmpl_value tmpl_doc(const struct doc_node *n, bool ints)
{
    struct tmpl_value v = {.flags = TMPL_IS_DOC | (ints ? TMPL_INTS_TOO : 0), .node = n};

    switch (doc_type(n)) {
    case DOC_NULL:
        return (struct tmpl_value){.type = TMPL_NIL};
    case DOC_BOOL:
        return tmpl_bool(n->bool_val);
    case DOC_NUMBER:
        return number_of(n, ints);
    case DOC_STRING:
        return tmpl_string((str){n->text, n->len});
    case DOC_LIST:
        v.type = TMPL_LIST;
        v.len = n->len;
        return v;
    case DOC_MAP:
        v.type = TMPL_MAP;
        return v;
    case DOC_ALIAS:
        return tmpl_doc(n->extra->target, ints);
    }
    return TMPL_NOTHING;
}

struct tmpl_value tmpl_doc_values(const struct doc_node *map)
{
    struct tmpl_value v = tmpl_doc(map, false);

    if (v.type == TMPL_MAP)
        v.elem = TMPL_VALUES;
    return v;
}

static struct tmpl_value child_of(struct tmpl_value parent, const struct doc_node *child)
{
    struct tmpl_value v = tmpl_doc(child, parent.flags & TMPL_INTS_TOO);

    v.flags |= TMPL_IN_ANY;
    return v;
}

static str address_key(const struct doc_node *const *node)
{
    return (str){(const char *)node, sizeof(*node)};
}

/* What stands in for a document's map that was changed, or NULL. */
static struct tmpl_map *stand_in(struct tmpl_run *r, struct tmpl_value v)
{
    if (!(v.flags & TMPL_IS_DOC))
        return v.map;
    return LIKELY(r->thawed.len == 0) ? NULL : map_get(&r->thawed, address_key(&v.node));
}

struct tmpl_map *value_thaw(struct tmpl_run *r, struct tmpl_value v)
{
    struct tmpl_map *map = stand_in(r, v);
    struct doc_iter it = doc_children(v.flags & TMPL_IS_DOC ? v.node : NULL);
    const struct doc_node **key;

    if (map || !(v.flags & TMPL_IS_DOC))
        return map;
    map = tmpl_map_new(&r->arena, TMPL_ANY);
    while (doc_next(&it))
        tmpl_map_set(map, it.key, child_of(v, it.value));
    key = arena_alloc(&r->arena, sizeof(const struct doc_node *));
    *key = v.node;
    map_put(&r->thawed, address_key(key), map);
    return map;
}

/* ---- lists */

const struct tmpl_value *value_items(struct tmpl_run *r, struct tmpl_value list)
{
    struct doc_iter it = doc_children(list.flags & TMPL_IS_DOC ? list.node : NULL);
    struct tmpl_value *items;
    const struct doc_node **key;
    size_t n = 0;

    if (list.elem == TMPL_BYTES) {
        items = trun_array(r, list.len);
        for (; n < list.len; n++)
            items[n] = (struct tmpl_value){.type = TMPL_UINT8, .u = (unsigned char)list.s[n]};
        return items;
    }
    if (!(list.flags & TMPL_IS_DOC))
        return list.items;
    items = list.len > LONG_LIST ? map_get(&r->arrays, address_key(&list.node)) : NULL;
    if (items)
        return items;
    items = trun_array(r, list.len);
    while (doc_next(&it))
        items[n++] = child_of(list, it.value);
    if (list.len > LONG_LIST) {
        key = arena_alloc(&r->arena, sizeof(const struct doc_node *));
        *key = list.node;
        map_put(&r->arrays, address_key(key), items);
    }
    return items;
}

struct tmpl_value value_item(struct tmpl_run *r, struct tmpl_value list, size_t at)
{
    struct tmpl_value v;

    if (list.elem == TMPL_BYTES)
        return (struct tmpl_value){.type = TMPL_UINT8, .u = (unsigned char)list.s[at]};
    if (list.flags & TMPL_IS_DOC && list.len <= LONG_LIST)
        return child_of(list, doc_item(list.node, at));
    v = value_items(r, list)[at];
    if (list.elem == TMPL_ANY)
        v.flags |= TMPL_IN_ANY;
    return v;
}

struct tmpl_value trun_string_list(struct tmpl_run *r, const str *texts, size_t count)
{
    struct tmpl_value *items = trun_array(r, count);

    for (size_t i = 0; i < count; i++)
        items[i] = tmpl_string(texts[i]);
    return tmpl_list(TMPL_STRINGS, items, count);
}

/* ---- maps */

bool value_get(struct tmpl_run *r, struct tmpl_value v, str key, struct tmpl_value *ret)
{
    struct tmpl_map *map = stand_in(r, v);
    const struct doc_node *child;

    if (map || !(v.flags & TMPL_IS_DOC)) {
        if (!tmpl_map_get(map, key, ret))
            return false;
        if (tmpl_holds_any(v))
            ret->flags |= TMPL_IN_ANY;
        return true;
    }
    child = doc_get(v.node, key);
    if (!child)
        return false;
    *ret = child_of(v, child);
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    return str_cmp(((const struct tmpl_entry *)a)->key, ((const struct tmpl_entry *)b)->key);
}

const struct tmpl_entry *value_entries(struct tmpl_run *r, struct tmpl_value v, size_t *ret_count)
{
    struct tmpl_map *map = stand_in(r, v);
    struct doc_iter it;
    struct tmpl_entry *copy;
    bool is_sorted = true;
    size_t n = 0;

    if (map || !(v.flags & TMPL_IS_DOC)) {
        const struct tmpl_entry *entries = tmpl_map_entries(map, ret_count);

        copy = arena_alloc(&r->arena, *ret_count * sizeof(*copy));
        if (*ret_count)
            memcpy(copy, entries, *ret_count * sizeof(*copy));
        for (size_t i = 0; tmpl_holds_any(v) && i < *ret_count; i++)
            copy[i].value.flags |= TMPL_IN_ANY;
        return copy;
    }
    copy = arena_alloc(&r->arena, doc_len(v.node) * sizeof(*copy));
    for (it = doc_children(v.node); doc_next(&it); n++) {
        copy[n] = (struct tmpl_entry){it.key, child_of(v, it.value)};
        is_sorted = is_sorted && (n == 0 || str_cmp(copy[n - 1].key, it.key) < 0);
    }
    if (!is_sorted)
        qsort(copy, n, sizeof(*copy), compare_keys);
    *ret_count = n;
    return copy;
}

/* ---- what every value has */

size_t value_len(struct tmpl_run *r, struct tmpl_value v)
{
    struct tmpl_map *map;

    if (v.type != TMPL_MAP)
        return v.type == TMPL_STRING || v.type == TMPL_LIST ? v.len : 0;
    map = stand_in(r, v);
    return map || !(v.flags & TMPL_IS_DOC) ? tmpl_map_len(map) : doc_len(v.node);
}

bool value_truth(struct tmpl_run *r, struct tmpl_value v)
{
    switch ((enum tmpl_type)v.type) {
    case TMPL_INVALID:
    case TMPL_NIL:
        return false;
    case TMPL_BOOL:
        return v.b;
    case TMPL_INT:
    case TMPL_INT64:
    case TMPL_UINT8:
    case TMPL_UINT64:
        return v.i != 0;
    case TMPL_FLOAT:
        return v.f != 0;
    case TMPL_COMPLEX:
        return v.pair[0] != 0 || v.pair[1] != 0;
    case TMPL_STRING:
    case TMPL_LIST:
    case TMPL_MAP:
        return value_len(r, v) != 0;
    case TMPL_OBJECT:
        return !value_is(v, &object_duration) || duration_of(v) != 0;
    }
    return false;
}

bool value_is_empty(struct tmpl_run *r, struct tmpl_value v) { return !value_truth(r, v); }

const char *value_type(struct tmpl_value v)
{
    static const char lists[][18] = {"[]interface {}", "[]string",         "[]int",
                                     "[]uint8",        "[][]interface {}", "common.VersionSet"};
    static const char scalars[][11] = {"<nil>", "<nil>",  "bool",    "int",        "int64",
                                       "uint8", "uint64", "float64", "complex128", "string"};

    if (v.type <= TMPL_STRING)
        return scalars[v.type];
    if (v.type == TMPL_LIST)
        return lists[v.elem];
    if (v.type == TMPL_OBJECT)
        return v.object->class->type;
    return v.elem == TMPL_FILES     ? "engine.files"
           : v.elem == TMPL_VALUES  ? "common.Values"
           : v.elem == TMPL_STRINGS ? "map[string]string"
                                    : "map[string]interface {}";
}

const char *value_static(struct tmpl_value v)
{
    return v.type == TMPL_NIL || v.flags & TMPL_IN_ANY ? "interface {}" : value_type(v);
}

const char *value_kind(struct tmpl_value v)
{
    if (v.type <= TMPL_NIL)
        return "invalid";
    if (v.type <= TMPL_STRING)
        return value_type(v);
    return v.type == TMPL_LIST ? "slice" : v.type == TMPL_MAP ? "map" : v.object->class->kind;
}

bool value_is(struct tmpl_value v, const struct tmpl_class *class)
{
    return v.type == TMPL_OBJECT && v.object->class == class;
}

/* ---- copies and equality */

static struct tmpl_value copy_map(struct tmpl_run *r, struct tmpl_value v)
{
    struct tmpl_map *copy = tmpl_map_new(&r->arena, v.elem);
    size_t count;
    const struct tmpl_entry *entries = value_entries(r, v, &count);

    for (size_t i = 0; i < count; i++)
        tmpl_map_set(copy, entries[i].key, value_copy(r, entries[i].value));
    return tmpl_map_value(copy);
}

static struct tmpl_value copy_list(struct tmpl_run *r, struct tmpl_value v)
{
    const struct tmpl_value *items = value_items(r, v);
    struct tmpl_value *copy;

    if (!items)
        return v;
    copy = trun_array(r, v.len);
    for (size_t i = 0; i < v.len; i++)
        copy[i] = value_copy(r, items[i]);
    return tmpl_list(v.elem, copy, v.len);
}

struct tmpl_value value_copy(struct tmpl_run *r, struct tmpl_value v)
{
    if (trun_step(r) < 0)
        return v;
    if (v.type == TMPL_MAP)
        return copy_map(r, v);
    if (v.type == TMPL_LIST && v.elem != TMPL_BYTES)
        return copy_list(r, v);
    return v;
}

static bool equal_maps(struct tmpl_run *r, struct tmpl_value a, struct tmpl_value b)
{
    size_t count;
    const struct tmpl_entry *entries;
    struct tmpl_value other;

    if (value_len(r, a) != value_len(r, b))
        return false;
    entries = value_entries(r, a, &count);
    for (size_t i = 0; i < count; i++)
        if (!value_get(r, b, entries[i].key, &other) || !value_equal(r, entries[i].value, other))
            return false;
    return true;
}

static bool equal_lists(struct tmpl_run *r, struct tmpl_value a, struct tmpl_value b)
{
    const struct tmpl_value *x, *y;

    if (a.len != b.len)
        return false;
    if (a.elem == TMPL_BYTES)
        return str_eq(tmpl_text(a), tmpl_text(b));
    x = value_items(r, a);
    y = value_items(r, b);
    for (size_t i = 0; i < a.len; i++)
        if (!value_equal(r, x[i], y[i]))
            return false;
    return !x == !y; /* a nil list equals only nil lists */
}

static bool equal_objects(struct tmpl_run *r, struct tmpl_value a, struct tmpl_value b)
{
    AUTO(buf_done) struct buf x = {0}, y = {0};

    if (a.object == b.object || a.object->class != b.object->class)
        return a.object == b.object;
    if (a.object->class->fields)
        return struct_equal(r, a, b);
    a.object->class->print(a.object, &x);
    b.object->class->print(b.object, &y);
    return str_eq(buf_view(&x), buf_view(&y));
}

bool value_equal(struct tmpl_run *r, struct tmpl_value a, struct tmpl_value b)
{
    if (tmpl_is_nil(a) || tmpl_is_nil(b))
        return tmpl_is_nil(a) && tmpl_is_nil(b);
    if (a.type != b.type || (a.type >= TMPL_LIST && a.type <= TMPL_MAP && a.elem != b.elem) ||
        trun_step(r) < 0)
        return false;
    switch ((enum tmpl_type)a.type) {
    case TMPL_INVALID:
    case TMPL_NIL:
        return true;
    case TMPL_BOOL:
        return a.b == b.b;
    case TMPL_INT:
    case TMPL_INT64:
    case TMPL_UINT8:
    case TMPL_UINT64:
        return a.i == b.i;
    case TMPL_FLOAT:
        return a.f == b.f;
    case TMPL_COMPLEX:
        return a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1];
    case TMPL_STRING:
        return str_eq(tmpl_text(a), tmpl_text(b));
    case TMPL_LIST:
        return equal_lists(r, a, b);
    case TMPL_MAP:
        return equal_maps(r, a, b);
    case TMPL_OBJECT:
        return equal_objects(r, a, b);
    }
    return false;
}
