#include "re/re_priv.h"

/* Short texts are searched backwards from choices that fail, each (instruction, place) once: a bit
 * each. Longer ones by threads side by side, each with the groups it found. Both take the first way
 * in order of preference. */
enum { BACKTRACK_BITS = 256 * 1024 };

struct capture {
    const struct re_prog *prog;
    str text;
    size_t from, to;
    size_t slots; /* two a group, as many as are asked for */
};

static unsigned context_at(const struct capture *c, size_t at)
{
    return re_context(at ? (uint8_t)c->text.p[at - 1] : -1,
                      at < c->text.len ? (uint8_t)c->text.p[at] : -1);
}

/* ---- backtracking */

struct job {
    uint32_t inst; /* UINT32_MAX: put a slot back */
    uint32_t slot;
    ssize_t at; /* or what the slot held */
};
struct jobs {
    struct job *v;
    size_t len, cap;
};

/* Follows one way from a job to its end; true at the match. */
static bool follow_job(const struct capture *c, struct job job, uint64_t *visited,
                       struct jobs *jobs, ssize_t *cap)
{
    size_t places = c->to - c->from + 1;

    for (;;) {
        const struct re_inst *inst = &c->prog->insts.v[job.inst];
        size_t bit = job.inst * places + ((size_t)job.at - c->from);

        if (visited[bit / 64] >> (bit % 64) & 1)
            return false;
        visited[bit / 64] |= (uint64_t)1 << (bit % 64);
        switch (inst->op) {
        case RE_OP_MATCH:
            return true;
        case RE_OP_BYTES:
            if ((size_t)job.at == c->to)
                return false;
            job.inst = re_step(c->prog, inst, (uint8_t)c->text.p[job.at++]);
            if (job.inst == UINT32_MAX)
                return false;
            continue;
        case RE_OP_SPLIT:
            vec_push(jobs, {inst->other, 0, job.at});
            break;
        case RE_OP_SAVE:
            if (inst->other < c->slots) {
                vec_push(jobs, {UINT32_MAX, inst->other, cap[inst->other]});
                cap[inst->other] = job.at;
            }
            break;
        case RE_OP_ASSERT:
            if (!(context_at(c, (size_t)job.at) & inst->other))
                return false;
            break;
        }
        job.inst = inst->out;
    }
}

static void backtrack(const struct capture *c, ssize_t *cap)
{
    size_t words = (c->prog->insts.len * (c->to - c->from + 1) + 63) / 64;
    uint64_t *visited = mem_zalloc(words * sizeof(*visited));
    struct jobs jobs = {0};

    vec_push(&jobs, {c->prog->start, 0, (ssize_t)c->from});
    while (jobs.len) {
        struct job job = jobs.v[--jobs.len];

        if (job.inst == UINT32_MAX)
            cap[job.slot] = job.at;
        else if (follow_job(c, job, visited, &jobs, cap))
            break;
    }
    vec_done(&jobs);
    mem_free(visited);
}

/* ---- threads */

struct threads {
    struct re_sparse set; /* instructions, in order of preference */
    ssize_t *caps;        /* slots for each instruction */
};

static void threads_init(struct threads *t, const struct capture *c)
{
    uint32_t size = (uint32_t)c->prog->insts.len;

    re_sparse_init(&t->set, size);
    t->caps = mem_zalloc(size * c->slots * sizeof(*t->caps));
}

static void threads_done(struct threads *t)
{
    re_sparse_done(&t->set);
    mem_free(t->caps);
}

/* Adds what an instruction leads to without a byte; cap is changed on the way and put back. */
static void add_thread(const struct capture *c, struct threads *t, uint32_t from, size_t at,
                       ssize_t *cap, struct jobs *stack)
{
    vec_push(stack, {from, 0, 0});
    while (stack->len) {
        struct job job = stack->v[--stack->len];
        const struct re_inst *inst;

        if (job.inst == UINT32_MAX) {
            cap[job.slot] = job.at;
            continue;
        }
        if (re_sparse_has(&t->set, job.inst))
            continue;
        re_sparse_add(&t->set, job.inst);
        inst = &c->prog->insts.v[job.inst];
        switch (inst->op) {
        case RE_OP_SPLIT:
            vec_push(stack, {inst->other, 0, 0});
            vec_push(stack, {inst->out, 0, 0});
            break;
        case RE_OP_SAVE:
            if (inst->other < c->slots) {
                vec_push(stack, {UINT32_MAX, inst->other, cap[inst->other]});
                cap[inst->other] = (ssize_t)at;
            }
            vec_push(stack, {inst->out, 0, 0});
            break;
        case RE_OP_ASSERT:
            if (context_at(c, at) & inst->other)
                vec_push(stack, {inst->out, 0, 0});
            break;
        case RE_OP_BYTES:
        case RE_OP_MATCH:
            memcpy(t->caps + job.inst * c->slots, cap, c->slots * sizeof(*cap));
            break;
        }
    }
}

/* Moves all threads over the byte at a place, up to one that matches: what is behind it is worse.
 */
static void step_threads(const struct capture *c, struct threads *now, struct threads *then,
                         size_t at, ssize_t *cap, ssize_t *best, struct jobs *stack)
{
    for (uint32_t i = 0; i < now->set.len; i++) {
        uint32_t id = now->set.dense[i], to;
        const struct re_inst *inst = &c->prog->insts.v[id];

        if (inst->op == RE_OP_MATCH) {
            memcpy(best, now->caps + id * c->slots, c->slots * sizeof(*best));
            return;
        }
        if (inst->op != RE_OP_BYTES || at == c->to)
            continue;
        to = re_step(c->prog, inst, (uint8_t)c->text.p[at]);
        if (to == UINT32_MAX)
            continue;
        memcpy(cap, now->caps + id * c->slots, c->slots * sizeof(*cap));
        add_thread(c, then, to, at + 1, cap, stack);
    }
}

static void run_threads(const struct capture *c, ssize_t *best)
{
    struct threads lists[2];
    struct threads *now = &lists[0], *then = &lists[1];
    struct jobs stack = {0};
    ssize_t *cap = mem_zalloc(c->slots * sizeof(*cap));

    threads_init(now, c);
    threads_init(then, c);
    for (size_t i = 0; i < c->slots; i++)
        cap[i] = -1;
    add_thread(c, now, c->prog->start, c->from, cap, &stack);
    for (size_t at = c->from; at <= c->to && now->set.len; at++) {
        struct threads *swap = now;

        then->set.len = 0;
        step_threads(c, now, then, at, cap, best, &stack);
        now = then;
        then = swap;
    }
    threads_done(now);
    threads_done(then);
    vec_done(&stack);
    mem_free(cap);
}

void re_capture(const struct re *re, str text, size_t from, size_t to, struct re_span *spans,
                size_t count)
{
    struct capture c = {&re->forward, text, from, to, count * 2};
    ssize_t *cap = mem_zalloc(c.slots * sizeof(*cap));

    for (size_t i = 0; i < c.slots; i++)
        cap[i] = -1;
    if ((to - from + 1) <= BACKTRACK_BITS / c.prog->insts.len)
        backtrack(&c, cap);
    else
        run_threads(&c, cap);
    cap[0] = (ssize_t)from;
    cap[1] = (ssize_t)to;
    for (size_t i = 0; i < count; i++)
        spans[i] = (struct re_span){cap[2 * i], cap[2 * i + 1]};
    mem_free(cap);
}
