#include "chart/repo/cache.h"

#include "base/sha256.h"
#include "chart/chart.h"
#include "chart/repo/get.h"
#include "sys/file.h"

/* ---- archives */

void chart_cache_path(const struct chart_dirs *dirs, str digest, const char *kind, struct buf *ret)
{
    buf_addf(ret, "%s/%.*s/%.*s.%s", buf_cstr(&dirs->content_cache), STR_ARG(str_sub(digest, 0, 2)),
             STR_ARG(digest), kind);
}

static int replace_in(str folder, const char *path, str bytes, struct err *e)
{
    AUTO(buf_done) struct buf name = {0};
    struct file_replace options = {.mode = 0644};

    buf_add_str(&name, folder);
    return file_mkdirs(buf_cstr(&name), 0755, e) < 0 ? -1 : file_replace(path, bytes, &options, e);
}

static bool is_sha256(str digest)
{
    for (size_t i = 0; i < digest.len; i++)
        if (!strchr("0123456789abcdef", digest.p[i]))
            return false;
    return digest.len == 64;
}

bool chart_cache_get(const struct chart_dirs *dirs, str digest, const char *kind, struct buf *ret)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf path = {0}, bytes = {0}, own = {0};

    if (!is_sha256(digest))
        return false;
    chart_cache_path(dirs, digest, kind, &path);
    if (file_read(buf_cstr(&path), CHART_MAX_BYTES, &bytes, &ignored) < 0)
        return false;
    sha256_hex(buf_view(&bytes), &own);
    if (!str_eq(buf_view(&own), digest)) /* what was damaged is fetched anew */
        return false;
    buf_add_str(ret, buf_view(&bytes));
    return true;
}

int chart_cache_put(const struct chart_dirs *dirs, str digest, const char *kind, str bytes,
                    struct buf *ret_path, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};

    chart_cache_path(dirs, digest, kind, &path);
    if (replace_in(str_sub(buf_view(&path), 0, (size_t)str_rfind_char(buf_view(&path), '/')),
                   buf_cstr(&path), bytes, e) < 0)
        return -1;
    buf_add_str(ret_path, buf_view(&path));
    return 0;
}

/* ---- indexes */

void chart_index_path(const struct chart_dirs *dirs, str name, const char *file, struct buf *ret)
{
    buf_addf(ret, "%s/%.*s-%s", buf_cstr(&dirs->repository_cache), STR_ARG(name), file);
}

int chart_index_load(const struct chart_dirs *dirs, str name, struct doc_set *set,
                     struct chart_index *ret, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, text = {0};

    chart_index_path(dirs, name, "index.yaml", &path);
    if (!file_exists(buf_cstr(&path)))
        return err_set(e, ERR_NOT_FOUND, "open %s: no such file or directory", buf_cstr(&path));
    if (file_read(buf_cstr(&path), CHART_MAX_INDEX, &text, e) < 0)
        return -1;
    return chart_index_read(set, buf_view(&text), buf_cstr(&path), ret, e);
}

int chart_index_fetch(str url, const struct chart_access *access, struct doc_set *set,
                      struct chart_index *ret, struct buf *raw, struct err *e)
{
    AUTO(buf_done) struct buf own = {0}, where = {0};
    struct buf *text = raw ? raw : &own;

    if (!str_contains(url, STR("://")))
        return err_set(e, ERR_INVALID, "could not find protocol handler for: ");
    if (chart_url_resolve(url, STR("index.yaml"), &where, e) < 0)
        return -1;
    if (chart_get(buf_view(&where), url, access, CHART_MAX_INDEX, text, e) < 0)
        return -1;
    return chart_index_read(set, buf_view(text), where.p, ret, e);
}

/* The names of the charts, a line each: helm's shell completion reads them. */
static int keep_names(const struct chart_index *index, const struct chart_repo *repo,
                      const struct chart_dirs *dirs, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, names = {0};

    for (size_t i = 0; i < index->count; i++)
        buf_addf(&names, "%.*s\n", STR_ARG(index->entries[i].name));
    chart_index_path(dirs, repo->name, "charts.txt", &path);
    return replace_in(buf_view(&dirs->repository_cache), buf_cstr(&path), buf_view(&names), e);
}

int chart_index_update(const struct chart_repo *repo, const struct chart_dirs *dirs,
                       const struct chart_access *access, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0}, path = {0};
    struct chart_access own = chart_repo_access(repo, access);
    struct chart_index index = {0};

    if (chart_index_fetch(repo->url, &own, set, &index, &text, e) < 0)
        return -1;
    chart_index_path(dirs, repo->name, "index.yaml", &path);
    if (keep_names(&index, repo, dirs, e) < 0)
        return -1;
    return replace_in(buf_view(&dirs->repository_cache), buf_cstr(&path), buf_view(&text), e);
}
