/* The objects of a manifest: reading them, marking them (helm spec 10.1, 12.1). */
#include "chart/release/release_priv.h"
#include "doc/at.h"
#include "doc/parse.h"

void chart_objects_done(struct chart_objects *o)
{
    doc_set_free(o->set);
    vec_done(o);
    *o = (struct chart_objects){0};
}

static int check_named(const struct chart_object *o, struct err *e)
{
    const char *missing = !o->api_version.len && !o->kind.len ? "[apiVersion not set, kind not set]"
                          : !o->api_version.len               ? "apiVersion not set"
                          : !o->kind.len                      ? "kind not set"
                                                              : NULL;

    return missing ? err_set(e, ERR_INVALID, "error validating \"\": error validating data: %s",
                             missing)
                   : 0;
}

static int unknown_kind(const struct chart_object *o, struct err *e)
{
    err_done(e);
    return err_set(e, ERR_NOT_FOUND,
                   "resource mapping not found for name: \"%.*s\" namespace: \"%.*s\" from \"\": "
                   "no matches for kind \"%.*s\" in version \"%.*s\"\nensure CRDs are installed "
                   "first",
                   STR_ARG(o->name), STR_ARG(doc_text_at(o->node, "metadata/namespace")),
                   STR_ARG(o->kind), STR_ARG(o->api_version));
}

static int locate(const struct chart_run *run, struct chart_objects *objects,
                  struct chart_object *o, struct err *e)
{
    struct doc_node *metadata = doc_ensure_map(objects->set, o->node, STR("metadata"));

    if (check_named(o, e) < 0)
        return -1;
    if (!metadata)
        return err_set(e, ERR_INVALID, "%.*s: metadata is no map", STR_ARG(o->kind));
    o->name = doc_text_at(metadata, "name");
    o->is_generated = !o->name.len && doc_text_at(metadata, "generateName").len;
    o->ref.name = o->name;
    o->ref.type = kube_type_of(run->kube, o->api_version, o->kind, run->cancel, e);
    if (!o->ref.type && e->kind == ERR_NOT_FOUND && run->coming)
        o->ref.type = chart_coming_find(run->coming, o->api_version, o->kind);
    if (!o->ref.type)
        return e->kind == ERR_NOT_FOUND ? unknown_kind(o, e) : -1;
    err_done(e);
    if (!o->ref.type->namespaced)
        return 0;
    if (!doc_text_at(metadata, "namespace").len)
        doc_set_string(objects->set, metadata, STR("namespace"), run->op->ns);
    o->ref.ns = doc_text_at(metadata, "namespace");
    return 0;
}

/* "[a, b]" of several kinds that are not served, as helm tells them. */
static void join_unknown(struct err *e, struct err *more)
{
    AUTO(err_done) struct err both = {0};
    str first = str_of(err_text(e));

    if (e->kind == ERR_NONE) {
        err_move(e, more);
        return;
    }
    if (str_starts(first, STR("[")))
        first = str_sub(first, 1, first.len - 2);
    err_set(&both, e->kind, "[%.*s, %s]", STR_ARG(first), err_text(more));
    err_done(e);
    err_move(e, &both);
}

/* Adds a document, or the items of a list. */
static int add(const struct chart_run *run, struct chart_objects *ret, struct doc_node *node,
               struct err *e)
{
    struct chart_object o = {.node = node,
                             .api_version = doc_text_at(node, "apiVersion"),
                             .kind = doc_text_at(node, "kind")};
    struct doc_node *items = doc_get_lit(node, "items");
    AUTO(err_done) struct err bad = {0};

    if (str_ends(o.kind, STR("List")) && doc_is_list(items)) {
        struct doc_iter it = doc_children(items);

        while (doc_next(&it))
            if (add(run, ret, doc_copy(ret->set, it.value), e) < 0)
                return -1;
        return 0;
    }
    if (!doc_is_map(node))
        return err_set(e, ERR_INVALID, "a document of the manifest is no object");
    if (locate(run, ret, &o, &bad) < 0) {
        bool goes_on = bad.kind == ERR_NOT_FOUND;

        join_unknown(e, &bad);
        return goes_on ? 0 : -1;
    }
    vec_push(ret, o);
    return 0;
}

int chart_objects_parse(const struct chart_run *run, str manifest, struct chart_objects *ret,
                        struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION};
    AUTO(doc_list_done) struct doc_list roots = {0};

    ret->set = doc_set_new();
    if (doc_parse_all(ret->set, manifest, &options, "manifest", &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++)
        if (!doc_is_null(roots.v[i]) && add(run, ret, roots.v[i], e) < 0)
            return -1;
    return e->kind == ERR_NONE ? 0 : -1;
}

void chart_objects_own(const struct chart_run *run, struct chart_objects *objects)
{
    for (size_t i = 0; i < objects->len; i++) {
        struct doc_node *metadata = doc_get_lit(objects->v[i].node, "metadata");
        struct doc_node *labels = doc_ensure_map(objects->set, metadata, STR("labels"));
        struct doc_node *annotations = doc_ensure_map(objects->set, metadata, STR("annotations"));

        if (labels)
            doc_set_string(objects->set, labels, CHART_MANAGED_BY, STR("Helm"));
        if (!annotations)
            continue;
        doc_set_string(objects->set, annotations, CHART_RELEASE_NAME, run->op->name);
        doc_set_string(objects->set, annotations, CHART_RELEASE_NAMESPACE, run->op->ns);
    }
}

struct chart_object *chart_objects_find(const struct chart_objects *objects,
                                        const struct chart_object *like)
{
    for (size_t i = 0; i < objects->len; i++) {
        struct chart_object *o = &objects->v[i];

        if (str_eq(o->name, like->name) && str_eq(o->ref.ns, like->ref.ns) &&
            str_eq(o->kind, like->kind) && str_eq(o->ref.type->group, like->ref.type->group) &&
            !o->is_generated && !like->is_generated)
            return o;
    }
    return NULL;
}

bool chart_is_kept(const struct doc_node *object)
{
    const struct doc_node *annotations = doc_at(object, "metadata/annotations");
    str policy = str_trim(doc_text(doc_get_lit(annotations, "helm.sh/resource-policy"), STR("")));

    return str_eq_nocase(policy, STR("keep"));
}

size_t chart_batch_end(const struct chart_objects *objects, size_t start)
{
    size_t end = start;

    while (end < objects->len && str_eq(objects->v[end].kind, objects->v[start].kind))
        end++;
    return end;
}
