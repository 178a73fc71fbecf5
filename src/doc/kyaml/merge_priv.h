/* What the two- and three-way merges share. */
#pragma once
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "doc/kyaml/merge.h"

enum { KYAML_MAX_DEPTH = 1000 };

/* A place in the schema, or in a schema that a comment brought. */
struct kyaml_place {
    doc_shape shape;
    bool is_own; /* a comment described a list: own and item count instead of shape */
    struct doc_shape_info own;
    doc_shape item;
};

struct kyaml {
    struct doc_set *set;
    const struct doc_schema *schema;
    unsigned flags;
    int depth;
    struct err *e;
};

/* One level deeper; the way back is k->depth--. */
static inline int kyaml_deeper(struct kyaml *k)
{
    return ++k->depth > KYAML_MAX_DEPTH ? err_set(k->e, ERR_LIMIT, "nested too deeply") : 0;
}

struct nodes {
    struct doc_node **v;
    size_t len, cap;
};
static inline void nodes_done(struct nodes *n) { vec_done(n); }
AUTO_VALUE(struct nodes, nodes_done)

/* The place of a member of a map, a list's items; sources are the values there, whose comments may
 * hold a schema. */
struct kyaml_place kyaml_field(struct kyaml *k, const struct kyaml_place *map, str key,
                               const struct doc_node *const *sources, size_t count);
struct kyaml_place kyaml_item(struct kyaml *k, const struct kyaml_place *list);
/* An unknown place becomes that of the kind that one of the sources names. */
void kyaml_root(struct kyaml *k, struct kyaml_place *place, const struct doc_node *const *sources,
                size_t count);
/* Is a list associative there, and by which keys? A single empty one: its items are scalars, their
 * own keys. */
bool kyaml_is_associative(struct kyaml *k, const struct kyaml_place *list,
                          const struct doc_node *const *sources, size_t count,
                          str keys[DOC_SHAPE_MAX_KEYS], size_t *ret_count);

/* The text of a key of an item; empty when it is not there. keys[0] empty: the item itself. */
str kyaml_key_text(const struct doc_node *item, str key);
/* The first item with these key texts; empty ones are not looked at, unless all are. */
struct doc_node *kyaml_find_item(const struct doc_node *list, const str *keys, const str *values,
                                 size_t count);
/* A node as a new one that shares its children, without key and key's comments: to put it elsewhere
 * when its old place is given up. */
struct doc_node *kyaml_moved(struct kyaml *k, const struct doc_node *n);
/* Puts a value at a key of a map as kyaml's field setter: in place (and folded if it was), at the
 * end with the key's style of `like`, or, when it is NULL, removes the key. */
void kyaml_set(struct kyaml *k, struct doc_node *map, str key, struct doc_node *value,
               const struct doc_node *like);
/* Empties a list and fills it with nodes, some of which were its own. */
void kyaml_refill(struct doc_node *list, const struct nodes *items);
/* Sorted keys of all maps among the sources, each once. */
void kyaml_keys(const struct doc_node *const *sources, size_t count, struct str_vec *ret);
/* The type that the sources agree on, by the first that is no null: DOC_NULL, DOC_MAP, DOC_LIST or
 * DOC_STRING for any scalar; -1 when another differs. */
int kyaml_type(struct kyaml *k, const struct doc_node *const *sources, size_t count);

/* ---- items of associative lists (items.c) */
struct keyed {
    struct map by_id; /* the first item of a list with each full set of key texts */
    const struct doc_node *list;
    const str *keys;
    size_t count;
};
void keyed_init(struct keyed *keyed, struct kyaml *k, const struct doc_node *list, const str *keys,
                size_t count);
static inline void keyed_done(struct keyed *keyed) { map_done(&keyed->by_id); }
AUTO_VALUE(struct keyed, keyed_done)
/* The item of the list that has the same keys as another list's item. */
struct doc_node *keyed_find(struct kyaml *k, const struct keyed *keyed,
                            const struct doc_node *item);

/* Which item of dest became what; NULL: it is gone. */
struct outcome {
    const struct doc_node *was;
    struct doc_node *is;
};
struct outcomes {
    struct outcome *v;
    size_t len, cap;
};
static inline void outcomes_done(struct outcomes *o) { vec_done(o); }
AUTO_VALUE(struct outcomes, outcomes_done)
/* Gives a list its new items: prepending, the fresh ones and then those without an outcome; else
 * the old ones, as they are now, and then the fresh ones. */
void kyaml_rebuild(struct kyaml *k, struct doc_node *list, struct outcomes *outcomes,
                   const struct nodes *fresh);
/* Texts of an item's keys as one; false when one is missing. */
bool kyaml_item_id(struct kyaml *k, const struct doc_node *item, const str *keys, size_t count,
                   str *ret);

/* ---- lists with items that lack a key, or share theirs (irregular.c) */
typedef int kyaml_merge_fn(struct kyaml *k, struct kyaml_place place, struct doc_node *dest,
                           struct doc_node *patch, struct doc_node **ret);
bool kyaml_is_irregular(struct kyaml *k, const struct doc_node *list, const str *keys,
                        size_t count);
/* Merges the items of patch into dest by upstream's way with such lists. */
int kyaml_merge_irregular(struct kyaml *k, const struct kyaml_place *item, struct doc_node *dest,
                          const struct doc_node *patch, const str *keys, size_t count,
                          kyaml_merge_fn *merge);
void kyaml_drop_repeated(struct doc_node *list); /* of scalars that are their own keys */
/* What merging does to what the patch does not touch: lists whose items share their keys become
 * regular, as the walk over both sides passes them, too. */
int kyaml_settle(struct kyaml *k, struct kyaml_place place, struct doc_node *n,
                 kyaml_merge_fn *merge);
/* The same of an entry of a map; one without any value (not null either) goes. */
int kyaml_settle_field(struct kyaml *k, const struct kyaml_place *place, struct doc_node *map,
                       struct doc_node *entry, kyaml_merge_fn *merge);
/* DOC_KYAML_DEFAULT_KEYS (defaults.c). */
int kyaml_merge_defaulted(struct kyaml *k, const struct kyaml_place *item, struct doc_node *dest,
                          const struct doc_node *patch, const str *keys, size_t count,
                          kyaml_merge_fn *merge);
