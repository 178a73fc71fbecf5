/* Vars with their values, and what they do to a field (kustomize spec 12). */
#pragma once
#include "base/map.h"
#include "kustomize/transform.h"
#include "kustomize/transform/expand.h"

struct kustomize_var_value {
    enum doc_type type; /* of a scalar; collections are no values: references to them stay */
    str text;
    bool is_used;
};

struct kustomize_var_pass;
/* A text became what the API refuses there. */
typedef void kustomize_var_warn_fn(const struct kustomize_var_pass *pass, const struct doc_node *n,
                                   const struct kustomize_var_value *value);

/* A pass over fields; the values are in by_name. */
struct kustomize_var_pass {
    struct kustomize_build *b;   /* for warn */
    kustomize_var_warn_fn *warn; /* or NULL */
    const struct map *by_name;   /* struct kustomize_var_value */
    struct doc_set *set;         /* of the fields */
    bool is_text;                /* fields that are texts by the API: KD-5 */
    bool is_fixed;
};

/* The value of a field as upstream decodes it: integers in decimal, floats, bools, texts as
 * written. False when it cannot: 0x1F and the like. */
bool kustomize_var_read(struct doc_set *set, const struct doc_node *field,
                        struct kustomize_var_value *ret);
/* Expands a text, the texts of a map or those of a list. */
int kustomize_var_field(struct kustomize_var_pass *pass, struct doc_node *field,
                        struct err *e) MUST_CHECK;
