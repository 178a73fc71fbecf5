/* Printing a consolidated Composition (composition spec 10). Reads what a build reads (build.h);
 * any thread. */
#pragma once
#include "kustomize/build.h"

enum kustomize_print_flags {
    KUSTOMIZE_NO_ORIGIN = 1 << 0, /* no comment lines that say where a transformer comes from */
    KUSTOMIZE_JSON = 1 << 1,
};
/* Appends the consolidated Composition of a folder. Runs nothing and reads no resource files. */
int kustomize_print_composition(const char *dir, const struct kustomize_options *options,
                                unsigned flags, struct buf *out, struct err *e) MUST_CHECK;
