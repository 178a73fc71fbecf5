/* What the API server fills into built-in kinds. A path goes through maps by '/'; "[]" behind a
 * name means each item of that list. A value is set where its parent is there and it is not. */
#include "base/escape.h"
#include "sandbox/types/service.h"
#include "sandbox/write.h"

struct rule {
    char path[64], json[88];
};

/* Of a PodSpec. */
static const struct rule pod_rules[] = {
    {"restartPolicy", "\"Always\""},
    {"terminationGracePeriodSeconds", "30"},
    {"dnsPolicy", "\"ClusterFirst\""},
    {"securityContext", "{}"},
    {"schedulerName", "\"default-scheduler\""},
    {"containers[]/terminationMessagePath", "\"/dev/termination-log\""},
    {"containers[]/terminationMessagePolicy", "\"File\""},
    {"containers[]/resources", "{}"},
    {"containers[]/ports[]/protocol", "\"TCP\""},
    {"initContainers[]/terminationMessagePath", "\"/dev/termination-log\""},
    {"initContainers[]/terminationMessagePolicy", "\"File\""},
    {"initContainers[]/resources", "{}"},
    {"volumes[]/configMap/defaultMode", "420"},
    {"volumes[]/secret/defaultMode", "420"},
    {"volumes[]/projected/defaultMode", "420"},
    {"containers[]/livenessProbe/timeoutSeconds", "1"},
    {"containers[]/livenessProbe/periodSeconds", "10"},
    {"containers[]/livenessProbe/successThreshold", "1"},
    {"containers[]/livenessProbe/failureThreshold", "3"},
    {"containers[]/livenessProbe/httpGet/scheme", "\"HTTP\""},
    {"containers[]/readinessProbe/timeoutSeconds", "1"},
    {"containers[]/readinessProbe/periodSeconds", "10"},
    {"containers[]/readinessProbe/successThreshold", "1"},
    {"containers[]/readinessProbe/failureThreshold", "3"},
    {"containers[]/readinessProbe/httpGet/scheme", "\"HTTP\""},
    {"containers[]/env[]/valueFrom/fieldRef/apiVersion", "\"v1\""},
};

static const struct kind_rules {
    char group[32], kind[32];
    char pod[40]; /* where a PodSpec is, or "" */
    struct rule rules[8];
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
    {"apps", "ReplicaSet", "spec/template/spec", {{"spec/replicas", "1"}}},
    {"", "ReplicationController", "spec/template/spec", {{"spec/replicas", "1"}}},
    {"apps",
     "StatefulSet",
     "spec/template/spec",
     {{"spec/replicas", "1"},
      {"spec/podManagementPolicy", "\"OrderedReady\""},
      {"spec/updateStrategy", "{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"partition\":0}}"},
      {"spec/revisionHistoryLimit", "10"},
      {"spec/persistentVolumeClaimRetentionPolicy",
       "{\"whenDeleted\":\"Retain\",\"whenScaled\":\"Retain\"}"}}},
    {"apps",
     "DaemonSet",
     "spec/template/spec",
     {{"spec/updateStrategy",
       "{\"type\":\"RollingUpdate\",\"rollingUpdate\":{\"maxUnavailable\":1,\"maxSurge\":0}}"},
      {"spec/revisionHistoryLimit", "10"}}},
    {"batch",
     "Job",
     "spec/template/spec",
     {{"spec/parallelism", "1"},
      {"spec/backoffLimit", "6"},
      {"spec/completionMode", "\"NonIndexed\""},
      {"spec/suspend", "false"},
      {"spec/manualSelector", "false"},
      {"spec/podReplacementPolicy", "\"TerminatingOrFailed\""}}},
    {"batch",
     "CronJob",
     "spec/jobTemplate/spec/template/spec",
     {{"spec/concurrencyPolicy", "\"Allow\""},
      {"spec/suspend", "false"},
      {"spec/successfulJobsHistoryLimit", "3"},
      {"spec/failedJobsHistoryLimit", "1"}}},
    {"",
     "Service",
     "",
     {{"spec/type", "\"ClusterIP\""},
      {"spec/sessionAffinity", "\"None\""},
      {"spec/internalTrafficPolicy", "\"Cluster\""},
      {"spec/ipFamilies", "[\"IPv4\"]"},
      {"spec/ipFamilyPolicy", "\"SingleStack\""},
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
      {"status/phase", "\"Available\""}}},
    {"networking.k8s.io",
     "NetworkPolicy",
     "",
     {{"spec/policyTypes", "[\"Ingress\"]"}, {"spec/podSelector", "{}"}}},
    {"networking.k8s.io", "Ingress", "", {{"status/loadBalancer", "{}"}}},
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
    {"autoscaling", "HorizontalPodAutoscaler", "", {{"spec/minReplicas", "1"}}},
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

static void default_pod(struct doc_set *set, struct doc_node *spec)
{
    if (!doc_is_map(spec))
        return;
    for (size_t i = 0; i < ARRAY_LEN(pod_rules); i++)
        fill(set, spec, str_of(pod_rules[i].path), pod_rules[i].json);
    pull_policies(set, doc_get_lit(spec, "containers"));
    pull_policies(set, doc_get_lit(spec, "initContainers"));
    if (doc_get_lit(spec, "serviceAccountName") && !doc_get_lit(spec, "serviceAccount"))
        doc_set_string(set, spec, STR("serviceAccount"),
                       doc_text(doc_get_lit(spec, "serviceAccountName"), STR_NONE));
}

/* ---- kinds with more to say */

static void default_deployment(struct doc_set *set, struct doc_node *object)
{
    struct doc_node *strategy = doc_at(object, "spec/strategy"), *rolling;

    if (!str_eq(doc_text(doc_get_lit(strategy, "type"), STR_NONE), STR("RollingUpdate")))
        return;
    rolling = doc_ensure_map(set, strategy, STR("rollingUpdate"));
    fill(set, rolling, STR("maxUnavailable"), "\"25%\"");
    fill(set, rolling, STR("maxSurge"), "\"25%\"");
}

static void default_job(struct doc_set *set, struct doc_node *object)
{
    static const char *const uid_labels[] = {"batch.kubernetes.io/controller-uid",
                                             "controller-uid"};
    static const char *const name_labels[] = {"batch.kubernetes.io/job-name", "job-name"};
    struct doc_node *spec = doc_get_lit(object, "spec"), *labels, *template;
    str uid = doc_text(doc_at(object, "metadata/uid"), STR_NONE);
    str name = doc_text(doc_at(object, "metadata/name"), STR_NONE);

    template = doc_get_lit(spec, "template");
    if (!doc_is_map(template))
        return;
    if (!doc_get_lit(spec, "completions") && doc_int(doc_get_lit(spec, "parallelism"), 1) == 1)
        doc_set_int(set, spec, STR("completions"), 1);
    if (doc_bool(doc_get_lit(spec, "manualSelector"), false) || doc_get_lit(spec, "selector"))
        return;
    doc_set_string(
        set, doc_ensure_map(set, doc_ensure_map(set, spec, STR("selector")), STR("matchLabels")),
        str_of(uid_labels[0]), uid);
    labels = doc_ensure_map(set, sb_meta(set, template), STR("labels"));
    for (size_t i = 0; labels && i < 2; i++) {
        doc_set_string(set, labels, str_of(uid_labels[i]), uid);
        doc_set_string(set, labels, str_of(name_labels[i]), name);
    }
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

static void default_special(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                            struct doc_node *object, const struct doc_node *old)
{
    str name = kind->kind;

    if (str_eq(name, STR("Deployment")))
        default_deployment(set, object);
    else if (str_eq(name, STR("Job")) && !old)
        default_job(set, object);
    else if (str_eq(name, STR("Service")))
        sb_service_default(sb, set, object, old);
    else if (str_eq(name, STR("Secret")))
        default_secret(set, object);
    else if (str_eq(name, STR("Namespace")))
        doc_set_string(set, doc_ensure_map(set, sb_meta(set, object), STR("labels")),
                       STR("kubernetes.io/metadata.name"),
                       doc_text(doc_at(object, "metadata/name"), STR_NONE));
}

void sb_default(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                struct doc_node *object, const struct doc_node *old)
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
            default_pod(set, doc_at(object, k->pod));
        default_special(sb, kind, set, object, old);
        return;
    }
}
