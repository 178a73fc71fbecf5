/* What the edits share. Fields are found whatever the case of their letters. */
#pragma once
#include "kustomize/edit/edit.h"

extern const char *const kustomize_edit_names[3]; /* of kustomization files */

/* The tree of edit->text, and its text as it is now. */
int kustomize_edit_parse(struct kustomize_edit *edit, struct err *e) MUST_CHECK;
void kustomize_edit_print(struct kustomize_edit *edit, struct buf *out);

struct doc_node *kustomize_edit_field(const struct doc_node *map, str name);
/* The list or map of that name, made at the end when it is absent or null. ERR_INVALID when it is
 * something else. */
struct doc_node *kustomize_edit_list(struct kustomize_edit *edit, struct doc_node *map, str name,
                                     struct err *e);
struct doc_node *kustomize_edit_map(struct kustomize_edit *edit, struct doc_node *map, str name,
                                    struct err *e);
/* Sets a text; an empty one removes the field. */
void kustomize_edit_text(struct kustomize_edit *edit, struct doc_node *map, str name, str text);
void kustomize_edit_drop(struct doc_node *map, str name);       /* whatever it is */
void kustomize_edit_drop_empty(struct doc_node *map, str name); /* a list or map of nothing */
bool kustomize_edit_has_text(const struct doc_node *list, str text);
void kustomize_edit_append(struct kustomize_edit *edit, struct doc_node *list, str text);
void kustomize_edit_note(struct kustomize_edit *edit, const char *fmt, ...) PRINTF(2, 3);
str kustomize_edit_string(const struct doc_node *map, str name); /* or empty */
