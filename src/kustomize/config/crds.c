#include "kustomize/config/crds.h"

#include "base/map.h"
#include "kustomize/config/openapi.h"
#include "kustomize/incremental/plan.h"
#include "kustomize/shared.h"
#include "sys/thread.h"

/* A kind, and the schema of the version that was asked for last. */
struct crd {
    str group, kind;
    bool is_cluster;
    const struct doc_node *spec;
    str version;                     /* of the schema below */
    const struct doc_schema *schema; /* made when it is asked for */
};

/* Of one level; lives as long as the build. */
struct kustomize_crds {
    struct doc_set *set; /* of the level */
    VEC(struct crd) all;
};

void kustomize_crds_free(struct kustomize_crds *crds)
{
    if (!crds)
        return;
    for (size_t i = 0; i < crds->all.len; i++)
        kustomize_openapi_free(crds->all.v[i].schema);
    vec_done(&crds->all);
    mem_free(crds);
}

static void add(struct kustomize_crds *crds, const struct doc_node *definition)
{
    const struct doc_node *spec = doc_get_lit(definition, "spec");
    struct crd crd = {.group = doc_text(doc_get_lit(spec, "group"), STR_NONE),
                      .kind = doc_text(doc_at(spec, "names/kind"), STR_NONE),
                      .is_cluster =
                          str_eq(doc_text(doc_get_lit(spec, "scope"), STR_NONE), STR("Cluster")),
                      .spec = spec};

    if (crd.group.len && crd.kind.len)
        vec_push(&crds->all, crd);
}

static bool is_of(const struct crd *crd, const struct res_gvk *gvk)
{
    return str_eq(crd->kind, gvk->kind) && str_eq(crd->group, gvk->group);
}

/* So that references know it, too. */
static void mark(struct kustomize_resmap *m, const struct crd *crd)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};

    kustomize_resmap_by_kind(m, crd->kind, &found);
    for (size_t i = 0; i < found.len; i++)
        if (is_of(crd, &found.v[i]->id.gvk))
            kustomize_resmap_mark_cluster(m, found.v[i]);
}

static struct kustomize_crds *new_crds(struct kustomize_level *level)
{
    struct kustomize_crds *crds = NEW(struct kustomize_crds);

    crds->set = level->b.set;
    LOCK_SCOPE(&level->b.shared->lock);
    vec_push(&level->b.shared->crds, crds);
    return crds;
}

void kustomize_crds_note(struct kustomize_level *level, struct kustomize_resmap *m)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    struct kustomize_build *b = &level->b;
    struct kustomize_crds *crds;

    if (b->shared->has_crds)
        kustomize_resmap_by_kind(m, STR("CustomResourceDefinition"), &found);
    b->crds = NULL;
    if (!found.len && !b->config->crds.len)
        return;
    b->crds = crds = new_crds(level);
    if (b->is_fixed) /* objects of other files depend on it */
        kustomize_plan_give_up(b);
    for (size_t i = 0; i < found.len; i++)
        add(crds, found.v[i]->root);
    for (size_t i = 0; i < b->config->crds.len; i++)
        add(crds, b->config->crds.v[i]);
    for (size_t i = 0; i < crds->all.len && b->is_fixed; i++)
        if (crds->all.v[i].is_cluster)
            mark(m, &crds->all.v[i]);
}

static struct crd *find(const struct kustomize_build *b, const struct res_gvk *gvk)
{
    for (size_t i = 0; b->crds && i < b->crds->all.len; i++)
        if (is_of(&b->crds->all.v[i], gvk))
            return &b->crds->all.v[i];
    return NULL;
}

bool kustomize_crds_is_cluster(const struct kustomize_build *b, const struct res_gvk *gvk)
{
    const struct crd *crd = find(b, gvk);

    return crd && crd->is_cluster;
}

/* The version's own, or in v1beta1 that of all versions. */
static const struct doc_node *type_of(const struct crd *crd, str version)
{
    struct doc_iter it = doc_children(doc_get_lit(crd->spec, "versions"));
    const struct doc_node *type = doc_at(crd->spec, "validation/openAPIV3Schema");

    while (doc_next(&it)) {
        const struct doc_node *own = doc_at(it.value, "schema/openAPIV3Schema");

        if (own && str_eq(doc_text(doc_get_lit(it.value, "name"), STR_NONE), version))
            type = own;
    }
    return type;
}

const struct doc_schema *kustomize_crds_schema(const struct kustomize_build *b,
                                               const struct res_gvk *gvk)
{
    struct crd *crd = find(b, gvk);
    const struct doc_node *type = crd ? type_of(crd, gvk->version) : NULL;

    if (!type)
        return NULL;
    if (!crd->schema || !str_eq(crd->version, gvk->version)) {
        kustomize_openapi_free(crd->schema);
        crd->version = arena_dup(&b->crds->set->arena, gvk->version);
        crd->schema = kustomize_openapi_of_type(b->crds->set, gvk, type);
    }
    return crd->schema;
}
