/* IAMPolicyGenerator (kustomize spec 17): a ServiceAccount that stands for an account of a cloud.
 */
#include "kustomize/transform.h"

static void set_plain(struct doc_set *set, struct doc_node *map, const char *key, str text)
{
    doc_set_field(set, map, str_of(key), doc_new_plain(set, text, DOC_RESOURCE));
}

int kustomize_iam_policy(struct kustomize_build *b, struct kustomize_resmap *m,
                         const struct doc_node *config, struct err *e)
{
    str cloud = doc_text(doc_get_lit(config, "cloud"), STR_NONE);
    str name = doc_text(doc_at(config, "kubernetesService/name"), STR_NONE);
    str ns = doc_text(doc_at(config, "kubernetesService/namespace"), STR_NONE);
    str account = doc_text(doc_at(config, "serviceAccount/name"), STR_NONE);
    str project = doc_text(doc_at(config, "serviceAccount/projectId"), STR_NONE);
    struct doc_node *object = doc_new_map(b->set), *meta, *annotations;

    if (!str_eq(cloud, STR("gke")))
        return err_set(e, ERR_UNSUPPORTED, "cloud provider %.*s not supported yet", STR_ARG(cloud));
    if (name.len == 0 || account.len == 0 || project.len == 0)
        return err_set(e, ERR_INVALID,
                       "kubernetesService.name, serviceAccount.name and serviceAccount.projectId "
                       "are needed");
    doc_set_string(b->set, object, STR("apiVersion"), STR("v1"));
    doc_set_string(b->set, object, STR("kind"), STR("ServiceAccount"));
    meta = doc_ensure_map(b->set, object, STR("metadata"));
    annotations = doc_ensure_map(b->set, meta, STR("annotations"));
    doc_set_field(b->set, annotations, STR("iam.gke.io/gcp-service-account"),
                  doc_new_string_view(b->set, arena_printf(&b->set->arena,
                                                           "%.*s@%.*s.iam.gserviceaccount.com",
                                                           STR_ARG(account), STR_ARG(project))));
    set_plain(b->set, meta, "name", name);
    if (ns.len)
        set_plain(b->set, meta, "namespace", ns);
    return kustomize_resmap_append(m, kustomize_resource_new(b->set, object), e);
}
