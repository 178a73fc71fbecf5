/* What the user gives: files and --set in helm's order (helm spec 4.1). Borrowed texts; as
 * thread-safe as the set that the values are read into. */
#pragma once
#include "base/vec.h"
#include "chart/set.h"

struct chart_user_values {
    struct str_vec files;                       /* "-" is standard input, or URLs */
    struct str_vec sets[CHART_SET_LITERAL + 1]; /* by enum chart_set_kind */
};
void chart_user_values_done(struct chart_user_values *v); /* leaves {0} */
AUTO_VALUE(struct chart_user_values, chart_user_values_done)
/* A new map in the set, or NULL with e. */
struct doc_node *chart_user_values_read(struct doc_set *set, const struct chart_user_values *v,
                                        struct err *e) MUST_CHECK;
