#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "sys/env.h"
#include "sys/file.h"

#define MAX_LEVELS 128

struct names {
    char **v; /* owned */
    size_t len, cap;
};

static void names_done(struct names *names)
{
    for (size_t i = 0; i < names->len; i++)
        mem_free(names->v[i]);
    vec_done(names);
}
AUTO_VALUE(struct names, names_done)

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Takes fd over. */
static int list_names(int fd, const char *path, struct names *names, struct err *e)
{
    DIR *dir = fdopendir(fd);
    struct dirent *entry;
    int rc = 0;

    if (!dir) {
        close(fd);
        return err_errno(e, errno, "read folder %s", path);
    }
    while (errno = 0, (entry = readdir(dir))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            vec_push(names, mem_strdup(entry->d_name));
    }
    if (errno)
        rc = err_errno(e, errno, "read folder %s", path);
    closedir(dir);
    vec_sort(names, by_bytes);
    return rc;
}

struct walk {
    int root;
    file_visit_fn *visit;
    void *ctx;
    struct buf path; /* of the folder, then of the entry */
    int level;
};
static void walk_done(struct walk *w) { buf_done(&w->path); }
AUTO_VALUE(struct walk, walk_done)

static int walk_folder(struct walk *w, struct err *e);

static enum file_type type_of(unsigned mode)
{
    return S_ISREG(mode)   ? FILE_REGULAR
           : S_ISDIR(mode) ? FILE_DIR
           : S_ISLNK(mode) ? FILE_LINK
                           : FILE_OTHER;
}

static int walk_entry(struct walk *w, const char *name, struct err *e)
{
    struct file_entry entry = {.path = buf_cstr(&w->path), .name = name};
    struct stat st;
    int rc;

    if (fstatat(w->root, entry.path, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : err_errno(e, errno, "read %s", entry.path);
    entry.type = type_of(st.st_mode);
    entry.size = st.st_size;
    entry.mode = st.st_mode & 07777;
    rc = w->visit(w->ctx, &entry, e);
    if (rc != FILE_ON || entry.type != FILE_DIR)
        return rc < 0 ? -1 : 0;
    return walk_folder(w, e);
}

static int walk_folder(struct walk *w, struct err *e)
{
    AUTO(names_done) struct names names = {0};
    const char *path = w->path.len ? buf_cstr(&w->path) : ".";
    size_t length = w->path.len;
    int fd, rc = 0;

    if (w->level == MAX_LEVELS)
        return err_set(e, ERR_LIMIT, "%s: folders nest deeper than %d levels", path, MAX_LEVELS);
    fd = openat(w->root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return err_errno(e, errno, "read folder %s", path);
    if (list_names(fd, path, &names, e) < 0)
        return -1;
    w->level++;
    for (size_t i = 0; i < names.len && rc == 0; i++) {
        if (length)
            buf_add_char(&w->path, '/');
        buf_add_cstr(&w->path, names.v[i]);
        rc = walk_entry(w, names.v[i], e);
        buf_trunc(&w->path, length);
    }
    w->level--;
    return rc;
}

int file_walk(const char *root, file_visit_fn *visit, void *ctx, struct err *e)
{
    AUTO(file_close) int fd = file_open_dir(root, e);
    AUTO(walk_done) struct walk w = {.root = fd, .visit = visit, .ctx = ctx};

    return fd < 0 ? -1 : walk_folder(&w, e);
}

/* Descriptors lead the way, so that a link put in place of a folder meanwhile is not followed. */
static int remove_at(int parent, const char *name, int level, struct err *e)
{
    AUTO(names_done) struct names names = {0};
    AUTO(file_close) int fd = -1;

    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return err_errno(e, errno, "remove %s", name);
    if (level == MAX_LEVELS)
        return err_set(e, ERR_LIMIT, "remove %s: folders nest deeper than %d levels", name,
                       MAX_LEVELS);
    fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || list_names(fcntl(fd, F_DUPFD_CLOEXEC, 0), name, &names, e) < 0)
        return e->kind ? -1 : err_errno(e, errno, "remove %s", name);
    for (size_t i = 0; i < names.len; i++) {
        if (remove_at(fd, names.v[i], level + 1, e) < 0)
            return -1;
    }
    if (unlinkat(parent, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
        return err_errno(e, errno, "remove %s", name);
    return 0;
}

int file_remove_tree(const char *path, struct err *e) { return remove_at(AT_FDCWD, path, 0, e); }

int file_temp_dir(const char *prefix, struct buf *ret_path, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    const char *parent = env_get("TMPDIR");

    buf_addf(&path, "%s/%s-XXXXXX", parent && parent[0] ? parent : "/tmp", prefix);
    if (!mkdtemp(path.p))
        return err_errno(e, errno, "make a folder in %s", parent && parent[0] ? parent : "/tmp");
    buf_add_str(ret_path, buf_view(&path));
    return 0;
}
