#include "res/defaults.h"

/* The tables of kustomize v5.8.2 (spec, appendix B). */

#define ROW(g, v, k, p, c)                                                        \
    {                                                                             \
        sizeof(k) - 1, sizeof(g) - 1, sizeof(v) - 1, sizeof(p) - 1, k, g, v, p, c \
    }

static const struct res_field_row name_rows[] = {ROW("", "", "", "metadata/name", false)};

static const struct res_field_row namespace_rows[] = {
    ROW("", "", "Namespace", "metadata/name", true),
    ROW("apiextensions.k8s.io", "", "CustomResourceDefinition",
        "spec/conversion/webhook/clientConfig/service/namespace", false),
    ROW("apiregistration.k8s.io", "", "APIService", "spec/service/namespace", true),
};

/* `what` of pod templates and the like: labels or annotations. */
#define METADATA_ROWS(what, stateful_group)                                           \
    ROW("", "", "", "metadata/" what, true),                                          \
        ROW("", "v1", "ReplicationController", "spec/template/metadata/" what, true), \
        ROW("", "", "Deployment", "spec/template/metadata/" what, true),              \
        ROW("", "", "ReplicaSet", "spec/template/metadata/" what, true),              \
        ROW("", "", "DaemonSet", "spec/template/metadata/" what, true),               \
        ROW(stateful_group, "", "StatefulSet", "spec/template/metadata/" what, true), \
        ROW("batch", "", "Job", "spec/template/metadata/" what, true),                \
        ROW("batch", "", "CronJob", "spec/jobTemplate/metadata/" what, true),         \
        ROW("batch", "", "CronJob", "spec/jobTemplate/spec/template/metadata/" what, true)

#define CLAIM_ROW \
    ROW("apps", "", "StatefulSet", "spec/volumeClaimTemplates[]/metadata/labels", true)

/* Label selectors inside the pod templates of a kind of the group apps. */
#define PREFERRED(affinity)                                                           \
    "spec/template/spec/affinity/" affinity                                           \
    "/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/" \
    "matchLabels"
#define REQUIRED(affinity)                  \
    "spec/template/spec/affinity/" affinity \
    "/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels"
#define AFFINITY_ROWS(kind)                                         \
    ROW("apps", "", kind, PREFERRED("podAffinity"), false),         \
        ROW("apps", "", kind, REQUIRED("podAffinity"), false),      \
        ROW("apps", "", kind, PREFERRED("podAntiAffinity"), false), \
        ROW("apps", "", kind, REQUIRED("podAntiAffinity"), false),  \
        ROW("apps", "", kind,                                       \
            "spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels", false)

static const struct res_field_row label_rows[] = {
    METADATA_ROWS("labels", "apps"),
    CLAIM_ROW,
    ROW("", "v1", "Service", "spec/selector", true),
    ROW("", "v1", "ReplicationController", "spec/selector", true),
    ROW("", "", "Deployment", "spec/selector/matchLabels", true),
    ROW("", "", "ReplicaSet", "spec/selector/matchLabels", true),
    ROW("", "", "DaemonSet", "spec/selector/matchLabels", true),
    ROW("apps", "", "StatefulSet", "spec/selector/matchLabels", true),
    ROW("batch", "", "Job", "spec/selector/matchLabels", false),
    ROW("policy", "", "PodDisruptionBudget", "spec/selector/matchLabels", false),
    ROW("batch", "", "CronJob", "spec/jobTemplate/spec/selector/matchLabels", false),
    AFFINITY_ROWS("Deployment"),
    AFFINITY_ROWS("StatefulSet"),
    ROW("networking.k8s.io", "", "NetworkPolicy", "spec/podSelector/matchLabels", false),
    ROW("networking.k8s.io", "", "NetworkPolicy", "spec/ingress/from/podSelector/matchLabels",
        false),
    ROW("networking.k8s.io", "", "NetworkPolicy", "spec/egress/to/podSelector/matchLabels", false),
};

static const struct res_field_row template_label_rows[] = {
    METADATA_ROWS("labels", "apps"),
};
static const struct res_field_row claim_label_rows[] = {CLAIM_ROW};
static const struct res_field_row annotation_rows[] = {
    METADATA_ROWS("annotations", ""),
};

static const struct res_field_row image_rows[] = {
    ROW("", "", "", "spec/containers[]/image", true),
    ROW("", "", "", "spec/initContainers[]/image", true),
    ROW("", "", "", "spec/volumes[]/image/reference", true),
    ROW("", "", "", "spec/template/spec/containers[]/image", true),
    ROW("", "", "", "spec/template/spec/initContainers[]/image", true),
    ROW("", "", "", "spec/template/spec/volumes[]/image/reference", true),
    ROW("", "", "", "spec/jobTemplate/spec/template/spec/volumes[]/image/reference", true),
};

static const struct res_field_row replica_rows[] = {
    ROW("", "", "Deployment", "spec/replicas", true),
    ROW("", "", "ReplicationController", "spec/replicas", true),
    ROW("", "", "ReplicaSet", "spec/replicas", true),
    ROW("", "", "StatefulSet", "spec/replicas", true),
};

#define ROWS(of) (*ret_count = ARRAY_LEN(of), (of))
const struct res_field_row *res_default_fields(enum res_fields what, size_t *ret_count)
{
    switch (what) {
    case RES_NAME_FIELDS:
        return ROWS(name_rows);
    case RES_NAMESPACE_FIELDS:
        return ROWS(namespace_rows);
    case RES_LABEL_FIELDS:
        return ROWS(label_rows);
    case RES_TEMPLATE_LABEL_FIELDS:
        return ROWS(template_label_rows);
    case RES_CLAIM_LABEL_FIELDS:
        return ROWS(claim_label_rows);
    case RES_ANNOTATION_FIELDS:
        return ROWS(annotation_rows);
    case RES_IMAGE_FIELDS:
        return ROWS(image_rows);
    case RES_REPLICA_FIELDS:
        break;
    }
    return ROWS(replica_rows);
}
