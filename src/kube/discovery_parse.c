/* Answers of discovery, aggregated and classic, as types. Pure. */
#include "kube/discovery_priv.h"

static str text(const struct doc_node *map, const char *key)
{
    return doc_string(doc_get(map, str_of(key)), STR_NONE);
}

static bool has_verb(const struct doc_node *resource, const char *verb)
{
    struct doc_iter it = doc_children(doc_get_lit(resource, "verbs"));

    while (doc_next(&it))
        if (str_eq(doc_string(it.value, STR_NONE), str_of(verb)))
            return true;
    return false;
}

static bool has_subresource(const struct doc_node *resource, const char *name)
{
    struct doc_iter it = doc_children(doc_get_lit(resource, "subresources"));

    while (doc_next(&it))
        if (str_eq(text(it.value, "subresource"), str_of(name)))
            return true;
    return false;
}

/* v2: {resource, responseKind {group, version, kind}, scope, singularResource, verbs, …} */
static void parse_aggregated(const struct doc_node *r, str group, str version,
                             kube_type_fn *type_new, void *ctx)
{
    struct kube_type t = {.group = group,
                          .version = version,
                          .kind = doc_string(doc_at(r, "responseKind/kind"), STR_NONE),
                          .plural = text(r, "resource"),
                          .singular = text(r, "singularResource"),
                          .namespaced = str_eq(text(r, "scope"), STR("Namespaced")),
                          .has_status = has_subresource(r, "status"),
                          .has_scale = has_subresource(r, "scale"),
                          .can_watch = has_verb(r, "watch"),
                          .can_list = has_verb(r, "list")};

    if (t.kind.len && t.plural.len)
        type_new(ctx, &t, doc_get_lit(r, "shortNames"));
}

void kube_discovery_parse_groups(const struct doc_node *root, kube_type_fn *type_new, void *ctx)
{
    struct doc_iter groups = doc_children(doc_get_lit(root, "items"));

    while (doc_next(&groups)) {
        str group = doc_string(doc_at(groups.value, "metadata/name"), STR_NONE);
        struct doc_iter versions = doc_children(doc_get_lit(groups.value, "versions"));

        while (doc_next(&versions)) {
            struct doc_iter it = doc_children(doc_get_lit(versions.value, "resources"));

            while (doc_next(&it))
                parse_aggregated(it.value, group, text(versions.value, "version"), type_new, ctx);
        }
    }
}

/* A classic list has subresources as entries of their own: "deployments/status". */
static bool lists_subresource(const struct doc_node *resources, str plural, str name)
{
    struct doc_iter it = doc_children(resources);

    while (doc_next(&it)) {
        str sub, resource = str_cut(text(it.value, "name"), '/', &sub);

        if (str_eq(resource, plural) && str_eq(sub, name))
            return true;
    }
    return false;
}

void kube_discovery_parse_resources(const struct doc_node *root, str group, str version,
                                    kube_type_fn *type_new, void *ctx)
{
    const struct doc_node *resources = doc_get_lit(root, "resources");
    struct doc_iter it = doc_children(resources);

    while (doc_next(&it)) {
        const struct doc_node *r = it.value;
        struct kube_type t = {.group = group,
                              .version = version,
                              .kind = text(r, "kind"),
                              .plural = text(r, "name"),
                              .singular = text(r, "singularName"),
                              .namespaced = doc_bool(doc_get_lit(r, "namespaced"), false),
                              .can_watch = has_verb(r, "watch"),
                              .can_list = has_verb(r, "list")};

        if (t.kind.len == 0 || t.plural.len == 0 || str_find_char(t.plural, '/') >= 0)
            continue;
        t.has_status = lists_subresource(resources, t.plural, STR("status"));
        t.has_scale = lists_subresource(resources, t.plural, STR("scale"));
        type_new(ctx, &t, doc_get_lit(r, "shortNames"));
    }
}
