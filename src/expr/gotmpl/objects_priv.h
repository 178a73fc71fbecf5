/* Objects with named members: times, durations, versions, certificates, what charts see of a
 * cluster (template spec 1). */
#pragma once
#include "expr/gotmpl/run_priv.h"
#include "expr/gotmpl/zone.h"

extern const struct tmpl_class object_time, object_duration, object_version, object_certificate;

struct time_object {
    struct tmpl_object head;
    struct moment at;
};
struct duration_object {
    struct tmpl_object head;
    int64_t ns;
};
struct certificate_object {
    struct tmpl_object head;
    str cert, key; /* PEM */
};
/* An object whose class has fields. text: what it prints where it stands itself; else its fields.
 */
struct struct_object {
    struct tmpl_object head;
    const struct tmpl_value *values; /* one for each field */
    str text;
};

struct tmpl_value object_of_time(struct tmpl_run *r, struct moment at);
struct tmpl_value object_of_duration(struct tmpl_run *r, int64_t ns);
struct tmpl_value object_of_certificate(struct tmpl_run *r, str cert, str key);
static inline struct moment time_of(struct tmpl_value v)
{
    return ((const struct time_object *)v.object)->at;
}
static inline int64_t duration_of(struct tmpl_value v)
{
    return ((const struct duration_object *)v.object)->ns;
}

/* ---- structs.c: of values that are structs */
static inline bool value_is_struct(struct tmpl_value v)
{
    return v.type == TMPL_OBJECT && v.object->class->fields;
}
const struct tmpl_value *struct_values(struct tmpl_value v);
bool struct_field(struct tmpl_value v, str name, struct tmpl_value *ret); /* any value; false: no */
void struct_print(struct tmpl_run *r, struct tmpl_value v, struct buf *out); /* "{a b}" */
/* As the last value of an action; false: it is no struct. */
bool struct_print_self(struct tmpl_run *r, struct tmpl_value v, struct buf *out);
/* What is not hidden, in order, by the names of templates. */
const struct tmpl_entry *struct_entries(struct tmpl_run *r, struct tmpl_value v, size_t *ret_count);
bool struct_equal(struct tmpl_run *r, struct tmpl_value a, struct tmpl_value b); /* of one class */

extern const struct tmpl_member files_members[], versions_members[], values_members[];
#define SECOND_NS INT64_C(1000000000)
#define MINUTE_NS (60 * SECOND_NS)
#define HOUR_NS (60 * MINUTE_NS)
/* In units, the whole ones and the rest apart: Go's rounding. */
double duration_in(int64_t ns, int64_t unit);
/* To a multiple of unit: the nearest with up, else towards zero. */
int64_t duration_round(int64_t ns, int64_t unit, bool up);
