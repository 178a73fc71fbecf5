/* Deletion: grace, finalizers, propagation, namespaces, and the collector of what lost its owners.
 */
#include "doc/at.h"
#include "sandbox/types/crd.h"
#include "sandbox/write.h"

static struct sb_kind *kind_of(const struct sb_slot *slot) { return slot->res->kinds.v[0]; }

static bool is_kind(const struct sb_slot *slot, const char *group, const char *plural)
{
    return str_eq(slot->res->group, str_of(group)) && str_eq(slot->res->plural, str_of(plural));
}

static struct doc_node *finalizers_of(struct doc_set *set, struct doc_node *doc)
{
    return doc_ensure_list(set, sb_meta(set, doc), STR("finalizers"));
}

static struct doc_node *find_text(const struct doc_node *list, const char *text)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (str_eq(doc_text(it.value, STR_NONE), str_of(text)))
            return it.value;
    return NULL;
}

static void drop_now(struct sandbox *sb, struct sb_slot *slot, struct doc_set *set,
                     struct doc_node *doc)
{
    if (is_kind(slot, "apiextensions.k8s.io", "customresourcedefinitions"))
        sb_crd_removed(sb, doc);
    sb_drop(sb, slot, set, doc);
}

/* ---- how a deletion begins */

struct plan {
    const char *finalizer; /* to be added, or NULL */
    int64_t grace;         /* seconds; 0: at once */
    bool waits;            /* the object stays for now */
};

static struct plan plan_for(struct sandbox *sb, const struct sb_slot *slot,
                            const struct doc_node *doc, enum sb_propagation how, int64_t grace)
{
    struct plan p = {0};

    if (sb->o.is_bare)
        return p;
    if (how == SB_FOREGROUND)
        p.finalizer = "foregroundDeletion";
    else if (how == SB_ORPHAN)
        p.finalizer = "orphan";
    if (is_kind(slot, "", "pods") && !sb->o.no_controllers && slot->brief.phase < SB_SUCCEEDED &&
        doc_at(doc, "spec/nodeName"))
        p.grace = grace >= 0 ? grace : doc_int_at(doc, "spec/terminationGracePeriodSeconds", 30);
    p.waits = p.finalizer || p.grace > 0 || slot->brief.has_finalizers ||
              is_kind(slot, "", "namespaces") ||
              (is_kind(slot, "apiextensions.k8s.io", "customresourcedefinitions"));
    return p;
}

/* False: it was on its way already. */
static bool mark_deleting(struct sandbox *sb, const struct sb_slot *slot, struct doc_set *set,
                          struct doc_node *doc, const struct plan *p)
{
    AUTO(buf_done) struct buf now = {0};
    struct doc_node *meta = sb_meta(set, doc);

    if (!doc_get_lit(meta, "deletionTimestamp")) {
        clock_rfc3339(sb_wall(sb) + p->grace * 1000, 0, &now);
        doc_set_string(set, meta, STR("deletionTimestamp"), buf_view(&now));
        if (!is_kind(slot, "", "namespaces"))
            doc_set_int(set, meta, STR("deletionGracePeriodSeconds"), p->grace);
        if (doc_get_lit(meta, "generation"))
            doc_set_int(set, meta, STR("generation"),
                        doc_int(doc_get_lit(meta, "generation"), 0) + 1);
    } else if (!p->finalizer || find_text(doc_get_lit(meta, "finalizers"), p->finalizer)) {
        return false;
    }
    if (p->finalizer && !find_text(doc_get_lit(meta, "finalizers"), p->finalizer))
        doc_append(finalizers_of(set, doc), doc_new_string(set, str_of(p->finalizer)));
    if (is_kind(slot, "", "namespaces"))
        doc_set_string(set, doc_ensure_map(set, doc, STR("status")), STR("phase"),
                       STR("Terminating"));
    return true;
}

/* True: the object is gone. doc is its state before, or as it waits. */
static bool delete_doc(struct sandbox *sb, struct sb_slot *slot, struct doc_set *set,
                       struct doc_node *doc, enum sb_propagation how, int64_t grace)
{
    struct plan p = plan_for(sb, slot, doc, how, grace);

    if (!p.waits) {
        if (is_kind(slot, "", "pods")) /* their last state tells that they were deleted */
            mark_deleting(sb, slot, set, doc, &p);
        drop_now(sb, slot, set, doc);
        return true;
    }
    if (mark_deleting(sb, slot, set, doc, &p))
        sb_store(sb, slot->res, slot, set, doc);
    return false;
}

void sb_delete_slot(struct sandbox *sb, struct sb_slot *slot, enum sb_propagation how)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    delete_doc(sb, slot, set, sb_load(set, kind_of(slot), slot->obj), how, -1);
}

/* ---- the request */

struct options {
    enum sb_propagation how;
    int64_t grace; /* -1: the object's own */
    str uid, version;
    bool is_dry;
};

static str option(struct sb_req *r, const struct doc_node *body, const char *key)
{
    const struct doc_node *n = doc_get(body, str_of(key));

    return n ? doc_text(n, STR_NONE) : sb_param(r, key);
}

/* Kinds whose dependents stay by default, as they did before there was a policy. */
static bool has_old_default(str kind)
{
    return str_eq(kind, STR("Job")) || str_eq(kind, STR("ReplicationController"));
}

static int read_options(struct sb_req *r, struct options *o)
{
    struct doc_node *body = NULL;
    str how, grace;

    if (str_trim(r->body).len) {
        body = sb_body(r);
        if (!body)
            return -1;
    }
    how = option(r, body, "propagationPolicy");
    grace = option(r, body, "gracePeriodSeconds");
    *o = (struct options){.grace = -1};
    if (grace.len && (!str_to_int64(grace, &o->grace) || o->grace < 0))
        return sb_fail(r, 422, "Invalid", "gracePeriodSeconds: Invalid value: \"%.*s\"",
                       STR_ARG(grace));
    o->uid = doc_text(doc_at(body, "preconditions/uid"), STR_NONE);
    o->version = doc_text(doc_at(body, "preconditions/resourceVersion"), STR_NONE);
    o->is_dry =
        str_eq(sb_param(r, "dryRun"), STR("All")) || find_text(doc_get_lit(body, "dryRun"), "All");
    if (!how.len && str_eq(option(r, body, "orphanDependents"), STR("true")))
        how = STR("Orphan");
    if (!how.len && has_old_default(r->kind->kind)) {
        how = STR("Orphan");
        if (str_eq(r->kind->kind, STR("Job")) && r->warning_count < ARRAY_LEN(r->warnings))
            r->warnings[r->warning_count++] =
                STR("child pods are preserved by default when jobs are deleted; set "
                    "propagationPolicy=Background to remove them or set propagationPolicy=Orphan "
                    "to suppress this warning");
    }
    if (str_eq(how, STR("Foreground")))
        o->how = SB_FOREGROUND;
    else if (str_eq(how, STR("Orphan")))
        o->how = SB_ORPHAN;
    else if (how.len && !str_eq(how, STR("Background")))
        return sb_fail(r, 422, "Invalid",
                       "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported "
                       "value: \"%.*s\": supported values: \"Foreground\", \"Background\", "
                       "\"Orphan\", \"nil\"",
                       STR_ARG(how));
    return 0;
}

static void answer_deleted(struct sb_req *r, str uid, const struct doc_node *last)
{
    if (r->kind->delete_returns && !r->sb->o.is_bare) {
        sb_answer_unstored(r, 200, last);
        return;
    }
    r->status = 200;
    buf_add_cstr(&r->out, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"
                          "\"Success\",\"details\":{\"name\":");
    doc_json_quote(r->name, 0, &r->out);
    buf_add_char(&r->out, ',');
    if (r->kind->group.len)
        buf_addf(&r->out, "\"group\":\"%.*s\",", STR_ARG(r->kind->group));
    buf_addf(&r->out, "\"kind\":\"%.*s\",\"uid\":\"%.*s\"}}\n", STR_ARG(r->kind->res->plural),
             STR_ARG(uid));
}

/* What a dry run answers: the object as it would wait, or as it would have gone. */
static void answer_dry(struct sb_req *r, const struct sb_slot *slot, str uid, struct doc_node *doc,
                       const struct options *o)
{
    struct plan p = plan_for(r->sb, slot, doc, o->how, o->grace);

    if (!p.waits) {
        answer_deleted(r, uid, doc);
        return;
    }
    mark_deleting(r->sb, slot, r->set, doc, &p);
    sb_answer_unstored(r, 200, doc);
}

/* Namespaces that a cluster cannot be without. */
static bool is_kept(const struct sb_slot *slot)
{
    return is_kind(slot, "", "namespaces") &&
           (str_eq(slot->name, STR("default")) || str_eq(slot->name, STR("kube-system")) ||
            str_eq(slot->name, STR("kube-public")));
}

int sb_do_delete(struct sb_req *r)
{
    struct sb_slot *slot = sb_find(r->kind->res, r->ns, r->name);
    struct options o;
    struct doc_node *doc;
    str uid;

    if (read_options(r, &o) < 0)
        return -1;
    if (!slot)
        return sb_fail_not_found(r, r->kind, r->name);
    if (is_kept(slot) && !r->sb->o.is_bare)
        return sb_fail(r, 403, NULL,
                       "namespaces \"%.*s\" is forbidden: this namespace may not be deleted",
                       STR_ARG(r->name));
    doc = sb_load(r->set, r->kind, slot->obj);
    uid = arena_dup(&r->arena, doc_text(doc_at(doc, "metadata/uid"), STR_NONE));
    if (sb_check_preconditions(r, r->kind, doc, o.uid, o.version) < 0)
        return -1;
    r->result_kind = r->kind->kind;
    r->result_name = r->name;
    if (o.is_dry)
        answer_dry(r, slot, uid, doc, &o);
    else if (delete_doc(r->sb, slot, r->set, doc, o.how, o.grace))
        answer_deleted(r, uid, doc);
    else
        sb_answer(r, 200, slot->obj);
    return 0;
}

int sb_do_delete_all(struct sb_req *r)
{
    AUTO(sb_selector_free)
    struct sb_selector *selector =
        sb_selector_parse(r, sb_param(r, "labelSelector"), sb_param(r, "fieldSelector"));
    struct sb_res *res = r->kind->res;
    struct options o;
    bool is_first = true;

    if (!selector || read_options(r, &o) < 0)
        return -1;
    r->status = 200;
    buf_addf(&r->out, "{\"kind\":\"%.*sList\",\"apiVersion\":\"%.*s\",\"metadata\":{},\"items\":[",
             STR_ARG(r->kind->kind), STR_ARG(sb_api_version(r->kind, &r->arena)));
    for (size_t i = res->slots.len; i-- > 0;) {
        struct sb_slot *slot = res->slots.v[i];
        AUTO(doc_set_free) struct doc_set *set = NULL;
        struct doc_node *doc;

        if (r->ns.len && !str_eq(slot->ns, r->ns))
            continue;
        set = doc_set_new();
        doc = sb_load(set, r->kind, slot->obj);
        if (!sb_selector_match(selector, doc))
            continue;
        if (!is_first)
            buf_add_char(&r->out, ',');
        buf_add_str(&r->out, sb_obj_json(slot->obj));
        is_first = false;
        if (!o.is_dry)
            delete_doc(r->sb, slot, set, doc, o.how, o.grace);
    }
    buf_add_cstr(&r->out, "]}\n");
    return 0;
}

/* ---- the collector */

static void remove_finalizer(struct sandbox *sb, struct sb_slot *slot, const char *name)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *doc = sb_load(set, kind_of(slot), slot->obj);
    struct doc_node *meta = doc_get_lit(doc, "metadata");
    struct doc_node *list = doc_get_lit(meta, "finalizers");
    struct doc_node *item = find_text(list, name);

    if (!item)
        return;
    doc_remove_item(list, item);
    if (doc_len(list) == 0)
        doc_remove(meta, STR("finalizers"));
    if (doc_len(list) == 0 && doc_len(doc_at(doc, "spec/finalizers")) == 0)
        drop_now(sb, slot, set, doc);
    else
        sb_store(sb, slot->res, slot, set, doc);
}

/* Takes owners that are gone out of the references of slot. */
static void drop_references(struct sandbox *sb, struct sb_slot *slot, const struct sb_uid *one)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *doc = sb_load(set, kind_of(slot), slot->obj);
    struct doc_node *meta = doc_get_lit(doc, "metadata");
    struct doc_node *list = doc_get_lit(meta, "ownerReferences");
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        struct sb_uid uid = sb_uid_parse(doc_text(doc_get_lit(it.value, "uid"), STR_NONE));

        if (one ? uid.a == one->a && uid.b == one->b : !sb_by_uid(sb, uid))
            doc_remove_item(list, it.value);
    }
    if (doc_len(list) == 0)
        doc_remove(meta, STR("ownerReferences"));
    sb_store(sb, slot->res, slot, set, doc);
}

/* An object whose owners may be gone. */
static void collect_dependent(struct sandbox *sb, struct sb_slot *slot)
{
    size_t gone = 0, waiting = 0;

    for (uint32_t i = 0; i < slot->owner_count; i++) {
        const struct sb_slot *owner = sb_by_uid(sb, slot->owners[i].uid);

        if (!owner)
            gone++;
        else if (owner->brief.is_deleting && owner->brief.is_foreground)
            waiting++;
    }
    if (gone + waiting == 0 || slot->brief.is_deleting)
        return;
    if (gone + waiting == slot->owner_count)
        sb_delete_slot(sb, slot,
                       waiting && sb_deps_of(sb, slot->uid) ? SB_FOREGROUND : SB_BACKGROUND);
    else if (gone)
        drop_references(sb, slot, NULL);
}

/* An owner that waits for its dependents. */
static void collect_owner(struct sandbox *sb, struct sb_slot *slot)
{
    struct sb_deps *d = sb_deps_of(sb, slot->uid);
    struct sb_uid uid = slot->uid;
    bool is_blocked = false;

    if (!slot->brief.is_deleting)
        return;
    if (slot->brief.is_orphaning) {
        while ((d = sb_deps_of(sb, uid)) != NULL)
            drop_references(sb, d->v.v[d->v.len - 1], &uid);
        remove_finalizer(sb, slot, "orphan");
        return;
    }
    if (!slot->brief.is_foreground)
        return;
    for (size_t i = 0; d && i < d->v.len; i++) {
        const struct sb_slot *dep = d->v.v[i];

        for (uint32_t k = 0; k < dep->owner_count; k++)
            if (dep->owners[k].uid.a == uid.a && dep->owners[k].uid.b == uid.b)
                is_blocked |= dep->owners[k].is_blocking;
    }
    if (!is_blocked)
        remove_finalizer(sb, slot, "foregroundDeletion");
}

static bool uses_claim(const struct doc_node *pod, str claim)
{
    struct doc_iter it = doc_children(doc_at(pod, "spec/volumes"));

    while (doc_next(&it))
        if (str_eq(doc_text(doc_at(it.value, "persistentVolumeClaim/claimName"), STR_NONE), claim))
            return true;
    return false;
}

/* Does a Pod that has not ended use the claim? */
static bool is_claimed(struct sandbox *sb, const struct sb_slot *slot)
{
    struct sb_res *pods = sb_res_of(sb, STR_NONE, STR("pods"));
    size_t at = sb_lower_bound(pods, slot->ns, STR_NONE);

    for (; at < pods->slots.len && str_eq(pods->slots.v[at]->ns, slot->ns); at++) {
        AUTO(doc_set_free) struct doc_set *set = NULL;
        const struct sb_slot *pod = pods->slots.v[at];

        if (pod->brief.phase >= SB_SUCCEEDED)
            continue;
        set = doc_set_new();
        if (uses_claim(sb_load(set, pods->kinds.v[0], pod->obj), slot->name))
            return true;
    }
    return false;
}

/* Volumes and claims are protected as long as they are used. */
static void unprotect(struct sandbox *sb, struct sb_slot *slot)
{
    if (is_kind(slot, "", "persistentvolumes"))
        remove_finalizer(sb, slot, "kubernetes.io/pv-protection");
    else if (is_kind(slot, "", "persistentvolumeclaims") && !is_claimed(sb, slot))
        remove_finalizer(sb, slot, "kubernetes.io/pvc-protection");
}

void sb_collect(struct sandbox *sb, struct sb_slot *slot)
{
    struct sb_uid uid = slot->uid;

    collect_owner(sb, slot);
    slot = sb_by_uid(sb, uid);
    if (slot && slot->brief.is_deleting && slot->brief.has_finalizers) {
        unprotect(sb, slot);
        slot = sb_by_uid(sb, uid);
    }
    if (slot)
        collect_dependent(sb, slot);
}

/* ---- namespaces */

/* True: nothing of it is left. */
static bool empty_namespace(struct sandbox *sb, str ns)
{
    bool is_empty = true;

    for (size_t i = 0; i < sb->resources.len; i++) {
        struct sb_res *res = sb->resources.v[i];

        if (!res->is_namespaced)
            continue;
        for (size_t at = sb_lower_bound(res, ns, STR_NONE);
             at < res->slots.len && str_eq(res->slots.v[at]->ns, ns);) {
            struct sb_slot *slot = res->slots.v[at];
            size_t before = res->slots.len;

            if (!slot->brief.is_deleting)
                sb_delete_slot(sb, slot, SB_BACKGROUND);
            if (res->slots.len == before) {
                is_empty = false;
                at++;
            }
        }
    }
    return is_empty;
}

void sb_end_namespace(struct sandbox *sb, struct sb_slot *slot)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;
    struct doc_node *doc;

    if (!slot->brief.is_deleting || !empty_namespace(sb, slot->name) || slot->brief.has_finalizers)
        return;
    set = doc_set_new();
    doc = sb_load(set, kind_of(slot), slot->obj);
    doc_remove(doc_get_lit(doc, "spec"), STR("finalizers"));
    sb_drop(sb, slot, set, doc);
}

/* ---- definitions: their objects go first */

void sb_end_definition(struct sandbox *sb, struct sb_slot *slot)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;
    struct sb_res *res;
    struct doc_node *doc;
    bool is_empty = true;

    if (!slot->brief.is_deleting)
        return;
    set = doc_set_new();
    doc = sb_load(set, kind_of(slot), slot->obj);
    res = sb_res_of(sb, doc_text(doc_at(doc, "spec/group"), STR_NONE),
                    doc_text(doc_at(doc, "spec/names/plural"), STR_NONE));
    for (size_t i = res ? res->slots.len : 0; i-- > 0;) {
        size_t before = res->slots.len;

        if (!res->slots.v[i]->brief.is_deleting)
            sb_delete_slot(sb, res->slots.v[i], SB_BACKGROUND);
        is_empty &= res->slots.len < before;
    }
    if (is_empty && !slot->brief.has_finalizers)
        drop_now(sb, slot, set, doc);
}
