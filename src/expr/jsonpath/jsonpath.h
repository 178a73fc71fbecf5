/* JSONPath as kubectl speaks it (khook spec 14.2): templates of text and {…} parts, fields with \.
 * escapes, ['key'],
 * "..", "*", indexes, slices, unions, filters, range/end, text and number literals.
 *
 * Behaviour and messages are those of the Kubernetes Go client's util/jsonpath; where that one
 * walks a map in no defined order, ours walks it in the order of the document. A compiled path is
 * immutable and may be shared between threads; evaluation keeps its state on the stack and in the
 * caller's arena. Errors are ERR_INVALID (a bad template), ERR_NOT_FOUND (a key that is not there)
 * and ERR_LIMIT (an evaluation of more than ten million steps). */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "doc/node.h"

struct jsonpath; /* opaque, owner of everything compiled */

/* The text is copied. NULL with ERR_INVALID: "unterminated filter". */
struct jsonpath *jsonpath_compile(str text, struct err *e) MUST_CHECK;
void jsonpath_free(struct jsonpath *path); /* NULL is fine */
AUTO_PTR(struct jsonpath, jsonpath_free)

enum jsonpath_flags {
    JSONPATH_ALLOW_MISSING = 1 << 0, /* a missing key is no result instead of an error */
    JSONPATH_JSON = 1 << 1, /* jsonpath_print: each list of results as an indented JSON array */
};

/* Can the path ever give a result? Not an empty one, one with a word that is no function ({status}
 * for {.status}), and one whose ranges and ends do not pair: those compile, as upstream's do, and
 * fail or give nothing whenever they are run. The error says which. */
int jsonpath_check(const struct jsonpath *path, struct err *e) MUST_CHECK;
/* Is the value a text between parts of the path? */
bool jsonpath_is_text(const struct jsonpath *path, const struct doc_node *value);

/* What one {…} part, text between parts, or one round of a range gave. Nodes belong to the
 * document, or, when they are literals of the template, to the compiled path, or, when they were
 * made, to the arena. */
struct jsonpath_list {
    const struct doc_node **v;
    size_t len;
};
struct jsonpath_results {
    struct jsonpath_list *v; /* in the arena */
    size_t len;
};

/* All results, in order. root may be NULL (null). */
int jsonpath_find(const struct jsonpath *path, const struct doc_node *root, unsigned flags,
                  struct arena *arena, struct jsonpath_results *ret, struct err *e) MUST_CHECK;
/* Appends the results as `kubectl -o jsonpath=` prints them: those of one list with a blank between
 * them, scalars plainly, maps and lists as compact JSON with sorted keys. On failure out holds what
 * was printed before. */
int jsonpath_print(const struct jsonpath *path, const struct doc_node *root, unsigned flags,
                   struct buf *out, struct err *e) MUST_CHECK;
/* One value as jsonpath_print prints it without JSONPATH_JSON: 2, true, 1.5, text, null, {"a":1}.
 */
void jsonpath_value_text(const struct doc_node *value, struct buf *out);

/* The relaxed form of a path ("a.b", ".a.b", "{.a.b}") as the complete one, "{.a.b}". */
int jsonpath_relaxed(str text, struct buf *ret, struct err *e) MUST_CHECK;
