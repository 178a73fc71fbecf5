/* An input that is a folder of files, and building it, for targets that do so: each file follows a
 * line "=== path". Paths are of letters, digits and "._-", at most three folders deep; what would
 * lead elsewhere is skipped. The folder is made once a process and emptied before each input. */
#pragma once
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "kustomize/build.h"
#include "sys/file.h"

enum { TREE_FILES = 24 };

static char tree_folder[] = "/dev/shm/grapnel-fuzz-XXXXXX";

static void tree_remove(void)
{
    AUTO(err_done) struct err e = {0};

    if (file_remove_tree(tree_folder, &e) < 0)
        _exit(1);
}

/* The folder, empty. */
static const char *tree_open(void)
{
    static bool is_made;
    AUTO(err_done) struct err e = {0};

    if (!is_made) {
        if (!mkdtemp(tree_folder))
            abort();
        atexit(tree_remove);
        is_made = true;
        return tree_folder;
    }
    if (file_remove_tree(tree_folder, &e) < 0 || file_mkdirs(tree_folder, 0700, &e) < 0)
        abort();
    return tree_folder;
}

static bool tree_is_path(str path)
{
    size_t depth = 0;

    if (path.len == 0 || path.len > 60 || str_contains(path, STR("..")))
        return false;
    for (size_t i = 0; i < path.len; i++) {
        char c = path.p[i];
        bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

        depth += c == '/';
        if (!is_word && !strchr("._-/", c))
            return false;
    }
    return depth <= 3 && path.p[0] != '/' && path.p[path.len - 1] != '/';
}

static void tree_add(const char *folder, str path, str text)
{
    AUTO(buf_done) struct buf whole = {0};
    AUTO(err_done) struct err e = {0};
    ssize_t slash;
    int fd;

    if (!tree_is_path(path))
        return;
    buf_addf(&whole, "%s/%.*s", folder, STR_ARG(path));
    slash = str_rfind_char(buf_view(&whole), '/');
    whole.p[slash] = '\0';
    if (file_mkdirs(whole.p, 0700, &e) < 0)
        return;
    whole.p[slash] = '/';
    fd = open(buf_cstr(&whole), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || file_write_fd(fd, path.p, text, &e) < 0)
        err_done(&e); /* a folder of that name: the input said so */
    file_close(fd);
}

/* Writes the files of an input and returns their folder; what stands before the first line of a
 * path goes into the file called first. */
static const char *tree_write(str input, const char *first)
{
    static const str mark = STR_INIT("=== ");
    const char *folder = tree_open();

    for (size_t files = 0; input.len && files < TREE_FILES; files++) {
        str path = str_of(first), next;
        ssize_t end;

        if (str_drop_prefix(&input, mark))
            path = str_cut(input, '\n', &input);
        end = str_find(input, STR("\n=== "));
        next = end < 0 ? STR_NONE : str_from(input, (size_t)end + 1);
        tree_add(folder, path, end < 0 ? input : str_sub(input, 0, (size_t)end + 1));
        input = next;
    }
    return folder;
}

/* 0 with the text appended to out, or -1 when it is refused. */
static int tree_build_once(const char *folder, bool is_fixed, struct buf *out)
{
    const struct kustomize_options options = {
        .is_fixed = is_fixed, .is_offline = true, .jobs = 1, .cache_dir = folder};
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(err_done) struct err e = {0};

    if (kustomize_build_run(folder, &options, &result, &e) == 0 &&
        kustomize_result_print(&result, out, &e) == 0)
        return 0;
    if (!err_text(&e)[0]) /* a refusal says why */
        __builtin_trap();
    buf_clear(out);
    return -1;
}

/* The same, twice: the outcome has to be the same. */
static int tree_build(const char *folder, bool is_fixed, struct buf *out)
{
    AUTO(buf_done) struct buf again = {0};
    int rc = tree_build_once(folder, is_fixed, out);

    if (tree_build_once(folder, is_fixed, &again) != rc || !str_eq(buf_view(out), buf_view(&again)))
        __builtin_trap();
    return rc;
}
