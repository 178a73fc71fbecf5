/* Reading blocks by their tables, and the problems found on the way. Private to khook/.
 *
 * Where a problem is comes from a chain of khook_at on the stack, from the document inwards; the
 * text of the path is made only when there is a problem. */
#pragma once
#include "khook/spec/fields.h"

struct khook_at {
    const struct khook_at *up;   /* NULL for the document */
    const char *name;            /* of the field; NULL for an entry of a list */
    size_t index;                /* of the entry */
    const struct doc_node *node; /* nearest one that exists */
    bool is_key;                 /* the place is node's key */
};

struct khook_reader {
    struct khook_spec *spec;
    struct diag_list *problems;
    struct arena *arena;         /* the spec's */
    const struct khook_at *step; /* the step that is being read: problems name it */
    size_t step_index;
    str step_name; /* empty when it is missing or unusable */
    size_t found;  /* problems so far */
};

/* Adds a problem at a place; text is what is wrong, the step and the path come before it. NULL when
 * there are too many already. */
struct diag *khook_problem(struct khook_reader *r, const struct khook_at *at, const char *code,
                           const char *fmt, ...) PRINTF(4, 5);
struct diag *khook_warning(struct khook_reader *r, const struct khook_at *at, const char *code,
                           const char *fmt, ...) PRINTF(4, 5);
/* Says what to do about it; d may be NULL. */
void khook_hint(struct khook_reader *r, struct diag *d, const char *fmt, ...) PRINTF(3, 4);
/* A place below `up`: the field's value, or its block when it is not there. */
struct khook_at khook_at_field(const struct khook_at *up, const char *name);
/* Text for a message: quoted, control characters as escapes, cut at 80 bytes. In the arena. */
const char *khook_shown(struct khook_reader *r, str text);

/* Reads node into block (zeroed, table->size) and runs the table's checks. */
void khook_read_block(struct khook_reader *r, const struct khook_at *at,
                      const struct khook_table *table, void *block);
/* "a number", "text"; for type errors. */
const char *khook_type_word(const struct doc_node *n);

/* The problems that follow are about this entry of steps, until khook_leave_step. */
void khook_enter_step(struct khook_reader *r, const struct khook_at *entry);
void khook_leave_step(struct khook_reader *r);

bool khook_is_given(const struct khook_head *head, const struct khook_table *table,
                    const char *field);
bool khook_is_bad(const struct khook_head *head, const struct khook_table *table,
                  const char *field);

/* ---- formats.c: the rules of single fields */
void khook_check_text(struct khook_reader *r, const struct khook_at *at,
                      const struct khook_field *field, str text);
void khook_check_number(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_field *field, int64_t value);
/* "kind/name" or "type": *ret_name is empty for the latter. */
void khook_split_type(str text, str *ret_type, str *ret_name);

/* ---- rules.c: the rules of blocks */
khook_check_fn khook_check_manifest, khook_check_helm, khook_check_apply, khook_check_delete,
    khook_check_patch, khook_check_wait, khook_check_rollout, khook_check_job, khook_check_step;

/* ---- links.c: phases 5 and 6 */
void khook_link_steps(struct khook_reader *r);
void khook_judge_conditions(struct khook_reader *r, const struct khook_vars *vars,
                            const struct khook_engines *engines);
