/* One process at a time may use a data file: a second one would write over what the first has in
 * memory. The lock is the kernel's and goes with the process, however it ends. */
#include "sandbox/disk_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sys/file.h"

enum { LOCKS_LIMIT = 1 << 20 };

/* "1: FLOCK  ADVISORY  WRITE 4711 fd:01:1234 0 EOF": the process, when the line is of the file. */
static int64_t holder_in(str line, str file)
{
    str words[6] = {0};
    size_t count = 0;
    int64_t pid = 0;

    while (line.p && count < ARRAY_LEN(words)) {
        str word = str_cut(line, ' ', &line);

        if (word.len)
            words[count++] = word;
    }
    if (count < ARRAY_LEN(words) || !str_eq(words[1], STR("FLOCK")) || !str_eq(words[5], file) ||
        !str_to_int64(words[4], &pid))
        return 0;
    return pid;
}

/* The process that has the lock, as far as the kernel tells; or 0. */
static int64_t holder(int fd)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0}, file = {0};
    struct stat st;
    str rest;

    if (fstat(fd, &st) < 0 || file_read("/proc/locks", LOCKS_LIMIT, &text, &e) < 0)
        return 0;
    buf_addf(&file, "%02x:%02x:%llu", major(st.st_dev), minor(st.st_dev),
             (unsigned long long)st.st_ino);
    rest = buf_view(&text);
    while (rest.len) {
        int64_t pid = holder_in(str_cut(rest, '\n', &rest), buf_view(&file));

        if (pid > 0)
            return pid;
    }
    return 0;
}

static int fail_locked(int fd, const char *path, struct err *e)
{
    int64_t pid = holder(fd);

    if (pid > 0)
        return err_set(e, ERR_CONFLICT,
                       "%s: another sandbox uses the data file (process %lld): stop it, or take "
                       "another file",
                       path, (long long)pid);
    return err_set(e, ERR_CONFLICT,
                   "%s: another sandbox uses the data file: stop it, or take another file", path);
}

int sb_disk_lock(const char *path, struct err *e)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

    if (fd < 0)
        return err_errno(e, errno, "%s: cannot open the data file", path);
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (errno == EWOULDBLOCK)
        fail_locked(fd, path, e);
    else
        err_errno(e, errno, "%s: cannot lock the data file", path);
    file_close(fd);
    return -1;
}
