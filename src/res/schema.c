#include "res/schema_priv.h"

const struct doc_schema *res_kustomize_schema(void) { return &res_kustomize_table.schema; }

const struct doc_schema *res_kubernetes_schema(void) { return &res_kubernetes_table.schema; }

static const struct res_table *table_of(const struct doc_schema *s)
{
    return CONTAINER_OF(s, const struct res_table, schema);
}

static str word(const struct res_table *t, uint32_t offset) { return str_of(t->words + offset); }

static const struct res_root *find_root(const struct res_table *t, str group, str version, str kind)
{
    size_t low = 0, high = t->root_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct res_root *r = &t->roots[middle];
        int way = str_cmp(kind, word(t, r->kind));

        if (way == 0)
            way = str_cmp(group, word(t, r->group));
        if (way == 0)
            way = str_cmp(version, word(t, r->version));
        if (way == 0)
            return r;
        if (way < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

doc_shape res_schema_root(const struct doc_schema *s, str group, str version, str kind)
{
    const struct res_root *r = find_root(table_of(s), group, version, kind);

    return r ? r->shape : 0;
}

/* The shape of a name among sorted fields, or the fallback. */
static doc_shape find_field(const struct res_table *t, const struct res_field *fields, size_t count,
                            str name, doc_shape fallback)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int way = str_cmp(name, word(t, fields[middle].name));

        if (way == 0)
            return fields[middle].shape;
        if (way < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return fallback;
}

doc_shape res_schema_field(const struct doc_schema *s, doc_shape shape, str key)
{
    const struct res_table *t = table_of(s);
    const struct res_shape *of = &t->shapes[shape];

    if (of->kind != DOC_SHAPE_MAP)
        return 0;
    return find_field(t, t->fields + of->first_field, of->field_count, key, of->child);
}

doc_shape res_schema_definition(const struct doc_schema *s, str name)
{
    const struct res_table *t = table_of(s);

    return find_field(t, t->definitions, t->definition_count, name, 0);
}

doc_shape res_schema_item(const struct doc_schema *s, doc_shape shape)
{
    const struct res_shape *of = &table_of(s)->shapes[shape];

    return of->kind == DOC_SHAPE_LIST ? of->child : 0;
}

void res_schema_info(const struct doc_schema *s, doc_shape shape, struct doc_shape_info *ret)
{
    static const char types[][8] = {"",        "string", "integer", "number",
                                    "boolean", "array",  "object"};
    const struct res_table *t = table_of(s);
    const struct res_shape *of = &t->shapes[shape];

    *ret = (struct doc_shape_info){
        .kind = of->kind,
        .is_merge = (of->flags & RES_MERGE) != 0,
        .is_replace = (of->flags & RES_REPLACE) != 0,
        .retains_keys = (of->flags & RES_RETAIN_KEYS) != 0,
        .is_atomic = (of->flags & RES_ATOMIC) != 0,
        .is_set = (of->flags & RES_SET) != 0,
        .is_open = (of->flags & RES_OPEN) != 0,
        .merge_key = word(t, of->merge_key),
        .key_count = of->key_count,
        .type = str_of(types[of->type]),
    };
    for (size_t i = 0; i < of->key_count; i++)
        ret->keys[i] = word(t, t->keys[of->keys + i]);
}

int res_schema_is_namespaced(const struct doc_schema *s, const struct res_gvk *gvk)
{
    const struct res_root *r = find_root(table_of(s), gvk->group, gvk->version, gvk->kind);

    return r ? r->is_namespaced : -1;
}

size_t res_schema_fields(const struct doc_schema *s, doc_shape shape, str *ret, size_t max)
{
    const struct res_table *t = table_of(s);
    const struct res_shape *of = &t->shapes[shape];

    for (size_t i = 0; i < of->field_count && i < max && ret; i++)
        ret[i] = word(t, t->fields[of->first_field + i].name);
    return of->field_count;
}

size_t res_schema_required(const struct doc_schema *s, doc_shape shape, str *ret, size_t max)
{
    const struct res_table *t = table_of(s);
    const struct res_shape *of = &t->shapes[shape];
    size_t count = 0;

    for (size_t i = 0; i < of->field_count; i++) {
        const struct res_field *field = &t->fields[of->first_field + i];

        if (field->is_required && count++ < max)
            ret[count - 1] = word(t, field->name);
    }
    return count;
}

bool res_schema_has_field(const struct doc_schema *s, doc_shape shape, str key)
{
    enum { NONE = UINT16_MAX };
    const struct res_table *t = table_of(s);
    const struct res_shape *of = &t->shapes[shape];

    return of->kind == DOC_SHAPE_MAP &&
           find_field(t, t->fields + of->first_field, of->field_count, key, NONE) != NONE;
}

str res_schema_reference(const struct doc_schema *s, doc_shape shape)
{
    const struct res_table *t = table_of(s);
    uint16_t definition = t->references ? t->references[shape].definition : 0;

    return definition ? word(t, t->definitions[definition - 1].name) : STR_NONE;
}
