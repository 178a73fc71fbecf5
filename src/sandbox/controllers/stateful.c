/* StatefulSets: numbered Pods, one after the other. */
#include "doc/at.h"
#include "sandbox/controllers/controllers.h"
#include "sandbox/write.h"

struct stateful {
    struct sb_slot **pods; /* by ordinal; NULL: not there */
    int64_t want, start;
    bool is_parallel, on_delete;
    int64_t partition, min_ready;
    uint32_t hash;
    struct buf hash_text;
};

static int64_t ordinal_of(const struct ctl *c, const struct sb_slot *pod)
{
    str name = pod->name;
    int64_t n;

    if (!str_drop_prefix(&name, c->slot->name) || !str_drop_prefix(&name, STR("-")) ||
        !str_to_int64(name, &n))
        return -1;
    return n;
}

static void create_claims(struct ctl *c, struct doc_set *set, struct doc_node *pod)
{
    struct doc_iter it = doc_children(doc_get_lit(c->spec, "volumeClaimTemplates"));
    struct sb_kind *kind = sb_kind_by_gvk(c->sb, STR("v1"), STR("PersistentVolumeClaim"));
    struct doc_node *volumes;

    while (doc_next(&it)) {
        struct doc_node *claim = doc_copy(set, it.value), *meta = sb_meta(set, claim), *v;
        str base = doc_text(doc_get_lit(meta, "name"), STR_NONE);
        str name = arena_printf(&set->arena, "%.*s-%.*s", STR_ARG(base),
                                STR_ARG(doc_text(doc_at(pod, "metadata/name"), STR_NONE)));

        volumes = doc_ensure_list(set, doc_get_lit(pod, "spec"), STR("volumes"));
        v = doc_append(volumes, doc_new_map(set));
        doc_set_string(set, v, STR("name"), base);
        doc_set_string(set, doc_ensure_map(set, v, STR("persistentVolumeClaim")), STR("claimName"),
                       name);
        doc_set_string(set, meta, STR("name"), name);
        doc_set_string(set, meta, STR("namespace"), c->slot->ns);
        sb_internal_create(c->sb, kind, set, claim);
    }
}

static void create_pod(struct ctl *c, const struct stateful *s, int64_t ordinal)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    char name[300], number[24];
    struct doc_node *pod, *labels, *spec;

    snprintf(name, sizeof(name), "%.*s-%lld", STR_ARG(c->slot->name), (long long)ordinal);
    snprintf(number, sizeof(number), "%lld", (long long)ordinal);
    pod = ctl_pod_of(c, set, doc_get_lit(c->spec, "template"), name, STR_NONE);
    labels = doc_ensure_map(set, sb_meta(set, pod), STR("labels"));
    doc_set_string(set, labels, STR("apps.kubernetes.io/pod-index"), str_of(number));
    doc_set_string(set, labels, STR("controller-revision-hash"),
                   arena_printf(&set->arena, "%.*s-%.*s", STR_ARG(c->slot->name),
                                STR_ARG(buf_view(&s->hash_text))));
    doc_set_string(set, labels, STR("statefulset.kubernetes.io/pod-name"), str_of(name));
    spec = doc_get_lit(pod, "spec");
    doc_set_string(set, spec, STR("hostname"), str_of(name));
    create_claims(c, set, pod);
    ctl_create_pod(c, set, pod);
}

static bool is_up(struct ctl *c, const struct stateful *s, const struct sb_slot *pod)
{
    return pod && ctl_is_active(pod) && ctl_is_available(c, pod, s->min_ready);
}

/* Finished Pods are replaced. True: there is something to wait for. */
static bool grow(struct ctl *c, struct stateful *s)
{
    for (int64_t i = 0; i < s->want; i++) {
        struct sb_slot *pod = s->pods[i];

        if (!pod)
            create_pod(c, s, s->start + i);
        else if (!pod->brief.is_deleting && pod->brief.phase >= SB_SUCCEEDED)
            sb_delete_slot(c->sb, pod, SB_BACKGROUND);
        if (!s->is_parallel && !is_up(c, s, s->pods[i]))
            return true;
    }
    return false;
}

/* Pods beyond the wanted number, the highest first. */
static bool shrink(struct ctl *c, struct stateful *s, const struct ctl_slots *pods)
{
    struct sb_slot *last = NULL;
    bool any = false;

    for (size_t i = 0; i < pods->len; i++) {
        int64_t n = ordinal_of(c, pods->v[i]);

        if (n >= s->start && n < s->start + s->want)
            continue;
        any = true;
        if (s->is_parallel && !pods->v[i]->brief.is_deleting)
            sb_delete_slot(c->sb, pods->v[i], SB_BACKGROUND);
        else if (!last || n > ordinal_of(c, last))
            last = pods->v[i];
    }
    if (last && !s->is_parallel && !last->brief.is_deleting)
        sb_delete_slot(c->sb, last, SB_BACKGROUND);
    return any;
}

/* Pods of an older template, the highest first, each after the one before is up again. */
static void update(struct ctl *c, struct stateful *s)
{
    if (s->on_delete)
        return;
    for (int64_t i = s->want - 1; i >= s->partition; i--) {
        struct sb_slot *pod = s->pods[i];

        if (pod && pod->brief.template_hash != s->hash) {
            if (!pod->brief.is_deleting)
                sb_delete_slot(c->sb, pod, SB_BACKGROUND);
            return;
        }
        if (!is_up(c, s, pod))
            return;
    }
}

static void set_status(struct ctl *c, const struct stateful *s, const struct ctl_slots *pods)
{
    int64_t replicas = 0, ready = 0, available = 0, updated = 0;
    str update, current;
    bool is_done;

    for (size_t i = 0; i < pods->len; i++) {
        const struct sb_slot *pod = pods->v[i];

        if (pod->brief.is_deleting)
            continue;
        replicas++;
        ready += pod->brief.is_ready;
        available += ctl_is_available(c, pod, s->min_ready);
        updated += pod->brief.template_hash == s->hash;
    }
    update = arena_printf(&c->set->arena, "%.*s-%.*s", STR_ARG(c->slot->name),
                          STR_ARG(buf_view(&s->hash_text)));
    is_done = updated == replicas && replicas == s->want && ready == s->want;
    current = doc_text(doc_get_lit(c->status, "currentRevision"), STR_NONE);
    ctl_number(c, "replicas", replicas);
    ctl_count(c, "readyReplicas", ready);
    ctl_number(c, "availableReplicas", available);
    ctl_count(c, "updatedReplicas", updated);
    if (!current.len || is_done)
        current = update;
    ctl_count(c, "currentReplicas", str_eq(current, update) ? updated : replicas - updated);
    ctl_text(c, c->status, "currentRevision", arena_dup(&c->set->arena, current));
    ctl_text(c, c->status, "updateRevision", update);
    ctl_number(c, "collisionCount", 0);
    ctl_observed(c);
    ctl_store(c);
}

static void read_spec(struct ctl *c, struct stateful *s)
{
    str policy = doc_text(doc_get_lit(c->spec, "podManagementPolicy"), STR_NONE);
    str type = doc_text(doc_at(c->spec, "updateStrategy/type"), STR_NONE);

    s->want = MAX(doc_int(doc_get_lit(c->spec, "replicas"), 1), (int64_t)0);
    s->start = doc_int_at(c->spec, "ordinals/start", 0);
    s->is_parallel = str_eq(policy, STR("Parallel"));
    s->on_delete = str_eq(type, STR("OnDelete"));
    s->partition = doc_int_at(c->spec, "updateStrategy/rollingUpdate/partition", 0);
    s->min_ready = doc_int(doc_get_lit(c->spec, "minReadySeconds"), 0);
    ctl_template_hash(doc_get_lit(c->spec, "template"), &s->hash_text);
    s->hash = str_hash(arena_printf(&c->set->arena, "%.*s-%.*s", STR_ARG(c->slot->name),
                                    STR_ARG(buf_view(&s->hash_text))));
}

static void place_pods(struct ctl *c, struct stateful *s, struct ctl_slots *pods)
{
    pods->len = 0;
    ctl_owned(c, CTL_POD, pods);
    memset(s->pods, 0, (size_t)s->want * sizeof(struct sb_slot *));
    for (size_t i = 0; i < pods->len; i++) {
        int64_t n = ordinal_of(c, pods->v[i]);

        if (n >= s->start && n < s->start + s->want)
            s->pods[n - s->start] = pods->v[i];
    }
}

void ctl_statefulset(struct ctl *c)
{
    AUTO(ctl_slots_done) struct ctl_slots pods = {0};
    struct stateful s = {0};

    read_spec(c, &s);
    s.pods = mem_zalloc(((size_t)s.want + 1) * sizeof(struct sb_slot *));
    place_pods(c, &s, &pods);
    if (!c->slot->brief.is_deleting && !grow(c, &s)) {
        place_pods(c, &s, &pods);
        if (!shrink(c, &s, &pods))
            update(c, &s);
    }
    place_pods(c, &s, &pods);
    set_status(c, &s, &pods);
    mem_free(s.pods);
    buf_done(&s.hash_text);
}
