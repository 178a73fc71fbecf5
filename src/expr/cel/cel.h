/* The Common Expression Language (cel spec, Part A; upstream: cel-go 0.26 with the libraries of
 * Kubernetes 1.34).
 *
 * An environment holds what expressions may name; a program is a compiled expression. Both are
 * immutable once made and may be shared between threads. Values live in the arena of whoever
 * evaluates. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "doc/node.h"

enum cel_kind {
    CEL_ERROR,
    CEL_NULL,
    CEL_BOOL,
    CEL_INT,
    CEL_UINT,
    CEL_DOUBLE,
    CEL_STRING,
    CEL_BYTES,
    CEL_LIST,
    CEL_MAP,
    CEL_TIMESTAMP,
    CEL_DURATION,
    CEL_TYPE,
    CEL_OPTIONAL,
    CEL_OBJECT, /* of the Kubernetes libraries */
};

/* Classes of failures, at check time and at run time. */
enum cel_failure {
    CEL_OTHER,
    CEL_NO_SUCH_OVERLOAD,
    CEL_DIVIDE_BY_ZERO,
    CEL_OVERFLOW,
    CEL_NO_SUCH_KEY,
    CEL_OUT_OF_RANGE,
    CEL_INVALID_ARGUMENT,
    CEL_UNDECLARED,
    CEL_UNSUPPORTED_KEY,
    CEL_REPEATED_KEY,
};

struct cel_value;
struct cel_type;
struct cel_list {
    struct cel_value *v;
    size_t len;
};
struct cel_map;
struct cel_object;
struct cel_error {
    enum cel_failure failure;
    str text;
};
struct cel_time {
    int64_t seconds; /* since 1970 */
    int32_t nanos;
    int32_t offset; /* seconds east of UTC, as its text had it */
};

struct cel_value {
    enum cel_kind kind;
    union {
        bool b;
        int64_t i; /* CEL_INT; CEL_DURATION: nanoseconds */
        uint64_t u;
        double d;
        str s; /* CEL_STRING, CEL_BYTES */
        const struct cel_list *list;
        const struct cel_map *map;
        struct cel_time time;
        const struct cel_type *type;
        const struct cel_value *inner; /* CEL_OPTIONAL: NULL is none */
        const struct cel_object *object;
        const struct cel_error *error;
    };
};

/* ---- environments */

enum cel_flags {
    CEL_STRICT =
        1 << 0, /* refuse what Kubernetes refuses: literals of mixed types, bad constants */
    CEL_KUBERNETES = 1 << 1, /* only the libraries that Kubernetes enables */
    CEL_VARS_GET = 1 << 2,   /* the member function get of pipelines' `vars` */
    CEL_NO_CHECK = 1 << 3,   /* names are resolved, types are not checked */
    CEL_NO_MACROS = 1 << 4,
};
struct cel_env;
struct cel_env *cel_env_new(unsigned flags, str container);
void cel_env_free(struct cel_env *env); /* NULL is fine */
AUTO_PTR(struct cel_env, cel_env_free)
/* type as the specification writes it: "map(string, dyn)"; "{a: int, b: list(string)}" is an object
 * that has these fields and no others. Declaring a name again changes what is compiled from now on.
 * ERR_INVALID. */
int cel_env_declare(struct cel_env *env, str name, str type, struct err *e) MUST_CHECK;
/* A function without a body, for checking only; params is divided by commas. */
int cel_env_declare_function(struct cel_env *env, str name, bool is_member, str params, str result,
                             struct err *e) MUST_CHECK;

/* ---- programs */

struct cel_program;
/* NULL with ERR_INVALID: "ERROR: <input>:1:3: undeclared reference to 'x' (in container '')" and
 * the source line with a caret. *ret_failure (may be NULL) is the class of the first problem. The
 * environment must outlive the program. */
struct cel_program *cel_compile(const struct cel_env *env, str text, enum cel_failure *ret_failure,
                                struct err *e) MUST_CHECK;
/* The same for messages that have a place of their own: each problem with its line and column in
 * the text and the nearest declared name. NULL: problems gained some. */
struct cel_program *cel_compile_told(const struct cel_env *env, str text,
                                     struct diag_list *problems) MUST_CHECK;
void cel_program_free(struct cel_program *p); /* NULL is fine */
AUTO_PTR(struct cel_program, cel_program_free)
void cel_program_type(const struct cel_program *p, struct buf *out); /* "list(int)" */
bool cel_program_is_bool(const struct cel_program *p); /* from the checker; dyn is not */

/* What names mean while a program runs. False: it has no value. */
typedef bool cel_lookup_fn(void *ctx, str name, struct cel_value *ret);
/* The result, in the arena; failures are values of CEL_ERROR. */
struct cel_value cel_eval(const struct cel_program *p, cel_lookup_fn *lookup, void *ctx,
                          struct arena *arena);

/* ---- values */

/* A view of a document: maps and lists are read when they are asked for. */
struct cel_value cel_of_node(struct arena *arena, const struct doc_node *node);
/* A map of texts, borrowed. */
struct cel_value cel_of_texts(struct arena *arena, const str *keys, const str *values,
                              size_t count);
/* What a caller puts together itself; items, keys and values are borrowed. */
struct cel_value cel_list_of(struct arena *arena, struct cel_value *items, size_t len);
struct cel_value cel_map_of(struct arena *arena, const str *keys, const struct cel_value *values,
                            size_t len);
struct cel_value cel_optional_of(struct arena *arena, const struct cel_value *inner); /* or NULL */
/* A text as CEL_TIMESTAMP, CEL_DURATION or CEL_BYTES (of base64); one that is none stays a text. */
struct cel_value cel_text_as(struct arena *arena, str text, enum cel_kind kind);
bool cel_equal(const struct cel_value *a,
               const struct cel_value *b); /* as ==; errors are unequal */
/* A value as a document: bytes as base64, times, durations, types and objects as their text, an
 * optional as what is in it or null. NULL with the text of a CEL_ERROR, or ERR_LIMIT. */
struct doc_node *cel_to_node(struct doc_set *set, struct arena *arena, const struct cel_value *v,
                             struct err *e) MUST_CHECK;

/* ---- the functions, for the manual */
struct cel_doc_row { /* no pointers: see docs/decisions/6-start.md */
    char group[24], name[32], summary[80];
    char example[80], result[32]; /* an expression and what `eval cel` prints of it */
};
/* Row i, in groups; its forms, one behind the other with ", " between, are appended: "string.trim()
 * -> string". False behind the last. */
bool cel_function_row(size_t i, struct cel_doc_row *ret, struct buf *forms);
