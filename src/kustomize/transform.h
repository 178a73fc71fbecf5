/* What a transformer gets: the level it runs on and the list of resources. Every transformer and
 * generator has the one form
 *     int kustomize_<thing>(struct kustomize_build *b, struct kustomize_resmap *m,
 *                           const <typed arguments>, struct err *e);
 * and changes the list in place (kustomize spec 4). Arguments come decoded (file/kustomization.h);
 * field specs are passed where the built-in kinds have a `fieldSpecs` field, otherwise b->config
 * counts. A transformer keeps the list's index true (kustomize_resmap_refresh).
 *
 * All of it runs on the level's thread (shared.h says what levels have in common). */
#pragma once
#include "base/diag.h"
#include "base/err.h"
#include "doc/parse.h"
#include "doc/schema.h"
#include "kustomize/config/config.h"
#include "kustomize/file/kustomization.h"
#include "kustomize/resmap.h"
#include "sys/cancel.h"

/* One level of a build: a kustomization being accumulated. Everything is borrowed. */
struct kustomize_build {
    struct kustomize_shared *shared; /* options and what all levels of the build have in common */
    struct doc_set *set;             /* for nodes that are made, and files that are read */
    struct diag_list *warnings;      /* of this level's thread */
    str dir;  /* the level's folder, absolute, links resolved; "/" ends none but the root */
    str file; /* its kustomization file, as messages show it */
    const struct kustomization *k;
    /* Defaults, what came up from the bases, its own. The same object as that of other levels where
     * nothing was added: never changed. */
    const struct kustomize_config *config;
    bool is_fixed;               /* --compat fixed: spec 20's rules instead of upstream's bugs */
    struct kustomize_crds *crds; /* what the level's definitions say (config/crds.h), or NULL */
    struct cancel *cancel;       /* or NULL */
};

/* Reads a file of this level: the path is relative to b->dir and must lie in or below it (or
 * anywhere, with LoadRestrictionsNone), or is an http(s) URL. The text lives as long as the set and
 * is followed by a NUL. Errors in upstream's words: "evalsymlink failure on 'F' : lstat F: no such
 * file or directory", "security; file 'F' is not in or below 'D'". */
int kustomize_load(struct kustomize_build *b, str path, str *ret, struct err *e) MUST_CHECK;
/* The documents of such a file (or of a text, whose origin names it in messages) in the dialect of
 * resources and patches. inside: NULL, or the scalar of the build's set that has the text; places
 * are then counted in its file. A NUL byte follows the text, and it outlives the set. */
int kustomize_load_documents(struct kustomize_build *b, str path, struct doc_list *ret,
                             struct err *e) MUST_CHECK;
int kustomize_parse_documents(struct kustomize_build *b, str text, const char *origin,
                              const struct doc_node *inside, struct doc_list *ret,
                              struct err *e) MUST_CHECK;
/* doc_parse_all as upstream reads: of what stands between two dividers it takes one document and
 * leaves the rest unread, behind "..." or a bracket that closes all; a warning names the place. */
int kustomize_parse_all(struct kustomize_build *b, str text,
                        const struct doc_parse_options *options, const char *origin,
                        struct doc_list *ret, struct err *e) MUST_CHECK;
/* The schema patches merge by: the build's `openapi`, or kustomize's own. */
const struct doc_schema *kustomize_schema(const struct kustomize_build *b);
/* A warning, at a node's place when node (of b->set) is not NULL; printed on stderr in order. */
void kustomize_warn(struct kustomize_build *b, const struct doc_node *node, const char *code,
                    const char *fmt, ...) PRINTF(4, 5);
/* The same at the value of a node of any set: of a resource. */
void kustomize_warn_at(struct kustomize_build *b, const struct doc_set *set,
                       const struct doc_node *node, const char *code, const char *fmt, ...)
    PRINTF(5, 6);
/* The same at a place that no node has. */
void kustomize_warn_place(struct kustomize_build *b, const struct doc_place *place,
                          const char *code, const char *fmt, ...) PRINTF(4, 5);
/* '; did you mean "word"?' behind the text of e, before it gets a place; nothing when word is
 * empty.
 */
void kustomize_suggest(struct err *e, str word);
/* Wraps an error with a node's place "file:line:col: ", chain of levels included. Returns -1. */
int kustomize_fail_at(struct kustomize_build *b, const struct doc_node *node, struct err *e);
int kustomize_fail_at_place(const struct doc_place *place, struct err *e);

/* ---- transformers, in the order a level runs them (spec 4) */
int kustomize_generate(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct kustomize_generator *g,
                       const struct kustomize_generator_options *global,
                       struct kustomize_resource **ret, struct err *e) MUST_CHECK;
/* Takes generated resources into the list: append, merge or replace (spec 6). generated is empty
 * afterwards. */
int kustomize_absorb(struct kustomize_build *b, struct kustomize_resmap *m,
                     struct kustomize_resmap *generated, struct err *e) MUST_CHECK;
/* patchesStrategicMerge: entries are paths or inline documents. */
int kustomize_patch_strategic(struct kustomize_build *b, struct kustomize_resmap *m,
                              const struct kustomize_text_list *entries, struct err *e) MUST_CHECK;
int kustomize_patch(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_patch *patch, struct err *e) MUST_CHECK;
/* An entry of patchesJson6902: a target with a name, a JSON patch. */
int kustomize_patch_json6902(struct kustomize_build *b, struct kustomize_resmap *m,
                             const struct kustomize_patch *patch, struct err *e) MUST_CHECK;

enum kustomize_subjects {
    KUSTOMIZE_SUBJECTS_DEFAULT_ONLY,
    KUSTOMIZE_SUBJECTS_ALL,
    KUSTOMIZE_SUBJECTS_NONE,
};
struct kustomize_namespace_args {
    str ns;
    const struct kustomize_specs *specs;
    bool unset_only;
    enum kustomize_subjects subjects;
};
int kustomize_namespace(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct kustomize_namespace_args *args, struct err *e) MUST_CHECK;
/* The same for one resource and its own namespace only, without a look at others' ids. */
int kustomize_namespace_one(struct kustomize_build *b, struct kustomize_resource *r, str ns,
                            struct err *e) MUST_CHECK;
int kustomize_prefix(struct kustomize_build *b, struct kustomize_resmap *m, str prefix,
                     const struct kustomize_specs *specs, struct err *e) MUST_CHECK;
int kustomize_suffix(struct kustomize_build *b, struct kustomize_resmap *m, str suffix,
                     const struct kustomize_specs *specs, struct err *e) MUST_CHECK;
/* An entry of labels: the path set is made from it and b->config. */
int kustomize_label(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_label *label, struct err *e) MUST_CHECK;
/* Pairs at the paths of specs: commonLabels, LabelTransformer. */
int kustomize_labels(struct kustomize_build *b, struct kustomize_resmap *m,
                     const struct kustomize_pairs *pairs, const struct kustomize_specs *specs,
                     struct err *e) MUST_CHECK;
int kustomize_annotations(struct kustomize_build *b, struct kustomize_resmap *m,
                          const struct kustomize_pairs *pairs, const struct kustomize_specs *specs,
                          struct err *e) MUST_CHECK;
int kustomize_replica(struct kustomize_build *b, struct kustomize_resmap *m,
                      const struct kustomize_replica *replica, const struct kustomize_specs *specs,
                      struct err *e) MUST_CHECK;
int kustomize_image(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_image *image, const struct kustomize_specs *specs,
                    struct err *e) MUST_CHECK;
/* Many entries at once: the same as one after another. */
int kustomize_images(struct kustomize_build *b, struct kustomize_resmap *m,
                     const struct kustomize_image_list *list, const struct kustomize_specs *specs,
                     struct err *e) MUST_CHECK;
/* All entries of a level, files included. */
int kustomize_replacements(struct kustomize_build *b, struct kustomize_resmap *m,
                           const struct kustomize_replacement_list *list, struct err *e) MUST_CHECK;
/* The built-in kinds that no field of a kustomization stands for; config is the whole object. */
int kustomize_value_add(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct doc_node *config, struct err *e) MUST_CHECK;
/* Appends the generated resources. */
int kustomize_iam_policy(struct kustomize_build *b, struct kustomize_resmap *m,
                         const struct doc_node *config, struct err *e) MUST_CHECK;

/* ---- at the end of the root's build */
int kustomize_hash(struct kustomize_build *b, struct kustomize_resmap *m, struct err *e) MUST_CHECK;
int kustomize_name_references(struct kustomize_build *b, struct kustomize_resmap *m,
                              struct err *e) MUST_CHECK;
/* The same with referrals that stand in another list, maybe without trees. */
int kustomize_name_references_among(struct kustomize_build *b, struct kustomize_resmap *m,
                                    struct kustomize_resmap *referrals, struct err *e) MUST_CHECK;
/* A var found: where its value is. */
struct kustomize_var_found {
    const struct kustomize_var *var;
    struct kustomize_resource *object;
};
struct kustomize_vars {
    struct kustomize_var_found *v;
    size_t len, cap;
};
/* The vars of a level join those that came up from its bases; `object` is found here. ERR_EXISTS
 * "var 'X' already encountered". */
int kustomize_vars_add(struct kustomize_build *b, struct kustomize_resmap *m,
                       struct kustomize_vars *all, const struct kustomize_var *vars, size_t count,
                       struct err *e) MUST_CHECK;
int kustomize_vars_merge(struct kustomize_vars *all, const struct kustomize_vars *more,
                         struct err *e) MUST_CHECK;
int kustomize_vars_resolve(struct kustomize_build *b, struct kustomize_resmap *m,
                           const struct kustomize_vars *all, struct err *e) MUST_CHECK;
