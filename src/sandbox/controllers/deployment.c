/* Deployments: a ReplicaSet for each template, scaled against each other. */
#include "doc/at.h"
#include "sandbox/controllers/controllers.h"
#include "sandbox/write.h"

/* A ReplicaSet of the Deployment, as far as scaling needs it. */
struct set_info {
    struct sb_slot *slot;
    int64_t want, replicas, ready, available, revision;
};
struct rollout {
    VEC(struct set_info) sets;
    struct set_info *now; /* of the present template, or NULL */
    int64_t want, max_surge, max_unavailable;
};

static const char revision_key[] = "deployment.kubernetes.io/revision";
static const char hash_label[] = "pod-template-hash";

static int64_t revision_of(const struct doc_node *n)
{
    int64_t value = 0;

    str_to_int64(
        doc_text(doc_get(doc_at(n, "metadata/annotations"), str_of(revision_key)), STR_NONE),
        &value);
    return value;
}

static struct sb_kind *set_kind(struct ctl *c)
{
    return sb_kind_by_gvk(c->sb, STR("apps/v1"), STR("ReplicaSet"));
}

static void read_sets(struct ctl *c, struct rollout *r, str hash)
{
    AUTO(ctl_slots_done) struct ctl_slots owned = {0};

    r->sets.len = 0;
    r->now = NULL;
    ctl_owned(c, CTL_REPLICASET, &owned);
    for (size_t i = 0; i < owned.len; i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        const struct doc_node *n = sb_load(set, set_kind(c), owned.v[i]->obj);

        if (owned.v[i]->brief.is_deleting)
            continue;
        vec_push(&r->sets, {.slot = owned.v[i],
                            .want = doc_int_at(n, "spec/replicas", 0),
                            .replicas = doc_int_at(n, "status/replicas", 0),
                            .ready = doc_int_at(n, "status/readyReplicas", 0),
                            .available = doc_int_at(n, "status/availableReplicas", 0),
                            .revision = revision_of(n)});
    }
    for (size_t i = 0; i < r->sets.len; i++) /* what was asked for counts before it is done */
        r->sets.v[i].available = MIN(r->sets.v[i].available, r->sets.v[i].want);
    for (size_t i = 0; i < r->sets.len; i++)
        if (r->sets.v[i].slot->brief.template_hash == str_hash(hash))
            r->now = &r->sets.v[i];
}

/* The spec of a ReplicaSet gets a new number of replicas, its annotations the revision. */
static void scale_set(struct ctl *c, struct set_info *s, int64_t want, int64_t revision)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;
    struct doc_node *n, *meta;
    char text[24];

    if (s->want == want && (!revision || s->revision == revision))
        return;
    set = doc_set_new();
    n = sb_load(set, set_kind(c), s->slot->obj);
    meta = doc_get_lit(n, "metadata");
    if (s->want != want) {
        doc_set_int(set, doc_get_lit(n, "spec"), STR("replicas"), want);
        doc_set_int(set, meta, STR("generation"), doc_int(doc_get_lit(meta, "generation"), 0) + 1);
    }
    if (revision) {
        snprintf(text, sizeof(text), "%lld", (long long)revision);
        doc_set_string(set, doc_ensure_map(set, meta, STR("annotations")), str_of(revision_key),
                       str_of(text));
        s->revision = revision;
    }
    s->want = want;
    sb_store(c->sb, s->slot->res, s->slot, set, n);
}

static int64_t next_revision(const struct rollout *r)
{
    int64_t max = 0;

    for (size_t i = 0; i < r->sets.len; i++)
        if (&r->sets.v[i] != r->now)
            max = MAX(max, r->sets.v[i].revision);
    return max + 1;
}

static void create_set(struct ctl *c, struct rollout *r, str hash)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *n = doc_new_map(set), *meta, *spec, *template, *labels;
    const struct doc_node *min_ready = doc_get_lit(c->spec, "minReadySeconds");
    const struct doc_node *selector = doc_get_lit(c->spec, "selector");
    char text[24];

    doc_set_string(set, n, STR("kind"), STR("ReplicaSet"));
    doc_set_string(set, n, STR("apiVersion"), STR("apps/v1"));
    meta = sb_meta(set, n);
    doc_set_string(set, meta, STR("name"),
                   arena_printf(&set->arena, "%.*s-%.*s", STR_ARG(c->slot->name), STR_ARG(hash)));
    doc_set_string(set, meta, STR("namespace"), c->slot->ns);
    snprintf(text, sizeof(text), "%lld", (long long)next_revision(r));
    doc_set_string(set, doc_ensure_map(set, meta, STR("annotations")), str_of(revision_key),
                   str_of(text));
    ctl_add_owner(set, n, c);
    spec = doc_ensure_map(set, n, STR("spec"));
    doc_set_int(set, spec, STR("replicas"), 0);
    if (min_ready)
        doc_set_field(set, spec, STR("minReadySeconds"), doc_copy(set, min_ready));
    doc_set_field(set, spec, STR("selector"), doc_copy(set, selector));
    doc_set_string(set, doc_ensure_map(set, doc_get_lit(spec, "selector"), STR("matchLabels")),
                   str_of(hash_label), hash);
    template =
        doc_set_field(set, spec, STR("template"), doc_copy(set, doc_get_lit(c->spec, "template")));
    labels = doc_ensure_map(set, sb_meta(set, template), STR("labels"));
    doc_set_string(set, labels, str_of(hash_label), hash);
    doc_set_field(set, meta, STR("labels"), doc_copy(set, labels));
    sb_internal_create(c->sb, set_kind(c), set, n);
}

static int64_t total_want(const struct rollout *r)
{
    int64_t sum = 0;

    for (size_t i = 0; i < r->sets.len; i++)
        sum += r->sets.v[i].want;
    return sum;
}

/* Room for the old ones to shrink: what is available beyond the minimum, not counting on new Pods
 * that are not there yet. Unhealthy old Pods go first, at no cost. */
static void shrink_old(struct ctl *c, struct rollout *r)
{
    int64_t unavailable_new = r->now->want - r->now->available;
    int64_t room = total_want(r) - (r->want - r->max_unavailable) - unavailable_new;
    int64_t spare = -(r->want - r->max_unavailable);

    for (size_t i = 0; i < r->sets.len && room > 0; i++) {
        struct set_info *s = &r->sets.v[i];
        int64_t sick = MIN(s->want - s->available, room);

        if (s == r->now || sick <= 0)
            continue;
        scale_set(c, s, s->want - sick, 0);
        room -= sick;
    }
    for (size_t i = 0; i < r->sets.len; i++)
        spare += MIN(r->sets.v[i].available, r->sets.v[i].want);
    for (size_t i = 0; i < r->sets.len && spare > 0; i++) {
        struct set_info *s = &r->sets.v[i];
        int64_t less = MIN(s->want, spare);

        if (s == r->now || less <= 0)
            continue;
        scale_set(c, s, s->want - less, 0);
        spare -= less;
    }
}

static void roll(struct ctl *c, struct rollout *r)
{
    int64_t room = r->want + r->max_surge - total_want(r);

    if (r->now->want > r->want)
        scale_set(c, r->now, r->want, 0);
    else if (r->now->want < r->want && room > 0)
        scale_set(c, r->now, r->now->want + MIN(room, r->want - r->now->want), 0);
    shrink_old(c, r);
}

static void recreate(struct ctl *c, struct rollout *r)
{
    int64_t left = 0;

    for (size_t i = 0; i < r->sets.len; i++)
        if (&r->sets.v[i] != r->now) {
            scale_set(c, &r->sets.v[i], 0, 0);
            left += r->sets.v[i].replicas;
        }
    if (left == 0)
        scale_set(c, r->now, r->want, 0);
}

static void read_limits(struct ctl *c, struct rollout *r)
{
    const struct doc_node *rolling = doc_at(c->spec, "strategy/rollingUpdate");

    r->want = doc_int(doc_get_lit(c->spec, "replicas"), 1);
    r->max_surge =
        ctl_part(doc_get_lit(rolling, "maxSurge"), r->want, true, (r->want * 25 + 99) / 100);
    r->max_unavailable =
        ctl_part(doc_get_lit(rolling, "maxUnavailable"), r->want, false, r->want * 25 / 100);
    if (r->max_surge == 0 && r->max_unavailable == 0)
        r->max_unavailable = 1;
}

/* Old sets without replicas beyond the history limit go. */
static void clean_up(struct ctl *c, struct rollout *r)
{
    int64_t keep = doc_int(doc_get_lit(c->spec, "revisionHistoryLimit"), 10);
    int64_t old = (int64_t)r->sets.len - 1;

    for (; old > keep; old--) {
        struct set_info *oldest = NULL;

        for (size_t i = 0; i < r->sets.len; i++) {
            struct set_info *s = &r->sets.v[i];

            if (s != r->now && s->slot && s->want == 0 && s->replicas == 0 &&
                (!oldest || s->revision < oldest->revision))
                oldest = s;
        }
        if (!oldest)
            return;
        sb_delete_slot(c->sb, oldest->slot, SB_BACKGROUND);
        oldest->slot = NULL;
    }
}

/* ---- status */

static void set_progress(struct ctl *c, const struct rollout *r, bool is_complete, bool moved)
{
    AUTO(buf_done) struct buf text = {0};
    const struct doc_node *now = ctl_get_condition(c->doc, "Progressing");
    int64_t deadline = doc_int(doc_get_lit(c->spec, "progressDeadlineSeconds"), 600);
    int64_t since, left;

    if (is_complete) {
        buf_addf(&text, "ReplicaSet \"%.*s\" has successfully progressed.",
                 STR_ARG(r->now->slot->name));
        ctl_condition(c, "Progressing", "True", "NewReplicaSetAvailable", buf_cstr(&text), true);
        return;
    }
    if (moved || !now ||
        str_eq(doc_text(doc_get_lit(now, "reason"), STR_NONE), STR("NewReplicaSetAvailable"))) {
        buf_addf(&text, "ReplicaSet \"%.*s\" is progressing.", STR_ARG(r->now->slot->name));
        ctl_condition(c, "Progressing", "True", "ReplicaSetUpdated", buf_cstr(&text), true);
        now = ctl_get_condition(c->doc, "Progressing");
        ctl_time(c, (struct doc_node *)now, "lastUpdateTime");
    }
    if (!clock_parse_rfc3339(doc_text(doc_get_lit(now, "lastUpdateTime"), STR_NONE), &since) ||
        !str_eq(doc_text(doc_get_lit(now, "status"), STR_NONE), STR("True")))
        return;
    left = since + deadline * 1000 - sb_wall(c->sb);
    if (left > 0) {
        sb_ctl_enqueue_at(c->sb, CTL_DEPLOYMENT, c->slot, clock_after(left));
        return;
    }
    buf_addf(&text, "ReplicaSet \"%.*s\" has timed out progressing.", STR_ARG(r->now->slot->name));
    ctl_condition(c, "Progressing", "False", "ProgressDeadlineExceeded", buf_cstr(&text), true);
}

static void set_status(struct ctl *c, const struct rollout *r)
{
    int64_t replicas = 0, ready = 0, available = 0;
    bool is_complete, moved;

    for (size_t i = 0; i < r->sets.len; i++) {
        replicas += r->sets.v[i].replicas;
        ready += r->sets.v[i].ready;
        available += r->sets.v[i].available;
    }
    ctl_count(c, "replicas", replicas);
    ctl_count(c, "updatedReplicas", r->now->replicas);
    ctl_count(c, "readyReplicas", ready);
    ctl_count(c, "availableReplicas", available);
    moved = c->is_changed;
    ctl_count(c, "unavailableReplicas", MAX(total_want(r) - available, (int64_t)0));
    ctl_observed(c);
    if (available >= r->want - r->max_unavailable)
        ctl_condition(c, "Available", "True", "MinimumReplicasAvailable",
                      "Deployment has minimum availability.", true);
    else
        ctl_condition(c, "Available", "False", "MinimumReplicasUnavailable",
                      "Deployment does not have minimum availability.", true);
    is_complete = r->now->replicas == r->want && replicas == r->want && available == r->want;
    set_progress(c, r, is_complete, moved);
    if (is_complete)
        clean_up(c, (struct rollout *)r);
}

static void set_revision(struct ctl *c, const struct rollout *r)
{
    char text[24];

    snprintf(text, sizeof(text), "%lld", (long long)r->now->revision);
    ctl_text(c, doc_ensure_map(c->set, c->meta, STR("annotations")), revision_key, str_of(text));
}

void ctl_deployment(struct ctl *c)
{
    struct rollout r = {0};
    AUTO(buf_done) struct buf hash = {0};
    bool is_paused = doc_bool(doc_get_lit(c->spec, "paused"), false);

    if (c->slot->brief.is_deleting || !doc_get_lit(c->spec, "template"))
        return;
    ctl_template_hash(doc_get_lit(c->spec, "template"), &hash);
    read_limits(c, &r);
    read_sets(c, &r, buf_view(&hash));
    if (!r.now && !is_paused) {
        create_set(c, &r, buf_view(&hash));
        read_sets(c, &r, buf_view(&hash));
    }
    if (r.now && !is_paused) {
        scale_set(c, r.now, r.now->want,
                  r.now->revision < next_revision(&r) ? next_revision(&r) : 0);
        if (str_eq(doc_text(doc_at(c->spec, "strategy/type"), STR_NONE), STR("Recreate")))
            recreate(c, &r);
        else
            roll(c, &r);
    }
    if (r.now) {
        set_revision(c, &r);
        set_status(c, &r);
    } else {
        ctl_observed(c);
    }
    ctl_store(c);
    vec_done(&r.sets);
}
