#include "kube/discovery_priv.h"

/* The newest form first; a server that knows none of them answers with the classic one. */
static const str aggregated = STR_INIT(
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json");

static int fetch(struct kube *k, str path, str accept, struct cancel *cancel,
                 struct kube_object *ret, struct err *e)
{
    AUTO(http_response_done) struct http_response r = {0};
    struct kube_call call = {.method = "GET", .path = path, .accept = accept};

    if (kube_send_ok(k, &call, cancel, &r, e) < 0 || kube_parse_answer(&r, ret, e) < 0)
        return err_wrap(e, "asking the server what it serves (%.*s)", STR_ARG(path));
    return 0;
}

/* "apps/v1" of a classic server. A group whose own server is away is left out: the others still
 * work. */
static int fetch_version(struct kube *k, str group, str version, struct cancel *cancel,
                         kube_type_fn *type_new, void *ctx, struct err *e)
{
    AUTO(kube_object_done) struct kube_object answer = {0};
    AUTO(buf_done) struct buf path = {0};

    if (group.len)
        buf_addf(&path, "/apis/%.*s/%.*s", STR_ARG(group), STR_ARG(version));
    else
        buf_addf(&path, "/api/%.*s", STR_ARG(version));
    if (fetch(k, buf_view(&path), STR_NONE, cancel, &answer, e) == 0) {
        kube_discovery_parse_resources(answer.root, group, version, type_new, ctx);
        return 0;
    }
    if (e->code < 300) /* no answer at all */
        return -1;
    err_done(e);
    return 0;
}

static int fetch_core(struct kube *k, const struct doc_node *versions, struct cancel *cancel,
                      kube_type_fn *type_new, void *ctx, struct err *e)
{
    struct doc_iter it = doc_children(versions);

    while (doc_next(&it))
        if (fetch_version(k, STR_NONE, doc_string(it.value, STR_NONE), cancel, type_new, ctx, e) <
            0)
            return -1;
    return 0;
}

static int fetch_group(struct kube *k, const struct doc_node *group, struct cancel *cancel,
                       kube_type_fn *type_new, void *ctx, struct err *e)
{
    str name = doc_string(doc_get_lit(group, "name"), STR_NONE);
    str preferred = doc_string(doc_at(group, "preferredVersion/version"), STR_NONE);
    struct doc_iter it = doc_children(doc_get_lit(group, "versions"));

    if (preferred.len && fetch_version(k, name, preferred, cancel, type_new, ctx, e) < 0)
        return -1;
    while (doc_next(&it)) {
        str version = doc_string(doc_get_lit(it.value, "version"), STR_NONE);

        if (!str_eq(version, preferred) &&
            fetch_version(k, name, version, cancel, type_new, ctx, e) < 0)
            return -1;
    }
    return 0;
}

static bool is_aggregated(const struct kube_object *o)
{
    return str_eq(doc_string(doc_get_lit(o->root, "kind"), STR_NONE), STR("APIGroupDiscoveryList"));
}

static int fetch_groups(struct kube *k, struct cancel *cancel, kube_type_fn *type_new, void *ctx,
                        struct err *e)
{
    AUTO(kube_object_done) struct kube_object answer = {0};
    struct doc_iter it;

    if (fetch(k, STR("/apis"), aggregated, cancel, &answer, e) < 0)
        return -1;
    if (is_aggregated(&answer)) {
        kube_discovery_parse_groups(answer.root, type_new, ctx);
        return 0;
    }
    it = doc_children(doc_get_lit(answer.root, "groups"));
    while (doc_next(&it))
        if (fetch_group(k, it.value, cancel, type_new, ctx, e) < 0)
            return -1;
    return 0;
}

int kube_discovery_fetch(struct kube *k, struct cancel *cancel, kube_type_fn *type_new, void *ctx,
                         struct err *e)
{
    AUTO(kube_object_done) struct kube_object core = {0};

    if (fetch(k, STR("/api"), aggregated, cancel, &core, e) < 0)
        return -1;
    if (is_aggregated(&core))
        kube_discovery_parse_groups(core.root, type_new, ctx);
    else if (fetch_core(k, doc_get_lit(core.root, "versions"), cancel, type_new, ctx, e) < 0)
        return -1;
    return fetch_groups(k, cancel, type_new, ctx, e);
}
