/* What apply and destroy share: reading, connecting, running with a display, printing the results
 * (khook spec 18.2). Main thread. */
#pragma once
#include "cli/khook/flags.h"
#include "khook/runner.h"

extern const struct cli_flag cli_run_flags[]; /* --parallelism */
/* The exit status, or -1 with e set. */
int cli_run_spec(struct cli *cli, enum khook_mode mode, struct err *e);
