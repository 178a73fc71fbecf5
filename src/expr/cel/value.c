#include <math.h>
#include <stdarg.h>

#include "base/escape.h"
#include "expr/cel/cel_priv.h"

struct cel_value cel_fail(struct arena *a, enum cel_failure failure, const char *fmt, ...)
{
    struct cel_error *error = ARENA_NEW(a, struct cel_error);
    va_list args;

    va_start(args, fmt);
    *error = (struct cel_error){failure, arena_vprintf(a, fmt, args)};
    va_end(args);
    return (struct cel_value){CEL_ERROR, .error = error};
}

struct cel_value cel_work_exceeded(struct cel_run *r)
{
    return cel_fail(r->arena, CEL_OTHER, "operation cancelled: actual cost limit exceeded");
}

struct cel_value cel_no_overload(struct arena *a, const char *what)
{
    return what ? cel_fail(a, CEL_NO_SUCH_OVERLOAD, "no such overload: %s", what)
                : cel_fail(a, CEL_NO_SUCH_OVERLOAD, "no such overload");
}

str cel_told_name(str function)
{
    if (str_eq(function, STR("math.greatest")))
        return STR("math.@max");
    return str_eq(function, STR("math.least")) ? STR("math.@min") : function;
}

str cel_go_name(struct arena *a, const struct cel_value *v)
{
    static const char names[][18] = {
        [CEL_NULL] = "types.Null",
        [CEL_BOOL] = "types.Bool",
        [CEL_INT] = "types.Int",
        [CEL_UINT] = "types.Uint",
        [CEL_DOUBLE] = "types.Double",
        [CEL_STRING] = "types.String",
        [CEL_BYTES] = "types.Bytes",
        [CEL_LIST] = "*types.baseList",
        [CEL_MAP] = "*types.baseMap",
        [CEL_TIMESTAMP] = "types.Timestamp",
        [CEL_DURATION] = "types.Duration",
        [CEL_TYPE] = "*types.Type",
        [CEL_OPTIONAL] = "*types.Optional",
    };

    str name;
    ssize_t dot;

    if (v->kind < ARRAY_LEN(names) && names[v->kind][0])
        return str_of(names[v->kind]);
    name = cel_type_runtime_name(cel_type_of_value(a, v));
    if (str_eq(name, STR("kubernetes.NamedFormat")))
        return STR("cel.Format");
    dot = str_rfind_char(name, '.');
    return arena_printf(a, "cel.%.*s", STR_ARG(str_from(name, (size_t)(dot + 1))));
}

static void go_entries(struct arena *a, const struct cel_map *map, int depth, struct buf *out)
{
    const struct cel_entry *entries = cel_map_entries(a, map);

    for (size_t i = 0; i < cel_map_len(map); i++) {
        buf_add_cstr(out, i ? ", " : "");
        cel_go_text(a, &entries[i].key, depth + 1, out);
        buf_add_cstr(out, ": ");
        cel_go_text(a, &entries[i].value, depth + 1, out);
    }
}

void cel_go_text(struct arena *a, const struct cel_value *v, int depth, struct buf *out)
{
    enum { DEEPEST = 50 }; /* it is a message */
    bool is_list = v->kind == CEL_LIST, is_bytes = v->kind == CEL_BYTES;
    struct cel_value text;

    if (v->kind == CEL_NULL) {
        buf_add_char(out, '0');
    } else if (is_bytes || ((is_list || v->kind == CEL_MAP) && depth > DEEPEST)) {
        buf_add_char(out, '[');
        for (size_t i = 0; is_bytes && i < v->s.len; i++)
            buf_addf(out, "%s%u", i ? " " : "", (unsigned)(uint8_t)v->s.p[i]);
        buf_add_char(out, ']');
    } else if (is_list) {
        buf_add_char(out, '[');
        for (size_t i = 0; i < v->list->len; i++) {
            buf_add_cstr(out, i ? ", " : "");
            cel_go_text(a, &v->list->v[i], depth + 1, out);
        }
        buf_add_char(out, ']');
    } else if (v->kind == CEL_MAP) {
        buf_add_char(out, '{');
        go_entries(a, v->map, depth, out);
        buf_add_char(out, '}');
    } else {
        text = cel_to_string(a, v);
        buf_add_str(out, text.kind == CEL_STRING ? text.s : cel_go_name(a, v));
    }
}

struct cel_value cel_make_list(struct arena *a, struct cel_value *v, size_t len)
{
    struct cel_list *list = ARENA_NEW(a, struct cel_list);

    *list = (struct cel_list){v, len};
    return (struct cel_value){CEL_LIST, .list = list};
}

struct cel_value cel_make_map(struct arena *a, struct cel_entry *v, size_t len)
{
    struct cel_map *map = ARENA_NEW(a, struct cel_map);

    *map = (struct cel_map){.v = v, .len = len};
    return (struct cel_value){CEL_MAP, .map = map};
}

struct cel_value cel_make_optional(struct arena *a, const struct cel_value *inner)
{
    struct cel_value *copy = NULL;

    if (inner) {
        copy = ARENA_NEW(a, struct cel_value);
        *copy = *inner;
    }
    return (struct cel_value){CEL_OPTIONAL, .inner = copy};
}

/* ---- documents */

static struct cel_value of_list(struct arena *arena, const struct doc_node *node)
{
    struct cel_value *v = ARENA_ARRAY(arena, struct cel_value, doc_len(node));
    struct doc_iter it = doc_children(node);
    size_t len = 0;

    while (doc_next(&it))
        v[len++] = cel_of_node(arena, it.value);
    return cel_make_list(arena, v, len);
}

struct cel_value cel_of_node(struct arena *arena, const struct doc_node *node)
{
    struct cel_map *map;
    int64_t i;
    double d = 0;

    switch (doc_type(node)) {
    case DOC_BOOL:
        return cel_make_bool(doc_bool(node, false));
    case DOC_NUMBER:
        if (doc_to_int64(node, &i))
            return cel_make_int(i);
        doc_to_double(node, &d);
        return cel_make_double(d);
    case DOC_STRING:
        return cel_make_string(doc_string(node, STR_NONE));
    case DOC_LIST:
        return of_list(arena, node);
    case DOC_MAP:
        map = ARENA_NEW(arena, struct cel_map);
        *map = (struct cel_map){.node = node};
        return (struct cel_value){CEL_MAP, .map = map};
    case DOC_NULL:
    case DOC_ALIAS:
        break;
    }
    return cel_make_null();
}

size_t cel_map_len(const struct cel_map *m) { return m->node ? doc_len(m->node) : m->len; }

const struct cel_entry *cel_map_entries(struct arena *a, const struct cel_map *m)
{
    struct cel_entry *v;
    struct doc_iter it;
    size_t len = 0;

    if (!m->node)
        return m->v;
    v = ARENA_ARRAY(a, struct cel_entry, doc_len(m->node));
    it = doc_children(m->node);
    while (doc_next(&it))
        v[len++] = (struct cel_entry){cel_make_string(it.key), cel_of_node(a, it.value)};
    return v;
}

bool cel_map_get(struct arena *a, const struct cel_map *m, const struct cel_value *key,
                 struct cel_value *ret)
{
    const struct cel_entry *near = NULL;

    if (m->node) {
        const struct doc_node *n = key->kind == CEL_STRING ? doc_get(m->node, key->s) : NULL;

        if (n)
            *ret = cel_of_node(a, n);
        return n != NULL;
    }
    for (size_t i = 0; i < m->len; i++)
        if (m->v[i].key.kind == key->kind && cel_equal(&m->v[i].key, key)) {
            near = &m->v[i];
            break; /* a key of its own type first */
        } else if (!near && m->v[i].key.kind != CEL_DOUBLE && cel_equal(&m->v[i].key, key)) {
            near = &m->v[i];
        }
    if (near)
        *ret = near->value;
    return near != NULL;
}

struct cel_value cel_of_texts(struct arena *arena, const str *keys, const str *values, size_t count)
{
    struct cel_entry *v = ARENA_ARRAY(arena, struct cel_entry, count);

    for (size_t i = 0; i < count; i++)
        v[i] = (struct cel_entry){cel_make_string(keys[i]), cel_make_string(values[i])};
    return cel_make_map(arena, v, count);
}

/* ---- comparing */

struct cel_value cel_list_of(struct arena *arena, struct cel_value *items, size_t len)
{
    return cel_make_list(arena, items, len);
}

struct cel_value cel_map_of(struct arena *arena, const str *keys, const struct cel_value *values,
                            size_t len)
{
    struct cel_entry *v = ARENA_ARRAY(arena, struct cel_entry, len);

    for (size_t i = 0; i < len; i++)
        v[i] = (struct cel_entry){cel_make_string(keys[i]), values[i]};
    return cel_make_map(arena, v, len);
}

struct cel_value cel_optional_of(struct arena *arena, const struct cel_value *inner)
{
    return cel_make_optional(arena, inner);
}

struct cel_value cel_text_as(struct arena *arena, str text, enum cel_kind kind)
{
    struct cel_time t;
    int64_t ns;
    AUTO(buf_done) struct buf bytes = {0};

    if (kind == CEL_TIMESTAMP && cel_time_parse(text, &t))
        return (struct cel_value){CEL_TIMESTAMP, .time = t};
    if (kind == CEL_DURATION && cel_duration_parse(text, &ns))
        return cel_make_duration(ns);
    if (kind == CEL_BYTES && unescape_base64(text, &bytes))
        return cel_make_bytes(arena_dup(arena, buf_view(&bytes)));
    return cel_make_string(text);
}

bool cel_is_number(const struct cel_value *v)
{
    return v->kind == CEL_INT || v->kind == CEL_UINT || v->kind == CEL_DOUBLE;
}

static double as_double(const struct cel_value *v)
{
    return v->kind == CEL_DOUBLE ? v->d : v->kind == CEL_INT ? (double)v->i : (double)v->u;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_numbers(const struct cel_value *a, const struct cel_value *b)
{
    if (a->kind == CEL_DOUBLE || b->kind == CEL_DOUBLE) {
        double x = as_double(a), y = as_double(b);

        return isnan(x) || isnan(y) ? 3 : ORDER(x, y);
    }
    if (a->kind == b->kind)
        return a->kind == CEL_INT ? ORDER(a->i, b->i) : ORDER(a->u, b->u);
    if (a->kind == CEL_INT)
        return a->i < 0 ? -1 : ORDER((uint64_t)a->i, b->u);
    return b->i < 0 ? 1 : ORDER(a->u, (uint64_t)b->i);
}

int cel_compare(const struct cel_value *a, const struct cel_value *b)
{
    int order;

    if (cel_is_number(a) && cel_is_number(b))
        return compare_numbers(a, b);
    if (a->kind != b->kind)
        return 2;
    switch (a->kind) {
    case CEL_STRING:
    case CEL_BYTES:
        order = str_cmp(a->s, b->s);
        return ORDER(order, 0);
    case CEL_BOOL:
        return ORDER(a->b, b->b);
    case CEL_DURATION:
        return ORDER(a->i, b->i);
    case CEL_TIMESTAMP:
        order = ORDER(a->time.seconds, b->time.seconds);
        return order ? order : ORDER(a->time.nanos, b->time.nanos);
    default:
        return 2;
    }
}

static bool equal_lists(const struct cel_list *a, const struct cel_list *b)
{
    if (a->len != b->len)
        return false;
    for (size_t i = 0; i < a->len; i++)
        if (!cel_equal(&a->v[i], &b->v[i]))
            return false;
    return true;
}

static bool equal_maps(const struct cel_map *a, const struct cel_map *b)
{
    AUTO(arena_done) struct arena arena = {0};
    const struct cel_entry *entries;
    struct cel_value other;

    if (cel_map_len(a) != cel_map_len(b))
        return false;
    entries = cel_map_entries(&arena, a);
    for (size_t i = 0; i < cel_map_len(a); i++)
        if (!cel_map_get(&arena, b, &entries[i].key, &other) ||
            !cel_equal(&entries[i].value, &other))
            return false;
    return true;
}

static bool equal_types(const struct cel_type *a, const struct cel_type *b)
{
    return str_eq(cel_type_runtime_name(a), cel_type_runtime_name(b));
}

bool cel_equal(const struct cel_value *a, const struct cel_value *b)
{
    if (cel_is_number(a) && cel_is_number(b))
        return compare_numbers(a, b) == 0;
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case CEL_NULL:
        return true;
    case CEL_LIST:
        return equal_lists(a->list, b->list);
    case CEL_MAP:
        return equal_maps(a->map, b->map);
    case CEL_TYPE:
        return equal_types(a->type, b->type);
    case CEL_OPTIONAL:
        return a->inner && b->inner ? cel_equal(a->inner, b->inner) : a->inner == b->inner;
    case CEL_OBJECT:
        return a->object->class == b->object->class &&
               a->object->class->equal(a->object, b->object);
    case CEL_ERROR:
        return false;
    default:
        return cel_compare(a, b) == 0;
    }
}

bool cel_to_index(const struct cel_value *v, int64_t *ret)
{
    if (v->kind == CEL_INT)
        *ret = v->i;
    else if (v->kind == CEL_UINT && v->u <= INT64_MAX)
        *ret = (int64_t)v->u;
    else if (v->kind == CEL_DOUBLE && v->d == floor(v->d) && fabs(v->d) < 9e15)
        *ret = (int64_t)v->d;
    else
        return false;
    return true;
}

const struct cel_type *cel_type_of_value(struct arena *a, const struct cel_value *v)
{
    static const struct cel_type list = {.kind = T_LIST}, map = {.kind = T_MAP},
                                 type = {.kind = T_TYPE}, optional = {.kind = T_OPTIONAL};
    struct cel_type *object;

    switch (v->kind) {
    case CEL_NULL:
        return &cel_null;
    case CEL_BOOL:
        return &cel_bool;
    case CEL_INT:
        return &cel_int;
    case CEL_UINT:
        return &cel_uint;
    case CEL_DOUBLE:
        return &cel_double;
    case CEL_STRING:
        return &cel_string;
    case CEL_BYTES:
        return &cel_bytes;
    case CEL_LIST:
        return &list;
    case CEL_MAP:
        return &map;
    case CEL_TIMESTAMP:
        return &cel_timestamp;
    case CEL_DURATION:
        return &cel_duration;
    case CEL_TYPE:
        return &type;
    case CEL_OPTIONAL:
        return &optional;
    case CEL_OBJECT:
        object = ARENA_NEW(a, struct cel_type);
        *object = (struct cel_type){.kind = T_OBJECT, .name = str_of(v->object->class->name)};
        return object;
    case CEL_ERROR:
        break;
    }
    return &cel_dyn;
}
