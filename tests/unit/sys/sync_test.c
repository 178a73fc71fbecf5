/* In which order a file that is replaced reaches the disk. The calls of the library under test end
 * here first: a program's own functions come before those of libc. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/test.h"
#include "sys/file.h"

static struct buf calls;
static bool is_noting, fsync_fails;

static void note(const char *word)
{
    if (is_noting)
        buf_addf(&calls, "%s%s", calls.len ? " " : "", word);
}

int fsync(int fd)
{
    struct stat st;

    note(fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? "folder" : st.st_size ? "file" : "nothing");
    if (is_noting && fsync_fails) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    note("rename");
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int replace(const char *path, const char *text, bool is_synced, struct err *e)
{
    struct file_replace how = {.is_synced = is_synced};
    int rc;

    buf_clear(&calls);
    is_noting = true;
    rc = file_replace(path, str_of(text), &how, e);
    is_noting = false;
    return rc;
}

TEST(state_reaches_the_disk_before_it_takes_the_place_of_the_old)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0}, text = {0};

    buf_addf(&path, "%s/state", test_tmp());
    CHECK_INT(replace(buf_cstr(&path), "one", true, &e), 0, "synced");
    CHECK_STR(buf_view(&calls), STR("file rename folder"), "synced");
    CHECK_INT(replace(buf_cstr(&path), "two", false, &e), 0, "plain");
    CHECK_STR(buf_view(&calls), STR("rename"), "plain");
    fsync_fails = true;
    CHECK_INT(replace(buf_cstr(&path), "three", true, &e), -1, "the disk fails");
    fsync_fails = false;
    CHECK_STR(buf_view(&calls), STR("file"), "no rename then");
    err_done(&e);
    CHECK_INT(file_read(buf_cstr(&path), 100, &text, &e), 0, "read");
    CHECK_STR(buf_view(&text), STR("two"), "as before");
    buf_done(&calls);
}
