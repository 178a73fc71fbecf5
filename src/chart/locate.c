/* From a reference to a chart on disk. */
#include "chart/locate.h"

#include <limits.h>
#include <stdlib.h>

#include "chart/oci.h"
#include "sys/file.h"

static int locate_path(const char *path, struct buf *ret, struct err *e)
{
    char *full = realpath(path, NULL);

    if (!full)
        return err_set(e, ERR_NOT_FOUND, "path \"%s\" not found", path);
    buf_add_cstr(ret, full);
    free(full);
    return 0;
}

int chart_locate(str reference, const struct chart_source *source, struct buf *ret_path,
                 struct err *e)
{
    AUTO(buf_done) struct buf path = {0};

    buf_add_str(&path, str_trim(reference));
    if (!source->repo.len && !chart_is_oci(buf_view(&path)))
        return locate_path(buf_cstr(&path), ret_path, e);
    return err_set(e, ERR_UNSUPPORTED, "%s: charts in repositories cannot be fetched",
                   buf_cstr(&path));
}
