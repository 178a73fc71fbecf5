/* `build --watch` (P11): from the close of a saved file to the last byte of the new output, which
 * is compared with that of a fresh build. watch_bench PROGRAM FOLDER FILE [NAME]: FILE has a line
 * with "replicas: ", which is changed back and forth. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/pair.h"
#include "sys/file.h"

enum { ROUNDS = 60, WARM_UP = 4, MOST_MS = 10, PAUSE_US = 20000, MOST_BYTES = 64 << 20 };

extern char **environ;

struct bench {
    char *program, *folder, *file;
    struct buf texts[2], outputs[2]; /* the file as it was and changed; what is built then */
    struct buf got;
    pid_t watcher;
    int from;
};

static int start(struct bench *b, bool is_watch, pid_t *ret_pid, int *ret_from)
{
    static char build[] = "build", watch[] = "--watch";
    char *const argv[] = {b->program, build, b->folder, is_watch ? watch : NULL, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2], rc;

    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    rc = posix_spawnp(ret_pid, b->program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *ret_from = ends[0];
    return rc == 0 ? 0 : -1;
}

static int read_all(int from, size_t most, struct buf *out)
{
    buf_clear(out);
    buf_grow(out, most);
    while (out->len < most) {
        ssize_t n = read(from, out->p + out->len, most - out->len);

        if (n <= 0)
            return -1;
        out->len += (size_t)n;
    }
    return 0;
}

static int save(struct bench *b, size_t which, double *ret_closed)
{
    int fd = open(b->file, O_WRONLY | O_TRUNC | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : write(fd, b->texts[which].p, b->texts[which].len);

    *ret_closed = pair_now();
    return fd < 0 || close(fd) < 0 || n != (ssize_t)b->texts[which].len ? -1 : 0;
}

static int build_fresh(struct bench *b, size_t which)
{
    double closed;
    pid_t pid;
    int from, status = 0;

    if (save(b, which, &closed) < 0 || start(b, false, &pid, &from) < 0)
        return -1;
    (void)read_all(from, MOST_BYTES, &b->outputs[which]);
    close(from);
    return waitpid(pid, &status, 0) < 0 || status != 0 ? -1 : 0;
}

/* Seconds from the close to the last byte; less than 0 when the bytes are not those of a build. */
static double round_once(struct bench *b, size_t which)
{
    const struct buf *want = &b->outputs[which];
    double closed, seconds;

    if (save(b, which, &closed) < 0 || read_all(b->from, want->len, &b->got) < 0)
        return -1;
    seconds = pair_now() - closed;
    return str_eq(buf_view(&b->got), buf_view(want)) ? seconds : -1;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int measure(struct bench *b, const char *name, bool *ret_met)
{
    static double seconds[ROUNDS];
    AUTO(buf_done) struct buf row = {0};

    if (start(b, true, &b->watcher, &b->from) < 0 ||
        read_all(b->from, b->outputs[0].len, &b->got) < 0 ||
        !str_eq(buf_view(&b->got), buf_view(&b->outputs[0])))
        return -1;
    /* Before the watch stands nothing is told of a save that changes nothing. */
    usleep(20 * PAUSE_US); // NOLINT: as long as that takes
    for (size_t i = 0; i < WARM_UP + ROUNDS; i++) {
        double one = round_once(b, (i + 1) % 2);

        if (one < 0)
            return -1;
        if (i >= WARM_UP)
            seconds[i - WARM_UP] = one;
        usleep(PAUSE_US); // NOLINT: the pace of somebody who saves
    }
    qsort(seconds, ROUNDS, sizeof(seconds[0]), by_size);
    buf_addf(&row, "%s, one file saved, to the last byte, p50", name);
    *ret_met = pair_value(buf_cstr(&row), seconds[ROUNDS / 2] * 1e3, "ms", MOST_MS);
    row.len -= 2;
    buf_add_cstr(&row, "95");
    (void)pair_value(buf_cstr(&row), seconds[ROUNDS * 95 / 100] * 1e3, "ms", 0);
    return 0;
}

static int prepare(struct bench *b, struct err *e)
{
    static const str mark = STR_INIT("replicas: ");
    str text;
    ssize_t at;

    if (file_read(b->file, MOST_BYTES, &b->texts[0], e) < 0)
        return -1;
    text = buf_view(&b->texts[0]);
    at = str_find(text, mark);
    if (at < 0)
        return err_set(e, ERR_INVALID, "%s: no replicas", b->file);
    buf_add_str(&b->texts[1], str_sub(text, 0, (size_t)at + mark.len));
    buf_add_cstr(&b->texts[1], "9");
    buf_add_str(&b->texts[1], str_from(text, (size_t)at + mark.len));
    if (build_fresh(b, 1) < 0 || build_fresh(b, 0) < 0)
        return err_set(e, ERR_IO, "%s cannot be built", b->folder);
    return 0;
}

int main(int argc, char **argv)
{
    AUTO(err_done) struct err e = {0};
    struct bench b = {.from = -1};
    const char *name = argc > 4 ? argv[4] : "build --watch";
    bool met = false;
    double closed;
    int rc;

    if (argc < 4)
        return 2;
    b.program = argv[1];
    b.folder = argv[2];
    b.file = argv[3];
    rc = prepare(&b, &e);
    if (rc < 0) {
        fprintf(stderr, "watch_bench: %s\n", err_text(&e));
    } else {
        rc = measure(&b, name, &met);
        (void)save(&b, 0, &closed);
    }
    if (b.watcher > 0)
        kill(b.watcher, SIGTERM);
    if (rc < 0)
        printf("bench/%s: UNEQUAL\n", name);
    for (size_t i = 0; i < 2; i++) {
        buf_done(&b.texts[i]);
        buf_done(&b.outputs[i]);
    }
    buf_done(&b.got);
    return rc < 0 ? 2 : !met;
}
