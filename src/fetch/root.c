#include "fetch/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/mem.h"
#include "base/vec.h"
#include "fetch/path.h"
#include "http/url.h"
#include "sys/file.h"

/* What the roots in one clone share. */
struct clone {
    atomic_int refs;
    char *path;
    char *url, *repository, *ref;
};

struct fetch_root {
    atomic_int refs;
    int fd;     /* O_PATH */
    char *path; /* without links */
    char *name; /* for people, relative to the clone's top in one */
    enum fetch_restriction restriction;
    struct fetch_root *referrer; /* counted; or NULL */
    struct clone *clone;         /* counted; NULL outside of one */
};

static struct clone *clone_ref(struct clone *clone)
{
    if (clone)
        atomic_fetch_add_explicit(&clone->refs, 1, memory_order_relaxed);
    return clone;
}

static void clone_unref(struct clone *clone)
{
    if (!clone || atomic_fetch_sub_explicit(&clone->refs, 1, memory_order_acq_rel) != 1)
        return;
    mem_free(clone->path);
    mem_free(clone->url);
    mem_free(clone->repository);
    mem_free(clone->ref);
    mem_free(clone);
}

struct fetch_root *fetch_root_ref(struct fetch_root *root)
{
    atomic_fetch_add_explicit(&root->refs, 1, memory_order_relaxed);
    return root;
}

void fetch_root_unref(struct fetch_root *root)
{
    while (root && atomic_fetch_sub_explicit(&root->refs, 1, memory_order_acq_rel) == 1) {
        struct fetch_root *referrer = root->referrer;

        file_close(root->fd);
        mem_free(root->path);
        mem_free(root->name);
        clone_unref(root->clone);
        mem_free(root);
        root = referrer;
    }
}

const char *fetch_root_path(const struct fetch_root *root) { return root->path; }

static void join_name(const char *folder, str path, struct buf *out)
{
    AUTO(buf_done) struct buf joined = {0};

    buf_grow(&joined, strlen(folder) + 1 + path.len);
    if (path.len == 0 || path.p[0] != '/') {
        buf_add_cstr(&joined, folder);
        buf_add_char(&joined, '/');
    }
    buf_add_str(&joined, path);
    fetch_clean_path(buf_view(&joined), out);
}

/* Where an open file or folder lies. NULL when it was removed meanwhile or there is no /proc. */
static char *path_of(int fd)
{
    char link[64], target[PATH_MAX];
    struct stat st;
    ssize_t n;

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    n = readlink(link, target, sizeof(target));
    if (n <= 0 || n == sizeof(target) || target[0] != '/')
        return NULL;
    if (str_ends((str){target, (size_t)n}, STR(" (deleted)")) &&
        (fstat(fd, &st) < 0 || !st.st_nlink)) /* or a name that somebody thought of */
        return NULL;
    return mem_strndup(target, (size_t)n);
}

static int open_path(int at, const char *path, int flags)
{
    return openat(at, path, O_PATH | O_CLOEXEC | flags);
}

/* A root of fd, which it takes over also when it fails; path (taken over, too) is NULL when only
 * the kernel knows it. */
static struct fetch_root *root_new(int fd, char *path, const char *name, struct err *e)
{
    AUTO(fetch_root_unref) struct fetch_root *root = NEW(struct fetch_root);

    root->refs = 1;
    root->fd = fd;
    root->path = path ? path : path_of(fd);
    if (!root->path) {
        err_set(e, ERR_IO, "the kernel does not tell where '%s' is: has the folder been removed?",
                name);
        return NULL;
    }
    return TAKE(root);
}

/* where: of `at`, if a folder below may be told by its path, which holds when no link is on the way
 * and costs less than a look into /proc. */
static struct fetch_root *open_folder(int at, const char *where, const char *path, const char *name,
                                      struct err *e)
{
    int fd = where ? file_open_without_links(at, path, O_PATH | O_DIRECTORY) : -1;
    AUTO(buf_done) struct buf real = {0};

    if (fd >= 0) {
        join_name(where, str_of(path), &real);
        return root_new(fd, buf_take(&real), name, e);
    }
    fd = open_path(at, path, O_DIRECTORY);
    if (fd >= 0)
        return root_new(fd, NULL, name, e);
    if (errno == ENOTDIR && faccessat(at, path, F_OK, 0) == 0)
        err_set(e, ERR_INVALID, "'%s' is a file, not a directory", name);
    else
        err_errno(e, errno, "open directory '%s'", name);
    return NULL;
}

struct fetch_root *fetch_root_open(const char *path, enum fetch_restriction restriction,
                                   struct err *e)
{
    AUTO(mem_free_str) char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    struct fetch_root *root = open_folder(AT_FDCWD, path[0] == '/' ? "/" : here, path, path, e);
    AUTO(buf_done) struct buf name = {0};

    if (!root)
        return NULL;
    fetch_clean_path(str_of(path), &name);
    root->name = buf_take(&name);
    root->restriction = restriction;
    return root;
}

/* "a..b", "...": a part of two dots and more. */
static bool has_odd_dots(str path)
{
    while (path.len) {
        str part = str_cut(path, '/', &path);

        if (part.len > 2 && str_contains(part, STR("..")))
            return true;
    }
    return false;
}

static int check_path(str path, struct err *e)
{
    if (path.len == 0)
        return err_set(e, ERR_INVALID, "an empty path");
    if (memchr(path.p, '\0', path.len))
        return err_set(e, ERR_INVALID, "a path with a NUL byte");
    return 0;
}

static int check_path_of_folder(str path, struct err *e)
{
    if (path.len == 0)
        return err_set(e, ERR_INVALID, "new root cannot be empty");
    if (check_path(path, e) < 0)
        return -1;
    if (path.p[0] == '/')
        return err_set(e, ERR_INVALID, "new root '%.*s' cannot be absolute", STR_ARG(path));
    if (has_odd_dots(path))
        return err_set(e, ERR_INVALID,
                       "path '%.*s' is ambiguous; check the indentation of the list it stands in",
                       STR_ARG(path));
    return 0;
}

/* may_hold: the candidate may be a folder around those that are visited, but none of them. */
static int check_place_of_folder(const struct fetch_root *from, const struct fetch_root *candidate,
                                 bool may_hold, struct err *e)
{
    const struct clone *clone = candidate->clone;

    if (clone && !fetch_is_below(str_of(candidate->path), str_of(clone->path)))
        return err_set(e, ERR_DENIED,
                       "security; bases in kustomizations found in cloned git repos must be within "
                       "the repo, but base '%s' is outside '%s'",
                       candidate->path, clone->path);
    for (const struct fetch_root *r = from; r; r = r->referrer)
        if (may_hold ? strcmp(r->path, candidate->path) == 0
                     : fetch_is_below(str_of(r->path), str_of(candidate->path)))
            return err_set(e, ERR_INVALID,
                           "cycle detected: candidate root '%s' contains visited root '%s'",
                           candidate->path, r->path);
    return 0;
}

static struct fetch_root *enter(struct fetch_root *root, str path, bool may_hold, struct err *e)
{
    AUTO(fetch_root_unref) struct fetch_root *sub = NULL;
    AUTO(buf_done) struct buf name = {0}, clean = {0};

    if (check_path_of_folder(path, e) < 0)
        return NULL;
    fetch_root_name(root, path, &name);
    fetch_clean_path(path, &clean);
    sub = open_folder(root->fd, root->clone ? NULL : root->path, buf_cstr(&clean), buf_cstr(&name),
                      e);
    if (!sub)
        return NULL;
    sub->clone = clone_ref(root->clone);
    if (check_place_of_folder(root, sub, may_hold, e) < 0)
        return NULL;
    buf_clear(&name);
    join_name(root->name, path, &name);
    sub->name = buf_take(&name);
    sub->restriction = root->restriction;
    sub->referrer = fetch_root_ref(root);
    return TAKE(sub);
}

struct fetch_root *fetch_root_enter(struct fetch_root *root, str path, struct err *e)
{
    return enter(root, path, false, e);
}

struct fetch_root *fetch_root_import(struct fetch_root *root, str path, struct err *e)
{
    return enter(root, path, true, e);
}

int fetch_root_check_urls(const struct fetch_root *from, str url, struct err *e)
{
    AUTO(buf_done) struct buf shown = {0}, before = {0};

    for (const struct fetch_root *r = from; r; r = r->referrer) {
        if (!r->clone || !str_starts(str_of(r->clone->url), url))
            continue;
        http_url_redact(url, &shown);
        http_url_redact(str_of(r->clone->url), &before);
        return err_set(e, ERR_INVALID, "cycle detected: URI '%s' referenced by previous URI '%s'",
                       buf_cstr(&shown), buf_cstr(&before));
    }
    return 0;
}

static struct clone *clone_new(const struct fetch_clone *spec, const char *path)
{
    struct clone *clone = NEW(struct clone);

    clone->refs = 1;
    clone->path = mem_strdup(path);
    clone->url = mem_strndup(spec->url.p, spec->url.len);
    clone->repository = mem_strndup(spec->repository.p, spec->repository.len);
    clone->ref = mem_strndup(spec->ref.p, spec->ref.len);
    return clone;
}

struct fetch_root *fetch_root_open_clone(const struct fetch_clone *spec, struct err *e)
{
    AUTO(fetch_root_unref) struct fetch_root *top = NULL, *root = NULL;
    AUTO(buf_done) struct buf clean = {0};

    if (fetch_root_check_urls(spec->from, spec->url, e) < 0)
        return NULL;
    top = open_folder(AT_FDCWD, NULL, spec->dir, spec->dir, e);
    if (!top)
        return NULL;
    top->clone = clone_new(spec, top->path);
    top->name = mem_strdup(".");
    fetch_clean_path(spec->path, &clean);
    root = open_folder(top->fd, NULL, buf_cstr(&clean), buf_cstr(&clean), e);
    if (!root) {
        err_wrap(e, "%.*s", STR_ARG(spec->repository));
        return NULL;
    }
    root->clone = clone_ref(top->clone);
    if (check_place_of_folder(spec->from, root, false, e) < 0)
        return NULL;
    root->name = buf_take(&clean);
    root->referrer = spec->from ? fetch_root_ref(spec->from) : NULL;
    return TAKE(root);
}

str fetch_root_repository(const struct fetch_root *root)
{
    return root->clone ? str_of(root->clone->repository) : STR_NONE;
}

str fetch_root_ref_name(const struct fetch_root *root)
{
    return root->clone ? str_of(root->clone->ref) : STR_NONE;
}

const char *fetch_root_clone_path(const struct fetch_root *root)
{
    return root->clone ? root->clone->path : NULL;
}

static int security(const struct fetch_root *root, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf joined = {0}, clean = {0};

    if (path[0] != '/')
        buf_addf(&joined, "%s/", root->path);
    buf_add_cstr(&joined, path);
    fetch_clean_path(buf_view(&joined), &clean);
    return err_set(e, ERR_DENIED, "security; file '%s' is not in or below '%s'", buf_cstr(&clean),
                   root->path);
}

/* The file behind an O_PATH descriptor, which no path leads to a second time. */
static int reopen(int fd)
{
    char link[64];

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    return open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static int check_regular(int fd, const char *name, struct stat *ret, struct err *e)
{
    if (fstat(fd, ret) < 0)
        return err_errno(e, errno, "read '%s'", name);
    if (S_ISREG(ret->st_mode))
        return 0;
    err_set(e, ERR_INVALID, "'%s' is %s", name,
            S_ISDIR(ret->st_mode) ? "a directory, not a file" : "not a regular file");
    e->code = S_ISDIR(ret->st_mode) ? EISDIR : 0;
    return -1;
}

/* A path that leaves the root on its way: "../here/a.yaml", a link with an absolute target, or any
 * file when the root restricts nothing. What counts is where the descriptor ended. */
static int open_wherever(struct fetch_root *root, const char *path, const char *name,
                         struct stat *ret, struct err *e)
{
    AUTO(file_close) int fd = open_path(root->fd, path, 0);
    AUTO(mem_free_str) char *real = NULL;
    int file;

    if (fd < 0)
        return err_errno(e, errno, "open '%s'", name);
    real = path_of(fd);
    if (!real ||
        (root->restriction == FETCH_ROOT_ONLY && !fetch_is_below(str_of(real), str_of(root->path))))
        return security(root, path, e);
    if (check_regular(fd, name, ret, e) < 0)
        return -1;
    file = reopen(fd);
    return file < 0 ? err_errno(e, errno, "open '%s'", name) : file;
}

static int open_file(struct fetch_root *root, const char *path, const char *name, struct stat *ret,
                     struct err *e)
{
    int fd = -1;

    if (root->restriction == FETCH_UNRESTRICTED)
        return open_wherever(root, path, name, ret, e);
    fd = file_open_beneath(root->fd, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, e);
    if (fd < 0 && e->code == EXDEV) {
        err_done(e);
        return open_wherever(root, path, name, ret, e);
    }
    if (fd >= 0 && check_regular(fd, name, ret, e) < 0) {
        file_close(fd);
        return -1;
    }
    return fd;
}

/* A file for reading and what it is called; the descriptor is the caller's. */
static int open_named(struct fetch_root *root, str path, struct buf *ret_name, struct stat *ret,
                      struct err *e)
{
    AUTO(buf_done) struct buf clean = {0};

    if (check_path(path, e) < 0)
        return -1;
    fetch_root_name(root, path, ret_name);
    fetch_clean_path(path, &clean);
    return open_file(root, buf_cstr(&clean), buf_cstr(ret_name), ret, e);
}

int fetch_root_read(struct fetch_root *root, str path, size_t limit, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf name = {0};
    struct stat st;
    AUTO(file_close) int fd = open_named(root, path, &name, &st, e);

    return fd < 0 ? -1 : file_read_known(fd, &st, buf_cstr(&name), limit, out, e);
}

int fetch_root_take(struct fetch_root *root, str path, size_t limit, struct arena *a, str *ret,
                    struct err *e)
{
    AUTO(buf_done) struct buf name = {0};
    struct stat st;
    AUTO(file_close) int fd = open_named(root, path, &name, &st, e);

    return fd < 0 ? -1 : file_read_into(fd, &st, buf_cstr(&name), limit, a, ret, e);
}

/* In a clone only what lies in it is there. */
static bool look_into_clone(const struct fetch_root *root, const char *path, struct stat *ret)
{
    AUTO(file_close) int fd = open_path(root->fd, path, 0);
    AUTO(mem_free_str) char *real = fd < 0 ? NULL : path_of(fd);

    return real && fetch_is_below(str_of(real), str_of(root->clone->path)) && fstat(fd, ret) == 0;
}

enum fetch_kind fetch_root_look(struct fetch_root *root, str path)
{
    AUTO(buf_done) struct buf clean = {0};
    struct stat st;

    if (path.len == 0 || memchr(path.p, '\0', path.len))
        return FETCH_ABSENT;
    fetch_clean_path(path, &clean);
    if (root->clone ? !look_into_clone(root, buf_cstr(&clean), &st)
                    : fstatat(root->fd, buf_cstr(&clean), &st, 0) < 0)
        return FETCH_ABSENT;
    return S_ISDIR(st.st_mode) ? FETCH_DIR : S_ISREG(st.st_mode) ? FETCH_FILE : FETCH_ABSENT;
}

/* The folder for listing, or -1 when there is none to be shown. */
static int open_shown(const struct fetch_root *root, const char *folder)
{
    AUTO(file_close) int fd = open_path(root->fd, folder, O_DIRECTORY);
    AUTO(mem_free_str) char *real = fd < 0 ? NULL : path_of(fd);

    if (!real || (root->clone && !fetch_is_below(str_of(real), str_of(root->clone->path))))
        return -1;
    return openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* The entries of a folder that nobody hid, but for the name itself: a link to nothing. */
static void list_shown(const struct fetch_root *root, const char *folder, str name, struct arena *a,
                       struct str_vec *ret)
{
    enum { MOST_NAMES = 4096 };
    int fd = open_shown(root, folder);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;

    if (!dir) {
        file_close(fd);
        return;
    }
    while (ret->len < MOST_NAMES && (entry = readdir(dir)))
        if (entry->d_name[0] != '.' && !str_eq(str_of(entry->d_name), name))
            vec_push(ret, arena_dup(a, str_of(entry->d_name)));
    closedir(dir);
}

/* At least half of what stands before the ending is the same: "p.yaml" is no "a.yaml". */
static bool is_like(str name, str other)
{
    str rest, stem = str_cut(name, '.', &rest), stem_of_other = str_cut(other, '.', &rest);

    return 2 * str_edit_distance(stem, stem_of_other, stem.len + 1) <= stem.len;
}

void fetch_root_nearest(const struct fetch_root *root, str path, struct buf *out)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(str_vec_done) struct str_vec names = {0};
    AUTO(buf_done) struct buf clean = {0};
    AUTO(mem_free_str) char *folder = NULL;
    str name, nearest;
    size_t begin;

    if (!path.len || memchr(path.p, '\0', path.len))
        return;
    fetch_clean_path(path, &clean);
    begin = (size_t)(str_rfind_char(buf_view(&clean), '/') + 1);
    name = str_from(buf_view(&clean), begin);
    folder = begin ? mem_strndup(clean.p, begin) : mem_strdup(".");
    list_shown(root, folder, name, &arena, &names);
    nearest = diag_nearest(name, names.v, names.len);
    if (nearest.len && is_like(name, nearest))
        buf_addf(out, "%s%.*s", begin ? folder : "", STR_ARG(nearest));
}

void fetch_root_name(const struct fetch_root *root, str path, struct buf *out)
{
    if (root->clone)
        buf_addf(out, "%s//", root->clone->repository);
    join_name(root->name, path, out);
}
