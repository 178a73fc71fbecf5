/* Structural schemas of CustomResourceDefinitions: defaults and checks (pruning: typed.h). */
#include <math.h>

#include "base/utf8.h"
#include "sandbox/types/crd.h"

static const struct doc_node *below(const struct doc_node *schema, str key)
{
    const struct doc_node *n = doc_get(doc_get_lit(schema, "properties"), key);
    const struct doc_node *more = doc_get_lit(schema, "additionalProperties");

    return n ? n : doc_is_map(more) ? more : NULL;
}

static bool is_type_field(str key)
{
    return str_eq(key, STR("apiVersion")) || str_eq(key, STR("kind")) ||
           str_eq(key, STR("metadata"));
}

/* ---- defaults */

void sb_schema_default(const struct doc_node *schema, struct doc_set *set, struct doc_node *n)
{
    struct doc_iter it = doc_children(doc_get_lit(schema, "properties"));

    while (doc_is_map(n) && doc_next(&it)) {
        const struct doc_node *value = doc_get_lit(it.value, "default");
        const struct doc_node *have = doc_get(n, it.key);
        bool drops_null =
            have && doc_is_null(have) && !doc_bool(doc_get_lit(it.value, "nullable"), false);

        if (value && (!have || drops_null))
            doc_set_field(set, n, it.key, doc_copy(set, value));
    }
    it = doc_children(n);
    while (doc_next(&it)) {
        const struct doc_node *s =
            doc_is_list(n) ? doc_get_lit(schema, "items") : below(schema, it.key);

        if (s)
            sb_schema_default(s, set, it.value);
    }
}

/* ---- checks */

static const char *type_name(const struct doc_node *n)
{
    int64_t i;

    switch (doc_type(n)) {
    case DOC_NULL:
    case DOC_ALIAS:
        return "null";
    case DOC_BOOL:
        return "boolean";
    case DOC_NUMBER:
        return doc_to_int64(n, &i) ? "integer" : "number";
    case DOC_STRING:
        return "string";
    case DOC_LIST:
        return "array";
    case DOC_MAP:
        return "object";
    }
    return "null";
}

static bool has_type(const struct doc_node *schema, const struct doc_node *n)
{
    str want = doc_text(doc_get_lit(schema, "type"), STR_NONE);
    str have = str_of(type_name(n));
    double d;

    if (doc_bool(doc_get_lit(schema, "x-kubernetes-int-or-string"), false))
        return str_eq(have, STR("integer")) || str_eq(have, STR("string"));
    if (!want.len || str_eq(want, have))
        return true;
    if (doc_is_null(n))
        return doc_bool(doc_get_lit(schema, "nullable"), false);
    if (str_eq(want, STR("number")))
        return str_eq(have, STR("integer"));
    return str_eq(want, STR("integer")) && doc_to_double(n, &d) && d == floor(d);
}

static void bad_type(const struct doc_node *schema, const struct doc_node *n, str path,
                     struct sb_causes *c)
{
    str want = doc_text(doc_get_lit(schema, "type"), STR("integer,string"));

    sb_cause(c, "FieldValueTypeInvalid", path,
             "Invalid value: \"%s\": %.*s in body must be of type %.*s: \"%s\"", type_name(n),
             STR_ARG(path), STR_ARG(want), type_name(n));
}

static void check_enum(const struct doc_node *schema, const struct doc_node *n, str path,
                       struct sb_causes *c)
{
    AUTO(buf_done) struct buf allowed = {0};
    AUTO(buf_done) struct buf value = {0};
    struct doc_iter it = doc_children(doc_get_lit(schema, "enum"));

    if (it.left == 0)
        return;
    while (doc_next(&it)) {
        if (doc_equal(it.value, n))
            return;
        if (allowed.len)
            buf_add_cstr(&allowed, ", ");
        doc_emit_json(it.value, 0, &allowed);
    }
    doc_emit_json(n, 0, &value);
    sb_cause(c, "FieldValueNotSupported", path, "Unsupported value: %s: supported values: %s",
             buf_cstr(&value), buf_cstr(&allowed));
}

static void check_number(const struct doc_node *schema, const struct doc_node *n, str path,
                         struct sb_causes *c)
{
    double value, bound;
    str text = doc_text(n, STR_NONE);

    if (doc_type(n) != DOC_NUMBER || !doc_to_double(n, &value))
        return;
    if (doc_to_double(doc_get_lit(schema, "minimum"), &bound) &&
        (value < bound ||
         (value == bound && doc_bool(doc_get_lit(schema, "exclusiveMinimum"), false))))
        sb_cause(c, "FieldValueInvalid", path,
                 "Invalid value: %.*s: %.*s in body should be greater than or equal to %g",
                 STR_ARG(text), STR_ARG(path), bound);
    if (doc_to_double(doc_get_lit(schema, "maximum"), &bound) &&
        (value > bound ||
         (value == bound && doc_bool(doc_get_lit(schema, "exclusiveMaximum"), false))))
        sb_cause(c, "FieldValueInvalid", path,
                 "Invalid value: %.*s: %.*s in body should be less than or equal to %g",
                 STR_ARG(text), STR_ARG(path), bound);
}

static void check_size(const struct doc_node *schema, const struct doc_node *n, str path,
                       struct sb_causes *c)
{
    static const struct {
        char key[14];
        enum doc_type type;
        bool is_max;
        char unit[6];
    } rows[] = {{"maxLength", DOC_STRING, true, "bytes"},
                {"minLength", DOC_STRING, false, "chars"},
                {"maxItems", DOC_LIST, true, "items"},
                {"minItems", DOC_LIST, false, "items"},
                {"maxProperties", DOC_MAP, true, "items"}};
    int64_t size, bound;

    size = (int64_t)(doc_is_string(n) ? utf8_count(doc_string(n, STR_NONE)) : doc_len(n));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (doc_type(n) != rows[i].type ||
            !doc_to_int64(doc_get(schema, str_of(rows[i].key)), &bound))
            continue;
        if (rows[i].is_max && size > bound)
            sb_cause(c, "FieldValueTooLong", path, "Too long: may not be more than %lld %s",
                     (long long)bound, rows[i].unit);
        else if (!rows[i].is_max && size < bound)
            sb_cause(c, "FieldValueInvalid", path,
                     "Invalid value: %.*s in body should be at least %lld %s long", STR_ARG(path),
                     (long long)bound, rows[i].unit);
    }
}

static void check_required(const struct doc_node *schema, const struct doc_node *n,
                           struct buf *path, struct sb_causes *c)
{
    struct doc_iter it = doc_children(doc_get_lit(schema, "required"));

    while (doc_is_map(n) && doc_next(&it)) {
        str key = doc_text(it.value, STR_NONE);
        size_t before = path->len;

        if (doc_get(n, key))
            continue;
        buf_addf(path, "%s%.*s", path->len ? "." : "", STR_ARG(key));
        sb_cause(c, "FieldValueRequired", buf_view(path), "Required value");
        buf_trunc(path, before);
    }
}

/* What tells an item of a set, or of a list with keys, from the others: printed. */
static void print_identity(const struct doc_node *keys, const struct doc_node *item,
                           struct buf *out)
{
    struct doc_iter it = doc_children(keys);
    bool is_first = true;

    if (!keys) {
        doc_emit_json(item, DOC_JSON_SORTED, out);
        return;
    }
    buf_add_char(out, '{');
    while (doc_next(&it)) {
        const struct doc_node *value = doc_get(item, doc_text(it.value, STR_NONE));

        if (!value)
            continue;
        if (!is_first)
            buf_add_char(out, ',');
        is_first = false;
        doc_json_quote(doc_text(it.value, STR_NONE), 0, out);
        buf_add_char(out, ':');
        doc_emit_json(value, DOC_JSON_SORTED, out);
    }
    buf_add_char(out, '}');
}

/* Two items of one name in a set or in a list with keys. */
static void check_twice(const struct doc_node *schema, const struct doc_node *list, str path,
                        struct sb_causes *c)
{
    str type = doc_text(doc_get_lit(schema, "x-kubernetes-list-type"), STR_NONE);
    const struct doc_node *keys = doc_get_lit(schema, "x-kubernetes-list-map-keys");
    AUTO(map_done) struct map seen = {0};
    struct doc_iter it = doc_children(list);

    if (!doc_is_list(list) || (!str_eq(type, STR("set")) && !str_eq(type, STR("map"))))
        return;
    for (size_t i = 0; doc_next(&it); i++) {
        AUTO(buf_done) struct buf id = {0}, at = {0};

        print_identity(keys, it.value, &id);
        buf_addf(&at, "%.*s[%zu]", STR_ARG(path), i);
        if (map_has(&seen, buf_view(&id)))
            sb_cause(c, "FieldValueDuplicate", buf_view(&at), "Duplicate value: %s", buf_cstr(&id));
        map_put(&seen, arena_dup(&c->arena, buf_view(&id)), NULL);
    }
}

static void check(const struct doc_node *schema, const struct doc_node *n, struct buf *path,
                  struct sb_causes *c)
{
    struct doc_iter it = doc_children(n);
    size_t index = 0;

    if (!has_type(schema, n)) {
        bad_type(schema, n, path->len ? buf_view(path) : STR("<nil>"), c);
        return;
    }
    check_enum(schema, n, buf_view(path), c);
    check_number(schema, n, buf_view(path), c);
    check_size(schema, n, buf_view(path), c);
    check_required(schema, n, path, c);
    check_twice(schema, n, buf_view(path), c);
    while (doc_next(&it)) {
        const struct doc_node *s =
            doc_is_list(n) ? doc_get_lit(schema, "items") : below(schema, it.key);
        size_t before = path->len;

        if (doc_is_list(n))
            buf_addf(path, "[%zu]", index++);
        else
            buf_addf(path, "%s%.*s", path->len ? "." : "", STR_ARG(it.key));
        if (s && !(before == 0 && is_type_field(it.key)))
            check(s, it.value, path, c);
        buf_trunc(path, before);
    }
}

void sb_schema_validate(const struct doc_node *schema, const struct doc_node *object,
                        struct sb_causes *c)
{
    AUTO(buf_done) struct buf path = {0};

    check(schema, object, &path, c);
}
