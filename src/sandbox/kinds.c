#include "sandbox/priv.h"

enum {
    NS = 1 << 0,      /* namespaced */
    STATUS = 1 << 1,  /* has a status subresource */
    SCALE = 1 << 2,   /* has a scale subresource */
    VIRTUAL = 1 << 3, /* answered, not stored */
    PUTS = 1 << 4,    /* an update of what is not there creates it */
    RETURNS = 1 << 5, /* a deletion answers with the object, not with a Status */
};

/* Version words: the preferred one first, all share their objects. */
static const struct row {
    char group[32], versions[8], kind[40], plural[40], singular[40], short_names[12],
        categories[20];
    unsigned flags;
} rows[] = {
    {"", "v1", "Binding", "bindings", "binding", "", "", NS | VIRTUAL},
    {"", "v1", "ComponentStatus", "componentstatuses", "componentstatus", "cs", "", 0},
    {"", "v1", "ConfigMap", "configmaps", "configmap", "cm", "", NS},
    {"", "v1", "Endpoints", "endpoints", "endpoints", "ep", "", NS | PUTS},
    {"", "v1", "Event", "events", "event", "ev", "", NS | PUTS},
    {"", "v1", "LimitRange", "limitranges", "limitrange", "limits", "", NS | PUTS},
    {"", "v1", "Namespace", "namespaces", "namespace", "ns", "", STATUS},
    {"", "v1", "Node", "nodes", "node", "no", "", STATUS},
    {"", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", "persistentvolumeclaim", "pvc",
     "", NS | STATUS | RETURNS},
    {"", "v1", "PersistentVolume", "persistentvolumes", "persistentvolume", "pv", "",
     STATUS | RETURNS},
    {"", "v1", "Pod", "pods", "pod", "po", "all", NS | STATUS | RETURNS},
    {"", "v1", "PodTemplate", "podtemplates", "podtemplate", "", "", NS | RETURNS},
    {"", "v1", "ReplicationController", "replicationcontrollers", "replicationcontroller", "rc",
     "all", NS | STATUS | SCALE},
    {"", "v1", "ResourceQuota", "resourcequotas", "resourcequota", "quota", "",
     NS | STATUS | RETURNS},
    {"", "v1", "Secret", "secrets", "secret", "", "", NS},
    {"", "v1", "ServiceAccount", "serviceaccounts", "serviceaccount", "sa", "", NS | RETURNS},
    {"", "v1", "Service", "services", "service", "svc", "all", NS | STATUS | PUTS | RETURNS},
    {"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration",
     "mutatingwebhookconfigurations", "mutatingwebhookconfiguration", "", "api-extensions", 0},
    {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy",
     "validatingadmissionpolicies", "validatingadmissionpolicy", "", "api-extensions", STATUS},
    {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding",
     "validatingadmissionpolicybindings", "validatingadmissionpolicybinding", "", "api-extensions",
     0},
    {"admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration",
     "validatingwebhookconfigurations", "validatingwebhookconfiguration", "", "api-extensions", 0},
    {"apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions",
     "customresourcedefinition", "crd crds", "api-extensions", STATUS},
    {"apiregistration.k8s.io", "v1", "APIService", "apiservices", "apiservice", "",
     "api-extensions", STATUS},
    {"apps", "v1", "ControllerRevision", "controllerrevisions", "controllerrevision", "", "", NS},
    {"apps", "v1", "DaemonSet", "daemonsets", "daemonset", "ds", "all", NS | STATUS},
    {"apps", "v1", "Deployment", "deployments", "deployment", "deploy", "all", NS | STATUS | SCALE},
    {"apps", "v1", "ReplicaSet", "replicasets", "replicaset", "rs", "all", NS | STATUS | SCALE},
    {"apps", "v1", "StatefulSet", "statefulsets", "statefulset", "sts", "all", NS | STATUS | SCALE},
    {"authentication.k8s.io", "v1", "SelfSubjectReview", "selfsubjectreviews", "selfsubjectreview",
     "", "", VIRTUAL},
    {"authentication.k8s.io", "v1", "TokenReview", "tokenreviews", "tokenreview", "", "", VIRTUAL},
    {"authorization.k8s.io", "v1", "LocalSubjectAccessReview", "localsubjectaccessreviews",
     "localsubjectaccessreview", "", "", NS | VIRTUAL},
    {"authorization.k8s.io", "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews",
     "selfsubjectaccessreview", "", "", VIRTUAL},
    {"authorization.k8s.io", "v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews",
     "selfsubjectrulesreview", "", "", VIRTUAL},
    {"authorization.k8s.io", "v1", "SubjectAccessReview", "subjectaccessreviews",
     "subjectaccessreview", "", "", VIRTUAL},
    {"autoscaling", "v2 v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers",
     "horizontalpodautoscaler", "hpa", "all", NS | STATUS},
    {"batch", "v1", "CronJob", "cronjobs", "cronjob", "cj", "all", NS | STATUS},
    {"batch", "v1", "Job", "jobs", "job", "", "all", NS | STATUS},
    {"certificates.k8s.io", "v1", "CertificateSigningRequest", "certificatesigningrequests",
     "certificatesigningrequest", "csr", "", STATUS},
    {"coordination.k8s.io", "v1", "Lease", "leases", "lease", "", "", NS | PUTS},
    {"discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", "endpointslice", "", "", NS},
    {"events.k8s.io", "v1", "Event", "events", "event", "ev", "", NS | PUTS},
    {"flowcontrol.apiserver.k8s.io", "v1", "FlowSchema", "flowschemas", "flowschema", "", "",
     STATUS},
    {"flowcontrol.apiserver.k8s.io", "v1", "PriorityLevelConfiguration",
     "prioritylevelconfigurations", "prioritylevelconfiguration", "", "", STATUS},
    {"networking.k8s.io", "v1", "IngressClass", "ingressclasses", "ingressclass", "", "", 0},
    {"networking.k8s.io", "v1", "Ingress", "ingresses", "ingress", "ing", "", NS | STATUS},
    {"networking.k8s.io", "v1", "IPAddress", "ipaddresses", "ipaddress", "ip", "", 0},
    {"networking.k8s.io", "v1", "ServiceCIDR", "servicecidrs", "servicecidr", "", "", STATUS},
    {"networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", "networkpolicy", "netpol", "",
     NS},
    {"node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", "runtimeclass", "", "", PUTS},
    {"policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", "poddisruptionbudget", "pdb",
     "", NS | STATUS},
    {"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding", "clusterrolebindings",
     "clusterrolebinding", "", "", PUTS},
    {"rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", "clusterrole", "", "", PUTS},
    {"rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", "rolebinding", "", "",
     NS | PUTS},
    {"rbac.authorization.k8s.io", "v1", "Role", "roles", "role", "", "", NS | PUTS},
    {"scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", "priorityclass", "pc", "", 0},
    {"storage.k8s.io", "v1", "CSIDriver", "csidrivers", "csidriver", "", "", RETURNS},
    {"storage.k8s.io", "v1", "CSINode", "csinodes", "csinode", "", "", RETURNS},
    {"storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities", "csistoragecapacity", "",
     "", NS},
    {"storage.k8s.io", "v1", "StorageClass", "storageclasses", "storageclass", "sc", "", RETURNS},
    {"storage.k8s.io", "v1", "VolumeAttributesClass", "volumeattributesclasses",
     "volumeattributesclass", "vac", "", 0},
    {"storage.k8s.io", "v1", "VolumeAttachment", "volumeattachments", "volumeattachment", "", "",
     STATUS | RETURNS},
};

static str path_key(struct sandbox *sb, str group, str version, str last)
{
    return arena_printf(&sb->arena, "%.*s/%.*s/%.*s", STR_ARG(group), STR_ARG(version),
                        STR_ARG(last));
}

static struct sb_kind *find(const struct map *map, str group, str version, str last)
{
    char key[512];
    int n = snprintf(key, sizeof(key), "%.*s/%.*s/%.*s", STR_ARG(group), STR_ARG(version),
                     STR_ARG(last));

    return n > 0 && (size_t)n < sizeof(key) ? map_get(map, (str){key, (size_t)n}) : NULL;
}

struct sb_res *sb_res_of(struct sandbox *sb, str group, str plural)
{
    for (size_t i = 0; i < sb->resources.len; i++) {
        struct sb_res *res = sb->resources.v[i];

        if (str_eq(res->group, group) && str_eq(res->plural, plural))
            return res;
    }
    return NULL;
}

static enum sb_ctl ctl_of(str group, str plural)
{
    static const struct {
        char group[24], plural[32];
        enum sb_ctl ctl;
    } rows_of[] = {
        {"", "namespaces", CTL_NAMESPACE},
        {"", "pods", CTL_POD},
        {"apps", "replicasets", CTL_REPLICASET},
        {"apps", "deployments", CTL_DEPLOYMENT},
        {"apps", "statefulsets", CTL_STATEFULSET},
        {"apps", "daemonsets", CTL_DAEMONSET},
        {"batch", "jobs", CTL_JOB},
        {"apiextensions.k8s.io", "customresourcedefinitions", CTL_DEFINITION},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows_of); i++)
        if (str_eq(group, str_of(rows_of[i].group)) && str_eq(plural, str_of(rows_of[i].plural)))
            return rows_of[i].ctl;
    return CTL_NONE;
}

static struct sb_res *res_ensure(struct sandbox *sb, str group, str plural)
{
    struct sb_res *res = sb_res_of(sb, group, plural);

    if (res)
        return res;
    res = ARENA_NEW(&sb->arena, struct sb_res);
    res->group = arena_dup(&sb->arena, group);
    res->plural = arena_dup(&sb->arena, plural);
    res->ctl = ctl_of(group, plural);
    vec_push(&sb->resources, res);
    return res;
}

struct sb_kind *sb_kind_add(struct sandbox *sb, const struct sb_kind *kind, str plural)
{
    struct sb_res *res = res_ensure(sb, kind->group, plural);
    struct sb_kind *k = find(&sb->kind_by_path, kind->group, kind->version, plural);
    bool is_new = !k;

    if (is_new)
        k = arena_alloc(&sb->arena, sizeof(*k));
    *k = *kind;
    k->res = res;
    k->group = arena_dup(&sb->arena, kind->group);
    k->version = arena_dup(&sb->arena, kind->version);
    k->kind = arena_dup(&sb->arena, kind->kind);
    k->singular = arena_dup(&sb->arena, kind->singular);
    k->short_names = arena_dup(&sb->arena, kind->short_names);
    k->categories = arena_dup(&sb->arena, kind->categories);
    res->is_namespaced = k->namespaced;
    k->revision = ++sb->discovery_changes;
    map_put(&sb->kind_by_gvk, path_key(sb, k->group, k->version, k->kind), k);
    if (is_new) {
        map_put(&sb->kind_by_path, path_key(sb, k->group, k->version, res->plural), k);
        vec_push(&sb->kinds, k);
        vec_push(&res->kinds, k);
    }
    return k;
}

void sb_kinds_init(struct sandbox *sb)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        str rest = str_of(row->versions);

        while (rest.p) {
            struct sb_kind k = {.group = str_of(row->group),
                                .version = str_cut(rest, ' ', &rest),
                                .kind = str_of(row->kind),
                                .singular = str_of(row->singular),
                                .short_names = str_of(row->short_names),
                                .categories = str_of(row->categories),
                                .namespaced = row->flags & NS,
                                .has_status = row->flags & STATUS,
                                .has_scale = row->flags & SCALE,
                                .is_virtual = row->flags & VIRTUAL,
                                .put_creates = row->flags & PUTS,
                                .delete_returns = row->flags & RETURNS,
                                .is_served = true};

            sb_kind_add(sb, &k, str_of(row->plural));
        }
    }
}

void sb_kinds_done(struct sandbox *sb)
{
    for (size_t i = 0; i < sb->resources.len; i++) {
        vec_done(&sb->resources.v[i]->kinds);
        vec_done(&sb->resources.v[i]->slots);
        vec_done(&sb->resources.v[i]->events);
    }
    vec_done(&sb->resources);
    vec_done(&sb->kinds);
    map_done(&sb->kind_by_path);
    map_done(&sb->kind_by_gvk);
}

struct sb_kind *sb_kind_by_path(struct sandbox *sb, str group, str version, str plural)
{
    struct sb_kind *k = find(&sb->kind_by_path, group, version, plural);

    return k && k->is_served ? k : NULL;
}

struct sb_kind *sb_kind_by_gvk(struct sandbox *sb, str api_version, str kind)
{
    str version, group = str_cut(api_version, '/', &version);
    struct sb_kind *k;

    if (!version.p) {
        version = group;
        group = STR_NONE;
    }
    k = find(&sb->kind_by_gvk, group, version, kind);
    return k && k->is_served ? k : NULL;
}

str sb_kind_resource(const struct sb_kind *kind, struct arena *a)
{
    if (!kind->group.len)
        return kind->res->plural;
    return arena_printf(a, "%.*s.%.*s", STR_ARG(kind->res->plural), STR_ARG(kind->group));
}

str sb_api_version(const struct sb_kind *kind, struct arena *a)
{
    if (!kind->group.len)
        return kind->version;
    return arena_printf(a, "%.*s/%.*s", STR_ARG(kind->group), STR_ARG(kind->version));
}
