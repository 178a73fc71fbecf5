#include "khook/act/release_difference.h"

#include "base/map.h"
#include "chart/release/operations.h"
#include "doc/parse.h"
#include "res/id.h"

struct side {
    struct doc_set *set;
    VEC(struct doc_node *) objects;
    VEC(str) keys;     /* of each, in the set's arena */
    struct map by_key; /* the objects */
};
static void side_done(struct side *s)
{
    vec_done(&s->objects);
    vec_done(&s->keys);
    map_done(&s->by_key);
    doc_set_free(s->set);
}
AUTO_VALUE(struct side, side_done)

static str key_of(const struct side *s, const struct doc_node *object, str ns)
{
    struct res_id id = res_id_of(object);
    str name = id.name.len ? id.name : doc_text(doc_at(object, "metadata/generateName"), STR(""));
    str key = STR_NONE;

    if (!id.ns.len)
        id.ns = ns;
    for (size_t nth = 0; !key.len || map_has(&s->by_key, key); nth++)
        key = arena_printf(&s->set->arena, "%.*s|%.*s|%.*s|%.*s|%zu", STR_ARG(id.gvk.group),
                           STR_ARG(id.gvk.kind), STR_ARG(id.ns), STR_ARG(name), nth);
    return key;
}

/* An object, or the items of a list; lists nest no deeper than the parser lets them. */
static void add(struct side *s, struct doc_node *node, str ns)
{
    struct doc_iter it = doc_children(doc_get_lit(node, "items"));
    str key;

    if (!doc_is_map(node))
        return;
    if (str_ends(doc_text(doc_get_lit(node, "kind"), STR("")), STR("List")) &&
        doc_is_list(doc_get_lit(node, "items"))) {
        while (doc_next(&it))
            add(s, it.value, ns);
        return;
    }
    key = key_of(s, node, ns);
    vec_push(&s->objects, node);
    vec_push(&s->keys, key);
    map_put(&s->by_key, key, node);
}

static int read_side(struct side *s, str manifest, str ns, struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_VALUES};
    AUTO(doc_list_done) struct doc_list roots = {0};

    s->set = doc_set_new();
    if (doc_parse_all(s->set, manifest, &options, "manifest", &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++)
        add(s, roots.v[i], ns);
    return 0;
}

static void add_difference(const struct khook_manifests *m, const struct kube_ref *ref,
                           struct kube_object *from, struct kube_object *to, struct buf *out)
{
    struct doc_node *tree;

    if (!m->list) {
        khook_difference(&m->sides, ref, from, to, out);
        return;
    }
    tree = khook_difference_tree(ref, from, to, m->set);
    if (tree)
        doc_append(m->list, tree);
}

/* A kind that is not served, or no longer, counts as namespaced. */
static int compare(const struct khook_manifests *m, const struct doc_node *from,
                   const struct doc_node *to, struct buf *out, struct err *e)
{
    const struct doc_node *of = to ? to : from;
    struct res_id id = res_id_of(of);
    struct kube_type unknown = {
        .group = id.gvk.group, .version = id.gvk.version, .kind = id.gvk.kind, .namespaced = true};
    struct kube_object a = {.set = doc_set_new()}, b = {.set = doc_set_new()};
    struct kube_ref ref = {.name = id.name};

    ref.type = kube_type_of(m->kube, doc_text(doc_get_lit(of, "apiVersion"), STR("")), id.gvk.kind,
                            m->cancel, e);
    if (!ref.type && e->kind == ERR_NOT_FOUND) {
        err_done(e);
        ref.type = &unknown;
    }
    if (ref.type) {
        ref.ns = !ref.type->namespaced ? STR("") : id.ns.len ? id.ns : m->ns;
        a.root = from ? doc_copy(a.set, from) : NULL;
        b.root = to ? doc_copy(b.set, to) : NULL;
        add_difference(m, &ref, &a, &b, out);
    }
    kube_object_done(&a);
    kube_object_done(&b);
    return ref.type ? 0 : -1;
}

int khook_release_difference(const struct khook_manifests *m, struct buf *out, struct err *e)
{
    AUTO(side_done) struct side from = {0}, to = {0};

    if (read_side(&from, m->from, m->ns, e) < 0 || read_side(&to, m->to, m->ns, e) < 0)
        return -1;
    for (size_t i = 0; i < to.objects.len; i++)
        if (compare(m, map_get(&from.by_key, to.keys.v[i]), to.objects.v[i], out, e) < 0)
            return -1;
    for (size_t i = 0; i < from.objects.len; i++) {
        const struct doc_node *object = from.objects.v[i];

        if (map_has(&to.by_key, from.keys.v[i]) || (m->leaves_kept && chart_is_kept(object)))
            continue;
        if (compare(m, object, NULL, out, e) < 0)
            return -1;
    }
    return 0;
}
