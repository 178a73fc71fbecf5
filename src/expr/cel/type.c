#include "expr/cel/cel_priv.h"

#define SIMPLE(id, kind_) const struct cel_type cel_##id = {.kind = kind_}
SIMPLE(dyn, T_DYN);
SIMPLE(null, T_NULL);
SIMPLE(bool, T_BOOL);
SIMPLE(int, T_INT);
SIMPLE(uint, T_UINT);
SIMPLE(double, T_DOUBLE);
SIMPLE(string, T_STRING);
SIMPLE(bytes, T_BYTES);
SIMPLE(timestamp, T_TIMESTAMP);
SIMPLE(duration, T_DURATION);

enum { MAX_DEPTH = 50 };

/* Names as declarations write them, as programs print them, how many parameters. */
static const struct {
    str name, runtime;
    enum cel_type_kind kind;
    unsigned params;
    const struct cel_type *type;
} names[] = {
    {STR_INIT("dyn"), STR_INIT("dyn"), T_DYN, 0, &cel_dyn},
    {STR_INIT("null_type"), STR_INIT("null_type"), T_NULL, 0, &cel_null},
    {STR_INIT("bool"), STR_INIT("bool"), T_BOOL, 0, &cel_bool},
    {STR_INIT("int"), STR_INIT("int"), T_INT, 0, &cel_int},
    {STR_INIT("uint"), STR_INIT("uint"), T_UINT, 0, &cel_uint},
    {STR_INIT("double"), STR_INIT("double"), T_DOUBLE, 0, &cel_double},
    {STR_INIT("string"), STR_INIT("string"), T_STRING, 0, &cel_string},
    {STR_INIT("bytes"), STR_INIT("bytes"), T_BYTES, 0, &cel_bytes},
    {STR_INIT("timestamp"), STR_INIT("google.protobuf.Timestamp"), T_TIMESTAMP, 0, &cel_timestamp},
    {STR_INIT("duration"), STR_INIT("google.protobuf.Duration"), T_DURATION, 0, &cel_duration},
    {STR_INIT("list"), STR_INIT("list"), T_LIST, 1, NULL},
    {STR_INIT("map"), STR_INIT("map"), T_MAP, 2, NULL},
    {STR_INIT("type"), STR_INIT("type"), T_TYPE, 1, NULL},
    {STR_INIT("optional_type"), STR_INIT("optional_type"), T_OPTIONAL, 1, NULL},
    {STR_INIT("wrapper"), STR_INIT("wrapper"), T_WRAPPER, 1, NULL},
};

const struct cel_type *cel_type_new(struct arena *arena, enum cel_type_kind kind,
                                    const struct cel_type *a, const struct cel_type *b)
{
    struct cel_type *t = ARENA_NEW(arena, struct cel_type);

    *t = (struct cel_type){.kind = kind, .of = {a, b}};
    return t;
}

static const struct cel_type *named(struct arena *arena, enum cel_type_kind kind, str name)
{
    struct cel_type *t = ARENA_NEW(arena, struct cel_type);

    *t = (struct cel_type){.kind = kind, .name = arena_dup(arena, name)};
    return t;
}

static void skip(str *s)
{
    while (s->len && s->p[0] == ' ')
        *s = str_from(*s, 1);
}

static const struct cel_type *parse(struct arena *arena, str *s, int depth, struct err *e);

static const struct cel_type *parse_params(struct arena *arena, str *s, size_t row, int depth,
                                           struct err *e)
{
    const struct cel_type *of[2] = {&cel_dyn, &cel_dyn};

    if (s->len == 0 || s->p[0] != '(') /* "list" alone: of anything */
        return cel_type_new(arena, names[row].kind, of[0], names[row].params > 1 ? of[1] : NULL);
    *s = str_from(*s, 1);
    for (unsigned i = 0; i < names[row].params; i++) {
        char end = i + 1 < names[row].params ? ',' : ')';

        of[i] = parse(arena, s, depth + 1, e);
        skip(s);
        if (!of[i])
            return NULL;
        if (s->len == 0 || s->p[0] != end) {
            err_set(e, ERR_INVALID, "a type lacks '%c'", end);
            return NULL;
        }
        *s = str_from(*s, 1);
    }
    return cel_type_new(arena, names[row].kind, of[0], names[row].params > 1 ? of[1] : NULL);
}

/* A type we know nothing of; up to two of its parameters are kept. */
static const struct cel_type *parse_object(struct arena *arena, str *s, str name, int depth,
                                           struct err *e)
{
    struct cel_type *t = ARENA_NEW(arena, struct cel_type);
    size_t count = 0;

    *t = (struct cel_type){.kind = T_OBJECT, .name = arena_dup(arena, name)};
    if (s->len == 0 || s->p[0] != '(')
        return t;
    do {
        const struct cel_type *param;

        *s = str_from(*s, 1);
        param = parse(arena, s, depth + 1, e);
        skip(s);
        if (!param)
            return NULL;
        if (count < ARRAY_LEN(t->of))
            t->of[count++] = param;
    } while (s->len && s->p[0] == ',');
    if (s->len == 0 || s->p[0] != ')') {
        err_set(e, ERR_INVALID, "a type lacks ')'");
        return NULL;
    }
    *s = str_from(*s, 1);
    return t;
}

/* {a: int, b: list(string)}: an object that has these fields and no others. */
static const struct cel_type *parse_fields(struct arena *arena, str *s, int depth, struct err *e)
{
    struct cel_type *t = ARENA_NEW(arena, struct cel_type);

    *t = (struct cel_type){.kind = T_OBJECT, .name = STR("object"), .has_fields = true};
    do {
        struct cel_field *f = ARENA_NEW(arena, struct cel_field);
        size_t len = 0;

        *s = str_from(*s, 1);
        skip(s);
        while (len < s->len && !memchr(":}", s->p[len], 2))
            len++;
        if (len == 0 && s->len && s->p[0] == '}')
            break;
        f->name = arena_dup(arena, str_sub(*s, 0, len));
        *s = str_from(*s, len + (len < s->len));
        f->type = parse(arena, s, depth + 1, e);
        if (!f->type)
            return NULL;
        f->next = t->fields;
        t->fields = f;
        skip(s);
    } while (s->len && s->p[0] == ',');
    if (s->len == 0 || s->p[0] != '}') {
        err_set(e, ERR_INVALID, "a type lacks '}'");
        return NULL;
    }
    *s = str_from(*s, 1);
    return t;
}

static const struct cel_type *parse(struct arena *arena, str *s, int depth, struct err *e)
{
    size_t len = 0;
    str name;

    skip(s);
    if (s->len && s->p[0] == '{' && depth <= MAX_DEPTH)
        return parse_fields(arena, s, depth, e);
    while (len < s->len && !memchr("(), {}:", s->p[len], 7))
        len++;
    name = str_sub(*s, 0, len);
    *s = str_from(*s, len);
    if (!len || depth > MAX_DEPTH) {
        err_set(e, ERR_INVALID, "a type is expected");
        return NULL;
    }
    if (len == 1 && name.p[0] >= 'A' && name.p[0] <= 'Z')
        return named(arena, T_PARAM, name);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(name, names[i].name) || str_eq(name, names[i].runtime))
            return names[i].type ? names[i].type : parse_params(arena, s, i, depth, e);
    return parse_object(arena, s, name, depth, e);
}

const struct cel_type *cel_type_parse(struct arena *arena, str text, struct err *e)
{
    const struct cel_type *t = parse(arena, &text, 0, e);

    skip(&text);
    if (t && text.len) {
        err_set(e, ERR_INVALID, "\"%.*s\" stands behind a type", STR_ARG(text));
        return NULL;
    }
    return t;
}

static void print(const struct cel_type *t, bool is_told, struct buf *out);

/* "(A, B)", or nothing. */
static void print_inner(const struct cel_type *t, size_t count, bool is_told, struct buf *out)
{
    for (size_t i = 0; i < count && t->of[i]; i++) {
        buf_add_cstr(out, i ? ", " : "(");
        print(t->of[i], is_told, out);
    }
    if (count && t->of[0])
        buf_add_char(out, ')');
}

static void print(const struct cel_type *t, bool is_told, struct buf *out)
{
    if (t->kind == T_OBJECT || t->kind == T_PARAM) {
        buf_add_str(out, t->name);
        print_inner(t, ARRAY_LEN(t->of), is_told, out);
        return;
    }
    if (t->kind == T_ERROR) {
        buf_add_cstr(out, "!error!");
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i].kind == t->kind) {
            buf_add_str(out, is_told && t->kind == T_NULL ? STR("null") : names[i].name);
            print_inner(t, names[i].params, is_told, out);
            return;
        }
}

void cel_type_print(const struct cel_type *t, struct buf *out) { print(t, false, out); }

void cel_type_tell(const struct cel_type *t, struct buf *out) { print(t, true, out); }

str cel_type_runtime_name(const struct cel_type *t)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (names[i].kind == t->kind)
            return names[i].runtime;
    return t->name;
}

/* list, map and the like as values have no parameters. Upstream declares no names for the types
 * kubernetes.URL and its like. */
const struct cel_type *cel_type_of_name(str name)
{
    static const struct cel_type list = {.kind = T_LIST, .of = {&cel_dyn}},
                                 map = {.kind = T_MAP, .of = {&cel_dyn, &cel_dyn}},
                                 type = {.kind = T_TYPE}, optional = {.kind = T_OPTIONAL};
    static const struct cel_type objects[] = {
        {.kind = T_OBJECT, .name = STR_INIT("net.IP")},
        {.kind = T_OBJECT, .name = STR_INIT("net.CIDR")},
    };

    for (size_t i = 0; i < ARRAY_LEN(objects); i++)
        if (str_eq(name, objects[i].name))
            return &objects[i];
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!str_eq(name, names[i].runtime) || names[i].kind == T_DYN || names[i].kind == T_WRAPPER)
            continue;
        return names[i].type                 ? names[i].type
               : names[i].kind == T_LIST     ? &list
               : names[i].kind == T_MAP      ? &map
               : names[i].kind == T_OPTIONAL ? &optional
                                             : &type;
    }
    return NULL;
}
