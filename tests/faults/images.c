/* Power cuts: what a disk may hold of a data file when the power goes, each opened by a fresh
 * sandbox (reliability 4 E). SQLite's log is not synced at each commit, so that the last changes
 * may be lost, as sectors that never arrived or arrived in part; what is left must be a state that
 * once was. And kill -9, after which all that was answered must be there. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "faults/child.h"
#include "faults/faults.h"
#include "http/client.h"
#include "sandbox/sandbox.h"
#include "sys/cancel.h"
#include "sys/file.h"
#include "sys/thread.h"

enum {
    OBJECTS = 12,
    STEPS = 24,
    TORN = 6, /* images of each step with sectors that did not arrive */
    SECTOR = 512,
    MAX_FILE = 64 << 20,
    LARGE = 150000, /* bytes of an object: the log moves at each 4 MB */
    KILLS = 6,
    KILL_MS = 60,
};

/* The files as they lie on the disk. */
struct image {
    struct buf main, log;
};

static void image_done(struct image *im)
{
    buf_done(&im->main);
    buf_done(&im->log);
}
AUTO_VALUE(struct image, image_done)

struct images {
    const struct faults_options *o;
    struct faults_score *score;
    char *file, *copy;    /* of the sandbox that writes; of the ones that read */
    VEC(uint64_t) states; /* after each change; the first is the empty store */
    uint64_t dice;
    int turns, runs, survived;
};

/* ---- states */

static void hash_object(void *ctx, str json)
{
    uint64_t *h = ctx;

    for (size_t i = 0; i < json.len; i++)
        *h = (*h ^ (unsigned char)json.p[i]) * 1099511628211u;
}

static uint64_t state_of(struct sandbox *sb)
{
    uint64_t h = 14695981039346656037u;

    sandbox_each(sb, hash_object, &h);
    return h;
}

static struct sandbox *start(const char *file, struct err *e)
{
    struct sandbox_options o = {.is_plain = true, .is_bare = true, .threads = 1, .data_file = file};

    return sandbox_start(&o, e);
}

static int put(struct sandbox *sb, const char *name, int size, int number, struct err *e)
{
    AUTO(buf_done) struct buf json = {0};

    buf_addf(&json,
             "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"},"
             "\"data\":{\"number\":\"%d\",\"fill\":\"",
             name, number);
    for (int i = 0; i < size; i++)
        buf_add_char(&json, (char)('a' + (i + number) % 26));
    buf_add_cstr(&json, "\"}}");
    return sandbox_put(sb, buf_view(&json), e);
}

/* The next change: an object that is written, or each fifth time removed. */
static int change(struct images *t, struct sandbox *sb, int size, struct err *e)
{
    int number = (int)t->states.len;
    char name[32];
    int rc;

    snprintf(name, sizeof(name), "o-%d", number * 7 % OBJECTS);
    rc = number % 5
             ? put(sb, name, size * (number % 3), number, e)
             : sandbox_remove(sb, STR("v1"), STR("ConfigMap"), STR("default"), str_of(name), e);
    if (rc < 0 && e->kind == ERR_NOT_FOUND) {
        err_done(e);
        rc = put(sb, name, size, number, e);
    }
    vec_push(&t->states, state_of(sb));
    return rc;
}

/* ---- images */

static int read_part(const char *file, const char *end, struct buf *out, struct err *e)
{
    AUTO(mem_free_str) char *path = str_printf("%s%s", file, end);

    buf_clear(out);
    return file_exists(path) ? file_read(path, MAX_FILE, out, e) : 0;
}

static int take_image(const struct images *t, struct image *im, struct err *e)
{
    return read_part(t->file, "", &im->main, e) < 0 ? -1 : read_part(t->file, "-wal", &im->log, e);
}

static int write_part(const char *file, const char *end, str bytes, struct err *e)
{
    AUTO(mem_free_str) char *path = str_printf("%s%s", file, end);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), rc;

    if (fd < 0)
        return err_set(e, ERR_IO, "%s cannot be written", path);
    rc = file_write_fd(fd, path, bytes, e);
    file_close(fd);
    return rc;
}

/* The state that a fresh sandbox finds; -1: it does not start, or takes no more writes. */
static int open_image(const struct images *t, str main, str log, uint64_t *ret, struct err *e)
{
    AUTO(sandbox_stop) struct sandbox *sb = NULL;
    AUTO(mem_free_str) char *index = str_printf("%s-shm", t->copy);

    unlink(index);
    if (write_part(t->copy, "", main, e) < 0 || write_part(t->copy, "-wal", log, e) < 0)
        return -1;
    sb = start(t->copy, e);
    if (!sb)
        return -1;
    *ret = state_of(sb);
    return put(sb, "afterwards", 1, 0, e);
}

/* At least the change `least` must have survived. */
static void check(struct images *t, const char *what, str main, str log, size_t least)
{
    AUTO(err_done) struct err e = {0};
    uint64_t state = 0;
    size_t at = t->states.len;

    if (t->turns++ % MAX(t->o->each, 1) != 0)
        return;
    t->runs++;
    if (open_image(t, main, log, &state, &e) < 0) {
        fprintf(stderr, "images: %s after change %zu: %s\n", what, t->states.len - 1, err_text(&e));
        return;
    }
    while (at > 0 && t->states.v[at - 1] != state)
        at--;
    if (at > least)
        t->survived++;
    else
        fprintf(stderr, "images: %s after change %zu: %s\n", what, t->states.len - 1,
                at ? "more is lost than was not synced" : "a state that never was");
}

/* ---- a log that grows */

static size_t roll(struct images *t, size_t limit)
{
    t->dice = t->dice * 6364136223846793005u + 1442695040888963407u; /* the same each time */
    return (size_t)(t->dice >> 33) % limit;
}

/* Some sectors never arrived: of what was added last, or of all. */
static void check_torn(struct images *t, const struct image *im, size_t old_len)
{
    AUTO(buf_done) struct buf log = {0};

    for (int i = 0; i < TORN; i++) {
        size_t first = i % 2 ? old_len / SECTOR : 0, count = im->log.len / SECTOR - first;

        if (count == 0)
            continue;
        buf_clear(&log);
        buf_add_str(&log, buf_view(&im->log));
        for (size_t k = roll(t, 3) + 1; k-- > 0;)
            memset(log.p + (first + roll(t, count)) * SECTOR, (int)roll(t, 2) * 0xa5, SECTOR);
        check(t, "a log with lost sectors", buf_view(&im->main), buf_view(&log), 0);
    }
}

/* Each commit: the log as it is (a killed process), and cut off at each sector that it added. */
static int check_growth(struct images *t, struct sandbox *sb, struct err *e)
{
    size_t old_len = 0;

    for (int i = 0; i < STEPS; i++) {
        AUTO(image_done) struct image im = {0};

        if (change(t, sb, 300, e) < 0 || take_image(t, &im, e) < 0)
            return -1;
        check(t, "a killed process", buf_view(&im.main), buf_view(&im.log), t->states.len - 1);
        for (size_t end = old_len; end < im.log.len; end += SECTOR)
            check(t, "a log that was cut off", buf_view(&im.main),
                  str_sub(buf_view(&im.log), 0, end), i > 0 ? t->states.len - 2 : 0);
        check_torn(t, &im, old_len);
        old_len = im.log.len;
    }
    return 0;
}

/* ---- the log moves to the main file */

/* Sectors of both, as they arrive when nothing orders them. */
static void mix(struct images *t, str before, str after, struct buf *out)
{
    buf_clear(out);
    buf_add_str(out, after.len > before.len ? after : before);
    for (size_t at = 0; at < out->len; at += SECTOR) {
        str from = roll(t, 2) ? before : after;

        if (at < from.len)
            memcpy(out->p + at, from.p + at, MIN((size_t)SECTOR, from.len - at));
    }
}

static bool begins_anew(const struct image *before, const struct image *after)
{
    return before->log.len >= 32 && after->log.len >= 32 &&
           memcmp(before->log.p, after->log.p, 32) != 0;
}

static void check_mixed(struct images *t, const struct image *before, const struct image *after)
{
    AUTO(buf_done) struct buf mixed = {0};
    size_t now = t->states.len - 1;

    for (int i = 0; i < TORN * 4; i++) {
        if (!str_eq(buf_view(&before->main), buf_view(&after->main))) {
            mix(t, buf_view(&before->main), buf_view(&after->main), &mixed);
            check(t, "a main file that was being written", buf_view(&mixed), buf_view(&after->log),
                  now);
        }
        if (begins_anew(before, after)) {
            mix(t, buf_view(&before->log), buf_view(&after->log), &mixed);
            check(t, "a log that begins anew", buf_view(&after->main), buf_view(&mixed), now - 1);
        }
    }
}

/* Large changes, until the log has begun anew twice. */
static int check_checkpoints(struct images *t, struct sandbox *sb, struct err *e)
{
    AUTO(image_done) struct image before = {0};
    int times = 0;

    for (int i = 0; i < 200 && times < 2; i++) {
        AUTO(image_done) struct image after = {0};

        if (change(t, sb, LARGE, e) < 0 || take_image(t, &after, e) < 0)
            return -1;
        times += begins_anew(&before, &after);
        check_mixed(t, &before, &after);
        image_done(&before);
        before = after;
        after = (struct image){0};
    }
    return times == 2 ? 0 : err_set(e, ERR_IO, "the log never began anew");
}

/* The end of a sandbox moves all that is left. */
static int check_end(struct images *t, struct sandbox *sb, struct err *e)
{
    AUTO(image_done) struct image before = {0}, after = {0};
    int rc = take_image(t, &before, e);

    sandbox_stop(sb);
    if (rc < 0 || take_image(t, &after, e) < 0)
        return -1;
    buf_clear(&after.log);
    buf_add_str(&after.log, buf_view(&before.log));
    check_mixed(t, &before, &after);
    check(t, "the end", buf_view(&after.main), STR_NONE, t->states.len - 1);
    return 0;
}

/* ---- a file that was damaged */

/* What is not noticed may be anything; what is noticed is told. */
static int check_damage(struct images *t, struct err *e)
{
    AUTO(image_done) struct image im = {0};

    if (take_image(t, &im, e) < 0)
        return -1;
    for (size_t at = 0; at + SECTOR <= im.main.len; at += SECTOR) {
        AUTO(buf_done) struct buf main = {0};
        AUTO(err_done) struct err told = {0};
        uint64_t state;

        if (t->turns++ % MAX(t->o->each, 1) != 0)
            continue;
        buf_add_str(&main, buf_view(&im.main));
        for (size_t i = 0; i < SECTOR; i++)
            main.p[at + i] = (char)roll(t, 256);
        t->runs++;
        if (open_image(t, buf_view(&main), STR_NONE, &state, &told) == 0 ||
            strstr(err_text(&told), "data file"))
            t->survived++;
        else
            fprintf(stderr, "images: damage at %zu is told as: %s\n", at, err_text(&told));
    }
    return 0;
}

/* ---- kill -9 */

struct killer {
    pid_t pid;
    int64_t after_ms;
};

static void kill_later(void *ctx)
{
    struct killer *k = ctx;
    AUTO(err_done) struct err never = {0};

    cancel_sleep(NULL, k->after_ms, &never);
    kill(k->pid, SIGKILL);
}

/* Waits for the kubeconfig and takes the server's address from it. */
static int read_address(const char *config, struct buf *url, struct err *e)
{
    static const char key[] = "server: ";
    clock_ms end = clock_after(20000);
    AUTO(buf_done) struct buf text = {0};
    const char *at;

    while (!file_exists(config) && clock_now() < end)
        if (cancel_sleep(NULL, 2, e) < 0)
            return -1;
    if (file_read(config, MAX_FILE, &text, e) < 0)
        return -1;
    at = strstr(buf_cstr(&text), key);
    if (!at)
        return err_set(e, ERR_IO, "%s names no server", config);
    buf_add(url, at + strlen(key), strcspn(at + strlen(key), "\n"));
    buf_add_cstr(url, "/api/v1/namespaces/default/configmaps");
    return 0;
}

/* How many objects were answered as made before the server was gone. */
static int make_objects(str url, struct err *e)
{
    struct http_client_options options = {0};
    AUTO(http_client_free) struct http_client *client = http_client_new(&options, e);
    struct http_header type = {STR("Content-Type"), STR("application/json")};
    int made = 0;

    for (; client; made++) {
        AUTO(http_response_done) struct http_response r = {0};
        AUTO(err_done) struct err cut = {0};
        AUTO(buf_done) struct buf body = {0};
        struct http_request req = {
            .method = "POST", .url = url, .headers = &type, .header_count = 1};

        buf_addf(&body, "{\"metadata\":{\"name\":\"c-%d\"}}", made);
        req.body = buf_view(&body);
        if (http_call(client, &req, NULL, &r, &cut) < 0 || r.status != 201)
            return made;
    }
    return -1;
}

static bool has_made(struct sandbox *sb, int number)
{
    AUTO(err_done) struct err none = {0};
    AUTO(buf_done) struct buf name = {0}, got = {0};

    buf_addf(&name, "c-%d", number);
    return sandbox_get(sb, STR("v1"), STR("ConfigMap"), STR("default"), buf_view(&name), &got,
                       &none) == 0;
}

/* All that was answered is there, and at most the one that was under way. */
static int check_made(struct images *t, int made, struct err *e)
{
    AUTO(sandbox_stop) struct sandbox *sb = start(t->file, e);
    int missing = 0;

    if (!sb)
        return -1;
    for (int i = 0; i < made; i++)
        missing += !has_made(sb, i);
    t->runs++;
    t->survived += missing == 0 && !has_made(sb, made + 1);
    if (missing)
        fprintf(stderr, "images: of %d answered writes %d are gone after kill -9\n", made, missing);
    return 0;
}

static int check_kill(struct images *t, int64_t after_ms, struct err *e)
{
    AUTO(mem_free_str) char *config = str_printf("%s/images.kubeconfig", t->o->dir);
    const char *argv[] = {t->o->program, "sandbox",      "--insecure", "--data",
                          t->file,       "--kubeconfig", config,       NULL};
    AUTO(child_done) struct child child = {0};
    AUTO(buf_done) struct buf url = {0};
    struct killer killer = {.after_ms = after_ms};
    struct thread *thread;
    int made;

    if (child_start_words(argv, t->o->dir, &child, e) < 0 || read_address(config, &url, e) < 0)
        return -1;
    killer.pid = child.pid;
    thread = thread_start("killer", kill_later, &killer, e);
    if (!thread)
        return -1;
    made = make_objects(buf_view(&url), e);
    thread_join(thread);
    if (made < 0 || !child_wait(&child, 20000))
        return err_wrap(e, "the sandbox that is killed");
    unlink(config);
    return check_made(t, made, e);
}

/* ---- all */

static void new_file(struct images *t, const char *name)
{
    mem_free(t->file);
    t->file = str_printf("%s/%s.db", t->o->dir, name);
    t->states.len = 0;
}

static int check_images(struct images *t, struct err *e)
{
    struct sandbox *sb;
    int rc;

    new_file(t, "images");
    sb = start(t->file, e);
    if (!sb)
        return -1;
    vec_push(&t->states, state_of(sb));
    rc = check_growth(t, sb, e) < 0 ? -1 : check_checkpoints(t, sb, e);
    return check_end(t, sb, e) < 0 ? -1 : rc;
}

static int check_small_images(struct images *t, struct err *e)
{
    struct sandbox *sb;
    int rc = 0;

    new_file(t, "damaged");
    sb = start(t->file, e);
    for (int i = 0; sb && i < OBJECTS * 2 && rc == 0; i++)
        rc = change(t, sb, 600, e);
    if (!sb || rc < 0 || check_end(t, sb, e) < 0)
        return -1;
    return check_damage(t, e);
}

static int check_kills(struct images *t, struct err *e)
{
    for (int i = 1; i <= KILLS; i++) {
        AUTO(mem_free_str) char *name = str_printf("killed-%d", i);

        new_file(t, name);
        if (check_kill(t, (int64_t)i * KILL_MS, e) < 0)
            return -1;
    }
    return 0;
}

static void run(struct images *t, const char *what, int (*part)(struct images *t, struct err *e))
{
    AUTO(err_done) struct err e = {0};

    t->runs = t->survived = 0;
    if (t->o->only && !strstr(what, t->o->only))
        return;
    if (part(t, &e) < 0) {
        fprintf(stderr, "images: %s: %s\n", what, err_text(&e));
        t->runs++;
    }
    printf("faults/images, %s: %d of %d survived\n", what, t->survived, t->runs);
    t->score->passed += t->survived;
    t->score->failed += t->runs - t->survived;
}

void faults_images(const struct faults_options *o, struct faults_score *score)
{
    struct images t = {.o = o, .score = score, .copy = str_printf("%s/image.db", o->dir)};

    run(&t, "power cuts", check_images);
    run(&t, "damaged files", check_small_images);
    run(&t, "killed servers", check_kills);
    vec_done(&t.states);
    mem_free(t.file);
    mem_free(t.copy);
}
