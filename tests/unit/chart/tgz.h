/* Archives made for tests: a ustar of a few files, compressed. */
#pragma once
#include "base/buf.h"

struct tgz_file {
    const char *name, *text; /* name NULL ends */
};
void tgz_make(const struct tgz_file *files, struct buf *out);
/* web/Chart.yaml with that name and version, values.yaml and a template. */
void tgz_make_chart(const char *name, const char *version, struct buf *out);
