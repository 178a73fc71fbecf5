/* What the parts of `localize` share: where a folder's copy goes, and how what it names is copied.
 */
#pragma once
#include "base/map.h"
#include "doc/node.h"
#include "kustomize/edit/edit_priv.h"
#include "kustomize/file/path_fields.h"
#include "kustomize/localize/localize.h"

struct localize_run {
    struct fetch_loader *loader;
    struct map done; /* folders of the copy that are written, by path; of chart homes with a '/' */
    struct arena arena;
    const char *dest; /* absolute, without links */
};

/* A tree of folders and its place in the copy. */
struct localize_scope {
    str from, to; /* absolute, without links; where it is copied to */
};

struct localize_level {
    struct localize_run *run;
    struct localize_scope scope;
    struct fetch_root *root;
    struct buf to; /* of this kustomization or Composition */
    struct kustomize_edit edit;
    bool is_composition;
    struct localize_level *host; /* its generators or transformers name this folder: what lies here
                                    are configs, whose paths count from there; or NULL */
};

/* ---- localize.c */

/* host: as in localize_level. */
int kustomize_localize_folder_into(struct localize_run *run, struct localize_scope scope,
                                   struct fetch_root *root, struct localize_level *host,
                                   struct err *e);
/* Where a folder of the scope goes; ERR_DENIED when it is outside. */
int kustomize_localize_place(const struct localize_scope *scope, str path, struct buf *out,
                             struct err *e);

/* ---- paths.c */

int kustomize_localize_write(const struct localize_level *level, str path, str text, unsigned mode,
                             struct err *e);
/* The same for a folder, relative or behind a git URL; an import of a Composition may lie above. */
int kustomize_localize_folder(struct localize_level *level, str path, bool is_import,
                              struct localize_level *host, struct buf *out, struct err *e);
/* Copies what a text at a field of that form names, and appends what is to stand there. */
int kustomize_localize_path(struct localize_level *level, str text, enum kustomize_path_form form,
                            struct buf *out, struct err *e);

/* ---- configs.c */

/* All paths of a config of that kind that stands in set. */
int kustomize_localize_config(struct localize_level *level, struct doc_set *set,
                              struct doc_node *config, str kind, struct err *e);
/* Appends a text of configs with its paths made local; everything else in it stays. */
int kustomize_localize_configs_text(struct localize_level *level, str text, str origin,
                                    struct buf *out, struct err *e);
int kustomize_localize_composition(struct localize_level *level, struct err *e);

/* ---- charts.c */

/* Copies the folder that holds charts ("": the usual one) and appends its new path. What is not
 * there is for charts to be fetched into, and no error. */
int kustomize_localize_chart_home(struct localize_level *level, str home, struct buf *out,
                                  struct err *e);
