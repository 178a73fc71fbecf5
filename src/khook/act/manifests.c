/* The objects of one text (khook spec 11.2). */
#include "doc/parse.h"
#include "khook/act/object.h"

enum { LIST_DEPTH = 8 }; /* a List in a List in … */

struct expansion {
    struct khook_objects *o;
    size_t entry;
    const struct khook_origin *origin;
    str name;        /* of the origin, living as long as the objects */
    size_t document; /* from 1 */
};

static int fail(const struct expansion *x, const struct doc_node *at, struct err *e,
                const char *fmt, ...) PRINTF(4, 5);
static int fail(const struct expansion *x, const struct doc_node *at, struct err *e,
                const char *fmt, ...)
{
    struct doc_place place = doc_place(x->o->set, at);
    AUTO(buf_done) struct buf where = {0};
    va_list args;

    va_start(args, fmt);
    err_setv(e, ERR_INVALID, fmt, args);
    va_end(args);
    khook_origin_place(x->origin, place.line, place.column, &where);
    return err_wrap(e, "manifests[%zu]: %s: document %zu", x->entry, buf_cstr(&where), x->document);
}

/* The items of a typed list ("ConfigMapList") may leave out what its own kind says. */
static void inherit_kind(struct khook_objects *o, struct doc_node *item, str api_version, str kind)
{
    kind.len -= strlen("List");
    if (!kind.len)
        return;
    if (!doc_get_lit(item, "kind"))
        doc_set_string(o->set, item, STR("kind"), kind);
    if (!doc_get_lit(item, "apiVersion"))
        doc_set_string(o->set, item, STR("apiVersion"), api_version);
}

static int add_object(const struct expansion *x, struct doc_node *n, int depth, struct err *e);

static int add_items(const struct expansion *x, struct doc_node *list, str api_version, str kind,
                     int depth, struct err *e)
{
    struct doc_iter it = doc_children(doc_get_lit(list, "items"));

    if (depth >= LIST_DEPTH)
        return fail(x, list, e, "lists are nested deeper than %d", LIST_DEPTH);
    while (doc_next(&it)) {
        if (doc_is_map(it.value))
            inherit_kind(x->o, it.value, api_version, kind);
        if (add_object(x, it.value, depth + 1, e) < 0)
            return -1;
    }
    return 0;
}

/* Names are texts: `namespace: n`, a boolean by these rules, and `name: 1` count as written. */
static str name_member(const struct expansion *x, struct doc_node *object, str key)
{
    struct doc_node *metadata = doc_get_lit(object, "metadata");
    const struct doc_node *value = doc_get(metadata, key);

    if (doc_is_scalar(value) && !doc_is_string(value) && !doc_is_null(value))
        value = doc_set_string(x->o->set, metadata, key, doc_text(value, STR_NONE));
    return doc_string(value, STR_NONE);
}

static int add_object(const struct expansion *x, struct doc_node *n, int depth, struct err *e)
{
    const struct doc_node *items = doc_get_lit(n, "items");
    struct khook_object object = {.node = n, .origin = x->name};

    if (!doc_is_map(n))
        return fail(x, n, e, "is no object: it must be a map with apiVersion and kind");
    object.kind = doc_string(doc_get_lit(n, "kind"), STR_NONE);
    object.api_version = doc_string(doc_get_lit(n, "apiVersion"), STR_NONE);
    if (!object.kind.len)
        return fail(x, n, e, "has no kind");
    if (!object.api_version.len)
        return fail(x, n, e, "%.*s has no apiVersion", STR_ARG(object.kind));
    if (str_eq(object.kind, STR("List")) ||
        (str_ends(object.kind, STR("List")) && doc_is_list(items)))
        return add_items(x, n, object.api_version, object.kind, depth, e);
    object.name = name_member(x, n, STR("name"));
    object.ns = name_member(x, n, STR("namespace"));
    if (!object.name.len)
        return fail(x, n, e,
                    "%.*s has no metadata.name (generateName would make a new object on "
                    "every run)",
                    STR_ARG(object.kind));
    vec_push(&x->o->list, object);
    return 0;
}

static str first_place(struct khook_objects *o, const struct khook_origin *origin)
{
    AUTO(buf_done) struct buf place = {0};

    khook_origin_place(origin, 1, 1, &place);
    return arena_dup(&o->set->arena, buf_view(&place));
}

int khook_manifests_parse(struct khook_objects *o, str text, size_t entry,
                          const struct khook_origin *origin, struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(err_done) struct err why = {0};
    struct doc_parse_options options = {.dialect = DOC_MANIFEST, .flags = DOC_KEEP_EMPTY};
    struct expansion x = {.o = o, .entry = entry, .origin = origin};
    size_t before = o->list.len;

    if (doc_parse_all(o->set, text, &options, origin->name, &roots, &why) < 0) {
        khook_origin_error(origin, &why, e);
        return err_wrap(e, "manifests[%zu]", entry);
    }
    x.name = arena_dup(&o->set->arena, str_of(origin->name));
    if (!o->first.len)
        o->first = first_place(o, origin);
    for (size_t i = 0; i < roots.len; i++) {
        x.document = i + 1;
        if (!doc_is_null(roots.v[i]) && add_object(&x, roots.v[i], 0, e) < 0) {
            o->list.len = before;
            return -1;
        }
    }
    return 0;
}

int khook_objects_require(const struct khook_objects *o, struct err *e)
{
    if (o->list.len)
        return 0;
    if (!o->first.len)
        return err_set(e, ERR_INVALID, "there are no resources in the manifests");
    return err_set(e, ERR_INVALID, "%.*s: there are no resources in the manifests",
                   STR_ARG(o->first));
}
