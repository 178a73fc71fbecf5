#include "kube/watch_priv.h"

#include "base/mem.h"

struct known {
    uint64_t version; /* resourceVersion: only ever compared for equality */
    uint32_t round;   /* of the last list that had it */
    uint32_t ns_len, name_len, uid_len;
    char text[]; /* "ns/nameuid" */
};

static str known_key(const struct known *k) { return (str){k->text, k->ns_len + 1 + k->name_len}; }

static uint64_t version_of(const struct doc_node *metadata)
{
    str text = doc_string(doc_get_lit(metadata, "resourceVersion"), STR_NONE);
    uint64_t number;

    if (str_to_uint64(text, &number))
        return number;
    return (uint64_t)1 << 63 | str_hash(text); /* opaque, by the letter of the API */
}

static struct known *known_new(str ns, str name, str uid)
{
    struct known *k = mem_alloc(sizeof(*k) + ns.len + 1 + name.len + uid.len);
    char *p = k->text;

    *k = (struct known){
        .ns_len = (uint32_t)ns.len, .name_len = (uint32_t)name.len, .uid_len = (uint32_t)uid.len};
    if (ns.len)
        memcpy(p, ns.p, ns.len);
    p[ns.len] = '/';
    memcpy(p + ns.len + 1, name.p, name.len);
    if (uid.len)
        memcpy(p + ns.len + 1 + name.len, uid.p, uid.len);
    return k;
}

static bool has_uid(const struct known *k, str uid)
{
    return str_eq((str){k->text + k->ns_len + 1 + k->name_len, k->uid_len}, uid);
}

static void tell(struct watch_history *h, enum kube_event_type type, struct doc_set *set,
                 struct doc_node *object)
{
    struct kube_event ev = {.type = type, .set = set, .object = object};

    if (!h->is_ended)
        h->is_ended = h->on_event(h->ctx, &ev) != 0;
}

static void forget(struct watch_history *h, struct known *k)
{
    map_remove(&h->known, known_key(k));
    mem_free(k);
}

/* What was never heard to go: all that is left of it is its name. */
static void tell_vanished(struct watch_history *h, struct known *k)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *object = doc_new_map(set), *metadata;
    const struct kube_type *t = h->type;
    str key = known_key(k);

    doc_set_string(set, object, STR("apiVersion"),
                   t->group.len ? arena_printf(&set->arena, "%.*s/%.*s", STR_ARG(t->group),
                                               STR_ARG(t->version))
                                : t->version);
    doc_set_string(set, object, STR("kind"), t->kind);
    metadata = doc_ensure_map(set, object, STR("metadata"));
    doc_set_string(set, metadata, STR("name"), str_from(key, k->ns_len + 1));
    if (k->ns_len)
        doc_set_string(set, metadata, STR("namespace"), str_sub(key, 0, k->ns_len));
    doc_set_string(set, metadata, STR("uid"), (str){key.p + key.len, k->uid_len});
    tell(h, KUBE_DELETED, set, object);
}

/* An object as it is now: told when that is news. */
static void see(struct watch_history *h, struct doc_set *set, struct doc_node *object)
{
    const struct doc_node *metadata = doc_get_lit(object, "metadata");
    str ns = doc_string(doc_get_lit(metadata, "namespace"), STR_NONE);
    str name = doc_string(doc_get_lit(metadata, "name"), STR_NONE);
    str uid = doc_string(doc_get_lit(metadata, "uid"), STR_NONE);
    uint64_t version = version_of(metadata);
    char text[600]; /* API servers allow 63 + 253 bytes */
    struct known *k;
    bool is_new;

    if (name.len == 0 || ns.len + 1 + name.len > sizeof(text))
        return;
    if (ns.len)
        memcpy(text, ns.p, ns.len);
    text[ns.len] = '/';
    memcpy(text + ns.len + 1, name.p, name.len);
    k = map_get(&h->known, (str){text, ns.len + 1 + name.len});
    if (k && !has_uid(k, uid)) { /* another one of that name: the first went unheard */
        tell_vanished(h, k);
        forget(h, k);
        k = NULL;
    }
    is_new = !k;
    if (is_new) {
        k = known_new(ns, name, uid);
        map_put(&h->known, known_key(k), k);
    }
    k->round = h->round;
    if (!is_new && k->version == version)
        return;
    k->version = version;
    tell(h, is_new ? KUBE_ADDED : KUBE_MODIFIED, set, object);
}

void watch_change(struct watch_history *h, enum kube_event_type type, struct doc_set *set,
                  struct doc_node *object)
{
    AUTO(buf_done) struct buf key = {0};
    struct known *k;
    str ns = doc_string(doc_at(object, "metadata/namespace"), STR_NONE);
    str name = doc_string(doc_at(object, "metadata/name"), STR_NONE);

    if (type != KUBE_DELETED) {
        see(h, set, object);
        return;
    }
    buf_addf(&key, "%.*s/%.*s", STR_ARG(ns), STR_ARG(name));
    k = map_get(&h->known, buf_view(&key));
    if (!k || !has_uid(k, doc_string(doc_at(object, "metadata/uid"), STR_NONE)))
        return; /* told already */
    tell(h, KUBE_DELETED, set, object);
    forget(h, k);
}

void watch_list_begin(struct watch_history *h) { h->round++; }

void watch_list_object(struct watch_history *h, struct doc_set *set, struct doc_node *object)
{
    see(h, set, object);
}

void watch_list_end(struct watch_history *h)
{
    struct map_iter it = {0};

    while (!h->is_ended && map_next(&h->known, &it)) {
        struct known *k = it.value;

        if (k->round == h->round)
            continue;
        tell_vanished(h, k);
        forget(h, k);
    }
    tell(h, KUBE_SYNCED, NULL, NULL);
}

void watch_history_done(struct watch_history *h)
{
    struct map_iter it = {0};

    while (map_next(&h->known, &it))
        mem_free(it.value);
    map_done(&h->known);
}
