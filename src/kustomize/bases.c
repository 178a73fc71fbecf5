#include "kustomize/bases.h"

#include <stdatomic.h>

#include "kustomize/incremental/plan.h"
#include "sys/thread.h"

enum { WORTH_THREADS = 4, MAX_THREADS = 16 };

/* ---- one */

void kustomize_base_done(struct kustomize_base *base)
{
    kustomize_level_done(&base->level);
    kustomize_accumulator_done(&base->acc);
    diag_list_done(&base->own_warnings);
    err_done(&base->e);
}

int kustomize_base_enter(struct kustomize_base *base, struct kustomize_level *parent,
                         struct doc_set *set, struct diag_list *warnings, struct err *e)
{
    if (kustomize_level_enter_into(parent, base->path->text, base->path->node, set, &base->level,
                                   e) < 0)
        return -1;
    base->level.b.warnings = warnings;
    kustomize_plan_enter(parent, base->path, &base->level);
    return 0;
}

void kustomize_base_build(struct kustomize_base *base)
{
    base->rc = kustomize_level_read(&base->level, false, &base->e);
    if (base->rc < 0)
        kustomize_wrap(&base->e, "accumulating resources");
    else
        base->rc = kustomize_accumulate(&base->level, &base->acc, &base->e);
}

static int merge(struct kustomize_base *base, struct kustomize_level *parent,
                 struct kustomize_accumulator *acc, struct err *e)
{
    if (kustomize_resmap_append_all(&acc->resources, &base->acc.resources, e) == 0 &&
        kustomize_merge_config(parent->b.shared, &acc->config, base->acc.config, e) == 0 &&
        kustomize_vars_merge(&acc->vars, &base->acc.vars, e) == 0)
        return 0;
    return kustomize_wrap(e, "accumulating resources: recursed merging from path '%.*s'",
                          STR_ARG(base->level.b.dir));
}

int kustomize_base_join(struct kustomize_base *base, struct kustomize_level *parent,
                        struct kustomize_accumulator *acc, struct err *e)
{
    int rc = base->rc;

    for (size_t i = 0; i < base->own_warnings.len; i++)
        diag_add(parent->b.warnings, &base->own_warnings.v[i]);
    if (rc < 0)
        err_move(e, &base->e);
    else
        rc = merge(base, parent, acc, e);
    kustomize_level_done(&base->level);
    return rc < 0 ? kustomize_fail_at(&parent->b, base->path->node, e) : 0;
}

/* ---- many */

void kustomize_bases_done(struct kustomize_bases *bases)
{
    for (size_t i = 0; i < bases->len; i++)
        kustomize_base_done(&bases->v[i]);
    mem_free(bases->v);
    *bases = (struct kustomize_bases){0};
}

/* What the threads of one list of bases share. */
struct crew {
    struct kustomize_bases *bases;
    struct kustomize_level *level;
    atomic_size_t next;
};

static void build_next(struct crew *crew, struct doc_set *set)
{
    size_t at;

    while ((at = atomic_fetch_add(&crew->next, 1)) < crew->bases->len) {
        struct kustomize_base *base = &crew->bases->v[at];

        base->rc = kustomize_base_enter(base, crew->level, set, &base->own_warnings, &base->e);
        if (base->rc == 0)
            kustomize_base_build(base);
        else
            kustomize_wrap(&base->e, "accumulating resources");
    }
}

static void help_out(void *ctx)
{
    struct crew *crew = ctx;

    build_next(crew, kustomize_shared_set(crew->level->b.shared));
}

/* Asks how many cores there are when it first matters. */
static void count_threads(struct kustomize_shared *s)
{
    const struct kustomize_options *o = s->options;
    unsigned cores;

    if (s->threads_are_counted)
        return;
    s->threads_are_counted = true;
    if (o->on_step || o->is_part) /* steps are told one after another */
        return;
    cores = o->jobs ? (unsigned)MIN((long)o->jobs, (long)MAX_THREADS) : thread_cores();
    s->spare_threads = MIN(cores, (unsigned)MAX_THREADS) - (cores > 0);
    s->has_helpers = s->spare_threads > 0;
}

/* Threads are the build's: what one level uses is not there for another. */
static unsigned take_threads(struct kustomize_shared *s, size_t wanted)
{
    unsigned taken;

    LOCK_SCOPE(&s->lock);
    count_threads(s);
    taken = (unsigned)MIN(wanted, (size_t)s->spare_threads);
    s->spare_threads -= taken;
    return taken;
}

static void give_threads(struct kustomize_shared *s, unsigned count)
{
    LOCK_SCOPE(&s->lock);
    s->spare_threads += count;
}

static void build_all(struct kustomize_bases *bases, struct kustomize_level *level,
                      unsigned helpers)
{
    struct crew crew = {.bases = bases, .level = level};
    struct thread *threads[MAX_THREADS] = {0};

    for (unsigned i = 0; i < helpers; i++) {
        AUTO(err_done) struct err e = {0};

        threads[i] = thread_start("build", help_out, &crew, &e);
    }
    build_next(&crew, level->b.set);
    for (unsigned i = 0; i < helpers; i++)
        thread_join(threads[i]);
}

bool kustomize_is_likely_folder(str path)
{
    ssize_t slash = str_rfind_char(path, '/');
    str name = str_from(path, (size_t)(slash + 1));

    return str_find_char(name, '.') <= 0 || str_eq(name, STR(".."));
}

static void gather(struct kustomize_bases *ret, struct kustomize_level *level,
                   const struct kustomize_text_list *paths)
{
    size_t likely = 0;

    for (size_t i = 0; i < paths->len; i++)
        likely += kustomize_is_likely_folder(paths->v[i].text);
    if (likely < WORTH_THREADS)
        return;
    ret->v = mem_zalloc(likely * sizeof(*ret->v));
    for (size_t i = 0; i < paths->len; i++)
        if (kustomize_is_likely_folder(paths->v[i].text) &&
            fetch_root_look(level->root, paths->v[i].text) == FETCH_DIR)
            ret->v[ret->len++].path = &paths->v[i];
}

void kustomize_bases_build(struct kustomize_bases *ret, struct kustomize_level *level,
                           const struct kustomize_text_list *paths)
{
    struct kustomize_shared *s = level->b.shared;
    unsigned helpers =
        paths->len < WORTH_THREADS || level->is_part ? 0 : take_threads(s, paths->len / 2);

    if (helpers == 0)
        return;
    gather(ret, level, paths);
    if (ret->len)
        build_all(ret, level, (unsigned)MIN((size_t)helpers, ret->len - 1));
    give_threads(s, helpers);
}

bool kustomize_has_helpers(struct kustomize_shared *s)
{
    LOCK_SCOPE(&s->lock);
    count_threads(s);
    return s->has_helpers;
}
