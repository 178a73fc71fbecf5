/* The text of a patch, tried as strategic merge patches and as a JSON patch (kustomize spec 10).
 * The level's thread; nodes live in its set. */
#pragma once
#include "kustomize/transform.h"

struct kustomize_patch_text {
    struct doc_list merges;      /* strategic merge patches, objects with kind and name */
    struct doc_node *operations; /* of a JSON patch: a list, or NULL */
    const struct doc_set *set;   /* that owns the operations, for places */
};
void kustomize_patch_text_done(struct kustomize_patch_text *p);
AUTO_VALUE(struct kustomize_patch_text, kustomize_patch_text_done)

/* Where a text comes from: a file of the level, or a node of the kustomization. */
struct kustomize_patch_source {
    str path;                    /* of the file, or empty */
    str text;                    /* else the text itself */
    const struct doc_node *node; /* the entry's node with either, or NULL */
};
/* Reads both ways; a text without any content is neither, which is fine. ERR_INVALID: "unable to
 * parse SM or JSON patch from [path: "p.yaml"]: ...", "illegally qualifies as both an SM and JSON
 * patch". */
int kustomize_patch_text_read(struct kustomize_build *b, const struct kustomize_patch_source *from,
                              struct kustomize_patch_text *ret, struct err *e) MUST_CHECK;
/* Only as strategic merge patches: appended to ret. */
int kustomize_patch_text_merges(struct kustomize_build *b,
                                const struct kustomize_patch_source *from, struct doc_list *ret,
                                struct err *e) MUST_CHECK;
/* Only as a JSON patch. */
int kustomize_patch_text_operations(struct kustomize_build *b,
                                    const struct kustomize_patch_source *from,
                                    struct doc_node **ret, struct err *e) MUST_CHECK;
/* "[path: "p.yaml"]" or "[patch: "..."]" as messages name a source. */
void kustomize_patch_source_print(const struct kustomize_patch_source *from, struct buf *out);
