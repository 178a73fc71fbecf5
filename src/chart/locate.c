/* From a reference to a chart on disk. */
#include "chart/locate.h"

#include "chart/chart.h"
#include "chart/download.h"
#include "chart/provenance.h"
#include "chart/repo/cache.h"
#include "sys/file.h"

static int verify_file(const char *path, const struct chart_source *source, struct err *e)
{
    AUTO(buf_done) struct buf keyring = {0};

    buf_add_str(&keyring, source->keyring);
    return chart_verify_file(path, buf_cstr(&keyring), NULL, e);
}

static int locate_remote(str reference, const struct chart_source *source, struct buf *ret_path,
                         struct err *e)
{
    AUTO(chart_download_done) struct chart_download d = {0};
    AUTO(buf_done) struct buf ignored = {0};
    str digest;

    if (chart_download(reference, source, CHART_NO_PROV, &d, e) < 0)
        return -1;
    digest = buf_view(&d.sha256);
    if (d.prov.len &&
        chart_cache_put(source->dirs, digest, "prov", buf_view(&d.prov), &ignored, e) < 0)
        return -1;
    if (!d.is_recalled)
        return chart_cache_put(source->dirs, digest, "chart", buf_view(&d.archive), ret_path, e);
    chart_cache_path(source->dirs, digest, "chart", ret_path);
    return 0;
}

int chart_locate(str reference, const struct chart_source *source, struct buf *ret_path,
                 struct err *e)
{
    AUTO(buf_done) struct buf path = {0};

    buf_add_str(&path, str_trim(reference));
    if (!source->repo.len && path.len) {
        if (file_exists(buf_cstr(&path))) {
            buf_add_str(ret_path, buf_view(&path));
            return source->verifies ? verify_file(buf_cstr(&path), source, e) : 0;
        }
        if (path.p[0] == '/' || path.p[0] == '.')
            return err_set(e, ERR_NOT_FOUND, "path \"%s\" not found", buf_cstr(&path));
    }
    return locate_remote(buf_view(&path), source, ret_path, e);
}
