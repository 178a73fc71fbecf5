#include "sandbox/controllers/controllers.h"
#include "sandbox/write.h"

void ctl_number(struct ctl *c, const char *field, int64_t value)
{
    const struct doc_node *n = doc_get(c->status, str_of(field));

    if (n && doc_int(n, -1) == value)
        return;
    doc_set_int(c->set, c->status, str_of(field), value);
    c->is_changed = true;
}

void ctl_count(struct ctl *c, const char *field, int64_t value)
{
    if (value)
        ctl_number(c, field, value);
    else if (doc_remove(c->status, str_of(field)))
        c->is_changed = true;
}

void ctl_text(struct ctl *c, struct doc_node *map, const char *field, str value)
{
    const struct doc_node *n = doc_get(map, str_of(field));

    if (n && str_eq(doc_text(n, STR_NONE), value))
        return;
    doc_set_string(c->set, map, str_of(field), value);
    c->is_changed = true;
}

void ctl_time(struct ctl *c, struct doc_node *map, const char *field)
{
    AUTO(buf_done) struct buf now = {0};

    sb_now(c->sb, &now);
    doc_set_string(c->set, map, str_of(field), buf_view(&now));
    c->is_changed = true;
}

void ctl_observed(struct ctl *c)
{
    ctl_number(c, "observedGeneration", doc_int(doc_get_lit(c->meta, "generation"), 0));
}

static struct doc_node *find_condition(const struct doc_node *status, const char *type)
{
    struct doc_iter it = doc_children(doc_get_lit(status, "conditions"));

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "type"), STR_NONE), str_of(type)))
            return it.value;
    return NULL;
}

const struct doc_node *ctl_get_condition(const struct doc_node *object, const char *type)
{
    return find_condition(doc_get_lit(object, "status"), type);
}

bool ctl_condition(struct ctl *c, const char *type, const char *status, const char *reason,
                   const char *message, bool has_update_time)
{
    struct doc_node *list = doc_ensure_list(c->set, c->status, STR("conditions"));
    struct doc_node *n = find_condition(c->status, type);
    bool was_changed = c->is_changed, changed;

    if (!list)
        return false;
    if (!n) {
        n = doc_append(list, doc_new_map(c->set));
        doc_set_string(c->set, n, STR("type"), str_of(type));
    }
    c->is_changed = false;
    ctl_text(c, n, "status", str_of(status));
    if (c->is_changed)
        ctl_time(c, n, "lastTransitionTime");
    if (reason)
        ctl_text(c, n, "reason", str_of(reason));
    if (message)
        ctl_text(c, n, "message", str_of(message));
    changed = c->is_changed;
    if (changed && has_update_time)
        ctl_time(c, n, "lastUpdateTime");
    c->is_changed |= was_changed;
    return changed;
}

void ctl_store(struct ctl *c)
{
    if (!c->is_changed)
        return;
    c->is_changed = false;
    sb_store(c->sb, c->slot->res, c->slot, c->set, c->doc);
}

void ctl_add_owner(struct doc_set *set, struct doc_node *object, const struct ctl *owner)
{
    const struct sb_kind *kind = owner->slot->res->kinds.v[0];
    struct doc_node *list = doc_ensure_list(set, sb_meta(set, object), STR("ownerReferences"));
    struct doc_node *ref = doc_append(list, doc_new_map(set));

    doc_set_field(set, ref, STR("apiVersion"),
                  doc_new_string(set, sb_api_version(kind, &set->arena)));
    doc_set_string(set, ref, STR("kind"), kind->kind);
    doc_set_string(set, ref, STR("name"), owner->slot->name);
    doc_set_string(set, ref, STR("uid"), doc_text(doc_get_lit(owner->meta, "uid"), STR_NONE));
    doc_set_bool(set, ref, STR("controller"), true);
    doc_set_bool(set, ref, STR("blockOwnerDeletion"), true);
}

struct doc_node *ctl_pod_of(struct ctl *c, struct doc_set *set, const struct doc_node *template,
                            const char *name, str prefix)
{
    static const char copied[][12] = {"labels", "annotations", "finalizers"};
    struct doc_node *pod = doc_new_map(set), *meta;
    const struct doc_node *spec = doc_get_lit(template, "spec");

    doc_set_string(set, pod, STR("kind"), STR("Pod"));
    doc_set_string(set, pod, STR("apiVersion"), STR("v1"));
    meta = doc_ensure_map(set, pod, STR("metadata"));
    if (name) {
        doc_set_string(set, meta, STR("name"), str_of(name));
    } else {
        doc_set_field(set, meta, STR("generateName"),
                      doc_new_string(set, arena_printf(&set->arena, "%.*s-", STR_ARG(prefix))));
    }
    doc_set_string(set, meta, STR("namespace"), c->slot->ns);
    for (size_t i = 0; i < ARRAY_LEN(copied); i++) {
        const struct doc_node *n = doc_get(doc_get_lit(template, "metadata"), str_of(copied[i]));

        if (n)
            doc_set_field(set, meta, str_of(copied[i]), doc_copy(set, n));
    }
    ctl_add_owner(set, pod, c);
    doc_set_field(set, pod, STR("spec"), spec ? doc_copy(set, spec) : doc_new_map(set));
    return pod;
}

void ctl_create_pod(struct ctl *c, struct doc_set *set, struct doc_node *pod)
{
    sb_internal_create(c->sb, sb_kind_by_gvk(c->sb, STR("v1"), STR("Pod")), set, pod);
}

void ctl_slots_done(struct ctl_slots *s) { vec_done(s); }

void ctl_owned(struct ctl *c, enum sb_ctl what, struct ctl_slots *ret)
{
    struct sb_deps *d = sb_deps_of(c->sb, c->slot->uid);

    for (size_t i = 0; d && i < d->v.len; i++) {
        struct sb_slot *s = d->v.v[i];

        for (uint32_t k = 0; s->res->ctl == what && k < s->owner_count; k++)
            if (s->owners[k].is_controller && s->owners[k].uid.a == c->slot->uid.a &&
                s->owners[k].uid.b == c->slot->uid.b)
                vec_push(ret, s);
    }
}

void ctl_template_hash(const struct doc_node *template, struct buf *out)
{
    static const char letters[] = "bcdfghjklmnpqrstvwxz2456789";
    AUTO(buf_done) struct buf text = {0};
    uint32_t h = 2166136261u;

    doc_emit_json(template, DOC_JSON_SORTED, &text);
    for (size_t i = 0; i < text.len; i++)
        h = (h ^ (unsigned char)text.p[i]) * 16777619u;
    for (; h; h /= 27)
        buf_add_char(out, letters[h % 27]);
}

int64_t ctl_part(const struct doc_node *n, int64_t total, bool up, int64_t fallback)
{
    str text = doc_text(n, STR_NONE);
    int64_t value;

    if (str_ends(text, STR("%")) && str_to_int64(str_sub(text, 0, text.len - 1), &value))
        return up ? (total * value + 99) / 100 : total * value / 100;
    return str_to_int64(text, &value) ? value : fallback;
}

bool ctl_is_active(const struct sb_slot *pod)
{
    return !pod->brief.is_deleting && pod->brief.phase < SB_SUCCEEDED;
}

bool ctl_is_available(struct ctl *c, const struct sb_slot *pod, int64_t min_ready)
{
    int64_t left;

    if (!pod->brief.is_ready || pod->brief.is_deleting)
        return false;
    left = pod->brief.ready_since_ms + min_ready * 1000 - sb_wall(c->sb);
    if (min_ready == 0 || left <= 0)
        return true;
    sb_ctl_enqueue_at(c->sb, c->slot->res->ctl, c->slot, clock_after(left));
    return false;
}

/* ---- events */

enum { EVENTS_PER_REASON = 25 }; /* then a recorder falls silent */

static struct doc_node *event_doc(struct ctl *c, struct doc_set *set, str name, const char *type,
                                  const char *reason, const char *component)
{
    const struct sb_kind *kind = c->slot->res->kinds.v[0];
    struct doc_node *ev = doc_new_map(set), *meta = doc_ensure_map(set, ev, STR("metadata")), *ref;
    str ns = c->slot->ns.len ? c->slot->ns : STR("default");

    doc_set_string(set, meta, STR("name"), name);
    doc_set_string(set, meta, STR("namespace"), ns);
    ref = doc_ensure_map(set, ev, STR("involvedObject"));
    doc_set_string(set, ref, STR("kind"), kind->kind);
    if (c->slot->ns.len)
        doc_set_string(set, ref, STR("namespace"), c->slot->ns);
    doc_set_string(set, ref, STR("name"), c->slot->name);
    doc_set_string(set, ref, STR("uid"), doc_text(doc_get_lit(c->meta, "uid"), STR_NONE));
    doc_set_string(set, ref, STR("apiVersion"), sb_api_version(kind, &set->arena));
    doc_set_string(set, ev, STR("reason"), str_of(reason));
    doc_set_string(set, ev, STR("type"), str_of(type));
    doc_set_string(set, doc_ensure_map(set, ev, STR("source")), STR("component"),
                   str_of(component));
    doc_set_string(set, ev, STR("reportingComponent"), str_of(component));
    doc_set_string(set, ev, STR("reportingInstance"), STR_NONE);
    doc_set_field(set, ev, STR("eventTime"), doc_new_null(set));
    return ev;
}

void ctl_event(struct ctl *c, const char *type, const char *reason, const char *message,
               const char *component)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct sb_kind *kind = sb_kind_by_gvk(c->sb, STR("v1"), STR("Event"));
    AUTO(buf_done) struct buf now = {0};
    AUTO(buf_done) struct buf name = {0};
    struct sb_slot *slot;
    struct doc_node *ev;
    int64_t count = 0;

    buf_addf(&name, "%.*s.%08x%08x", STR_ARG(str_sub(c->slot->name, 0, 230)),
             (unsigned)c->slot->uid.a, str_hash(str_of(reason)));
    slot = sb_find(kind->res, c->slot->ns.len ? c->slot->ns : STR("default"), buf_view(&name));
    ev = slot ? sb_load(set, kind, slot->obj)
              : event_doc(c, set, buf_view(&name), type, reason, component);
    count = doc_int(doc_get_lit(ev, "count"), 0);
    if (count >= EVENTS_PER_REASON)
        return;
    sb_now(c->sb, &now);
    doc_set_string(set, ev, STR("message"), str_of(message));
    if (!slot)
        doc_set_string(set, ev, STR("firstTimestamp"), buf_view(&now));
    doc_set_string(set, ev, STR("lastTimestamp"), buf_view(&now));
    doc_set_int(set, ev, STR("count"), count + 1);
    if (slot)
        sb_store(c->sb, kind->res, slot, set, ev);
    else
        sb_internal_create(c->sb, kind, set, ev);
}

/* ---- namespaces: what every one has */

static void ensure_object(struct sandbox *sb, const char *kind_name, str ns, const char *name,
                          const char *data)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;
    AUTO(err_done) struct err e = {0};
    struct sb_kind *kind = sb_kind_by_gvk(sb, STR("v1"), str_of(kind_name));
    struct doc_node *n, *meta;

    if (sb_find(kind->res, ns, str_of(name)))
        return;
    set = doc_set_new();
    n = doc_parse_json(set, str_of(data), "default", &e);
    meta = sb_meta(set, n);
    doc_set_string(set, meta, STR("name"), str_of(name));
    doc_set_string(set, meta, STR("namespace"), ns);
    if (str_eq(kind->kind, STR("ConfigMap")))
        doc_set_string(set, doc_ensure_map(set, n, STR("data")), STR("ca.crt"), sandbox_ca_pem(sb));
    sb_internal_create(sb, kind, set, n);
}

void ctl_namespace(struct sandbox *sb, struct sb_slot *slot)
{
    if (slot->brief.is_deleting) {
        sb_end_namespace(sb, slot);
        return;
    }
    ensure_object(sb, "ServiceAccount", slot->name, "default", "{}");
    ensure_object(sb, "ConfigMap", slot->name, "kube-root-ca.crt", "{}");
}
