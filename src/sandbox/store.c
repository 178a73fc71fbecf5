#include "sandbox/addresses.h"
#include "sys/random.h"

/* History kept for a resource type: watches that start before it are told 410. What a live watch
 * has not read yet stays for longer. */
enum { EVENTS_KEPT = 2048, EVENTS_HARD_LIMIT = 65536, EVENT_BYTES_KEPT = 4 << 20 };

/* ---- object states */

static struct sb_obj *sb_obj_ref(struct sb_obj *o)
{
    o->refs++;
    return o;
}

static void sb_obj_unref(struct sb_obj *o)
{
    if (o && --o->refs == 0)
        mem_free(o);
}

static void print_field(str key, const struct doc_node *value, struct buf *out)
{
    if (out->len > 1)
        buf_add_char(out, ',');
    doc_json_quote(key, 0, out);
    buf_add_char(out, ':');
    doc_emit_json(value, 0, out);
}

static struct sb_obj *obj_new(const struct doc_node *object, uint64_t rv)
{
    AUTO(buf_done) struct buf text = {0};
    const struct doc_node *meta = doc_get_lit(object, "metadata");
    str ns = doc_string(doc_get_lit(meta, "namespace"), STR_NONE);
    str name = doc_string(doc_get_lit(meta, "name"), STR_NONE);
    struct doc_iter it = doc_children(object);
    struct sb_obj *o;

    buf_add_char(&text, '{');
    print_field(STR("metadata"), meta, &text);
    while (doc_next(&it))
        if (!str_eq(it.key, STR("metadata")) && !str_eq(it.key, STR("apiVersion")) &&
            !str_eq(it.key, STR("kind")))
            print_field(it.key, it.value, &text);
    buf_add_char(&text, '}');
    o = mem_alloc(sizeof(*o) + text.len + ns.len + name.len);
    *o = (struct sb_obj){.refs = 1,
                         .len = (uint32_t)text.len,
                         .ns_len = (uint16_t)ns.len,
                         .name_len = (uint16_t)name.len,
                         .rv = rv};
    memcpy(o->json, text.p, text.len);
    if (ns.len)
        memcpy(o->json + text.len, ns.p, ns.len);
    memcpy(o->json + text.len + ns.len, name.p, name.len);
    return o;
}

void sb_obj_print(const struct sb_kind *kind, const struct sb_obj *obj, struct buf *out)
{
    buf_add_cstr(out, "{\"kind\":\"");
    buf_add_str(out, kind->kind);
    buf_add_cstr(out, "\",\"apiVersion\":\"");
    if (kind->group.len) {
        buf_add_str(out, kind->group);
        buf_add_char(out, '/');
    }
    buf_add_str(out, kind->version);
    buf_add_cstr(out, "\",");
    buf_add(out, obj->json + 1, obj->len - 1);
}

struct doc_node *sb_load(struct doc_set *set, const struct sb_kind *kind, const struct sb_obj *obj)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *n;

    sb_obj_print(kind, obj, &text);
    n = doc_parse_json(set, buf_view(&text), "store", &e);
    assert(n); /* we printed it */
    return n;
}

/* ---- identities */

static uint64_t hash64(str s, uint64_t seed)
{
    uint64_t h = seed;

    for (size_t i = 0; i < s.len; i++)
        h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
    return h;
}

struct sb_uid sb_uid_parse(str text)
{
    return (struct sb_uid){hash64(text, 14695981039346656037u), hash64(text, 88172645463325252u)};
}

static str uid_key(const struct sb_uid *uid) { return (str){(const char *)uid, sizeof(*uid)}; }

void sb_uid_new(struct buf *out)
{
    unsigned char b[16];

    random_bytes(b, sizeof(b));
    b[6] = (b[6] & 0x0f) | 0x40;
    b[8] = (b[8] & 0x3f) | 0x80;
    for (size_t i = 0; i < sizeof(b); i++)
        buf_addf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

struct sb_deps *sb_deps_of(struct sandbox *sb, struct sb_uid uid)
{
    return map_get(&sb->deps, uid_key(&uid));
}

struct sb_slot *sb_by_uid(struct sandbox *sb, struct sb_uid uid)
{
    return map_get(&sb->uids, uid_key(&uid));
}

static void deps_remove(struct sandbox *sb, struct sb_slot *slot)
{
    for (uint32_t i = 0; i < slot->owner_count; i++) {
        struct sb_deps *d = sb_deps_of(sb, slot->owners[i].uid);

        for (size_t k = d ? d->v.len : 0; k-- > 0;)
            if (d->v.v[k] == slot) { /* order does not matter */
                d->v.v[k] = vec_last(&d->v);
                d->v.len--;
                break;
            }
        if (d && d->v.len == 0) {
            map_remove(&sb->deps, uid_key(&d->uid));
            vec_done(&d->v);
            mem_free(d);
        }
    }
    mem_free(slot->owners);
    slot->owners = NULL;
    slot->owner_count = 0;
}

static void deps_add(struct sandbox *sb, struct sb_slot *slot, const struct doc_node *meta)
{
    struct doc_iter it = doc_children(doc_get_lit(meta, "ownerReferences"));

    if (it.left == 0)
        return;
    slot->owners = mem_zalloc(it.left * sizeof(*slot->owners));
    while (doc_next(&it)) {
        struct sb_owner *o = &slot->owners[slot->owner_count++];
        struct sb_deps *d;

        o->uid = sb_uid_parse(doc_text(doc_get_lit(it.value, "uid"), STR_NONE));
        o->is_controller = doc_bool(doc_get_lit(it.value, "controller"), false);
        o->is_blocking = doc_bool(doc_get_lit(it.value, "blockOwnerDeletion"), false);
        d = sb_deps_of(sb, o->uid);
        if (!d) {
            d = NEW(struct sb_deps);
            d->uid = o->uid;
            map_put(&sb->deps, uid_key(&d->uid), d);
        }
        vec_push(&d->v, slot);
    }
}

/* Most writes leave the owners alone. */
static bool same_owners(const struct sb_slot *slot, const struct doc_node *meta)
{
    struct doc_iter it = doc_children(doc_get_lit(meta, "ownerReferences"));
    uint32_t i = 0;

    if (it.left != slot->owner_count)
        return false;
    for (; doc_next(&it); i++) {
        struct sb_uid uid = sb_uid_parse(doc_text(doc_get_lit(it.value, "uid"), STR_NONE));

        if (uid.a != slot->owners[i].uid.a || uid.b != slot->owners[i].uid.b ||
            doc_bool(doc_get_lit(it.value, "controller"), false) != slot->owners[i].is_controller ||
            doc_bool(doc_get_lit(it.value, "blockOwnerDeletion"), false) !=
                slot->owners[i].is_blocking)
            return false;
    }
    return true;
}

/* ---- places */

static int compare_place(const struct sb_slot *s, str ns, str name)
{
    int c = str_cmp(s->ns, ns);

    return c ? c : str_cmp(s->name, name);
}

size_t sb_lower_bound(struct sb_res *res, str ns, str name)
{
    size_t low = 0, high = res->slots.len;

    while (low < high) {
        size_t mid = (low + high) / 2;

        if (compare_place(res->slots.v[mid], ns, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct sb_slot *sb_find(struct sb_res *res, str ns, str name)
{
    size_t at = sb_lower_bound(res, ns, name);

    if (at == res->slots.len || compare_place(res->slots.v[at], ns, name) != 0)
        return NULL;
    return res->slots.v[at];
}

static struct sb_slot *slot_new(struct sandbox *sb, struct sb_res *res, const struct doc_node *meta)
{
    str ns = doc_string(doc_get_lit(meta, "namespace"), STR_NONE);
    str name = doc_string(doc_get_lit(meta, "name"), STR_NONE);
    struct sb_slot *slot = mem_zalloc(sizeof(*slot) + ns.len + name.len);
    size_t at = sb_lower_bound(res, ns, name);

    slot->res = res;
    if (ns.len)
        memcpy(slot->text, ns.p, ns.len);
    memcpy(slot->text + ns.len, name.p, name.len);
    slot->ns = (str){slot->text, ns.len};
    slot->name = (str){slot->text + ns.len, name.len};
    slot->uid = sb_uid_parse(doc_text(doc_get_lit(meta, "uid"), STR_NONE));
    vec_reserve(&res->slots, 1);
    memmove(&res->slots.v[at + 1], &res->slots.v[at],
            (res->slots.len - at) * sizeof(*res->slots.v));
    res->slots.v[at] = slot;
    res->slots.len++;
    map_remove(&sb->uids, uid_key(&slot->uid)); /* the key is borrowed from its slot */
    map_put(&sb->uids, uid_key(&slot->uid), slot);
    return slot;
}

/* ---- history */

static void event_done(struct sb_res *res, struct sb_event *ev)
{
    res->event_bytes -= ev->obj->len;
    res->dropped_rv = ev->rv;
    sb_obj_unref(ev->obj);
    sb_obj_unref(ev->prev);
}

static void drop_events(struct sb_res *res, size_t count)
{
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        event_done(res, &res->events.v[i]);
    memmove(res->events.v, res->events.v + count,
            (res->events.len - count) * sizeof(*res->events.v));
    res->events.len -= count;
}

void sb_compact_res(struct sb_res *res, uint64_t rv)
{
    drop_events(res, res->events.len);
    res->dropped_rv = rv;
}

/* Trims in batches, so that the moves cost little. */
static void trim(struct sb_res *res)
{
    size_t drop = 0, bytes = res->event_bytes;
    uint64_t needed;

    if (res->events.len < EVENTS_KEPT * (size_t)2 &&
        (res->event_bytes < EVENT_BYTES_KEPT * (size_t)2 || res->events.len < 64))
        return;
    needed = sb_watch_oldest(res);
    while (drop < res->events.len &&
           (res->events.len - drop > EVENTS_KEPT || bytes > EVENT_BYTES_KEPT)) {
        if (res->events.v[drop].rv > needed && res->events.len < EVENTS_HARD_LIMIT)
            break;
        bytes -= res->events.v[drop++].obj->len;
    }
    drop_events(res, drop);
}

static void record(struct sandbox *sb, struct sb_res *res, enum sb_event_type type,
                   struct sb_obj *obj, struct sb_obj *prev)
{
    if (sb->is_loading)
        return;
    vec_push(&res->events, {.type = type,
                            .rv = obj->rv,
                            .obj = sb_obj_ref(obj),
                            .prev = prev ? sb_obj_ref(prev) : NULL});
    res->event_bytes += obj->len;
    trim(res);
    sb_watch_notify(res);
}

/* ---- writes */

static void take_finalizers(struct sb_brief *b, const struct doc_node *list)
{
    struct doc_iter it = doc_children(list);

    b->has_finalizers = it.left > 0;
    b->is_foreground = b->is_orphaning = false;
    while (doc_next(&it)) {
        b->is_foreground |= str_eq(doc_text(it.value, STR_NONE), STR("foregroundDeletion"));
        b->is_orphaning |= str_eq(doc_text(it.value, STR_NONE), STR("orphan"));
    }
}

static void take_brief(struct sandbox *sb, struct sb_slot *slot, const struct doc_node *object)
{
    const struct doc_node *meta = doc_get_lit(object, "metadata");
    const struct doc_node *labels = doc_get_lit(meta, "labels");
    struct sb_brief *b = &slot->brief;
    str phase = doc_text(doc_at(object, "status/phase"), STR_NONE);
    struct doc_iter it = doc_children(doc_at(object, "status/conditions"));
    bool is_ready = false;
    str hash = doc_text(doc_get_lit(labels, "pod-template-hash"),
                        doc_text(doc_get_lit(labels, "controller-revision-hash"), STR_NONE));

    b->is_deleting = doc_get_lit(meta, "deletionTimestamp") != NULL;
    take_finalizers(b, doc_get_lit(meta, "finalizers"));
    b->phase = str_eq(phase, STR("Running"))     ? SB_RUNNING
               : str_eq(phase, STR("Succeeded")) ? SB_SUCCEEDED
               : str_eq(phase, STR("Failed"))    ? SB_FAILED
                                                 : SB_PENDING;
    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "type"), STR_NONE), STR("Ready")))
            is_ready = str_eq(doc_text(doc_get_lit(it.value, "status"), STR_NONE), STR("True"));
    if (is_ready && !b->is_ready)
        b->ready_since_ms = sb_wall(sb);
    b->is_ready = is_ready;
    b->template_hash = hash.len ? str_hash(hash) : 0;
}

static void set_version(struct sandbox *sb, struct doc_set *set, struct doc_node *object)
{
    char text[24];

    sb->rv++;
    snprintf(text, sizeof(text), "%llu", (unsigned long long)sb->rv);
    doc_set_string(set, doc_ensure_map(set, object, STR("metadata")), STR("resourceVersion"),
                   str_of(text));
}

struct sb_slot *sb_store(struct sandbox *sb, struct sb_res *res, struct sb_slot *slot,
                         struct doc_set *set, struct doc_node *object)
{
    const struct doc_node *meta = doc_get_lit(object, "metadata");
    struct sb_obj *prev = slot ? slot->obj : NULL;

    if (!sb->is_loading)
        set_version(sb, set, object);
    if (!slot)
        slot = slot_new(sb, res, meta);
    slot->obj = obj_new(object, sb->rv);
    if (!prev || !same_owners(slot, meta)) {
        deps_remove(sb, slot);
        deps_add(sb, slot, meta);
    }
    take_brief(sb, slot, object);
    record(sb, res, prev ? SB_MODIFIED : SB_ADDED, slot->obj, prev);
    if (prev)
        sb_addresses_free(sb, res, prev);
    sb_addresses_take(sb, res, object);
    sb_obj_unref(prev);
    sb_disk_mark(sb, slot);
    sb_ctl_notify(sb, slot, false);
    return slot;
}

static void slot_free(struct sandbox *sb, struct sb_slot *slot)
{
    deps_remove(sb, slot);
    if (sb_by_uid(sb, slot->uid) == slot)
        map_remove(&sb->uids, uid_key(&slot->uid));
    sb_obj_unref(slot->obj);
    mem_free(slot);
}

void sb_drop(struct sandbox *sb, struct sb_slot *slot, struct doc_set *set, struct doc_node *doc)
{
    struct sb_res *res = slot->res;
    struct sb_obj *last;

    set_version(sb, set, doc);
    last = obj_new(doc, sb->rv);
    vec_remove(&res->slots, sb_lower_bound(res, slot->ns, slot->name));
    sb_addresses_free(sb, res, slot->obj);
    record(sb, res, SB_DELETED, last, slot->obj);
    sb_disk_mark(sb, slot);
    sb_obj_unref(slot->obj);
    slot->obj = last;
    sb_ctl_notify(sb, slot, true);
    slot_free(sb, slot);
}

void sb_store_done(struct sandbox *sb)
{
    for (size_t i = 0; i < sb->resources.len; i++) {
        struct sb_res *res = sb->resources.v[i];

        drop_events(res, res->events.len);
        for (size_t k = 0; k < res->slots.len; k++)
            slot_free(sb, res->slots.v[k]);
        res->slots.len = 0;
    }
    map_done(&sb->deps);
    map_done(&sb->uids);
}

int64_t sb_wall(struct sandbox *sb) { return clock_wall_ms() + sb->clock_skew_ms; }

void sb_now(struct sandbox *sb, struct buf *out) { clock_rfc3339(sb_wall(sb), 0, out); }
