/* The configuration of transformers: which fields each of them touches, which fields refer to
 * names, which hold vars (kustomize spec 13, appendices A and B).
 *
 * A config starts as the defaults and grows by `configurations` and `crds` files, level by level;
 * what came up from the bases counts for the levels above. Texts are borrowed from sets and tables
 * that live as long as the build; the vectors are the config's. One thread while it grows; shared
 * by levels from then on. */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "res/fieldspec.h"

struct kustomize_specs {
    struct res_field_spec *v;
    size_t len, cap;
};
/* References to one kind. */
struct kustomize_backref {
    struct res_gvk target;
    struct kustomize_specs referrers;
};
struct kustomize_backrefs {
    struct kustomize_backref *v;
    size_t len, cap;
};

struct kustomize_config {
    struct kustomize_specs name_prefix, name_suffix, ns, common_labels, labels, template_labels,
        volume_claim_labels, common_annotations, images, replicas, var_reference;
    struct kustomize_backrefs name_reference;
    VEC(const struct doc_node *) crds; /* CustomResourceDefinitions of `crds` files, borrowed */
    bool has_default_refs; /* and name_reference and var_reference, which are empty, stand for them
                            */
    bool has_default_fields; /* and the lists before them, which are empty, stand for the rows */
};

/* Makes an empty config the defaults (the label, image, ... tables and those of references). */
void kustomize_config_defaults(struct kustomize_config *c);
/* A list of fields of the config, with the default rows where it stands for them: the caller's. */
struct kustomize_specs kustomize_config_specs(const struct kustomize_config *c,
                                              const struct kustomize_specs *list);
void kustomize_config_copy(struct kustomize_config *to, const struct kustomize_config *from);
/* Adds what `from` has and c lacks. ERR_CONFLICT: the same selector and path with another create,
 * "conflicting fieldspecs". */
int kustomize_config_merge(struct kustomize_config *c, const struct kustomize_config *from,
                           struct err *e) MUST_CHECK;
/* Decodes a document of a `configurations` file into an empty config; texts are borrowed from set.
 * Unknown sections are errors. */
int kustomize_config_read(struct kustomize_config *c, const struct doc_set *set,
                          const struct doc_node *document, struct err *e) MUST_CHECK;
/* What a `crds` document says: an OpenAPI map of types, or a CustomResourceDefinition. */
int kustomize_config_read_crd(struct kustomize_config *c, struct doc_set *set,
                              const struct doc_node *document, struct err *e) MUST_CHECK;
void kustomize_config_done(struct kustomize_config *c); /* leaves {0} */
AUTO_VALUE(struct kustomize_config, kustomize_config_done)

/* The parts of these: one spec more (a spec that has it in it already, by path and selector, counts
 * as the same), many, the referrers of a kind; a list of a file or an object's `fieldSpecs`. */
int kustomize_specs_add(struct kustomize_specs *specs, const struct res_field_spec *spec,
                        struct err *e) MUST_CHECK;
int kustomize_specs_add_all(struct kustomize_specs *specs, const struct res_field_spec *more,
                            size_t count, struct err *e) MUST_CHECK;
int kustomize_backrefs_add(struct kustomize_backrefs *refs, const struct res_gvk *target,
                           const struct kustomize_specs *referrers, struct err *e) MUST_CHECK;
int kustomize_specs_read(struct kustomize_specs *specs, const struct doc_set *set,
                         const struct doc_node *list, struct err *e) MUST_CHECK;
static inline void kustomize_specs_done(struct kustomize_specs *specs)
{
    vec_done(specs);
    *specs = (struct kustomize_specs){0};
}
AUTO_VALUE(struct kustomize_specs, kustomize_specs_done)

/* ---- defaults.c */

/* Makes specs of the default rows, before others join them. */
void kustomize_config_own_fields(struct kustomize_config *c);

/* ---- refs.c */

/* Makes specs of the default references, before others join them. */
void kustomize_config_own_refs(struct kustomize_config *c);
/* The fields of a kind that refer to others (the tag of a leaf is the kind referred to), and those
 * that hold vars. */
struct kustomize_field_tree;
struct kustomize_field_tree *kustomize_config_refs_tree(const struct kustomize_config *c,
                                                        const struct res_gvk *gvk, struct arena *a);
struct kustomize_field_tree *kustomize_config_vars_tree(const struct kustomize_config *c,
                                                        const struct res_gvk *gvk, struct arena *a);
