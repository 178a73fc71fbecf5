/* Running one KRM function over a ResourceList: as a native function, an executable or a container
 * (KRM functions spec 5.2, 6, 7). Any thread; a runner is only read. */
#pragma once
#include "base/vec.h"
#include "fn/native.h"
#include "sys/cancel.h"

enum fn_pull { FN_PULL_MISSING, FN_PULL_ALWAYS, FN_PULL_NEVER };

struct fn_mount {
    str type, source, target;
    bool is_writable;
};

/* What is to be run. Texts are borrowed. */
struct fn_spec {
    str image;           /* container, or the name of a native function */
    str range;           /* of versions, in place of the image's tag (fn/tag.h) */
    str exec;            /* a command line, split like a shell would; or */
    struct str_vec argv; /* its words, when they are known */
    struct str_vec envs; /* NAME=VALUE, or NAME to pass on */
    VEC(struct fn_mount) mounts;
    bool wants_network;
    bool defers_failure;
    const struct fn_native *native; /* set: nothing else counts */
};
/* "type=bind,src=/a,dst=/b,rw=true": views into text. */
int fn_mount_parse(str text, struct fn_mount *ret, struct err *e) MUST_CHECK;
void fn_spec_done(struct fn_spec *spec); /* leaves {0} */
AUTO_VALUE(struct fn_spec, fn_spec_done)

struct fn_runner {
    const struct fn_native *const *natives; /* NULL at the end; NULL: no substitution */
    /* Gates. A closed one refuses before anything runs; the texts end the message: "--allow-exec".
     */
    bool allows_container, allows_exec, allows_network, allows_mounts;
    const char *container_flag, *exec_flag; /* what would open them */
    /* Containers. */
    const char *network_name; /* NULL: host */
    bool as_current_user;
    bool logs_to_stderr; /* LOG_TO_STDERR and STRUCTURED_RESULTS are set: build and fn run */
    bool
        accepts_documents; /* output that is no ResourceList: its documents are the items; builds */
    enum fn_pull pull;
    bool is_offline;               /* no registry is asked; implied by FN_PULL_NEVER */
    const struct str_vec *envs;    /* for every container; may be NULL */
    const struct fn_mount *mounts; /* likewise */
    size_t mount_count;
    int64_t timeout_ms;    /* 0: 5 minutes */
    struct cancel *cancel; /* may be NULL */
};

/* What a run has left behind, apart from the items. */
struct fn_outcome {
    int exit_code;  /* 0: success; -1: ended by a signal, a deadline, a limit */
    struct buf err; /* its standard error */
    int64_t duration_ms;
};
void fn_outcome_done(struct fn_outcome *o); /* leaves {0} */
AUTO_VALUE(struct fn_outcome, fn_outcome_done)

/* The function that a functionConfig names: the annotation config.kubernetes.io/function, its old
 * spellings, metadata.configFn, config.kubernetes.io/container, or the kind of a native function.
 * 1 with *ret, 0 when it names none, -1 on a text that is no function. Texts are copied to the
 * config's set. */
int fn_spec_of_config(const struct fn_runner *r, struct doc_set *set,
                      const struct doc_node *function_config, struct fn_spec *ret,
                      struct err *e) MUST_CHECK;
/* The same from the map itself: `container: {image, network, mounts, envs}` or `exec: {path, args,
 * envs}`; a Composition's `runtime`. Unknown fields are errors. */
int fn_spec_of_runtime(struct doc_set *set, const struct doc_node *runtime, struct fn_spec *ret,
                       struct err *e) MUST_CHECK;
/* Whether the gates let it run: ERR_DENIED otherwise. Nothing is started. */
int fn_check_gates(const struct fn_runner *r, const struct fn_spec *spec, struct err *e) MUST_CHECK;

/* Runs the function over io: items, function_config and dir of io go in, the items that came out
 * take the place of io->items (new nodes of io->set, or the same ones changed in place), with
 * comments and order of keys restored and annotations reconciled; io->results are those of this
 * run. Items are matched by ids that do not stay. dir: working folder of executables, NULL is ours.
 * -1 with e when it failed: io->items are then as before, results and *ret hold what there was. */
int fn_run(const struct fn_runner *r, const struct fn_spec *spec, struct fn_list *io,
           const char *dir, struct fn_outcome *ret, struct err *e) MUST_CHECK;
/* For builds: finds the function of a functionConfig (spec NULL) or takes the one given, looks at
 * the gates, runs it. The message holds the function's name, its stderr and error results; an error
 * result fails the run. */
int fn_run_config(const struct fn_runner *r, const struct fn_spec *spec, struct fn_list *io,
                  const struct doc_node *function_config, const char *dir,
                  struct err *e) MUST_CHECK;
