/* The annotations that orchestrator and functions talk with (KRM functions spec 3): reading them in
 * both spellings, adding them before a run, reconciling them behind it. Pure apart from the set. */
#pragma once
#include "base/err.h"
#include "doc/node.h"

#define FN_PATH "internal.config.kubernetes.io/path"
#define FN_INDEX "internal.config.kubernetes.io/index"
#define FN_SEQINDENT "internal.config.kubernetes.io/seqindent"
#define FN_ID "internal.config.kubernetes.io/id"
#define FN_MIGRATION_ID "internal.config.kubernetes.io/annotations-migration-resource-id"
#define FN_PACKAGE_PATH "internal.config.kubernetes.io/package-path"
#define FN_LEGACY_PATH "config.kubernetes.io/path"
#define FN_LEGACY_INDEX "config.kubernetes.io/index"
#define FN_LEGACY_ID "config.k8s.io/id"
/* The key under which a document that is a bare list is wrapped. */
#define FN_BARE_LIST "bareSeqNodeWrappingKey"

/* The text of an annotation, a scalar of any type; empty when it is missing. */
str fn_annotation(const struct doc_node *object, str name);
/* Sets it in single quotes, making metadata.annotations; no effect when metadata is no map. */
void fn_annotate(struct doc_set *set, struct doc_node *object, str name, str value);
/* Removes it, and annotations or metadata that become empty by it. */
void fn_unannotate(struct doc_node *object, str name);

/* Path and index in either spelling; a missing index is 0, so is one that is no number. */
str fn_path_of(const struct doc_node *object);
int64_t fn_index_of(const struct doc_node *object);
/* The folder of a path; empty for a file of the package itself. A view. */
str fn_folder_of(str path);
/* Sets both spellings. */
void fn_set_path(struct doc_set *set, struct doc_node *object, str path, int64_t index);
/* Takes out everything that the orchestrator added: paths, indexes, ids, seqindent, package-path.
 */
void fn_unannotate_all(struct doc_node *object);

/* The two spellings of path, index and id as they were at some time; texts are borrowed from the
 * tree. */
struct fn_spellings {
    str internal[3], legacy[3];
};
struct fn_spellings fn_spellings_of(const struct doc_node *object);
/* ERR_INVALID "mismatched legacy and internal path annotations" when both are there and differ. */
int fn_spellings_check(const struct fn_spellings *s, struct err *e) MUST_CHECK;
/* Adds the missing spelling of path and index. */
void fn_spellings_complete(struct doc_set *set, struct doc_node *object);
/* After a run: before (NULL: the object is new) tells what went in. One changed spelling changes
 * both; both changed to different values is ERR_INVALID. 1 when path or index are new. */
int fn_spellings_reconcile(struct doc_set *set, struct doc_node *object,
                           const struct fn_spellings *before, struct err *e) MUST_CHECK;
/* Takes out the spelling of path and index that `first` did not have, while it had the other. */
void fn_spellings_restore(struct doc_node *object, const struct fn_spellings *first);
