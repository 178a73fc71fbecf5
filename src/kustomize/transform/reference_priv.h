/* Fixing name references: the state of a pass, and who a name means (kustomize spec 7). */
#pragma once
#include "base/map.h"
#include "kustomize/transform.h"

/* Resources that bore one name, by the namespace they come from; the first knows the last. */
struct kustomize_native {
    struct kustomize_resource *r;
    struct kustomize_native *next, *last;
};

struct kustomize_fixer {
    struct kustomize_build *b;
    struct kustomize_resmap *m;
    struct err *e;
    struct arena arena;
    struct map trees; /* by kind: struct kustomize_field_tree */
    struct buf key;   /* room for keys of it */
    bool has_former;  /* some resource bore another name before: else no name means anybody */
    struct map homes; /* "original namespace|current one" of all resources, once asked for */
    bool has_homes;
    struct map natives; /* "original namespace|former name": struct kustomize_native */
    struct kustomize_found found, part;

    /* the referrer at work */
    struct kustomize_resource *referrer;
    bool is_cluster;                   /* belongs to no namespace */
    struct str_vec subject_namespaces; /* of a RoleBinding's accounts */
    struct doc_place place;            /* of the field at fault */
    /* and the reference */
    str path;
    struct res_gvk target;
};
void kustomize_fixer_done(struct kustomize_fixer *f);
AUTO_VALUE(struct kustomize_fixer, kustomize_fixer_done)

int kustomize_fixer_begin(struct kustomize_fixer *f, struct kustomize_resource *referrer);
/* KD-2: the group of IngressClass. Mends the target, or warns when that would change something. */
void kustomize_fixer_mend_target(struct kustomize_fixer *f, const struct doc_node *field);
/* Whom the name means: NULL when nobody. map: what holds the name, and maybe a namespace, or NULL.
 */
int kustomize_fixer_select(struct kustomize_fixer *f, str name, const struct doc_node *map,
                           struct kustomize_resource **ret);
