/* The server comes back with another certificate in the middle of an apply: of the same authority,
 * and the run goes on; of another one, and it ends with a message that says so, and the next run
 * against the server with its old authority ends the same as one without a fault. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "faults/child.h"
#include "faults/faults.h"

enum { REACH_MS = 300000, END_MS = 300000, LOOK_MS = 1 };

/* When it happens: the server has answered this. */
struct moment {
    const char *name, *method, *plural;
    bool is_watch;
};
static const struct moment moments[] = {
    {"first-write", "POST", "namespaces", false},
    {"create", "POST", "configmaps", false},
    {"record", "PUT", "secrets", false},
    {"apply", "PATCH", "deployments", false},
    {"watch", "GET", "pods", true},
    {"job", "POST", "jobs", false},
};

struct trial {
    const struct faults_options *o;
    const struct moment *moment;
    str want; /* the state without a fault */
    bool other_authority;
    _Atomic bool is_there;
    struct workload *w;
    struct child child;
    bool failed;
};

static void trial_done(struct trial *t)
{
    child_done(&t->child);
    workload_stop(t->w);
}
AUTO_VALUE(struct trial, trial_done)

static void wrong(struct trial *t, const char *what, const char *text)
{
    t->failed = true;
    fprintf(stderr, "certificates, %s, %s authority: %s%s\n", t->moment->name,
            t->other_authority ? "another" : "the same", what, text);
}

static void on_after(void *ctx, const struct sandbox_call *call)
{
    struct trial *t = ctx;

    if (str_eq(call->method, str_of(t->moment->method)) &&
        str_eq(call->plural, str_of(t->moment->plural)) && call->is_watch == t->moment->is_watch)
        t->is_there = true;
}

static bool reaches(struct trial *t)
{
    clock_ms deadline = clock_after(REACH_MS);

    while (!t->is_there && clock_left(deadline)) {
        AUTO(err_done) struct err never = {0};

        (void)cancel_sleep(NULL, LOOK_MS, &never);
    }
    return t->is_there;
}

static void expect_state(struct trial *t)
{
    AUTO(buf_done) struct buf difference = {0};

    if (!workload_settles(t->w, t->want, &difference))
        wrong(t, "the state is another one:\n", buf_cstr(&difference));
    if (t->w->jobs_created != 1)
        wrong(t, "the job was made more than once, or not at all", "");
}

static void expect_refusal(struct trial *t)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};

    child_err(&t->child, &text);
    if (child_rc(&t->child) != 1 || !strstr(buf_cstr(&text), "not signed by an authority") ||
        !strstr(buf_cstr(&text), "kubeconfig"))
        wrong(t, "it does not say what is wrong:\n", buf_cstr(&text));
    if (sandbox_swap_certificate(t->w->sb, false, &e) < 0)
        wrong(t, "", err_text(&e));
    workload_age_lease(t->w);
    if (!t->failed && workload_apply(t->w, &e) < 0)
        wrong(t, "the next run does not mend it: ", err_text(&e));
}

static void run(struct trial *t)
{
    struct workload_options options = {.is_tls = true, .hooks = {.after = on_after, .ctx = t}};
    AUTO(mem_free_str)
    char *dir = str_printf("%s/certificates-%s-%d", t->o->dir, t->moment->name, t->other_authority);
    AUTO(err_done) struct err e = {0};

    t->w = workload_start(dir, &options, &e);
    if (!t->w || child_start(t->o->program, t->w, NULL, &t->child, &e) < 0) {
        wrong(t, "", err_text(&e));
        return;
    }
    if (!reaches(t)) {
        wrong(t, "the run does not get there", "");
        return;
    }
    if (sandbox_swap_certificate(t->w->sb, t->other_authority, &e) < 0)
        wrong(t, "", err_text(&e));
    if (!child_wait(&t->child, END_MS)) {
        wrong(t, "the run does not end", "");
        return;
    }
    if (t->other_authority) {
        expect_refusal(t);
    } else if (child_rc(&t->child) != 0) {
        AUTO(buf_done) struct buf text = {0};

        child_err(&t->child, &text);
        wrong(t, "the run does not go on:\n", buf_cstr(&text));
    }
    if (!t->failed)
        expect_state(t);
}

/* ---- all of them */

struct trials {
    const struct faults_options *o;
    struct faults_score *score;
    struct buf want;
};

static void run_one(void *ctx, size_t i)
{
    struct trials *all = ctx;
    AUTO(trial_done)
    struct trial t = {.o = all->o,
                      .moment = &moments[i / 2],
                      .want = buf_view(&all->want),
                      .other_authority = i % 2,
                      .child = {.is_over = true}};

    if (all->o->only && !strstr(t.moment->name, all->o->only))
        return;
    run(&t);
    if (t.failed)
        all->score->failed++;
    else
        all->score->passed++;
}

void faults_certificates(const struct faults_options *o, struct faults_score *score)
{
    struct trials all = {.o = o, .score = score};
    AUTO(mem_free_str) char *dir = str_printf("%s/certificates", o->dir);
    static const struct workload_options options = {.is_tls = true};
    AUTO(workload_stop) struct workload *w = NULL;
    AUTO(err_done) struct err e = {0};

    w = workload_start(dir, &options, &e);
    if (!w || workload_apply(w, &e) < 0) {
        fprintf(stderr, "certificates: %s\n", err_text(&e));
        score->failed++;
        return;
    }
    workload_rest(w, &all.want);
    faults_each(MIN(o->workers, 2), 2 * ARRAY_LEN(moments), run_one, &all);
    printf("certificates: swapped at %zu moments, by the same authority and by another\n",
           ARRAY_LEN(moments));
    buf_done(&all.want);
}
