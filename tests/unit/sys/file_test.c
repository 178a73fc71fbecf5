#include "sys/file_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/test.h"

/* A path in the test's folder; good for one statement. */
static const char *in_tmp(const char *name)
{
    static char path[4][256];
    static int next;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof(path[next]), "%s/%s", test_tmp(), name);
    return path[next];
}

static void put(const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_replace(in_tmp(name), str_of(text), NULL, &e), 0, name);
    CHECK_OK(&e);
}

static unsigned mode_of(const char *name)
{
    struct stat st = {0};

    CHECK_INT(stat(in_tmp(name), &st), 0, name);
    return st.st_mode & 07777;
}

TEST(file_read_keeps_its_limit_and_refuses_folders)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};

    put("f", "12345");
    CHECK_INT(file_read(in_tmp("f"), 5, &out, &e), 0, "limit met");
    CHECK_STR(buf_view(&out), STR("12345"), "text");
    CHECK_INT(file_read(in_tmp("f"), 4, &out, &e), -1, "limit exceeded");
    CHECK_INT(e.kind, ERR_LIMIT, "kind");
    CHECK(str_ends(str_of(err_text(&e)), STR("/f is larger than 4 bytes")));
    CHECK_STR(buf_view(&out), STR("12345"), "as before");
    CHECK_INT(file_read(test_tmp(), 100, &out, &e), -1, "a folder");
    CHECK(str_contains(str_of(err_text(&e)), STR("is a directory")));
    CHECK_INT(file_read(in_tmp("none"), 100, &out, &e), -1, "nothing");
    CHECK_INT(e.kind, ERR_NOT_FOUND, "kind");
    CHECK_INT(e.code, ENOENT, "code");
    CHECK_INT(file_read("/dev/zero", 1 << 20, &out, &e), -1, "endless");
    CHECK_STR(str_of(err_text(&e)), STR("/dev/zero is larger than 1 MiB"), "endless");
}

TEST(file_read_reads_pipes)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};
    int fds[2];

    CHECK_INT(pipe(fds), 0, "pipe");
    CHECK_INT(file_write_fd(fds[1], "pipe", STR("through"), &e), 0, "write");
    close(fds[1]);
    CHECK_INT(file_read_fd(fds[0], "pipe", 100, &out, &e), 0, "read");
    CHECK_STR(buf_view(&out), STR("through"), "text");
    close(fds[0]);
}

TEST(file_read_into_reads_what_there_is_though_it_was_longer_or_shorter_before)
{
    static const struct {
        long size; /* that the file was said to have */
        size_t limit;
        const char *want; /* NULL: refused */
    } rows[] = {{5, 5, "12345"}, {5, 100, "12345"}, {3, 5, "12345"}, {3, 4, NULL},    {3, 3, NULL},
                {4, 4, NULL},    {9, 9, "12345"},   {0, 9, "12345"}, {9, 5, "12345"}, {0, 4, NULL}};

    put("f", "12345");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(arena_done) struct arena arena = {0};
        AUTO(file_close) int fd = open(in_tmp("f"), O_RDONLY | O_CLOEXEC);
        struct stat st = {0};
        str text = STR_NONE;
        int rc;

        CHECK_INT(fstat(fd, &st), 0, "look");
        st.st_size = rows[i].size;
        rc = file_read_into(fd, &st, "f", rows[i].limit, &arena, &text, &e);
        CHECK_INT(rc, rows[i].want ? 0 : -1, "read");
        if (rc == 0)
            CHECK_STR(text, str_of(rows[i].want), "text");
        else
            CHECK_INT(e.kind, ERR_LIMIT, "kind");
    }
}

TEST(file_replace_keeps_modes_and_leaves_no_traces)
{
    static const struct file_replace state = {.is_synced = true, .mode = 0600};
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_replace(in_tmp("s"), STR("one"), &state, &e), 0, "new");
    CHECK_INT(mode_of("s"), 0600, "mode of a new file");
    CHECK_INT(chmod(in_tmp("s"), 0640), 0, "chmod");
    CHECK_INT(symlink("s", in_tmp("link")), 0, "symlink");
    CHECK_INT(file_replace(in_tmp("link"), STR("two"), &state, &e), 0, "again");
    CHECK_INT(mode_of("s"), 0640, "mode kept");
    CHECK_INT(file_read(in_tmp("s"), 10, &out, &e), 0, "read");
    CHECK_STR(buf_view(&out), STR("two"), "the link's target");
    CHECK_INT(file_replace(test_tmp(), STR("x"), NULL, &e), -1, "a folder");
    CHECK_INT(file_replace(in_tmp("none/x"), STR("x"), NULL, &e), -1, "no folder");
    CHECK_INT(file_replace("/dev/null", STR("x"), NULL, &e), 0, "a device is written to");
    CHECK_INT(unlink(in_tmp("s")) | unlink(in_tmp("link")) | rmdir(test_tmp()), 0, "nothing left");
    CHECK_INT(mkdir(test_tmp(), 0700), 0, "mkdir");
}

TEST(file_replace_leaves_the_old_content_when_the_disk_is_full)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_replace("/dev/full", STR("x"), NULL, &e), -1, "full");
    CHECK_INT(e.code, ENOSPC, "code");
    CHECK_STR(str_of(err_text(&e)), STR("write /dev/full: No space left on device"), "text");
}

TEST(file_open_beneath_never_leaves_the_root)
{
    static const struct {
        const char *path;
        int error; /* 0: opens */
    } rows[] = {{"a/f", 0},
                {"./a//f", 0},
                {"a/../a/f", 0},
                {"in", 0},
                {"a", 0},
                {"a/up", 0},
                {".", 0},
                {"a/", 0},
                {"a/deep/../f", 0},
                {"../out", EXDEV},
                {"a/../../out", EXDEV},
                {"/etc/passwd", EXDEV},
                {"abs", EXDEV},
                {"escape", EXDEV},
                {"loop", ELOOP},
                {"none", ENOENT},
                {"a/f/x", ENOTDIR},
                {"dangling", ENOENT}};
    AUTO(err_done) struct err e = {0};
    AUTO(file_close) int root = -1;

    CHECK_INT(file_mkdirs(in_tmp("root/a/deep"), 0755, &e), 0, "mkdirs");
    put("out", "outside");
    put("root/a/f", "inside");
    CHECK_INT(symlink("a/f", in_tmp("root/in")) | symlink("../a/f", in_tmp("root/a/up")) |
                  symlink("/etc/passwd", in_tmp("root/abs")) |
                  symlink("../out", in_tmp("root/escape")) | symlink("loop", in_tmp("root/loop")) |
                  symlink("gone", in_tmp("root/dangling")),
              0, "links");
    root = file_open_dir(in_tmp("root"), &e);
    CHECK_OK(&e);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int fd = file_open_beneath(root, rows[i].path, O_RDONLY, &e);
        int by_steps = file_open_by_steps(root, rows[i].path, O_RDONLY);

        CHECK_INT(by_steps < 0 ? errno : 0, rows[i].error, rows[i].path);
        CHECK_INT(fd >= 0, rows[i].error == 0, rows[i].path);
        CHECK_INT(e.kind == ERR_DENIED, rows[i].error == EXDEV, rows[i].path);
        file_close(fd);
        file_close(by_steps);
        err_done(&e);
    }
}

static int note(void *ctx, const struct file_entry *entry, struct err *e)
{
    buf_addf(ctx, "%s:%d ", entry->path, (int)entry->type);
    if (strcmp(entry->name, "stop") == 0)
        return err_set(e, ERR_INVALID, "stopped");
    return strcmp(entry->name, "skip") == 0 ? FILE_SKIP : FILE_ON;
}

TEST(file_walk_goes_in_byte_order_and_does_not_follow_links)
{
    AUTO(buf_done) struct buf seen = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_mkdirs(in_tmp("w/b/skip/x"), 0755, &e), 0, "mkdirs");
    put("w/b-c", "");
    put("w/b/\xc3\xa9", "");
    put("w/B", "");
    put("w/b/z", "");
    CHECK_INT(symlink("b", in_tmp("w/l")), 0, "link");
    CHECK_INT(file_walk(in_tmp("w"), note, &seen, &e), 0, "walk");
    CHECK_STR(buf_view(&seen), STR("B:0 b:1 b/skip:1 b/z:0 b/\xc3\xa9:0 b-c:0 l:2 "), "order");
    put("w/a-stop", "");
    CHECK_INT(rename(in_tmp("w/a-stop"), in_tmp("w/stop")), 0, "rename");
    CHECK_INT(file_walk(in_tmp("w"), note, &seen, &e), -1, "stopped");
    CHECK_STR(str_of(err_text(&e)), STR("stopped"), "error");
}

TEST(file_remove_tree_removes_links_not_their_targets)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_mkdirs(in_tmp("t/a/b"), 0755, &e), 0, "mkdirs");
    CHECK_INT(file_mkdirs(in_tmp("kept"), 0755, &e), 0, "mkdirs");
    put("kept/f", "");
    put("t/a/g", "");
    CHECK_INT(symlink("../../kept", in_tmp("t/a/l")), 0, "link");
    CHECK_INT(file_remove_tree(in_tmp("t"), &e), 0, "remove");
    CHECK_INT(file_remove_tree(in_tmp("t"), &e), 0, "nothing there");
    CHECK(!file_exists(in_tmp("t")) && file_exists(in_tmp("kept/f")));
    CHECK_INT(file_remove_tree(in_tmp("kept/f"), &e), 0, "a file");
    CHECK(file_is_dir(in_tmp("kept")) && !file_exists(in_tmp("kept/f")));
}

TEST(file_mkdirs_says_why_a_folder_above_could_not_be_made)
{
    AUTO(err_done) struct err e = {0};
    uid_t me = geteuid();

    CHECK_INT(file_mkdirs(in_tmp("closed"), 0555, &e), 0, err_text(&e));
    CHECK_INT(chmod(test_tmp(), 0755), 0, "others may look");
    CHECK_INT(me == 0 ? seteuid(65534) : 0, 0, "nobody");
    CHECK_INT(file_mkdirs(in_tmp("closed/a/b"), 0755, &e), -1, "closed/a/b");
    CHECK_INT(me == 0 ? seteuid(0) : 0, 0, "root again");
    CHECK(str_ends(str_of(err_text(&e)), STR("/closed/a: Permission denied")));
}

TEST(file_mkdirs_says_what_is_in_the_way)
{
    AUTO(err_done) struct err e = {0};

    put("f", "");
    CHECK_INT(file_mkdirs(in_tmp("f/x"), 0755, &e), -1, "a file in the way");
    CHECK_INT(e.code, ENOTDIR, "code");
    CHECK_INT(file_mkdirs(in_tmp("d/e/"), 0755, &e), 0, "a slash at the end");
}
