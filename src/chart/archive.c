/* Charts in archives: gzip-compressed tar (helm spec 2). codec reads the tar, our own rules judge
 * every path and size. */
#include "chart/read_priv.h"
#include "codec/gzip.h"
#include "codec/untar.h"

/* What an archive may hold beside the files that are counted: headers, and what is skipped. */
#define MAX_UNPACKED (2 * CHART_MAX_BYTES)

struct unpack {
    str whole; /* the tar, in the set: the files are parts of it; or none, then */
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

static int no_more(void *ctx UNUSED, str *ret, struct err *e UNUSED)
{
    *ret = STR_NONE;
    return 0;
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

/* The content: a part of the whole, or a copy. */
static int take_text(struct unpack *u, const struct untar_member *m, str *ret, struct err *e)
{
    char *text;

    if (u->whole.p && untar_view(&u->tar, ret))
        return 0;
    text = arena_alloc(&u->set->arena, m->size + 1);
    text[m->size] = 0;
    *ret = (str){text, m->size};
    return untar_read(&u->tar, text, e);
}

static int read_content(struct unpack *u, const struct untar_member *m, str name, struct err *e)
{
    struct chart_file file = {.name = name};

    if (chart_budget_take(u->budget, name, m->size, e) < 0)
        return -1;
    if (!u->files)
        return 0;
    if (take_text(u, m, &file.text, e) < 0)
        return err_wrap(e, "chart archive: %.*s", STR_ARG(name));
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

    while ((rc = untar_next(&u->tar, &member, e)) > 0)
        if (read_member(u, &member, e) < 0)
            return -1;
    return rc < 0 ? err_wrap(e, "chart archive") : 0;
}

/* A large archive is walked through twice: with files NULL nothing is kept, so that what will be
 * refused takes no memory. */
static int read_stream(struct doc_set *set, str bytes, struct chart_budget *budget,
                       struct chart_files *files, struct err *e)
{
    AUTO(unpack_done)
    struct unpack u = {.set = set,
                       .budget = budget,
                       .files = files,
                       .stream = gzip_stream_new(bytes, MAX_UNPACKED, e)};

    if (!u.stream)
        return -1;
    u.tar = (struct untar){.source = next_piece, .ctx = &u};
    return read_members(&u, e);
}

/* Ends every text with a NUL: in the padding, or the header behind it. */
static void end_texts(const struct chart_files *files, size_t from, char *whole)
{
    for (size_t i = from; i < files->len; i++) {
        const struct chart_file *f = &files->v[i];

        whole[(size_t)(f->text.p - whole) + f->text.len] = 0;
    }
}

/* Takes the text of the tar over. */
static int read_whole(struct doc_set *set, char *whole, size_t length, struct chart_budget *budget,
                      struct chart_files *files, struct err *e)
{
    AUTO(unpack_done)
    struct unpack u = {.whole = {whole, length}, .set = set, .budget = budget, .files = files};
    size_t before = files->len;

    arena_adopt(&set->arena, whole);
    u.tar = (struct untar){.source = no_more, .piece = u.whole};
    if (read_members(&u, e) < 0)
        return -1;
    end_texts(files, before, whole);
    return 0;
}

int chart_read_archive(struct doc_set *set, str bytes, struct chart_budget *budget,
                       struct chart_files *ret, struct err *e)
{
    struct chart_budget spent = *budget;
    size_t before = ret->len, length;
    char *whole;
    int rc;

    if (check_gzip(bytes, e) < 0)
        return -1;
    whole = gzip_unpack_small(bytes, &length);
    if (whole)
        rc = read_whole(set, whole, length, budget, ret, e);
    else if ((rc = read_stream(set, bytes, &spent, NULL, e)) == 0)
        rc = read_stream(set, bytes, budget, ret, e);
    if (rc < 0)
        return -1;
    return ret->len > before ? 0 : err_set(e, ERR_INVALID, "no files in chart archive");
}
