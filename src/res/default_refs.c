#include "res/defaults.h"

/* The default references and the fields that hold vars, as rows (kustomize spec, appendix A). */

/* Below the spec of the pods that a kind holds. */
#define TEMPLATE_SPEC "spec/template/spec/"
#define CRON_SPEC "spec/jobTemplate/spec/template/spec/"

/* ---- references: under each kind its rows, in the order of the targets */

enum target {
    STORAGE_CLASS,
    SERVICE_ACCOUNT,
    ROLE,
    CLUSTER_ROLE,
    CONFIG_MAP,
    SECRET,
    SERVICE,
    PRIORITY_CLASS,
    VOLUME,
    CLAIM,
    DEPLOYMENT,
    STATEFUL_SET,
    ADMISSION_POLICY,
    INGRESS_CLASS,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
};

static const struct res_gvk targets[] = {
#define TARGET(g, v, k)                       \
    {                                         \
        STR_INIT(g), STR_INIT(v), STR_INIT(k) \
    }
    [STORAGE_CLASS] = TARGET("storage.k8s.io", "v1", "StorageClass"),
    [SERVICE_ACCOUNT] = TARGET("", "v1", "ServiceAccount"),
    [ROLE] = TARGET("rbac.authorization.k8s.io", "", "Role"),
    [CLUSTER_ROLE] = TARGET("rbac.authorization.k8s.io", "", "ClusterRole"),
    [CONFIG_MAP] = TARGET("", "v1", "ConfigMap"),
    [SECRET] = TARGET("", "v1", "Secret"),
    [SERVICE] = TARGET("", "v1", "Service"),
    [PRIORITY_CLASS] = TARGET("scheduling.k8s.io", "v1", "PriorityClass"),
    [VOLUME] = TARGET("", "v1", "PersistentVolume"),
    [CLAIM] = TARGET("", "v1", "PersistentVolumeClaim"),
    [DEPLOYMENT] = TARGET("", "", "Deployment"),
    [STATEFUL_SET] = TARGET("", "", "StatefulSet"),
    [ADMISSION_POLICY] = TARGET("admissionregistration.k8s.io", "", "ValidatingAdmissionPolicy"),
    /* KD-2: upstream has the version in the group, which matches nothing. */
    [INGRESS_CLASS] = TARGET("networking.k8s.io/v1", "v1", "IngressClass"),
    [REPLICA_SET] = TARGET("", "", "ReplicaSet"),
    [REPLICATION_CONTROLLER] = TARGET("", "", "ReplicationController"),
};

/* A field, or the head of the fields of a kind: a search goes from head to head. Texts, not
 * pointers: none is written to when the program starts. */
struct row {
    uint8_t count;  /* of a head: the rows that follow */
    uint8_t target; /* enum target */
    uint8_t group_len, version_len, text_len;
    char group[31], version[4];
    char text[92]; /* path; of a head the kind */
};

#define ROW(t, g, v, p)                                              \
    {                                                                \
        0, (t), sizeof(g) - 1, sizeof(v) - 1, sizeof(p) - 1, g, v, p \
    }
#define AT(t, p) ROW(t, "", "", p)
#define COUNT(...) (sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row))
#define KIND(k, ...) {COUNT(__VA_ARGS__), 0, 0, 0, sizeof(k) - 1, "", "", k}, __VA_ARGS__

#define RBAC(t, p) ROW(t, "rbac.authorization.k8s.io", "", p)
#define ADMISSION(t, p) ROW(t, "admissionregistration.k8s.io", "", p)

/* What holds a config, a secret in the pods at spec: variables of the environment, volumes. */
#define ENV(t, v, spec, ref)                                                   \
    ROW(t, "", v, spec "containers/env/valueFrom/" ref "KeyRef/name"),         \
        ROW(t, "", v, spec "initContainers/env/valueFrom/" ref "KeyRef/name"), \
        ROW(t, "", v, spec "containers/envFrom/" ref "Ref/name"),              \
        ROW(t, "", v, spec "initContainers/envFrom/" ref "Ref/name")
#define CONFIGS(v, spec)                                                                          \
    ROW(CONFIG_MAP, "", v, spec "volumes/configMap/name"), ENV(CONFIG_MAP, v, spec, "configMap"), \
        ROW(CONFIG_MAP, "", v, spec "volumes/projected/sources/configMap/name"),                  \
        ROW(SECRET, "", v, spec "volumes/secret/secretName"), ENV(SECRET, v, spec, "secret"),     \
        ROW(SECRET, "", v, spec "imagePullSecrets/name"),                                         \
        ROW(SECRET, "", v, spec "volumes/projected/sources/secret/name")
#define ACCOUNT(spec) AT(SERVICE_ACCOUNT, spec "serviceAccountName")
#define PRIORITY_AND_CLAIM(spec)                  \
    AT(PRIORITY_CLASS, spec "priorityClassName"), \
        AT(CLAIM, spec "volumes/persistentVolumeClaim/claimName")
#define POD(v, spec) ACCOUNT(spec), CONFIGS(v, spec), PRIORITY_AND_CLAIM(spec)

#define NGINX "metadata/annotations/nginx.ingress.kubernetes.io\\/"

static const struct row rows[] = {
    KIND("Deployment", POD("", TEMPLATE_SPEC)),
    KIND("RoleBinding", RBAC(SERVICE_ACCOUNT, "subjects"), RBAC(ROLE, "roleRef/name"),
         RBAC(CLUSTER_ROLE, "roleRef/name")),
    KIND("Role", AT(CONFIG_MAP, "rules/resourceNames"), AT(SECRET, "rules/resourceNames")),
    KIND("ServiceAccount", AT(SECRET, "imagePullSecrets/name")),
    KIND("Ingress", AT(CONFIG_MAP, NGINX "fastcgi-params-configmap"),
         AT(SECRET, "spec/tls/secretName"),
         AT(SECRET, "metadata/annotations/ingress.kubernetes.io\\/auth-secret"),
         AT(SECRET, NGINX "auth-secret"), AT(SECRET, NGINX "auth-tls-secret"),
         AT(SERVICE, "spec/rules/http/paths/backend/serviceName"),
         AT(SERVICE, "spec/backend/serviceName"),
         AT(SERVICE, "spec/rules/http/paths/backend/service/name"),
         AT(SERVICE, "spec/defaultBackend/service/name"),
         AT(INGRESS_CLASS, "spec/ingressClassName")),
    KIND("HorizontalPodAutoscaler", AT(DEPLOYMENT, "spec/scaleTargetRef/name"),
         AT(STATEFUL_SET, "spec/scaleTargetRef/name"), AT(REPLICA_SET, "spec/scaleTargetRef/name"),
         AT(REPLICATION_CONTROLLER, "spec/scaleTargetRef/name")),
    KIND("Service", ROW(SECRET, "serving.knative.dev", "v1",
                        TEMPLATE_SPEC "containers/env/valueFrom/secretKeyRef/name")),
    KIND("StatefulSet", AT(STORAGE_CLASS, "spec/volumeClaimTemplates/spec/storageClassName"),
         ACCOUNT(TEMPLATE_SPEC), CONFIGS("", TEMPLATE_SPEC),
         ROW(SERVICE, "apps", "", "spec/serviceName"), PRIORITY_AND_CLAIM(TEMPLATE_SPEC)),
    KIND("DaemonSet", POD("", TEMPLATE_SPEC)),
    KIND("Job", POD("", TEMPLATE_SPEC)),
    KIND("CronJob", POD("", CRON_SPEC)),
    KIND("Pod", POD("v1", "spec/")),
    KIND("ReplicaSet", CONFIGS("", TEMPLATE_SPEC)),
    KIND("PodTemplate", CONFIGS("", "template/spec/")),
    KIND("ReplicationController", ACCOUNT(TEMPLATE_SPEC), PRIORITY_AND_CLAIM(TEMPLATE_SPEC)),
    KIND("ClusterRoleBinding", RBAC(SERVICE_ACCOUNT, "subjects"),
         RBAC(CLUSTER_ROLE, "roleRef/name")),
    KIND("ClusterRole", AT(CONFIG_MAP, "rules/resourceNames"), AT(SECRET, "rules/resourceNames"),
         AT(VOLUME, "rules/resourceNames")),
    KIND("Node", AT(CONFIG_MAP, "spec/configSource/configMap")),
    KIND("StorageClass", AT(SECRET, "parameters/secretName"),
         AT(SECRET, "parameters/adminSecretName"), AT(SECRET, "parameters/userSecretName"),
         AT(SECRET, "parameters/secretRef")),
    KIND("PersistentVolume", AT(STORAGE_CLASS, "spec/storageClassName"),
         AT(SECRET, "spec/azureFile/secretName")),
    KIND("PersistentVolumeClaim", AT(STORAGE_CLASS, "spec/storageClassName"),
         AT(VOLUME, "spec/volumeName")),
    KIND("APIService", ROW(SERVICE, "apiregistration.k8s.io", "", "spec/service/name")),
    KIND("ValidatingWebhookConfiguration", ADMISSION(SERVICE, "webhooks/clientConfig/service")),
    KIND("MutatingWebhookConfiguration", ADMISSION(SERVICE, "webhooks/clientConfig/service")),
    KIND("ValidatingAdmissionPolicyBinding", ADMISSION(ADMISSION_POLICY, "spec/policyName")),
};

const struct res_gvk *res_reference_targets(size_t *ret_count)
{
    *ret_count = ARRAY_LEN(targets);
    return targets;
}

struct res_reference_iter res_references_of(str kind)
{
    const struct row *head = rows;

    while (head < rows + ARRAY_LEN(rows) && !str_eq((str){head->text, head->text_len}, kind))
        head += 1 + head->count;
    if (head == rows + ARRAY_LEN(rows))
        return (struct res_reference_iter){0};
    return (struct res_reference_iter){.at = (size_t)(head - rows),
                                       .end = (size_t)(head - rows) + 1 + head->count};
}

struct res_reference_iter res_references(void)
{
    return (struct res_reference_iter){.end = ARRAY_LEN(rows)};
}

bool res_next_reference(struct res_reference_iter *it)
{
    const struct row *row = &rows[it->at];

    if (it->at < it->end && row->count) {
        it->field.gvk.kind = (str){row->text, row->text_len};
        row = &rows[++it->at];
    }
    if (it->at >= it->end)
        return false;
    it->field.gvk.group = (str){row->group, row->group_len};
    it->field.gvk.version = (str){row->version, row->version_len};
    it->field.path = (str){row->text, row->text_len};
    it->target = &targets[row->target];
    it->at++;
    return true;
}

/* ---- vars */

#define FIELD(k, p)                                             \
    {                                                           \
        sizeof(k) - 1, 0, 0, sizeof(p) - 1, k, "", "", p, false \
    }
#define VAR_USERS(p)                                                         \
    FIELD("CronJob", CRON_SPEC p), FIELD("DaemonSet", TEMPLATE_SPEC p),      \
        FIELD("Deployment", TEMPLATE_SPEC p), FIELD("Job", TEMPLATE_SPEC p), \
        FIELD("Pod", "spec/" p), FIELD("ReplicaSet", TEMPLATE_SPEC p),       \
        FIELD("StatefulSet", TEMPLATE_SPEC p)
#define VAR_CONTAINERS(list)                                                           \
    VAR_USERS(list "/args"), VAR_USERS(list "/command"), VAR_USERS(list "/env/value"), \
        VAR_USERS(list "/volumeMounts/mountPath")

static const struct res_field_row vars[] = {
    VAR_CONTAINERS("containers"),
    VAR_CONTAINERS("initContainers"),
    /* upstream's path; there is no spec in it */
    FIELD("CronJob", "spec/jobTemplate/spec/template/volumes/nfs/server"),
    FIELD("DaemonSet", TEMPLATE_SPEC "volumes/nfs/server"),
    FIELD("Deployment", TEMPLATE_SPEC "volumes/nfs/server"),
    FIELD("Job", TEMPLATE_SPEC "volumes/nfs/server"),
    FIELD("Pod", "spec/volumes/nfs/server"),
    FIELD("ReplicaSet", TEMPLATE_SPEC "volumes/nfs/server"),
    FIELD("StatefulSet", "spec/volumeClaimTemplates/spec/nfs/server"),
    FIELD("PersistentVolume", "spec/nfs/server"),
    FIELD("Deployment", "spec/template/metadata/annotations"),
    FIELD("Ingress", "spec/rules/host"),
    FIELD("Ingress", "spec/tls/hosts"),
    FIELD("Ingress", "spec/tls/secretName"),
    FIELD("Service", "spec/ports/port"),
    FIELD("Service", "spec/ports/targetPort"),
    FIELD("", "metadata/labels"),
    FIELD("", "metadata/annotations"),
};

const struct res_field_row *res_default_var_fields(size_t *ret_count)
{
    *ret_count = ARRAY_LEN(vars);
    return vars;
}

struct res_field_spec res_field_row_spec(const struct res_field_row *row)
{
    return (struct res_field_spec){{{row->group, row->group_len},
                                    {row->version, row->version_len},
                                    {row->kind, row->kind_len}},
                                   {row->path, row->path_len},
                                   row->create};
}
