/* The native functions (KRM functions spec 9). Each is written against the public header alone, so
 * that it can also be built as a program of its own, grapnel-fn-NAME; what it exports is its
 * description and the texts that the table of all functions (table.c) is made of. Any thread, one
 * context at a time. */
#pragma once
#include <grapnel/fn.h>

/* What a function's file begins with; the desc then begins with FNLIB_DESC. */
#define FNLIB_TEXTS(id, name_, summary_, doc_)    \
    const char fnlib_##id##_name[] = name_;       \
    const char fnlib_##id##_summary[] = summary_; \
    const char fnlib_##id##_doc[] = doc_
#define FNLIB_DESC(id) \
    .name = fnlib_##id##_name, .summary = fnlib_##id##_summary, .doc = fnlib_##id##_doc

/* X(id, kinds): kinds of functionConfig of fn.kpt.dev/v1alpha1 that name the function in a build.
 */
#define FNLIB_FUNCTIONS(X)                                   \
    X(apply_replacements, "ApplyReplacements")               \
    X(apply_setters, "")                                     \
    X(create_setters, "")                                    \
    X(ensure_name_substring, "EnsureNameSubstring")          \
    X(format, "")                                            \
    X(kubeval, "")                                           \
    X(list_setters, "")                                      \
    X(remove_local_config_resources, "")                     \
    X(search_replace, "")                                    \
    X(set_annotations, "SetAnnotations SetAnnotationConfig") \
    X(set_enforcement_action, "")                            \
    X(set_image, "SetImage")                                 \
    X(set_labels, "SetLabels")                               \
    X(set_name_prefix, "")                                   \
    X(set_namespace, "SetNamespace")                         \
    X(upsert_resource, "")

#define FNLIB_DECLARE(id, kinds)      \
    extern const gfn_desc fnlib_##id; \
    extern const char fnlib_##id##_name[], fnlib_##id##_summary[], fnlib_##id##_doc[];
FNLIB_FUNCTIONS(FNLIB_DECLARE)

#define FNLIB_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define FNLIB_V1 "fn.kpt.dev/v1alpha1"

/* ---- what several functions share */

/* The fields of `map` in order of their names. */
typedef struct fnlib_pair {
    const char *key, *value;
} fnlib_pair;
/* Scalars only: -1, and an error result, for others. *ret belongs to the caller, who frees it. */
int fnlib_pairs(gfn_node map, fnlib_pair **ret, size_t *ret_count);

/* "[a, b]": a list in a message, on one line. Items that are no scalars are "[...]" or "{...}". */
const char *fnlib_list_text(gfn_node list);

/* A row of a table of fields: texts, not pointers, so that nothing is written to when the program
 * starts (docs/decisions/6-start.md). */
typedef struct fnlib_field {
    char group[18], version[3], kind[22], path[152];
    bool create;
} fnlib_field;
/* The rows as specs, into an array of as many; texts are the rows'. */
void fnlib_specs(const fnlib_field *rows, size_t count, gfn_field_spec *ret);

/* An entry of the annotation config.kubernetes.io/depends-on. */
typedef struct fnlib_depend {
    const char *group, *ns, *kind, *name; /* ns: NULL for cluster-scoped objects */
} fnlib_depend;
/* Says whether an entry that names an item is to change, and changes it. */
typedef bool fnlib_depend_fn(void *user, gfn_node target, fnlib_depend *entry);
int fnlib_depends_on(gfn_node item, fnlib_depend_fn *change, void *user);

/* Whether a path is that of an annotation the orchestrator puts there and takes away. */
bool fnlib_is_internal(const char *path);
