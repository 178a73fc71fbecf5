/* Which fields hold paths: of built-in transformers and generators, of kustomizations (inlined in a
 * Composition or files of their own) and of Compositions. Pure; as thread-safe as the trees. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "doc/node.h"

enum kustomize_path_form {
    KUSTOMIZE_PATH_FILE,
    KUSTOMIZE_PATH_KEYED,   /* a file, maybe "key=path" */
    KUSTOMIZE_PATH_PATCH,   /* a file, or YAML in its place */
    KUSTOMIZE_PATH_EITHER,  /* a file or a folder */
    KUSTOMIZE_PATH_FOLDER,  /* of a kustomization */
    KUSTOMIZE_PATH_PLUGIN,  /* a file or folder of configs, or YAML in its place */
    KUSTOMIZE_PATH_HOME,    /* of charts */
    KUSTOMIZE_PATH_PROGRAM, /* with a '/': others are looked for along PATH */
};

/* A text at such a field, to be replaced with doc_replace or left. */
typedef int kustomize_path_fn(void *ctx, struct doc_node *value, enum kustomize_path_form form,
                              struct err *e);
/* Visits all that a config of that kind has. Fields are found whatever the case of their letters.
 * -1 as soon as visit gives it, wrapped with the field's name. */
int kustomize_each_path(const struct doc_node *config, str kind, kustomize_path_fn *visit,
                        void *ctx, struct err *e) MUST_CHECK;

/* Appends "../../x": the way from an absolute folder to an absolute path; both clean. */
void kustomize_relative_path(str from, str to, struct buf *out);
