/* Order: each step one level below its deepest need (khook spec 9.1). */
#include "base/mem.h"
#include "run/run.h"

#define UNPLACED SIZE_MAX

/* Who needs a step: the needs turned round, in one array. */
struct users {
    size_t *first; /* count + 1 offsets into user */
    size_t *user;
};

static void users_done(struct users *u)
{
    mem_free(u->first);
    mem_free(u->user);
}
AUTO_VALUE(struct users, users_done)

static size_t *zeroed(size_t count) { return mem_zalloc(MAX(count, (size_t)1) * sizeof(size_t)); }

static void users_init(struct users *u, const struct run_step *steps, size_t count)
{
    AUTO(mem_free) void *filled = zeroed(count);
    size_t *next = filled, total = 0;

    u->first = zeroed(count + 1);
    for (size_t i = 0; i < count; i++) {
        total += steps[i].need_count;
        for (size_t j = 0; j < steps[i].need_count; j++)
            u->first[steps[i].needs[j] + 1]++;
    }
    u->user = zeroed(total);
    for (size_t i = 0; i < count; i++)
        u->first[i + 1] += u->first[i];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < steps[i].need_count; j++) {
            size_t need = steps[i].needs[j];

            u->user[u->first[need] + next[need]++] = i;
        }
    }
}

/* Places what can be placed; level of the rest is UNPLACED. Returns how many were. */
static size_t place(const struct run_step *steps, size_t count, size_t *level)
{
    AUTO(users_done) struct users users = {0};
    AUTO(mem_free) void *memory = zeroed(2 * count);
    size_t *missing = memory, *ready = missing + count, ready_count = 0;

    users_init(&users, steps, count);
    for (size_t i = 0; i < count; i++) {
        missing[i] = steps[i].need_count;
        level[i] = missing[i] ? UNPLACED : 0;
        if (!missing[i])
            ready[ready_count++] = i;
    }
    for (size_t i = 0; i < ready_count; i++) {
        size_t step = ready[i];

        for (size_t j = users.first[step]; j < users.first[step + 1]; j++) {
            size_t user = users.user[j];

            if (--missing[user] == 0) { /* what was placed last is the deepest */
                level[user] = level[step] + 1;
                ready[ready_count++] = user;
            }
        }
    }
    return ready_count;
}

/* Every step that could not be placed has a need that could not: following them ends in a circle.
 */
static size_t unplaced_need(const struct run_step *step, const size_t *level)
{
    for (size_t i = 0; i < step->need_count; i++) {
        if (level[step->needs[i]] == UNPLACED)
            return step->needs[i];
    }
    assert(!"an unplaced step without an unplaced need");
    return 0;
}

/* The smallest index on the circle that begins at from. */
static size_t circle_start(const struct run_step *steps, size_t count, const size_t *level,
                           size_t from)
{
    size_t at = from, first;

    for (size_t i = 0; i < count; i++) /* now surely on the circle */
        at = unplaced_need(&steps[at], level);
    first = at;
    for (size_t i = unplaced_need(&steps[at], level); i != at; i = unplaced_need(&steps[i], level))
        first = MIN(first, i);
    return first;
}

static void tell_cycle(const struct run_step *steps, size_t count, const size_t *level,
                       struct run_cycle *ret)
{
    size_t first = UNPLACED, at;

    for (size_t i = 0; i < count; i++) {
        if (level[i] != UNPLACED)
            continue;
        vec_push(&ret->members, steps[i].name);
        first = MIN(first, i);
    }
    first = at = circle_start(steps, count, level, first);
    do {
        buf_addf(&ret->path, "%.*s -> ", STR_ARG(steps[at].name));
        at = unplaced_need(&steps[at], level);
    } while (at != first);
    buf_add_str(&ret->path, steps[first].name);
}

int run_levels(const struct run_step *steps, size_t count, size_t *level, size_t *ret_level_count,
               struct run_cycle *ret_cycle)
{
    *ret_level_count = 0;
    if (place(steps, count, level) < count) {
        tell_cycle(steps, count, level, ret_cycle);
        return -1;
    }
    for (size_t i = 0; i < count; i++)
        *ret_level_count = MAX(*ret_level_count, level[i] + 1);
    return 0;
}

void run_order(const size_t *level, size_t count, size_t level_count, size_t *order, size_t *start)
{
    memset(start, 0, (level_count + 1) * sizeof(*start));
    for (size_t i = 0; i < count; i++)
        start[level[i]]++;
    for (size_t l = 0, before = 0; l <= level_count; l++) { /* sizes become ends, */
        before += start[l];
        start[l] = before;
    }
    for (size_t i = count; i-- > 0;) /* and ends, from the last step on, starts */
        order[--start[level[i]]] = i;
}

void run_cycle_done(struct run_cycle *c)
{
    str_vec_done(&c->members);
    buf_done(&c->path);
}
