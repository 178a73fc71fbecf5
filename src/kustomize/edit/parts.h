/* The edits that several verbs' tables name, each in the file of its subject. One thread. */
#pragma once
#include "kustomize/edit/edit.h"

/* label.c */
kustomize_edit_fn kustomize_edit_set_labels, kustomize_edit_add_labels,
    kustomize_edit_remove_labels;
kustomize_edit_fn kustomize_edit_set_annotations, kustomize_edit_add_annotations,
    kustomize_edit_remove_annotations;
/* generator.c */
kustomize_edit_fn kustomize_edit_set_configmap, kustomize_edit_add_configmap,
    kustomize_edit_remove_configmap;
kustomize_edit_fn kustomize_edit_set_secret, kustomize_edit_add_secret,
    kustomize_edit_remove_secret;
/* patch.c */
kustomize_edit_fn kustomize_edit_add_patch, kustomize_edit_remove_patch;
/* words.c: the single argument "a,b", divided; as build metadata options, known ones only. */
int kustomize_edit_words(const struct kustomize_edit_args *args, const char *what,
                         struct str_vec *ret, struct err *e) MUST_CHECK;
int kustomize_edit_metadata(const struct kustomize_edit_args *args, struct str_vec *ret,
                            struct err *e) MUST_CHECK;
