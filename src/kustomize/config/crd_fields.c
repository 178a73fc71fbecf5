/* What `crds` files say about fields (kustomize spec 13): extensions of properties become field
 * specs and references. */
#include "base/diag.h"
#include "doc/parse.h"
#include "kustomize/config/config.h"

enum { MAX_DEPTH = 64, MAX_TYPES = 100000 };

struct crd_reader {
    struct kustomize_config *c;
    struct doc_set *set;
    const struct doc_node *types; /* by name */
    str kind;                     /* whose fields are looked at */
    struct buf path;
    size_t visited;
    struct err *e;
};

static str extension(const struct doc_node *property, str name)
{
    return doc_string(doc_get(property, name), STR_NONE);
}

static bool is_marked(const struct doc_node *property, str name)
{
    return doc_is_string(doc_get(property, name));
}

static struct res_field_spec spec_at(const struct crd_reader *r, str name_key)
{
    struct arena *arena = &r->set->arena;
    struct res_field_spec spec = {.gvk.kind = r->kind};

    spec.path = name_key.len ? arena_printf(arena, "%.*s/%.*s", (int)r->path.len, r->path.p,
                                            STR_ARG(name_key))
                             : arena_dup(arena, buf_view(&r->path));
    return spec;
}

static int add_spec(struct crd_reader *r, struct kustomize_specs *specs)
{
    struct res_field_spec spec = spec_at(r, STR_NONE);

    return kustomize_specs_add(specs, &spec, r->e);
}

static int add_reference(struct crd_reader *r, const struct doc_node *property)
{
    static const str version_key = STR_INIT("x-kubernetes-object-ref-api-version");
    static const str kind_key = STR_INIT("x-kubernetes-object-ref-kind");
    const struct res_gvk target = {.version = extension(property, version_key),
                                   .kind = extension(property, kind_key)};
    str name_key = extension(property, STR("x-kubernetes-object-ref-name-key"));
    struct res_field_spec spec;

    if (!is_marked(property, version_key) || !is_marked(property, kind_key))
        return 0;
    spec = spec_at(r, name_key.len ? name_key : STR("name"));
    return kustomize_backrefs_add(&r->c->name_reference, &target,
                                  &(struct kustomize_specs){&spec, 1, 1}, r->e);
}

static int add_property(struct crd_reader *r, const struct doc_node *property)
{
    struct kustomize_config *c = r->c;

    if ((is_marked(property, STR("x-kubernetes-annotation")) &&
         add_spec(r, &c->common_annotations) < 0) ||
        (is_marked(property, STR("x-kubernetes-label-selector")) &&
         add_spec(r, &c->common_labels) < 0) ||
        (is_marked(property, STR("x-kubernetes-identity")) && add_spec(r, &c->name_prefix) < 0))
        return -1;
    return add_reference(r, property);
}

static const struct doc_node *get_nocase(const struct doc_node *map, str key)
{
    struct doc_iter it = doc_children(map);

    while (doc_next(&it))
        if (str_eq_nocase(it.key, key))
            return it.value;
    return NULL;
}

static const struct doc_node *properties_of(const struct doc_node *type)
{
    return doc_get_lit(get_nocase(type, STR("Schema")), "properties");
}

/* is_inline: of a CustomResourceDefinition, whose properties hold others themselves instead of
 * naming types. */
static int walk(struct crd_reader *r, const struct doc_node *properties, bool is_inline, int depth);

static int descend(struct crd_reader *r, const struct doc_node *property, bool is_inline, int depth)
{
    const struct doc_node *items = doc_get_lit(property, "items");
    str ref = doc_string(doc_get_lit(property, "$ref"), STR_NONE);

    if (is_inline)
        return walk(r, doc_get_lit(items ? items : property, "properties"), true, depth + 1);
    return ref.len ? walk(r, properties_of(doc_get(r->types, ref)), false, depth + 1) : 0;
}

static int walk(struct crd_reader *r, const struct doc_node *properties, bool is_inline, int depth)
{
    struct doc_iter it = doc_children(properties);

    while (doc_next(&it)) {
        size_t len = r->path.len;

        if (depth > MAX_DEPTH || ++r->visited > MAX_TYPES)
            return err_set(r->e, ERR_LIMIT, "types refer to one another without an end at '%s'",
                           buf_cstr(&r->path));
        if (len)
            buf_add_char(&r->path, '/');
        buf_add_str(&r->path, it.key);
        if (add_property(r, it.value) < 0 || descend(r, it.value, is_inline, depth) < 0)
            return -1;
        r->path.len = len;
    }
    return 0;
}

static bool looks_like_object(const struct doc_node *properties)
{
    return doc_get_lit(properties, "kind") && doc_get_lit(properties, "apiVersion") &&
           doc_get_lit(properties, "metadata");
}

static int read_types(struct crd_reader *r)
{
    struct doc_iter it = doc_children(r->types);

    while (doc_next(&it)) {
        const struct doc_node *properties = properties_of(it.value);
        ssize_t dot = str_rfind_char(it.key, '.');

        r->kind = str_from(it.key, (size_t)(dot + 1));
        if (looks_like_object(properties) && walk(r, properties, false, 0) < 0)
            return -1;
    }
    return 0;
}

static int read_definition(struct crd_reader *r, const struct doc_node *spec)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "versions"));

    r->kind = doc_string(doc_at(spec, "names/kind"), STR_NONE);
    if (walk(r, doc_at(spec, "validation/openAPIV3Schema/properties"), true, 0) < 0)
        return -1;
    while (doc_next(&it))
        if (walk(r, doc_at(it.value, "schema/openAPIV3Schema/properties"), true, 0) < 0)
            return -1;
    return 0;
}

static int check_types(const struct doc_set *set, const struct doc_node *document, struct err *e)
{
    struct doc_iter it = doc_children(document);
    AUTO(diag_list_done) struct diag_list diags = {0};

    if (!doc_is_null(document) && !doc_is_map(document)) {
        doc_diag(&diags, set, document, false, "kustomize.crd",
                 "a map from names to types is expected here");
        return err_diags(e, &diags);
    }
    while (doc_next(&it))
        if (!doc_is_map(it.value) && !doc_is_null(it.value)) {
            doc_diag(&diags, set, it.value, false, "kustomize.crd",
                     "a type is a map with a \"Schema\"");
            return err_diags(e, &diags);
        }
    return 0;
}

int kustomize_config_read_crd(struct kustomize_config *c, struct doc_set *set,
                              const struct doc_node *document, struct err *e)
{
    struct crd_reader r = {.c = c, .set = set, .types = document, .e = e};
    bool is_definition = str_eq(doc_string(doc_get_lit(document, "kind"), STR_NONE),
                                STR("CustomResourceDefinition"));
    int rc;

    if (!is_definition && check_types(set, document, e) < 0)
        return -1;
    if (is_definition)
        vec_push(&c->crds, document);
    rc = is_definition ? read_definition(&r, doc_get_lit(document, "spec")) : read_types(&r);
    buf_done(&r.path);
    return rc;
}
