#include "doc/parse.h"
#include "expr/schema/schema_priv.h"

enum { MAX_DEPTH = 1000 };

enum shape { ONE, LIST, MAP, ONE_OR_LIST, MAP_OF_MAPS };

/* Where subschemas stand, by draft. */
static const struct {
    char keyword[24];
    enum shape shape;
    enum schema_draft from, to;
} places[] = {
    {"additionalItems", ONE, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2019},
    {"additionalProperties", ONE, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"allOf", LIST, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"anyOf", LIST, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"oneOf", LIST, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"not", ONE, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"items", ONE_OR_LIST, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"properties", MAP, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"patternProperties", MAP, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"definitions", MAP, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"dependencies", MAP_OF_MAPS, SCHEMA_DRAFT_4, SCHEMA_DRAFT_2020},
    {"contains", ONE, SCHEMA_DRAFT_6, SCHEMA_DRAFT_2020},
    {"propertyNames", ONE, SCHEMA_DRAFT_6, SCHEMA_DRAFT_2020},
    {"if", ONE, SCHEMA_DRAFT_7, SCHEMA_DRAFT_2020},
    {"then", ONE, SCHEMA_DRAFT_7, SCHEMA_DRAFT_2020},
    {"else", ONE, SCHEMA_DRAFT_7, SCHEMA_DRAFT_2020},
    {"$defs", MAP, SCHEMA_DRAFT_2019, SCHEMA_DRAFT_2020},
    {"dependentSchemas", MAP, SCHEMA_DRAFT_2019, SCHEMA_DRAFT_2020},
    {"unevaluatedItems", ONE, SCHEMA_DRAFT_2019, SCHEMA_DRAFT_2020},
    {"unevaluatedProperties", ONE, SCHEMA_DRAFT_2019, SCHEMA_DRAFT_2020},
    {"contentSchema", ONE, SCHEMA_DRAFT_2019, SCHEMA_DRAFT_2020},
    {"prefixItems", LIST, SCHEMA_DRAFT_2020, SCHEMA_DRAFT_2020},
};

static int visit_place(const struct doc_node *value, enum shape shape, schema_visit_fn *visit,
                       void *ctx, struct err *e)
{
    struct doc_iter it = doc_children(value);

    if (shape == ONE || (shape == ONE_OR_LIST && !doc_is_list(value)))
        return visit(ctx, value, e);
    if (shape != LIST && shape != ONE_OR_LIST && !doc_is_map(value))
        return 0;
    while (doc_next(&it))
        if ((shape != MAP_OF_MAPS || !doc_is_list(it.value)) && visit(ctx, it.value, e) < 0)
            return -1;
    return 0;
}

static int schema_each_below(const struct doc_node *node, enum schema_draft draft,
                             schema_visit_fn *visit, void *ctx, struct err *e)
{
    uint64_t letters = schema_letters_of(node);

    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        const struct doc_node *value = NULL;

        if (schema_letters(places[i].keyword) & letters && draft >= places[i].from &&
            draft <= places[i].to)
            value = doc_get(node, str_of(places[i].keyword));
        if (value && visit_place(value, places[i].shape, visit, ctx, e) < 0)
            return -1;
    }
    return 0;
}

static str address_key(struct schema *s, const struct doc_node *node)
{
    return arena_dup(&s->arena, (str){(const char *)&node, sizeof node});
}

static struct resource *resource_new(struct schema *s, const struct doc_node *root, str uri,
                                     enum schema_draft draft)
{
    struct resource *r = ARENA_NEW(&s->arena, struct resource);

    *r = (struct resource){.uri = uri, .root = root, .draft = draft, .has_validation = true};
    r->next = s->all;
    s->all = r;
    map_put(&s->resource_roots, address_key(s, root), r);
    if (!map_has(&s->resources, uri))
        map_put(&s->resources, uri, r);
    return r;
}

struct resource *schema_resource_at(const struct schema *s, const struct doc_node *node,
                                    struct resource *around)
{
    struct resource *own = map_get(&s->resource_roots, (str){(const char *)&node, sizeof node});

    return own ? own : around;
}

static const struct doc_node *find_document(struct schema *s, str uri, struct err *e)
{
    str text = schema_metaschema(uri);

    if (text.len) {
        if (!s->builtin)
            s->builtin = doc_set_new();
        return doc_parse_json_view(s->builtin, text, "metaschema", e);
    }
    return s->options.load ? s->options.load(s->options.ctx, uri, e) : NULL;
}

/* What $schema says: a draft, or a metaschema that names one and its vocabularies. */
static int read_dialect(struct schema *s, struct resource *r, struct err *e)
{
    str name = doc_string(doc_get_lit(r->root, "$schema"), STR_NONE), uri;
    const struct doc_node *meta, *vocabulary;

    if (!name.len || schema_draft_of(name, &r->draft))
        return 0;
    uri = uri_divide(name, NULL);
    meta = find_document(s, uri, e);
    if (!meta)
        return e->kind ? -1 : 0;
    schema_draft_of(doc_string(doc_get_lit(meta, "$schema"), STR_NONE), &r->draft);
    vocabulary = doc_get_lit(meta, "$vocabulary");
    r->has_validation =
        !vocabulary ||
        doc_get_lit(vocabulary, "https://json-schema.org/draft/2019-09/vocab/validation") ||
        doc_get_lit(vocabulary, "https://json-schema.org/draft/2020-12/vocab/validation");
    return 0;
}

struct scan {
    struct schema *s;
    struct resource *around;
    unsigned depth;
};
static int scan(void *ctx, const struct doc_node *node, struct err *e);

static void add_anchor(struct map *anchors, str name, const struct doc_node *node)
{
    if (name.len && !map_has(anchors, name))
        map_put(anchors, name, (void *)node);
}

static void note_anchors(struct resource *r, const struct doc_node *node)
{
    str dynamic = doc_string(doc_get_lit(node, "$dynamicAnchor"), STR_NONE);

    if (r->draft < SCHEMA_DRAFT_2019)
        return;
    add_anchor(&r->anchors, doc_string(doc_get_lit(node, "$anchor"), STR_NONE), node);
    if (r->draft < SCHEMA_DRAFT_2020)
        return;
    add_anchor(&r->anchors, dynamic, node);
    add_anchor(&r->dynamic_anchors, dynamic, node);
}

/* The id of a subschema: a new resource, or in older drafts an anchor "#name". */
static int note_id(struct schema *s, struct resource **r, const struct doc_node *node,
                   struct err *e)
{
    enum schema_draft draft = (*r)->draft;
    str fragment, uri;
    str id = doc_string(
        draft == SCHEMA_DRAFT_4 ? doc_get_lit(node, "id") : doc_get_lit(node, "$id"), STR_NONE);

    if (!id.len || (draft <= SCHEMA_DRAFT_7 && doc_get_lit(node, "$ref")))
        return 0;
    uri = uri_divide(uri_resolve(&s->arena, (*r)->uri, id), &fragment);
    if (id.p[0] != '#' && (node != (*r)->root || !str_eq(uri, (*r)->uri))) {
        if (node == (*r)->root) {
            (*r)->uri = uri;
            if (!map_has(&s->resources, uri))
                map_put(&s->resources, uri, *r);
        } else {
            *r = resource_new(s, node, uri, draft);
            if (read_dialect(s, *r, e) < 0)
                return -1;
        }
    }
    if (draft <= SCHEMA_DRAFT_7)
        add_anchor(&(*r)->anchors, fragment, node);
    return 0;
}

static int scan(void *ctx, const struct doc_node *node, struct err *e)
{
    const struct scan *up = ctx;
    struct scan here = {up->s, up->around, up->depth + 1};

    if (!doc_is_map(node))
        return 0;
    if (here.depth > MAX_DEPTH)
        return err_set(e, ERR_LIMIT, "the schema is nested more than %d deep", MAX_DEPTH);
    if (note_id(here.s, &here.around, node, e) < 0)
        return -1;
    note_anchors(here.around, node);
    if (here.around->root == node)
        here.around->is_recursive = here.around->draft == SCHEMA_DRAFT_2019 &&
                                    doc_bool(doc_get_lit(node, "$recursiveAnchor"), false);
    return schema_each_below(node, here.around->draft, scan, &here, e);
}

struct resource *schema_add_document(struct schema *s, const struct doc_node *root, str uri,
                                     enum schema_draft draft, struct err *e)
{
    struct resource *r = resource_new(s, root, arena_dup(&s->arena, uri), draft);
    struct scan start = {s, r, 0};

    if (read_dialect(s, r, e) < 0 || scan(&start, root, e) < 0)
        return NULL;
    if (s->options.is_checked && !schema_metaschema(uri).len &&
        schema_check_document(r, uri, e) < 0)
        return NULL;
    return r;
}

static struct resource *find_resource(struct schema *s, struct resource *from, str uri,
                                      struct err *e)
{
    struct resource *r = map_get(&s->resources, uri);
    const struct doc_node *root;

    if (r)
        return r;
    root = find_document(s, uri, e);
    if (root)
        return schema_add_document(s, root, uri, from->draft, e);
    if (!e->kind)
        err_set(e, ERR_INVALID, "no schema is known at \"%.*s\"", STR_ARG(uri));
    return NULL;
}

static str unescape(struct arena *arena, str token)
{
    char *out = arena_alloc(arena, token.len);
    size_t len = 0;

    for (size_t i = 0; i < token.len; i++) {
        bool is_escape = token.p[i] == '~' && i + 1 < token.len;

        out[len++] = !is_escape ? token.p[i] : token.p[++i] == '0' ? '~' : '/';
    }
    return (str){out, len};
}

static int follow_pointer(struct schema *s, str pointer, struct resource **r,
                          const struct doc_node **node, struct err *e)
{
    str uri = (*r)->uri, rest = str_from(uri_decode(&s->arena, pointer), 1);

    while (rest.p) {
        str token = unescape(&s->arena, str_cut(rest, '/', &rest));
        uint64_t index;

        if (doc_is_list(*node))
            *node = str_to_uint64(token, &index) ? doc_item(*node, index) : NULL;
        else
            *node = doc_get(*node, token);
        if (!*node)
            return err_set(e, ERR_NOT_FOUND, "json-pointer in \"%.*s#%.*s\" not found",
                           STR_ARG(uri), STR_ARG(pointer));
        *r = schema_resource_at(s, *node, *r);
    }
    return 0;
}

int schema_resolve(struct schema *s, struct resource *from, str reference,
                   struct resource **ret_resource, const struct doc_node **ret_node,
                   str *ret_anchor, struct err *e)
{
    str fragment, uri = uri_divide(uri_resolve(&s->arena, from->uri, reference), &fragment);
    struct resource *r = find_resource(s, from, uri, e);

    *ret_anchor = STR_NONE;
    if (!r)
        return -1;
    *ret_resource = r;
    *ret_node = r->root;
    if (!fragment.len)
        return 0;
    if (fragment.p[0] == '/')
        return follow_pointer(s, fragment, ret_resource, ret_node, e);
    fragment = uri_decode(&s->arena, fragment);
    *ret_node = map_get(&r->anchors, fragment);
    if (!*ret_node)
        return err_set(e, ERR_NOT_FOUND, "anchor in \"%.*s#%.*s\" not found in schema \"%.*s\"",
                       STR_ARG(uri), STR_ARG(fragment), STR_ARG(uri));
    if (map_get(&r->dynamic_anchors, fragment) == *ret_node)
        *ret_anchor = fragment;
    return 0;
}
