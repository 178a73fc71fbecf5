/* What the API server fills into built-in kinds. A path goes through maps by '/'; "[]" behind a
 * name means each item of that list. A value is set where its parent is there and it is not. */
#include "base/escape.h"
#include "sandbox/types/service.h"
#include "sandbox/write.h"

struct rule {
    char path[80], json[104];
};

/* Of a PodSpec. */
static const struct rule pod_rules[] = {
    {"restartPolicy", "\"Always\""},
    {"terminationGracePeriodSeconds", "30"},
    {"dnsPolicy", "\"ClusterFirst\""},
    {"securityContext", "{}"},
    {"schedulerName", "\"default-scheduler\""},
    {"volumes[]/configMap/defaultMode", "420"},
    {"volumes[]/secret/defaultMode", "420"},
    {"volumes[]/downwardAPI/defaultMode", "420"},
    {"volumes[]/downwardAPI/items[]/fieldRef/apiVersion", "\"v1\""},
    {"volumes[]/projected/defaultMode", "420"},
    {"volumes[]/projected/sources[]/serviceAccountToken/expirationSeconds", "3600"},
    {"volumes[]/projected/sources[]/downwardAPI/items[]/fieldRef/apiVersion", "\"v1\""},
    {"volumes[]/hostPath/type", "\"\""},
    {"volumes[]/ephemeral/volumeClaimTemplate/metadata", "{}"},
    {"volumes[]/ephemeral/volumeClaimTemplate/spec/volumeMode", "\"Filesystem\""},
};

/* Of a container, at its start or not. */
static const struct rule container_rules[] = {
    {"terminationMessagePath", "\"/dev/termination-log\""},
    {"terminationMessagePolicy", "\"File\""},
    {"resources", "{}"},
    {"ports[]/protocol", "\"TCP\""},
    {"env[]/valueFrom/fieldRef/apiVersion", "\"v1\""},
    {"env[]/valueFrom/resourceFieldRef/divisor", "\"0\""},
    {"lifecycle/preStop/httpGet/path", "\"/\""},
    {"lifecycle/preStop/httpGet/scheme", "\"HTTP\""},
    {"lifecycle/postStart/httpGet/path", "\"/\""},
    {"lifecycle/postStart/httpGet/scheme", "\"HTTP\""},
};

static const struct rule probe_rules[] = {
    {"timeoutSeconds", "1"},   {"periodSeconds", "10"},   {"successThreshold", "1"},
    {"failureThreshold", "3"}, {"httpGet/path", "\"/\""}, {"httpGet/scheme", "\"HTTP\""},
    {"grpc/service", "\"\""},
};

static const struct kind_rules {
    char group[32], kind[32];
    char pod[40]; /* where a PodSpec is, or "" */
    struct rule rules[14];
} kinds[] = {
    {"", "Pod", "spec", {{"spec/enableServiceLinks", "true"}, {"status/phase", "\"Pending\""}}},
    {"apps",
     "Deployment",
     "spec/template/spec",
     {{"spec/replicas", "1"},
      {"spec/strategy", "{\"type\":\"RollingUpdate\"}"},
      {"spec/strategy/type", "\"RollingUpdate\""},
      {"spec/revisionHistoryLimit", "10"},
      {"spec/progressDeadlineSeconds", "600"}}},
    {"apps",
     "ReplicaSet",
     "spec/template/spec",
     {{"spec/replicas", "1"}, {"status/replicas", "0"}}},
    {"",
     "ReplicationController",
     "spec/template/spec",
     {{"spec/replicas", "1"}, {"status/replicas", "0"}}},
    {"apps",
     "StatefulSet",
     "spec/template/spec",
     {{"spec/replicas", "1"},
      {"spec/serviceName", "\"\""},
      {"spec/ordinals/start", "0"},
      {"spec/podManagementPolicy", "\"OrderedReady\""},
      {"spec/updateStrategy", "{}"},
      {"spec/revisionHistoryLimit", "10"},
      {"spec/persistentVolumeClaimRetentionPolicy", "{}"},
      {"spec/persistentVolumeClaimRetentionPolicy/whenDeleted", "\"Retain\""},
      {"spec/persistentVolumeClaimRetentionPolicy/whenScaled", "\"Retain\""},
      {"spec/volumeClaimTemplates[]/spec/volumeMode", "\"Filesystem\""},
      {"spec/volumeClaimTemplates[]/status/phase", "\"Pending\""},
      {"status/replicas", "0"},
      {"status/availableReplicas", "0"}}},
    {"apps",
     "DaemonSet",
     "spec/template/spec",
     {{"spec/updateStrategy", "{}"},
      {"spec/updateStrategy/type", "\"RollingUpdate\""},
      {"spec/revisionHistoryLimit", "10"},
      {"status/currentNumberScheduled", "0"},
      {"status/numberMisscheduled", "0"},
      {"status/desiredNumberScheduled", "0"},
      {"status/numberReady", "0"}}},
    {"batch",
     "Job",
     "spec/template/spec",
     {{"spec/completionMode", "\"NonIndexed\""},
      {"spec/suspend", "false"},
      {"spec/manualSelector", "false"},
      {"spec/podFailurePolicy/rules[]/onPodConditions[]/status", "\"True\""}}},
    {"batch",
     "CronJob",
     "spec/jobTemplate/spec/template/spec",
     {{"spec/concurrencyPolicy", "\"Allow\""},
      {"spec/suspend", "false"},
      {"spec/jobTemplate/metadata", "{}"},
      {"spec/jobTemplate/spec/podFailurePolicy/rules[]/onPodConditions[]/status", "\"True\""},
      {"spec/successfulJobsHistoryLimit", "3"},
      {"spec/failedJobsHistoryLimit", "1"}}},
    {"",
     "Service",
     "",
     {{"spec/type", "\"ClusterIP\""},
      {"spec/sessionAffinity", "\"None\""},
      {"spec/ports[]/protocol", "\"TCP\""},
      {"status/loadBalancer", "{}"}}},
    {"", "Secret", "", {{"type", "\"Opaque\""}}},
    {"",
     "Namespace",
     "",
     {{"spec/finalizers", "[\"kubernetes\"]"}, {"status/phase", "\"Active\""}}},
    {"",
     "PersistentVolumeClaim",
     "",
     {{"spec/volumeMode", "\"Filesystem\""}, {"status/phase", "\"Pending\""}}},
    {"",
     "PersistentVolume",
     "",
     {{"spec/volumeMode", "\"Filesystem\""},
      {"spec/persistentVolumeReclaimPolicy", "\"Retain\""},
      {"spec/hostPath/type", "\"\""},
      {"status/phase", "\"Pending\""}}},
    {"networking.k8s.io",
     "NetworkPolicy",
     "",
     {{"spec/podSelector", "{}"},
      {"spec/ingress[]/ports[]/protocol", "\"TCP\""},
      {"spec/egress[]/ports[]/protocol", "\"TCP\""}}},
    {"networking.k8s.io", "Ingress", "", {{"status/loadBalancer", "{}"}}},
    {"rbac.authorization.k8s.io", "Role", "", {}},
    {"rbac.authorization.k8s.io", "ClusterRole", "", {}},
    {"rbac.authorization.k8s.io",
     "RoleBinding",
     "",
     {{"roleRef/apiGroup", "\"rbac.authorization.k8s.io\""}}},
    {"rbac.authorization.k8s.io",
     "ClusterRoleBinding",
     "",
     {{"roleRef/apiGroup", "\"rbac.authorization.k8s.io\""}}},
    {"storage.k8s.io",
     "StorageClass",
     "",
     {{"reclaimPolicy", "\"Delete\""}, {"volumeBindingMode", "\"Immediate\""}}},
    {"apiextensions.k8s.io",
     "CustomResourceDefinition",
     "",
     {{"spec/conversion", "{\"strategy\":\"None\"}"}}},
    {"autoscaling",
     "HorizontalPodAutoscaler",
     "",
     {{"spec/minReplicas", "1"}, {"status/desiredReplicas", "0"}}},
    {"policy",
     "PodDisruptionBudget",
     "",
     {{"status/disruptionsAllowed", "0"},
      {"status/currentHealthy", "0"},
      {"status/desiredHealthy", "0"},
      {"status/expectedPods", "0"}}},
    {"scheduling.k8s.io", "PriorityClass", "", {{"preemptionPolicy", "\"PreemptLowerPriority\""}}},
    {"", "ResourceQuota", "", {{"status", "{}"}}},
};

static void set_json(struct doc_set *set, struct doc_node *map, str key, const char *json)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse_json(set, str_of(json), "default", &e);

    assert(n);
    doc_set_field(set, map, key, n);
}

static void fill(struct doc_set *set, struct doc_node *n, str path, const char *json)
{
    str rest, step = str_cut(path, '/', &rest);
    bool each = str_ends(step, STR("[]"));
    struct doc_node *below;

    if (!doc_is_map(n))
        return;
    if (!rest.p) {
        if (doc_is_null(doc_get(n, step)))
            set_json(set, n, step, json);
        return;
    }
    below = doc_get(n, each ? str_sub(step, 0, step.len - 2) : step);
    if (each) {
        struct doc_iter it = doc_children(below);

        while (doc_next(&it))
            fill(set, it.value, rest, json);
    } else {
        fill(set, below, rest, json);
    }
}

/* "latest" and untagged images are pulled always. */
static void pull_policies(struct doc_set *set, const struct doc_node *containers)
{
    struct doc_iter it = doc_children(containers);

    while (doc_next(&it)) {
        str image = doc_text(doc_get_lit(it.value, "image"), STR_NONE);
        ssize_t slash = str_rfind_char(image, '/');
        str last = slash < 0 ? image : str_from(image, (size_t)slash + 1);
        bool always = str_ends(last, STR(":latest")) ||
                      (str_find_char(last, ':') < 0 && str_find_char(last, '@') < 0);

        if (doc_is_map(it.value) && image.len && !doc_get_lit(it.value, "imagePullPolicy"))
            doc_set_string(set, it.value, STR("imagePullPolicy"),
                           always ? STR("Always") : STR("IfNotPresent"));
    }
}

static void fill_all(struct doc_set *set, struct doc_node *n, const struct rule *rules,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        fill(set, n, str_of(rules[i].path), rules[i].json);
}

/* What is limited and not requested is requested as it is limited. */
static void request_limits(struct doc_set *set, struct doc_node *resources)
{
    struct doc_iter it = doc_children(doc_get_lit(resources, "limits"));

    while (doc_next(&it)) {
        struct doc_node *requests = doc_ensure_map(set, resources, STR("requests"));

        if (requests && !doc_get(requests, it.key))
            doc_set_field(set, requests, it.key, doc_copy(set, it.value));
    }
}

static void default_requests(struct doc_set *set, const struct doc_node *spec)
{
    static const char lists[][15] = {"containers", "initContainers"};

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct doc_iter it = doc_children(doc_get(spec, str_of(lists[i])));

        while (doc_next(&it))
            request_limits(set, doc_get_lit(it.value, "resources"));
    }
}

static void default_containers(struct doc_set *set, struct doc_node *spec, const char *field)
{
    static const char probes[][15] = {"livenessProbe", "readinessProbe", "startupProbe"};
    struct doc_node *containers = doc_get(spec, str_of(field));
    struct doc_iter it = doc_children(containers);

    while (doc_next(&it)) {
        fill_all(set, it.value, container_rules, ARRAY_LEN(container_rules));
        for (size_t i = 0; i < ARRAY_LEN(probes); i++)
            fill_all(set, doc_get(it.value, str_of(probes[i])), probe_rules,
                     ARRAY_LEN(probe_rules));
    }
    pull_policies(set, containers);
}

/* A volume of no kind is an empty directory. */
static void default_volumes(struct doc_set *set, struct doc_node *volumes)
{
    struct doc_iter it = doc_children(volumes);

    while (doc_next(&it))
        if (doc_is_map(it.value) && doc_len(it.value) == 1 && doc_get_lit(it.value, "name"))
            doc_ensure_map(set, it.value, STR("emptyDir"));
}

static void default_pod(struct doc_set *set, struct doc_node *spec)
{
    if (!doc_is_map(spec))
        return;
    default_volumes(set, doc_get_lit(spec, "volumes"));
    fill_all(set, spec, pod_rules, ARRAY_LEN(pod_rules));
    default_containers(set, spec, "containers");
    default_containers(set, spec, "initContainers");
    if (doc_get_lit(spec, "serviceAccountName"))
        doc_set_string(set, spec, STR("serviceAccount"),
                       doc_text(doc_get_lit(spec, "serviceAccountName"), STR_NONE));
    else if (doc_get_lit(spec, "serviceAccount"))
        doc_set_string(set, spec, STR("serviceAccountName"),
                       doc_text(doc_get_lit(spec, "serviceAccount"), STR_NONE));
}

/* ---- kinds with more to say */

/* What a rolling update has by default, where the strategy is one. */
static void default_rolling(struct doc_set *set, struct doc_node *strategy,
                            const struct rule *rules, size_t count)
{
    if (str_eq(doc_text(doc_get_lit(strategy, "type"), STR_NONE), STR("RollingUpdate")))
        fill_all(set, doc_ensure_map(set, strategy, STR("rollingUpdate")), rules, count);
}

static void default_daemon(struct doc_set *set, struct doc_node *object)
{
    static const struct rule rules[] = {{"maxUnavailable", "1"}, {"maxSurge", "0"}};

    default_rolling(set, doc_at(object, "spec/updateStrategy"), rules, ARRAY_LEN(rules));
}

static void default_stateful(struct doc_set *set, struct doc_node *object)
{
    struct doc_node *strategy = doc_at(object, "spec/updateStrategy");
    struct doc_iter it = doc_children(doc_at(object, "spec/volumeClaimTemplates"));

    if (!doc_get_lit(strategy, "type")) /* who names the type gets no more than that */
        doc_ensure_map(set, strategy, STR("rollingUpdate"));
    fill(set, strategy, STR("type"), "\"RollingUpdate\"");
    fill(set, strategy, STR("rollingUpdate/partition"), "0");
    while (doc_next(&it)) {
        if (!doc_is_map(it.value))
            continue;
        doc_set_string(set, it.value, STR("apiVersion"), STR("v1"));
        doc_set_string(set, it.value, STR("kind"), STR("PersistentVolumeClaim"));
        fill(set, doc_ensure_map(set, it.value, STR("status")), STR("phase"), "\"Pending\"");
    }
}

/* One who counts neither Pods nor completions wants one of each; without labels a Job has those of
 * its template. */
static void default_job(struct doc_set *set, struct doc_node *object, const struct doc_node *old)
{
    struct doc_node *spec = doc_get_lit(object, "spec");
    const struct doc_node *labels = doc_at(spec, "template/metadata/labels");

    if (!doc_is_map(spec))
        return;
    if (!doc_get_lit(spec, "completions") && !doc_get_lit(spec, "parallelism"))
        doc_set_int(set, spec, STR("completions"), 1);
    fill(set, spec, STR("parallelism"), "1");
    fill(set, spec, STR("backoffLimit"),
         doc_get_lit(spec, "backoffLimitPerIndex") ? "2147483647" : "6");
    fill(set, spec, STR("podReplacementPolicy"),
         doc_get_lit(spec, "podFailurePolicy") ? "\"Failed\"" : "\"TerminatingOrFailed\"");
    if (!old && doc_len(labels) && doc_len(doc_at(object, "metadata/labels")) == 0)
        doc_set_field(set, sb_meta(set, object), STR("labels"), doc_copy(set, labels));
}

static void default_secret(struct doc_set *set, struct doc_node *object)
{
    struct doc_node *plain = doc_get_lit(object, "stringData");
    struct doc_iter it = doc_children(plain);

    while (doc_next(&it)) {
        AUTO(buf_done) struct buf text = {0};

        escape_base64(doc_text(it.value, STR_NONE), true, &text);
        doc_set_string(set, doc_ensure_map(set, object, STR("data")), it.key, buf_view(&text));
    }
    doc_remove(object, STR("stringData"));
}

/* Rules are written even when there are none. */
static void default_role(struct doc_set *set, struct doc_node *object)
{
    if (doc_len(doc_get_lit(object, "rules")) == 0)
        doc_set_field(set, object, STR("rules"), doc_new_null(set));
}

static void default_policy(struct doc_set *set, struct doc_node *object)
{
    struct doc_node *spec = doc_get_lit(object, "spec"), *types;

    if (doc_len(doc_get_lit(spec, "policyTypes")))
        return;
    types = doc_ensure_list(set, spec, STR("policyTypes"));
    doc_append(types, doc_new_string(set, STR("Ingress")));
    if (doc_len(doc_get_lit(spec, "egress")))
        doc_append(types, doc_new_string(set, STR("Egress")));
}

static void default_scaler(const struct sb_kind *kind, struct doc_set *set, struct doc_node *object)
{
    static const struct rule v1[] = {{"spec/targetCPUUtilizationPercentage", "80"},
                                     {"status/currentReplicas", "0"}};
    static const struct rule v2[] = {
        {"spec/metrics", "[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"target\":"
                         "{\"type\":\"Utilization\",\"averageUtilization\":80}}}]"},
        {"spec/behavior/scaleUp", "{}"},
        {"spec/behavior/scaleUp/stabilizationWindowSeconds", "0"},
        {"spec/behavior/scaleUp/selectPolicy", "\"Max\""},
        {"spec/behavior/scaleUp/policies",
         "[{\"type\":\"Pods\",\"value\":4,\"periodSeconds\":15},"
         "{\"type\":\"Percent\",\"value\":100,\"periodSeconds\":15}]"},
        {"spec/behavior/scaleDown", "{}"},
        {"spec/behavior/scaleDown/selectPolicy", "\"Max\""},
        {"spec/behavior/scaleDown/policies",
         "[{\"type\":\"Percent\",\"value\":100,\"periodSeconds\":15}]"},
        {"status/currentMetrics", "null"},
    };

    if (str_eq(kind->version, STR("v1")))
        fill_all(set, object, v1, ARRAY_LEN(v1));
    else
        fill_all(set, object, v2, ARRAY_LEN(v2));
}

/* Groups and users are of a group of their own. */
static void default_binding(struct doc_set *set, struct doc_node *object)
{
    struct doc_iter it = doc_children(doc_get_lit(object, "subjects"));

    while (doc_next(&it)) {
        str kind = doc_text(doc_get_lit(it.value, "kind"), STR_NONE);

        if (str_eq(kind, STR("User")) || str_eq(kind, STR("Group")))
            fill(set, it.value, STR("apiGroup"), "\"rbac.authorization.k8s.io\"");
    }
}

static void default_special(const struct sb_kind *kind, struct doc_set *set,
                            struct doc_node *object, const struct doc_node *old)
{
    static const struct rule rolling[] = {{"maxUnavailable", "\"25%\""}, {"maxSurge", "\"25%\""}};
    str name = kind->kind;

    if (str_eq(name, STR("Pod")) && !old)
        default_requests(set, doc_get_lit(object, "spec"));
    else if (str_eq(name, STR("Deployment")))
        default_rolling(set, doc_at(object, "spec/strategy"), rolling, ARRAY_LEN(rolling));
    else if (str_eq(name, STR("StatefulSet")))
        default_stateful(set, object);
    else if (str_eq(name, STR("DaemonSet")))
        default_daemon(set, object);
    else if (str_eq(name, STR("Job")))
        default_job(set, object, old);
    else if (str_eq(name, STR("Role")) || str_eq(name, STR("ClusterRole")))
        default_role(set, object);
    else if (str_eq(name, STR("RoleBinding")) || str_eq(name, STR("ClusterRoleBinding")))
        default_binding(set, object);
    else if (str_eq(name, STR("NetworkPolicy")))
        default_policy(set, object);
    else if (str_eq(name, STR("HorizontalPodAutoscaler")))
        default_scaler(kind, set, object);
    else if (str_eq(name, STR("Service")))
        sb_service_default(set, object);
    else if (str_eq(name, STR("Secret")))
        default_secret(set, object);
    else if (str_eq(name, STR("Namespace")))
        doc_set_string(set, doc_ensure_map(set, sb_meta(set, object), STR("labels")),
                       STR("kubernetes.io/metadata.name"),
                       doc_text(doc_at(object, "metadata/name"), STR_NONE));
}

/* A template has metadata, if empty ones. path: of its PodSpec. */
static void default_template(struct doc_set *set, struct doc_node *object, const char *path)
{
    str around = str_of(path);

    if (str_ends(around, STR("/spec"))) {
        char metadata[64];

        around = str_sub(around, 0, around.len - strlen("/spec"));
        snprintf(metadata, sizeof(metadata), "%.*s/metadata", STR_ARG(around));
        fill(set, object, str_of(metadata), "{}");
    }
    default_pod(set, doc_at(object, path));
}

void sb_default(const struct sb_kind *kind, struct doc_set *set, struct doc_node *object,
                const struct doc_node *old)
{
    for (size_t i = 0; !kind->is_custom && i < ARRAY_LEN(kinds); i++) {
        const struct kind_rules *k = &kinds[i];

        if (!str_eq(kind->group, str_of(k->group)) || !str_eq(kind->kind, str_of(k->kind)))
            continue;
        if (str_starts(str_of(k->rules[0].path), STR("spec")) ||
            str_eq(kind->kind, STR("Namespace")))
            doc_ensure_map(set, object, STR("spec"));
        if (kind->has_status)
            doc_ensure_map(set, object, STR("status"));
        for (size_t r = 0; r < ARRAY_LEN(k->rules) && *k->rules[r].path; r++)
            fill(set, object, str_of(k->rules[r].path), k->rules[r].json);
        if (*k->pod)
            default_template(set, object, k->pod);
        default_special(kind, set, object, old);
        return;
    }
}
