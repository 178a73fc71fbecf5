/* What the files of functions share. A function finds its arguments checked against one of its rows
 * and free of errors; what it makes lives in the arena of the run. */
#pragma once
#include "expr/cel/cel_priv.h"

#define FN(name)                                                                             \
    static struct cel_value name(struct cel_run *r UNUSED, const struct cel_value *a UNUSED, \
                                 size_t count UNUSED)
/* The rows of one file. The compiler compares the count here with the rows there. */
#define ROWS(file, count) extern const struct cel_row cel_rows_##file[count]

ROWS(compare, 56);
ROWS(convert, 42);
ROWS(encoders, 2);
ROWS(format, 1);
ROWS(lists, 16);
ROWS(math, 48);
ROWS(named_format, 15);
ROWS(net, 20);
ROWS(operators, 30);
ROWS(optional, 9);
ROWS(ordered, 30);
ROWS(quantity, 13);
ROWS(regex, 3);
ROWS(semver, 10);
ROWS(sets, 4);
ROWS(strings, 17);
ROWS(reverse, 1);
ROWS(texts, 5);
ROWS(time, 24);
ROWS(url, 8);

enum { CEL_WORK_LIMIT = 10000000 }; /* cel spec 14 */

/* Counts visited elements; false: the run has used up what it may. */
static inline bool cel_spend(struct cel_run *r, uint64_t elements)
{
    r->work += elements;
    return r->work <= CEL_WORK_LIMIT;
}
struct cel_value cel_too_much(struct cel_run *r);
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
