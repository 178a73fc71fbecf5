#include "base/map.h"

#include "base/mem.h"

static size_t slot_of(const struct map *m, str key, uint32_t hash)
{
    size_t mask = m->slot_count - 1;
    size_t at = hash & mask;

    for (;; at = (at + 1) & mask) {
        const struct map_entry *e;

        if (m->slots[at] == 0)
            return at;
        e = &m->entries[m->slots[at] - 1];
        if (e->is_live && e->hash == hash && str_eq(e->key, key))
            return at;
    }
}

static struct map_entry *find(const struct map *m, str key)
{
    size_t at;

    if (m->len == 0)
        return NULL;
    at = slot_of(m, key, str_hash(key));
    return m->slots[at] ? &m->entries[m->slots[at] - 1] : NULL;
}

void *map_get(const struct map *m, str key)
{
    struct map_entry *e = find(m, key);

    return e ? e->value : NULL;
}

bool map_has(const struct map *m, str key) { return find(m, key) != NULL; }

/* Makes room for one more entry: drops dead ones, and doubles when that is not enough. */
static void rebuild(struct map *m)
{
    size_t live = 0;

    for (size_t i = 0; i < m->used; i++)
        if (m->entries[i].is_live)
            m->entries[live++] = m->entries[i];
    m->used = live;
    if (m->used >= m->cap / 2) {
        m->cap = MAX(m->cap * 2, (size_t)8);
        m->entries = mem_realloc(m->entries, m->cap, sizeof(*m->entries));
        m->slot_count = m->cap * 2;
        m->slots = mem_realloc(m->slots, m->slot_count, sizeof(*m->slots));
    }
    memset(m->slots, 0, m->slot_count * sizeof(*m->slots));
    for (size_t i = 0; i < m->used; i++)
        m->slots[slot_of(m, m->entries[i].key, m->entries[i].hash)] = (uint32_t)i + 1;
}

void *map_put(struct map *m, str key, void *value)
{
    struct map_entry *e = find(m, key);
    uint32_t hash;

    if (e) {
        void *before = e->value;

        e->value = value;
        return before;
    }
    if (m->used == m->cap)
        rebuild(m);
    hash = str_hash(key);
    m->entries[m->used] = (struct map_entry){key, value, hash, true};
    m->slots[slot_of(m, key, hash)] = (uint32_t)++m->used;
    m->len++;
    return NULL;
}

void *map_remove(struct map *m, str key)
{
    struct map_entry *e = find(m, key);

    if (!e)
        return NULL;
    e->is_live = false;
    m->len--;
    return e->value;
}

void map_done(struct map *m)
{
    mem_free(m->entries);
    mem_free(m->slots);
    *m = (struct map){0};
}

bool map_next(const struct map *m, struct map_iter *it)
{
    while (it->at < m->used) {
        const struct map_entry *e = &m->entries[it->at++];

        if (e->is_live) {
            it->key = e->key;
            it->value = e->value;
            return true;
        }
    }
    return false;
}
