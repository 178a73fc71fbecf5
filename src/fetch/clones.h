/* The clones of one run, each repository at each ref once, beside the cache of clones by commit:
 *
 *     CACHE/git/SHA256-OF-URL/COMMIT          the files, without .git; "+m" with submodules
 *     CACHE/git/SHA256-OF-URL/ref-SHA256      the commit that a ref was last seen at
 *
 * Owns a temporary folder, which goes with it. Any thread; who asks for a clone that is on its way
 * waits for it. */
#pragma once
#include "fetch/git_url.h"
#include "fetch/source_priv.h"

struct fetch_clones;
struct fetch_clones *fetch_clones_new(const struct fetch_source *source); /* copied */
void fetch_clones_free(struct fetch_clones *clones);
/* The absolute path of url's repository at its ref, borrowed. NULL with ERR_UNAVAILABLE when it is
 * not in the cache and we are offline; ERR_CONFLICT when the lock file says otherwise; else as
 * fetch_git_clone. */
const char *fetch_clones_get(struct fetch_clones *clones, const struct fetch_git_url *url,
                             struct err *e);
