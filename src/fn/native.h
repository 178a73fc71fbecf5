/* Native functions: those that ship inside the program and are called with trees, not with text
 * (KRM functions spec 9). Their table comes from the caller (fnlib makes it, cli hands it on).
 * Tables are constant; see run for what its thread may do. */
#pragma once
#include "fn/resource_list.h"

struct fn_native {
    const char *name; /* "set-labels" */
    /* Kinds of functionConfig, apiVersion fn.kpt.dev/v1alpha1, that name it in a build, divided by
     * blanks: "SetAnnotations SetAnnotationConfig"; "" for none. */
    const char *kinds;
    const char *short_doc; /* one line, no full stop */
    const char *doc;       /* paragraphs, for `fn doc` */
    /* Changes io->items and their trees in place (a node that stays the same pointer is taken for
     * the same resource), appends to io->results. 0, or -1 with e when it has failed: e is what a
     * process would write to stderr, io->results say more. Must return -1 when it adds a result of
     * severity error. Any thread, one list at a time. */
    int (*run)(struct fn_list *io, struct err *e);
};

/* The function that a name or image means: NAME[:TAG], gcr.io/kpt-fn/NAME[:TAG],
 * ghcr.io/kptdev/krm-functions-catalog/NAME[:TAG]; never one with a digest. table: pointers, NULL
 * at the end, may itself be NULL. NULL when there is none. */
const struct fn_native *fn_native_by_image(const struct fn_native *const *table, str image);
/* The function that a functionConfig of group fn.kpt.dev means by its kind. */
const struct fn_native *fn_native_by_config(const struct fn_native *const *table,
                                            const struct doc_node *function_config);
/* Runs it as a process would: a failure that its results do not tell becomes one of them. */
int fn_native_run(const struct fn_native *native, struct fn_list *io, struct err *e) MUST_CHECK;
