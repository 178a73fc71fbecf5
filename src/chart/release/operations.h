/* What is done with releases: install, upgrade, rollback, uninstall, test (helm spec 7, 8, 10, 12,
 * 13), so that the helm CLI can go on with any of them.
 *
 * Everything in struct chart_operation is borrowed for the call. Calls block; one operation at a
 * time with one chart, others on other threads may share the client. Triggering the cancel ends an
 * operation at the next request or wait; its record is then marked failed, with a cancel of a few
 * seconds of its own. Errors have helm's texts without "INSTALLATION FAILED: " and the like; the
 * record so far is in *ret also after a failure, when there is one (ret->root not NULL). */
#pragma once
#include "chart/release/record.h"
#include "chart/release/store.h"

enum chart_wait_strategy { CHART_WAIT_HOOKS, CHART_WAIT_WATCHER, CHART_WAIT_LEGACY };
enum chart_dry_run { CHART_DRY_NONE, CHART_DRY_CLIENT, CHART_DRY_SERVER };
enum chart_side { CHART_SIDE_AUTO, CHART_SIDE_SERVER, CHART_SIDE_CLIENT };
enum chart_reuse {
    CHART_REUSE_NONE, /* the given values, or, when none are given, those of the last release */
    CHART_REUSE_RESET,
    CHART_REUSE_VALUES,
    CHART_REUSE_AFTER_RESET, /* --reset-then-reuse-values */
};

enum chart_tale {                     /* what a listener is told */
                  CHART_TALE_STEP,    /* "pre-install hook web-migrate", "waiting for 3 objects" */
                  CHART_TALE_WARNING, /* something is odd, the operation goes on */
                  CHART_TALE_LOG,     /* output of a hook's Pod, as it came */
                  CHART_TALE_MISSING, /* kept up by waits: what is not ready yet; empty: nothing */
                  CHART_TALE_REASONS, /* why what was waited for is not ready, as Pods and events
                                         say: lines, a newline before each; also in the error */
};
/* One call at a time: on the operation's thread, MISSING on those of the wait, which have ended
 * when the operation goes on. text is borrowed for the call; must not wait. */
typedef void chart_tell_fn(void *ctx, enum chart_tale tale, str text);

/* Told by dry runs that ask the server: what is there and what the operation would make of it,
 * without what only the server writes. A side without a root stands for no object; both may be
 * changed, and live until the call returns. On the operation's thread. */
typedef int chart_foresee_fn(void *ctx, const struct kube_ref *ref, struct kube_object *live,
                             struct kube_object *planned, struct err *e);

enum chart_post_strategy {
    CHART_POST_COMBINED, /* hooks and manifests in one stream */
    CHART_POST_SEPARATE, /* a stream, and a run of the post-renderer, for each */
    CHART_POST_NO_HOOKS, /* manifests alone, as Helm 3 did */
};

struct chart_operation {
    struct kube *kube; /* NULL only for --dry-run=client */
    enum chart_driver driver;
    str name, ns;          /* of the release */
    struct cancel *cancel; /* may be NULL */
    chart_tell_fn *tell;   /* may be NULL */
    void *ctx;

    int64_t timeout_ms; /* of each wait and hook; 0: 5 minutes */
    enum chart_wait_strategy wait;
    bool waits_for_jobs;
    bool no_hooks;
    enum chart_dry_run dry_run;
    bool hides_secrets;        /* of a dry run */
    chart_foresee_fn *foresee; /* with CHART_DRY_SERVER, of install, upgrade, rollback; or NULL */
    void *foresee_ctx;
    enum chart_side side;
    bool force_conflicts, force_replace;
    bool no_validation; /* --disable-openapi-validation */
    str description;    /* empty: helm's */
    bool rolls_back;    /* --rollback-on-failure: waits too */
    bool cleans_up;     /* --cleanup-on-fail */
    int64_t history_max;

    /* install and upgrade */
    struct doc_set *set; /* of chart and values; what is rendered is made here too */
    struct chart *chart; /* is changed; NULL for the other operations */
    const struct doc_node *values;
    const struct doc_node *labels; /* a map of texts, or NULL; a null removes one on upgrade */
    bool skips_crds, upgrades_crds, skips_schema, renders_subchart_notes;
    bool leaves_crds; /* of chart_template: what it returns has none */
    bool creates_namespace, takes_ownership, replaces;
    enum chart_reuse reuse;
    bool installs;           /* upgrade --install */
    str kube_version;        /* of --dry-run=client; empty: the newest known */
    const str *api_versions; /* of --dry-run=client, besides those built in */
    size_t api_version_count;
    const char *post_renderer; /* a program, or NULL; gets and prints a stream of manifests */
    const char *const *post_renderer_arguments; /* NULL at the end, or NULL */
    enum chart_post_strategy post_strategy;
    bool enables_dns;    /* getHostByName asks the host's resolver; else it finds nothing */
    struct buf *outputs; /* gets what the templates printed before it is read as YAML, or NULL */
};

/* Renders as an install would (an upgrade, with is_upgrade) and stores nothing: `template`. With a
 * cluster (CHART_DRY_SERVER) an install also judges what is there already, as installs do. */
int chart_template(const struct chart_operation *op, bool is_upgrade, struct chart_release *ret,
                   struct err *e) MUST_CHECK;

/* ERR_EXISTS: "cannot reuse a name that is still in use". */
int chart_install(const struct chart_operation *op, struct chart_record *ret,
                  struct err *e) MUST_CHECK;
/* ret_installed (may be NULL): there was nothing to upgrade and op->installs. ERR_NOT_FOUND:
 * "NAME" has no deployed releases. */
int chart_upgrade(const struct chart_operation *op, bool *ret_installed, struct chart_record *ret,
                  struct err *e) MUST_CHECK;
/* helm.sh/resource-policy: keep; upgrade, rollback and uninstall do not delete such an object. */
bool chart_is_kept(const struct doc_node *object);
/* To a revision; 0: the one before the last. */
int chart_rollback(const struct chart_operation *op, int64_t revision, struct chart_record *ret,
                   struct err *e) MUST_CHECK;

struct chart_uninstall_options {
    enum kube_propagation cascade;
    bool keeps_history, ignores_missing;
};
/* ret_kept: "[Kind] name" lines of what was left behind, each ended; ret may stay empty when the
 * release was not there and that is fine. */
int chart_uninstall(const struct chart_operation *op, const struct chart_uninstall_options *options,
                    struct chart_record *ret, struct buf *ret_kept, struct err *e) MUST_CHECK;

struct chart_test_options {
    struct str_vec names, not_names; /* --filter name=, !name= */
    struct buf *logs;                /* receives the logs of the test Pods, or NULL */
};
int chart_test(const struct chart_operation *op, const struct chart_test_options *options,
               struct chart_record *ret, struct err *e) MUST_CHECK;
