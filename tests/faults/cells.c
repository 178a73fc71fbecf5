/* The fault cells: each kind of fault at each point of a request's life, on several kinds of
 * requests. A cell has survived when every one of its runs did. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "faults/faults.h"
#include "faults/workload.h"
#include "sys/thread.h"

enum { TURNS = 8 };

#define PODS "/api/v1/namespaces/shop/pods"
#define CONFIG_MAPS "/api/v1/namespaces/shop/configmaps"

/* Which requests a fault is put on. `skip` passes over the first ones. */
enum target_kind { READ, WRITE, LIST, WATCH };
struct target {
    const char *name, *method, *path;
    int skip, count;
    enum target_kind kind;
    bool is_record; /* of the state record: written again after a conflict */
};

static const struct target requests[] = {
    {"discovery", "GET", "/api", 0, 1, READ, false},
    {"record-read", "GET", WORKLOAD_RECORD_PATH, 0, 3, READ, false},
    {"record-create", "POST", "/api/v1/namespaces/default/secrets", 0, 1, WRITE, true},
    {"record-update", "PUT", WORKLOAD_RECORD_PATH, 3, 1, WRITE, true},
    {"record-end", "PUT", WORKLOAD_RECORD_PATH, 12, 1, WRITE, true},
    {"create", "POST", CONFIG_MAPS, 0, 1, WRITE, false},
    {"apply", "PATCH", CONFIG_MAPS "/a", 0, 1, WRITE, false},
    {"merge", "PATCH", CONFIG_MAPS "/a", 1, 1, WRITE, false},
    {"strategic", "PATCH", "/apis/apps/v1/namespaces/shop/deployments/web", 1, 1, WRITE, false},
    {"job", "POST", "/apis/batch/v1/namespaces/shop/jobs", 0, 1, WRITE, false},
    {"delete", "DELETE", CONFIG_MAPS "/d", 0, 1, WRITE, false},
    {"list", "GET", PODS, 0, 2, LIST, false},
    {"watch", "GET", PODS, 1, 1, WATCH, false},
};
static const struct target connections[] = {
    {"first", "", "", 0, 1, READ, false},
    {"second", "", "", 1, 2, READ, false},
};
static const struct target pages[] = {
    {"bulk", "GET", "/api/v1/namespaces/default/configmaps", 0, 1, LIST, false},
    {"bulk-twice", "GET", "/api/v1/namespaces/default/configmaps", 0, 2, LIST, false},
};
static const struct target events[] = {
    {"pods", "GET", PODS, 0, 1, WATCH, false},
    {"pods-thrice", "GET", PODS, 0, 3, WATCH, false},
    {"deployments", "GET", "/apis/apps/v1/namespaces/shop/deployments", 0, 1, WATCH, false},
};

#define ROW(targets)                  \
    {                                 \
        (targets), ARRAY_LEN(targets) \
    }
static const struct {
    const struct target *v;
    size_t len;
} targets_of[] = {
    [POINT_CONNECT] = ROW(connections), [POINT_REQUEST] = ROW(requests),
    [POINT_HEADER] = ROW(requests),     [POINT_LIST_PAGE] = ROW(pages),
    [POINT_FIRST_EVENT] = ROW(events),  [POINT_MID_EVENT] = ROW(events),
    [POINT_IDLE] = ROW(events),         [POINT_CLOSE] = ROW(requests),
};

static const char *const kind_names[] = {
#define X(name, text) [name] = text,
    SANDBOX_FAULTS(X)
#undef X
};
static const char *const point_names[] = {
#define X(name, text) [name] = text,
    SANDBOX_POINTS(X)
#undef X
};

/* An answer that says no: the run may end with it, but must say so, and the next run mends it.
 * (410 and 409 mean something to lists, watches and the record only.) */
static bool may_end_run(enum sandbox_fault_kind kind, const struct target *t)
{
    if (kind == FAULT_UNAUTHORIZED) /* new credentials are tried once */
        return t->count > 1;
    if (kind == FAULT_GONE)
        return t->kind != LIST && t->kind != WATCH;
    /* patches are tried again */
    return kind == FAULT_CONFLICT && t->kind != WATCH && !t->is_record &&
           strcmp(t->method, "PATCH") != 0;
}

/* How long a fault itself takes. */
static int64_t own_ms(enum sandbox_fault_kind kind, const struct target *t)
{
    enum { LATE = 100, SLOW = 3000, RETRY_AFTER = 1000, BACKOFF = 1000 };

    if (kind == FAULT_SLOW) /* 64 bytes each 5 ms */
        return SLOW;
    if (kind == FAULT_TOO_MANY)
        return (int64_t)RETRY_AFTER * t->count;
    return kind == FAULT_LATE ? (int64_t)LATE * t->count : BACKOFF;
}

/* ---- one run with one fault */

struct variant {
    enum sandbox_fault_kind kind;
    enum sandbox_point point;
    const struct target *target;
};

struct cell {
    _Atomic int survived, ended, failed, unreached;
};

struct cells {
    const struct faults_options *o;
    struct buf want, want_bulk; /* the states without a fault */
    _Atomic int64_t base_ms;    /* how long that took, the longest of all times it was done */
    VEC(struct variant) variants;
    struct cell grid[ARRAY_LEN(kind_names)][ARRAY_LEN(point_names)];
    pthread_mutex_t lock; /* of stderr */
};

static void complain(struct cells *c, const struct variant *v, const char *what, const char *text)
{
    LOCK_SCOPE(&c->lock);
    fprintf(stderr, "%s/%s/%s: %s%s\n", kind_names[v->kind], point_names[v->point], v->target->name,
            what, text);
}

static int arm(struct workload *w, const struct variant *v, struct err *e)
{
    struct sandbox_fault fault = {.kind = v->kind,
                                  .point = v->point,
                                  .method = str_of(v->target->method),
                                  .path = str_of(v->target->path),
                                  .skip = v->target->skip,
                                  .count = v->target->count};

    return sandbox_fault_add(w->sb, &fault, e);
}

static bool tells_reason(const struct err *e)
{
    return strstr(err_text(e), "told to fail") || strstr(err_text(e), "Unauthorized");
}

/* SLOW_ONCE: a busy machine is slow now and then, a recovery that is too slow is so each time,
 * however long a run without a fault takes at that time. */
enum verdict { SURVIVED, ENDED, FAILED, UNREACHED, SLOW_ONCE };

static enum verdict judge(struct cells *c, struct workload *w, const struct variant *v, int rc,
                          int64_t took_ms, const struct err *e)
{
    AUTO(buf_done) struct buf difference = {0};
    const struct buf *want = w->options.has_bulk ? &c->want_bulk : &c->want;
    enum verdict verdict = SURVIVED;

    if (sandbox_fault_hits(w->sb) == 0)
        return UNREACHED;
    sandbox_fault_clear(w->sb);
    if (rc < 0) {
        AUTO(err_done) struct err again = {0};

        if (!may_end_run(v->kind, v->target) || !tells_reason(e)) {
            complain(c, v, "the run failed: ", err_text(e));
            return FAILED;
        }
        if (workload_apply(w, &again) < 0) {
            complain(c, v, "the next run failed: ", err_text(&again));
            return FAILED;
        }
        verdict = ENDED;
    } else if (took_ms > c->base_ms * 3 + 2000 + own_ms(v->kind, v->target)) {
        return SLOW_ONCE;
    }
    /* Refused by an answer that lied, the step has failed and runs again (khook spec 7.5). */
    if (w->jobs_created != 1 + (verdict == ENDED && v->point != POINT_REQUEST &&
                                strcmp(v->target->name, "job") == 0)) {
        complain(c, v, "the job ", w->jobs_created ? "ran twice" : "did not run");
        return FAILED;
    }
    if (!workload_settles(w, buf_view(want), &difference)) {
        complain(c, v, "the cluster is not as without the fault:\n", buf_cstr(&difference));
        return FAILED;
    }
    return verdict;
}

static enum verdict run_once(struct cells *c, const char *dir, const struct variant *v)
{
    struct workload_options options = {.has_bulk = v->point == POINT_LIST_PAGE};
    AUTO(err_done) struct err e = {0};
    AUTO(workload_stop) struct workload *w = workload_start(dir, &options, &e);
    clock_ms begin = clock_now();
    int rc;

    if (!w || arm(w, v, &e) < 0) {
        complain(c, v, "", err_text(&e));
        return FAILED;
    }
    rc = workload_apply(w, &e);
    return judge(c, w, v, rc, clock_now() - begin, &e);
}

static void note_base(struct cells *c, int64_t took_ms)
{
    int64_t most = c->base_ms;

    while (took_ms > most && !atomic_compare_exchange_weak(&c->base_ms, &most, took_ms))
        ;
}

/* How long a run without a fault takes now, beside all the others. */
static void measure_base(struct cells *c, const char *dir, const struct variant *v)
{
    struct workload_options options = {.has_bulk = v->point == POINT_LIST_PAGE};
    AUTO(err_done) struct err e = {0};
    AUTO(workload_stop) struct workload *w = workload_start(dir, &options, &e);
    clock_ms begin = clock_now();

    if (w && workload_apply(w, &e) == 0)
        note_base(c, clock_now() - begin);
}

static enum verdict run_variant(struct cells *c, const char *dir, const struct variant *v)
{
    enum verdict verdict = run_once(c, dir, v);

    for (int i = 1; i < TURNS && verdict == SLOW_ONCE; i++) {
        measure_base(c, dir, v);
        verdict = run_once(c, dir, v);
    }
    if (verdict != SLOW_ONCE)
        return verdict;
    complain(c, v, "recovery takes more than two seconds and the back-off", "");
    return FAILED;
}

static void run_one(void *ctx, size_t i)
{
    struct cells *c = ctx;
    const struct variant *v = &c->variants.v[i];
    struct cell *cell = &c->grid[v->kind][v->point];
    AUTO(mem_free_str) char *dir = str_printf("%s/cell-%zu", c->o->dir, i);

    switch (run_variant(c, dir, v)) {
    case SURVIVED:
        cell->survived++;
        break;
    case ENDED:
        cell->ended++;
        break;
    case FAILED:
    case SLOW_ONCE:
        cell->failed++;
        break;
    case UNREACHED:
        cell->unreached++;
        break;
    }
}

/* ---- all */

static bool is_possible(struct workload *w, enum sandbox_fault_kind kind, enum sandbox_point point)
{
    AUTO(err_done) struct err e = {0};
    struct sandbox_fault fault = {.kind = kind, .point = point, .path = STR("/none")};
    bool possible = sandbox_fault_add(w->sb, &fault, &e) == 0;

    sandbox_fault_clear(w->sb);
    return possible;
}

static bool is_named(const struct cells *c, const struct variant *v)
{
    AUTO(mem_free_str)
    char *name =
        str_printf("%s/%s/%s", kind_names[v->kind], point_names[v->point], v->target->name);

    return !c->o->only || strstr(name, c->o->only);
}

static void list_variants(struct cells *c, struct workload *w)
{
    int at = 0;

    for (size_t k = 0; k < ARRAY_LEN(kind_names); k++)
        for (size_t p = 0; p < ARRAY_LEN(point_names); p++) {
            if (!is_possible(w, (enum sandbox_fault_kind)k, (enum sandbox_point)p))
                continue;
            for (size_t t = 0; t < targets_of[p].len; t++) {
                struct variant v = {(enum sandbox_fault_kind)k, (enum sandbox_point)p,
                                    &targets_of[p].v[t]};

                if (is_named(c, &v) && at++ % MAX(c->o->each, 1) == 0)
                    vec_push(&c->variants, v);
            }
        }
}

/* The state that every run must end in. */
static bool run_base(struct cells *c, bool has_bulk, struct buf *state)
{
    struct workload_options options = {.has_bulk = has_bulk};
    AUTO(mem_free_str) char *dir = str_printf("%s/base", c->o->dir);
    AUTO(err_done) struct err e = {0};
    AUTO(workload_stop) struct workload *w = workload_start(dir, &options, &e);
    clock_ms begin = clock_now();

    if (!w || workload_apply(w, &e) < 0) {
        fprintf(stderr, "without a fault: %s\n", err_text(&e));
        return false;
    }
    note_base(c, clock_now() - begin);
    workload_rest(w, state);
    if (!has_bulk)
        list_variants(c, w);
    return true;
}

/* A cell that none of its cases reached shows that the cases are wrong; of a part some may. */
static void print_cell(const struct cell *cell, bool is_part, struct faults_score *score)
{
    int runs = cell->survived + cell->ended;

    if (cell->failed || (!runs && cell->unreached && !is_part)) {
        score->failed++;
        printf(" %12s", cell->failed ? "FAILED" : "not reached");
    } else if (runs) {
        score->passed++;
        if (cell->ended)
            printf(" %8d +%2d", cell->survived, cell->ended);
        else
            printf(" %12d", cell->survived);
    } else {
        printf(" %12s", "-");
    }
}

static void print_grid(struct cells *c, struct faults_score *score)
{
    int before = score->passed, before_failed = score->failed;

    printf("%-13s", "fault");
    for (size_t p = 0; p < ARRAY_LEN(point_names); p++)
        printf(" %12s", point_names[p]);
    putchar('\n');
    for (size_t k = 0; k < ARRAY_LEN(kind_names); k++) {
        printf("%-13s", kind_names[k]);
        for (size_t p = 0; p < ARRAY_LEN(point_names); p++)
            print_cell(&c->grid[k][p], c->o->each > 1 || c->o->only, score);
        putchar('\n');
    }
    printf("fault cells: %d of %d survived, %zu runs (+N: ended with a message, mended by the next "
           "run)\n",
           score->passed - before, score->passed - before + score->failed - before_failed,
           c->variants.len);
}

void faults_cells(const struct faults_options *o, struct faults_score *score)
{
    struct cells c = {.o = o, .lock = PTHREAD_MUTEX_INITIALIZER};

    if (run_base(&c, false, &c.want) && run_base(&c, true, &c.want_bulk)) {
        faults_each(o->workers, c.variants.len, run_one, &c);
        print_grid(&c, score);
    } else {
        score->failed++;
    }
    vec_done(&c.variants);
    buf_done(&c.want);
    buf_done(&c.want_bulk);
}
