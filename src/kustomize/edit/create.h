/* Making a kustomization file in the current folder (kustomize spec 21, `create`). One thread, as
 * for edit.h. */
#pragma once
#include "kustomize/edit/edit.h"

struct kustomize_create {
    struct str_vec resources;           /* paths, patterns, URLs */
    struct str_vec labels, annotations; /* "key:value" */
    str ns, prefix, suffix;
    bool detects;      /* every file that holds resources */
    bool is_recursive; /* in folders below too; one with a kustomization counts as a whole */
};
/* Writes kustomization.yaml; edit, which must be {0}, then holds it and the notes. ERR_EXISTS when
 * there is a kustomization file. */
int kustomize_create(const struct kustomize_create *options, struct kustomize_edit *edit,
                     struct err *e) MUST_CHECK;
