/* Mistakes in the schema of a CustomResourceDefinition: what is not structural, and keywords that
 * do not go together. */
#include "re/re.h"
#include "sandbox/types/crd.h"

struct place {
    struct sb_compiled *compiled;
    struct sb_causes *c;
    struct buf path;
    str uncorrelated; /* the path of the list above whose items have no past, or empty */
};

static void tell(struct place *p, const char *reason, const char *field, const char *fmt, ...)
    PRINTF(4, 5);
static void tell(struct place *p, const char *reason, const char *field, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0}, at = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    buf_addf(&at, "%s.%s", buf_cstr(&p->path), field);
    sb_cause(p->c, reason, buf_view(&at), "%s", buf_cstr(&text));
}

static str text_of(const struct doc_node *schema, const char *key)
{
    return doc_text(doc_get(schema, str_of(key)), STR_NONE);
}

static bool is_true(const struct doc_node *schema, const char *key)
{
    return doc_bool(doc_get(schema, str_of(key)), false);
}

/* ---- one schema */

static void check_forbidden(struct place *p, const struct doc_node *s)
{
    static const char *const words[] = {"$ref", "patternProperties", "dependencies", "definitions",
                                        "additionalItems"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (doc_get(s, str_of(words[i])))
            tell(p, "FieldValueForbidden", words[i], "Forbidden: %s is not supported", words[i]);
    if (doc_is_list(doc_get_lit(s, "items")))
        tell(p, "FieldValueForbidden", "items",
             "Forbidden: items must be a schema object and not an array");
    if (is_true(s, "uniqueItems"))
        tell(p, "FieldValueForbidden", "uniqueItems",
             "Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes "
             "quadratic");
    if (doc_len(doc_get_lit(s, "properties")) && doc_is_map(doc_get_lit(s, "additionalProperties")))
        tell(p, "FieldValueForbidden", "additionalProperties",
             "Forbidden: additionalProperties and properties are mutual exclusive");
}

static void check_type(struct place *p, const struct doc_node *s, const char *missing)
{
    static const char types[] =
        "\"array\", \"boolean\", \"integer\", \"number\", \"object\", \"string\"";
    str type = text_of(s, "type");
    AUTO(buf_done) struct buf quoted = {0};
    bool is_root = str_ends(str_of(missing), STR("root"));
    bool is_free = is_true(s, "x-kubernetes-int-or-string") ||
                   is_true(s, "x-kubernetes-preserve-unknown-fields") || doc_get_lit(s, "$ref");

    doc_json_quote(type, 0, &quoted);
    if (!type.len && (is_root || !is_free))
        tell(p, "FieldValueRequired", "type", "Required value: %s", missing);
    else if (type.len && !str_contains(str_of(types), buf_view(&quoted)))
        tell(p, "FieldValueNotSupported", "type", "Unsupported value: %s: supported values: %s",
             buf_cstr(&quoted), types);
    if (str_eq(type, STR("array")) && !doc_get_lit(s, "items"))
        tell(p, "FieldValueRequired", "items", "Required value: must be specified");
    if (type.len && is_root && !str_eq(type, STR("object")))
        tell(p, "FieldValueInvalid", "type", "Invalid value: %s: must be object at the root",
             buf_cstr(&quoted));
    if (is_true(s, "x-kubernetes-embedded-resource") && !str_eq(type, STR("object")))
        tell(p, "FieldValueInvalid", "type",
             "Invalid value: %s: must be object if x-kubernetes-embedded-resource is true",
             buf_cstr(&quoted));
    if (text_of(s, "x-kubernetes-list-type").len && !str_eq(type, STR("array")))
        tell(p, "FieldValueInvalid", "type",
             "Invalid value: %s: must be array if x-kubernetes-list-type is specified",
             buf_cstr(&quoted));
}

static void check_pattern(struct place *p, const struct doc_node *s)
{
    str pattern = text_of(s, "pattern");
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = pattern.len ? re_compile(pattern, 0, &e) : NULL;
    AUTO(buf_done) struct buf quoted = {0};

    if (re || !pattern.len)
        return;
    doc_json_quote(pattern, 0, &quoted);
    tell(p, "FieldValueInvalid", "pattern",
         "Invalid value: %s: must be a valid regular expression, but isn't: %s", buf_cstr(&quoted),
         err_text(&e));
}

static void check_default(struct place *p, const struct doc_node *s)
{
    AUTO(sb_causes_done) struct sb_causes found = {0};
    const struct doc_node *value = doc_get_lit(s, "default");

    if (!value)
        return;
    sb_schema_check(s, p->compiled, value, STR_NONE, &found);
    for (size_t i = 0; i < found.len; i++) {
        AUTO(buf_done) struct buf field = {0};

        buf_add_cstr(&field, "default");
        if (found.v[i].field.len && !str_eq(found.v[i].field, STR("<nil>")))
            buf_addf(&field, ".%.*s", STR_ARG(found.v[i].field));
        tell(p, found.v[i].reason, buf_cstr(&field), "%.*s", STR_ARG(found.v[i].message));
    }
}

/* ---- how lists and maps merge */

static void check_keys(struct place *p, const struct doc_node *s)
{
    const struct doc_node *keys = doc_get_lit(s, "x-kubernetes-list-map-keys");
    const struct doc_node *item = doc_get_lit(s, "items");
    struct doc_iter it = doc_children(keys);
    AUTO(buf_done) struct buf all = {0};

    if (!doc_len(keys)) {
        tell(p, "FieldValueRequired", "x-kubernetes-list-map-keys",
             "Required value: must not be empty if x-kubernetes-list-type is map");
        return;
    }
    doc_emit_json(keys, 0, &all);
    while (doc_next(&it)) {
        str key = doc_text(it.value, STR_NONE);
        const struct doc_node *field = doc_get(doc_get_lit(item, "properties"), key);
        struct doc_iter need = doc_children(doc_get_lit(item, "required"));
        bool is_sure = !field || doc_get_lit(field, "default");
        AUTO(buf_done) struct buf at = {0};

        if (!field)
            tell(p, "FieldValueInvalid", "x-kubernetes-list-map-keys",
                 "Invalid value: %s: entries must all be names of item properties", buf_cstr(&all));
        while (doc_next(&need))
            is_sure |= str_eq(doc_text(need.value, STR_NONE), key);
        buf_addf(&at, "items.properties[%.*s].default", STR_ARG(key));
        if (!is_sure)
            tell(p, "FieldValueRequired", buf_cstr(&at),
                 "Required value: this property is in x-kubernetes-list-map-keys, so it must have "
                 "a default or be a required property");
    }
}

static void check_merge(struct place *p, const struct doc_node *s)
{
    str list = text_of(s, "x-kubernetes-list-type"), map = text_of(s, "x-kubernetes-map-type");
    const struct doc_node *item = doc_get_lit(s, "items");
    str inner = text_of(item, "x-kubernetes-map-type");

    if (list.len && !str_eq(list, STR("atomic")) && !str_eq(list, STR("set")) &&
        !str_eq(list, STR("map")))
        tell(p, "FieldValueNotSupported", "x-kubernetes-list-type",
             "Unsupported value: \"%.*s\": supported values: \"atomic\", \"set\", \"map\"",
             STR_ARG(list));
    if (str_eq(list, STR("map")))
        check_keys(p, s);
    if (str_eq(list, STR("set")) && str_eq(text_of(item, "type"), STR("object")) &&
        !str_eq(inner, STR("atomic")))
        tell(p, "FieldValueInvalid", "items.x-kubernetes-map-type",
             "Invalid value: %s%.*s%s: must be atomic as item of a list with "
             "x-kubernetes-list-type=set",
             inner.len ? "\"" : "", STR_ARG(inner.len ? inner : STR("null")),
             inner.len ? "\"" : "");
    if (map.len && !str_eq(map, STR("atomic")) && !str_eq(map, STR("granular")))
        tell(p, "FieldValueNotSupported", "x-kubernetes-map-type",
             "Unsupported value: \"%.*s\": supported values: \"atomic\", \"granular\"",
             STR_ARG(map));
    if (doc_get_lit(s, "x-kubernetes-preserve-unknown-fields") &&
        !is_true(s, "x-kubernetes-preserve-unknown-fields"))
        tell(p, "FieldValueInvalid", "x-kubernetes-preserve-unknown-fields",
             "Invalid value: false: must be true or undefined");
    if (is_true(s, "x-kubernetes-embedded-resource") &&
        !is_true(s, "x-kubernetes-preserve-unknown-fields") &&
        !doc_len(doc_get_lit(s, "properties")))
        tell(p, "FieldValueRequired", "properties",
             "Required value: must not be empty if x-kubernetes-embedded-resource is true without "
             "x-kubernetes-preserve-unknown-fields");
}

/* ---- schemas beside others say what is valid, not what there is */

static void check_beside(struct place *p, const struct doc_node *s);

static void check_beside_one(struct place *p, const struct doc_node *s)
{
    static const char *const words[] = {"type",
                                        "default",
                                        "description",
                                        "nullable",
                                        "additionalProperties",
                                        "x-kubernetes-preserve-unknown-fields",
                                        "x-kubernetes-embedded-resource",
                                        "x-kubernetes-int-or-string"};
    struct doc_iter it = doc_children(doc_get_lit(s, "properties"));
    size_t before = p->path.len;

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (doc_get(s, str_of(words[i])))
            tell(p, "FieldValueForbidden", words[i], "Forbidden: must be empty to be structural");
    check_pattern(p, s);
    while (doc_next(&it)) {
        buf_addf(&p->path, ".properties[%.*s]", STR_ARG(it.key));
        check_beside_one(p, it.value);
        buf_trunc(&p->path, before);
    }
    if (doc_is_map(doc_get_lit(s, "items"))) {
        buf_add_cstr(&p->path, ".items");
        check_beside_one(p, doc_get_lit(s, "items"));
        buf_trunc(&p->path, before);
    }
    check_beside(p, s);
}

static void check_beside(struct place *p, const struct doc_node *s)
{
    static const char *const lists[] = {"allOf", "anyOf", "oneOf"};
    size_t before = p->path.len;

    /* anyOf: [{type: integer}, {type: string}] is how these are written */
    if (is_true(s, "x-kubernetes-int-or-string"))
        return;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct doc_iter it = doc_children(doc_get(s, str_of(lists[i])));

        for (size_t at = 0; doc_next(&it); at++) {
            buf_addf(&p->path, ".%s[%zu]", lists[i], at);
            check_beside_one(p, it.value);
            buf_trunc(&p->path, before);
        }
    }
    if (doc_get_lit(s, "not")) {
        buf_add_cstr(&p->path, ".not");
        check_beside_one(p, doc_get_lit(s, "not"));
        buf_trunc(&p->path, before);
    }
}

/* ---- the walk */

static void check_root(struct place *p, const struct doc_node *s)
{
    static const struct {
        const char *name, *type;
    } rows[] = {{"apiVersion", "string"}, {"kind", "string"}, {"metadata", "object"}};
    const struct doc_node *properties = doc_get_lit(s, "properties");
    struct doc_iter it = doc_children(doc_at(properties, "metadata/properties"));
    bool is_more = false;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        str type = text_of(doc_get(properties, str_of(rows[i].name)), "type");
        AUTO(buf_done) struct buf at = {0};

        buf_addf(&at, "properties[%s].type", rows[i].name);
        if (type.len && !str_eq(type, str_of(rows[i].type)))
            tell(p, "FieldValueInvalid", buf_cstr(&at), "Invalid value: \"%.*s\": must be %s",
                 STR_ARG(type), rows[i].type);
    }
    while (doc_next(&it))
        is_more |= !str_eq(it.key, STR("name")) && !str_eq(it.key, STR("generateName"));
    if (is_more)
        tell(p, "FieldValueForbidden", "properties[metadata]",
             "Forbidden: must not specify anything other than name and generateName, but metadata "
             "is implicitly specified");
}

static void walk(struct place *p, const struct doc_node *s, const char *missing, bool is_root)
{
    struct doc_iter it = doc_children(doc_get_lit(s, "properties"));
    const struct doc_node *items = doc_get_lit(s, "items");
    const struct doc_node *more = doc_get_lit(s, "additionalProperties");
    size_t before = p->path.len;
    str uncorrelated = p->uncorrelated;

    check_forbidden(p, s);
    check_type(p, s, missing);
    check_pattern(p, s);
    check_merge(p, s);
    check_default(p, s);
    check_beside(p, s);
    sb_rules_validate(p->compiled, s, buf_view(&p->path), is_root, uncorrelated, p->c);
    while (doc_next(&it)) {
        buf_addf(&p->path, ".properties[%.*s]", STR_ARG(it.key));
        walk(p, it.value, "must not be empty for specified object fields", false);
        buf_trunc(&p->path, before);
    }
    if (doc_is_map(more)) {
        buf_add_cstr(&p->path, ".additionalProperties");
        walk(p, more, "must not be empty for specified object fields", false);
        buf_trunc(&p->path, before);
    }
    if (!doc_is_map(items))
        return;
    if (!str_eq(text_of(s, "x-kubernetes-list-type"), STR("map")))
        p->uncorrelated = arena_dup(&p->c->arena, buf_view(&p->path));
    buf_add_cstr(&p->path, ".items");
    walk(p, items, "must not be empty for specified array items", false);
    buf_trunc(&p->path, before);
    p->uncorrelated = uncorrelated;
}

void sb_structural_check(const struct doc_node *schema, str path, struct sb_causes *c)
{
    AUTO(sb_compiled_done) struct sb_compiled compiled = {0};
    struct place p = {.compiled = &compiled, .c = c};

    buf_add_str(&p.path, path);
    walk(&p, schema, "must not be empty at the root", true);
    check_root(&p, schema);
    buf_done(&p.path);
}
