#include <string.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    set_namespace, "set-namespace", "sets the namespace of namespaced resources",
    "Sets metadata.namespace of every namespaced resource: of built-in kinds always, of others "
    "where\n"
    "they have one. Renames Namespace objects, and follows in RoleBinding subjects, APIService "
    "and\n"
    "CRD conversion services, and depends-on annotations. Local-config resources are left alone.\n"
    "\n"
    "functionConfig: a v1 ConfigMap with data.namespace, the package context kptfile.kpt.dev\n"
    "(data.name), or SetNamespace with namespace. namespaceMatcher limits the change to values\n"
    "that are equal to it.");

struct setter {
    const char *ns, *matcher;
    size_t count;
};

static bool is_wanted(const struct setter *s, gfn_node value)
{
    return gfn_is_scalar(value) && (!s->matcher || gfn_text_is(value, s->matcher));
}

/* Sets what is there. */
static int set_value(struct setter *s, gfn_node value)
{
    if (!is_wanted(s, value) || gfn_text_is(value, s->ns))
        return 0;
    s->count++;
    return gfn_set_str(value, "", s->ns);
}

/* Whether metadata.namespace of the item is the function's business. */
static bool moves(const struct setter *s, gfn_node item)
{
    gfn_node ns = gfn_get(item, "metadata.namespace");
    int is_namespaced = gfn_is_namespaced(item);

    if (gfn_is_local_config(item) || is_namespaced == 0)
        return false;
    if (!gfn_is_scalar(ns))
        return is_namespaced == 1 && !s->matcher;
    return is_wanted(s, ns);
}

static bool follow(void *user, gfn_node target, fnlib_depend *entry)
{
    const struct setter *s = user;

    if (!entry->ns || !moves(s, target))
        return false;
    entry->ns = s->ns;
    return true;
}

static int set_subjects(struct setter *s, gfn_node item)
{
    gfn_iter it = gfn_children(gfn_get_list(item, "subjects"));

    while (gfn_next(&it))
        if (set_value(s, gfn_child(it.node, "namespace")) < 0)
            return -1;
    return 0;
}

static int set_elsewhere(struct setter *s, gfn_node item)
{
    static const struct {
        char group[23], kind[25], path[55];
    } rows[] = {
        {"", "Namespace", "metadata.name"},
        {"apiextensions.k8s.io", "CustomResourceDefinition",
         "spec.conversion.webhook.clientConfig.service.namespace"},
        {"apiextensions.k8s.io", "CustomResourceDefinition",
         "spec.conversion.webhookClientConfig.service.namespace"},
        {"apiregistration.k8s.io", "APIService", "spec.service.namespace"},
    };

    for (size_t i = 0; i < FNLIB_LEN(rows); i++)
        if (gfn_is(item, rows[i].group, rows[i].kind) &&
            set_value(s, gfn_get(item, rows[i].path)) < 0)
            return -1;
    if (gfn_is(item, "rbac.authorization.k8s.io", "RoleBinding") ||
        gfn_is(item, "rbac.authorization.k8s.io", "ClusterRoleBinding"))
        return set_subjects(s, item);
    return 0;
}

static int set_item(struct setter *s, gfn_node item)
{
    if (gfn_is_local_config(item))
        return 0;
    if (moves(s, item) && !gfn_text_is(gfn_get(item, "metadata.namespace"), s->ns)) {
        s->count++;
        if (gfn_set_namespace(item, s->ns) < 0)
            return -1;
    }
    return set_elsewhere(s, item);
}

static int run(gfn_ctx *ctx)
{
    gfn_node fields = gfn_config_fields(ctx);
    bool is_context = gfn_config_is(ctx, "ConfigMap") &&
                      strcmp(gfn_name(gfn_config(ctx)), "kptfile.kpt.dev") == 0;
    struct setter s = {
        .ns = gfn_get_str(fields, is_context ? "name" : "namespace", ""),
        .matcher = gfn_get_str(fields, "namespaceMatcher", NULL),
    };
    gfn_iter it = gfn_items(ctx);

    if (!*s.ns)
        return gfn_fail(ctx, "functionConfig: field \"%s\" with the namespace is missing or empty",
                        is_context ? "data.name" : "namespace");
    if (s.matcher && !*s.matcher)
        s.matcher = NULL;
    while (gfn_next(&it)) /* while the items still have the names that others know */
        if (!gfn_is_local_config(it.node) && fnlib_depends_on(it.node, follow, &s) < 0)
            return -1;
    it = gfn_items(ctx);
    while (gfn_next(&it))
        if (set_item(&s, it.node) < 0)
            return -1;
    if (s.count)
        gfn_result(ctx, GFN_INFO, gfn_nothing(ctx), NULL, "namespace set to \"%s\" in %zu place(s)",
                   s.ns, s.count);
    return 0;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}, {FNLIB_V1, "SetNamespace"}};
const gfn_desc fnlib_set_namespace = {FNLIB_DESC(set_namespace), .run = run, .kinds = kinds,
                                      .kind_count = FNLIB_LEN(kinds)};
