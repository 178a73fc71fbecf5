/* Selectors of resources, made ready for many (kustomize spec 10): group, version, kind, name and
 * namespace are regular expressions that must match the whole text, labels and annotations are
 * selected as in the Kubernetes API. Immutable once it is made; texts are borrowed from the
 * selector. */
#pragma once
#include "kustomize/file/kustomization.h"
#include "kustomize/resmap.h"
#include "re/re.h"
#include "res/selector.h"

struct kustomize_pattern {
    str text;      /* empty: anything */
    struct re *re; /* NULL: the text is no pattern but meant literally */
};
struct kustomize_matcher {
    struct kustomize_pattern group, version, kind, name, ns;
    struct res_selector labels, annotations;
};
/* ERR_INVALID: "error parsing regexp: ...", "unable to parse requirement: ...". */
int kustomize_matcher_init(struct kustomize_matcher *m, const struct kustomize_selector *s,
                           struct err *e) MUST_CHECK;
void kustomize_matcher_done(struct kustomize_matcher *m);
AUTO_VALUE(struct kustomize_matcher, kustomize_matcher_done)

bool kustomize_pattern_matches(const struct kustomize_pattern *p, str text);
bool kustomize_matcher_gvk(const struct kustomize_matcher *m, const struct res_gvk *gvk);
bool kustomize_matcher_marks(const struct kustomize_matcher *m,
                             const struct kustomize_resource *r); /* labels and annotations */
/* All that it selects, in order of the list; ret is cleared first. Asks the list's index where a
 * name or kind is given literally. */
void kustomize_matcher_find(const struct kustomize_matcher *m, struct kustomize_resmap *all,
                            struct kustomize_found *ret);
