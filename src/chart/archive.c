/* Charts in archives: gzip-compressed tar (helm spec 2). codec reads the tar, our own rules judge
 * every path and size. */
#include "chart/read_priv.h"
#include "codec/gzip.h"
#include "codec/untar.h"

/* What an archive may hold beside the files that are counted: headers, and what is skipped. */
#define MAX_UNPACKED (2 * CHART_MAX_BYTES)

struct unpack {
    struct gzip_stream *stream;
    struct untar tar;
    struct doc_set *set;
    struct chart_budget *budget;
    struct chart_files *files; /* NULL: the files are looked at, not kept */
};
static void unpack_done(struct unpack *u)
{
    untar_done(&u->tar);
    gzip_stream_free(u->stream);
}
AUTO_VALUE(struct unpack, unpack_done)

static int next_piece(void *ctx, str *ret, struct err *e)
{
    return gzip_stream_next(((struct unpack *)ctx)->stream, ret, e);
}

/* Appends the parts of a path as Go's path.Clean leaves them; false when one is "..". */
static bool clean_path(str path, struct buf *out)
{
    while (path.p) {
        str part = str_cut(path, '/', &path);

        if (str_eq(part, STR("..")))
            return false;
        if (!part.len || str_eq(part, STR(".")))
            continue;
        if (out->len)
            buf_add_char(out, '/');
        buf_add_str(out, part);
    }
    return true;
}

/* The name below the top folder, or the empty text of a folder that is left out. */
static int check_name(struct unpack *u, str entry, str *ret, struct err *e)
{
    AUTO(buf_done) struct buf slashes = {0}, clean = {0};
    str rest;

    buf_add_str(&slashes, entry);
    if (str_find_char(entry, '/') < 0)
        for (size_t i = 0; i < slashes.len; i++)
            if (slashes.p[i] == '\\')
                slashes.p[i] = '/';
    str_cut(buf_view(&slashes), '/', &rest);
    if (!rest.p) {
        *ret = STR_NONE;
        return str_eq(buf_view(&slashes), STR("Chart.yaml"))
                   ? err_set(e, ERR_INVALID, "chart yaml not in base directory")
                   : 0;
    }
    if (rest.len && rest.p[0] == '/')
        return err_set(e, ERR_INVALID, "chart illegally contains absolute paths");
    if (!clean_path(rest, &clean))
        return err_set(e, ERR_INVALID, "chart illegally references parent directory");
    if (!clean.len)
        return err_set(e, ERR_INVALID,
                       "chart illegally contains content outside the base directory");
    if (clean.len > 1 && clean.p[1] == ':')
        return err_set(e, ERR_INVALID, "chart contains illegally named files");
    *ret = arena_dup(&u->set->arena, buf_view(&clean));
    return 0;
}

static int read_content(struct unpack *u, const struct untar_member *m, str name, struct err *e)
{
    struct chart_file file = {.name = name};
    char *text;

    if (chart_budget_take(u->budget, name, m->size, e) < 0)
        return -1;
    if (!u->files)
        return 0;
    text = arena_alloc(&u->set->arena, m->size + 1);
    if (untar_read(&u->tar, text, e) < 0)
        return err_wrap(e, "chart archive: %.*s", STR_ARG(name));
    text[m->size] = 0;
    file.text = (str){text, m->size};
    str_drop_prefix(&file.text, STR("\xef\xbb\xbf")); /* a byte-order mark */
    if (__builtin_mul_overflow(m->mtime_s, 1000000, &file.modified_us))
        file.modified_us = 0;
    vec_push(u->files, file);
    return 0;
}

static int read_member(struct unpack *u, const struct untar_member *m, struct err *e)
{
    str name = STR_NONE;

    if (m->is_folder)
        return chart_budget_take(u->budget, m->name, 0, e);
    if (m->name.len && m->name.p[0] == '/')
        return err_set(e, ERR_INVALID, "chart illegally contains absolute paths");
    if (check_name(u, m->name, &name, e) < 0)
        return -1;
    return name.len ? read_content(u, m, name, e) : 0;
}

static int check_gzip(str bytes, struct err *e)
{
    bool is_text;

    if (gzip_is(bytes))
        return 0;
    is_text = str_is_utf8(bytes, NULL) && !memchr(bytes.p ? bytes.p : "", 0, bytes.len);
    return err_set(e, ERR_INVALID, "does not appear to be a gzipped archive; got '%s'",
                   is_text ? "text/plain; charset=utf-8" : "application/octet-stream");
}

static int read_members(struct unpack *u, struct err *e)
{
    struct untar_member member;
    int rc;

    u->tar = (struct untar){.source = next_piece, .ctx = u};
    while ((rc = untar_next(&u->tar, &member, e)) > 0)
        if (read_member(u, &member, e) < 0)
            return -1;
    return rc < 0 ? err_wrap(e, "chart archive") : 0;
}

/* Walks through an archive that is too large to be unpacked at once, and keeps nothing: what will
 * be refused takes no memory. */
static int judge_large(struct doc_set *set, str bytes, const struct chart_budget *budget,
                       struct err *e)
{
    struct chart_budget spent = *budget;
    AUTO(unpack_done)
    struct unpack u = {
        .stream = gzip_stream_new(bytes, MAX_UNPACKED, e), .set = set, .budget = &spent};

    return u.stream ? read_members(&u, e) : -1;
}

int chart_read_archive(struct doc_set *set, str bytes, struct chart_budget *budget,
                       struct chart_files *ret, struct err *e)
{
    AUTO(unpack_done) struct unpack u = {.set = set, .budget = budget, .files = ret};
    size_t before = ret->len;

    if (check_gzip(bytes, e) < 0)
        return -1;
    u.stream = gzip_stream_new(bytes, MAX_UNPACKED, e);
    if (!u.stream || (!gzip_stream_is_whole(u.stream) && judge_large(set, bytes, budget, e) < 0) ||
        read_members(&u, e) < 0)
        return -1;
    return ret->len > before ? 0 : err_set(e, ERR_INVALID, "no files in chart archive");
}
