/* Kptfiles: which functions a package's pipeline has (KRM functions spec 8). As thread-safe as
 * the set it is read into. */
#pragma once
#include "fn/runner.h"
#include "fn/select.h"

struct fn_step {
    struct fn_spec spec;
    str name;                          /* as messages show it: image or command line */
    str config_path;                   /* clean, below the package; empty: none */
    const struct doc_node *config_map; /* NULL: none */
    struct fn_selection selection;
};
struct fn_kptfile {
    VEC(struct fn_step) mutators, validators;
};
void fn_step_done(struct fn_step *step); /* leaves {0} */
AUTO_VALUE(struct fn_step, fn_step_done)
void fn_kptfile_done(struct fn_kptfile *k); /* leaves {0} */
AUTO_VALUE(struct fn_kptfile, fn_kptfile_done)

/* Reads a Kptfile's tree; texts and nodes are borrowed from it. ERR_INVALID "Kptfile is invalid: "
 * and the field: unknown ones, image with exec, configPath with configMap, paths that lead out. */
int fn_kptfile_read(struct doc_set *set, const struct doc_node *root, struct fn_kptfile *ret,
                    struct err *e) MUST_CHECK;

/* The functionConfig of data: a v1 ConfigMap named function-input with texts. */
struct doc_node *fn_config_map(struct doc_set *set, const struct doc_node *data);

/* Puts an entry into the Kptfile's pipeline, in the place of one with the same image (tags do not
 * count) or exec, else at the end; comments and other lines stay. list: "mutators", "validators".
 * The new text is appended to out. */
int fn_kptfile_save(str text, const char *list, const struct doc_node *entry, struct buf *out,
                    struct err *e) MUST_CHECK;
