/* API versions that Kubernetes gave up, or will: what its own types say of themselves. */
#include "chart/lint/lint_priv.h"

#define RBAC "rbac.authorization.k8s.io/v1"
#define FLOW "flowcontrol.apiserver.k8s.io/v1"
#define ADMISSION "admissionregistration.k8s.io/v1"

static const struct row {
    char api_version[40], kinds[96]; /* and their lists */
    int deprecated, removed;         /* minor versions; removed 0: not planned */
    char instead[36];                /* an API version, or empty */
    char kind[16];                   /* empty: the same */
} rows[] = {
    {"extensions/v1beta1", "Deployment DaemonSet ReplicaSet", 8, 16, "apps/v1", ""},
    {"extensions/v1beta1", "Ingress", 14, 22, "networking.k8s.io/v1", ""},
    {"extensions/v1beta1", "NetworkPolicy", 9, 16, "networking.k8s.io/v1", ""},
    {"extensions/v1beta1", "Scale", 2, 16, "", ""},
    {"extensions/v1beta1", "DeploymentRollback", 8, 16, "", ""},
    {"apps/v1beta1", "Deployment StatefulSet ControllerRevision DeploymentRollback", 8, 16,
     "apps/v1", ""},
    {"apps/v1beta1", "Scale", 8, 16, "autoscaling/v1", ""},
    {"apps/v1beta2", "Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision", 9, 16,
     "apps/v1", ""},
    {"apps/v1beta2", "Scale", 9, 16, "autoscaling/v1", ""},
    {ADMISSION "beta1", "ValidatingWebhookConfiguration MutatingWebhookConfiguration", 16, 22,
     ADMISSION, ""},
    {ADMISSION "beta1", "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding", 31, 34, "",
     ""},
    {ADMISSION "beta1", "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding", 37, 40, ADMISSION,
     ""},
    {ADMISSION "alpha1", "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding", 29, 32, "",
     ""},
    {ADMISSION "alpha1", "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding", 35, 38, "", ""},
    {"authentication.k8s.io/v1beta1", "TokenReview", 19, 22, "authentication.k8s.io/v1", ""},
    {"authentication.k8s.io/v1beta1", "SelfSubjectReview", 30, 33, "", ""},
    {"authentication.k8s.io/v1alpha1", "SelfSubjectReview", 29, 32, "", ""},
    {"authorization.k8s.io/v1beta1",
     "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
     19, 22, "authorization.k8s.io/v1", ""},
    {"batch/v1beta1", "CronJob", 21, 25, "batch/v1", ""},
    {"certificates.k8s.io/v1beta1", "CertificateSigningRequest", 19, 22, "certificates.k8s.io/v1",
     ""},
    {"certificates.k8s.io/v1beta1", "ClusterTrustBundle PodCertificateRequest", 37, 40,
     "certificates.k8s.io/v1", ""},
    {"certificates.k8s.io/v1alpha1", "ClusterTrustBundle", 34, 37, "", ""},
    {"coordination.k8s.io/v1beta1", "Lease", 19, 22, "coordination.k8s.io/v1", ""},
    {"coordination.k8s.io/v1beta1", "LeaseCandidate", 36, 39, "", ""},
    {"coordination.k8s.io/v1alpha2", "LeaseCandidate", 35, 38, "", ""},
    {"discovery.k8s.io/v1beta1", "EndpointSlice", 21, 25, "discovery.k8s.io/v1", ""},
    {"events.k8s.io/v1beta1", "Event", 22, 25, "", ""},
    {FLOW "beta1", "FlowSchema PriorityLevelConfiguration", 23, 26, FLOW "beta3", ""},
    {FLOW "beta2", "FlowSchema PriorityLevelConfiguration", 26, 29, FLOW "beta3", ""},
    {FLOW "beta3", "FlowSchema PriorityLevelConfiguration", 29, 32, FLOW, ""},
    {"networking.k8s.io/v1beta1", "Ingress IngressClass", 19, 22, "networking.k8s.io/v1", ""},
    {"networking.k8s.io/v1beta1", "IPAddress ServiceCIDR", 34, 37, "", ""},
    {"node.k8s.io/v1beta1", "RuntimeClass", 22, 25, "", ""},
    {"policy/v1beta1", "PodDisruptionBudget", 21, 25, "policy/v1", ""},
    {"policy/v1beta1", "Eviction", 22, 25, "", ""},
    {RBAC "beta1", "Role ClusterRole RoleBinding ClusterRoleBinding", 17, 22, RBAC, ""},
    {"resource.k8s.io/v1alpha3", "DeviceTaintRule", 36, 39, "", ""},
    {"resource.k8s.io/v1beta1", "ResourceClaim DeviceClass ResourceSlice ResourceClaimTemplate", 35,
     38, "", ""},
    {"resource.k8s.io/v1beta2", "ResourceClaim DeviceClass ResourceSlice ResourceClaimTemplate", 36,
     39, "", ""},
    {"scheduling.k8s.io/v1beta1", "PriorityClass", 14, 22, "scheduling.k8s.io/v1", ""},
    {"storage.k8s.io/v1beta1", "StorageClass CSIDriver VolumeAttachment", 19, 22,
     "storage.k8s.io/v1", ""},
    {"storage.k8s.io/v1beta1", "CSINode", 17, 22, "storage.k8s.io/v1", ""},
    {"storage.k8s.io/v1beta1", "CSIStorageCapacity", 24, 27, "storage.k8s.io/v1", ""},
    {"storage.k8s.io/v1beta1", "VolumeAttributesClass", 34, 37, "storage.k8s.io/v1", ""},
    {"storage.k8s.io/v1alpha1", "VolumeAttachment", 21, 24, "storage.k8s.io/v1", ""},
    {"storage.k8s.io/v1alpha1", "CSIStorageCapacity", 21, 24, "storage.k8s.io/v1beta1", ""},
    {"storage.k8s.io/v1alpha1", "VolumeAttributesClass", 32, 35, "storage.k8s.io/v1", ""},
    {"storagemigration.k8s.io/v1beta1", "StorageVersionMigration", 37, 40,
     "storagemigration.k8s.io/v1", ""},
    {"v1", "Endpoints", 33, 0, "discovery.k8s.io/v1", "EndpointSlice"},
};

static bool has_kind(const struct row *row, str kind)
{
    str kinds = str_of(row->kinds);

    while (kinds.len)
        if (str_eq(str_cut(kinds, ' ', &kinds), kind))
            return true;
    return false;
}

bool lint_deprecation(str api_version, str kind, int minor, struct buf *out)
{
    bool is_list = kind.len > 4 && str_ends(kind, STR("List"));
    str one = {kind.p, is_list ? kind.len - 4 : kind.len};

    for (const struct row *row = rows; row < rows + ARRAY_LEN(rows); row++) {
        if (!str_eq(api_version, str_of(row->api_version)) || !has_kind(row, one) ||
            minor < row->deprecated)
            continue;
        buf_addf(out, "%.*s %.*s is deprecated in v1.%d+", STR_ARG(api_version), STR_ARG(kind),
                 row->deprecated);
        if (row->removed)
            buf_addf(out, ", unavailable in v1.%d+", row->removed);
        if (*row->instead)
            buf_addf(out, "; use %s %.*s%s", row->instead,
                     STR_ARG(*row->kind ? str_of(row->kind) : one), is_list ? "List" : "");
        return true;
    }
    return false;
}
