/* Hash maps from text to a pointer. {0} is an empty map. Keys are borrowed: they must live and stay
 * as they are while they are in the map (put them into the arena of the values). Values are
 * borrowed too. Iteration goes in insertion order; map_remove keeps it. One thread at a time. */
#pragma once
#include "base/str.h"

struct map_entry {
    str key;
    void *value;
    uint32_t hash;
    bool is_live;
};
struct map {
    struct map_entry *entries; /* in insertion order, removed ones not live */
    uint32_t *slots;           /* index + 1 into entries */
    size_t len;                /* live entries */
    size_t used, cap, slot_count;
};

void *map_get(const struct map *m, str key); /* NULL when absent */
bool map_has(const struct map *m, str key);
/* Sets the value and returns the one before, NULL when the key is new. */
void *map_put(struct map *m, str key, void *value);
void *map_remove(struct map *m, str key); /* the value that was there */
void map_done(struct map *m);             /* leaves {0}; keys and values stay */
AUTO_VALUE(struct map, map_done)

/* struct map_iter it = {0}; while (map_next(m, &it)) use(it.key, it.value); The current entry may
 * be removed. */
struct map_iter {
    str key;
    void *value;
    size_t at;
};
bool map_next(const struct map *m, struct map_iter *it);
