/* A schema of the user's own: the `definitions` of an OpenAPI document (kustomize spec 13). */
#include "kustomize/config/openapi.h"

#include "base/map.h"

enum { MAX_NESTING = 200 };

/* What a place in the document says of its values. Children are shapes, 0: none is known. */
struct shape {
    struct doc_shape_info info;
    struct map *fields; /* name -> shape, as a pointer's value; NULL: none */
    doc_shape child;    /* of a list's items, or of a map's other values */
};

struct openapi {
    struct doc_schema schema;       /* first: a schema is its document */
    const struct doc_schema *below; /* or NULL: what is not defined here may be there */
    struct arena *arena;
    VEC(struct shape) shapes; /* the first is "unknown" */
    VEC(struct map *) maps;   /* to be freed */
    struct map definitions;   /* name -> shape */
    struct map roots;         /* "group/version/kind" -> shape */
    bool is_of_types;         /* lists of type "map" merge */
};

static void *as_pointer(doc_shape shape) { return (void *)(uintptr_t)shape; }
static doc_shape as_shape(const void *p) { return (doc_shape)(uintptr_t)p; }

static const struct openapi *openapi_of(const struct doc_schema *s)
{
    return CONTAINER_OF(s, const struct openapi, schema);
}

/* Shapes of the schema below are told by their first bit. */
enum { OF_BELOW = 1 << 30 };

static doc_shape below(doc_shape shape) { return shape ? shape | OF_BELOW : 0; }

/* ---- questions */

static doc_shape get_root(const struct doc_schema *s, str group, str version, str kind)
{
    AUTO(buf_done) struct buf key = {0};
    const struct openapi *o = openapi_of(s);
    doc_shape shape;

    buf_addf(&key, "%.*s/%.*s/%.*s", STR_ARG(group), STR_ARG(version), STR_ARG(kind));
    shape = as_shape(map_get(&o->roots, buf_view(&key)));
    return shape || !o->below ? shape : below(o->below->root(o->below, group, version, kind));
}

static doc_shape get_field(const struct doc_schema *s, doc_shape shape, str key)
{
    const struct openapi *o = openapi_of(s);
    const struct shape *of;
    doc_shape field;

    if (shape & OF_BELOW)
        return below(o->below->field(o->below, shape & ~(doc_shape)OF_BELOW, key));
    of = &o->shapes.v[shape];
    field = of->fields ? as_shape(map_get(of->fields, key)) : 0;

    return field || of->info.kind != DOC_SHAPE_MAP ? field : of->child;
}

static doc_shape get_definition(const struct doc_schema *s, str name)
{
    const struct openapi *o = openapi_of(s);
    doc_shape shape = as_shape(map_get(&o->definitions, name));

    return shape || !o->below ? shape : below(o->below->definition(o->below, name));
}

static doc_shape get_item(const struct doc_schema *s, doc_shape shape)
{
    const struct openapi *o = openapi_of(s);
    const struct shape *of;

    if (shape & OF_BELOW)
        return below(o->below->item(o->below, shape & ~(doc_shape)OF_BELOW));
    of = &o->shapes.v[shape];
    return of->info.kind == DOC_SHAPE_LIST ? of->child : 0;
}

static void get_info(const struct doc_schema *s, doc_shape shape, struct doc_shape_info *ret)
{
    const struct openapi *o = openapi_of(s);

    if (shape & OF_BELOW)
        o->below->info(o->below, shape & ~(doc_shape)OF_BELOW, ret);
    else
        *ret = o->shapes.v[shape].info;
}

/* ---- reading */

static struct map *new_map(struct openapi *o)
{
    vec_push(&o->maps, NEW(struct map));
    return vec_last(&o->maps);
}

static bool has_word(str list, str word)
{
    while (list.len) {
        str one = str_cut(list, ',', &list);

        if (str_eq(str_trim(one), word))
            return true;
    }
    return false;
}

static struct doc_shape_info read_info(const struct openapi *o, const struct doc_node *n)
{
    str strategy = doc_text(doc_get_lit(n, "x-kubernetes-patch-strategy"), STR_NONE);
    str list_type = doc_text(doc_get_lit(n, "x-kubernetes-list-type"), STR_NONE);
    str map_type = doc_text(doc_get_lit(n, "x-kubernetes-map-type"), STR_NONE);
    struct doc_iter keys = doc_children(doc_get_lit(n, "x-kubernetes-list-map-keys"));
    struct doc_shape_info info = {
        .is_merge = has_word(strategy, STR("merge")),
        .is_replace = has_word(strategy, STR("replace")),
        .retains_keys = has_word(strategy, STR("retainKeys")),
        .is_atomic = str_eq(list_type, STR("atomic")) || str_eq(map_type, STR("atomic")),
        .is_set = str_eq(list_type, STR("set")),
        .merge_key = doc_text(doc_get_lit(n, "x-kubernetes-patch-merge-key"), STR_NONE),
        .type = doc_text(doc_get_lit(n, "type"), STR_NONE),
    };

    while (doc_next(&keys) && info.key_count < DOC_SHAPE_MAX_KEYS)
        info.keys[info.key_count++] = doc_text(keys.value, STR_NONE);
    if (o->is_of_types && str_eq(list_type, STR("map")) && info.key_count) {
        info.is_merge = true;
        info.merge_key = info.keys[0];
    }
    if (str_eq(info.type, STR("array")) || doc_get_lit(n, "items"))
        info.kind = DOC_SHAPE_LIST;
    else if (str_eq(info.type, STR("object")) || doc_get_lit(n, "properties"))
        info.kind = DOC_SHAPE_MAP;
    else
        info.kind = info.type.len ? DOC_SHAPE_SCALAR : DOC_SHAPE_UNKNOWN;
    return info;
}

static void fill(struct openapi *o, doc_shape shape, const struct doc_node *n, unsigned depth);

static doc_shape shape_of(struct openapi *o, const struct doc_node *n, unsigned depth)
{
    str ref = doc_text(doc_get_lit(n, "$ref"), STR_NONE);
    doc_shape shape = (doc_shape)o->shapes.len;

    if (!doc_is_map(n) || depth > MAX_NESTING)
        return 0;
    if (str_drop_prefix(&ref, STR("#/definitions/")))
        return get_definition(&o->schema, ref);
    vec_add(&o->shapes);
    fill(o, shape, n, depth);
    return shape;
}

static void fill(struct openapi *o, doc_shape shape, const struct doc_node *n, unsigned depth)
{
    const struct doc_node *properties = doc_get_lit(n, "properties");
    struct doc_iter it = doc_children(properties);
    struct map *fields = doc_is_map(properties) ? new_map(o) : NULL;
    doc_shape child;

    while (fields && doc_next(&it))
        map_put(fields, it.key, as_pointer(shape_of(o, it.value, depth + 1)));
    child = shape_of(o, doc_get_lit(n, "items"), depth + 1);
    if (!child)
        child = shape_of(o, doc_get_lit(n, "additionalProperties"), depth + 1);
    o->shapes.v[shape] = (struct shape){read_info(o, n), fields, child};
}

static void add_root(struct openapi *o, const struct res_gvk *gvk, doc_shape shape)
{
    map_put(&o->roots,
            arena_printf(o->arena, "%.*s/%.*s/%.*s", STR_ARG(gvk->group), STR_ARG(gvk->version),
                         STR_ARG(gvk->kind)),
            as_pointer(shape));
}

static void add_roots(struct openapi *o, const struct doc_node *definition, doc_shape shape)
{
    struct doc_iter it = doc_children(doc_get_lit(definition, "x-kubernetes-group-version-kind"));

    while (doc_next(&it)) {
        const struct res_gvk gvk = {doc_text(doc_get_lit(it.value, "group"), STR_NONE),
                                    doc_text(doc_get_lit(it.value, "version"), STR_NONE),
                                    doc_text(doc_get_lit(it.value, "kind"), STR_NONE)};

        add_root(o, &gvk, shape);
    }
}

/* Names first: definitions refer to one another in any order. */
static void name_definitions(struct openapi *o, const struct doc_node *definitions)
{
    struct doc_iter it = doc_children(definitions);

    while (doc_next(&it)) {
        map_put(&o->definitions, it.key, as_pointer((doc_shape)o->shapes.len));
        vec_add(&o->shapes);
    }
}

static void read_definitions(struct openapi *o, const struct doc_node *definitions)
{
    struct doc_iter it = doc_children(definitions);

    while (doc_next(&it)) {
        doc_shape shape = as_shape(map_get(&o->definitions, it.key));

        if (doc_is_map(it.value))
            fill(o, shape, it.value, 0);
        add_roots(o, it.value, shape);
    }
}

void kustomize_openapi_free(const struct doc_schema *schema)
{
    struct openapi *o =
        schema ? CONTAINER_OF((struct doc_schema *)schema, struct openapi, schema) : NULL;

    if (!o)
        return;
    for (size_t i = 0; i < o->maps.len; i++) {
        map_done(o->maps.v[i]);
        mem_free(o->maps.v[i]);
    }
    vec_done(&o->maps);
    vec_done(&o->shapes);
    map_done(&o->definitions);
    map_done(&o->roots);
    mem_free(o);
}

static struct openapi *new_openapi(struct doc_set *set)
{
    struct openapi *o = NEW(struct openapi);

    o->schema = (struct doc_schema){get_root, get_field, get_definition, get_item, get_info};
    o->arena = &set->arena;
    vec_add(&o->shapes);
    return o;
}

const struct doc_schema *kustomize_openapi_new(struct doc_set *set,
                                               const struct doc_node *const *definitions,
                                               size_t count, const struct doc_schema *below_it)
{
    struct openapi *o = new_openapi(set);

    o->below = below_it;
    for (size_t i = 0; i < count; i++)
        name_definitions(o, definitions[i]);
    for (size_t i = 0; i < count; i++)
        read_definitions(o, definitions[i]);
    return &o->schema;
}

const struct doc_schema *kustomize_openapi_of_type(struct doc_set *set, const struct res_gvk *gvk,
                                                   const struct doc_node *type)
{
    struct openapi *o = new_openapi(set);

    o->is_of_types = true;
    add_root(o, gvk, shape_of(o, type, 0));
    return &o->schema;
}
