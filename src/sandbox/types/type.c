#include "sandbox/types/type.h"

#include "base/order.h"
#include "res/schema.h"

static doc_shape metadata_shape(void)
{
    const struct doc_schema *s = res_kubernetes_schema();

    return s->field(s, s->root(s, STR_NONE, STR("v1"), STR("ConfigMap")), STR("metadata"));
}

struct sb_type sb_type_root(const struct sb_kind *kind)
{
    const struct doc_schema *s = res_kubernetes_schema();
    struct sb_type t = {.is_custom = kind->is_custom, .schema = kind->schema};

    if (!kind->is_custom)
        t.shape = s->root(s, kind->group, kind->version, kind->kind);
    t.is_root = true;
    return t;
}

struct sb_type sb_type_field(const struct sb_type *t, str name)
{
    const struct doc_schema *s = res_kubernetes_schema();
    struct sb_type out = {.is_custom = t->is_custom};
    const struct doc_node *n;

    if (t->is_root && str_eq(name, STR("metadata"))) { /* the same for all kinds */
        out.is_custom = false;
        out.shape = metadata_shape();
        return out;
    }
    if (!t->is_custom) {
        out.shape = t->shape ? s->field(s, t->shape, name) : 0;
        return out;
    }
    n = doc_get(doc_get_lit(t->schema, "properties"), name);
    if (!n && doc_is_map(doc_get_lit(t->schema, "additionalProperties")))
        n = doc_get_lit(t->schema, "additionalProperties");
    out.schema = n;
    out.is_root = doc_bool(doc_get_lit(n, "x-kubernetes-embedded-resource"), false);
    return out;
}

struct sb_type sb_type_item(const struct sb_type *t)
{
    const struct doc_schema *s = res_kubernetes_schema();

    return (struct sb_type){.is_custom = t->is_custom,
                            .schema = doc_get_lit(t->schema, "items"),
                            .shape = t->shape ? s->item(s, t->shape) : 0};
}

static void add_key(struct sb_keys *keys, str key, const struct doc_node *fallback)
{
    size_t at = keys->count;

    if (at == ARRAY_LEN(keys->v))
        return;
    for (; at > 0 && str_cmp(keys->v[at - 1].name, key) > 0; at--)
        keys->v[at] = keys->v[at - 1];
    keys->v[at].name = key;
    keys->v[at].fallback = fallback;
    keys->count++;
}

static enum sb_merge custom_list(const struct sb_type *t, struct sb_keys *ret_keys)
{
    str type = doc_text(doc_get_lit(t->schema, "x-kubernetes-list-type"), STR_NONE);
    struct doc_iter it = doc_children(doc_get_lit(t->schema, "x-kubernetes-list-map-keys"));
    const struct doc_node *fields = doc_get_lit(doc_get_lit(t->schema, "items"), "properties");

    if (str_eq(type, STR("set")))
        return SB_SET;
    if (!str_eq(type, STR("map")))
        return SB_ATOMIC;
    while (doc_next(&it)) {
        str key = doc_text(it.value, STR_NONE);

        add_key(ret_keys, key, doc_get_lit(doc_get(fields, key), "default"));
    }
    return ret_keys->count ? SB_MAP : SB_ATOMIC;
}

/* The one key of built-in lists that has a default. */
static const struct doc_node tcp = {.type = DOC_STRING, .text = "TCP", .len = 3};

static enum sb_merge builtin_merge(const struct sb_type *t, bool is_list, struct sb_keys *ret_keys)
{
    const struct doc_schema *s = res_kubernetes_schema();
    struct doc_shape_info info = {0};

    if (t->shape)
        s->info(s, t->shape, &info);
    if (!is_list)
        return info.is_atomic ? SB_ATOMIC : SB_GRANULAR;
    if (info.is_set)
        return SB_SET;
    for (size_t i = 0; i < info.key_count; i++) {
        bool is_protocol = str_eq(info.keys[i], STR("protocol"));

        add_key(ret_keys, info.keys[i], is_protocol ? &tcp : NULL);
    }
    return ret_keys->count && !info.is_atomic ? SB_MAP : SB_ATOMIC;
}

enum sb_merge sb_type_merge(const struct sb_type *t, const struct doc_node *value,
                            struct sb_keys *ret_keys)
{
    bool is_list = doc_is_list(value);

    ret_keys->count = 0;
    if (!is_list && !doc_is_map(value))
        return SB_ATOMIC;
    if (!t->is_custom)
        return builtin_merge(t, is_list, ret_keys);
    if (is_list)
        return custom_list(t, ret_keys);
    return str_eq(doc_text(doc_get_lit(t->schema, "x-kubernetes-map-type"), STR_NONE),
                  STR("atomic"))
               ? SB_ATOMIC
               : SB_GRANULAR;
}

/* ---- fields and values */

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

static bool flag(const struct doc_node *schema, const char *key)
{
    return doc_bool(doc_get(schema, str_of(key)), false);
}

static bool custom_declares(const struct sb_type *t, str name)
{
    return !t->schema || doc_get(doc_get_lit(t->schema, "properties"), name) ||
           doc_is_map(doc_get_lit(t->schema, "additionalProperties")) ||
           flag(t->schema, "additionalProperties") ||
           flag(t->schema, "x-kubernetes-preserve-unknown-fields");
}

bool sb_type_declares(const struct sb_type *t, str name)
{
    const struct doc_schema *s = res_kubernetes_schema();
    struct doc_shape_info info = {0};

    if (t->is_root && (str_eq(name, STR("apiVersion")) || str_eq(name, STR("kind")) ||
                       str_eq(name, STR("metadata"))))
        return true;
    if (t->is_custom)
        return custom_declares(t, name);
    if (!t->shape)
        return true;
    s->info(s, t->shape, &info);
    return info.is_open || info.kind != DOC_SHAPE_MAP || s->field(s, t->shape, name) ||
           is_listed(s, t->shape, name);
}

bool sb_type_is_struct(const struct sb_type *t)
{
    const struct doc_schema *s = res_kubernetes_schema();

    if (t->is_custom)
        return doc_len(doc_get_lit(t->schema, "properties")) > 0;
    return t->shape && !s->field(s, t->shape, STR("any name"));
}

str sb_type_name(const struct sb_type *t)
{
    const struct doc_schema *s = res_kubernetes_schema();
    struct doc_shape_info info = {0};

    if (t->is_custom)
        return flag(t->schema, "x-kubernetes-int-or-string")
                   ? STR_NONE
                   : doc_text(doc_get_lit(t->schema, "type"), STR_NONE);
    if (t->shape)
        s->info(s, t->shape, &info);
    return info.type;
}

bool sb_type_is_any(const struct sb_type *t)
{
    const struct doc_schema *s = res_kubernetes_schema();
    struct doc_shape_info info = {0};

    if (t->shape)
        s->info(s, t->shape, &info);
    return info.kind == DOC_SHAPE_UNKNOWN;
}

bool sb_type_is_quantity(const struct sb_type *t)
{
    return str_eq(res_schema_reference(res_kubernetes_schema(), t->shape),
                  STR("io.k8s.apimachinery.pkg.api.resource.Quantity"));
}

void sb_sorted_keys(const struct doc_node *map, struct str_vec *ret)
{
    struct doc_iter it = doc_children(map);

    while (doc_next(&it))
        vec_push(ret, it.key);
    vec_sort(ret, order_str);
}
