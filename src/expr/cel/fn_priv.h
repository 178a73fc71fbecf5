/* What the files of functions share. A function finds its arguments checked against one of its rows
 * and free of errors; what it makes lives in the arena of the run. */
#pragma once
#include "expr/cel/cel_priv.h"

#define FN(name)                                                                             \
    static struct cel_value name(struct cel_run *r UNUSED, const struct cel_value *a UNUSED, \
                                 size_t count UNUSED)
/* The rows of one file. */
#define ROWS(file) void cel_rows_##file(const struct cel_rows *to)

ROWS(compare);
ROWS(convert);
ROWS(encoders);
ROWS(format);
ROWS(lists);
ROWS(math);
ROWS(named_format);
ROWS(net);
ROWS(operators);
ROWS(optional);
ROWS(ordered);
ROWS(quantity);
ROWS(regex);
ROWS(semver);
ROWS(sets);
ROWS(strings);
ROWS(reverse);
ROWS(texts);
ROWS(time);
ROWS(url);

/* Counts visited elements; false: the run has used up what it may. */
static inline bool cel_spend(struct cel_run *r, uint64_t elements)
{
    r->work += elements;
    return r->work <= CEL_MAX_WORK;
}
struct cel_value cel_no_match(struct cel_run *r); /* "no such overload" */

static inline str cel_keep(struct cel_run *r, const struct buf *text)
{
    return arena_dup(r->arena, buf_view(text));
}
static inline struct cel_value cel_keep_string(struct cel_run *r, const struct buf *text)
{
    return cel_make_string(cel_keep(r, text));
}
/* Arenas align to 8 bytes, a wide number wants 16. */
static inline struct cel_object *cel_new_object(struct cel_run *r,
                                                const struct cel_object_class *class)
{
    char *p = arena_zalloc(r->arena, sizeof(struct cel_object) + 8);
    struct cel_object *o = (struct cel_object *)(p + (uintptr_t)p % 16);

    o->class = class;
    return o;
}
static inline struct cel_value cel_make_object(const struct cel_object *o)
{
    return (struct cel_value){CEL_OBJECT, .object = o};
}
