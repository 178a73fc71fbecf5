/* Charts in folders (helm spec 2). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/log.h"
#include "chart/ignore.h"
#include "chart/read_priv.h"
#include "sys/file.h"

#define MAX_LEVELS 64

struct reader {
    struct doc_set *set;
    const char *root_path;
    int root;
    struct chart_ignore ignore;
    struct chart_budget *budget;
    struct chart_files *files;
    struct buf path;
    int level;
};
static void reader_done(struct reader *r)
{
    chart_ignore_done(&r->ignore);
    buf_done(&r->path);
}
AUTO_VALUE(struct reader, reader_done)

struct name {
    str text;
    unsigned char type; /* DT_DIR and so on: DT_UNKNOWN where the file system does not say */
};
struct names {
    VEC(struct name) list;
};
static void names_done(struct names *n) { vec_done(&n->list); }
AUTO_VALUE(struct names, names_done)

static int by_text(const void *a, const void *b)
{
    return str_cmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static int list_names(struct reader *r, int fd, struct names *ret, struct err *e)
{
    DIR *dir = fdopendir(fd);
    struct dirent *entry;
    int rc = 0;

    if (!dir) {
        file_close(fd);
        return err_errno(e, errno, "read folder %s", buf_cstr(&r->path));
    }
    while (errno = 0, (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        vec_push(&ret->list, {arena_dup(&r->set->arena, str_of(entry->d_name)), entry->d_type});
        if (ret->list.len > CHART_MAX_FILES) {
            rc = err_set(e, ERR_LIMIT, "%s: more than %d entries", buf_cstr(&r->path),
                         CHART_MAX_FILES);
            break;
        }
    }
    if (errno && rc == 0)
        rc = err_errno(e, errno, "read folder %s", buf_cstr(&r->path));
    closedir(dir);
    vec_sort(&ret->list, by_text);
    return rc;
}

static int read_folder(struct reader *r, int fd, struct err *e);

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

static int read_file(struct reader *r, int fd, const struct stat *st, struct err *e)
{
    str name = arena_dup(&r->set->arena, buf_view(&r->path)), text;
    int64_t modified_us = (int64_t)st->st_mtim.tv_sec * 1000000 + st->st_mtim.tv_nsec / 1000;

    if (r->budget->is_late && is_seldom_read(name) && S_ISREG(st->st_mode) &&
        (size_t)st->st_size <= CHART_MAX_FILE) {
        const char *path = arena_printf(&r->set->arena, "%s/%.*s", r->root_path, STR_ARG(name)).p;

        vec_push(r->files, {name, STR_NONE, modified_us, path});
        return chart_budget_take(r->budget, name, (size_t)st->st_size, e);
    }
    if (file_read_into(fd, st, name.p, CHART_MAX_FILE, &r->set->arena, &text, e) < 0 ||
        chart_budget_take(r->budget, name, text.len, e) < 0)
        return -1;
    str_drop_prefix(&text, STR("\xef\xbb\xbf")); /* a byte-order mark */
    vec_push(r->files, {name, text, modified_us, NULL});
    return 0;
}

/* A descriptor, or -1. */
static int open_entry(struct reader *r, struct err *e)
{
    enum { FLAGS = O_RDONLY | O_NONBLOCK };
    AUTO(err_done) struct err bad = {0};
    int fd = file_open_beneath(r->root, buf_cstr(&r->path), FLAGS, &bad);

    if (fd >= 0)
        return fd;
    if (bad.code != EXDEV || r->budget->is_strict) {
        err_move(e, &bad);
        return -1;
    }
    log_warn("a link leads out of the chart's folder; the content is used",
             LOG_STR("path", buf_view(&r->path)));
    fd = openat(r->root, buf_cstr(&r->path), FLAGS | O_CLOEXEC);
    return fd < 0 ? err_errno(e, errno, "%s", buf_cstr(&r->path)) : fd;
}

static int judge_type(struct reader *r, mode_t mode, struct err *e)
{
    return S_ISDIR(mode) || S_ISREG(mode)
               ? 0
               : err_set(e, ERR_INVALID,
                         "cannot load irregular file %s as it has file mode type bits set",
                         buf_cstr(&r->path));
}

/* What opening would stop at or follow is looked at before: ignored links and pipes are no error.
 */
static int read_entry(struct reader *r, unsigned char type, struct err *e)
{
    struct stat st = {.st_mode = DTTOIF(type)};
    bool is_known = type == DT_DIR || type == DT_REG;
    int fd, rc;

    if (!is_known && fstatat(r->root, buf_cstr(&r->path), &st, 0) < 0)
        return err_errno(e, errno, "%s", buf_cstr(&r->path));
    if (chart_ignore_has(&r->ignore, buf_view(&r->path), S_ISDIR(st.st_mode)))
        return 0;
    if (judge_type(r, st.st_mode, e) < 0)
        return -1;
    fd = open_entry(r, e);
    if (fd < 0)
        return -1;
    if (S_ISDIR(st.st_mode))
        return read_folder(r, fd, e);
    rc = fstat(fd, &st) < 0 ? err_errno(e, errno, "%s", buf_cstr(&r->path))
                            : judge_type(r, st.st_mode, e);
    if (rc == 0)
        rc = read_file(r, fd, &st, e);
    file_close(fd);
    return rc;
}

/* Takes fd over. */
static int read_folder(struct reader *r, int fd, struct err *e)
{
    AUTO(names_done) struct names names = {0};
    size_t length = r->path.len;
    int rc = list_names(r, fd, &names, e);

    if (rc == 0 && ++r->level > MAX_LEVELS)
        return err_set(e, ERR_LIMIT, "%s: folders nest deeper than %d levels", buf_cstr(&r->path),
                       MAX_LEVELS);
    for (size_t i = 0; i < names.list.len && rc == 0; i++) {
        if (length)
            buf_add_char(&r->path, '/');
        buf_add_str(&r->path, names.list.v[i].text);
        rc = read_entry(r, names.list.v[i].type, e);
        buf_trunc(&r->path, length);
    }
    r->level--;
    return rc;
}

static int read_rules(struct reader *r, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err bad = {0};

    if (file_read_beneath(r->root, ".helmignore", CHART_MAX_FILE, &text, &bad) < 0) {
        if (bad.kind == ERR_NOT_FOUND)
            return 0;
        err_move(e, &bad);
        return -1;
    }
    return chart_ignore_read(&r->ignore, arena_dup(&r->set->arena, buf_view(&text)), e);
}

int chart_read_folder(struct doc_set *set, const char *path, struct chart_budget *budget,
                      struct chart_files *ret, struct err *e)
{
    AUTO(file_close) int root = file_open_dir(path, e);
    AUTO(reader_done)
    struct reader r = {.set = set, .root_path = path, .root = root, .budget = budget, .files = ret};
    int fd;

    if (root < 0 || read_rules(&r, e) < 0)
        return -1;
    fd = file_open_dir(path, e);
    return fd < 0 ? -1 : read_folder(&r, fd, e);
}
