/* Schemas as types of CEL, and objects as values of these types. */
#include "sandbox/types/rules.h"

/* ---- names */

/* A field's name as expressions write it. False: they cannot. */
static bool escape(str name, struct buf *out)
{
    static const char words[] = " true false null in as break const continue else for function if "
                                "import let loop package namespace return var void while ";
    static const struct {
        const char *from, *to;
    } rows[] = {{"__", "__underscores__"}, {".", "__dot__"}, {"-", "__dash__"}, {"/", "__slash__"}};
    AUTO(buf_done) struct buf word = {0};
    bool is_name = name.len && !(name.p[0] >= '0' && name.p[0] <= '9');

    buf_addf(&word, " %.*s ", STR_ARG(name));
    if (str_contains(str_of(words), buf_view(&word))) {
        buf_addf(out, "__%.*s__", STR_ARG(name));
        return true;
    }
    for (size_t i = 0; i < name.len && is_name;) {
        size_t row = 0;
        char c = name.p[i];

        while (row < ARRAY_LEN(rows) && !str_starts(str_from(name, i), str_of(rows[row].from)))
            row++;
        is_name = row < ARRAY_LEN(rows) || c == '_' || (c >= '0' && c <= '9') ||
                  ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        if (row < ARRAY_LEN(rows))
            buf_add_cstr(out, rows[row].to);
        else
            buf_add_char(out, c);
        i += row < ARRAY_LEN(rows) ? strlen(rows[row].from) : 1;
    }
    return is_name;
}

/* ---- types */

static bool has_identity(const struct doc_node *schema, bool is_root)
{
    return is_root || doc_bool(doc_get_lit(schema, "x-kubernetes-embedded-resource"), false);
}

static enum cel_kind text_kind(const struct doc_node *schema)
{
    str format = doc_text(doc_get_lit(schema, "format"), STR_NONE);

    return str_eq(format, STR("byte"))                                       ? CEL_BYTES
           : str_eq(format, STR("duration"))                                 ? CEL_DURATION
           : str_eq(format, STR("date")) || str_eq(format, STR("date-time")) ? CEL_TIMESTAMP
                                                                             : CEL_STRING;
}

static bool struct_type(const struct doc_node *schema, bool is_root, struct buf *out)
{
    struct doc_iter it = doc_children(doc_get_lit(schema, "properties"));
    bool is_whole = has_identity(schema, is_root);

    buf_add_char(out, '{');
    if (is_whole)
        buf_add_cstr(out, "apiVersion: string, kind: string, metadata: {name: string, "
                          "generateName: string}");
    while (doc_next(&it)) {
        size_t before = out->len;

        if (is_whole && (str_eq(it.key, STR("apiVersion")) || str_eq(it.key, STR("kind")) ||
                         str_eq(it.key, STR("metadata"))))
            continue;
        buf_add_cstr(out, out->p[before - 1] == '{' ? "" : ", ");
        if (!escape(it.key, out)) {
            buf_trunc(out, before);
            continue;
        }
        buf_add_char(out, ':');
        if (!sb_rule_type(it.value, false, out))
            buf_trunc(out, before);
    }
    buf_add_char(out, '}');
    return true;
}

bool sb_rule_type(const struct doc_node *schema, bool is_root, struct buf *out)
{
    static const char *const texts[] = {
        [CEL_BYTES] = "bytes",
        [CEL_DURATION] = "google.protobuf.Duration",
        [CEL_TIMESTAMP] = "google.protobuf.Timestamp",
        [CEL_STRING] = "string",
    };
    str type = doc_text(doc_get_lit(schema, "type"), STR_NONE);
    const struct doc_node *more = doc_get_lit(schema, "additionalProperties");
    size_t before = out->len;

    if (doc_bool(doc_get_lit(schema, "x-kubernetes-int-or-string"), false))
        buf_add_cstr(out, "dyn");
    else if (str_eq(type, STR("string")))
        buf_add_cstr(out, texts[text_kind(schema)]);
    else if (str_eq(type, STR("integer")))
        buf_add_cstr(out, "int");
    else if (str_eq(type, STR("number")))
        buf_add_cstr(out, "double");
    else if (str_eq(type, STR("boolean")))
        buf_add_cstr(out, "bool");
    else if (str_eq(type, STR("array")) || doc_is_map(more)) {
        bool is_list = str_eq(type, STR("array"));

        buf_add_cstr(out, is_list ? "list(" : "map(string, ");
        if (!sb_rule_type(is_list ? doc_get_lit(schema, "items") : more, false, out)) {
            buf_trunc(out, before);
            return false;
        }
        buf_add_char(out, ')');
    } else if (str_eq(type, STR("object")) || is_root)
        struct_type(schema, is_root, out);
    return out->len > before;
}

/* ---- values */

static struct cel_value list_value(struct arena *arena, const struct doc_node *schema,
                                   const struct doc_node *n, const struct doc_node *like)
{
    const struct doc_node *items = doc_get_lit(schema, "items");
    str type = doc_text(doc_get_lit(schema, "x-kubernetes-list-type"), STR_NONE);
    const struct doc_node *keys = doc_get_lit(schema, "x-kubernetes-list-map-keys");
    bool is_map = str_eq(type, STR("map"));
    struct cel_value *v = ARENA_ARRAY(arena, struct cel_value, doc_len(n));
    struct doc_iter it = doc_children(n), wanted = doc_children(like);
    size_t len = 0;

    if (!doc_is_list(like) || (!is_map && !str_eq(type, STR("set")))) {
        while (doc_next(&it))
            v[len++] = sb_rule_value(arena, items, false, it.value, NULL);
        return cel_list_of(arena, v, len);
    }
    while (doc_next(&wanted) && len < doc_len(n)) {
        const struct doc_node *have = sb_schema_same_item(is_map ? keys : NULL, n, wanted.value);

        if (have)
            v[len++] = sb_rule_value(arena, items, false, have, wanted.value);
    }
    while (doc_next(&it) && len < doc_len(n))
        if (!sb_schema_same_item(is_map ? keys : NULL, like, it.value))
            v[len++] = sb_rule_value(arena, items, false, it.value, NULL);
    return cel_list_of(arena, v, len);
}

static struct cel_value map_value(struct arena *arena, const struct doc_node *schema, bool is_root,
                                  const struct doc_node *n, const struct doc_node *like)
{
    bool is_struct = !doc_is_map(doc_get_lit(schema, "additionalProperties"));
    bool is_whole = has_identity(schema, is_root);
    struct cel_value *v = ARENA_ARRAY(arena, struct cel_value, doc_len(n));
    str *keys = ARENA_ARRAY(arena, str, doc_len(n));
    struct doc_iter it = doc_children(n);
    size_t len = 0;

    while (doc_next(&it)) {
        const struct doc_node *s = sb_schema_below(schema, it.key);
        AUTO(buf_done) struct buf name = {0};

        if (doc_is_null(it.value) || (is_struct && !escape(it.key, &name)))
            continue;
        if (is_whole && (str_eq(it.key, STR("apiVersion")) || str_eq(it.key, STR("kind")) ||
                         str_eq(it.key, STR("metadata"))))
            v[len] = cel_of_node(arena, it.value);
        else if (s)
            v[len] = sb_rule_value(arena, s, false, it.value,
                                   doc_is_map(like) ? doc_get(like, it.key) : NULL);
        else
            continue;
        keys[len++] = is_struct ? arena_dup(arena, buf_view(&name)) : it.key;
    }
    return cel_map_of(arena, keys, v, len);
}

struct cel_value sb_rule_value(struct arena *arena, const struct doc_node *schema, bool is_root,
                               const struct doc_node *n, const struct doc_node *like)
{
    double d;

    if (doc_bool(doc_get_lit(schema, "x-kubernetes-int-or-string"), false))
        return cel_of_node(arena, n);
    if (doc_is_map(n))
        return map_value(arena, schema, is_root, n, like);
    if (doc_is_list(n))
        return list_value(arena, schema, n, like);
    if (doc_is_string(n))
        return cel_text_as(arena, doc_string(n, STR_NONE), text_kind(schema));
    if (str_eq(doc_text(doc_get_lit(schema, "type"), STR_NONE), STR("number")) &&
        doc_to_double(n, &d))
        return (struct cel_value){CEL_DOUBLE, .d = d};
    return cel_of_node(arena, n);
}

/* ---- where a failure is told */

/* ".name" or "['name']" off the front. */
static bool next_step(str *rest, str *ret_name)
{
    size_t len = 1;
    ssize_t end;

    if (str_starts(*rest, STR("['"))) {
        end = str_find(*rest, STR("']"));
        if (end < 2)
            return false;
        *ret_name = str_sub(*rest, 2, (size_t)end - 2);
        *rest = str_from(*rest, (size_t)end + 2);
        return true;
    }
    if (!rest->len || rest->p[0] != '.')
        return false;
    while (len < rest->len && rest->p[len] != '.' && rest->p[len] != '[')
        len++;
    *ret_name = str_sub(*rest, 1, len - 1);
    *rest = str_from(*rest, len);
    return ret_name->len > 0;
}

bool sb_rule_path(const struct doc_node *schema, str field_path, struct buf *path)
{
    while (field_path.len) {
        bool is_field;
        str name;

        if (!next_step(&field_path, &name))
            return false;
        is_field = doc_get(doc_get_lit(schema, "properties"), name) != NULL;
        schema = sb_schema_below(schema, name);
        if (!schema)
            return false;
        if (is_field)
            buf_addf(path, "%s%.*s", path->len ? "." : "", STR_ARG(name));
        else
            buf_addf(path, "[%.*s]", STR_ARG(name));
    }
    return true;
}
