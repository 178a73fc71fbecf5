/* index.yaml of a folder of archives: what `helm repo index` writes. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct chart_index_options {
    str url;           /* put before the names of the archives; may be empty */
    const char *merge; /* an index whose entries are added where there is none; NULL: none. One that
                          is missing is made, empty */
    bool is_json;
    int64_t now_us; /* since 1970: "created" and "generated" */
};
/* Appends the index of the archives (.tgz) in a folder and the folders in it; what is no chart is
 * passed over. Blocking; any thread. */
int chart_index_generate(const char *dir, const struct chart_index_options *options,
                         struct buf *out, struct err *e) MUST_CHECK;
