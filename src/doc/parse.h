/* Reading YAML and JSON into document sets (design 3).
 *
 * YAML is read in a single pass by our own reader, which accepts and refuses exactly what libyaml
 * does; what scalars mean is the dialect's. No recursion on the input; budgets for depth, nodes,
 * alias expansion and size, each a clear refusal. All functions: text is copied into the set unless
 * DOC_BORROW is given; on failure the set is as before (apart from memory in its arena) and e is
 * ERR_INVALID with one diagnostic: "origin:line:col: message". Pure apart from the set.
 *
 * Spans: a block collection ends with its last child; tags and anchors are outside. The copy that
 * an alias becomes has the alias's span in all its nodes. A byte-order mark is no part of the
 * source, UTF-16 becomes UTF-8, and spans count in that. Comments of a document hang on its root as
 * key_head and key_foot. */
#pragma once
#include "base/diag.h"
#include "doc/node.h"

struct doc_yaml_problem;

enum doc_dialect {
    DOC_MANIFEST,      /* as kubectl reads manifests: YAML 1.1 booleans; duplicate keys refused */
    DOC_KUSTOMIZATION, /* 1.1, last duplicate wins */
    DOC_RESOURCE,      /* a resource or patch in a build: kustomize spec 18 */
    DOC_SPEC,          /* khook spec and var file: khook spec 1.1 */
    DOC_VALUES,        /* chart values: 1.1, float64 numbers, last duplicate wins */
    DOC_KYAML, /* kyaml's node functions: styles, comments and aliases kept, nothing resolved away
                */
    DOC_PATCH, /* DOC_RESOURCE with keys of any type: what they merge with decides */
    DOC_DIALECT_COUNT,
};

enum doc_parse_flags {
    DOC_COMMENTS = 1 << 0, /* keep comments, by go-yaml v3's rules (head, line, foot) */
    DOC_KEEP_ALIASES =
        1 << 1, /* DOC_ALIAS nodes and anchors stay; without it aliases are expanded (copied) */
    DOC_BORROW = 1 << 2,     /* the text outlives the set and is not copied;
                                of YAML, a NUL byte follows it */
    DOC_LAST_WINS = 1 << 4,  /* a repeated key takes the last value, as Go and jq read JSON */
    DOC_KEEP_EMPTY = 1 << 3, /* empty documents appear as null roots; else they are skipped */
    DOC_FIRST_WINS = 1 << 5, /* a repeated key keeps its first value */
};

/* Budgets; 0 means the default of this table. */
struct doc_limits {
    uint32_t max_depth;     /* 10,000 */
    uint64_t max_nodes;     /* 50,000,000, expansion included */
    uint64_t max_expansion; /* nodes made by aliases: 1,000,000 + 10 for each byte read */
    uint64_t max_bytes;     /* 4 GiB - 1 (spans are 32 bits wide) */
};

struct doc_parse_options {
    enum doc_dialect dialect;
    unsigned flags; /* enum doc_parse_flags */
    struct doc_limits limits;
    const struct doc_node *inside; /* or NULL; the text is that of this scalar of the set */
    struct doc_yaml_problem
        *ret_problem;               /* or NULL; set on failure: libyaml's words (doc/yaml/scan.h) */
    struct doc_node **ret_repeated; /* or NULL; where one of repeated keys wins, becomes the first
                                       entry that has met a second value */
};

/* Appends every document of text to *ret. An empty text has none. */
int doc_parse_all(struct doc_set *set, str text, const struct doc_parse_options *options,
                  const char *origin, struct doc_list *ret, struct err *e) MUST_CHECK;
/* The only document of text: NULL with ERR_INVALID when there is none (a null node for an empty
 * text) or a second. */
struct doc_node *doc_parse(struct doc_set *set, str text, enum doc_dialect dialect,
                           const char *origin, struct err *e) MUST_CHECK;
/* One strict RFC 8259 text; a byte-order mark, trailing text, a repeated key are refused. Numbers
 * keep their text. */
struct doc_node *doc_parse_json(struct doc_set *set, str text, const char *origin,
                                struct err *e) MUST_CHECK;
/* The same with DOC_BORROW and DOC_LAST_WINS as asked: without the latter more than RFC 8259
 * demands is refused. */
struct doc_node *doc_parse_json_flags(struct doc_set *set, str text, unsigned flags,
                                      const char *origin, struct err *e) MUST_CHECK;
/* The same over text that outlives the set and is not copied: API answers and watch events. */
struct doc_node *doc_parse_json_view(struct doc_set *set, str text, const char *origin,
                                     struct err *e) MUST_CHECK;

/* Tells places in a source (that of n) as places inside of the scalar whose text it is. */
void doc_set_inside(struct doc_set *set, const struct doc_node *n, const struct doc_node *scalar);

/* The scalar that a text is when it stands unquoted: null, a bool, a number or a string. */
struct doc_node *doc_new_plain(struct doc_set *set, str text, enum doc_dialect dialect);

/* A diagnostic at a node's place (or its key's), excerpt included; for those who judge documents.
 */
struct diag *doc_diag(struct diag_list *list, const struct doc_set *set, const struct doc_node *n,
                      bool at_key, const char *code, const char *fmt, ...) PRINTF(6, 7);
