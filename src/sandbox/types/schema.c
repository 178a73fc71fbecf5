/* Structural schemas of CustomResourceDefinitions: defaults, and the walk of the checks (pruning:
 * typed.h; one value: schema_value.c; rules: rules.c). */
#include <math.h>

#include "sandbox/types/crd.h"

const struct doc_node *sb_schema_below(const struct doc_node *schema, str key)
{
    const struct doc_node *n = doc_get(doc_get_lit(schema, "properties"), key);
    const struct doc_node *more = doc_get_lit(schema, "additionalProperties");

    return n ? n : doc_is_map(more) ? more : NULL;
}

/* ---- defaults */

/* A null where the schema does not say `nullable` is as if it was not there. */
static void drop_nulls(const struct doc_node *schema, struct doc_node *map)
{
    struct doc_iter it = doc_children(map);
    AUTO(str_vec_done) struct str_vec gone = {0};

    while (doc_is_map(map) && doc_next(&it)) {
        const struct doc_node *s = doc_is_null(it.value) ? sb_schema_below(schema, it.key) : NULL;

        if (s && !doc_bool(doc_get_lit(s, "nullable"), false) &&
            doc_text(doc_get_lit(s, "type"), STR_NONE).len)
            vec_push(&gone, it.key);
    }
    for (size_t i = 0; i < gone.len; i++)
        doc_remove(map, gone.v[i]);
}

void sb_schema_default(const struct doc_node *schema, struct doc_set *set, struct doc_node *n)
{
    struct doc_iter it = doc_children(doc_get_lit(schema, "properties"));

    drop_nulls(schema, n);
    while (doc_is_map(n) && doc_next(&it)) {
        const struct doc_node *value = doc_get_lit(it.value, "default");

        if (value && !doc_get(n, it.key))
            doc_set_field(set, n, it.key, doc_copy(set, value));
    }
    it = doc_children(n);
    while (doc_next(&it)) {
        const struct doc_node *s =
            doc_is_list(n) ? doc_get_lit(schema, "items") : sb_schema_below(schema, it.key);

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
    return str_eq(want, STR("integer")) && doc_to_double(n, &d) && d == floor(d) &&
           fabs(d) < 9007199254740992.0; /* 2^53: behind it a number is no integer any more */
}

static void bad_type(const struct doc_node *schema, const struct doc_node *n, str path,
                     struct sb_causes *c)
{
    str want = doc_text(doc_get_lit(schema, "type"), STR("integer,string"));

    sb_cause(c, "FieldValueTypeInvalid", path.len ? path : STR("<nil>"),
             "Invalid value: \"%s\": %.*s in body must be of type %.*s: \"%s\"", type_name(n),
             STR_ARG(path), STR_ARG(want), type_name(n));
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

void sb_schema_identity(const struct doc_node *keys, const struct doc_node *item, struct buf *out)
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

const struct doc_node *sb_schema_same_item(const struct doc_node *keys, const struct doc_node *list,
                                           const struct doc_node *item)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        struct doc_iter key = doc_children(keys);
        bool is_same = keys || doc_equal(it.value, item);

        while (is_same && doc_next(&key)) {
            str name = doc_text(key.value, STR_NONE);

            is_same = doc_equal(doc_get(it.value, name), doc_get(item, name));
        }
        if (is_same)
            return it.value;
    }
    return NULL;
}

/* What the value was before, as far as that can be told: items of plain lists have no past. */
static const struct doc_node *past(const struct doc_node *schema, const struct doc_node *old,
                                   const struct doc_iter *it, bool is_list)
{
    if (!is_list)
        return doc_is_map(old) ? doc_get(old, it->key) : NULL;
    if (!old ||
        !str_eq(doc_text(doc_get_lit(schema, "x-kubernetes-list-type"), STR_NONE), STR("map")))
        return NULL;
    return sb_schema_same_item(doc_get_lit(schema, "x-kubernetes-list-map-keys"), old, it->value);
}

/* A value that was so before stays, whatever its schema says by now. */
static void check(struct sb_check *k, const struct doc_node *schema, const struct doc_node *n,
                  const struct doc_node *old)
{
    struct doc_iter it = doc_children(n);
    bool is_list = doc_is_list(n);
    size_t index = 0;

    if (old && k->path.len && doc_equal(old, n))
        return;
    if (!has_type(schema, n))
        bad_type(schema, n, buf_view(&k->path), k->c);
    if (!sb_schema_value(k, schema, n))
        return;
    while (doc_next(&it)) {
        const struct doc_node *s =
            is_list ? doc_get_lit(schema, "items") : sb_schema_below(schema, it.key);
        size_t before = k->path.len;

        if (is_list)
            buf_addf(&k->path, "[%zu]", index++);
        else
            buf_addf(&k->path, "%s%.*s", k->path.len ? "." : "", STR_ARG(it.key));
        if (s)
            check(k, s, it.value, past(schema, old, &it, is_list));
        buf_trunc(&k->path, before);
    }
    check_required(schema, n, &k->path, k->c);
}

void sb_schema_check(const struct doc_node *schema, struct sb_compiled *compiled,
                     const struct doc_node *value, str path, struct sb_causes *c)
{
    struct sb_check k = {.compiled = compiled, .c = c};

    buf_add_str(&k.path, path);
    check(&k, schema, value, NULL);
    buf_done(&k.path);
}

/* Rules are for objects that are at least of the right shape. */
static bool is_blocking(const struct sb_causes *c)
{
    static const char *const reasons[] = {"FieldValueNotSupported", "FieldValueRequired",
                                          "FieldValueTooLong", "FieldValueTooMany",
                                          "FieldValueTypeInvalid"};

    for (size_t i = 0; i < c->len; i++)
        for (size_t j = 0; j < ARRAY_LEN(reasons); j++)
            if (strcmp(c->v[i].reason, reasons[j]) == 0)
                return true;
    return false;
}

bool sb_schema_has_rules(const struct doc_node *schema)
{
    static const char *const inner[] = {"items", "additionalProperties"};
    struct doc_iter it;

    if (doc_len(doc_get_lit(schema, "x-kubernetes-validations")))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(inner); i++)
        if (doc_is_map(doc_get(schema, str_of(inner[i]))) &&
            sb_schema_has_rules(doc_get(schema, str_of(inner[i]))))
            return true;
    it = doc_children(doc_get_lit(schema, "properties"));
    while (doc_next(&it))
        if (sb_schema_has_rules(it.value))
            return true;
    return false;
}

void sb_schema_validate(const struct sb_kind *kind, const struct doc_node *object,
                        const struct doc_node *old, struct sb_causes *c)
{
    struct sb_check k = {.compiled = &kind->crd->compiled, .c = c};

    check(&k, kind->schema, object, old);
    buf_done(&k.path);
    if (!kind->has_rules)
        return;
    if (is_blocking(c))
        sb_cause(c, "FieldValueInvalid", STR("<nil>"),
                 "Invalid value: null: some validation rules were not checked because the object "
                 "was invalid; correct the existing errors to complete validation");
    else
        sb_rules_check(&kind->crd->compiled, kind->schema, object, old, c);
}
