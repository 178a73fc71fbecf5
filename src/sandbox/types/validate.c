/* Checks of built-in kinds that people run into, worded as the API server words them. */
#include "res/name.h"
#include "sandbox/types/crd.h"
#include "sandbox/types/secret.h"
#include "sandbox/types/service.h"

bool sb_is_dns_label(str s) { return s.len <= 63 && res_is_label(s); }
bool sb_is_dns_subdomain(str s) { return s.len <= 253 && res_is_subdomain(s); }

static void check_name(const struct sb_kind *kind, str name, struct sb_causes *c)
{
    static const char subdomain[] =
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
        "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex "
        "used "
        "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    static const char label[] =
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
        "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
        "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    bool wants_label = str_eq(kind->kind, STR("Namespace")) || str_eq(kind->kind, STR("Service"));

    if (str_eq(kind->group, STR("rbac.authorization.k8s.io"))) { /* any path segment will do */
        if (!name.len || name.len > 253 || str_find_char(name, '/') >= 0 ||
            str_find_char(name, '%') >= 0)
            sb_cause(c, "FieldValueInvalid", STR("metadata.name"),
                     "Invalid value: \"%.*s\": may not contain '/' or '%%'", STR_ARG(name));
        return;
    }
    if (wants_label ? sb_is_dns_label(name) : sb_is_dns_subdomain(name))
        return;
    sb_cause(c, "FieldValueInvalid", STR("metadata.name"), "Invalid value: \"%.*s\": %s",
             STR_ARG(name), wants_label ? label : subdomain);
}

static void check_labels(const struct doc_node *labels, str field, struct sb_causes *c)
{
    struct doc_iter it = doc_children(labels);

    while (doc_next(&it))
        if (!doc_is_string(it.value) || doc_text(it.value, STR_NONE).len > 63)
            sb_cause(c, "FieldValueInvalid", field,
                     "Invalid value: \"%.*s\": must be a string of no "
                     "more than 63 characters",
                     STR_ARG(doc_text(it.value, STR("<object>"))));
}

static void required(const char *field, const char *more, struct sb_causes *c)
{
    sb_cause(c, "FieldValueRequired", str_of(field), "Required value%s%s", *more ? ": " : "", more);
}

/* ---- Pods and their templates */

static void check_containers(const struct doc_node *spec, const char *prefix, struct sb_causes *c)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "containers"));
    AUTO(buf_done) struct buf field = {0};
    size_t i = 0;

    buf_addf(&field, "%s.containers", prefix);
    if (it.left == 0)
        required(buf_cstr(&field), "", c);
    for (; doc_next(&it); i++) {
        str name = doc_text(doc_get_lit(it.value, "name"), STR_NONE);

        buf_clear(&field);
        buf_addf(&field, "%s.containers[%zu].name", prefix, i);
        if (!name.len)
            required(buf_cstr(&field), "", c);
        else if (!sb_is_dns_label(name))
            sb_cause(c, "FieldValueInvalid", buf_view(&field), "Invalid value: \"%.*s\"",
                     STR_ARG(name));
        buf_clear(&field);
        buf_addf(&field, "%s.containers[%zu].image", prefix, i);
        if (!doc_text(doc_get_lit(it.value, "image"), STR_NONE).len)
            required(buf_cstr(&field), "", c);
    }
}

static void check_restart(const struct doc_node *spec, const char *field, bool is_job,
                          struct sb_causes *c)
{
    str policy = doc_text(doc_get_lit(spec, "restartPolicy"), STR("Always"));
    bool is_always = str_eq(policy, STR("Always"));

    if (is_job && is_always)
        sb_cause(c, "FieldValueRequired", str_of(field),
                 "Required value: valid values: \"OnFailure\", \"Never\"");
    else if (!is_job && !is_always)
        sb_cause(c, "FieldValueNotSupported", str_of(field),
                 "Unsupported value: \"%.*s\": supported values: \"Always\"", STR_ARG(policy));
}

enum { NAME = 40 }; /* room for a field's name and its NUL */

/* Equal in all fields but some. */
static bool equal_but(const struct doc_node *a, const struct doc_node *b, const char (*but)[NAME],
                      size_t count)
{
    struct doc_iter it = doc_children(a);
    size_t common = 0, others = doc_len(b);

    for (size_t i = 0; i < count; i++)
        others -= doc_get(b, str_of(but[i])) != NULL;
    while (doc_next(&it)) {
        bool counts = true;

        for (size_t i = 0; i < count; i++)
            counts &= !str_eq(it.key, str_of(but[i]));
        if (counts && !doc_equal(it.value, doc_get(b, it.key)))
            return false;
        common += counts;
    }
    return common == others;
}

static bool same_containers(const struct doc_node *a, const struct doc_node *b)
{
    static const char free[][NAME] = {"image"};
    struct doc_iter x = doc_children(a), y = doc_children(b);

    while (doc_next(&x) && doc_next(&y))
        if (!equal_but(x.value, y.value, free, ARRAY_LEN(free)))
            return false;
    return true;
}

/* Of a Pod that is there only images and little more may change. */
static void check_pod_change(const struct doc_node *spec, const struct doc_node *before,
                             struct sb_causes *c)
{
    static const char lists[][15] = {"containers", "initContainers"};
    static const char free[][NAME] = {"containers",
                                      "initContainers",
                                      "activeDeadlineSeconds",
                                      "tolerations",
                                      "terminationGracePeriodSeconds",
                                      "nodeName",
                                      "schedulingGates"};
    bool is_same = equal_but(spec, before, free, ARRAY_LEN(free));

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        const struct doc_node *a = doc_get(spec, str_of(lists[i]));
        const struct doc_node *b = doc_get(before, str_of(lists[i]));
        char field[40];

        is_same &= same_containers(a, b);
        snprintf(field, sizeof(field), "spec.%s", lists[i]);
        if (doc_len(a) == doc_len(b))
            continue;
        sb_cause(c, "FieldValueForbidden", str_of(field),
                 "Forbidden: pod updates may not add or remove containers");
        return;
    }
    if (!is_same)
        sb_cause(c, "FieldValueForbidden", STR("spec"),
                 "Forbidden: pod updates may not change fields other than "
                 "`spec.containers[*].image`,`spec.initContainers[*].image`,"
                 "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing "
                 "tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it "
                 "was previously negative)");
}

static void check_pod(const struct doc_node *object, const struct doc_node *old,
                      struct sb_causes *c)
{
    const struct doc_node *spec = doc_get_lit(object, "spec");

    check_containers(spec, "spec", c);
    if (old && !c->len)
        check_pod_change(spec, doc_get_lit(old, "spec"), c);
}

static void check_workload(const struct doc_node *object, const struct doc_node *old,
                           struct sb_causes *c)
{
    const struct doc_node *spec = doc_get_lit(object, "spec");
    const struct doc_node *selector = doc_get_lit(spec, "selector");
    const struct doc_node *labels = doc_at(spec, "template/metadata/labels");

    if (doc_int(doc_get_lit(spec, "replicas"), 0) < 0)
        sb_cause(c, "FieldValueInvalid", STR("spec.replicas"),
                 "Invalid value: %lld: must be greater than or equal to 0",
                 (long long)doc_int(doc_get_lit(spec, "replicas"), 0));
    if (!selector)
        required("spec.selector", "", c);
    else if (!sb_labels_match(selector, labels))
        sb_cause(c, "FieldValueInvalid", STR("spec.template.metadata.labels"),
                 "Invalid value: `selector` does not match template `labels`");
    if (old && !doc_equal(doc_at(old, "spec/selector"), selector))
        sb_cause(c, "FieldValueInvalid", STR("spec.selector"), "Invalid value: field is immutable");
    check_containers(doc_at(spec, "template/spec"), "spec.template.spec", c);
    check_restart(doc_at(spec, "template/spec"), "spec.template.spec.restartPolicy", false, c);
}

static void check_stateful(const struct doc_node *object, const struct doc_node *old,
                           struct sb_causes *c)
{
    static const char free[][NAME] = {"replicas",
                                      "ordinals",
                                      "template",
                                      "updateStrategy",
                                      "revisionHistoryLimit",
                                      "persistentVolumeClaimRetentionPolicy",
                                      "minReadySeconds"};

    if (!old ||
        equal_but(doc_get_lit(object, "spec"), doc_get_lit(old, "spec"), free, ARRAY_LEN(free))) {
        check_workload(object, old, c);
        return;
    }
    sb_cause(c, "FieldValueForbidden", STR("spec"),
             "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', "
             "'template', 'updateStrategy', 'revisionHistoryLimit', "
             "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
}

static void check_job(const struct doc_node *object, const struct doc_node *old,
                      struct sb_causes *c)
{
    static const char fixed[][NAME] = {"completions", "selector", "template", "completionMode"};
    const struct doc_node *spec = doc_get_lit(object, "spec");

    check_containers(doc_at(spec, "template/spec"), "spec.template.spec", c);
    check_restart(doc_at(spec, "template/spec"), "spec.template.spec.restartPolicy", true, c);
    for (size_t i = 0; old && i < ARRAY_LEN(fixed); i++) {
        AUTO(buf_done) struct buf field = {0};

        buf_addf(&field, "spec.%s", fixed[i]);
        if (!doc_equal(doc_get(doc_get_lit(old, "spec"), str_of(fixed[i])),
                       doc_get(spec, str_of(fixed[i]))))
            sb_cause(c, "FieldValueInvalid", buf_view(&field), "Invalid value: field is immutable");
    }
}

/* ---- others */

/* Several ports need names, and each its own. */
static void check_ports(const struct doc_node *ports, struct sb_causes *c)
{
    struct doc_iter it = doc_children(ports);

    for (size_t i = 0; doc_next(&it); i++) {
        str name = doc_text(doc_get_lit(it.value, "name"), STR_NONE);
        AUTO(buf_done) struct buf field = {0};
        const struct doc_node *before = doc_first(ports);

        buf_addf(&field, "spec.ports[%zu].name", i);
        if (!name.len && doc_len(ports) > 1)
            required(buf_cstr(&field), "", c);
        while (before != it.value && !str_eq(doc_text(doc_get_lit(before, "name"), STR_NONE), name))
            before = before->next;
        if (name.len && before != it.value)
            sb_cause(c, "FieldValueDuplicate", buf_view(&field), "Duplicate value: \"%.*s\"",
                     STR_ARG(name));
    }
}

static void check_service(const struct doc_node *object, const struct doc_node *old,
                          struct sb_causes *c)
{
    const struct doc_node *spec = doc_get_lit(object, "spec");
    str ip = doc_text(doc_get_lit(spec, "clusterIP"), STR_NONE);
    str before = doc_text(doc_at(old, "spec/clusterIP"), ip);

    if (!doc_len(doc_get_lit(spec, "ports")) && !str_eq(ip, STR("None")) &&
        !str_eq(doc_text(doc_get_lit(spec, "type"), STR_NONE), STR("ExternalName")))
        required("spec.ports", "", c);
    check_ports(doc_get_lit(spec, "ports"), c);
    if (ip.len && !str_eq(ip, before) && sb_service_is_inside(spec))
        sb_cause(c, "FieldValueInvalid", STR("spec.clusterIPs[0]"),
                 "Invalid value: [\"%.*s\"]: may not change once set", STR_ARG(ip));
}

/* What may not change once `immutable` is set, itself included. */
static void check_immutable(const struct doc_node *object, const struct doc_node *old,
                            struct sb_causes *c)
{
    static const char fields[][NAME] = {"data", "binaryData"};
    const char *why = "Forbidden: field is immutable when `immutable` is set";

    if (!old || !doc_equal(doc_get_lit(object, "data"), doc_get_lit(old, "data")))
        sb_data_keys_check(object, c);
    if (!doc_bool(doc_get_lit(old, "immutable"), false))
        return;
    if (!doc_bool(doc_get_lit(object, "immutable"), false))
        sb_cause(c, "FieldValueForbidden", STR("immutable"), "%s", why);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (!doc_equal(doc_get(object, str_of(fields[i])), doc_get(old, str_of(fields[i]))))
            sb_cause(c, "FieldValueForbidden", str_of(fields[i]), "%s", why);
}

static void check_secret(const struct doc_node *object, const struct doc_node *old,
                         struct sb_causes *c)
{
    str type = doc_text(doc_get_lit(object, "type"), STR_NONE);

    check_immutable(object, old, c);
    if (!c->len)
        sb_secret_check(object, c);
    if (old && !str_eq(type, doc_text(doc_get_lit(old, "type"), STR_NONE)))
        sb_cause(c, "FieldValueInvalid", STR("type"), "Invalid value: \"%.*s\": field is immutable",
                 STR_ARG(type));
}

static void check_claim(const struct doc_node *object, const struct doc_node *old,
                        struct sb_causes *c)
{
    static const char free[][NAME] = {"resources", "volumeAttributesClassName", "volumeName"};
    const struct doc_node *spec = doc_get_lit(object, "spec");

    if (!doc_len(doc_get_lit(spec, "accessModes")))
        required("spec.accessModes", "at least 1 access mode is required", c);
    if (!doc_at(spec, "resources/requests/storage"))
        required("spec.resources[storage]", "", c);
    if (old && !equal_but(spec, doc_get_lit(old, "spec"), free, ARRAY_LEN(free)))
        sb_cause(c, "FieldValueForbidden", STR("spec"),
                 "Forbidden: spec is immutable after creation except resources.requests and "
                 "volumeAttributesClassName for bound claims");
}

static void check_binding(const struct doc_node *object, const struct doc_node *old,
                          struct sb_causes *c)
{
    const struct doc_node *role = doc_get_lit(object, "roleRef");

    if (old && !doc_equal(role, doc_get_lit(old, "roleRef")))
        sb_cause(c, "FieldValueInvalid", STR("roleRef"),
                 "Invalid value: {\"APIGroup\":\"%.*s\",\"Kind\":\"%.*s\",\"Name\":\"%.*s\"}: "
                 "cannot change roleRef",
                 STR_ARG(doc_text(doc_get_lit(role, "apiGroup"), STR_NONE)),
                 STR_ARG(doc_text(doc_get_lit(role, "kind"), STR_NONE)),
                 STR_ARG(doc_text(doc_get_lit(role, "name"), STR_NONE)));
}

static void check_storage_class(const struct doc_node *object, const struct doc_node *old,
                                struct sb_causes *c)
{
    static const char fixed[][NAME] = {"parameters", "provisioner", "reclaimPolicy",
                                       "volumeBindingMode"};

    for (size_t i = 0; old && i < ARRAY_LEN(fixed); i++)
        if (!doc_equal(doc_get(object, str_of(fixed[i])), doc_get(old, str_of(fixed[i]))))
            sb_cause(c, "FieldValueForbidden", str_of(fixed[i]),
                     "Forbidden: updates to %s are forbidden.", fixed[i]);
}

static void check_definition(const struct doc_node *object, const struct doc_node *old UNUSED,
                             struct sb_causes *c)
{
    sb_crd_validate(object, c);
}

static const struct {
    const char *kind;
    void (*check)(const struct doc_node *object, const struct doc_node *old, struct sb_causes *c);
} checks[] = {
    {"Pod", check_pod},
    {"Deployment", check_workload},
    {"ReplicaSet", check_workload},
    {"StatefulSet", check_stateful},
    {"PersistentVolumeClaim", check_claim},
    {"RoleBinding", check_binding},
    {"ClusterRoleBinding", check_binding},
    {"StorageClass", check_storage_class},
    {"DaemonSet", check_workload},
    {"Job", check_job},
    {"Service", check_service},
    {"ConfigMap", check_immutable},
    {"Secret", check_secret},
    {"CustomResourceDefinition", check_definition},
};

void sb_validate(const struct sb_kind *kind, const struct doc_node *object,
                 const struct doc_node *old, struct sb_causes *c)
{
    const struct doc_node *meta = doc_get_lit(object, "metadata");

    if (!old)
        check_name(kind, doc_text(doc_get_lit(meta, "name"), STR_NONE), c);
    check_labels(doc_get_lit(meta, "labels"), STR("metadata.labels"), c);
    for (size_t i = 0; !kind->is_custom && i < ARRAY_LEN(checks); i++)
        if (str_eq(kind->kind, str_of(checks[i].kind)))
            checks[i].check(object, old, c);
}
