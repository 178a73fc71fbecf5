#include "res/schema.h"
#include "sdk/sdk_priv.h"

/* Judging objects by schemas: the built-in tables, those of CRDs among the items, JSON Schema as
 * far as such documents use it. Messages are kubeval's. */

struct judge {
    gfn_node object;
    bool is_strict;
    const struct doc_schema *table; /* or: */
    const struct doc_node *root;    /* the document that $ref counts in */
    struct buf path;
    size_t problems;
};

/* A place in a schema: one of the two. */
struct view {
    doc_shape shape;
    const struct doc_node *node; /* NULL: everything is allowed */
};

enum { MAX_REQUIRED = 64, MAX_REFERENCES = 16 };

static void PRINTF(2, 3) complain(struct judge *j, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    gfn_result(j->object.ctx, GFN_ERROR, j->object, j->path.len ? buf_cstr(&j->path) : NULL, "%s",
               buf_cstr(&text));
    j->problems++;
}

/* Follows "#/a/b" inside the root. */
static const struct doc_node *follow_refs(const struct judge *j, const struct doc_node *n)
{
    for (int i = 0; n && i < MAX_REFERENCES; i++) {
        str ref = doc_text(doc_get_lit(n, "$ref"), STR_NONE);

        if (!str_drop_prefix(&ref, STR("#/")))
            return n;
        n = j->root;
        while (n && ref.len)
            n = doc_get(n, str_cut(ref, '/', &ref));
    }
    return NULL;
}

static str type_of(const struct judge *j, struct view v)
{
    const struct doc_node *type = doc_get_lit(v.node, "type");
    struct doc_shape_info info;
    struct doc_iter it = doc_children(type);

    if (j->table) {
        j->table->info(j->table, v.shape, &info);
        return info.type;
    }
    if (doc_bool(doc_get_lit(v.node, "x-kubernetes-int-or-string"), false))
        return STR_NONE;
    while (doc_is_list(type) && doc_next(&it)) /* ["string", "null"] */
        if (!str_eq(doc_text(it.value, STR_NONE), STR("null")))
            return doc_len(type) > 2 ? STR_NONE : doc_text(it.value, STR_NONE);
    return doc_string(type, STR_NONE);
}

static struct view field_of(const struct judge *j, struct view v, str key)
{
    const struct doc_node *n;

    if (j->table)
        return (struct view){.shape = j->table->field(j->table, v.shape, key)};
    n = doc_get(doc_get_lit(v.node, "properties"), key);
    if (!n && doc_is_map(doc_get_lit(v.node, "additionalProperties")))
        n = doc_get_lit(v.node, "additionalProperties");
    return (struct view){.node = follow_refs(j, n)};
}

static struct view item_of(const struct judge *j, struct view v)
{
    if (j->table)
        return (struct view){.shape = j->table->item(j->table, v.shape)};
    return (struct view){.node = follow_refs(j, doc_get_lit(v.node, "items"))};
}

/* May a mapping have this field? Only asked when unknown ones count. */
static bool allows(const struct judge *j, struct view v, str key)
{
    const struct doc_node *more = doc_get_lit(v.node, "additionalProperties");
    struct doc_shape_info info;

    if (j->path.len == 0 && (str_eq(key, STR("apiVersion")) || str_eq(key, STR("kind")) ||
                             str_eq(key, STR("metadata"))))
        return true;
    if (j->table) {
        j->table->info(j->table, v.shape, &info);
        return info.kind != DOC_SHAPE_MAP || info.is_open ||
               res_schema_fields(j->table, v.shape, NULL, 0) == 0 ||
               res_schema_has_field(j->table, v.shape, key);
    }
    if (!doc_get_lit(v.node, "properties") || doc_is_map(more) || doc_bool(more, false) ||
        doc_bool(doc_get_lit(v.node, "x-kubernetes-preserve-unknown-fields"), false))
        return true;
    return doc_get(doc_get_lit(v.node, "properties"), key) != NULL;
}

static size_t required_of(const struct judge *j, struct view v, str *ret)
{
    struct doc_iter it = doc_children(doc_get_lit(v.node, "required"));
    size_t count = 0;

    if (j->table)
        return MIN(res_schema_required(j->table, v.shape, ret, MAX_REQUIRED), (size_t)MAX_REQUIRED);
    while (count < MAX_REQUIRED && doc_next(&it))
        ret[count++] = doc_text(it.value, STR_NONE);
    return count;
}

/* ---- values */

static const char *name_of(const struct doc_node *n)
{
    static const char names[][8] = {
        [DOC_NULL] = "null",     [DOC_BOOL] = "boolean", [DOC_NUMBER] = "number",
        [DOC_STRING] = "string", [DOC_LIST] = "array",   [DOC_MAP] = "object",
        [DOC_ALIAS] = "alias",
    };

    return n->type == DOC_NUMBER && n->is_int ? "integer" : names[n->type];
}

static bool fits(const struct doc_node *n, str type)
{
    return type.len == 0 || str_eq(type, str_of(name_of(n))) ||
           (n->type == DOC_NUMBER && str_eq(type, STR("number")));
}

static void judge_enum(struct judge *j, struct view v, const struct doc_node *n)
{
    AUTO(buf_done) struct buf all = {0};
    const struct doc_node *values = doc_get_lit(v.node, "enum");
    struct doc_iter it = doc_children(values);

    while (doc_next(&it)) {
        if (doc_equal(it.value, n))
            return;
        buf_addf(&all, "%s\"%.*s\"", all.len ? ", " : "", STR_ARG(doc_text(it.value, STR_NONE)));
    }
    if (doc_len(values))
        complain(j, "must be one of the following: %s", buf_cstr(&all));
}

static void judge_node(struct judge *j, struct view v, const struct doc_node *n);

static void judge_map(struct judge *j, struct view v, const struct doc_node *n)
{
    str required[MAX_REQUIRED];
    size_t count = required_of(j, v, required), len = j->path.len;
    struct doc_iter it = doc_children(n);

    for (size_t i = 0; i < count; i++)
        if (doc_is_null(doc_get(n, required[i])))
            complain(j, "%.*s is required", STR_ARG(required[i]));
    while (doc_next(&it)) {
        if (j->is_strict && !allows(j, v, it.key)) {
            complain(j, "Additional property %.*s is not allowed", STR_ARG(it.key));
            continue;
        }
        sdk_add_key(&j->path, it.key);
        judge_node(j, field_of(j, v, it.key), it.value);
        buf_trunc(&j->path, len);
    }
}

/* Nulls are as good as absent. Recursion follows the object, whose depth its reader has bounded. */
static void judge_node(struct judge *j, struct view v, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    size_t len = j->path.len, index = 0;
    str type = v.shape || v.node ? type_of(j, v) : STR_NONE;

    if ((!v.shape && !v.node) || doc_is_null(n) || n->type == DOC_ALIAS)
        return;
    if (!fits(n, type)) {
        complain(j, "Invalid type. Expected: %.*s, given: %s", STR_ARG(type), name_of(n));
        return;
    }
    judge_enum(j, v, n);
    if (doc_is_map(n)) {
        judge_map(j, v, n);
        return;
    }
    while (doc_next(&it)) {
        sdk_add_index(&j->path, index++);
        judge_node(j, item_of(j, v), it.value);
        buf_trunc(&j->path, len);
    }
}

static int judge(struct judge *j, struct view v)
{
    judge_node(j, v, sdk_node(j->object));
    buf_done(&j->path);
    return j->problems == 0;
}

/* ---- where schemas come from */

static str schema_key(struct arena *a, str group, str version, str kind)
{
    return arena_printf(a, "%.*s/%.*s/%.*s", STR_ARG(group), STR_ARG(version), STR_ARG(kind));
}

static void free_map(void *p) { map_done(p); }

static void add_crd(gfn_ctx *ctx, const struct doc_node *crd)
{
    const struct doc_node *spec = doc_get_lit(crd, "spec");
    str group = doc_text(doc_get_lit(spec, "group"), STR_NONE);
    str kind = doc_text(doc_at(spec, "names/kind"), STR_NONE);
    struct doc_node *common = doc_at(spec, "validation/openAPIV3Schema");
    struct doc_iter it = doc_children(doc_get_lit(spec, "versions"));

    while (doc_next(&it)) {
        struct doc_node *own = doc_at(it.value, "schema/openAPIV3Schema");
        str version = doc_text(doc_get_lit(it.value, "name"), STR_NONE);

        if (own || common)
            map_put(ctx->crds, schema_key(&ctx->arena, group, version, kind), own ? own : common);
    }
    if (common && doc_get_lit(spec, "version"))
        map_put(
            ctx->crds,
            schema_key(&ctx->arena, group, doc_text(doc_get_lit(spec, "version"), STR_NONE), kind),
            common);
}

static const struct doc_node *schema_of_crd(gfn_ctx *ctx, const struct res_id *id)
{
    AUTO(arena_done) struct arena arena = {0};

    if (!ctx->crds) {
        gfn_iter it = gfn_items(ctx);

        ctx->crds = ARENA_NEW(&ctx->arena, struct map);
        sdk_own(ctx, ctx->crds, free_map);
        while (gfn_next(&it))
            if (gfn_is(it.node, "apiextensions.k8s.io", "CustomResourceDefinition"))
                add_crd(ctx, sdk_node(it.node));
    }
    return map_get(ctx->crds, schema_key(&arena, id->gvk.group, id->gvk.version, id->gvk.kind));
}

int gfn_validate_by(gfn_node object, gfn_node schema, bool is_strict)
{
    struct judge j = {.object = object, .is_strict = is_strict, .root = sdk_node(schema)};

    return j.root ? judge(&j, (struct view){.node = follow_refs(&j, j.root)}) : -1;
}

int gfn_validate(gfn_node object, bool is_strict)
{
    const struct doc_schema *tables[] = {res_kubernetes_schema(), res_kustomize_schema()};
    struct res_id id = res_id_of(sdk_node(object));
    const struct doc_node *crd = schema_of_crd(object.ctx, &id);

    if (crd)
        return gfn_validate_by(object, sdk_handle(object.ctx, crd), is_strict);
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        struct judge j = {.object = object, .is_strict = is_strict, .table = tables[i]};
        struct view v = {.shape = doc_schema_of(tables[i], sdk_node(object))};

        if (v.shape)
            return judge(&j, v);
    }
    return -1;
}
