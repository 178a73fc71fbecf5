/* The state of a run, and what functions use of it. */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "expr/gotmpl/func_priv.h"
#include "expr/gotmpl/tree_priv.h"
#include "sys/thread.h"

/* A set falls back on its parent: `tpl` runs in a set of its own text over the set around. */
struct tmpl_set {
    enum tmpl_profile profile;
    struct map templates;          /* name to const struct tmpl_template */
    const struct tmpl_set *parent; /* or NULL */
    VEC(struct tmpl_program *) programs;
    struct arena arenas[THREAD_EACH_MOST]; /* nodes of what threads have parsed */
    uint32_t next_id;
};
const struct tmpl_template *set_find(const struct tmpl_set *set, str name);

struct tmpl_run {
    const struct tmpl_set *set; /* the one in force: that of a tpl text while it runs */
    struct tmpl_options options;
    struct arena arena;
    struct buf *out;
    VEC(struct tmpl_value) vars; /* variables of the templates that are running */
    size_t base;                 /* where those of the innermost begin */
    const struct tmpl_template *template;
    const struct tmpl_node *node; /* what messages name */
    const char *stack;            /* address of a local of the first call */
    uint64_t steps;
    uint32_t depth;         /* templates that are running */
    VEC(uint32_t) included; /* by id of a template: includes of it that are running */
    uint32_t next_id;
    struct map tpl_programs;    /* text to struct tmpl_program */
    struct map thawed;          /* address of a document's map to struct tmpl_map */
    struct map arrays;          /* address of a long list of a document to its items */
    struct map patterns;        /* text to struct re */
    VEC(struct buf *) spare;    /* for the outputs of includes */
    VEC(struct doc_set *) sets; /* documents that functions have read */
    struct err *e;
    const struct tmpl_function *failed; /* whose own message the error is, or NULL */
    uint64_t seed[4];
};

/* ---- failing */
/* "template: PLACE: executing …: message". -1. */
int trun_fail(struct tmpl_run *r, const char *fmt, ...) PRINTF(2, 3);
int trun_limit(struct tmpl_run *r, const char *fmt, ...) PRINTF(2, 3);
/* The message of a function; its call adds the place. -1. */
int call_fail(struct tmpl_call *c, const char *fmt, ...) PRINTF(2, 3);
void trun_place(const struct tmpl_run *r, struct buf *out); /* "NAME:LINE:COL" of the node */
/* Whether the error may get another place in front: of endless recursion a part of the chain is
 * enough. */
bool trun_can_wrap(const struct tmpl_run *r);
/* Counts one step; -1 when a budget is used up or the run is cancelled. */
int trun_step(struct tmpl_run *r);
/* Whether size more bytes may be made; -1 with e set when not. */
int trun_room(struct tmpl_run *r, size_t size);

/* ---- making values */
static inline str trun_keep(struct tmpl_run *r, const struct buf *text)
{
    return arena_dup(&r->arena, buf_view(text));
}
static inline struct tmpl_value trun_string(struct tmpl_run *r, const struct buf *text)
{
    return tmpl_string(trun_keep(r, text));
}
static inline struct tmpl_value *trun_array(struct tmpl_run *r, size_t count)
{
    return arena_alloc(&r->arena, count * sizeof(struct tmpl_value));
}
struct tmpl_value trun_string_list(struct tmpl_run *r, const str *items, size_t count);
/* A document set that lives as long as the run. */
struct doc_set *trun_doc_set(struct tmpl_run *r);

/* ---- reading values */
const char *value_type(struct tmpl_value v);   /* "float64"; nil: "<nil>" */
const char *value_static(struct tmpl_value v); /* "interface {}" for what came out of one */
const char *value_kind(struct tmpl_value v);
bool value_truth(struct tmpl_run *r, struct tmpl_value v);
bool value_is_empty(struct tmpl_run *r, struct tmpl_value v); /* sprig's empty (14.4) */
size_t value_len(struct tmpl_run *r, struct tmpl_value v);    /* of a text, list or map */
/* The items of a list; nothing changes them. */
const struct tmpl_value *value_items(struct tmpl_run *r, struct tmpl_value list);
struct tmpl_value value_item(struct tmpl_run *r, struct tmpl_value list, size_t at);
bool value_get(struct tmpl_run *r, struct tmpl_value map, str key, struct tmpl_value *ret);
/* Sorted by key; a copy that later changes of the map leave alone. */
const struct tmpl_entry *value_entries(struct tmpl_run *r, struct tmpl_value map,
                                       size_t *ret_count);
/* The map itself, to be changed. NULL for the nil map. */
struct tmpl_map *value_thaw(struct tmpl_run *r, struct tmpl_value map);
struct tmpl_value value_copy(struct tmpl_run *r, struct tmpl_value v);          /* deep */
bool value_equal(struct tmpl_run *r, struct tmpl_value a, struct tmpl_value b); /* deep, typed */

/* ---- text of values */
/* %v; what a printed nil is is the caller's. */
void value_print(struct tmpl_run *r, struct tmpl_value v, struct buf *out);
/* sprig's strval: texts, bytes and objects as such, others by %v. */
str value_strval(struct tmpl_run *r, struct tmpl_value v);
void value_add_float(double f, struct buf *out);
/* A temporary buffer for nested output; given back with trun_give. */
struct buf *trun_borrow(struct tmpl_run *r);
void trun_give(struct tmpl_run *r, struct buf *b);

/* ---- running */
int trun_template(struct tmpl_run *r, const struct tmpl_template *t, struct tmpl_value dot);
/* Runs a named template of the set in force and returns its text. */
int trun_include(struct tmpl_run *r, str name, struct tmpl_value dot, struct tmpl_value *ret);
/* Compiles text, once a run, and returns what it prints over the set in force. */
int trun_tpl(struct tmpl_run *r, str text, struct tmpl_value dot, struct tmpl_value *ret);

/* ---- objects */
struct tmpl_member {
    const char *name, *signature;
    tmpl_fn *fn;
};
struct tmpl_class {
    const char *type, *kind;
    const struct tmpl_member *members;                           /* name NULL ends */
    void (*print)(const struct tmpl_object *o, struct buf *out); /* NULL of a struct */
    const struct tmpl_field *fields; /* of a struct_object: name NULL ends; else NULL */
};
struct tmpl_field {
    const char *name, *json;
    bool is_hidden, omits_empty; /* printed, but no field of a template; not in JSON when empty */
};
/* First member of each object. */
struct tmpl_object {
    const struct tmpl_class *class;
};
const struct tmpl_member *value_member(struct tmpl_value v, str name);
bool value_is(struct tmpl_value v, const struct tmpl_class *class);
