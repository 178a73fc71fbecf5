/* What the evaluator's files share. `final` is the value of the stage before, NULL in the first. */
#pragma once
#include "expr/gotmpl/run_priv.h"

static inline void trun_at(struct tmpl_run *r, const struct tmpl_node *n) { r->node = n; }

int eval_pipeline(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *pipe,
                  struct tmpl_value *ret);
/* Of the kinds FIELD, CHAIN, VARIABLE. args: the command's, the first included; or none. */
int eval_chain(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n,
               const struct node_list *args, const struct tmpl_value *final,
               struct tmpl_value *ret);
int eval_function(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *ident,
                  const struct tmpl_node *command, const struct node_list *args,
                  const struct tmpl_value *final, struct tmpl_value *ret);
int eval_arg(struct tmpl_run *r, struct tmpl_value dot, char letter, const struct tmpl_node *n,
             struct tmpl_value *ret);
int eval_no_arguments(struct tmpl_run *r, const struct node_list *args,
                      const struct tmpl_value *final);

/* What is called: a function, or a method of self. */
struct callee {
    const struct tmpl_function *function; /* NULL for a method */
    str name;
    const char *signature;
    tmpl_fn *fn;
    struct tmpl_value self;
    const struct tmpl_node *node; /* what a failure names */
};
int eval_call(struct tmpl_run *r, struct tmpl_value dot, const struct callee *f,
              const struct node_list *args, const struct tmpl_value *final, struct tmpl_value *ret);
