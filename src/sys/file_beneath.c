#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/vec.h"
#include "sys/file_priv.h"

#define MAX_LINKS 40

/* A walk holds the folders from the root to where it is: ".." goes back to one of them, never to
 * what the file system says is above. */
struct steps {
    VEC(int) folders; /* [0] is the root, not ours to close */
    struct buf rest;  /* what is still to be walked */
    int links;
};

static void steps_done(struct steps *s)
{
    for (size_t i = 1; i < s->folders.len; i++)
        close(s->folders.v[i]);
    vec_done(&s->folders);
    buf_done(&s->rest);
}
AUTO_VALUE(struct steps, steps_done)

static int fail(int number)
{
    errno = number;
    return -1;
}

/* Puts the target of the link in front of the rest. */
static int enter_link(struct steps *s, int fd)
{
    AUTO(buf_done) struct buf path = {0};
    char target[PATH_MAX];
    ssize_t n = readlinkat(fd, "", target, sizeof(target));

    if (n < 0)
        return -1;
    if (++s->links > MAX_LINKS)
        return fail(ELOOP);
    if (n == 0 || n == sizeof(target))
        return fail(n ? ENAMETOOLONG : ENOENT);
    if (target[0] == '/')
        return fail(EXDEV);
    buf_addf(&path, "%.*s/%s", (int)n, target, buf_cstr(&s->rest));
    if (path.len > (size_t)16 * PATH_MAX)
        return fail(ENAMETOOLONG);
    buf_clear(&s->rest);
    buf_add_str(&s->rest, buf_view(&path));
    return 0;
}

/* Takes the next name off the rest; false at the end. */
static bool next_name(struct steps *s, char *name)
{
    AUTO(buf_done) struct buf tail = {0};
    str rest = buf_view(&s->rest), head;

    while (rest.len && rest.p[0] == '/')
        rest = str_from(rest, 1);
    head = str_cut(rest, '/', &rest);
    if (head.len == 0 || head.len > NAME_MAX)
        return false;
    memcpy(name, head.p, head.len);
    name[head.len] = '\0';
    buf_add_str(&tail, rest);
    buf_clear(&s->rest);
    buf_add_str(&s->rest, buf_view(&tail));
    return true;
}

static int go_up(struct steps *s)
{
    if (s->folders.len == 1)
        return fail(EXDEV);
    close(vec_last(&s->folders));
    s->folders.len--;
    return 0;
}

static bool is_end(const struct steps *s)
{
    return str_trim_right(buf_view(&s->rest), "/").len == 0;
}

/* One name. 1: *ret_fd is the last one opened; 0: go on; -1: errno. */
static int take_step(struct steps *s, const char *name, int flags, int *ret_fd)
{
    struct stat st;
    int fd, rc = 0;

    if (strcmp(name, ".") == 0)
        return 0;
    if (strcmp(name, "..") == 0)
        return go_up(s);
    fd = openat(vec_last(&s->folders), name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &st) < 0) {
        rc = -1;
    } else if (S_ISLNK(st.st_mode)) {
        rc = enter_link(s, fd);
    } else if (S_ISDIR(st.st_mode)) {
        vec_push(&s->folders, fd);
        return 0;
    } else if (!is_end(s)) {
        rc = fail(ENOTDIR);
    } else { /* O_NOFOLLOW: a link put here in between is refused */
        *ret_fd = openat(vec_last(&s->folders), name, flags | O_NOFOLLOW | O_CLOEXEC);
        rc = *ret_fd < 0 ? -1 : 1;
    }
    close(fd);
    return rc;
}

int file_open_by_steps(int root_fd, const char *path, int flags)
{
    AUTO(steps_done) struct steps s = {0};
    char name[NAME_MAX + 1];
    int fd = -1;

    if (path[0] == '/')
        return fail(EXDEV);
    if (!path[0])
        return fail(ENOENT);
    vec_push(&s.folders, root_fd);
    buf_add_cstr(&s.rest, path);
    while (next_name(&s, name)) {
        int rc = take_step(&s, name, flags, &fd);

        if (rc)
            return rc < 0 ? -1 : fd;
    }
    if (!is_end(&s))
        return fail(ENAMETOOLONG);
    return openat(vec_last(&s.folders), ".", flags | O_CLOEXEC);
}

static int open_at_once(int root_fd, const char *path, int flags, uint64_t resolve)
{
    struct open_how how = {.flags = (uint64_t)(flags | O_CLOEXEC), .resolve = resolve};
    int tries = 0;
    long fd;

    do { /* EAGAIN: a rename went on meanwhile */
        fd = syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
    } while (fd < 0 && (errno == EINTR || errno == EAGAIN) && ++tries < 100);
    return (int)fd;
}

int file_open_beneath(int root_fd, const char *path, int flags, struct err *e)
{
    int fd = open_at_once(root_fd, path, flags, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);

    /* Linux before 5.6, or a container's filter that does not know the call */
    if (fd < 0 && (errno == ENOSYS || errno == EPERM))
        fd = file_open_by_steps(root_fd, path, flags);
    if (fd < 0 && errno == EXDEV) {
        err_set(e, ERR_DENIED, "%s leads out of its folder", path);
        e->code = EXDEV;
        return -1;
    }
    return fd < 0 ? err_errno(e, errno, "open %s", path) : fd;
}

int file_open_without_links(int at, const char *path, int flags)
{
    return open_at_once(at, path, flags, RESOLVE_NO_SYMLINKS);
}
