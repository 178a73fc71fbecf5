/* Charts in folders (helm spec 2). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdalign.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chart/folder_priv.h"
#include "sys/file.h"
#include "sys/thread.h"

#define MAX_LEVELS (2 * CHART_MAX_DEPTH + 8)
enum { OPEN_FLAGS = O_RDONLY | O_NONBLOCK };

/* ---- names */

static int by_text(const void *a, const void *b)
{
    return str_cmp(((const struct folder_name *)a)->text, ((const struct folder_name *)b)->text);
}

static int fail_path(const struct folder_reader *r, const char *doing, struct err *e)
{
    int number = errno;

    return err_errno(e, number, "%s%.*s", doing, STR_ARG(buf_view(&r->path)));
}

/* opendir would ask four times what the descriptor is. */
int folder_list(struct folder_reader *r, int fd, struct folder_names *ret, struct err *e)
{
    enum { ROOM = 16384 };
    alignas(struct dirent64) char room[ROOM];
    ssize_t n;

    while ((n = getdents64(fd, room, ROOM)) > 0) {
        const struct dirent64 *entry;

        for (ssize_t at = 0; at < n; at += entry->d_reclen) {
            entry = (const struct dirent64 *)(room + at);
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                continue;
            vec_push(&ret->list, {arena_dup(r->arena, str_of(entry->d_name)), entry->d_type});
        }
        if (ret->list.len > CHART_MAX_FILES)
            return err_set(e, ERR_LIMIT, "%s: more than %d entries", buf_cstr(&r->path),
                           CHART_MAX_FILES);
    }
    if (n < 0)
        return fail_path(r, "read folder ", e);
    vec_sort(&ret->list, by_text);
    return 0;
}

/* ---- files */

/* In a folder of a chart that is neither templates/ nor charts/. */
static bool is_seldom_read(str name)
{
    str folder, rest = name;

    while (str_drop_prefix(&rest, STR("charts/")))
        str_cut(rest, '/', &rest);
    folder = str_cut(rest, '/', &rest);
    return rest.p && !str_eq(folder, STR("templates"));
}

int chart_read_late(struct doc_set *set, const struct chart *c, struct err *e)
{
    for (size_t i = 0; i < c->file_count; i++) {
        struct chart_file *f = &c->files[i];
        AUTO(buf_done) struct buf text = {0};

        if (!f->late)
            continue;
        if (file_read(f->late, CHART_MAX_FILE, &text, e) < 0)
            return -1;
        f->text = chart_keep_text(set, &text);
        str_drop_prefix(&f->text, STR("\xef\xbb\xbf"));
        f->late = NULL;
    }
    return 0;
}

static int take(struct folder_reader *r, str name, size_t size, struct err *e)
{
    LOCK_SCOPE(&r->walk->lock);

    return chart_budget_take(r->walk->budget, name, size, e);
}

static int add_file(struct folder_reader *r, str name, str text, int64_t modified_us, struct err *e)
{
    if (take(r, name, text.len, e) < 0)
        return -1;
    str_drop_prefix(&text, STR("\xef\xbb\xbf")); /* a byte-order mark */
    vec_push(r->files, {name, text, modified_us, NULL});
    return 0;
}

static int read_file(struct folder_reader *r, int fd, const struct stat *st, struct err *e)
{
    str name = arena_dup(r->arena, buf_view(&r->path)), text;
    int64_t modified_us = (int64_t)st->st_mtim.tv_sec * 1000000 + st->st_mtim.tv_nsec / 1000;

    if (r->walk->budget->is_late && is_seldom_read(name) && (size_t)st->st_size <= CHART_MAX_FILE) {
        const char *path = arena_printf(r->arena, "%s/%.*s", r->walk->root_path, STR_ARG(name)).p;

        vec_push(r->files, {name, STR_NONE, modified_us, path});
        return take(r, name, (size_t)st->st_size, e);
    }
    return file_read_into(fd, st, name.p, CHART_MAX_FILE, r->arena, &text, e) < 0
               ? -1
               : add_file(r, name, text, modified_us, e);
}

/* For those who only render, no times are kept: then one call reads most files, and that it was
 * all shows in its length. False: it is to be read the long way. */
static bool read_small(struct folder_reader *r, int fd, int *ret, struct err *e)
{
    char room[8192];
    ssize_t n = -1;

    if (r->walk->budget->is_late && !is_seldom_read(buf_view(&r->path)))
        n = pread(fd, room, sizeof(room), 0);
    if (n < 0 || n == sizeof(room))
        return false;
    *ret = add_file(r, arena_dup(r->arena, buf_view(&r->path)),
                    arena_dup(r->arena, (str){room, (size_t)n}), 0, e);
    return true;
}

/* ---- opening */

/* One name in a folder that was reached without leaving the root: no need to walk there again. */
int folder_open_plain(int folder, str path)
{
    return openat(folder, path.p + str_rfind_char(path, '/') + 1,
                  OPEN_FLAGS | O_NOFOLLOW | O_CLOEXEC);
}

/* By way of the root, which links are not to leave. */
static int open_followed(struct folder_reader *r, struct err *e)
{
    AUTO(err_done) struct err bad = {0};
    int fd = file_open_beneath(r->walk->root, buf_cstr(&r->path), OPEN_FLAGS, &bad);

    if (fd >= 0)
        return fd;
    if (bad.code != EXDEV || r->walk->budget->is_strict) {
        err_move(e, &bad);
        return -1;
    }
    vec_push(r->outside, arena_dup(r->arena, buf_view(&r->path)));
    fd = openat(r->walk->root, buf_cstr(&r->path), OPEN_FLAGS | O_CLOEXEC);
    return fd < 0 ? fail_path(r, "", e) : fd;
}

static int judge_type(struct folder_reader *r, mode_t mode, struct err *e)
{
    return S_ISDIR(mode) || S_ISREG(mode)
               ? 0
               : err_set(e, ERR_INVALID,
                         "cannot load irregular file %s as it has file mode type bits set",
                         buf_cstr(&r->path));
}

static int read_members(struct folder_reader *r, int fd, struct err *e)
{
    AUTO(folder_names_done) struct folder_names names = {0};
    size_t length = r->path.len;
    int rc = folder_list(r, fd, &names, e);

    if (rc == 0 && r->level >= MAX_LEVELS)
        return err_set(e, ERR_LIMIT, "%s: folders nest deeper than %d levels", buf_cstr(&r->path),
                       MAX_LEVELS);
    r->level++;
    for (size_t i = 0; i < names.list.len && rc == 0; i++) {
        buf_add_char(&r->path, '/');
        buf_add_str(&r->path, names.list.v[i].text);
        rc = folder_read(r, fd, names.list.v[i].type, e);
        buf_trunc(&r->path, length);
    }
    r->level--;
    return rc;
}

/* What opening would stop at or follow is looked at before: ignored links and pipes are no error.
 */
int folder_read(struct folder_reader *r, int folder, unsigned char type, struct err *e)
{
    struct stat st = {.st_mode = DTTOIF(type)};
    bool is_known = type == DT_DIR || type == DT_REG;
    AUTO(file_close) int fd = -1;
    int rc;

    buf_cstr(&r->path); /* there is a NUL */
    if (!is_known && fstatat(r->walk->root, r->path.p, &st, 0) < 0)
        return fail_path(r, "", e);
    if (chart_ignore_has(&r->walk->ignore, buf_view(&r->path), S_ISDIR(st.st_mode)))
        return 0;
    if (judge_type(r, st.st_mode, e) < 0)
        return -1;
    if (is_known)
        fd = folder_open_plain(folder, buf_view(&r->path));
    if (fd < 0)
        fd = open_followed(r, e);
    if (fd < 0)
        return -1;
    if (S_ISDIR(st.st_mode))
        return read_members(r, fd, e);
    if (type == DT_REG && read_small(r, fd, &rc, e))
        return rc;
    if (fstat(fd, &st) < 0)
        return fail_path(r, "", e);
    return judge_type(r, st.st_mode, e) < 0 ? -1 : read_file(r, fd, &st, e);
}
