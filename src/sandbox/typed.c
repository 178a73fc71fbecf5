#include "sandbox/typed.h"

#include "res/schema.h"

struct findings {
    struct str_vec unknown; /* paths, "spec.foo"; in the arena */
    str mismatch;           /* the first value of a wrong type: message, or empty */
    struct arena arena;
};
static void findings_done(struct findings *t)
{
    str_vec_done(&t->unknown);
    arena_done(&t->arena);
}
AUTO_VALUE(struct findings, findings_done)

static void note_unknown(struct findings *t, str path)
{
    if (t->unknown.len < 64)
        vec_push(&t->unknown, arena_dup(&t->arena, path));
}

static void add_step(struct buf *path, const struct doc_node *around, str key, size_t index)
{
    if (doc_is_list(around))
        buf_addf(path, "[%zu]", index);
    else
        buf_addf(path, "%s%.*s", path->len ? "." : "", STR_ARG(key));
}

/* ---- built-in kinds */

static const char *json_name(const struct doc_node *n)
{
    static const char *const names[] = {"null", "bool", "number", "string", "array", "object", ""};

    return names[doc_type(n)];
}

/* Quantities are texts that may be written as numbers. */
static bool takes_numbers(str path)
{
    static const char *const words[] = {
        "limits.",         "requests.",    "hard.",        "used.",       "capacity.", "overhead.",
        "sizeLimit",       "divisor",      "allocatable.", "default.",    "max.",      "min.",
        "defaultRequest.", "averageValue", "value",        "minAvailable"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_contains(path, str_of(words[i])) && !str_contains(path, STR(".env")))
            return true;
    return false;
}

static bool fits(const struct doc_shape_info *info, const struct doc_node *n, str path)
{
    int64_t i;

    if (doc_is_null(n) || !info->type.len)
        return true;
    if (str_eq(info->type, STR("string")))
        return doc_is_string(n) || (n->type == DOC_NUMBER && takes_numbers(path));
    if (str_eq(info->type, STR("integer")))
        return doc_to_int64(n, &i);
    if (str_eq(info->type, STR("number")))
        return n->type == DOC_NUMBER;
    if (str_eq(info->type, STR("boolean")))
        return n->type == DOC_BOOL;
    if (str_eq(info->type, STR("array")))
        return doc_is_list(n);
    return !str_eq(info->type, STR("object")) || doc_is_map(n);
}

/* Known without a shape of its own: any JSON may stand there. */
static bool is_listed(const struct doc_schema *s, doc_shape shape, str key)
{
    str names[256];
    size_t count = res_schema_fields(s, shape, names, ARRAY_LEN(names));

    for (size_t i = 0; i < MIN(count, ARRAY_LEN(names)); i++)
        if (str_eq(names[i], key))
            return true;
    return false;
}

static void check_builtin(doc_shape shape, struct doc_node *n, struct buf *path, bool prunes,
                          struct findings *t)
{
    const struct doc_schema *s = res_kubernetes_schema();
    struct doc_iter it = doc_children(n);
    struct doc_shape_info info;
    size_t index = 0;

    s->info(s, shape, &info);
    if (!fits(&info, n, buf_view(path))) {
        if (!t->mismatch.len)
            t->mismatch = arena_printf(&t->arena,
                                       "json: cannot unmarshal %s into Go struct field .%s of type "
                                       "%.*s",
                                       json_name(n), buf_cstr(path), STR_ARG(info.type));
        return;
    }
    while (doc_next(&it)) {
        doc_shape below = doc_is_list(n) ? s->item(s, shape) : s->field(s, shape, it.key);
        size_t before = path->len;

        if (below && prunes && doc_is_map(n) && doc_is_null(it.value)) {
            doc_remove(n, it.key); /* null is the same as nothing to a built-in type */
            continue;
        }
        add_step(path, n, it.key, index++);
        if (below) {
            check_builtin(below, it.value, path, prunes, t);
        } else if (doc_is_map(n) && !info.is_open && info.kind == DOC_SHAPE_MAP &&
                   !is_listed(s, shape, it.key)) {
            note_unknown(t, buf_view(path));
            if (prunes)
                doc_remove(n, it.key);
        }
        buf_trunc(path, before);
    }
}

/* ---- custom kinds */

static bool flag(const struct doc_node *schema, const char *key)
{
    return doc_bool(doc_get(schema, str_of(key)), false);
}

static bool is_type_field(str key)
{
    return str_eq(key, STR("apiVersion")) || str_eq(key, STR("kind")) ||
           str_eq(key, STR("metadata"));
}

static const struct doc_node *custom_below(const struct doc_node *schema, const struct doc_node *n,
                                           str key)
{
    const struct doc_node *more = doc_get_lit(schema, "additionalProperties");
    const struct doc_node *own;

    if (doc_is_list(n))
        return doc_get_lit(schema, "items");
    own = doc_get(doc_get_lit(schema, "properties"), key);
    return own ? own : doc_is_map(more) ? more : NULL;
}

static void check_custom(const struct doc_node *schema, struct doc_node *n, bool is_resource,
                         struct buf *path, bool prunes, struct findings *t)
{
    bool is_open = flag(schema, "x-kubernetes-preserve-unknown-fields") ||
                   flag(schema, "additionalProperties");
    struct doc_iter it = doc_children(n);
    size_t index = 0;

    while (doc_next(&it)) {
        const struct doc_node *below = custom_below(schema, n, it.key);
        size_t before = path->len;

        if (is_resource && is_type_field(it.key))
            continue;
        add_step(path, n, it.key, index++);
        if (below) {
            check_custom(below, it.value, flag(below, "x-kubernetes-embedded-resource"), path,
                         prunes, t);
        } else if (doc_is_map(n) && !is_open) {
            note_unknown(t, buf_view(path));
            if (prunes)
                doc_remove(n, it.key);
        }
        buf_trunc(path, before);
    }
}

/* ---- */

/* Notes unknown fields, and removes them when prunes is set. */
static void check(const struct sb_kind *kind, struct doc_node *object, bool prunes,
                  struct findings *ret)
{
    const struct doc_schema *s = res_kubernetes_schema();
    AUTO(buf_done) struct buf path = {0};
    doc_shape root;

    if (kind->is_custom) {
        if (kind->schema)
            check_custom(kind->schema, object, true, &path, prunes, ret);
        return;
    }
    root = s->root(s, kind->group, kind->version, kind->kind);
    if (root)
        check_builtin(root, object, &path, prunes, ret);
}

static void join(const struct findings *t, const char *format_before, struct buf *out)
{
    for (size_t i = 0; i < t->unknown.len; i++)
        buf_addf(out, "%s%s\"%.*s\"", i ? ", " : "", format_before, STR_ARG(t->unknown.v[i]));
}

int sb_typed_admit(struct sb_req *r, const struct sb_kind *kind, struct doc_node *object)
{
    AUTO(findings_done) struct findings t = {0};
    str validation = sb_param(r, "fieldValidation");

    check(kind, object, true, &t);
    if (t.mismatch.len)
        return sb_fail(r, 400, NULL, "%.*s in version \"%.*s\" cannot be handled as a %.*s: %.*s",
                       STR_ARG(kind->kind), STR_ARG(kind->version), STR_ARG(kind->kind),
                       STR_ARG(t.mismatch));
    if (t.unknown.len == 0 || str_eq(validation, STR("Ignore")))
        return 0;
    if (str_eq(validation, STR("Strict"))) {
        AUTO(buf_done) struct buf text = {0};

        join(&t, "unknown field ", &text);
        return sb_fail(r, 400, NULL,
                       "%.*s in version \"%.*s\" cannot be handled as a %.*s: strict decoding "
                       "error: %s",
                       STR_ARG(kind->kind), STR_ARG(kind->version), STR_ARG(kind->kind),
                       buf_cstr(&text));
    }
    for (size_t i = 0; i < t.unknown.len && i < ARRAY_LEN(r->warnings); i++)
        r->warnings[r->warning_count++] =
            arena_printf(&r->arena, "unknown field \"%.*s\"", STR_ARG(t.unknown.v[i]));
    return 0;
}

int sb_typed_config(struct sb_req *r, struct doc_node *config)
{
    AUTO(findings_done) struct findings t = {0};
    AUTO(buf_done) struct buf text = {0};
    str ns = r->ns, api = sb_api_version(r->kind, &r->arena);

    check(r->kind, config, false, &t);
    if (t.unknown.len == 0 && !t.mismatch.len)
        return 0;
    if (t.unknown.len)
        buf_addf(&text, ".%.*s: field not declared in schema", STR_ARG(t.unknown.v[0]));
    else
        buf_add_str(&text, t.mismatch);
    return sb_fail(
        r, 500, "", "failed to create typed patch object (%.*s/%.*s; %.*s, Kind=%.*s): %s",
        STR_ARG(ns), STR_ARG(r->name), STR_ARG(api), STR_ARG(r->kind->kind), buf_cstr(&text));
}
