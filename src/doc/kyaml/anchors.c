#include "base/map.h"
#include "base/vec.h"
#include "doc/kyaml/node.h"

enum { MAX_DEPTH = 1000, MAX_COPIES = 10 * 1000 * 1000 };

struct resolver {
    struct doc_set *set;
    int depth, copies;
    struct err *e;
};
struct maps {
    const struct doc_node **v;
    size_t len, cap;
};
static void maps_done(struct maps *maps) { vec_done(maps); }
AUTO_VALUE(struct maps, maps_done)

static int resolve(struct resolver *r, struct doc_node *n);

/* The maps that a merge key's value brings, in order. */
static int find_maps(struct resolver *r, const struct doc_node *value, bool is_inside,
                     struct maps *ret)
{
    const struct doc_node *target = value->type == DOC_ALIAS ? value->extra->target : value;
    struct doc_iter it = doc_children(value);

    if (value->type == DOC_ALIAS && target->type != DOC_MAP)
        return err_set(r->e, ERR_INVALID, "invalid map merge: received alias for a non-map value");
    if (target->type == DOC_MAP) {
        vec_push(ret, target);
        return 0;
    }
    if (value->type != DOC_LIST)
        return err_set(r->e, ERR_INVALID, "invalid map merge: expected a map or a list of maps");
    if (is_inside)
        return err_set(r->e, ERR_INVALID, "invalid map merge: received a nested sequence");
    while (doc_next(&it))
        if (find_maps(r, it.value, true, ret) < 0)
            return -1;
    return 0;
}

static int count_copy(struct resolver *r, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (++r->copies > MAX_COPIES)
        return err_set(r->e, ERR_LIMIT, "aliases expand to more than %d nodes", MAX_COPIES);
    if (++r->depth > MAX_DEPTH)
        return err_set(r->e, ERR_LIMIT, "nested too deeply");
    while (doc_next(&it))
        if (count_copy(r, it.value) < 0)
            return -1;
    r->depth--;
    return 0;
}

/* Entries of `from`, over those that maps before it brought, but not over the map's own. */
static int bring_entries(struct resolver *r, struct doc_node *map, const struct doc_node *from,
                         const struct map *own)
{
    struct doc_iter it = doc_children(from);

    while (doc_next(&it)) {
        struct doc_node *copy;

        if (str_eq(it.key, STR("<<")) || map_has(own, it.key))
            continue;
        if (count_copy(r, it.value) < 0)
            return -1;
        copy = doc_set_field(r->set, map, it.key, doc_copy(r->set, it.value));
        copy->key_style = it.value->key_style;
        copy->is_quoted_key = it.value->is_quoted_key;
    }
    return 0;
}

static int resolve_merge(struct resolver *r, struct doc_node *map)
{
    AUTO(maps_done) struct maps maps = {0};
    AUTO(map_done) struct map own = {0};
    struct doc_node *merge = doc_get_lit(map, "<<");
    struct doc_iter it;

    if (!merge || merge->key_style != DOC_PLAIN)
        return 0;
    if (find_maps(r, merge, false, &maps) < 0)
        return -1;
    doc_remove(map, STR("<<"));
    it = doc_children(map);
    while (doc_next(&it))
        map_put(&own, it.key, it.value);
    for (size_t i = maps.len; i > 0; i--)
        if (bring_entries(r, map, maps.v[i - 1], &own) < 0)
            return -1;
    return 0;
}

static int resolve_node(struct resolver *r, struct doc_node *n)
{
    struct doc_iter it;

    if (n->extra && n->type != DOC_ALIAS)
        n->extra->anchor = STR_NONE;
    if (n->type == DOC_ALIAS) {
        const struct doc_node *target = n->extra->target;

        if (count_copy(r, target) < 0)
            return -1;
        doc_replace(n, doc_copy(r->set, target));
        return resolve(r, n);
    }
    if (n->type == DOC_MAP && resolve_merge(r, n) < 0)
        return -1;
    it = doc_children(n);
    while (doc_next(&it))
        if (resolve(r, it.value) < 0)
            return -1;
    return 0;
}

static int resolve(struct resolver *r, struct doc_node *n)
{
    int rc;

    if (++r->depth > MAX_DEPTH)
        return err_set(r->e, ERR_LIMIT, "nested too deeply");
    rc = resolve_node(r, n);
    r->depth--;
    return rc;
}

int doc_resolve_anchors(struct doc_set *set, struct doc_node *root, struct err *e)
{
    struct resolver r = {.set = set, .e = e};

    return resolve(&r, root);
}
