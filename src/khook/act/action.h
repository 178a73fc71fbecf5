/* What each type of step does: carrying it out, tearing it down, predicting it, and the difference
 * it would make (khook spec 11 to 16, 18.4 to 18.6). One TYPE.c and one row in action.c per
 * type.
 *
 * Functions block, run on any thread, and share nothing but the context. */
#pragma once
#include "khook/act/object.h"
#include "khook/spec/spec.h"
#include "kube/client.h"

struct khook_context { /* borrowed for the run */
    struct kube *kube; /* NULL offline */
    const struct khook_spec *spec;
    str base_dir; /* relative paths start here; empty: the working directory */
};

struct khook_attempt {
    const struct khook_step *step;
    struct cancel *cancel;   /* with the attempt's deadline */
    struct buf *note;        /* for the result: "skipIf: exists" */
    struct buf *outstanding; /* for the message of a time-out; may be NULL */
    str input_hash;          /* with state: the present one, else empty */
    bool may_adopt;          /* the record has this step unfinished with this very hash (16.5) */
};

/* What plan says (18.4), in the order of its last line. */
#define KHOOK_PLAN_ACTIONS(X)            \
    X(KHOOK_PLAN_INSTALL, "install")     \
    X(KHOOK_PLAN_UPGRADE, "upgrade")     \
    X(KHOOK_PLAN_CREATE, "create")       \
    X(KHOOK_PLAN_CONFIGURE, "configure") \
    X(KHOOK_PLAN_DELETE, "delete")       \
    X(KHOOK_PLAN_RESTART, "restart")     \
    X(KHOOK_PLAN_RUN, "run")             \
    X(KHOOK_PLAN_WAIT, "wait")           \
    X(KHOOK_PLAN_SKIP, "skip")           \
    X(KHOOK_PLAN_RESUME, "resume")       \
    X(KHOOK_PLAN_NO_OP, "no-op")         \
    X(KHOOK_PLAN_UNKNOWN, "unknown")
enum khook_plan_action {
#define X(name, text) name,
    KHOOK_PLAN_ACTIONS(X)
#undef X
        KHOOK_PLAN_COUNT
};
const char *khook_plan_word(enum khook_plan_action action);

struct khook_prediction {
    enum khook_plan_action action;
    struct buf detail;
};

struct khook_executor {
    int (*run)(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e);
    /* NULL: destroy skips the step for this reason. */
    int (*teardown)(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e);
    const char *keeps;
    /* A failure becomes `unknown` with the error as detail. */
    int (*predict)(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e);
    /* Appends a unified diff; NULL: this type has none. */
    int (*diff)(const struct khook_context *ctx, const struct khook_step *step,
                struct cancel *cancel, struct buf *out, struct err *e);
    /* The line of plan behind "name [type]" (18.4). */
    void (*summary)(const struct khook_step *step, struct buf *out);
};
const struct khook_executor *khook_executor_of(enum khook_type type);

/* Reads every source of manifests (11.2): inline text, files, URLs. ERR_INVALID names the entry. */
int khook_sources_load(const struct khook_context *ctx, const struct khook_blocks *manifests,
                       struct cancel *cancel, struct khook_objects *ret, struct err *e);
/* The same without the network: URLs are left out, and no object at all is fine when there were
 * some. */
int khook_sources_load_local(const struct khook_context *ctx, const struct khook_blocks *manifests,
                             struct khook_objects *ret, struct err *e);
/* What a helm step gives to its chart: valuesFrom in order, then values (10.3.5). In the set. */
struct doc_node *khook_values_load(const struct khook_context *ctx, const struct khook_blocks *from,
                                   const struct doc_node *values, struct doc_set *set,
                                   struct cancel *cancel, struct err *e);
/* A path of the spec, from where relative ones start. Yours to mem_free. */
char *khook_path_of(const struct khook_context *ctx, str path);
/* predict.c */
/* Appends "creates namespace "n"" or "namespace "n" does not exist" when the namespace is missing.
 */
void khook_predict_namespace(const struct khook_context *ctx, str ns, bool creates,
                             struct cancel *cancel, struct buf *detail);
/* Puts "; " between parts of a detail. */
void khook_detail_divide(struct buf *detail);

extern const struct khook_executor khook_act_apply, khook_act_delete, khook_act_patch,
    khook_act_wait, khook_act_rollout, khook_act_job, khook_act_helm;
