/* Finding the types that a server serves: one index, made on first use and again once when a kind
 * is not in it. */
#include "kube/discovery_priv.h"
#include "kube/turn_priv.h"
#include "sys/thread.h"

struct types {
    const struct kube_type **v;
    size_t len, cap;
};
static void types_done(struct types *t) { vec_done(t); }
AUTO_VALUE(struct types, types_done)

struct names { /* of a type, beside what struct kube_type has */
    str short_names[8];
    size_t count;
};

struct kube_discovery {
    struct kube *k;
    struct kube_turn turn;    /* of asking the server */
    struct arena arena;       /* types; of the thread whose turn it is */
    struct map all;           /* "g/v/plural/kind" → struct type: whatever was ever served */
    pthread_mutex_t lock;     /* of what follows */
    struct kube_index *index; /* of now; NULL: not asked yet */
    uint64_t generation;      /* counts the indexes made */
};

struct type {
    struct kube_type t; /* what others see */
    struct names names;
};

struct kube_discovery *kube_discovery_new(struct kube *k)
{
    struct kube_discovery *d = NEW(struct kube_discovery);

    d->k = k;
    pthread_mutex_init(&d->lock, NULL);
    kube_turn_init(&d->turn);
    return d;
}

static void index_free(struct kube_index *index)
{
    if (!index)
        return;
    vec_done(&index->types);
    map_done(&index->by_kind);
    map_done(&index->by_name);
    arena_done(&index->keys);
    mem_free(index);
}
AUTO_PTR(struct kube_index, index_free)

void kube_discovery_free(struct kube_discovery *d)
{
    if (!d)
        return;
    index_free(d->index);
    map_done(&d->all);
    arena_done(&d->arena);
    pthread_mutex_destroy(&d->lock);
    kube_turn_done(&d->turn);
    mem_free(d);
}

/* ---- making an index */
struct builder {
    struct kube_discovery *d;
    struct kube_index *index;
};

static bool is_same(const struct kube_type *a, const struct kube_type *b)
{
    return str_eq(a->singular, b->singular) && a->namespaced == b->namespaced &&
           a->has_status == b->has_status && a->has_scale == b->has_scale &&
           a->can_watch == b->can_watch && a->can_list == b->can_list;
}

static bool has_same_names(const struct names *names, const struct doc_node *short_names)
{
    struct doc_iter it = doc_children(short_names);
    size_t i = 0;

    while (i < ARRAY_LEN(names->short_names) && doc_next(&it))
        if (i >= names->count || !str_eq(names->short_names[i++], doc_string(it.value, STR_NONE)))
            return false;
    return i == names->count;
}

static struct type *type_copy(struct arena *a, const struct kube_type *like,
                              const struct doc_node *short_names)
{
    struct type *type = ARENA_NEW(a, struct type);
    struct doc_iter it = doc_children(short_names);

    type->t = *like;
    type->t.group = arena_dup(a, like->group);
    type->t.version = arena_dup(a, like->version);
    type->t.kind = arena_dup(a, like->kind);
    type->t.plural = arena_dup(a, like->plural);
    type->t.singular = arena_dup(a, like->singular);
    while (type->names.count < ARRAY_LEN(type->names.short_names) && doc_next(&it))
        type->names.short_names[type->names.count++] = arena_dup(a, doc_string(it.value, STR_NONE));
    return type;
}

static str kind_key(struct arena *a, str group, str version, str kind)
{
    return arena_printf(a, "%.*s%s%.*s/%.*s", STR_ARG(group), group.len ? "/" : "",
                        STR_ARG(version), STR_ARG(kind));
}

static void put_first(struct map *m, str key, const struct type *type)
{
    if (key.len && !map_has(m, key))
        map_put(m, key, (void *)type);
}

static const struct kube_type *add_type(void *ctx, const struct kube_type *like,
                                        const struct doc_node *short_names)
{
    struct builder *b = ctx;
    struct arena *keys = &b->index->keys;
    str key = arena_printf(keys, "%.*s/%.*s/%.*s/%.*s", STR_ARG(like->group),
                           STR_ARG(like->version), STR_ARG(like->plural), STR_ARG(like->kind));
    struct type *type = map_get(&b->d->all, key);

    if (!type || !is_same(&type->t, like) || !has_same_names(&type->names, short_names)) {
        type = type_copy(&b->d->arena, like, short_names);
        map_put(&b->d->all, arena_dup(&b->d->arena, key), type);
    }
    vec_push(&b->index->types, &type->t);
    put_first(&b->index->by_kind, kind_key(keys, like->group, like->version, like->kind), type);
    return &type->t;
}

static str lower(struct arena *a, str text)
{
    str copy = arena_dup(a, text);

    for (size_t i = 0; i < copy.len; i++)
        if (copy.p[i] >= 'A' && copy.p[i] <= 'Z')
            ((char *)copy.p)[i] |= 0x20;
    return copy;
}

/* "deployments", "deployments.apps", "deployments.v1.apps"; "pods.v1" in the core group. */
static void put_name(struct kube_index *index, str name, const struct type *type)
{
    struct arena *a = &index->keys;
    const struct kube_type *t = &type->t;

    if (name.len == 0)
        return;
    name = lower(a, name);
    put_first(&index->by_name, name, type);
    if (t->group.len)
        put_first(&index->by_name, arena_printf(a, "%.*s.%.*s", STR_ARG(name), STR_ARG(t->group)),
                  type);
    put_first(&index->by_name,
              arena_printf(a, t->group.len ? "%.*s.%.*s.%.*s" : "%.*s.%.*s%.*s", STR_ARG(name),
                           STR_ARG(t->version), STR_ARG(t->group)),
              type);
}

/* Full names of every type go before short names of any. */
static void add_names(struct kube_index *index)
{
    for (size_t i = 0; i < index->types.len; i++) {
        const struct type *type = CONTAINER_OF(index->types.v[i], struct type, t);

        put_name(index, type->t.plural, type);
        put_name(index, type->t.singular, type);
        put_name(index, type->t.kind, type);
    }
    for (size_t i = 0; i < index->types.len; i++) {
        const struct type *type = CONTAINER_OF(index->types.v[i], struct type, t);

        for (size_t n = 0; n < type->names.count; n++)
            put_name(index, type->names.short_names[n], type);
    }
}

/* ---- one thread asks */
typedef struct map *pick_fn(struct kube_index *index);

/* What the index of now has for the key; *ret_generation says which index that was, 0 none. */
static const struct type *look_up(struct kube_discovery *d, pick_fn *pick, str key,
                                  uint64_t *ret_generation)
{
    LOCK_SCOPE(&d->lock);
    *ret_generation = d->index ? d->generation : 0;
    return d->index ? map_get(pick(d->index), key) : NULL;
}

static int fetch(struct kube_discovery *d, struct cancel *cancel, struct err *e)
{
    AUTO(index_free) struct kube_index *index = NEW(struct kube_index);
    struct builder b = {.d = d, .index = index};

    if (kube_discovery_fetch(d->k, cancel, add_type, &b, e) < 0)
        return -1;
    add_names(index);
    LOCK_SCOPE(&d->lock);
    index_free(d->index);
    d->index = TAKE(index);
    d->generation++;
    return 0;
}

/* Asks the server, unless another thread has since the index `seen` was looked at. */
static int ask(struct kube_discovery *d, uint64_t seen, struct cancel *cancel, struct err *e)
{
    uint64_t now;
    int rc = 0;

    if (kube_turn_take(&d->turn, cancel, e) < 0)
        return -1;
    pthread_mutex_lock(&d->lock);
    now = d->index ? d->generation : 0;
    pthread_mutex_unlock(&d->lock);
    if (now <= seen)
        rc = fetch(d, cancel, e);
    kube_turn_leave(&d->turn);
    return rc;
}

static struct map *pick_kinds(struct kube_index *index) { return &index->by_kind; }
static struct map *pick_names(struct kube_index *index) { return &index->by_name; }

/* NULL with e empty: not served. */
static const struct kube_type *find(struct kube *k, pick_fn *pick, str key, struct cancel *cancel,
                                    struct err *e)
{
    uint64_t seen;
    const struct type *type = look_up(k->discovery, pick, key, &seen);

    if (!type) {
        if (ask(k->discovery, seen, cancel, e) < 0)
            return NULL;
        type = look_up(k->discovery, pick, key, &seen);
    }
    return type ? &type->t : NULL;
}

const struct kube_type *kube_type_of(struct kube *k, str api_version, str kind,
                                     struct cancel *cancel, struct err *e)
{
    AUTO(buf_done) struct buf key = {0};
    const struct kube_type *type;

    buf_addf(&key, "%.*s/%.*s", STR_ARG(api_version), STR_ARG(kind));
    type = find(k, pick_kinds, buf_view(&key), cancel, e);
    if (!type && e->kind == ERR_NONE)
        err_set(e, ERR_NOT_FOUND,
                "the cluster does not serve kind \"%.*s\" of \"%.*s\"; is its "
                "CustomResourceDefinition installed, and this version of it served?",
                STR_ARG(kind), STR_ARG(api_version));
    return type;
}

const struct kube_type *kube_type_named(struct kube *k, str name, struct cancel *cancel,
                                        struct err *e)
{
    AUTO(arena_done) struct arena a = {0};
    const struct kube_type *type = find(k, pick_names, lower(&a, name), cancel, e);

    if (!type && e->kind == ERR_NONE)
        err_set(e, ERR_NOT_FOUND,
                "the cluster does not serve a resource type \"%.*s\"; is its "
                "CustomResourceDefinition installed?",
                STR_ARG(name));
    return type;
}

/* The types of now, borrowed for the client's life; the vector is the caller's. 0 with none:
 * nothing was asked yet. */
static void types_of_now(struct kube_discovery *d, struct types *ret, uint64_t *ret_generation)
{
    LOCK_SCOPE(&d->lock);
    *ret_generation = d->index ? d->generation : 0;
    for (size_t i = 0; d->index && i < d->index->types.len; i++)
        vec_push(ret, d->index->types.v[i]);
}

int kube_each_type(struct kube *k, struct cancel *cancel, kube_each_type_fn *on_type, void *ctx,
                   struct err *e)
{
    AUTO(types_done) struct types types = {0};
    uint64_t seen;

    types_of_now(k->discovery, &types, &seen);
    if (!seen) {
        if (ask(k->discovery, seen, cancel, e) < 0)
            return -1;
        types_of_now(k->discovery, &types, &seen);
    }
    for (size_t i = 0; i < types.len; i++)
        if (on_type(ctx, types.v[i]))
            break;
    return 0;
}

void kube_discovery_reset(struct kube *k)
{
    struct kube_discovery *d = k->discovery;

    LOCK_SCOPE(&d->lock);
    index_free(d->index);
    d->index = NULL;
}
