/* Label and field selectors in the syntax of the Kubernetes API: "app=web,tier in (a, b),!old" and
 * "metadata.name=x,status.phase!=Running". A parsed selector owns its texts and is immutable.
 *
 * Upstream: apimachinery's labels.Parse and fields.ParseSelector; keys and values of labels are
 * validated as there. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "doc/node.h"

enum res_operator { RES_IN, RES_NOT_IN, RES_EXISTS, RES_NOT_EXISTS, RES_GREATER, RES_LESS };

struct res_requirement {
    str key;
    enum res_operator op;
    str *values; /* sorted; = and != are IN and NOT_IN with one */
    size_t count;
};
struct res_selector {
    struct arena arena;
    VEC(struct res_requirement) all; /* every one must hold; none: everything is selected */
};

/* ERR_INVALID with the API's words: "unable to parse requirement: found '', expected: identifier".
 */
int res_label_selector_parse(str text, struct res_selector *ret, struct err *e) MUST_CHECK;
/* The same as kyaml reads it: "()" holds one value, the empty one. */
int res_label_selector_parse_kyaml(str text, struct res_selector *ret, struct err *e) MUST_CHECK;
int res_field_selector_parse(str text, struct res_selector *ret, struct err *e) MUST_CHECK;
/* The selector of an object, {matchLabels, matchExpressions}. NULL and null select nothing, {}
 * everything (*ret_any false and true). */
int res_label_selector_read(const struct doc_node *selector, struct res_selector *ret,
                            bool *ret_any, struct err *e) MUST_CHECK;
void res_selector_done(struct res_selector *s); /* leaves {0} */
AUTO_VALUE(struct res_selector, res_selector_done)

/* labels: a map of texts, or NULL. */
bool res_selector_matches(const struct res_selector *s, const struct doc_node *labels);
/* Fields by their dotted paths in the object; what is missing is empty text. */
bool res_selector_matches_fields(const struct res_selector *s, const struct doc_node *object);
/* Canonical text: requirements sorted by key, "a=1,b in (x,y),!c". */
void res_selector_print(const struct res_selector *s, struct buf *out);

/* What is wrong with a label's key or value by the API's rules; empty when nothing is. */
str res_label_key_problem(str key);
str res_label_value_problem(str value);
