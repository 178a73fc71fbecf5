/* What the API server does to an object once it is known who set what: what admission adds, and
 * what strategies fill in. Nobody owns these fields. */
#include "sandbox/types/service.h"
#include "sandbox/write.h"

/* ---- Pods */

static bool tolerates(const struct doc_node *list, const char *taint)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        str key = doc_text(doc_get_lit(it.value, "key"), STR_NONE);
        str effect = doc_text(doc_get_lit(it.value, "effect"), STR("NoExecute"));

        if ((!key.len || str_eq(key, str_of(taint))) && str_eq(effect, STR("NoExecute")))
            return true;
    }
    return false;
}

/* The class of service that a Pod's requests and limits put it in. */
static str quality_of(const struct doc_node *spec)
{
    static const char lists[][15] = {"containers", "initContainers"};
    static const char names[][7] = {"cpu", "memory"};
    bool is_any = false, is_all = true;

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct doc_iter it = doc_children(doc_get(spec, str_of(lists[i])));

        while (doc_next(&it))
            for (size_t n = 0; n < ARRAY_LEN(names); n++) {
                const struct doc_node *resources = doc_get_lit(it.value, "resources");
                const struct doc_node *limit =
                    doc_get(doc_get_lit(resources, "limits"), str_of(names[n]));
                const struct doc_node *request =
                    doc_get(doc_get_lit(resources, "requests"), str_of(names[n]));

                is_any |= limit || request;
                is_all &= limit && doc_equal(limit, request);
            }
    }
    return is_all ? STR("Guaranteed") : is_any ? STR("Burstable") : STR("BestEffort");
}

/* What admission gives every Pod, whatever its template says. */
static void admit_pod(struct doc_set *set, struct doc_node *object)
{
    static const char taints[][31] = {"node.kubernetes.io/not-ready",
                                      "node.kubernetes.io/unreachable"};
    struct doc_node *spec = doc_get_lit(object, "spec"), *list;

    if (!doc_is_map(spec))
        return;
    if (!doc_get_lit(spec, "serviceAccountName")) {
        doc_set_string(set, spec, STR("serviceAccountName"), STR("default"));
        doc_set_string(set, spec, STR("serviceAccount"), STR("default"));
    }
    if (!doc_get_lit(spec, "priority"))
        doc_set_int(set, spec, STR("priority"), 0);
    if (!doc_get_lit(spec, "preemptionPolicy"))
        doc_set_string(set, spec, STR("preemptionPolicy"), STR("PreemptLowerPriority"));
    list = doc_ensure_list(set, spec, STR("tolerations"));
    for (size_t i = 0; list && i < ARRAY_LEN(taints); i++) {
        struct doc_node *toleration;

        if (tolerates(list, taints[i]))
            continue;
        toleration = doc_append(list, doc_new_map(set));
        doc_set_string(set, toleration, STR("key"), str_of(taints[i]));
        doc_set_string(set, toleration, STR("operator"), STR("Exists"));
        doc_set_string(set, toleration, STR("effect"), STR("NoExecute"));
        doc_set_int(set, toleration, STR("tolerationSeconds"), 300);
    }
    doc_set_string(set, doc_ensure_map(set, object, STR("status")), STR("qosClass"),
                   quality_of(spec));
}

/* ---- Jobs and DaemonSets */

static void prepare_job(struct doc_set *set, struct doc_node *object)
{
    static const char uid_labels[][35] = {"batch.kubernetes.io/controller-uid", "controller-uid"};
    static const char name_labels[][29] = {"batch.kubernetes.io/job-name", "job-name"};
    struct doc_node *spec = doc_get_lit(object, "spec"), *labels, *template;
    str uid = doc_text(doc_at(object, "metadata/uid"), STR_NONE);
    str name = doc_text(doc_at(object, "metadata/name"), STR_NONE);
    bool is_shared;

    template = doc_get_lit(spec, "template");
    if (!doc_is_map(template))
        return;
    is_shared = doc_equal(doc_at(object, "metadata/labels"), doc_at(template, "metadata/labels"));
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
    if (is_shared) /* they were those of the template, and stay so */
        doc_set_field(set, sb_meta(set, object), STR("labels"), doc_copy(set, labels));
}

/* The number of a template, kept for clients of old. */
static void prepare_daemon(struct doc_set *set, struct doc_node *object, const struct doc_node *old)
{
    str key = STR("deprecated.daemonset.template.generation");
    int64_t number = 1;
    char text[24];

    if (old) {
        const struct doc_node *before = doc_get(doc_at(old, "metadata/annotations"), key);

        if (!str_to_int64(doc_text(before, STR_NONE), &number))
            number = 1;
        number +=
            !doc_equal(doc_at(old, "spec/template"), doc_at(object, "spec/template")) ||
            !doc_equal(doc_at(old, "spec/updateStrategy"), doc_at(object, "spec/updateStrategy"));
    }
    snprintf(text, sizeof(text), "%lld", (long long)number);
    doc_set_string(set, doc_ensure_map(set, sb_meta(set, object), STR("annotations")), key,
                   str_of(text));
}

/* ---- volumes */

static void protect(struct doc_set *set, struct doc_node *object, const char *finalizer)
{
    struct doc_node *list = doc_ensure_list(set, sb_meta(set, object), STR("finalizers"));
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (str_eq(doc_text(it.value, STR_NONE), str_of(finalizer)))
            return;
    doc_append(list, doc_new_string(set, str_of(finalizer)));
}

static void prepare_volume(struct sandbox *sb, struct doc_set *set, struct doc_node *object)
{
    AUTO(buf_done) struct buf now = {0};

    protect(set, object, "kubernetes.io/pv-protection");
    sb_now(sb, &now);
    doc_set_string(set, doc_ensure_map(set, object, STR("status")), STR("lastPhaseTransitionTime"),
                   buf_view(&now));
}

void sb_prepare(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                struct doc_node *object, const struct doc_node *old)
{
    str name = kind->kind;

    if (kind->is_custom)
        return;
    if (str_eq(name, STR("Service")))
        sb_service_prepare(sb, set, object, old);
    else if (str_eq(name, STR("DaemonSet")))
        prepare_daemon(set, object, old);
    else if (old)
        return;
    else if (str_eq(name, STR("Pod")))
        admit_pod(set, object);
    else if (str_eq(name, STR("Job")))
        prepare_job(set, object);
    else if (str_eq(name, STR("PersistentVolume")))
        prepare_volume(sb, set, object);
    else if (str_eq(name, STR("PersistentVolumeClaim")))
        protect(set, object, "kubernetes.io/pvc-protection");
}
