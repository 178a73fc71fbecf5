/* ResourceLists: what goes into a KRM function and what comes out (KRM functions spec 2).
 *
 * A list borrows its set, which owns every node; the vector of items is the list's own. Items are
 * roots: no node is in two places. Not locked. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

#define FN_LIST_V1 "config.kubernetes.io/v1"

struct fn_list {
    struct doc_set *set;              /* borrowed; new nodes are made in it */
    struct doc_list items;            /* in order; may be changed at will */
    struct doc_node *function_config; /* NULL: none */
    struct doc_node *results;         /* a list of Result maps, or NULL */
    str api_version;                  /* as read; empty: FN_LIST_V1 */
    bool is_wide;                     /* lists are written deeper than their keys */

    bool keeps_places; /* after a run: no item is new or has another path or index */

    /* Where the function may look beside its input; NULL and false unless somebody allows it. */
    const char *dir;     /* the folder of the package or kustomization */
    bool allows_network; /* the gate of section 7 is open */
};
void fn_list_done(struct fn_list *list); /* leaves {0}; nodes stay with the set */
AUTO_VALUE(struct fn_list, fn_list_done)

/* Reads one ResourceList (v1, v1beta1, v1alpha1; JSON too) with its comments into set. ERR_INVALID
 * when the text is something else, or an item is no KRM resource: "origin: ...". Legacy spellings
 * of results become the new ones. Unknown fields are dropped. *ret must be {0}. */
int fn_list_read(struct doc_set *set, str text, const char *origin, struct fn_list *ret,
                 struct err *e) MUST_CHECK;
/* The same; a text that is no ResourceList is a stream of resources, which become the items. */
int fn_list_read_any(struct doc_set *set, str text, const char *origin, struct fn_list *ret,
                     struct err *e) MUST_CHECK;
/* Appends the list as YAML: apiVersion, kind, items, functionConfig, results; comments kept. */
void fn_list_emit(const struct fn_list *list, struct buf *out);
/* A result at the end of the results. path: field inside the object, may be NULL. object may be
 * NULL. Returns the Result, for further fields. */
struct doc_node *fn_list_result(struct fn_list *list, const char *severity,
                                const struct doc_node *object, const char *path, str message);

/* Turns folded texts that would change by being printed into literal ones. */
void fn_unfold(struct doc_node *n);

/* ERR_INVALID unless n has apiVersion, kind and metadata.name: "resource must have `kind`". Files
 * named like a kustomization or Composition need no name; path may be empty. */
int fn_check_resource(const struct doc_node *n, str path, struct err *e) MUST_CHECK;
