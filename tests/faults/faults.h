/* The parts of this program. Each prints its table or figures on stdout and what went wrong on
 * stderr, and counts. */
#pragma once
#include <stdatomic.h>
#include <stddef.h>

struct faults_score {
    _Atomic int passed, failed;
};

struct faults_options {
    const char *program; /* grapnel */
    const char *dir;     /* an empty folder */
    const char *preload; /* the library that makes calls fail, or NULL */
    const char *only;    /* part of a case's name, or NULL */
    int workers;
    int each; /* 3: only each third case, for slow builds */
};

/* Every fault at every point where it exists: survived, nothing lost (reliability 4 C). */
void faults_cells(const struct faults_options *o, struct faults_score *score);
/* kill -9 before and after each request of an apply; the next one ends the same (4 E). */
void faults_kills(const struct faults_options *o, struct faults_score *score);
/* SIGINT and SIGTERM, once and twice, in the middle of an apply (khook spec 9.5). */
void faults_signals(const struct faults_options *o, struct faults_score *score);
/* The server's certificate becomes another one in the middle of an apply. */
void faults_certificates(const struct faults_options *o, struct faults_score *score);

/* kill -9 before and after each request of install, upgrade and rollback of a chart; the next
 * command goes on (helm spec 9.3). */
void faults_releases(const struct faults_options *o, struct faults_score *score);

/* Each fallible call of a command fails once (4 D). */
void faults_torture(const struct faults_options *o, struct faults_score *score);

/* The sandbox's data file after a power cut, damaged by hand, and after kill -9. */
void faults_images(const struct faults_options *o, struct faults_score *score);

/* Calls fn(ctx, i) for 0 <= i < count on some threads. */
typedef void faults_fn(void *ctx, size_t i);
void faults_each(int workers, size_t count, faults_fn *fn, void *ctx);
