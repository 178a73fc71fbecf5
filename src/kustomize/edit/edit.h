/* Editing the kustomization file of the current folder (kustomize spec 21): what `edit set|add|
 * remove` do. Comments, order and formatting of what is not changed stay (doc/edit.h); what a build
 * makes of the file is what it makes of the one kustomize v5.8.2 writes.
 *
 * An edit is one file in memory; nothing is written before kustomize_edit_save. One thread. */
#pragma once
#include "base/buf.h"
#include "base/vec.h"
#include "doc/node.h"

struct kustomize_edit {
    const char *path; /* one of the three names */
    struct doc_set *set;
    struct doc_node *root;
    uint32_t source;
    bool is_new;      /* there was no document in the text: it is printed behind what there was */
    struct buf text;  /* as read */
    struct buf notes; /* lines for the user: what was there already, what has no match */
};

/* ERR_NOT_FOUND without a kustomization file, ERR_INVALID with several, or with one that is no map.
 * ret must be {0}. */
int kustomize_edit_open(struct kustomize_edit *ret, struct err *e) MUST_CHECK;
/* Writes what has changed, if anything has. */
int kustomize_edit_save(struct kustomize_edit *edit, struct err *e) MUST_CHECK;
void kustomize_edit_done(struct kustomize_edit *edit);
AUTO_VALUE(struct kustomize_edit, kustomize_edit_done)

/* What the command line said; each edit reads what it knows. Borrowed. */
struct kustomize_edit_args {
    struct str_vec names; /* the arguments */
    struct str_vec literals, files;
    str env_file, ns, new_ns, behavior, type;
    str path, patch, group, version, kind, name, label_selector, annotation_selector;
    bool has_name_suffix_off; /* --disableNameSuffixHash */
    bool is_forced, without_selector, include_templates, ignores_missing, no_verify;
};

typedef int kustomize_edit_fn(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                              struct err *e);
struct kustomize_edit_row {
    const char *verb;  /* "set" */
    const char *what;  /* "image" */
    const char *usage; /* of the arguments */
    const char *flags; /* those it knows beside the global ones, a blank between */
    kustomize_edit_fn *run;
};
extern const struct kustomize_edit_row kustomize_edit_set[], kustomize_edit_add[],
    kustomize_edit_remove[]; /* a row without a verb ends */

/* Old fields become new ones, as `edit fix` says: bases, imageTags, patchesStrategicMerge,
 * patchesJson6902, commonLabels, env, helmChartInflationGenerator; apiVersion and kind are added.
 * The notes say "bases -> resources". Vars stay. ERR_INVALID when a label stands in commonLabels
 * and in labels. */
int kustomize_edit_fix(struct kustomize_edit *edit, struct err *e) MUST_CHECK;
/* Vars become replacements, with targets where `$(NAME)` stands in the files of the kustomization
 * and its bases. Those files are written at once: NAME_PLACEHOLDER stands there then. ERR_INVALID,
 * and nothing is written, when a reference is a part of a text that no one character divides. */
int kustomize_edit_fix_vars(struct kustomize_edit *edit, struct err *e) MUST_CHECK;

/* Files and folders that a pattern with * ? [] matches, sorted; a path without these is itself,
 * there or not. Texts are in the edit's set. */
void kustomize_edit_glob(struct kustomize_edit *edit, str pattern, struct str_vec *ret);

/* Appends the built-in kinds that `generators` and `transformers` may name, as upstream's `edit
 * alpha-list-builtin-plugin` does (generators first): each group in order of names, which upstream
 * has in another order each time. */
void kustomize_edit_list_builtins(struct buf *out);
