#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void file_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

static int too_large(const char *name, size_t limit, struct err *e)
{
    if (limit >= 1 << 20 && limit % (1 << 20) == 0)
        return err_set(e, ERR_LIMIT, "%s is larger than %zu MiB", name, limit >> 20);
    return err_set(e, ERR_LIMIT, "%s is larger than %zu bytes", name, limit);
}

/* Room for the rest of a regular file at once, a little for a pipe; one byte more tells the end. */
static size_t room_for(const struct stat *st, size_t limit)
{
    size_t size = S_ISREG(st->st_mode) && st->st_size > 0 ? (size_t)st->st_size : 65535;

    return MIN(size, limit) + 1;
}

/* A regular file ends when as much has come as it was said to have, and no byte more. */
static bool is_whole(const struct stat *st, size_t len)
{
    return S_ISREG(st->st_mode) && st->st_size > 0 && len == (size_t)st->st_size;
}

static int read_up_to(int fd, const struct stat *st, const char *name, size_t limit,
                      struct buf *out, struct err *e)
{
    size_t before = out->len, room = room_for(st, limit);

    for (;;) {
        ssize_t n;

        buf_grow(out, room);
        n = read(fd, out->p + out->len, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_errno(e, errno, "read %s", name);
        if (n == 0)
            return 0;
        out->len += (size_t)n;
        out->p[out->len] = '\0';
        if (out->len - before > limit)
            return too_large(name, limit, e);
        if (is_whole(st, out->len - before))
            return 0;
        room = MIN(limit - (out->len - before) + 1, MAX(room, (size_t)65536));
    }
}

int file_read_known(int fd, const struct stat *st, const char *name, size_t limit, struct buf *out,
                    struct err *e)
{
    size_t before = out->len;
    int rc = read_up_to(fd, st, name, limit, out, e);

    if (rc < 0)
        buf_trunc(out, before);
    return rc;
}

static ssize_t read_once(int fd, char *to, size_t room)
{
    ssize_t n;

    do
        n = read(fd, to, room);
    while (n < 0 && errno == EINTR);
    return n;
}

int file_read_into(int fd, const struct stat *st, const char *name, size_t limit, struct arena *a,
                   str *ret, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    size_t size = (size_t)st->st_size;
    struct stat rest = *st;
    ssize_t n = 0;

    if (is_whole(st, size) && size <= limit) {
        char *room = arena_alloc(a, size + 1);

        n = read_once(fd, room, size + 1);
        if (n < 0)
            return err_errno(e, errno, "read %s", name);
        *ret = (str){room, (size_t)n};
        if ((size_t)n == size) {
            room[n] = '\0';
            return 0;
        }
        if ((size_t)n > limit)
            return too_large(name, limit, e);
        buf_add_str(&text, *ret); /* somebody writes to it */
        rest.st_size = 0;
    }
    if (read_up_to(fd, &rest, name, limit - (size_t)n, &text, e) < 0)
        return -1;
    *ret = arena_dup(a, buf_view(&text));
    return 0;
}

int file_read_fd(int fd, const char *name, size_t limit, struct buf *out, struct err *e)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return err_errno(e, errno, "read %s", name);
    if (S_ISDIR(st.st_mode))
        return err_set(e, ERR_INVALID, "%s is a directory, not a file", name);
    return file_read_known(fd, &st, name, limit, out, e);
}

int file_read(const char *path, size_t limit, struct buf *out, struct err *e)
{
    AUTO(file_close) int fd = -1;

    if (strcmp(path, "-") == 0)
        return file_read_fd(STDIN_FILENO, "standard input", limit, out, e);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_errno(e, errno, "open %s", path);
    return file_read_fd(fd, path, limit, out, e);
}

int file_write_fd(int fd, const char *name, str text, struct err *e)
{
    while (text.len) {
        ssize_t n = write(fd, text.p, text.len);

        if (n < 0 && errno != EINTR)
            return err_errno(e, errno, "write %s", name);
        text = str_from(text, n > 0 ? (size_t)n : 0);
    }
    return 0;
}

int file_open_dir(const char *path, struct err *e)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    return fd < 0 ? err_errno(e, errno, "open %s", path) : fd;
}

int file_read_beneath(int root_fd, const char *path, size_t limit, struct buf *out, struct err *e)
{
    AUTO(file_close) int fd = file_open_beneath(root_fd, path, O_RDONLY, e);

    return fd < 0 ? -1 : file_read_fd(fd, path, limit, out, e);
}

bool file_is_dir(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool file_exists(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}
