#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/file.h"
#include "sys/random.h"

/* A replacement under way: text goes to temp, which then takes the place of target. */
struct replacement {
    char *target, *folder, *temp; /* owned */
    bool exists;
    unsigned mode; /* of what exists */
    int fd;
};

static void replacement_done(struct replacement *r)
{
    file_close(r->fd);
    if (r->temp)
        unlink(r->temp);
    mem_free(r->temp);
    mem_free(r->folder);
    mem_free(r->target);
}
AUTO_VALUE(struct replacement, replacement_done)

/* Follows a link, so that it is its target that gets new content. */
static int find_target(const char *path, struct replacement *r, struct err *e)
{
    char resolved[PATH_MAX];
    const char *slash;

    if (r->exists && !realpath(path, resolved))
        return err_errno(e, errno, "write %s", path);
    r->target = mem_strdup(r->exists ? resolved : path);
    slash = strrchr(r->target, '/');
    if (!slash)
        r->folder = mem_strdup(".");
    else
        r->folder = mem_strndup(r->target, MAX((size_t)(slash - r->target), (size_t)1));
    return 0;
}

static int open_temp(struct replacement *r, unsigned mode, struct err *e)
{
    for (int tries = 0; tries < 100; tries++) {
        AUTO(buf_done) struct buf name = {0};

        buf_addf(&name, "%s/.grapnel-", r->folder);
        random_suffix(10, &name);
        /* What exists keeps its mode, which may be narrower than the umask's: it comes later. */
        r->fd =
            open(buf_cstr(&name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, r->exists ? 0600 : mode);
        if (r->fd >= 0) {
            r->temp = buf_take(&name);
            return 0;
        }
        if (errno != EEXIST)
            break;
    }
    return err_errno(e, errno, "write %s", r->target);
}

static int sync_folder(const char *folder, struct err *e)
{
    AUTO(file_close) int fd = file_open_dir(folder, e);

    if (fd < 0)
        return -1;
    /* EINVAL: a file system that has nothing to sync there */
    if (fsync(fd) < 0 && errno != EINVAL)
        return err_errno(e, errno, "sync %s", folder);
    return 0;
}

static int fill_temp(struct replacement *r, str text, bool is_synced, struct err *e)
{
    int fd = r->fd;

    if (file_write_fd(fd, r->target, text, e) < 0)
        return -1;
    if (r->exists && fchmod(fd, r->mode & 07777) < 0)
        return err_errno(e, errno, "write %s", r->target);
    if (is_synced && fsync(fd) < 0)
        return err_errno(e, errno, "sync %s", r->target);
    r->fd = -1;
    if (close(fd) < 0 && errno != EINTR) /* where a quota or a network tells late */
        return err_errno(e, errno, "write %s", r->target);
    return 0;
}

static int write_through(const char *path, str text, struct err *e)
{
    AUTO(file_close) int fd = open(path, O_WRONLY | O_CLOEXEC);

    return fd < 0 ? err_errno(e, errno, "open %s", path) : file_write_fd(fd, path, text, e);
}

int file_replace(const char *path, str text, const struct file_replace *opts, struct err *e)
{
    static const struct file_replace plain = {0};
    AUTO(replacement_done) struct replacement r = {.fd = -1};
    struct stat st;

    if (!opts)
        opts = &plain;
    r.exists = stat(path, &st) == 0;
    if (r.exists && S_ISDIR(st.st_mode))
        return err_set(e, ERR_INVALID, "%s is a directory, not a file", path);
    if (r.exists && !S_ISREG(st.st_mode))
        return write_through(path, text, e);
    r.mode = r.exists ? st.st_mode : 0;
    if (find_target(path, &r, e) < 0 || open_temp(&r, opts->mode ? opts->mode : 0666, e) < 0 ||
        fill_temp(&r, text, opts->is_synced, e) < 0)
        return -1;
    if (rename(r.temp, r.target) < 0)
        return err_errno(e, errno, "write %s", path);
    mem_free(TAKE(r.temp));
    return opts->is_synced ? sync_folder(r.folder, e) : 0;
}

/* 0 when it is there in the end; else errno says why it could not be made. */
static int make_folder(const char *path, unsigned mode)
{
    int why;

    if (mkdir(path, mode) == 0)
        return 0;
    why = errno;
    if (file_is_dir(path))
        return 0;
    errno = why == EEXIST ? ENOTDIR : why;
    return -1;
}

int file_mkdirs(const char *path, unsigned mode, struct err *e)
{
    AUTO(mem_free_str) char *part = mem_strdup(path);

    for (char *at = part; *at; at++) {
        if (*at != '/' || at == part)
            continue;
        *at = '\0';
        if (make_folder(part, mode) < 0)
            return err_errno(e, errno, "create folder %s", part);
        *at = '/';
    }
    if (make_folder(path, mode) < 0)
        return err_errno(e, errno, "create folder %s", path);
    return 0;
}
