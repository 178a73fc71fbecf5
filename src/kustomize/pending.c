/* Parts that are not built in yet: each says so when a build asks for it. Whoever brings one takes
 * its row away. */
#include "kustomize/transform.h"

static int missing(const char *what, struct err *e)
{
    return err_set(e, ERR_UNSUPPORTED, "%s are not built in yet", what);
}

int kustomize_hash(struct kustomize_build *b UNUSED, struct kustomize_resmap *m, struct err *e)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (r->needs_hash)
            return missing("hashes of content", e);
    return 0;
}

int kustomize_replacements(struct kustomize_build *b UNUSED, struct kustomize_resmap *m UNUSED,
                           const struct kustomize_replacement_list *list UNUSED, struct err *e)
{
    return missing("replacements", e);
}

int kustomize_generate(struct kustomize_build *b UNUSED, struct kustomize_resmap *m UNUSED,
                       const struct kustomize_generator *g UNUSED,
                       const struct kustomize_generator_options *global UNUSED,
                       struct kustomize_resource **ret UNUSED, struct err *e)
{
    return missing("generators", e);
}

int kustomize_absorb(struct kustomize_build *b UNUSED, struct kustomize_resmap *m UNUSED,
                     struct kustomize_resmap *generated UNUSED, struct err *e)
{
    return missing("generators", e);
}

