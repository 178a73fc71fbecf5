/* What install, upgrade, rollback, uninstall and test share: their flags, connecting, telling what
 * happens, printing what came of it. Main thread. */
#pragma once
#include "chart/release/operations.h"
#include "cli/chart/flags.h"
#include "cli/chart/helm_flags.h"

extern const struct cli_flag cli_wait_flags[];    /* --wait, --timeout, --no-hooks, ... */
extern const struct cli_flag cli_apply_flags[];   /* --server-side, --force-conflicts, ... */
extern const struct cli_flag cli_history_flags[]; /* --history-max, --cleanup-on-fail */
extern const struct cli_flag cli_release_flags[]; /* of install and upgrade: --atomic, ... */
extern const struct cli_flag cli_upgrade_flags[]; /* --install, --reuse-values, ... */
extern const struct cli_flag cli_dry_run_flags[]; /* --dry-run[=client|server] */

/* With both flags in two orders: helm's message for flags that exclude each other. */
#define CLI_NOT_TOGETHER \
    "if any flags in the group [%s] are set none of the others can be; [%s] were all set"

struct cli_operation {
    struct cli_releases open;
    struct chart_operation op; /* borrows from the others and the command line */
    struct doc_set *set;
    struct chart_user_values given;
    struct str_vec post_arguments; /* NULL-terminated in post_argv */
    const char **post_argv;
    struct buf ns; /* of what runs without a cluster */
};
/* Connects (not for a dry run on the client) and fills in op from whatever flags the command has.
 * *ret must be {0} and stay where it is. */
int cli_operation_open(const struct cli *cli, str name, struct cli_operation *ret,
                       struct err *e) MUST_CHECK;
/* Loads the chart and the values of install and upgrade. */
int cli_operation_load(const struct cli *cli, str reference, struct cli_operation *o,
                       struct err *e) MUST_CHECK;
void cli_operation_done(struct cli_operation *o);
AUTO_VALUE(struct cli_operation, cli_operation_done)

/* Puts helm's "INSTALLATION FAILED" and the like before a message. Returns -1. */
int cli_operation_failed(const char *what, struct err *e);
/* The record as -o asks for it, behind a line of text (or none) in a table. */
int cli_operation_print(const struct cli *cli, const char *headline, const struct chart_record *r,
                        struct err *e) MUST_CHECK;
