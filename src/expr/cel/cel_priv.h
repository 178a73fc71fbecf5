/* The insides of CEL: types, syntax trees, the tables of functions. */
#pragma once
#include "base/map.h"
#include "expr/cel/cel.h"
#include "re/re.h"

/* ---- types */

enum cel_type_kind {
    T_ERROR, /* already told */
    T_DYN,
    T_NULL,
    T_BOOL,
    T_INT,
    T_UINT,
    T_DOUBLE,
    T_STRING,
    T_BYTES,
    T_LIST,
    T_MAP,
    T_TIMESTAMP,
    T_DURATION,
    T_TYPE,
    T_OPTIONAL,
    T_OBJECT,
    T_WRAPPER,
    T_PARAM,
};
struct cel_type {
    enum cel_type_kind kind;
    str name; /* T_OBJECT, T_PARAM */
    const struct cel_type *of[3];
    unsigned fresh;                 /* T_PARAM: which instance, while checking */
    const struct cel_field *fields; /* T_OBJECT declared with its fields, a list; else NULL */
    bool has_fields;                /* even when it has none */
};
struct cel_field {
    str name;
    const struct cel_type *type;
    const struct cel_field *next;
};
extern const struct cel_type cel_dyn, cel_null, cel_bool, cel_int, cel_uint, cel_double, cel_string,
    cel_bytes, cel_timestamp, cel_duration;
const struct cel_type *cel_type_parse(struct arena *arena, str text, struct err *e);
const struct cel_type *cel_type_new(struct arena *arena, enum cel_type_kind kind,
                                    const struct cel_type *a, const struct cel_type *b);
void cel_type_print(const struct cel_type *t, struct buf *out); /* as declarations do */
void cel_type_tell(const struct cel_type *t, struct buf *out);  /* as messages do: "null" */
str cel_type_runtime_name(const struct cel_type *t); /* "google.protobuf.Timestamp", "list" */

/* ---- syntax */

enum cel_node_kind {
    N_CONST,
    N_IDENT,
    N_SELECT,
    N_CALL,
    N_LIST,
    N_MAP,
    N_STRUCT,
    N_FOLD, /* a macro over a range, or a binding */
    N_INDEX_OF_BLOCK,
    N_BLOCK,
};
enum cel_fold {
    F_ALL,
    F_EXISTS,
    F_EXISTS_ONE,
    F_MAP,
    F_FILTER,
    F_LIST,      /* transformList */
    F_MAP_VALUE, /* transformMap */
    F_MAP_ENTRY, /* transformMapEntry */
    F_BIND,
    F_OPT_MAP,
    F_OPT_FLAT_MAP,
    F_SORT_BY,
};
struct cel_node {
    enum cel_node_kind kind;
    uint32_t at;    /* offset in the source */
    str name;       /* identifier, field, function */
    bool is_rooted; /* begins with '.' */
    bool is_test;   /* has() */
    bool is_optional;
    bool is_member;         /* a call with a target, args[0] */
    bool is_entry_list;     /* N_MAP: args are keys and values in turn */
    struct cel_value value; /* N_CONST */
    struct cel_node **args;
    bool *optional; /* of items or entries: written with '?' */
    size_t count;
    /* N_FOLD: args are the range, and then predicate or body, then body */
    enum cel_fold fold;
    str var, var2;
    uint32_t slot, slot2; /* of the variables; N_IDENT: of the local it names */
    bool is_local;
    const struct cel_function *const *candidates; /* N_CALL */
    size_t candidate_count;
    const struct cel_type *type; /* from the checker */
    struct re *re;               /* a constant pattern, compiled */
};

struct cel_problem {
    uint32_t at;
    enum cel_failure failure;
    str text;
};
struct cel_parser {
    const struct cel_env *env;
    struct arena *arena;
    str text;
    VEC(struct cel_problem) problems, doubts;
};
void cel_problem(struct cel_parser *p, uint32_t at, enum cel_failure failure, const char *fmt, ...)
    PRINTF(4, 5);
/* A constant that cannot be right: told of expressions that have no other problem, as upstream,
 * whose validators run behind the checker. */
void cel_doubt(struct cel_parser *p, uint32_t at, enum cel_failure failure, const char *fmt, ...)
    PRINTF(4, 5);
struct cel_node *cel_parse(struct cel_parser *p); /* NULL: problems */
struct cel_node *cel_node_new(struct cel_parser *p, enum cel_node_kind kind, uint32_t at);
/* The macro that a call is, or NULL when it is none (or bad: then a problem is there). */
struct cel_node *cel_macro(struct cel_parser *p, struct cel_node *call);

/* ---- functions */

struct cel_run {
    const struct cel_program *program;
    cel_lookup_fn *lookup;
    void *ctx;
    struct arena *arena;
    struct cel_value *locals;
    bool *block_done;
    uint64_t work;
    struct re *patterns[8]; /* compiled in this run, see cel_pattern */
    unsigned next_pattern;
};
typedef struct cel_value cel_function_fn(struct cel_run *r, const struct cel_value *args,
                                         size_t count);

enum cel_library { L_STANDARD, L_STRINGS, L_MATH, L_ENCODERS, L_KUBERNETES, L_VARS, L_EXTRA };
struct cel_row {
    const char *name; /* of operators "_+_" */
    bool is_member;
    const char *params, *result; /* "string,int" */
    cel_function_fn *run;
};
/* Who is told the rows of a table, each valid during the call. Tables of functions are code: the
 * loader would write every page of pointers at each start (docs/decisions/6-start.md). */
struct cel_rows {
    void (*take)(void *ctx, const struct cel_row *row);
    void *ctx;
};
struct cel_function {
    const char *name;
    bool is_member;
    const struct cel_type *params[5];
    size_t count;
    const struct cel_type *result;
    cel_function_fn *run;            /* NULL: declared only */
    const struct cel_function *next; /* of the same name */
};
struct cel_table {
    enum cel_library part;
    void (*rows)(const struct cel_rows *to);
};
void cel_add_row(const struct cel_rows *to, const char *name, bool is_member, const char *params,
                 const char *result, cel_function_fn *run);
extern const struct cel_table cel_tables[];
extern const size_t cel_table_count;

struct cel_env {
    struct arena arena;
    unsigned flags;
    str container;
    struct map variables; /* name -> const struct cel_type */
    struct map functions; /* name -> struct cel_function, a list */
};
struct cel_program {
    struct arena arena;
    const struct cel_env *env;
    str text;
    struct cel_node *root;
    uint32_t slots; /* locals */
    VEC(struct re *) patterns;
    str bad_pattern; /* why a constant of find or findAll is none: told before anything runs */
};

/* ---- running: eval.c; folds in fold.c */

enum { CEL_MAX_WORK = 10000000 }; /* elements visited (cel spec 14) */
struct cel_value cel_eval_node(struct cel_run *r, const struct cel_node *n);
struct cel_value cel_eval_fold(struct cel_run *r, const struct cel_node *n);
struct cel_value cel_work_exceeded(struct cel_run *r); /* value.c */
/* A pattern that the checker could not compile: kept while the run lasts, so that a fold compiles
 * it once. The last eight stay; use it before the next call. NULL: why is in e. */
const struct re *cel_pattern(struct cel_run *r, str pattern, struct err *e);

/* ---- checking */

/* Resolves names, counts locals, and unless CEL_NO_CHECK deduces types. */
void cel_check(struct cel_parser *p, struct cel_program *program);
const struct cel_type *cel_type_of_name(str name); /* of a type's name used as a value, or NULL */

/* ---- values */

struct cel_entry {
    struct cel_value key, value;
};
struct cel_map {
    struct cel_entry *v;
    size_t len;
    const struct doc_node *node; /* instead of v */
};
struct cel_object_class {
    const char *name;
    bool (*equal)(const struct cel_object *a, const struct cel_object *b);
};
struct cel_object {
    const struct cel_object_class *class;
    str text; /* as it was given */
    /* what it holds; each class uses what it needs */
    str parts[6];
    __int128 number;
    int32_t scale, flags;
    uint8_t bytes[16];
    int bits;
    bool has_number;
    struct re *re;
};

struct cel_value cel_fail(struct arena *a, enum cel_failure failure, const char *fmt, ...)
    PRINTF(3, 4);
static inline struct cel_value cel_make_bool(bool b)
{
    return (struct cel_value){CEL_BOOL, .b = b};
}
static inline struct cel_value cel_make_int(int64_t i)
{
    return (struct cel_value){CEL_INT, .i = i};
}
static inline struct cel_value cel_make_uint(uint64_t u)
{
    return (struct cel_value){CEL_UINT, .u = u};
}
static inline struct cel_value cel_make_double(double d)
{
    return (struct cel_value){CEL_DOUBLE, .d = d};
}
static inline struct cel_value cel_make_string(str s)
{
    return (struct cel_value){CEL_STRING, .s = s};
}
static inline struct cel_value cel_make_bytes(str s)
{
    return (struct cel_value){CEL_BYTES, .s = s};
}
static inline struct cel_value cel_make_null(void) { return (struct cel_value){CEL_NULL, .i = 0}; }
static inline struct cel_value cel_make_duration(int64_t ns)
{
    return (struct cel_value){CEL_DURATION, .i = ns};
}
static inline struct cel_value cel_make_type(const struct cel_type *t)
{
    return (struct cel_value){CEL_TYPE, .type = t};
}
struct cel_value cel_make_list(struct arena *a, struct cel_value *v, size_t len);
struct cel_value cel_make_map(struct arena *a, struct cel_entry *v, size_t len);
struct cel_value cel_make_optional(struct arena *a, const struct cel_value *inner); /* NULL: none */
struct cel_value cel_no_overload(struct arena *a, const char *what);
str cel_told_name(str function); /* as messages call it: math.greatest is math.@max */
/* As Go's %v prints what a value holds: "[2, 1]", "{a: b}", null as 0; some messages do. */
void cel_go_text(struct arena *a, const struct cel_value *v, int depth, struct buf *out);
str cel_go_name(struct arena *a, const struct cel_value *v); /* "types.Int", as some messages do */
bool cel_is_number(const struct cel_value *v);
/* -1, 0, 1; 2: cannot be ordered, 3: a NaN. */
int cel_compare(const struct cel_value *a, const struct cel_value *b);
/* The entry of a key (numbers match across types), or false. */
bool cel_map_get(struct arena *a, const struct cel_map *m, const struct cel_value *key,
                 struct cel_value *ret);
size_t cel_map_len(const struct cel_map *m);
/* The entries, converted when the map is a document's. */
const struct cel_entry *cel_map_entries(struct arena *a, const struct cel_map *m);
const struct cel_type *cel_type_of_value(struct arena *a, const struct cel_value *v);
void cel_add_double(double d, struct buf *out);             /* as string(double) */
bool cel_to_index(const struct cel_value *v, int64_t *ret); /* an integral number */

/* ---- text and time */
int64_t cel_code_points(str s);
/* The byte offset of a code point; s.len at or behind the end. */
size_t cel_offset_of(str s, int64_t code_point);
bool cel_time_parse(str text, struct cel_time *ret);
void cel_time_print(const struct cel_time *t, struct buf *out);
bool cel_duration_parse(str text, int64_t *ret_ns);
void cel_duration_print(int64_t ns, struct buf *out);
struct cel_value cel_to_string(struct arena *a, const struct cel_value *v);
bool cel_time_in_range(const struct cel_time *t);
/* False: out of range; *t is then as before. */
bool cel_time_add(struct cel_time *t, __int128 ns);

/* ---- shared by functions and evaluator */

/* a[b] for values of any kinds but optional ones. */
struct cel_value cel_index(struct cel_run *r, const struct cel_value *a, const struct cel_value *b);
/* The items ordered by their keys, stable. */
bool cel_is_orderable(enum cel_kind kind);
struct cel_value cel_sort(struct cel_run *r, const struct cel_list *items,
                          const struct cel_list *keys);
/* A literal format, before it runs: CEL_ERROR, or anything else. The arguments are any values of
 * their types, or CEL_ERROR where that is not known. *ret_bad is the one that does not fit, or
 * count. */
struct cel_value cel_format_check(struct arena *arena, str format, const struct cel_value *args,
                                  size_t count, size_t *ret_bad);
