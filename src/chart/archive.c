/* Charts in archives: gzip-compressed tar (helm spec 2). libarchive reads the tar, our own rules
 * judge every path and size. */
#include <archive.h>
#include <archive_entry.h>

#include "chart/read_priv.h"
#include "sys/dl.h"

#define ARCHIVE_FUNCTIONS(X)            \
    X(archive_read_new)                 \
    X(archive_read_free)                \
    X(archive_read_support_filter_gzip) \
    X(archive_read_support_format_tar)  \
    X(archive_read_open_memory)         \
    X(archive_read_next_header)         \
    X(archive_read_data)                \
    X(archive_error_string)             \
    X(archive_entry_pathname)           \
    X(archive_entry_mtime)              \
    X(archive_entry_size)               \
    X(archive_entry_filetype)
DL_LIBRARY(archive, ARCHIVE_FUNCTIONS, SONAME_archive, "libarchive13")

struct unpack {
    const struct archive_dl *dl;
    struct archive *archive;
    struct doc_set *set;
    struct chart_budget *budget;
    struct chart_files *files;
};
static void unpack_done(struct unpack *u)
{
    if (u->archive)
        u->dl->archive_read_free(u->archive);
}
AUTO_VALUE(struct unpack, unpack_done)

static int fail_archive(struct unpack *u, struct err *e)
{
    const char *why = u->dl->archive_error_string(u->archive);

    return err_set(e, ERR_INVALID, "chart archive: %s", why ? why : "it cannot be read");
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
static int check_name(struct unpack *u, const char *entry, str *ret, struct err *e)
{
    AUTO(buf_done) struct buf slashes = {0}, clean = {0};
    str rest;

    buf_add_cstr(&slashes, entry ? entry : "");
    if (!strchr(buf_cstr(&slashes), '/'))
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

static int read_content(struct unpack *u, struct archive_entry *entry, str name, struct err *e)
{
    enum { PIECE = 65536 };
    AUTO(buf_done) struct buf text = {0};
    int64_t said = u->dl->archive_entry_size(entry), modified = u->dl->archive_entry_mtime(entry);
    size_t room = (size_t)MAX(MIN(said, (int64_t)CHART_MAX_FILE), (int64_t)0) + 1;
    la_ssize_t got;

    for (;; room = PIECE) { /* as large as the header says, so that nothing is left over */
        buf_grow(&text, room);
        got = u->dl->archive_read_data(u->archive, text.p + text.len, room);
        if (got < 0)
            return fail_archive(u, e);
        text.len += (size_t)got;
        if (text.len > CHART_MAX_FILE)
            return err_set(e, ERR_LIMIT, "%.*s: the file is larger than %zu bytes", STR_ARG(name),
                           CHART_MAX_FILE);
        if ((size_t)got < room)
            break;
    }
    if (chart_budget_take(u->budget, name, text.len, e) < 0)
        return -1;
    vec_push(u->files, {name, chart_keep_text(u->set, &text), modified * 1000000});
    return 0;
}

static int read_member(struct unpack *u, struct archive_entry *entry, struct err *e)
{
    const char *path = u->dl->archive_entry_pathname(entry);
    str name = STR_NONE;

    if (u->dl->archive_entry_filetype(entry) == AE_IFDIR)
        return chart_budget_take(u->budget, str_of(path), 0, e);
    if (path && path[0] == '/')
        return err_set(e, ERR_INVALID, "chart illegally contains absolute paths");
    if (check_name(u, path, &name, e) < 0)
        return -1;
    return name.len ? read_content(u, entry, name, e) : 0;
}

static int check_gzip(str bytes, struct err *e)
{
    bool is_text;

    if (bytes.len > 2 && (unsigned char)bytes.p[0] == 0x1f && (unsigned char)bytes.p[1] == 0x8b)
        return 0;
    is_text = str_is_utf8(bytes, NULL) && !memchr(bytes.p ? bytes.p : "", 0, bytes.len);
    return err_set(e, ERR_INVALID, "does not appear to be a gzipped archive; got '%s'",
                   is_text ? "text/plain; charset=utf-8" : "application/octet-stream");
}

int chart_read_archive(struct doc_set *set, str bytes, struct chart_budget *budget,
                       struct chart_files *ret, struct err *e)
{
    AUTO(unpack_done) struct unpack u = {.set = set, .budget = budget, .files = ret};
    struct archive_entry *entry;
    size_t before = ret->len;
    int rc;

    if (check_gzip(bytes, e) < 0)
        return -1;
    u.dl = archive_load(e);
    if (!u.dl)
        return -1;
    u.archive = u.dl->archive_read_new();
    if (!u.archive)
        return err_set(e, ERR_IO, "chart archive: out of memory");
    u.dl->archive_read_support_filter_gzip(u.archive);
    u.dl->archive_read_support_format_tar(u.archive);
    if (u.dl->archive_read_open_memory(u.archive, bytes.p, bytes.len) != ARCHIVE_OK)
        return fail_archive(&u, e);
    while ((rc = u.dl->archive_read_next_header(u.archive, &entry)) == ARCHIVE_OK ||
           rc == ARCHIVE_WARN)
        if (read_member(&u, entry, e) < 0)
            return -1;
    if (rc != ARCHIVE_EOF)
        return fail_archive(&u, e);
    return ret->len > before ? 0 : err_set(e, ERR_INVALID, "no files in chart archive");
}
