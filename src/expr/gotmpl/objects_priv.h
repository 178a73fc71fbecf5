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
struct kube_version_object {
    struct tmpl_object head;
    str full, normal, major, minor;
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
extern const struct tmpl_member files_members[], versions_members[], values_members[];
#define SECOND_NS INT64_C(1000000000)
#define MINUTE_NS (60 * SECOND_NS)
#define HOUR_NS (60 * MINUTE_NS)
/* In units, the whole ones and the rest apart: Go's rounding. */
double duration_in(int64_t ns, int64_t unit);
/* To a multiple of unit: the nearest with up, else towards zero. */
int64_t duration_round(int64_t ns, int64_t unit, bool up);
