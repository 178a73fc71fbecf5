/* What commands on charts share: where the chart comes from, and its values. Main thread. */
#pragma once
#include "chart/chart.h"
#include "chart/locate.h"
#include "chart/values.h"
#include "cli/command.h"

/* Where a chart comes from: all three tables. */
extern const struct cli_flag cli_chart_source_flags[]; /* --repo, --version, --devel, ... */
extern const struct cli_flag cli_chart_access_flags[]; /* --username, --ca-file, ... */
extern const struct cli_flag cli_chart_trust_flags[];  /* --plain-http, --verify, --keyring */
extern const struct cli_flag cli_chart_values_flags[]; /* --values, --set, ... */
extern const struct cli_flag cli_chart_path_flags[];   /* --repository-config, ...: see flags.c */

/* Helm's files and folders: of the flags, else of the environment. *ret must be {0}. */
void cli_chart_dirs(const struct cli *cli, struct chart_dirs *ret);

struct cli_chart_source {
    struct chart_dirs dirs; /* owned */
    struct buf keyring;
    struct chart_source source; /* borrows from dirs and the command line */
};
/* Works for any command that has some of the flags. *ret must be {0} and stay where it is. The
 * password is registered as a secret. */
void cli_chart_source_read(const struct cli *cli, struct cli_chart_source *ret);
void cli_chart_source_done(struct cli_chart_source *source);
AUTO_VALUE(struct cli_chart_source, cli_chart_source_done)

/* Locates and loads the chart that an argument names; late: as chart_load_late does. */
typedef struct chart *cli_chart_load_fn(const struct cli *cli, struct doc_set *set, str reference,
                                        struct err *e) MUST_CHECK;
cli_chart_load_fn cli_chart_load, cli_chart_load_late;
void cli_chart_values(const struct cli *cli, struct chart_user_values *ret);
/* --namespace, $HELM_NAMESPACE or "default"; what a kubeconfig says is left to others. */
str cli_chart_namespace(const struct cli *cli);
/* A chart_line_fn: to standard output, masked. */
void cli_chart_print_line(void *ctx, str line);
