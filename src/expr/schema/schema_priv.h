/* What a schema becomes. A `check` is one subschema with its keywords decoded; a `resource` is a
 * schema with an id of its own, in which anchors and dynamic scopes live. */
#pragma once
#include "base/map.h"
#include "expr/schema/format.h"
#include "expr/schema/schema.h"
#include "re/re.h"

struct resource {
    str uri; /* absolute, no fragment */
    const struct doc_node *root;
    enum schema_draft draft;
    bool has_validation;        /* the metaschema's vocabularies include validation */
    bool is_recursive;          /* $recursiveAnchor: true */
    struct map anchors;         /* name -> const struct doc_node */
    struct map dynamic_anchors; /* the same */
    struct resource *next;
};

struct check_list {
    struct check **v;
    size_t len;
};
struct property {
    str name;
    uint32_t hash;
    struct check *check;
};
struct pattern_property {
    struct re *re;
    struct check *check;
};
struct dependency {
    str name;
    const struct doc_node *required; /* a list of names, or NULL */
    struct check *check;             /* or NULL */
    bool is_late;                    /* of dependentSchemas, dependentRequired */
};
struct dynamic_ref {
    str anchor; /* empty: $recursiveRef */
    struct check *fallback;
};

enum { TYPE_INTEGER = 1 << 6 }; /* beside 1 << enum doc_type */

struct check {
    const struct resource *resource;
    bool is_false;
    bool is_empty; /* nothing to judge */
    uint8_t types; /* 0: any */
    bool is_unique;
    enum schema_format format; /* of a text */
    const struct doc_node *enumeration, *constant;
    const struct doc_node *multiple_of, *minimum, *maximum, *above, *below;
    int64_t min_length, max_length, min_items, max_items, min_properties, max_properties,
        min_contains, max_contains; /* -1: not given */
    struct re *pattern;
    const struct doc_node *required;
    struct property *properties; /* open-addressed by hash, or NULL */
    uint32_t property_slots;
    struct pattern_property *patterns;
    size_t pattern_count;
    struct dependency *dependencies;
    size_t dependency_count;
    struct check *additional_properties, *property_names, *unevaluated_properties;
    struct check_list prefix;
    struct check *items, *contains, *unevaluated_items;
    bool is_additional_items; /* items stands behind a list: draft 2019-09 and before */
    struct check_list all_of, any_of, one_of;
    struct check *not_, *if_, *then_, *else_;
    struct check *ref;
    struct dynamic_ref *dynamic;
};

struct schema {
    struct arena arena;
    struct doc_set *builtin; /* the metaschemas that were asked for */
    struct schema_options options;
    struct map resources;      /* uri -> struct resource */
    struct resource *all;      /* the same as a list */
    struct map resource_roots; /* bytes of a node's address -> struct resource */
    struct map checks;         /* bytes of a node's address -> struct check */
    VEC(struct re *) patterns; /* to free */
    struct check *root;
    unsigned depth; /* of compiling */
};

/* ---- uri.c */
/* Resolves a reference against an absolute URL (RFC 3986 5.2); the fragment stays. */
str uri_resolve(struct arena *arena, str base, str reference);
/* Divides at '#'; *ret_fragment.p is NULL when there is none. */
str uri_divide(str uri, str *ret_fragment);
str uri_decode(struct arena *arena, str text); /* %41 -> A */

/* A bit for the first two letters of a keyword: most of the sixty are not there, which this tells
 * without a search. */
static inline uint64_t schema_letters(const char *keyword)
{
    return UINT64_C(1) << (((unsigned char)keyword[0] * 7u + (unsigned char)keyword[1]) % 64);
}
static inline uint64_t schema_letters_of(const struct doc_node *node)
{
    struct doc_iter it = doc_children(node);
    uint64_t letters = 0;

    while (doc_is_map(node) && doc_next(&it))
        if (it.key.len > 1)
            letters |= schema_letters(it.key.p);
    return letters;
}

/* ---- registry.c */
struct resource *schema_add_document(struct schema *s, const struct doc_node *root, str uri,
                                     enum schema_draft draft, struct err *e);
/* The resource that a subschema starts, or `around`. */
struct resource *schema_resource_at(const struct schema *s, const struct doc_node *node,
                                    struct resource *around);
/* What a reference from `from` means: the subschema and the resource it belongs to. -1: e. */
int schema_resolve(struct schema *s, struct resource *from, str reference,
                   struct resource **ret_resource, const struct doc_node **ret_node,
                   str *ret_anchor, struct err *e);
/* Calls visit for every subschema right below a schema object. */
typedef int schema_visit_fn(void *ctx, const struct doc_node *subschema, struct err *e);

/* ---- metaschema.c */
str schema_metaschema(str uri); /* its text, empty when it is none */
bool schema_draft_of(str uri, enum schema_draft *ret);
str schema_draft_uri(enum schema_draft draft); /* without "#" */

/* ---- self.c */
/* Is a document, loaded from uri, a schema by the metaschema that it names? Of a metaschema that is
 * none of the drafts' nothing is asked. -1: e, in helm's words. */
int schema_check_document(const struct resource *r, str uri, struct err *e);

/* ---- compile.c */

/* ---- validate.c and its parts */
struct scope {
    const struct scope *up;
    const struct resource *resource;
};
/* Where in the value we are, for messages only. */
struct trail {
    const struct trail *up;
    str key;
    size_t index;
    bool is_key;
};
/* Which children of a value have been judged by some keyword. */
struct marks {
    uint64_t *bits;
    size_t len;
    bool all;
};
struct run {
    const struct schema *schema;
    struct schema_problems *problems; /* NULL: nobody wants them */
    struct arena scratch;
    unsigned depth, level;
    bool is_too_deep;
};
bool run_check(struct run *r, const struct check *c, const struct doc_node *value,
               const struct scope *scope, const struct trail *trail, struct marks *marks);
bool run_object(struct run *r, const struct check *c, const struct doc_node *value,
                const struct scope *scope, const struct trail *trail, struct marks *marks);
bool run_array(struct run *r, const struct check *c, const struct doc_node *value,
               const struct scope *scope, const struct trail *trail, struct marks *marks);
bool run_scalar(struct run *r, const struct check *c, const struct doc_node *value,
                const struct trail *trail);
/* The same for a schema beside others on one value: its marks count when it holds. */
bool run_branch(struct run *r, const struct check *c, const struct doc_node *value,
                const struct scope *scope, const struct trail *trail, struct marks *marks);
static inline void marks_set(struct marks *m, size_t at)
{
    if (m)
        m->bits[at / 64] |= 1ull << (at % 64);
}
static inline bool marks_has(const struct marks *m, size_t at)
{
    return m->all || (m->bits[at / 64] >> (at % 64) & 1);
}

/* ---- problem.c: what is wrong, as a tree in the order it is printed. Nothing is kept where nobody
 * wants it (r->problems is NULL). */
bool problem(struct run *r, const struct trail *trail, const char *fmt, ...)
    PRINTF(3, 4);                         /* false */
size_t problem_mark(const struct run *r); /* where the next problem will stand */
/* Puts a problem above those since `from`, which go a level down; false. */
bool problem_heading(struct run *r, size_t from, const struct trail *trail, str text);
/* One check tells one problem: several get the heading "validation failed". */
void problem_group(struct run *r, size_t from, const struct trail *trail);
void problem_ungroup(struct run *r, size_t from); /* takes that heading away again */
void problem_quoted(str text, struct buf *out);   /* as Go's %q, but in single quotes */
void problem_value(const struct doc_node *value, struct buf *out);   /* 'text', 12, <nil> */
void problem_names(const struct str_vec *names, struct buf *out);    /* 'a', 'b' */
void problem_count(size_t count, struct buf *out);                   /* 12,345 */
void problem_number(const struct doc_node *number, struct buf *out); /* 12,345.5, 1×10⁰⁶ */

/* ---- number.c */
int schema_number_compare(const struct doc_node *a, const struct doc_node *b);
bool schema_is_multiple(const struct doc_node *value, const struct doc_node *of);
bool schema_is_integer(const struct doc_node *value, enum schema_draft draft);
