/* Several functions over the items of a package: a step, the pipelines of a package and its
 * subpackages, the functions that are resources themselves (KRM functions spec 5.4, 8). Functions
 * run one after another on the caller's thread, which blocks; several pipelines may run at once,
 * each with a set of its own. */
#pragma once
#include "fn/kptfile.h"
#include "fn/package.h"
#include "fn/results.h"

struct fn_pipeline {
    const struct fn_runner *runner;
    struct doc_set *set;
    struct fn_package *package; /* NULL: items came from elsewhere */
    const char *dir;            /* of the package, for mounts and native functions */
    str api_version;            /* of the lists that functions get; empty: v1 */
    str folder;                 /* default paths of new items are below it */
    fn_event_fn *event;         /* may be NULL */
    void *ctx;
    size_t functions, packages; /* that ran */
    str deferred;               /* name of a function whose failure waits for the end */
};

/* Runs one step over items, which take on its output; is_kept: false throws it away (validators).
 * Items without a path get one when there is a package; paths are checked. 1: it has failed, but
 * defers that. */
int fn_pipeline_step(struct fn_pipeline *p, const struct fn_step *step,
                     const struct doc_node *function_config, bool is_kept, struct doc_list *items,
                     struct err *e) MUST_CHECK;

/* Runs the pipelines of the packages that items were read from, subpackages first. ERR_INVALID
 * before anything runs when a Kptfile is wrong, ERR_DENIED when a gate is closed. */
int fn_pipeline_render(struct fn_pipeline *p, struct doc_list *items, struct err *e) MUST_CHECK;

/* The older model: items that carry the function annotation are the functions; each sees what is in
 * or below its folder, or everything. 1 with p->deferred when one has failed that defers it. */
int fn_pipeline_run_annotated(struct fn_pipeline *p, bool is_global, struct doc_list *functions,
                              struct doc_list *items, struct err *e) MUST_CHECK;
/* Is a path inside the scope of a function whose config has the other path? */
bool fn_is_in_scope(str config_path, str path);
