/* --cache, --offline and --lock: for commands that read what kustomizations name. Main thread. */
#pragma once
#include "cli/command.h"
#include "fetch/loader.h"
#include "kustomize/build.h"

extern const struct cli_flag cli_fetch_flags[];

struct cli_fetch {
    struct fetch_lock *lock; /* owned; NULL without --lock */
};
/* Fills the part of options that is about loading; what it points to lives as long as ret. */
int cli_fetch_read(const struct cli *cli, struct cli_fetch *ret, struct kustomize_options *options,
                   struct err *e) MUST_CHECK;
/* After a run that succeeded: writes what the lock file did not know. */
int cli_fetch_save(struct cli_fetch *fetch, struct err *e) MUST_CHECK;
void cli_fetch_done(struct cli_fetch *fetch);
AUTO_VALUE(struct cli_fetch, cli_fetch_done)
