/* The flags that commands over a khook spec share (khook spec 18), and reading the spec they name.
 * Main thread. */
#pragma once
#include "cli/command.h"
#include "khook/act/action.h"
#include "khook/spec/spec.h"
#include "khook/vars/vars.h"
#include "kube/config.h"

extern const struct cli_flag cli_spec_flags[];    /* -f, --set, --var-file, … */
extern const struct cli_flag cli_cluster_flags[]; /* --kubeconfig, --context, … */
extern const struct cli_flag cli_output_flags[];  /* -o text|json */

struct cli_spec {
    struct buf text; /* the file as read */
    char *origin,
        *base_dir; /* what to call it; where relative paths start ("" : the working directory) */
    struct khook_vars vars;
    struct khook_spec *spec;   /* NULL when it has problems */
    struct diag_list problems; /* warnings too */
};
/* Reads -f and the variables, and judges the spec. 0 also for a spec with problems: spec is then
 * NULL and problems holds errors; -1 when a file cannot be read or a flag is wrong (both end with
 * exit status 2). */
int cli_spec_read(const struct cli *cli, struct cli_spec *ret, struct err *e);
/* The same for commands that need a good spec: problems become e, warnings go to the log. */
int cli_spec_load(const struct cli *cli, struct cli_spec *ret, struct err *e);
void cli_spec_done(struct cli_spec *s);
AUTO_VALUE(struct cli_spec, cli_spec_done)

/* A client for the cluster that the flags, KUBECONFIG or the service account name; no request is
 * sent yet. */
struct kube *cli_kube(const struct cli *cli, struct err *e);
bool cli_wants_json(const struct cli *cli);
