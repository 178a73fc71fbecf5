/* Kill points: the process dies before or after the n-th request of its run, for every n. */
#include <stdio.h>

#include "base/mem.h"
#include "faults/faults.h"
#include "faults/killer.h"
#include "sys/thread.h"

/* When the process is killed: before the request is looked at, when it was carried out and not
 * answered, or after that and a second time in the run that takes it up. */
static const char *const modes[] = {"before", "after", "twice"};
enum { BEFORE, AFTER, TWICE };

struct kills {
    const struct faults_options *o;
    struct buf want;
    int requests; /* of a run that is left alone */
    _Atomic int resumed, failed, missed;
    pthread_mutex_t lock; /* of stderr */
};

/* An apply that dies at request `at`, or comes to its end. The exit status, -1 with e set. */
static int apply(struct kills *c, struct workload *w, struct killer *k, int at, struct err *e)
{
    AUTO(child_done) struct child child = {0};

    killer_arm(k, at);
    return child_start(c->o->program, w, NULL, &child, e) < 0
               ? -1
               : killer_wait(k, &child, "the run", e);
}

enum verdict { RESUMED, FAILED, MISSED };

static enum verdict complain(struct kills *c, const char *name, const char *what, const char *text)
{
    LOCK_SCOPE(&c->lock);
    fprintf(stderr, "kill %s: %s%s\n", name, what, text);
    return FAILED;
}

static enum verdict kill_and_resume(struct kills *c, struct workload *w, struct killer *k, int at,
                                    int mode, const char *name)
{
    AUTO(buf_done) struct buf difference = {0};
    AUTO(err_done) struct err e = {0};
    int rc = apply(c, w, k, at, &e);

    if (rc == 0)
        return MISSED; /* runs differ by a request or two: this one had ended */
    if (rc > 0 && mode == TWICE) {
        workload_age_lease(w);
        rc = apply(c, w, k, at / 2 + 1, &e);
    }
    if (rc < 0)
        return complain(c, name, "", err_text(&e));
    workload_age_lease(w);
    if (apply(c, w, k, 0, &e) != 0)
        return complain(c, name, "the next run: ", err_text(&e));
    if (w->jobs_created != 1)
        return complain(c, name, "the job ", w->jobs_created ? "ran twice" : "did not run");
    if (!workload_settles(w, buf_view(&c->want), &difference))
        return complain(c, name, "the cluster is not as after an uninterrupted run:\n",
                        buf_cstr(&difference));
    return RESUMED;
}

static void run_one(void *ctx, size_t i)
{
    struct kills *c = ctx;
    size_t point = i * (size_t)MAX(c->o->each, 1);
    int mode = (int)(point % ARRAY_LEN(modes)), at = (int)(point / ARRAY_LEN(modes)) + 1;
    struct killer killer = {.is_after = mode != BEFORE};
    struct workload_options options = {.hooks = killer_hooks(&killer)};
    AUTO(mem_free_str) char *dir = str_printf("%s/kill-%zu", c->o->dir, i);
    AUTO(mem_free_str) char *name = str_printf("%s request %d", modes[mode], at);
    AUTO(err_done) struct err e = {0};
    AUTO(workload_stop) struct workload *w = workload_start(dir, &options, &e);

    switch (w ? kill_and_resume(c, w, &killer, at, mode, name)
              : complain(c, name, "", err_text(&e))) {
    case RESUMED:
        c->resumed++;
        break;
    case FAILED:
        c->failed++;
        break;
    case MISSED:
        c->missed++;
        break;
    }
}

static bool run_base(struct kills *c)
{
    struct killer killer = {0};
    struct workload_options options = {.hooks = killer_hooks(&killer)};
    AUTO(mem_free_str) char *dir = str_printf("%s/base", c->o->dir);
    AUTO(err_done) struct err e = {0};
    AUTO(workload_stop) struct workload *w = workload_start(dir, &options, &e);

    if (!w || apply(c, w, &killer, 0, &e) != 0) {
        complain(c, "nothing", "", err_text(&e));
        return false;
    }
    c->requests = killer.seen;
    workload_rest(w, &c->want);
    return true;
}

void faults_kills(const struct faults_options *o, struct faults_score *score)
{
    struct kills c = {.o = o, .lock = PTHREAD_MUTEX_INITIALIZER};

    if (run_base(&c))
        faults_each(o->workers, (size_t)c.requests * ARRAY_LEN(modes) / (size_t)MAX(o->each, 1),
                    run_one, &c);
    else
        c.failed++;
    printf("kill points: %d of %d resumed (a run has %d requests; %d points came after its end)\n",
           c.resumed, c.resumed + c.failed, c.requests, c.missed);
    score->passed += c.resumed;
    score->failed += c.failed;
    buf_done(&c.want);
}
