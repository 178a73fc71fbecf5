/* ReplicaSets and DaemonSets: as many Pods as are wanted. */
#include "sandbox/controllers/controllers.h"

static void create_pods(struct ctl *c, int64_t count)
{
    const struct doc_node *template = doc_get_lit(c->spec, "template");

    while (count-- > 0) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();

        ctl_create_pod(c, set, ctl_pod_of(c, set, template, NULL, c->slot->name));
    }
}

/* Those that are not ready go first. */
static void delete_pods(struct ctl *c, const struct ctl_slots *pods, int64_t count)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < pods->len && count > 0; i++) {
            struct sb_slot *pod = pods->v[i];

            if (!ctl_is_active(pod) || pod->brief.is_ready != (pass == 1))
                continue;
            sb_delete_slot(c->sb, pod, SB_BACKGROUND);
            count--;
        }
}

struct tally {
    int64_t active, ready, available, updated;
};

static void tally(struct ctl *c, const struct ctl_slots *pods, struct tally *t)
{
    int64_t min_ready = doc_int(doc_get_lit(c->spec, "minReadySeconds"), 0);

    *t = (struct tally){0};
    for (size_t i = 0; i < pods->len; i++) {
        const struct sb_slot *pod = pods->v[i];

        if (!ctl_is_active(pod))
            continue;
        t->active++;
        t->ready += pod->brief.is_ready;
        t->available += ctl_is_available(c, pod, min_ready);
    }
}

void ctl_replicaset(struct ctl *c)
{
    AUTO(ctl_slots_done) struct ctl_slots pods = {0};
    int64_t want = doc_int(doc_get_lit(c->spec, "replicas"), 1);
    struct tally t;

    ctl_owned(c, CTL_POD, &pods);
    tally(c, &pods, &t);
    if (!c->slot->brief.is_deleting) {
        if (t.active < want)
            create_pods(c, want - t.active);
        else if (t.active > want)
            delete_pods(c, &pods, t.active - want);
    }
    pods.len = 0;
    ctl_owned(c, CTL_POD, &pods);
    tally(c, &pods, &t);
    ctl_number(c, "replicas", t.active);
    ctl_count(c, "fullyLabeledReplicas", t.active);
    ctl_count(c, "readyReplicas", t.ready);
    ctl_count(c, "availableReplicas", t.available);
    ctl_observed(c);
    ctl_store(c);
}

/* ---- DaemonSet: there is one node */

static bool fits_node(const struct ctl *c)
{
    struct sb_kind *kind = sb_kind_by_gvk(c->sb, STR("v1"), STR("Node"));
    const struct sb_slot *node = kind->res->slots.len ? kind->res->slots.v[0] : NULL;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    return node && sb_labels_contain(doc_at(c->spec, "template/spec/nodeSelector"),
                                     doc_at(sb_load(set, kind, node->obj), "metadata/labels"));
}

static void create_daemon(struct ctl *c, str hash)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *pod =
        ctl_pod_of(c, set, doc_get_lit(c->spec, "template"), NULL, c->slot->name);
    struct doc_node *meta = doc_get_lit(pod, "metadata");

    doc_set_string(set, doc_ensure_map(set, meta, STR("labels")), STR("controller-revision-hash"),
                   hash);
    ctl_create_pod(c, set, pod);
}

/* Pods of an older template go, unless updates wait for deletion. */
static void replace_daemons(struct ctl *c, const struct ctl_slots *pods, uint32_t hash, bool fits)
{
    bool on_delete =
        str_eq(doc_text(doc_at(c->spec, "updateStrategy/type"), STR_NONE), STR("OnDelete"));
    size_t kept = 0;

    for (size_t i = 0; i < pods->len; i++) {
        struct sb_slot *pod = pods->v[i];
        bool is_old = pod->brief.template_hash != hash && !on_delete;

        if (pod->brief.is_deleting) {
            kept++; /* its place is taken until it is gone */
            continue;
        }
        if (!fits || is_old || kept || !ctl_is_active(pod)) {
            sb_delete_slot(c->sb, pod, SB_BACKGROUND);
            kept += !ctl_is_active(pod) ? 0 : 1;
        } else {
            kept++;
        }
    }
}

void ctl_daemonset(struct ctl *c)
{
    AUTO(ctl_slots_done) struct ctl_slots pods = {0};
    AUTO(buf_done) struct buf hash = {0};
    bool fits = fits_node(c);
    struct tally t;
    uint32_t h;

    ctl_template_hash(doc_get_lit(c->spec, "template"), &hash);
    h = str_hash(buf_view(&hash));
    ctl_owned(c, CTL_POD, &pods);
    if (!c->slot->brief.is_deleting) {
        replace_daemons(c, &pods, h, fits);
        pods.len = 0;
        ctl_owned(c, CTL_POD, &pods);
        if (fits && pods.len == 0)
            create_daemon(c, buf_view(&hash));
    }
    pods.len = 0;
    ctl_owned(c, CTL_POD, &pods);
    tally(c, &pods, &t);
    for (size_t i = 0; i < pods.len; i++)
        t.updated += ctl_is_active(pods.v[i]) && pods.v[i]->brief.template_hash == h;
    ctl_number(c, "desiredNumberScheduled", fits);
    ctl_number(c, "currentNumberScheduled", MIN(t.active, (int64_t)fits));
    ctl_number(c, "numberMisscheduled", fits ? 0 : t.active);
    ctl_number(c, "numberReady", t.ready);
    ctl_count(c, "numberAvailable", t.available);
    ctl_count(c, "numberUnavailable", MAX((int64_t)fits - t.available, (int64_t)0));
    ctl_count(c, "updatedNumberScheduled", t.updated);
    ctl_observed(c);
    ctl_store(c);
}
