/* Maps that templates make and change: entries in an arena, sorted when someone walks them. */
#include "expr/gotmpl/value.h"

enum { SCANNED = 12 /* entries that are looked through one by one */ };

struct tmpl_map {
    struct arena *arena;
    struct tmpl_entry *v;
    uint32_t *slots; /* index + 1; NULL: few entries */
    size_t len, cap, slot_count;
    enum tmpl_elem elem;
    bool is_sorted;
    tmpl_fill_fn *fill; /* not called yet, or NULL */
    void *fill_ctx;
};

struct tmpl_map *tmpl_map_new(struct arena *arena, enum tmpl_elem elem)
{
    struct tmpl_map *map = ARENA_NEW(arena, struct tmpl_map);

    map->arena = arena;
    map->elem = elem;
    map->is_sorted = true;
    return map;
}

void tmpl_map_fill_late(struct tmpl_map *map, tmpl_fill_fn *fill, void *ctx)
{
    map->fill = fill;
    map->fill_ctx = ctx;
}

/* Before anything of the map is read or changed. */
static inline void fill_now(struct tmpl_map *map)
{
    tmpl_fill_fn *fill = map->fill;

    map->fill = NULL;
    if (UNLIKELY(fill != NULL))
        fill(map->fill_ctx, tmpl_map_value(map));
}

static void index_entry(struct tmpl_map *map, size_t at)
{
    size_t slot = str_hash(map->v[at].key) & (map->slot_count - 1);

    while (map->slots[slot])
        slot = (slot + 1) & (map->slot_count - 1);
    map->slots[slot] = (uint32_t)at + 1;
}

static void reindex(struct tmpl_map *map)
{
    if (map->len <= SCANNED) {
        map->slots = NULL;
        return;
    }
    if (!map->slots || map->len * 2 > map->slot_count) {
        map->slot_count = 64;
        while (map->slot_count < map->len * 4)
            map->slot_count *= 2;
        map->slots = arena_alloc(map->arena, map->slot_count * sizeof(*map->slots));
    }
    memset(map->slots, 0, map->slot_count * sizeof(*map->slots));
    for (size_t i = 0; i < map->len; i++)
        index_entry(map, i);
}

static struct tmpl_entry *find(struct tmpl_map *map, str key)
{
    fill_now(map);
    if (!map->slots) {
        for (size_t i = 0; i < map->len; i++)
            if (str_eq(map->v[i].key, key))
                return &map->v[i];
        return NULL;
    }
    for (size_t slot = str_hash(key) & (map->slot_count - 1); map->slots[slot];
         slot = (slot + 1) & (map->slot_count - 1))
        if (str_eq(map->v[map->slots[slot] - 1].key, key))
            return &map->v[map->slots[slot] - 1];
    return NULL;
}

void tmpl_map_set(struct tmpl_map *map, str key, struct tmpl_value value)
{
    struct tmpl_entry *entry = find(map, key);

    if (entry) {
        entry->value = value;
        return;
    }
    if (map->len == map->cap) {
        struct tmpl_entry *old = map->v;

        map->cap = map->cap ? map->cap * 2 : 4;
        map->v = arena_alloc(map->arena, map->cap * sizeof(*map->v));
        if (map->len)
            memcpy(map->v, old, map->len * sizeof(*map->v));
    }
    if (map->len && str_cmp(map->v[map->len - 1].key, key) > 0)
        map->is_sorted = false;
    map->v[map->len++] = (struct tmpl_entry){key, value};
    if (map->slots && map->len * 2 <= map->slot_count)
        index_entry(map, map->len - 1);
    else if (map->len > SCANNED)
        reindex(map);
}

bool tmpl_map_get(struct tmpl_map *map, str key, struct tmpl_value *ret)
{
    const struct tmpl_entry *entry = map ? find(map, key) : NULL;

    if (entry)
        *ret = entry->value;
    return entry;
}

bool tmpl_map_remove(struct tmpl_map *map, str key)
{
    struct tmpl_entry *entry = map ? find(map, key) : NULL;
    size_t at;

    if (!entry)
        return false;
    at = (size_t)(entry - map->v);
    memmove(entry, entry + 1, (map->len - at - 1) * sizeof(*entry));
    map->len--;
    reindex(map);
    return true;
}

size_t tmpl_map_len(struct tmpl_map *map)
{
    if (map)
        fill_now(map);
    return map ? map->len : 0;
}

static enum tmpl_elem tmpl_map_elem(const struct tmpl_map *map)
{
    return map ? map->elem : TMPL_ANY;
}

static int compare_entries(const void *a, const void *b)
{
    return str_cmp(((const struct tmpl_entry *)a)->key, ((const struct tmpl_entry *)b)->key);
}

const struct tmpl_entry *tmpl_map_entries(struct tmpl_map *map, size_t *ret_count)
{
    *ret_count = tmpl_map_len(map);
    if (!map)
        return NULL;
    if (!map->is_sorted) {
        qsort(map->v, map->len, sizeof(*map->v), compare_entries);
        map->is_sorted = true;
        reindex(map);
    }
    return map->v;
}

struct tmpl_value tmpl_map_value(struct tmpl_map *map)
{
    return (struct tmpl_value){.type = TMPL_MAP, .elem = (uint8_t)tmpl_map_elem(map), .map = map};
}
