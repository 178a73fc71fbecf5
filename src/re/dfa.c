#include "re/re_priv.h"

/* A state is a list of instructions in order of preference. Without assertions it holds byte ranges
 * and the match only; with them it holds the places where bytes led to, unfollowed, for what they
 * mean depends on the next byte and on the kind of the byte before, which is a part of the state.
 * (Following them halfway would put the ways behind an assertion inside a loop in the wrong order.)
 * A transition says, besides the next state, whether there was a match before the byte. */
enum { MATCHED = 1u << 31, CACHE_BYTES = 1 << 20 };
enum before { BEFORE_TEXT, BEFORE_LINE, BEFORE_WORD, BEFORE_OTHER, BEFORE_KINDS };

struct state {
    uint32_t list, len; /* in dfa->lists */
    enum before before;
};
struct list {
    uint32_t *v;
    size_t len, cap;
};

struct re_dfa {
    const struct re *re;
    const struct re_prog *prog;
    bool is_longest; /* all ways count; else only what comes before the first match in preference */
    bool backward;
    uint32_t stride;     /* classes of bytes and one for the end */
    uint8_t sample[257]; /* a byte of each class */
    uint32_t start[BEFORE_KINDS];
    uint32_t *next; /* [state * stride + class]; RE_NO_STATE: not known yet */
    size_t next_cap;
    VEC(struct state) states; /* the first two stand for RE_NO_STATE and RE_DEAD */
    struct list lists;
    uint32_t *slots; /* hash table of states */
    uint32_t slot_count;
    size_t budget;
    unsigned flushes;
    struct re_sparse seen;
    struct list stack, now, then;
};

static enum before kind_of(int byte)
{
    return byte < 0           ? BEFORE_TEXT
           : byte == '\n'     ? BEFORE_LINE
           : re_is_word(byte) ? BEFORE_WORD
                              : BEFORE_OTHER;
}

static void flush(struct re_dfa *d)
{
    d->flushes++;
    d->states.len = 2;
    d->lists.len = 0;
    memset(d->start, 0, sizeof(d->start));
    memset(d->slots, 0, d->slot_count * sizeof(*d->slots));
    memset(d->next, 0, d->next_cap * sizeof(*d->next));
}

struct re_dfa *re_dfa_new(const struct re *re, enum re_dfa_mode mode)
{
    struct re_dfa *d = NEW(struct re_dfa);

    d->re = re;
    d->backward = mode == RE_DFA_BACKWARD;
    d->prog = d->backward ? &re->backward : &re->forward;
    d->is_longest = mode != RE_DFA_FIRST;
    d->stride = re->class_count + 1;
    for (int byte = 0; byte < 256; byte++)
        d->sample[re->byte_class[byte]] = (uint8_t)byte;
    d->slot_count = 64;
    d->slots = mem_zalloc(d->slot_count * sizeof(*d->slots));
    d->budget = MAX((size_t)CACHE_BYTES, d->prog->insts.len * 64);
    re_sparse_init(&d->seen, (uint32_t)d->prog->insts.len);
    vec_push(&d->states, {0, 0, BEFORE_OTHER});
    vec_push(&d->states, {0, 0, BEFORE_OTHER});
    return d;
}

void re_dfa_free(struct re_dfa *d)
{
    if (!d)
        return;
    mem_free(d->next);
    mem_free(d->slots);
    vec_done(&d->states);
    vec_done(&d->lists);
    vec_done(&d->stack);
    vec_done(&d->now);
    vec_done(&d->then);
    re_sparse_done(&d->seen);
    mem_free(d);
}

/* Adds what an instruction leads to without a byte, in order of preference; bits are the assertions
 * that hold. False when nothing that comes later can matter any more. */
static bool follow(struct re_dfa *d, uint32_t from, unsigned bits, struct list *out)
{
    d->stack.len = 0;
    vec_push(&d->stack, from);
    while (d->stack.len) {
        uint32_t i = d->stack.v[--d->stack.len];
        const struct re_inst *inst = &d->prog->insts.v[i];

        if (re_sparse_has(&d->seen, i))
            continue;
        re_sparse_add(&d->seen, i);
        switch (inst->op) {
        case RE_OP_SPLIT:
            vec_push(&d->stack, inst->other);
            vec_push(&d->stack, inst->out);
            break;
        case RE_OP_SAVE:
            vec_push(&d->stack, inst->out);
            break;
        case RE_OP_ASSERT:
            if (bits & inst->other)
                vec_push(&d->stack, inst->out);
            break;
        case RE_OP_BYTES:
            vec_push(out, i);
            break;
        case RE_OP_MATCH:
            vec_push(out, i);
            if (!d->is_longest)
                return false;
            break;
        }
    }
    return true;
}

/* Adds a place to the state that is being made. False as follow. */
static bool reach(struct re_dfa *d, uint32_t to)
{
    if (!d->prog->has_asserts)
        return follow(d, to, 0, &d->then);
    if (!re_sparse_has(&d->seen, to)) {
        re_sparse_add(&d->seen, to);
        vec_push(&d->then, to);
    }
    return true;
}

static uint32_t hash_of(const struct list *list, enum before before)
{
    return str_hash((str){(const char *)list->v, list->len * sizeof(*list->v)}) * 31 + before;
}

static bool is_state(const struct re_dfa *d, const struct state *s, const struct list *list,
                     enum before before)
{
    return s->before == before && s->len == list->len &&
           memcmp(d->lists.v + s->list, list->v, list->len * sizeof(*list->v)) == 0;
}

static void slot_put(struct re_dfa *d, uint32_t state, uint32_t hash)
{
    uint32_t i = hash & (d->slot_count - 1);

    while (d->slots[i])
        i = (i + 1) & (d->slot_count - 1);
    d->slots[i] = state;
}

static void slots_grow(struct re_dfa *d)
{
    mem_free(d->slots);
    d->slot_count *= 2;
    d->slots = mem_zalloc(d->slot_count * sizeof(*d->slots));
    for (uint32_t i = 2; i < d->states.len; i++) {
        const struct state *s = &d->states.v[i];
        struct list list = {d->lists.v + s->list, s->len, s->len};

        slot_put(d, i, hash_of(&list, s->before));
    }
}

static void room_for_next(struct re_dfa *d)
{
    size_t want = (d->states.len + 1) * d->stride, had = d->next_cap;

    if (want <= had)
        return;
    d->next_cap = MAX(want, had * 2);
    d->next = mem_realloc(d->next, d->next_cap, sizeof(*d->next));
    memset(d->next + had, 0, (d->next_cap - had) * sizeof(*d->next));
}

static uint32_t state_of(struct re_dfa *d, const struct list *list, enum before before)
{
    uint32_t hash = hash_of(list, before), id;

    if (list->len == 0)
        return RE_DEAD;
    for (uint32_t i = hash & (d->slot_count - 1); d->slots[i]; i = (i + 1) & (d->slot_count - 1))
        if (is_state(d, &d->states.v[d->slots[i]], list, before))
            return d->slots[i];
    if (((d->states.len + 1) * (d->stride + 6) + d->lists.len + list->len) * sizeof(uint32_t) >
        d->budget)
        flush(d);
    if (d->states.len * 2 > d->slot_count)
        slots_grow(d);
    id = (uint32_t)d->states.len;
    room_for_next(d);
    vec_push(&d->states, {(uint32_t)d->lists.len, (uint32_t)list->len, before});
    for (size_t i = 0; i < list->len; i++)
        vec_push(&d->lists, list->v[i]);
    slot_put(d, id, hash);
    return id;
}

static uint32_t start_of(struct re_dfa *d, int byte, bool anywhere)
{
    enum before before = d->prog->has_asserts ? kind_of(byte) : BEFORE_OTHER;

    if (d->start[before])
        return d->start[before];
    d->then.len = d->seen.len = 0;
    reach(d, anywhere ? d->prog->start_anywhere : d->prog->start);
    return d->start[before] = state_of(d, &d->then, before);
}

/* Fills d->now with the byte ranges and the match that are open once the next byte is known. */
static void settle(struct re_dfa *d, const struct state *s, int after)
{
    static const int samples[BEFORE_KINDS] = {-1, '\n', 'a', ' '};
    unsigned bits = d->prog->has_asserts ? re_context(samples[s->before], after) : 0;

    d->now.len = d->seen.len = 0;
    for (uint32_t i = 0; i < s->len; i++)
        if (!follow(d, d->lists.v[s->list + i], bits, &d->now))
            return;
}

/* Works a transition out. Class stride - 1 is the end of the text. */
static uint32_t transition(struct re_dfa *d, uint32_t state, uint32_t class)
{
    int after = class == d->stride - 1 ? -1 : d->sample[class];
    unsigned flushes = d->flushes;
    uint32_t result = 0;

    settle(d, &d->states.v[state], after);
    d->then.len = d->seen.len = 0;
    for (size_t i = 0; i < d->now.len; i++) {
        const struct re_inst *inst = &d->prog->insts.v[d->now.v[i]];
        uint32_t to;

        if (inst->op == RE_OP_MATCH) {
            result |= MATCHED;
            continue;
        }
        to = after < 0 ? UINT32_MAX : re_step(d->prog, inst, (uint8_t)after);
        if (to != UINT32_MAX && !reach(d, to))
            break;
    }
    result |= state_of(d, &d->then, d->prog->has_asserts ? kind_of(after) : BEFORE_OTHER);
    if (d->flushes == flushes)
        d->next[state * d->stride + class] = result;
    return result;
}

static inline uint32_t move(struct re_dfa *d, uint32_t state, uint32_t class)
{
    uint32_t to = d->next[state * d->stride + class];

    return LIKELY(to) ? to : transition(d, state, class);
}

static ssize_t run_backward(struct re_dfa *d, str text, size_t from, size_t stop)
{
    uint32_t state = start_of(d, from < text.len ? (uint8_t)text.p[from] : -1, false);
    ssize_t last = -1;

    for (size_t i = from; state != RE_DEAD; i--) {
        uint32_t to = move(d, state, i ? d->re->byte_class[(uint8_t)text.p[i - 1]] : d->stride - 1);

        if (to & MATCHED)
            last = (ssize_t)i;
        if (i == stop)
            break;
        state = to & ~MATCHED;
    }
    return last;
}

static ssize_t run_forward(struct re_dfa *d, str text, size_t from, bool any)
{
    uint32_t start = start_of(d, from ? (uint8_t)text.p[from - 1] : -1, !d->is_longest),
             state = start;
    bool can_skip = d->re->first_byte >= 0 && !d->is_longest;
    unsigned flushes = d->flushes;
    ssize_t last = -1;

    for (size_t i = from; state != RE_DEAD; i++) {
        uint32_t to;

        if (can_skip && state == start && d->flushes == flushes) {
            const char *p =
                i < text.len ? memchr(text.p + i, d->re->first_byte, text.len - i) : NULL;

            if (!p)
                return last;
            i = (size_t)(p - text.p);
        }
        to = move(d, state, i < text.len ? d->re->byte_class[(uint8_t)text.p[i]] : d->stride - 1);
        if (to & MATCHED) {
            last = (ssize_t)i;
            if (any)
                return last;
        }
        if (i == text.len)
            break;
        state = to & ~MATCHED;
    }
    return last;
}

ssize_t re_dfa_run(struct re_dfa *dfa, str text, size_t from, size_t stop, bool any)
{
    return dfa->backward ? run_backward(dfa, text, from, stop) : run_forward(dfa, text, from, any);
}
