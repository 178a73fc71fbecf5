/* faults [--program GRAPNEL] [--preload LIBRARY] [--workers N] [--only TEXT] [--each N]
 * [cells|kills|signals|certificates|releases|torture|images ...]: what survives when something goes
 * wrong. Ends with `faults: N passed, N failed`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "faults/faults.h"
#include "sys/file.h"
#include "sys/thread.h"

static const struct {
    const char *name;
    void (*run)(const struct faults_options *o, struct faults_score *score);
} parts[] = {
    {"cells", faults_cells},       {"kills", faults_kills},
    {"signals", faults_signals},   {"certificates", faults_certificates},
    {"releases", faults_releases}, {"torture", faults_torture},
    {"images", faults_images},
};

/* ---- many at once */

struct crew {
    faults_fn *fn;
    void *ctx;
    size_t count;
    _Atomic size_t next;
};

static void work(void *ctx)
{
    struct crew *c = ctx;
    size_t i;

    while ((i = c->next++) < c->count)
        c->fn(c->ctx, i);
}

void faults_each(int workers, size_t count, faults_fn *fn, void *ctx)
{
    struct crew c = {.fn = fn, .ctx = ctx, .count = count};
    struct thread *threads[64] = {0};
    AUTO(err_done) struct err ignored = {0};

    for (int i = 0; i + 1 < workers && i < (int)ARRAY_LEN(threads); i++)
        threads[i] = thread_start("worker", work, &c, &ignored); /* fewer only take longer */
    work(&c);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        thread_join(threads[i]);
}

/* ---- the program */

static void drop(void *ctx UNUSED, enum log_level level UNUSED, str line UNUSED) {}

static bool is_wanted(const char *part, char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], part) == 0)
            return true;
    return count == 0;
}

static int read_flags(int argc, char **argv, struct faults_options *o)
{
    int i = 1;

    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--program") == 0)
            o->program = argv[i + 1];
        else if (strcmp(argv[i], "--preload") == 0)
            o->preload = argv[i + 1];
        else if (strcmp(argv[i], "--only") == 0)
            o->only = argv[i + 1];
        else if (strcmp(argv[i], "--each") == 0)
            o->each = (int)strtol(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--workers") == 0)
            o->workers = (int)strtol(argv[i + 1], NULL, 10);
        else
            break;
    }
    return i;
}

int main(int argc, char **argv)
{
    char dir[] = "/tmp/grapnel-faults-XXXXXX";
    struct faults_options o = {.program = "out/grapnel", .workers = 8, .each = 1};
    struct faults_score score = {0};
    int first = read_flags(argc, argv, &o);
    AUTO(err_done) struct err e = {0};

    if (!mkdtemp(dir)) {
        perror(dir);
        return 1;
    }
    o.dir = dir;
    log_set_sink(drop, NULL);
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (is_wanted(parts[i].name, argv + first, argc - first))
            parts[i].run(&o, &score);
    if (file_remove_tree(dir, &e) < 0)
        fprintf(stderr, "%s\n", err_text(&e));
    printf("faults: %d passed, %d failed\n", score.passed, score.failed);
    return score.failed || !score.passed;
}
