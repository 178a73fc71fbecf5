/* `localize`: a copy of a kustomization in which everything remote has become local (kustomize spec
 * 21). What its files name is copied too, folders with all that their kustomizations name. Remote
 * files and folders go below "localized-files" beside the kustomization that names them:
 *
 *     localized-files/HOST/PATH             a file at a URL
 *     localized-files/HOST/REPO/REF/PATH    a folder in a repository ("file-schemed" for file://)
 *
 * Comments and form of kustomization files stay. One call a copy, blocking; any thread. */
#pragma once
#include "base/buf.h"
#include "fetch/loader.h"

struct kustomize_localize {
    const char *target; /* a folder, or a git URL with a ref */
    const char *dest;   /* must not exist; NULL: "localized-" and the target's name */
    const char *scope;  /* folders outside are not copied; NULL: the target, or its repository */
    struct fetch_loader *loader;
};
/* Appends the path of the copy, and that of the target's own folder in it. When it fails nothing is
 * left of the copy. ERR_EXISTS, ERR_INVALID, and what loading gives. */
int kustomize_localize_run(const struct kustomize_localize *options, struct buf *ret_dest,
                           struct buf *ret_target, struct err *e) MUST_CHECK;
