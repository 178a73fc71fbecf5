/* Parts that are not built in yet: each says so when a build asks for it. Whoever brings one takes
 * its row away. */
#include "kustomize/transform.h"

int kustomize_replacements(struct kustomize_build *b UNUSED, struct kustomize_resmap *m UNUSED,
                           const struct kustomize_replacement_list *list UNUSED, struct err *e)
{
    return err_set(e, ERR_UNSUPPORTED, "replacements are not built in yet");
}
