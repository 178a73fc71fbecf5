/* Values of templates: what Go's text/template sees as reflect.Value, in 16 bytes passed by value
 * (template spec 1).
 *
 * A value owns nothing. Texts, items and maps are borrowed from the data or from the arena of the
 * run that made them and live as long as those. Documents are used as they are, without a copy: a
 * map or list of a document is a value that points at its node. Lists never change once made; maps
 * do (`set`, `merge`), and a map of a document that a template changes gets a stand-in inside the
 * run, so that the document stays as it is. A value belongs to the thread of its run. */
#pragma once
#include "doc/node.h"

enum tmpl_type {
    TMPL_INVALID, /* nothing: a missing key, a function's nil */
    TMPL_NIL,     /* an interface of the data that holds nil */
    TMPL_BOOL,
    TMPL_INT,
    TMPL_INT64,
    TMPL_UINT8,
    TMPL_UINT64,
    TMPL_FLOAT,
    TMPL_COMPLEX,
    TMPL_STRING,
    TMPL_LIST,
    TMPL_MAP,
    TMPL_OBJECT,
};

/* What the items of a list or the members of a map are, to Go. */
enum tmpl_elem {
    TMPL_ANY,      /* []interface {}, map[string]interface {} */
    TMPL_STRINGS,  /* []string, map[string]string */
    TMPL_INTS,     /* []int */
    TMPL_BYTES,    /* []uint8: the text is in .s */
    TMPL_LISTS,    /* [][]interface {} */
    TMPL_VERSIONS, /* the API versions of a cluster: []string with the method Has */
    TMPL_FILES,    /* the files of a chart: a map of []uint8 with methods (15.4) */
    TMPL_VALUES,   /* a map of any, but with a name and methods: a chart's dot and its Values */
};

enum tmpl_flags {
    TMPL_IS_DOC = 1 << 0,   /* list, map: .node is what it is */
    TMPL_INTS_TOO = 1 << 1, /* of a document: numbers without fraction are int, not float64 */
    TMPL_IN_ANY = 1 << 2,   /* came out of a list or map of interface {}: its static type is that */
    TMPL_IS_COPY =
        1 << 3, /* a struct that went through a function: without its pointer's methods */
};

struct tmpl_map;
struct tmpl_object;
struct tmpl_value {
    uint8_t type, flags, elem; /* enum tmpl_type, tmpl_flags, tmpl_elem */
    uint32_t len;              /* bytes of a text; items of a list */
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double f;
        const double *pair; /* complex: real and imaginary part */
        const char *s;
        const struct tmpl_value *items; /* NULL: the nil list */
        struct tmpl_map *map;           /* NULL: the nil map */
        const struct doc_node *node;
        const struct tmpl_object *object;
    };
};
static_assert(sizeof(struct tmpl_value) == 16, "two registers");

#define TMPL_NOTHING ((struct tmpl_value){.type = TMPL_INVALID})
static inline struct tmpl_value tmpl_bool(bool b)
{
    return (struct tmpl_value){.type = TMPL_BOOL, .b = b};
}
static inline struct tmpl_value tmpl_int(int64_t i)
{
    return (struct tmpl_value){.type = TMPL_INT, .i = i};
}
static inline struct tmpl_value tmpl_int64(int64_t i)
{
    return (struct tmpl_value){.type = TMPL_INT64, .i = i};
}
static inline struct tmpl_value tmpl_float(double f)
{
    return (struct tmpl_value){.type = TMPL_FLOAT, .f = f};
}
static inline struct tmpl_value tmpl_string(str s) /* borrowed */
{
    return (struct tmpl_value){.type = TMPL_STRING, .len = (uint32_t)s.len, .s = s.p};
}
static inline struct tmpl_value tmpl_bytes(str s) /* borrowed */
{
    return (struct tmpl_value){
        .type = TMPL_LIST, .elem = TMPL_BYTES, .len = (uint32_t)s.len, .s = s.p};
}
/* items NULL: the nil list. */
static inline struct tmpl_value tmpl_list(enum tmpl_elem elem, const struct tmpl_value *items,
                                          size_t count)
{
    return (struct tmpl_value){
        .type = TMPL_LIST, .elem = (uint8_t)elem, .len = (uint32_t)count, .items = items};
}
static inline struct tmpl_value tmpl_object(const struct tmpl_object *object)
{
    return (struct tmpl_value){.type = TMPL_OBJECT, .object = object};
}
/* A tree of a document. Numbers are float64, as Go reads them from YAML and JSON; those that carry
 * the explicit tag TMPL_TAG_INT64 are int64 (helm's --set). ints: numbers without fraction or
 * exponent are int. A NULL node is nil. */
#define TMPL_TAG_INT64 STR("!int64")
struct tmpl_value tmpl_doc(const struct doc_node *node, bool ints);

/* ".Values" of a chart: a map of a document with methods, of the type common.Values, which
 * functions that want a map[string]interface {} take, too. */
struct tmpl_value tmpl_doc_values(const struct doc_node *map);

/* Items or members are interface {}. */
static inline bool tmpl_holds_any(struct tmpl_value v)
{
    return v.elem == TMPL_ANY || v.elem == TMPL_VALUES;
}

/* The text of a string or of a list of bytes. */
static inline str tmpl_text(struct tmpl_value v) { return (str){v.s, v.len}; }
static inline bool tmpl_is_nil(struct tmpl_value v) { return v.type <= TMPL_NIL; }
static inline bool tmpl_is_int(struct tmpl_value v)
{
    return v.type >= TMPL_INT && v.type <= TMPL_UINT64;
}

/* ---- maps made by templates or by who renders; keys and values are borrowed */
struct tmpl_entry {
    str key;
    struct tmpl_value value;
};
struct tmpl_map *tmpl_map_new(struct arena *arena, enum tmpl_elem elem);
/* Leaves the map empty until somebody looks into it: fill puts in what it holds. */
typedef void tmpl_fill_fn(void *ctx, struct tmpl_value map);
void tmpl_map_fill_late(struct tmpl_map *map, tmpl_fill_fn *fill, void *ctx);
void tmpl_map_set(struct tmpl_map *map, str key, struct tmpl_value value);
bool tmpl_map_get(struct tmpl_map *map, str key, struct tmpl_value *ret);
bool tmpl_map_remove(struct tmpl_map *map, str key);
size_t tmpl_map_len(struct tmpl_map *map); /* NULL: 0 */
/* Sorted by key; valid until the map changes. */
const struct tmpl_entry *tmpl_map_entries(struct tmpl_map *map, size_t *ret_count);
struct tmpl_value tmpl_map_value(struct tmpl_map *map); /* NULL: nil map of interface {} */
