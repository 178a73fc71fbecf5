#include "expr/schema/schema_priv.h"

enum { MAX_DEPTH = 4000 };

/* One subschema being compiled. */
struct job {
    struct schema *s;
    struct resource *resource;
    const struct doc_node *node;
    struct check *check;
    uint64_t letters; /* of the node's keywords */
};

static struct doc_node *keyword(const struct job *j, const char *name)
{
    return schema_letters(name) & j->letters ? doc_get(j->node, str_of(name)) : NULL;
}

/* Tells where; a reference that leads nowhere says so itself. */
static int at_place(struct err *e, const char *keyword, str name)
{
    if (e->kind == ERR_NOT_FOUND)
        return -1;
    return name.p ? err_wrap(e, "%s/%.*s", keyword, STR_ARG(name)) : err_wrap(e, "%s", keyword);
}

static struct check *check_of(struct schema *s, struct resource *around,
                              const struct doc_node *node, struct err *e);

static int sub(const struct job *j, const struct doc_node *node, struct check **ret, struct err *e)
{
    *ret = node ? check_of(j->s, j->resource, node, e) : NULL;
    return node && !*ret ? -1 : 0;
}

static int sub_keyword(const struct job *j, const char *name, struct check **ret, struct err *e)
{
    if (sub(j, keyword(j, name), ret, e) < 0)
        return at_place(e, name, STR_NONE);
    return 0;
}

static int sub_list(const struct job *j, const struct doc_node *list, struct check_list *ret,
                    struct err *e)
{
    struct doc_iter it = doc_children(list);

    if (!doc_is_list(list))
        return 0;
    ret->v = ARENA_ARRAY(&j->s->arena, struct check *, doc_len(list));
    while (doc_next(&it))
        if (sub(j, it.value, &ret->v[ret->len++], e) < 0)
            return -1;
    return 0;
}

static struct re *compile_pattern(const struct job *j, str text, struct err *e)
{
    struct re *re = re_compile(text, 0, e);

    if (re)
        vec_push(&j->s->patterns, re);
    return re;
}

static int type_bits(const struct job *j, const struct doc_node *node, uint8_t *ret, struct err *e)
{
    static const struct {
        char name[8];
        uint8_t bits;
    } types[] = {
        {"null", 1 << DOC_NULL},     {"boolean", 1 << DOC_BOOL}, {"number", 1 << DOC_NUMBER},
        {"string", 1 << DOC_STRING}, {"array", 1 << DOC_LIST},   {"object", 1 << DOC_MAP},
        {"integer", TYPE_INTEGER},
    };
    str name = doc_string(node, STR_NONE);

    (void)j;
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_eq(str_of(types[i].name), name)) {
            *ret |= types[i].bits;
            return 0;
        }
    return err_set(e, ERR_INVALID, "type: \"%.*s\" is no type", STR_ARG(doc_text(node, STR("?"))));
}

static int compile_type(const struct job *j, struct err *e)
{
    const struct doc_node *type = keyword(j, "type");
    struct doc_iter it = doc_children(type);

    if (type && !doc_is_list(type))
        return type_bits(j, type, &j->check->types, e);
    while (doc_next(&it))
        if (type_bits(j, it.value, &j->check->types, e) < 0)
            return -1;
    return 0;
}

static const struct doc_node *number_keyword(const struct job *j, const char *name)
{
    const struct doc_node *n = keyword(j, name);

    return doc_type(n) == DOC_NUMBER ? n : NULL;
}

static int64_t count_keyword(const struct job *j, const char *name)
{
    double d;

    return doc_to_double(number_keyword(j, name), &d) && d >= 0 && d < 9e15 ? (int64_t)d : -1;
}

/* Draft 4 has booleans that sharpen minimum and maximum. */
static void compile_bounds(const struct job *j)
{
    struct check *c = j->check;

    c->multiple_of = number_keyword(j, "multipleOf");
    c->minimum = number_keyword(j, "minimum");
    c->maximum = number_keyword(j, "maximum");
    if (j->resource->draft > SCHEMA_DRAFT_4) {
        c->above = number_keyword(j, "exclusiveMinimum");
        c->below = number_keyword(j, "exclusiveMaximum");
        return;
    }
    if (doc_bool(keyword(j, "exclusiveMinimum"), false)) {
        c->above = c->minimum;
        c->minimum = NULL;
    }
    if (doc_bool(keyword(j, "exclusiveMaximum"), false)) {
        c->below = c->maximum;
        c->maximum = NULL;
    }
}

static int compile_validation(const struct job *j, struct err *e)
{
    struct check *c = j->check;
    const struct doc_node *pattern = keyword(j, "pattern");
    enum schema_formats formats = j->s->options.formats;

    if (compile_type(j, e) < 0)
        return -1;
    compile_bounds(j);
    c->enumeration = keyword(j, "enum");
    if (j->resource->draft >= SCHEMA_DRAFT_6)
        c->constant = keyword(j, "const");
    c->min_length = count_keyword(j, "minLength");
    c->max_length = count_keyword(j, "maxLength");
    c->min_items = count_keyword(j, "minItems");
    c->max_items = count_keyword(j, "maxItems");
    c->min_properties = count_keyword(j, "minProperties");
    c->max_properties = count_keyword(j, "maxProperties");
    if (j->resource->draft >= SCHEMA_DRAFT_2019) {
        c->min_contains = count_keyword(j, "minContains");
        c->max_contains = count_keyword(j, "maxContains");
    }
    if (formats == SCHEMA_FORMATS_ALL ||
        (formats == SCHEMA_FORMATS_OF_OLD_DRAFTS && j->resource->draft <= SCHEMA_DRAFT_7))
        c->format = schema_format_of(doc_string(keyword(j, "format"), STR_NONE));
    c->is_unique = doc_bool(keyword(j, "uniqueItems"), false);
    if (doc_is_list(keyword(j, "required")))
        c->required = keyword(j, "required");
    if (doc_is_string(pattern)) {
        c->pattern = compile_pattern(j, doc_string(pattern, STR_NONE), e);
        if (!c->pattern)
            return err_wrap(e, "pattern");
    }
    return 0;
}

static int compile_properties(const struct job *j, struct err *e)
{
    struct check *c = j->check;
    const struct doc_node *properties = keyword(j, "properties");
    struct doc_iter it = doc_children(properties);
    uint32_t slots = 8;

    if (!doc_is_map(properties) || !doc_len(properties))
        return 0;
    while (slots < 2 * doc_len(properties))
        slots *= 2;
    c->properties = ARENA_ARRAY(&j->s->arena, struct property, slots);
    c->property_slots = slots;
    while (doc_next(&it)) {
        uint32_t hash = it.value->key_hash, at = hash & (slots - 1);
        struct check *check;

        if (sub(j, it.value, &check, e) < 0)
            return at_place(e, "properties", it.key);
        while (c->properties[at].check)
            at = (at + 1) & (slots - 1);
        c->properties[at] = (struct property){it.key, hash, check};
    }
    return 0;
}

static int compile_patterns(const struct job *j, struct err *e)
{
    struct check *c = j->check;
    const struct doc_node *patterns = keyword(j, "patternProperties");
    struct doc_iter it = doc_children(patterns);

    if (!doc_is_map(patterns))
        return 0;
    c->patterns = ARENA_ARRAY(&j->s->arena, struct pattern_property, doc_len(patterns));
    while (doc_next(&it)) {
        struct pattern_property *p = &c->patterns[c->pattern_count++];

        p->re = compile_pattern(j, it.key, e);
        if (!p->re || sub(j, it.value, &p->check, e) < 0)
            return at_place(e, "patternProperties", it.key);
    }
    return 0;
}

static int add_dependencies(const struct job *j, const char *name, bool is_late, struct err *e)
{
    struct check *c = j->check;
    const struct doc_node *map = keyword(j, name);
    struct doc_iter it = doc_children(map);

    while (doc_is_map(map) && doc_next(&it)) {
        struct dependency *d = &c->dependencies[c->dependency_count++];

        d->name = it.key;
        d->is_late = is_late;
        if (doc_is_list(it.value))
            d->required = it.value;
        else if (sub(j, it.value, &d->check, e) < 0)
            return at_place(e, name, it.key);
    }
    return 0;
}

static int compile_dependencies(const struct job *j, struct err *e)
{
    bool is_new = j->resource->draft >= SCHEMA_DRAFT_2019;
    size_t count = doc_len(keyword(j, "dependencies")) + doc_len(keyword(j, "dependentSchemas")) +
                   doc_len(keyword(j, "dependentRequired"));

    j->check->dependencies = ARENA_ARRAY(&j->s->arena, struct dependency, count);
    if (add_dependencies(j, "dependencies", false, e) < 0)
        return -1;
    return is_new && (add_dependencies(j, "dependentSchemas", true, e) < 0 ||
                      add_dependencies(j, "dependentRequired", true, e) < 0)
               ? -1
               : 0;
}

static int compile_object(const struct job *j, struct err *e)
{
    struct check *c = j->check;

    if (compile_properties(j, e) < 0 || compile_patterns(j, e) < 0 ||
        compile_dependencies(j, e) < 0 ||
        sub_keyword(j, "additionalProperties", &c->additional_properties, e) < 0)
        return -1;
    if (j->resource->draft >= SCHEMA_DRAFT_6 &&
        sub_keyword(j, "propertyNames", &c->property_names, e) < 0)
        return -1;
    return j->resource->draft >= SCHEMA_DRAFT_2019
               ? sub_keyword(j, "unevaluatedProperties", &c->unevaluated_properties, e)
               : 0;
}

static int compile_items(const struct job *j, struct err *e)
{
    struct check *c = j->check;
    const struct doc_node *items = keyword(j, "items");
    bool is_2020 = j->resource->draft >= SCHEMA_DRAFT_2020;

    if (is_2020 && sub_list(j, keyword(j, "prefixItems"), &c->prefix, e) < 0)
        return at_place(e, "prefixItems", STR_NONE);
    if (is_2020 || !doc_is_list(items))
        return sub_keyword(j, "items", &c->items, e);
    c->is_additional_items = true;
    if (sub_list(j, items, &c->prefix, e) < 0)
        return at_place(e, "items", STR_NONE);
    return sub_keyword(j, "additionalItems", &c->items, e);
}

static int compile_array(const struct job *j, struct err *e)
{
    if (compile_items(j, e) < 0)
        return -1;
    if (j->resource->draft >= SCHEMA_DRAFT_6 &&
        sub_keyword(j, "contains", &j->check->contains, e) < 0)
        return -1;
    return j->resource->draft >= SCHEMA_DRAFT_2019
               ? sub_keyword(j, "unevaluatedItems", &j->check->unevaluated_items, e)
               : 0;
}

static int compile_logic(const struct job *j, struct err *e)
{
    struct check *c = j->check;

    if (sub_list(j, keyword(j, "allOf"), &c->all_of, e) < 0 ||
        sub_list(j, keyword(j, "anyOf"), &c->any_of, e) < 0 ||
        sub_list(j, keyword(j, "oneOf"), &c->one_of, e) < 0 ||
        sub_keyword(j, "not", &c->not_, e) < 0)
        return -1;
    if (j->resource->draft < SCHEMA_DRAFT_7)
        return 0;
    if (!keyword(
            j,
            "if")) /* what stands beside it has no meaning then, nor are its references followed */
        return 0;
    return sub_keyword(j, "if", &c->if_, e) < 0 || sub_keyword(j, "then", &c->then_, e) < 0 ||
                   sub_keyword(j, "else", &c->else_, e) < 0
               ? -1
               : 0;
}

static int resolve_ref(const struct job *j, const char *name, struct check **ret, str *ret_anchor,
                       struct err *e)
{
    str reference = doc_string(keyword(j, name), STR_NONE);
    struct resource *resource;
    const struct doc_node *node;

    if (schema_resolve(j->s, j->resource, reference, &resource, &node, ret_anchor, e) < 0)
        return at_place(e, name, STR_NONE);
    *ret = check_of(j->s, resource, node, e);
    return *ret ? 0 : -1;
}

static int compile_refs(const struct job *j, struct err *e)
{
    struct check *c = j->check, *target = NULL;
    bool is_2020 = j->resource->draft == SCHEMA_DRAFT_2020;
    const char *dynamic = is_2020 ? "$dynamicRef" : "$recursiveRef";
    str anchor = STR_NONE;

    if (doc_is_string(keyword(j, "$ref")) && resolve_ref(j, "$ref", &c->ref, &anchor, e) < 0)
        return -1;
    if (j->resource->draft < SCHEMA_DRAFT_2019 || !doc_is_string(keyword(j, dynamic)))
        return 0;
    if (resolve_ref(j, dynamic, &target, &anchor, e) < 0)
        return -1;
    c->dynamic = ARENA_NEW(&j->s->arena, struct dynamic_ref);
    *c->dynamic = (struct dynamic_ref){anchor, target};
    return 0;
}

/* What names a dynamic scope may have is compiled in advance, so that judging never compiles. */
static int compile_anchors(struct schema *s, struct resource *r, struct err *e)
{
    struct map_iter it = {0};

    while (map_next(&r->dynamic_anchors, &it))
        if (!check_of(s, r, it.value, e))
            return -1;
    return r->is_recursive && !check_of(s, r, r->root, e) ? -1 : 0;
}

static int compile_keywords(const struct job *j, struct err *e)
{
    bool is_ref_alone = j->resource->draft <= SCHEMA_DRAFT_7 && doc_is_string(keyword(j, "$ref"));

    if (compile_refs(j, e) < 0)
        return -1;
    if (is_ref_alone)
        return 0;
    if (j->resource->has_validation && compile_validation(j, e) < 0)
        return -1;
    return compile_object(j, e) < 0 || compile_array(j, e) < 0 || compile_logic(j, e) < 0 ? -1 : 0;
}

static struct check *check_of(struct schema *s, struct resource *around,
                              const struct doc_node *node, struct err *e)
{
    str key = {(const char *)&node, sizeof node};
    struct job j = {s, schema_resource_at(s, node, around), node, map_get(&s->checks, key), 0};

    if (j.check)
        return j.check;
    j.letters = schema_letters_of(node);
    if (!doc_is_map(node) && doc_type(node) != DOC_BOOL) {
        err_set(e, ERR_INVALID, "a schema must be an object or a boolean");
        return NULL;
    }
    j.check = ARENA_NEW(&s->arena, struct check);
    *j.check = (struct check){.resource = j.resource,
                              .is_false = doc_type(node) == DOC_BOOL && !doc_bool(node, true),
                              .is_empty = doc_type(node) == DOC_BOOL || !doc_len(node),
                              .min_length = -1,
                              .max_length = -1,
                              .min_items = -1,
                              .max_items = -1,
                              .min_properties = -1,
                              .max_properties = -1,
                              .min_contains = -1,
                              .max_contains = -1};
    map_put(&s->checks, arena_dup(&s->arena, key), j.check);
    if (++s->depth > MAX_DEPTH) {
        err_set(e, ERR_LIMIT, "more than %d schemas refer to one another in a row", MAX_DEPTH);
        return NULL;
    }
    if (!j.check->is_empty && compile_keywords(&j, e) < 0)
        return NULL;
    s->depth--;
    return j.check;
}

static int compile(struct schema *s, const struct doc_node *root, struct err *e)
{
    str base = s->options.base.len ? s->options.base : STR("schema:/root");
    struct resource *r = schema_add_document(s, root, base, s->options.draft, e);
    const struct resource *done = NULL;

    if (!r)
        return -1;
    s->root = check_of(s, r, root, e);
    if (!s->root)
        return -1;
    while (done != s->all) { /* compiling may bring in more documents */
        const struct resource *until = done;

        done = s->all;
        for (struct resource *one = s->all; one != until; one = one->next)
            if (compile_anchors(s, one, e) < 0)
                return -1;
    }
    return 0;
}

struct schema *schema_compile(const struct doc_node *root, const struct schema_options *options,
                              struct err *e)
{
    AUTO(schema_free) struct schema *s = NEW(struct schema);

    s->options = *options;
    return compile(s, root, e) < 0 ? NULL : TAKE(s);
}

void schema_free(struct schema *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->patterns.len; i++)
        re_free(s->patterns.v[i]);
    vec_done(&s->patterns);
    for (struct resource *r = s->all; r; r = r->next) {
        map_done(&r->anchors);
        map_done(&r->dynamic_anchors);
    }
    map_done(&s->resources);
    map_done(&s->resource_roots);
    map_done(&s->checks);
    doc_set_free(s->builtin);
    arena_done(&s->arena);
    mem_free(s);
}
