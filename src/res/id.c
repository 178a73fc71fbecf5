#include "res/id.h"

static const str no_ns = STR_INIT("_non_namespaceable_");

void res_split_api_version(str api_version, str *ret_group, str *ret_version)
{
    ssize_t slash = str_find_char(api_version, '/');

    *ret_group = slash < 0 ? STR_NONE : str_sub(api_version, 0, (size_t)slash);
    *ret_version = str_from(api_version, (size_t)(slash + 1));
}

void res_api_version(const struct res_gvk *gvk, struct buf *out)
{
    if (gvk->group.len)
        buf_addf(out, "%.*s/", STR_ARG(gvk->group));
    buf_add_str(out, gvk->version);
}

struct res_id res_id_of(const struct doc_node *object)
{
    const struct doc_node *metadata = doc_get_lit(object, "metadata");
    struct res_id id = {.gvk.kind = doc_text(doc_get_lit(object, "kind"), STR_NONE),
                        .name = doc_text(doc_get_lit(metadata, "name"), STR_NONE),
                        .ns = doc_text(doc_get_lit(metadata, "namespace"), STR_NONE)};

    res_split_api_version(doc_text(doc_get_lit(object, "apiVersion"), STR_NONE), &id.gvk.group,
                          &id.gvk.version);
    return id;
}

int res_id_read(const struct doc_node *object, struct res_id *ret, struct err *e)
{
    *ret = res_id_of(object);
    if (!doc_get_lit(object, "apiVersion") && !doc_get_lit(object, "kind") &&
        !doc_get_lit(object, "metadata"))
        return err_set(e, ERR_INVALID, "missing Resource metadata");
    if (ret->gvk.kind.len == 0)
        return err_set(e, ERR_INVALID, "missing kind");
    if (ret->name.len == 0 && !str_ends(ret->gvk.kind, STR("List")))
        return err_set(e, ERR_INVALID, "missing metadata.name in object of kind %.*s",
                       STR_ARG(ret->gvk.kind));
    return 0;
}

bool res_gvk_eq(const struct res_gvk *a, const struct res_gvk *b)
{
    return str_eq(a->group, b->group) && str_eq(a->version, b->version) && str_eq(a->kind, b->kind);
}

static bool selected(str text, str filter) { return filter.len == 0 || str_eq(text, filter); }

bool res_gvk_selected(const struct res_gvk *gvk, const struct res_gvk *filter)
{
    return !filter || (selected(gvk->kind, filter->kind) && selected(gvk->group, filter->group) &&
                       selected(gvk->version, filter->version));
}

bool res_id_selected(const struct res_id *id, const struct res_id *filter)
{
    return !filter || (selected(id->ns, filter->ns) && selected(id->name, filter->name) &&
                       res_gvk_selected(&id->gvk, &filter->gvk));
}

bool res_is_cluster_scoped(const struct res_gvk *gvk)
{
    static const struct {
        uint8_t group_len, kind_len;
        char group[29], kind[33];
    } kinds[] = {
#define CLUSTER(group, kind) {sizeof(group) - 1, sizeof(kind) - 1, group, kind}
        CLUSTER("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
        CLUSTER("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
        CLUSTER("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
        CLUSTER("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
        CLUSTER("apiextensions.k8s.io", "CustomResourceDefinition"),
        CLUSTER("apiregistration.k8s.io", "APIService"),
        CLUSTER("certificates.k8s.io", "CertificateSigningRequest"),
        CLUSTER("flowcontrol.apiserver.k8s.io", "FlowSchema"),
        CLUSTER("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
        CLUSTER("networking.k8s.io", "IngressClass"),
        CLUSTER("node.k8s.io", "RuntimeClass"),
        CLUSTER("policy", "PodSecurityPolicy"),
        CLUSTER("rbac.authorization.k8s.io", "ClusterRole"),
        CLUSTER("rbac.authorization.k8s.io", "ClusterRoleBinding"),
        CLUSTER("scheduling.k8s.io", "PriorityClass"),
        CLUSTER("storage.k8s.io", "CSIDriver"),
        CLUSTER("storage.k8s.io", "CSINode"),
        CLUSTER("storage.k8s.io", "StorageClass"),
        CLUSTER("storage.k8s.io", "VolumeAttachment"),
        CLUSTER("", "ComponentStatus"),
        CLUSTER("", "Namespace"),
        CLUSTER("", "Node"),
        CLUSTER("", "PersistentVolume"),
#undef CLUSTER
    };

    for (size_t i = 0; i < ARRAY_LEN(kinds) && gvk->version.len; i++)
        if (str_eq(gvk->kind, (str){kinds[i].kind, kinds[i].kind_len}) &&
            str_eq(gvk->group, (str){kinds[i].group, kinds[i].group_len}))
            return true;
    return false;
}

str res_effective_ns(const struct res_id *id)
{
    if (res_is_cluster_scoped(&id->gvk))
        return no_ns;
    return id->ns.len ? id->ns : STR("default");
}

bool res_gvkn_eq(const struct res_id *a, const struct res_id *b)
{
    return str_eq(a->name, b->name) && res_gvk_eq(&a->gvk, &b->gvk);
}

bool res_ns_eq(const struct res_id *a, const struct res_id *b)
{
    return str_eq(res_effective_ns(a), res_effective_ns(b));
}

bool res_id_eq(const struct res_id *a, const struct res_id *b)
{
    return res_ns_eq(a, b) && res_gvkn_eq(a, b);
}

/* ---- text forms */

static void add_or(struct buf *out, str part, const char *placeholder)
{
    if (part.len)
        buf_add_str(out, part);
    else
        buf_add_cstr(out, placeholder);
}

void res_gvk_print(const struct res_gvk *gvk, struct buf *out)
{
    add_or(out, gvk->kind, "[noKind]");
    buf_add_char(out, '.');
    add_or(out, gvk->version, "[noVer]");
    buf_add_char(out, '.');
    add_or(out, gvk->group, "[noGrp]");
}

void res_gvk_print_short(const struct res_gvk *gvk, struct buf *out)
{
    const str parts[] = {gvk->group, gvk->version, gvk->kind};
    size_t begin = out->len;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len && out->len > begin)
            buf_add_char(out, '_');
        buf_add_str(out, parts[i]);
    }
}

void res_id_print(const struct res_id *id, struct buf *out)
{
    res_gvk_print(&id->gvk, out);
    buf_add_char(out, '/');
    add_or(out, id->name, "[noName]");
    buf_add_char(out, '.');
    add_or(out, id->ns, "[noNs]");
}

static str part_of(str text, const char *placeholder)
{
    return str_eq(text, str_of(placeholder)) ? STR_NONE : text;
}

struct res_gvk res_gvk_parse(str text)
{
    str rest, kind = str_cut(text, '.', &rest), group, version = str_cut(rest, '.', &group);

    return (struct res_gvk){part_of(group, "[noGrp]"), part_of(version, "[noVer]"),
                            part_of(kind, "[noKind]")};
}

struct res_id res_id_parse(str text)
{
    ssize_t slash = str_rfind_char(text, '/'), dot;
    struct res_id id = {.gvk = res_gvk_parse(slash < 0 ? text : str_sub(text, 0, (size_t)slash))};
    str rest = slash < 0 ? STR_NONE : str_from(text, (size_t)slash + 1);

    dot = str_rfind_char(rest, '.');
    id.name = part_of(dot < 0 ? rest : str_sub(rest, 0, (size_t)dot), "[noName]");
    id.ns = part_of(dot < 0 ? STR_NONE : str_from(rest, (size_t)dot + 1), "[noNs]");
    return id;
}

/* ---- order */

static const str order_first[] = {
    STR_INIT("Namespace"),
    STR_INIT("ResourceQuota"),
    STR_INIT("StorageClass"),
    STR_INIT("CustomResourceDefinition"),
    STR_INIT("ServiceAccount"),
    STR_INIT("PodSecurityPolicy"),
    STR_INIT("Role"),
    STR_INIT("ClusterRole"),
    STR_INIT("RoleBinding"),
    STR_INIT("ClusterRoleBinding"),
    STR_INIT("ConfigMap"),
    STR_INIT("Secret"),
    STR_INIT("Endpoints"),
    STR_INIT("Service"),
    STR_INIT("LimitRange"),
    STR_INIT("PriorityClass"),
    STR_INIT("PersistentVolume"),
    STR_INIT("PersistentVolumeClaim"),
    STR_INIT("Deployment"),
    STR_INIT("StatefulSet"),
    STR_INIT("CronJob"),
    STR_INIT("PodDisruptionBudget"),
};
static const str order_last[] = {STR_INIT("MutatingWebhookConfiguration"),
                                 STR_INIT("ValidatingWebhookConfiguration")};

const struct res_order res_legacy_order = {order_first, ARRAY_LEN(order_first), order_last,
                                           ARRAY_LEN(order_last)};

int res_order_rank(const struct res_order *order, str kind)
{
    for (size_t i = order->last_count; i-- > 0;) /* of a kind named twice the last place counts */
        if (str_eq(kind, order->last[i]))
            return (int)i + 1;
    for (size_t i = order->first_count; i-- > 0;)
        if (str_eq(kind, order->first[i]))
            return (int)i - (int)order->first_count;
    return 0;
}

void res_order_key(const struct res_order *order, const struct res_gvk *gvk, struct buf *out)
{
    /* A Namespace of the core group stands before one of another group; every other core kind
     * behind. It is like those where the order does not name it: it has their rank then. */
    bool is_core_namespace = gvk->group.len == 0 && str_eq(gvk->kind, STR("Namespace")) &&
                             res_order_rank(order, gvk->kind);

    add_or(out, gvk->group, is_core_namespace ? "" : "~G");
    buf_add_char(out, '_');
    add_or(out, gvk->version, "~V");
    buf_add_char(out, '_');
    add_or(out, gvk->kind, "~K");
}

int res_gvk_order(const struct res_gvk *a, const struct res_gvk *b)
{
    AUTO(buf_done) struct buf x = {0}, y = {0};
    int i = res_order_rank(&res_legacy_order, a->kind),
        j = res_order_rank(&res_legacy_order, b->kind);

    if (i != j)
        return i < j ? -1 : 1;
    res_order_key(&res_legacy_order, a, &x);
    res_order_key(&res_legacy_order, b, &y);
    return str_cmp(buf_view(&x), buf_view(&y));
}
