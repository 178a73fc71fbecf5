/* What the commands of `fn` share: flags, the runner they make, console lines, where output goes.
 * Main thread. */
#pragma once
#include "cli/command.h"
#include "fn/pipeline.h"
#include "sys/signal.h"

extern const struct cli_flag cli_fn_run_flags[];       /* every command that runs functions */
extern const struct cli_flag cli_fn_container_flags[]; /* and lets the caller shape containers */
extern const struct cli_flag cli_fn_output_flags[];    /* -o */
extern const struct cli_flag cli_fn_kpt_flags[];       /* kpt has them; they change nothing */

/* The native functions: a table that ends with NULL, or NULL. */
const struct fn_native *const *cli_natives(void);

struct cli_fn {
    struct cli *cli;
    struct fn_runner runner;
    struct str_vec envs;
    VEC(struct fn_mount) mounts;
    struct fn_results results;
    struct cancel *cancel;
    struct signal_guard *signals;
    bool is_short;
    struct doc_set *set;
    struct fn_package package;
    struct fn_list list; /* the items the command works on */
};
/* Reads the flags that the command has and starts to listen for signals. */
int cli_fn_start(struct cli_fn *f, struct cli *cli, struct err *e) MUST_CHECK;
void cli_fn_done(struct cli_fn *f);
AUTO_VALUE(struct cli_fn, cli_fn_done)

struct fn_pipeline cli_fn_pipeline(struct cli_fn *f, const char *dir);

/* Reads dir, or standard input for "-", into f->list. */
int cli_fn_read(struct cli_fn *f, const char *dir, struct err *e) MUST_CHECK;
/* Writes f->list to where -o says; without it back to dir, or to standard output for "-". */
int cli_fn_write(struct cli_fn *f, const char *dir, struct err *e) MUST_CHECK;
/* Whether a folder that -o names is there already, before anything runs: ERR_EXISTS. */
int cli_fn_check_output(const struct cli_fn *f, struct err *e) MUST_CHECK;
/* Prints f->list as plain documents. */
int cli_fn_print_unwrapped(struct cli_fn *f, struct err *e) MUST_CHECK;
/* Writes f->list into a folder that must not be there. */
int cli_fn_write_new(struct cli_fn *f, const char *dir, struct err *e) MUST_CHECK;
/* Ends a command that ran functions: the results file, then the outcome rc. */
int cli_fn_end(struct cli_fn *f, int rc, struct err *e) MUST_CHECK;
/* The only object of a file, with its comments. */
struct doc_node *cli_fn_config_file(struct doc_set *set, const char *path, struct err *e);
/* The functionConfig of the key=value words behind "--"; a first word without "=" is its kind. */
int cli_fn_arguments(const struct cli_fn *f, struct doc_node **ret, struct err *e) MUST_CHECK;
/* The folder a command works on: its first argument, "." without one; borrowed. */
const char *cli_fn_dir(const struct cli *cli);
