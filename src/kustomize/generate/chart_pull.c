/* Charts that are not in the chart home yet (kustomize spec 16): fetched from the repository or
 * registry that `repo` names, as `helm pull --untar` would be, and kept in the chart home. */
#include <errno.h>

#include "chart/download.h"
#include "chart/unpack.h"
#include "kustomize/generate/chart.h"
#include "sys/file.h"

int kustomize_chart_fetch(struct kustomize_build *b, const struct kustomize_chart *c,
                          struct chart_download *ret, struct err *e)
{
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(buf_done) struct buf reference = {0};
    bool is_oci = str_starts(c->repo, STR("oci://"));
    struct chart_source source = {.repo = is_oci ? STR_NONE : c->repo,
                                  .version = c->version,
                                  .is_devel = c->devel,
                                  .access.cancel = b->cancel,
                                  .dirs = &dirs};

    if (!c->repo.len)
        return err_set(e, ERR_NOT_FOUND, "no repo is given, so none is fetched");
    if (b->shared->options->is_offline)
        return err_set(e, ERR_UNAVAILABLE, "offline, so none is fetched");
    chart_dirs_read(&dirs);
    if (is_oci)
        buf_addf(&reference, "%.*s/", STR_ARG(str_trim_right(c->repo, "/")));
    buf_add_str(&reference, c->name);
    return chart_download(buf_view(&reference), &source, CHART_NO_PROV, ret, e);
}

/* Gives what was unpacked the name it has in the chart home. Another base may have been first. */
static int move(const char *from, const char *to, struct err *e)
{
    if (rename(from, to) == 0 || errno == ENOTEMPTY || errno == EEXIST)
        return 0;
    return err_errno(e, errno, "rename %s to %s", from, to);
}

/* Whole or not at all: unpacked beside its place first. */
static int unpack(str archive, const char *dir, str name, struct err *e)
{
    AUTO(buf_done) struct buf staging = {0}, made = {0}, place = {0};
    AUTO(err_done) struct err ignored = {0};
    int rc;

    buf_addf(&staging, "%s/.pull-XXXXXX", dir);
    buf_addf(&place, "%s/%.*s", dir, STR_ARG(name));
    if (file_mkdirs(dir, 0755, e) < 0)
        return -1;
    if (!mkdtemp(staging.p))
        return err_errno(e, errno, "make a folder in %s", dir);
    rc = chart_unpack(archive, buf_cstr(&staging), &made, e);
    if (rc == 0)
        rc = move(buf_cstr(&made), buf_cstr(&place), e);
    return file_remove_tree(buf_cstr(&staging), rc == 0 ? e : &ignored) < 0 ? -1 : rc;
}

int kustomize_chart_pull(struct kustomize_build *b, const struct kustomize_chart *c,
                         const char *dir, struct err *e)
{
    AUTO(chart_download_done) struct chart_download d = {0};

    if (kustomize_chart_fetch(b, c, &d, e) < 0)
        return -1;
    return unpack(buf_view(&d.archive), dir, c->name, e);
}
