/* What every command on releases has: helm's flags and variables for the cluster, the namespace
 * and the storage of records. Main thread. */
#pragma once
#include "chart/release/store.h"
#include "cli/command.h"
#include "sys/signal.h"

extern const struct cli_flag cli_cluster_of_helm[]; /* --kube-context, -n, ... */
extern const struct cli_flag cli_revision_flag[];   /* --revision */
extern const struct cli_flag cli_format_flag[];     /* -o table|json|yaml */

struct cli_releases {
    struct cancel *cancel; /* triggered by signals */
    struct signal_guard *signals;
    struct kube *kube;
    struct chart_store *store;
    enum chart_driver driver;
    char *ns; /* --namespace, $HELM_NAMESPACE, that of the context, "default" */
};
/* Connects (no request is sent yet). all: the store sees every namespace. *ret must be {0}. */
int cli_releases_open(const struct cli *cli, bool all, struct cli_releases *ret,
                      struct err *e) MUST_CHECK;
void cli_releases_done(struct cli_releases *r); /* leaves {0} */
AUTO_VALUE(struct cli_releases, cli_releases_done)

/* The namespace that a command would work in; a kubeconfig that cannot be read names none. */
void cli_release_namespace(const struct cli *cli, struct buf *ret);
/* The only argument, which names a release; helm's message when it is missing or none. */
int cli_release_name(const struct cli *cli, str *ret, struct err *e) MUST_CHECK;
/* The release that the argument and --revision name. */
int cli_release_get(const struct cli *cli, struct cli_releases *open, struct chart_record *ret,
                    struct err *e) MUST_CHECK;
