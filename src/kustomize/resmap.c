#include "kustomize/resmap.h"

#include "base/buf.h"
#include "base/hash.h"
#include "doc/parse.h"
#include "res/scalar.h"

enum { FIRST_SLOTS = 64 };

/* One table serves all searches; what is looked for salts the hash. */
enum salt {
    SALT_ID = 0x5bd1e995,
    SALT_NAME = 0x1b873593,
    SALT_SCOPE = 0x2c1b3c6d,
    SALT_KIND = 0x27d4eb2f
};

static uint32_t mix(uint32_t h, uint32_t text)
{
    h ^= text;
    h *= 0x9e3779b1u;
    return h ^ (h >> 15);
}

/* Of the hashes of the texts. */
static uint32_t mix_id(uint32_t name, uint32_t kind, uint32_t scope)
{
    return mix(mix(mix(SALT_ID, name), kind), scope);
}

static uint32_t mix_scope(uint32_t name, uint32_t scope)
{
    return mix(mix(SALT_SCOPE, name), scope);
}

static uint32_t hash_id(const struct res_id *id, str scope)
{
    return mix_id(hash_str(id->name), hash_str(id->gvk.kind), hash_str(scope));
}

static uint32_t hash_name(str name) { return mix(SALT_NAME, hash_str(name)); }
static uint32_t hash_scope(str name, str scope)
{
    return mix_scope(hash_str(name), hash_str(scope));
}
static uint32_t hash_kind(str kind) { return mix(SALT_KIND, hash_str(kind)); }

/* ---- the table */

static void link_entry(struct kustomize_resmap *m, uint32_t at)
{
    struct kustomize_index_entry *entry = &m->entries.v[at];
    uint32_t *slot = &m->slots[entry->hash & (m->slot_count - 1)];

    entry->next = *slot;
    *slot = at + 1;
}

static void grow_slots(struct kustomize_resmap *m, size_t entries)
{
    uint32_t count = m->slot_count ? m->slot_count : FIRST_SLOTS;

    while (count < entries)
        count *= 2;
    m->slots = mem_realloc(m->slots, count, sizeof(*m->slots));
    memset(m->slots, 0, count * sizeof(*m->slots));
    m->slot_count = count;
    for (size_t i = 0; i < m->entries.len; i++)
        link_entry(m, (uint32_t)i);
}

static void insert(struct kustomize_resmap *m, struct kustomize_resource *r, uint32_t hash)
{
    vec_push(&m->entries, {hash, 0, r});
    if (m->entries.len > m->slot_count)
        grow_slots(m, m->entries.len);
    else
        link_entry(m, (uint32_t)m->entries.len - 1);
}

static void index_hash(struct kustomize_resmap *m, struct kustomize_resource *r, uint32_t hash)
{
    if (kustomize_resource_note_index(r, hash))
        insert(m, r, hash);
}

static void index_id(struct kustomize_resmap *m, struct kustomize_resource *r,
                     const struct res_id *id, str scope, uint32_t home)
{
    uint32_t name = hash_str(id->name);

    index_hash(m, r, mix_id(name, hash_str(id->gvk.kind), hash_str(scope)));
    index_hash(m, r, mix(SALT_NAME, name));
    index_hash(m, r, mix_scope(name, home));
}

static void index_resource(struct kustomize_resmap *m, struct kustomize_resource *r)
{
    uint32_t home = hash_str(kustomize_resource_home(r));

    index_hash(m, r, hash_kind(r->id.gvk.kind));
    index_id(m, r, &r->id, r->scope, home);
    for (uint32_t i = 0; i < r->previous_count; i++)
        index_id(m, r, &r->previous[i], res_effective_ns(&r->previous[i]), home);
    r->index_state = KUSTOMIZE_INDEXED;
}

static bool is_in(const struct kustomize_resmap *m, const struct kustomize_resource *r)
{
    return r->at < m->list.len && m->list.v[r->at] == r;
}

/* So that current ids can be looked for. */
static void index_changed(struct kustomize_resmap *m)
{
    for (size_t i = 0; i < m->changed.len; i++)
        if (is_in(m, m->changed.v[i]) && m->changed.v[i]->index_state == KUSTOMIZE_CHANGED)
            index_resource(m, m->changed.v[i]);
    m->changed.len = 0;
}

static void index_all(struct kustomize_resmap *m)
{
    index_changed(m);
    for (size_t i = 0; i < m->added.len; i++)
        if (is_in(m, m->added.v[i]) && m->added.v[i]->index_state == KUSTOMIZE_ADDED)
            index_resource(m, m->added.v[i]);
    m->added.len = 0;
}

/* ---- the list */

void kustomize_resmap_done(struct kustomize_resmap *m)
{
    vec_done(&m->list);
    vec_done(&m->added);
    vec_done(&m->changed);
    vec_done(&m->entries);
    mem_free(m->slots);
    *m = (struct kustomize_resmap){0};
}

struct kustomize_resource *kustomize_resmap_next(const struct kustomize_resmap *m, size_t *at)
{
    while (*at < m->list.len) {
        struct kustomize_resource *r = m->list.v[(*at)++];

        if (r)
            return r;
    }
    return NULL;
}

/* The first resource with the same current id, or NULL. */
static struct kustomize_resource *find_current(struct kustomize_resmap *m,
                                               const struct kustomize_resource *like)
{
    uint32_t hash = hash_id(&like->id, like->scope), at;

    index_changed(m);
    at = m->slot_count ? m->slots[hash & (m->slot_count - 1)] : 0;
    for (; at; at = m->entries.v[at - 1].next) {
        struct kustomize_resource *r = m->entries.v[at - 1].r;

        if (m->entries.v[at - 1].hash == hash && !r->is_removed && r != like &&
            str_eq(r->scope, like->scope) && res_gvkn_eq(&r->id, &like->id))
            return r;
    }
    return NULL;
}

static int refuse_twin(const struct kustomize_resource *r, const struct kustomize_resource *twin,
                       struct err *e)
{
    AUTO(buf_done) struct buf id = {0};
    AUTO(diag_list_done) struct diag_list diags = {0};
    struct doc_place first = doc_place(twin->set, twin->root);
    struct diag *d;

    res_id_print(&r->id, &id);
    d = doc_diag(&diags, r->set, r->root, false, "resource.twin",
                 "may not add resource with an already registered id: %s", buf_cstr(&id));
    if (first.line)
        d->hint = arena_printf(&diags.arena, "the first one is at %.*s:%u", STR_ARG(first.origin),
                               first.line);
    err_diags(e, &diags);
    e->kind = ERR_EXISTS;
    return -1;
}

int kustomize_resmap_check_twin(struct kustomize_resmap *m, const struct kustomize_resource *r,
                                struct err *e)
{
    const struct kustomize_resource *twin = find_current(m, r);

    return twin ? refuse_twin(r, twin, e) : 0;
}

static void append(struct kustomize_resmap *m, struct kustomize_resource *r)
{
    r->is_removed = false;
    r->at = m->list.len;
    vec_push(&m->list, r);
    m->has_empty |= kustomize_resource_is_empty(r);
    index_hash(m, r, hash_id(&r->id, r->scope));
    r->index_state = KUSTOMIZE_ADDED;
    vec_push(&m->added, r);
}

int kustomize_resmap_append(struct kustomize_resmap *m, struct kustomize_resource *r, struct err *e)
{
    if (kustomize_resmap_check_twin(m, r, e) < 0)
        return -1;
    r->indexed_count = 0;
    r->seen = 0;
    append(m, r);
    return 0;
}

int kustomize_resmap_check_twins(struct kustomize_resmap *m, struct err *e)
{
    const struct kustomize_resource *r;

    for (size_t at = 0; m->has_new_names && (r = kustomize_resmap_next(m, &at));)
        if (!kustomize_resource_is_empty(r) && kustomize_resmap_check_twin(m, r, e) < 0)
            return -1;
    m->has_new_names = false;
    return 0;
}

int kustomize_resmap_append_all(struct kustomize_resmap *m, struct kustomize_resmap *other,
                                struct err *e)
{
    AUTO(kustomize_resmap_done) struct kustomize_resmap from = *other;
    struct kustomize_resource *r;

    *other = (struct kustomize_resmap){0};
    if (m->entries.len == 0) { /* the first base: take it over, index and all */
        struct kustomize_resmap empty = *m;

        *m = from;
        from = empty;
        return kustomize_resmap_check_twins(m, e);
    }
    for (size_t at = 0; (r = kustomize_resmap_next(&from, &at));)
        if (kustomize_resmap_append(m, r, e) < 0)
            return -1;
    return 0;
}

void kustomize_resmap_remove(struct kustomize_resmap *m, struct kustomize_resource *r)
{
    assert(!r->is_removed && m->list.v[r->at] == r);
    m->list.v[r->at] = NULL;
    m->removed++;
    r->is_removed = true;
}

void kustomize_resmap_close(struct kustomize_resmap *m)
{
    size_t to = 0;

    for (size_t i = 0; i < m->list.len && m->removed; i++)
        if (m->list.v[i]) {
            m->list.v[i]->at = to;
            m->list.v[to++] = m->list.v[i];
        }
    if (m->removed)
        m->list.len = to;
    m->removed = 0;
}

void kustomize_resmap_drop_empty(struct kustomize_resmap *m)
{
    struct kustomize_resource *r;

    if (m->has_empty)
        for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
            if (kustomize_resource_is_empty(r))
                kustomize_resmap_remove(m, r);
    m->has_empty = false;
    if (m->removed > m->list.len / 2)
        kustomize_resmap_close(m);
}

struct order {
    kustomize_compare_fn *compare;
    const void *ctx;
};

static int compare_two(const void *a, const void *b, void *order)
{
    const struct kustomize_resource *x = *(struct kustomize_resource *const *)a,
                                    *y = *(struct kustomize_resource *const *)b;
    const struct order *o = order;
    int c = o->compare(o->ctx, x, y);

    return c ? c : (x->at > y->at) - (x->at < y->at);
}

void kustomize_resmap_sort(struct kustomize_resmap *m, kustomize_compare_fn *compare,
                           const void *ctx)
{
    struct order o = {compare, ctx};

    kustomize_resmap_close(m);
    if (m->list.len > 1)
        qsort_r(m->list.v, m->list.len, sizeof(*m->list.v), compare_two, &o);
    for (size_t i = 0; i < m->list.len; i++)
        m->list.v[i]->at = i;
}

/* ---- changes */

void kustomize_resmap_remember(struct kustomize_resmap *m UNUSED, struct kustomize_resource *r)
{
    kustomize_resource_remember(r);
}

static bool is_remembered(const struct kustomize_resource *r, const struct res_id *was)
{
    const struct res_id *last = r->previous_count ? &r->previous[r->previous_count - 1] : NULL;

    return last && str_eq(last->name, was->name) && str_eq(last->ns, was->ns) &&
           str_eq(last->gvk.kind, was->gvk.kind);
}

void kustomize_resmap_refresh(struct kustomize_resmap *m, struct kustomize_resource *r)
{
    struct res_id was = r->id;
    str scope = r->scope;

    kustomize_resource_read_id(r);
    m->has_empty |= kustomize_resource_is_empty(r);
    if (!str_eq(was.name, r->id.name) || !str_eq(scope, r->scope) ||
        !res_gvk_eq(&was.gvk, &r->id.gvk)) {
        r->is_traceless |= !is_remembered(r, &was);
        if (r->index_state != KUSTOMIZE_CHANGED)
            vec_push(&m->changed, r);
        r->index_state = KUSTOMIZE_CHANGED;
    }
}

void kustomize_resmap_mark_cluster(struct kustomize_resmap *m, struct kustomize_resource *r)
{
    if (r->is_cluster)
        return;
    r->is_cluster = true;
    if (r->index_state == KUSTOMIZE_INDEXED) {
        vec_push(&m->changed, r);
        r->index_state = KUSTOMIZE_CHANGED;
    }
}

void kustomize_resmap_rename(struct kustomize_resmap *m, struct kustomize_resource *r, str name)
{
    struct doc_node *meta = doc_ensure_map(r->set, r->root, STR("metadata"));

    kustomize_resource_remember(r);
    if (meta && name.len)
        res_scalar_put_loose(r->set, meta, STR("name"), name);
    else if (meta)
        doc_remove(meta, STR("name"));
    kustomize_resmap_refresh(m, r);
}

/* ---- searches */

struct wanted {
    const struct res_id *id;
    str name, scope;
};
typedef bool match_fn(const struct kustomize_resource *r, const struct wanted *w);

static int by_place(const void *a, const void *b)
{
    const struct kustomize_resource *x = *(struct kustomize_resource *const *)a,
                                    *y = *(struct kustomize_resource *const *)b;

    return (x->at > y->at) - (x->at < y->at);
}

static void search_entered(struct kustomize_resmap *m, uint32_t hash, match_fn *match,
                           const struct wanted *w, struct kustomize_found *ret)
{
    uint32_t at = m->slot_count ? m->slots[hash & (m->slot_count - 1)] : 0;
    bool is_sorted = true;

    ret->len = 0;
    m->stamp++;
    for (; at; at = m->entries.v[at - 1].next) {
        struct kustomize_resource *r = m->entries.v[at - 1].r;

        if (m->entries.v[at - 1].hash != hash || r->is_removed || r->seen == m->stamp)
            continue;
        r->seen = m->stamp;
        if (!match(r, w))
            continue;
        is_sorted = is_sorted && (ret->len == 0 || ret->v[ret->len - 1]->at < r->at);
        vec_push(ret, r);
    }
    if (!is_sorted)
        vec_sort(ret, by_place);
}

static void search(struct kustomize_resmap *m, uint32_t hash, match_fn *match,
                   const struct wanted *w, struct kustomize_found *ret)
{
    index_all(m);
    search_entered(m, hash, match, w, ret);
}

static bool has_id(const struct kustomize_resource *r, const struct wanted *w)
{
    return str_eq(r->scope, w->scope) && res_gvkn_eq(&r->id, w->id);
}

static bool had_id(const struct kustomize_resource *r, const struct wanted *w)
{
    return kustomize_resource_had_id(r, w->id);
}

static bool had_name(const struct kustomize_resource *r, const struct wanted *w)
{
    return kustomize_resource_had_name(r, w->name);
}

static bool had_name_in(const struct kustomize_resource *r, const struct wanted *w)
{
    return str_eq(kustomize_resource_home(r), w->scope) && kustomize_resource_had_name(r, w->name);
}

static bool has_kind(const struct kustomize_resource *r, const struct wanted *w)
{
    return str_eq(r->id.gvk.kind, w->name);
}

void kustomize_resmap_by_current_id(struct kustomize_resmap *m, const struct res_id *id,
                                    struct kustomize_found *ret)
{
    str scope = res_effective_ns(id);

    index_changed(m);
    search_entered(m, hash_id(id, scope), has_id, &(struct wanted){.id = id, .scope = scope}, ret);
}

void kustomize_resmap_by_any_id(struct kustomize_resmap *m, const struct res_id *id,
                                struct kustomize_found *ret)
{
    search(m, hash_id(id, res_effective_ns(id)), had_id, &(struct wanted){.id = id}, ret);
}

void kustomize_resmap_by_name(struct kustomize_resmap *m, str name, struct kustomize_found *ret)
{
    search(m, hash_name(name), had_name, &(struct wanted){.name = name}, ret);
}

void kustomize_resmap_by_name_in(struct kustomize_resmap *m, str name, str scope,
                                 struct kustomize_found *ret)
{
    search(m, hash_scope(name, scope), had_name_in, &(struct wanted){.name = name, .scope = scope},
           ret);
}

void kustomize_resmap_by_kind(struct kustomize_resmap *m, str kind, struct kustomize_found *ret)
{
    search(m, hash_kind(kind), has_kind, &(struct wanted){.name = kind}, ret);
}

static int refuse_get(const char *what, const struct res_id *id, enum err_kind kind, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    res_id_print(id, &text);
    return err_set(e, kind, "%s matches for Id %s; failed to find unique target for patch %s", what,
                   buf_cstr(&text), buf_cstr(&text));
}

struct kustomize_resource *kustomize_resmap_get(struct kustomize_resmap *m, const struct res_id *id,
                                                struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};

    kustomize_resmap_by_any_id(m, id, &found);
    if (found.len == 1)
        return found.v[0];
    if (found.len)
        refuse_get("multiple", id, ERR_CONFLICT, e);
    else
        refuse_get("no", id, ERR_NOT_FOUND, e);
    return NULL;
}
