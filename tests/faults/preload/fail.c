/* Preloaded into a program: the n-th call of a sort fails. In the environment: FAIL_SORT (a name of
 * sorts[] below), FAIL_AT (n, from 1) and FAIL_HIT, a file that is made when it came to that, so
 * that who counts upward knows when there are no more.
 *
 * Only calls that programs and libraries make are seen; those inside libc and of the loader are
 * not. What the program starts is left alone. */
#undef _FORTIFY_SOURCE /* its inline functions are what is defined here */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum sort { SORT_NONE, SORT_MEMORY, SORT_FILES, SORT_NET, SORT_SYSTEM, SORT_INTERRUPT };
static const char *const sorts[] = {"", "memory", "files", "net", "system", "interrupt"};

static enum sort wanted;
static long at;
static const char *hit_file;
static atomic_long calls;

static __attribute__((constructor)) void read_environment(void)
{
    const char *name = getenv("FAIL_SORT"), *n = getenv("FAIL_AT");

    hit_file = getenv("FAIL_HIT");
    at = n ? strtol(n, NULL, 10) : 0;
    for (int i = SORT_MEMORY; name && i <= SORT_INTERRUPT; i++)
        if (strcmp(name, sorts[i]) == 0)
            wanted = (enum sort)i;
    unsetenv("FAIL_SORT");
}

/* Whether this call is the one; errno is set then. */
static bool fails(enum sort sort, int number)
{
    int saved = errno, fd;

    if (sort != wanted || atomic_fetch_add(&calls, 1) + 1 != at)
        return false;
    fd = hit_file ? (int)syscall(SYS_openat, AT_FDCWD, hit_file, O_CREAT | O_WRONLY, 0600) : -1;
    if (fd >= 0)
        syscall(SYS_close, fd);
    errno = number ? number : saved;
    return true;
}

#define REAL(name) ((typeof(name) *)dlsym(RTLD_NEXT, #name))

/* ---- memory: libc's own names for what it offers, for dlsym allocates too */
void *real_malloc(size_t size) __asm__("__libc_malloc");
void *real_calloc(size_t count, size_t size) __asm__("__libc_calloc");
void *real_realloc(void *p, size_t size) __asm__("__libc_realloc");

void *malloc(size_t size) { return fails(SORT_MEMORY, ENOMEM) ? NULL : real_malloc(size); }

void *calloc(size_t count, size_t size)
{
    return fails(SORT_MEMORY, ENOMEM) ? NULL : real_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return fails(SORT_MEMORY, ENOMEM) ? NULL : real_realloc(p, size);
}

/* ---- files */
#define WRAP(sort, number, type, name, parameters, arguments) \
    type name parameters { return fails(sort, number) ? (type)-1 : REAL(name) arguments; }
/* The same of a call that may be interrupted. */
#define WRAP_LONG(sort, number, type, name, parameters, arguments)                         \
    type name parameters                                                                   \
    {                                                                                      \
        return fails(sort, number) || fails(SORT_INTERRUPT, EINTR) ? (type)-1              \
                                                                   : REAL(name) arguments; \
    }

static mode_t mode_of(int flags, va_list more)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

#define WRAP_OPEN(name, before, parameters, arguments)                \
    int name(before const char *path, int flags, ...)                 \
    {                                                                 \
        va_list more;                                                 \
        mode_t mode;                                                  \
                                                                      \
        va_start(more, flags);                                        \
        mode = mode_of(flags, more);                                  \
        va_end(more);                                                 \
        return fails(SORT_FILES, EMFILE) ? -1 : REAL(name) arguments; \
    }
#define NOTHING
#define AT int dir,
WRAP_OPEN(open, NOTHING, (), (path, flags, mode))
WRAP_OPEN(open64, NOTHING, (), (path, flags, mode))
WRAP_OPEN(openat, AT, (), (dir, path, flags, mode))
WRAP_OPEN(openat64, AT, (), (dir, path, flags, mode))
WRAP(SORT_FILES, EIO, int, fsync, (int fd), (fd))
WRAP(SORT_FILES, EIO, int, fdatasync, (int fd), (fd))
WRAP(SORT_FILES, ENOSPC, int, rename, (const char *from, const char *to), (from, to))
WRAP(SORT_FILES, ENOSPC, int, renameat, (int d, const char *from, int t, const char *to),
     (d, from, t, to))
WRAP(SORT_FILES, ENOSPC, int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(SORT_FILES, ENOSPC, int, ftruncate, (int fd, off_t size), (fd, size))
WRAP(SORT_FILES, EIO, ssize_t, pread, (int fd, void *p, size_t n, off_t o), (fd, p, n, o))
WRAP(SORT_FILES, ENOSPC, ssize_t, pwrite, (int fd, const void *p, size_t n, off_t o), (fd, p, n, o))
/* The names that libraries built for large files call. */
WRAP(SORT_FILES, ENOSPC, int, ftruncate64, (int fd, off64_t size), (fd, size))
WRAP(SORT_FILES, EIO, ssize_t, pread64, (int fd, void *p, size_t n, off64_t o), (fd, p, n, o))
WRAP(SORT_FILES, ENOSPC, ssize_t, pwrite64, (int fd, const void *p, size_t n, off64_t o),
     (fd, p, n, o))
WRAP(SORT_FILES, EMFILE, int, pipe2, (int fds[2], int flags), (fds, flags))

/* By which openat2 and pidfd_open are called, for which there is no function. */
long syscall(long number, ...)
{
    long v[6];
    va_list more;

    va_start(more, number);
    for (int i = 0; i < 6; i++)
        v[i] = va_arg(more, long);
    va_end(more);
    if ((number == SYS_openat2 && fails(SORT_FILES, EMFILE)) ||
        (number == SYS_pidfd_open && fails(SORT_SYSTEM, ENOSYS)))
        return -1;
    return REAL(syscall)(number, v[0], v[1], v[2], v[3], v[4], v[5]);
}

/* What counters of events hold is told at once or not at all: no error but EAGAIN. */
static bool is_file(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) != 0;
}

ssize_t read(int fd, void *p, size_t n)
{
    if (is_file(fd) && (fails(SORT_FILES, EIO) || fails(SORT_INTERRUPT, EINTR)))
        return -1;
    return syscall(SYS_read, fd, p, n);
}

ssize_t checked_read(int fd, void *p, size_t n, size_t room) __asm__("__read_chk");
ssize_t checked_read(int fd, void *p, size_t n, size_t room)
{
    return n > room ? -1 : read(fd, p, n);
}

/* Half of it is written: who takes less than all for an error, or all for success, is found out. */
ssize_t write(int fd, const void *p, size_t n)
{
    bool may_fail = is_file(fd);

    if (may_fail && fails(SORT_FILES, ENOSPC))
        return -1;
    if (may_fail && fails(SORT_INTERRUPT, EINTR)) {
        if (n < 2)
            return -1;
        n /= 2;
    }
    return syscall(SYS_write, fd, p, n);
}

/* ---- the network */
WRAP(SORT_NET, EMFILE, int, socket, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(SORT_NET, ECONNREFUSED, int, connect, (int fd, const struct sockaddr *to, socklen_t n),
     (fd, to, n))
WRAP_LONG(SORT_NET, ECONNRESET, ssize_t, send, (int fd, const void *p, size_t n, int flags),
          (fd, p, n, flags))
WRAP_LONG(SORT_NET, ECONNRESET, ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags),
          (fd, m, flags))
WRAP_LONG(SORT_NET, ECONNRESET, ssize_t, recv, (int fd, void *p, size_t n, int flags),
          (fd, p, n, flags))
WRAP_LONG(SORT_NET, EMFILE, int, accept4, (int fd, struct sockaddr *from, socklen_t *n, int flags),
          (fd, from, n, flags))
WRAP(SORT_NET, EADDRINUSE, int, bind, (int fd, const struct sockaddr *at_, socklen_t n),
     (fd, at_, n))
WRAP(SORT_NET, EADDRINUSE, int, listen, (int fd, int most), (fd, most))
WRAP(SORT_NET, EMFILE, int, socketpair, (int domain, int type, int protocol, int fds[2]),
     (domain, type, protocol, fds))
WRAP(SORT_NET, ENOBUFS, int, setsockopt, (int fd, int level, int name, const void *p, socklen_t n),
     (fd, level, name, p, n))
WRAP(SORT_NET, ENOBUFS, int, getsockopt, (int fd, int level, int name, void *p, socklen_t *n),
     (fd, level, name, p, n))
WRAP(SORT_NET, ENOBUFS, int, getsockname, (int fd, struct sockaddr *addr, socklen_t *n),
     (fd, addr, n))

int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
                struct addrinfo **ret)
{
    return fails(SORT_NET, 0) ? EAI_MEMORY : REAL(getaddrinfo)(host, port, hints, ret);
}

WRAP(SORT_NET, EMFILE, int, epoll_create1, (int flags), (flags))
WRAP(SORT_NET, ENOMEM, int, epoll_ctl, (int set, int op, int fd, struct epoll_event *ev),
     (set, op, fd, ev))
WRAP(SORT_NET, EMFILE, int, eventfd, (unsigned n, int flags), (n, flags))
WRAP(SORT_INTERRUPT, EINTR, int, epoll_wait,
     (int set, struct epoll_event *evs, int most, int timeout), (set, evs, most, timeout))
WRAP_LONG(SORT_SYSTEM, ENOMEM, int, poll, (struct pollfd * fds, nfds_t n, int timeout),
          (fds, n, timeout))

/* ---- threads, children, mappings */
WRAP_LONG(SORT_SYSTEM, ENOSYS, ssize_t, getrandom, (void *p, size_t n, unsigned flags),
          (p, n, flags))
WRAP(SORT_SYSTEM, ENOMEM, void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t o),
     (p, n, prot, flags, fd, o))
WRAP(SORT_SYSTEM, ENOMEM, void *, mmap64,
     (void *p, size_t n, int prot, int flags, int fd, off64_t o), (p, n, prot, flags, fd, o))
WRAP(SORT_SYSTEM, EMFILE, int, signalfd, (int fd, const sigset_t *mask, int flags),
     (fd, mask, flags))
WRAP_LONG(SORT_SYSTEM, ECHILD, pid_t, waitpid, (pid_t pid, int *status, int options),
          (pid, status, options))
WRAP_LONG(SORT_SYSTEM, ECHILD, pid_t, wait4,
          (pid_t pid, int *status, int options, struct rusage *used), (pid, status, options, used))
WRAP_LONG(SORT_SYSTEM, ECHILD, int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
          (type, id, info, options))

int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    return fails(SORT_SYSTEM, 0) ? EAGAIN : REAL(pthread_create)(id, attr, run, arg);
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
    return fails(SORT_SYSTEM, 0) ? EAGAIN
                                 : REAL(posix_spawnp)(pid, file, actions, attr, argv, envp);
}

/* The name that fails gives dlerror its words. */
void *dlopen(const char *file, int mode)
{
    return REAL(dlopen)(fails(SORT_SYSTEM, 0) ? "no-such-library.so" : file, mode);
}
