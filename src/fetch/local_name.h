/* Where the local copies of remote things lie, relative to who names them (kustomize spec 21):
 *
 *     localized-files/HOST/PATH             a file at a URL
 *     localized-files/HOST/REPO/REF         a repository; "file-schemed" for file://
 *
 * Pure; any thread. */
#pragma once
#include "fetch/git_url.h"

/* ERR_INVALID for what names no file or would lie elsewhere. */
int fetch_local_file_name(str url, struct buf *out, struct err *e) MUST_CHECK;
/* ERR_INVALID for one without a ref too. */
int fetch_local_repository_name(const struct fetch_git_url *url, struct buf *out,
                                struct err *e) MUST_CHECK;
