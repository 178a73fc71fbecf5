/* The document tree: one for YAML and JSON (design 3).
 *
 * A set (struct doc_set) owns an arena and the source texts and holds any number of trees; nodes
 * are borrowed and live until doc_set_free. A node belongs to one set and has one parent at most:
 * to use it in a second place or in another set, copy it (doc_copy). Text is a view into a source
 * where possible. Not locked: share a set between threads only once nobody changes it; lookups
 * write nothing.
 *
 * A missing field is NULL and every reader accepts NULL, so lookups chain. Numbers keep the text
 * they were written with; conversion happens when someone asks. Maps keep the order of their keys.
 * The fields of struct doc_node are shown for the readers, writers and inline functions of this
 * folder: elsewhere use the functions. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum doc_type { DOC_NULL, DOC_BOOL, DOC_NUMBER, DOC_STRING, DOC_LIST, DOC_MAP, DOC_ALIAS };

/* How a scalar, key or collection was, or is to be, written. PLAIN is also block style for
 * collections. */
enum doc_style { DOC_PLAIN, DOC_SINGLE, DOC_DOUBLE, DOC_LITERAL, DOC_FOLDED, DOC_FLOW };

/* What few nodes have: YAML side data, the index of a large map. Kept apart so that the others pay
 * 8 bytes. */
struct doc_extra {
    str head, line,
        foot; /* comments of the node, '#' and line ends included, lines joined by '\n' */
    /* Comments of its key, when go-yaml hangs them there. A root has no key: key_head and key_foot
     * are those of the document, set apart by an empty line. */
    str key_head, key_line, key_foot;
    str tag;                 /* explicit tag in full ("tag:yaml.org,2002:str"), or empty */
    str anchor;              /* name defined here; for DOC_ALIAS the name referred to */
    struct doc_node *target; /* DOC_ALIAS: what it refers to */
    struct doc_node *twin;   /* the next of a ring of scalars that change together, or NULL */
    struct doc_node *
        *index; /* open-addressed table of a large map's entries, in the arena, or NULL */
    uint32_t index_slots;
    uint32_t key_begin, key_end; /* span of a key whose text is no view into the source */
    bool has_new_line;           /* another line comment than in the text (doc_set_line_comment) */
    bool is_renamed;             /* the span of the key has another one (doc_rename) */
};

struct doc_node {
    struct doc_node *next; /* the last child's next is the first child */
    union {
        struct doc_node *last; /* list, map: last child, NULL when empty */
        const char *text;      /* null, bool, number, string: resolved text, not NUL-terminated */
    };
    const char *key;         /* entry of a map: its key */
    struct doc_extra *extra; /* or NULL */
    uint32_t key_len, key_hash;
    uint32_t len;        /* bytes of text, or children */
    uint32_t begin, end; /* span in the source; 0, 0 for a node that was made */
    union {
        struct {
            uint32_t type : 3, style : 3, key_style : 3;
            uint32_t is_int : 1; /* number without fraction or exponent */
            uint32_t bool_val : 1;
            uint32_t is_quoted_key : 1; /* spare flag for readers: the key was not a plain string in
                                           the source */
            uint32_t is_changed : 1;  /* another value than the one read: the span is of the text it
                                         replaces; or to be written anew (gfn_touch) */
            uint32_t has_removed : 1; /* a child that was read has been taken out */
            uint32_t source : 18;     /* index into the set's sources; 0: made, not read */
        };
        uint32_t bits; /* all of these, for readers that set them at once */
    };
};
static_assert(sizeof(struct doc_node) == 56,
              "nodes are counted in bytes: five million of them are common");

struct doc_source {
    bool has_mark;      /* a byte-order mark stood before the text */
    str text;           /* what spans count in */
    str origin;         /* file name or the like, for messages */
    uint32_t outer, at; /* the text is that of a scalar at a place of another source; 0: it is not.
                           Places are told in that one then, with the columns of the text */
    bool is_below;      /* its first line is the one below */
};

struct doc_set {
    struct arena arena;
    struct doc_source *sources; /* [0] is a place holder */
    uint32_t source_count, source_cap;
};

struct doc_set *doc_set_new(void);
/* Empty again, memory kept: for one event after another. All its nodes and sources are gone. */
void doc_set_clear(struct doc_set *set);
void doc_set_free(struct doc_set *set); /* NULL is fine */
AUTO_PTR(struct doc_set, doc_set_free)
/* Registers a text (copied when copy is set, else borrowed for the life of the set) and returns its
 * index. The copy is followed by a NUL byte. */
uint32_t doc_set_add_source(struct doc_set *set, str text, str origin, bool copy);

/* A list of roots, for streams of documents. The vector is owned by whoever declares it, the nodes
 * by the set. */
struct doc_list {
    struct doc_node **v;
    size_t len, cap;
};
void doc_list_done(struct doc_list *list);
AUTO_VALUE(struct doc_list, doc_list_done)

/* ---- reading */
static inline enum doc_type doc_type(const struct doc_node *n)
{
    return n ? (enum doc_type)n->type : DOC_NULL;
}
static inline bool doc_is_map(const struct doc_node *n) { return n && n->type == DOC_MAP; }
static inline bool doc_is_list(const struct doc_node *n) { return n && n->type == DOC_LIST; }
static inline bool doc_is_string(const struct doc_node *n) { return n && n->type == DOC_STRING; }
static inline bool doc_is_null(const struct doc_node *n) /* absent counts as null */
{
    return !n || n->type == DOC_NULL;
}
static inline bool doc_is_scalar(const struct doc_node *n) { return n && n->type <= DOC_STRING; }
static inline size_t doc_len(const struct doc_node *n) /* children of a list or map, else 0 */
{
    return n && (n->type == DOC_LIST || n->type == DOC_MAP) ? n->len : 0;
}
static inline struct doc_node *doc_first(const struct doc_node *n)
{
    return doc_len(n) ? n->last->next : NULL;
}
static inline str doc_key(const struct doc_node *entry)
{
    return entry ? (str){entry->key, entry->key_len} : STR_NONE;
}
struct doc_node *doc_get(const struct doc_node *map, str key); /* NULL when absent or not a map */
#define doc_get_lit(map, literal) doc_get(map, STR(literal))
/* Descends maps by keys divided by '/'; no escapes: for paths known at compile time,
 * "metadata/name". */
struct doc_node *doc_at(const struct doc_node *n, const char *path);
struct doc_node *doc_item(const struct doc_node *list,
                          size_t index); /* linear; NULL past the end */
/* The text of any scalar as it was written (numbers, bools) or resolved (strings); fallback for
 * others and NULL. */
str doc_text(const struct doc_node *scalar, str fallback);
/* The text of a string node only. */
str doc_string(const struct doc_node *string, str fallback);
bool doc_bool(const struct doc_node *n, bool fallback);
bool doc_to_int64(const struct doc_node *n, int64_t *ret); /* exact; 1e3 and 1.0 are not integers */
bool doc_to_uint64(const struct doc_node *n, uint64_t *ret);
bool doc_to_double(const struct doc_node *n, double *ret); /* any number; .inf and .nan too */
int64_t doc_int(const struct doc_node *n, int64_t fallback);
/* Deep equality of values: order of keys, styles and comments do not count, 1 and 1.0 are equal
 * numbers. */
bool doc_equal(const struct doc_node *a, const struct doc_node *b);

/* struct doc_iter it = doc_children(n); while (doc_next(&it)) use(it.key, it.value);
 * The current node may be removed during the walk, others may not be added or removed. */
struct doc_iter {
    str key;
    struct doc_node *value;
    struct doc_node *next_node;
    uint32_t left;
};
struct doc_iter doc_children(
    const struct doc_node *n); /* fields of a map, items of a list; NULL and scalars: none */
bool doc_next(struct doc_iter *it);

/* ---- places */
struct doc_place {
    str origin;
    uint32_t line, column; /* from 1, column in bytes; 0 when the node was made */
    str excerpt; /* the line without its end; of a long one the beginning, if the place is in it */
};
struct doc_place doc_place_at(const struct doc_set *set, uint32_t source, uint32_t offset);
struct doc_place doc_place(const struct doc_set *set, const struct doc_node *n); /* of the value */
struct doc_place doc_key_place(const struct doc_set *set,
                               const struct doc_node *n); /* of its key */
/* The byte offset of the value, or of its key, in its source: for callers that map places
 * themselves. 0 for a node that was made. */
uint32_t doc_offset(const struct doc_set *set, const struct doc_node *n, bool at_key);

/* Whether a key that is a view into its source stands in quotes there. JSON's are not styled as
 * such. */
bool doc_has_quote(str source, const char *key);

/* ---- making and changing: text is copied into the set unless a name says otherwise */
struct doc_node *doc_new_map(struct doc_set *set);
struct doc_node *doc_new_list(struct doc_set *set);
struct doc_node *doc_new_null(struct doc_set *set);
struct doc_node *doc_new_bool(struct doc_set *set, bool value);
struct doc_node *doc_new_int(struct doc_set *set, int64_t value);
struct doc_node *doc_new_number(struct doc_set *set, str text); /* text as it is to be printed */
struct doc_node *doc_new_string(struct doc_set *set, str text);
struct doc_node *doc_new_string_view(struct doc_set *set, str text); /* text must outlive the set */
struct doc_node *doc_copy(struct doc_set *set,
                          const struct doc_node *n); /* deep, side data included */

/* Sets map[key] to value, which must have no parent: in place when the key is there, else at the
 * end. Returns value. */
struct doc_node *doc_set_field(struct doc_set *set, struct doc_node *map, str key,
                               struct doc_node *value);
struct doc_node *doc_set_string(struct doc_set *set, struct doc_node *map, str key, str text);
struct doc_node *doc_set_int(struct doc_set *set, struct doc_node *map, str key, int64_t value);
struct doc_node *doc_set_bool(struct doc_set *set, struct doc_node *map, str key, bool value);
/* The map at map[key], made when it is absent or null; NULL when something else is there. */
struct doc_node *doc_ensure_map(struct doc_set *set, struct doc_node *map, str key);
struct doc_node *doc_ensure_list(struct doc_set *set, struct doc_node *map, str key);
bool doc_remove(struct doc_node *map, str key); /* false when it was not there */
struct doc_node *doc_append(struct doc_node *list, struct doc_node *value);
struct doc_node *doc_insert(struct doc_node *list, size_t index, struct doc_node *value);
bool doc_remove_item(struct doc_node *list, const struct doc_node *item);
/* Puts the value of `with` (and its style and comments) where `old` is; key, parent and place in
 * order stay. `with` must have no parent and is not to be used afterwards. */
void doc_replace(struct doc_node *old, struct doc_node *with);
/* Before that: gives `with` the comments around `old`, which would go. */
void doc_keep_comments(struct doc_set *set, const struct doc_node *old, struct doc_node *with);
/* Makes two scalars of a set one value: whatever replaces one (doc_replace, doc_set_field on it)
 * also replaces the other, and what either shares already. So upstream's trees behave, where one
 * node stands in several places. Copies share nothing. */
void doc_share(struct doc_set *set, struct doc_node *a, struct doc_node *b);
void doc_unshare(struct doc_node *n); /* n and all below it keep their values and are their own */
/* Renames a map's entry in place. */
void doc_rename(struct doc_set *set, struct doc_node *map, struct doc_node *entry, str key);
void doc_sort_keys(struct doc_node *n); /* deep, by bytes of the key */
struct doc_extra *doc_extra(struct doc_set *set, struct doc_node *n); /* made when absent */
/* The comment behind a value, '#' included; of a block list or map, the one behind its key. Empty
 * when there is none. Setting notes the change for doc_edit_emit. */
str doc_line_comment(const struct doc_node *n);
void doc_set_line_comment(struct doc_set *set, struct doc_node *n, str comment);

enum { DOC_INDEX_FROM = 24 }; /* from this many entries on a map has an index */
void doc_index_entry(struct doc_set *set, struct doc_node *map, struct doc_node *entry);
/* For readers: puts a new item, or an entry whose key is set and not there yet, at the end. */
static inline void doc_push(struct doc_set *set, struct doc_node *parent, struct doc_node *child)
{
    if (parent->len == 0) {
        child->next = child;
    } else {
        child->next = parent->last->next;
        parent->last->next = child;
    }
    parent->last = child;
    if (UNLIKELY(++parent->len >= DOC_INDEX_FROM && parent->type == DOC_MAP))
        doc_index_entry(set, parent, child);
}
/* For patches and what undoes them: takes child out and returns what stood before it, NULL when it
 * was the first or is no child of parent (then child->next is as before). */
struct doc_node *doc_unlink(struct doc_node *parent, struct doc_node *child);
/* Puts child, whose key is set when parent is a map, behind `before`; NULL: in first place. */
void doc_link(struct doc_set *set, struct doc_node *parent, struct doc_node *before,
              struct doc_node *child);
static inline void doc_key_set(struct doc_node *entry, str key)
{
    entry->key = key.p;
    entry->key_len = (uint32_t)key.len;
    entry->key_hash = str_hash(key);
}
