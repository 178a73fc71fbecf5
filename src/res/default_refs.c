#include "base/vec.h"
#include "res/defaults.h"

/* The default references and the fields that hold vars, as rows (kustomize spec, appendix A). */

#define ROW(g, v, k, p)                                                        \
    {                                                                          \
        sizeof(k) - 1, sizeof(g) - 1, sizeof(v) - 1, sizeof(p) - 1, k, g, v, p \
    }
#define KIND(k, p) ROW("", "", k, p)
#define RBAC(k, p) ROW("rbac.authorization.k8s.io", "", k, p)
#define ADMISSION(k, p) ROW("admissionregistration.k8s.io", "", k, p)

/* Below the spec of the pods that a kind holds. */
#define TEMPLATE_SPEC "spec/template/spec/"
#define CRON_SPEC "spec/jobTemplate/spec/template/spec/"

/* Everything that can hold a config, a secret. */
#define CONFIG_USERS(p)                                                           \
    ROW("", "v1", "Pod", "spec/" p), KIND("PodTemplate", "template/spec/" p),     \
        KIND("Deployment", TEMPLATE_SPEC p), KIND("ReplicaSet", TEMPLATE_SPEC p), \
        KIND("DaemonSet", TEMPLATE_SPEC p), KIND("StatefulSet", TEMPLATE_SPEC p), \
        KIND("Job", TEMPLATE_SPEC p), KIND("CronJob", CRON_SPEC p)
/* What accounts, claims and priorities are looked for in. */
#define POD_USERS(p)                                                                         \
    KIND("Pod", "spec/" p), KIND("StatefulSet", TEMPLATE_SPEC p),                            \
        KIND("Deployment", TEMPLATE_SPEC p), KIND("ReplicationController", TEMPLATE_SPEC p), \
        KIND("CronJob", CRON_SPEC p), KIND("Job", TEMPLATE_SPEC p),                          \
        KIND("DaemonSet", TEMPLATE_SPEC p)
/* A reference from variables of the environment. */
#define ENV(ref)                                                         \
    CONFIG_USERS("containers/env/valueFrom/" ref "KeyRef/name"),         \
        CONFIG_USERS("initContainers/env/valueFrom/" ref "KeyRef/name"), \
        CONFIG_USERS("containers/envFrom/" ref "Ref/name"),              \
        CONFIG_USERS("initContainers/envFrom/" ref "Ref/name")

static const struct res_field_row scaled[] = {
    KIND("HorizontalPodAutoscaler", "spec/scaleTargetRef/name"),
};

static const struct res_field_row config_maps[] = {
    CONFIG_USERS("volumes/configMap/name"),
    ENV("configMap"),
    CONFIG_USERS("volumes/projected/sources/configMap/name"),
    KIND("Node", "spec/configSource/configMap"),
    KIND("Role", "rules/resourceNames"),
    KIND("ClusterRole", "rules/resourceNames"),
    KIND("Ingress", "metadata/annotations/nginx.ingress.kubernetes.io\\/fastcgi-params-configmap"),
};

static const struct res_field_row secrets[] = {
    CONFIG_USERS("volumes/secret/secretName"),
    ENV("secret"),
    CONFIG_USERS("imagePullSecrets/name"),
    CONFIG_USERS("volumes/projected/sources/secret/name"),
    KIND("Ingress", "spec/tls/secretName"),
    KIND("Ingress", "metadata/annotations/ingress.kubernetes.io\\/auth-secret"),
    KIND("Ingress", "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-secret"),
    KIND("Ingress", "metadata/annotations/nginx.ingress.kubernetes.io\\/auth-tls-secret"),
    KIND("ServiceAccount", "imagePullSecrets/name"),
    KIND("StorageClass", "parameters/secretName"),
    KIND("StorageClass", "parameters/adminSecretName"),
    KIND("StorageClass", "parameters/userSecretName"),
    KIND("StorageClass", "parameters/secretRef"),
    KIND("Role", "rules/resourceNames"),
    KIND("ClusterRole", "rules/resourceNames"),
    ROW("serving.knative.dev", "v1", "Service",
        TEMPLATE_SPEC "containers/env/valueFrom/secretKeyRef/name"),
    KIND("PersistentVolume", "spec/azureFile/secretName"),
};

static const struct res_field_row services[] = {
    ROW("apps", "", "StatefulSet", "spec/serviceName"),
    KIND("Ingress", "spec/rules/http/paths/backend/serviceName"),
    KIND("Ingress", "spec/backend/serviceName"),
    KIND("Ingress", "spec/rules/http/paths/backend/service/name"),
    KIND("Ingress", "spec/defaultBackend/service/name"),
    ROW("apiregistration.k8s.io", "", "APIService", "spec/service/name"),
    ADMISSION("ValidatingWebhookConfiguration", "webhooks/clientConfig/service"),
    ADMISSION("MutatingWebhookConfiguration", "webhooks/clientConfig/service"),
};

static const struct res_field_row roles[] = {
    RBAC("RoleBinding", "roleRef/name"),
};

static const struct res_field_row cluster_roles[] = {
    RBAC("RoleBinding", "roleRef/name"),
    RBAC("ClusterRoleBinding", "roleRef/name"),
};

static const struct res_field_row accounts[] = {
    RBAC("RoleBinding", "subjects"),
    RBAC("ClusterRoleBinding", "subjects"),
    POD_USERS("serviceAccountName"),
};

static const struct res_field_row claims[] = {
    POD_USERS("volumes/persistentVolumeClaim/claimName"),
};

static const struct res_field_row volumes[] = {
    KIND("PersistentVolumeClaim", "spec/volumeName"),
    KIND("ClusterRole", "rules/resourceNames"),
};

static const struct res_field_row storage_classes[] = {
    KIND("PersistentVolume", "spec/storageClassName"),
    KIND("PersistentVolumeClaim", "spec/storageClassName"),
    KIND("StatefulSet", "spec/volumeClaimTemplates/spec/storageClassName"),
};

static const struct res_field_row priorities[] = {
    POD_USERS("priorityClassName"),
};

static const struct res_field_row ingress_classes[] = {
    KIND("Ingress", "spec/ingressClassName"),
};

static const struct res_field_row policies[] = {
    ADMISSION("ValidatingAdmissionPolicyBinding", "spec/policyName"),
};

static const struct res_references targets[] = {
#define TARGET(g, v, k, rows)                                            \
    {                                                                    \
        {STR_INIT(g), STR_INIT(v), STR_INIT(k)}, (rows), ARRAY_LEN(rows) \
    }
    TARGET("storage.k8s.io", "v1", "StorageClass", storage_classes),
    TARGET("", "v1", "ServiceAccount", accounts),
    TARGET("rbac.authorization.k8s.io", "", "Role", roles),
    TARGET("rbac.authorization.k8s.io", "", "ClusterRole", cluster_roles),
    TARGET("", "v1", "ConfigMap", config_maps),
    TARGET("", "v1", "Secret", secrets),
    TARGET("", "v1", "Service", services),
    TARGET("scheduling.k8s.io", "v1", "PriorityClass", priorities),
    TARGET("", "v1", "PersistentVolume", volumes),
    TARGET("", "v1", "PersistentVolumeClaim", claims),
    TARGET("", "", "Deployment", scaled),
    TARGET("", "", "StatefulSet", scaled),
    TARGET("admissionregistration.k8s.io", "", "ValidatingAdmissionPolicy", policies),
    /* KD-2: upstream has the version in the group, which matches nothing. */
    TARGET("networking.k8s.io/v1", "v1", "IngressClass", ingress_classes),
    TARGET("", "", "ReplicaSet", scaled),
    TARGET("", "", "ReplicationController", scaled),
};

#define VAR_USERS(p)                                                                               \
    KIND("CronJob", CRON_SPEC p), KIND("DaemonSet", TEMPLATE_SPEC p),                              \
        KIND("Deployment", TEMPLATE_SPEC p), KIND("Job", TEMPLATE_SPEC p), KIND("Pod", "spec/" p), \
        KIND("ReplicaSet", TEMPLATE_SPEC p), KIND("StatefulSet", TEMPLATE_SPEC p)
#define VAR_CONTAINERS(list)                                                           \
    VAR_USERS(list "/args"), VAR_USERS(list "/command"), VAR_USERS(list "/env/value"), \
        VAR_USERS(list "/volumeMounts/mountPath")

static const struct res_field_row vars[] = {
    VAR_CONTAINERS("containers"),
    VAR_CONTAINERS("initContainers"),
    /* upstream's path; there is no spec in it */
    KIND("CronJob", "spec/jobTemplate/spec/template/volumes/nfs/server"),
    KIND("DaemonSet", TEMPLATE_SPEC "volumes/nfs/server"),
    KIND("Deployment", TEMPLATE_SPEC "volumes/nfs/server"),
    KIND("Job", TEMPLATE_SPEC "volumes/nfs/server"),
    KIND("Pod", "spec/volumes/nfs/server"),
    KIND("ReplicaSet", TEMPLATE_SPEC "volumes/nfs/server"),
    KIND("StatefulSet", "spec/volumeClaimTemplates/spec/nfs/server"),
    KIND("PersistentVolume", "spec/nfs/server"),
    KIND("Deployment", "spec/template/metadata/annotations"),
    KIND("Ingress", "spec/rules/host"),
    KIND("Ingress", "spec/tls/hosts"),
    KIND("Ingress", "spec/tls/secretName"),
    KIND("Service", "spec/ports/port"),
    KIND("Service", "spec/ports/targetPort"),
    KIND("", "metadata/labels"),
    KIND("", "metadata/annotations"),
};

const struct res_references *res_default_references(size_t *ret_count)
{
    *ret_count = ARRAY_LEN(targets);
    return targets;
}

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
                                   false};
}
