#include "re/re_priv.h"

enum { MAX_SIZE = 100 * 1000, MAX_WORK = 2 * 1000 * 1000 };

struct builder {
    struct re_prog *prog;
    struct arena *arena;
    bool backward, is_too_large;
    uint32_t copies; /* of classes, so far */
    uint32_t work;   /* nodes visited: copies of nothing cost, too */
};

static uint32_t emit(struct builder *b, struct re_node *n, uint32_t next);

static uint32_t inst_add(struct builder *b, enum re_op op, uint32_t out, uint32_t other)
{
    if (b->prog->insts.len + b->prog->bytes.len >= MAX_SIZE) {
        b->is_too_large = true;
        return 0;
    }
    vec_push(&b->prog->insts, {op, out, other});
    return (uint32_t)b->prog->insts.len - 1;
}

static uint32_t emit_trie(struct builder *b, struct re_trie *t, uint32_t next)
{
    struct re_bytes edges[256];

    if (b->is_too_large || t->mark == b->copies)
        return t->inst;
    for (size_t i = 0; i < t->len; i++)
        edges[i] = (struct re_bytes){t->edges[i].lo, t->edges[i].hi,
                                     t->edges[i].to ? emit_trie(b, t->edges[i].to, next) : next};
    t->inst = inst_add(b, RE_OP_BYTES, (uint32_t)b->prog->bytes.len, (uint32_t)t->len);
    t->mark = b->copies;
    for (size_t i = 0; i < t->len; i++)
        vec_push(&b->prog->bytes, edges[i]);
    return t->inst;
}

static uint32_t emit_back(struct builder *b, struct re_trie *root, struct re_trie *place,
                          uint32_t next);

/* Backward over the edges from one node to a place; UINT32_MAX when there is none. */
static uint32_t emit_edges_back(struct builder *b, struct re_trie *root, struct re_trie *from,
                                const struct re_trie *place, uint32_t next)
{
    uint32_t way = UINT32_MAX, first, count = 0;

    for (size_t i = 0; i < from->len && way == UINT32_MAX; i++)
        if (from->edges[i].to == place)
            way = from == root ? next : emit_back(b, root, from, next);
    if (way == UINT32_MAX)
        return way;
    first = (uint32_t)b->prog->bytes.len;
    for (size_t i = 0; i < from->len; i++) {
        if (from->edges[i].to == place) {
            vec_push(&b->prog->bytes, {from->edges[i].lo, from->edges[i].hi, way});
            count++;
        }
    }
    return inst_add(b, RE_OP_BYTES, first, count);
}

/* Backward, a place in the tree (NULL: its end) leads to every node that has an edge to it, up to
 * the root. The ways are not told apart by their first byte, but there are no more of them than
 * edges. */
static uint32_t emit_back(struct builder *b, struct re_trie *root, struct re_trie *place,
                          uint32_t next)
{
    uint32_t entry = UINT32_MAX;

    if (b->is_too_large || (place && place->mark == b->copies))
        return place ? place->inst : 0;
    for (struct re_trie *from = root; from && !b->is_too_large; from = from->made_next) {
        uint32_t way = emit_edges_back(b, root, from, place, next);

        if (way != UINT32_MAX)
            entry = entry == UINT32_MAX ? way : inst_add(b, RE_OP_SPLIT, way, entry);
    }
    if (place) {
        place->inst = entry;
        place->mark = b->copies;
    }
    return entry;
}

static uint32_t emit_class(struct builder *b, struct re_node *n, uint32_t next)
{
    if (n->range_count == 0) /* matches nothing: no way out */
        return inst_add(b, RE_OP_BYTES, 0, 0);
    if (!n->trie)
        n->trie = re_trie_build(b->arena, n->ranges, n->range_count);
    b->copies++;
    return b->backward ? emit_back(b, n->trie, NULL, next) : emit_trie(b, n->trie, next);
}

static uint32_t emit_concat(struct builder *b, struct re_node *n, uint32_t next)
{
    VEC(struct re_node *) children = {0};

    for (struct re_node *child = n->first; child; child = child->next) {
        if (b->backward)
            next = emit(b, child, next);
        else
            vec_push(&children, child);
    }
    for (size_t i = children.len; i > 0; i--)
        next = emit(b, children.v[i - 1], next);
    vec_done(&children);
    return next;
}

static uint32_t emit_alternate(struct builder *b, struct re_node *n, uint32_t next)
{
    uint32_t first = UINT32_MAX, before = 0;

    for (struct re_node *child = n->first; child; child = child->next) {
        uint32_t way = emit(b, child, next);

        if (child->next)
            way = inst_add(b, RE_OP_SPLIT, way, 0);
        if (b->is_too_large)
            return 0;
        if (first == UINT32_MAX)
            first = way;
        else
            b->prog->insts.v[before].other = way;
        before = way;
    }
    return first;
}

static bool is_nullable(const struct re_node *n)
{
    switch (n->kind) {
    case RE_EMPTY:
    case RE_ASSERT:
        return true;
    case RE_CLASS:
        return false;
    case RE_REPEAT:
        return n->min == 0 || is_nullable(n->first);
    case RE_GROUP:
        return is_nullable(n->first);
    case RE_CONCAT:
    case RE_ALTERNATE:
        break;
    }
    for (const struct re_node *child = n->first; child; child = child->next)
        if (is_nullable(child) == (n->kind == RE_ALTERNATE))
            return n->kind == RE_ALTERNATE;
    return n->kind == RE_CONCAT;
}

static void split_set(struct builder *b, uint32_t split, uint32_t body, uint32_t next,
                      bool is_greedy)
{
    struct re_inst *inst = &b->prog->insts.v[split];

    inst->out = is_greedy ? body : next;
    inst->other = is_greedy ? next : body;
}

/* x+ when at_least_once, else x*. What may be empty repeats as (x+)?, lest the loop be left before
 * its body was tried. */
static uint32_t emit_loop(struct builder *b, struct re_node *n, uint32_t next, bool at_least_once)
{
    uint32_t split = inst_add(b, RE_OP_SPLIT, 0, 0), body = emit(b, n->first, split), before;

    if (b->is_too_large)
        return 0;
    split_set(b, split, body, next, n->is_greedy);
    if (at_least_once)
        return body;
    if (!is_nullable(n->first))
        return split;
    before = inst_add(b, RE_OP_SPLIT, 0, 0);
    if (!b->is_too_large)
        split_set(b, before, body, next, n->is_greedy);
    return before;
}

static uint32_t emit_repeat(struct builder *b, struct re_node *n, uint32_t next)
{
    int copies = n->min;

    if (n->max < 0) {
        next = emit_loop(b, n, next, n->min > 0);
        copies = MAX(n->min - 1, 0);
    } else {
        uint32_t end = next;

        for (int i = n->min; i < n->max && !b->is_too_large; i++) {
            uint32_t body = emit(b, n->first, next);

            next = inst_add(b, RE_OP_SPLIT, 0, 0);
            if (!b->is_too_large)
                split_set(b, next, body, end, n->is_greedy);
        }
    }
    for (int i = 0; i < copies && !b->is_too_large; i++)
        next = emit(b, n->first, next);
    return next;
}

static uint32_t emit_group(struct builder *b, struct re_node *n, uint32_t next)
{
    uint32_t slot = (uint32_t)n->group * 2;

    if (b->backward) /* runs backward find bounds only */
        return emit(b, n->first, next);
    next = inst_add(b, RE_OP_SAVE, next, slot + 1);
    return inst_add(b, RE_OP_SAVE, emit(b, n->first, next), slot);
}

static unsigned mirrored(unsigned assertion)
{
    switch (assertion) {
    case RE_BEGIN_TEXT:
        return RE_END_TEXT;
    case RE_END_TEXT:
        return RE_BEGIN_TEXT;
    case RE_BEGIN_LINE:
        return RE_END_LINE;
    case RE_END_LINE:
        return RE_BEGIN_LINE;
    default:
        return assertion;
    }
}

/* The instructions of a node, which go on at next; where they begin. */
static uint32_t emit(struct builder *b, struct re_node *n, uint32_t next)
{
    if (b->is_too_large || b->work++ > MAX_WORK) {
        b->is_too_large = true;
        return 0;
    }
    switch (n->kind) {
    case RE_EMPTY:
        return next;
    case RE_CLASS:
        return emit_class(b, n, next);
    case RE_ASSERT:
        b->prog->has_asserts = true;
        return inst_add(b, RE_OP_ASSERT, next, b->backward ? mirrored(n->assertion) : n->assertion);
    case RE_CONCAT:
        return emit_concat(b, n, next);
    case RE_ALTERNATE:
        return emit_alternate(b, n, next);
    case RE_REPEAT:
        return emit_repeat(b, n, next);
    case RE_GROUP:
        return emit_group(b, n, next);
    }
    return next;
}

static bool begins_text(const struct re_node *n)
{
    while (n->kind == RE_GROUP || (n->kind == RE_CONCAT && n->first))
        n = n->first;
    return n->kind == RE_ASSERT && n->assertion == RE_BEGIN_TEXT;
}

int re_prog_build(struct re_prog *prog, struct re_node *root, struct arena *arena, bool backward,
                  struct err *e)
{
    struct builder b = {.prog = prog,
                        .arena = arena,
                        .backward = backward,
                        .copies = backward ? 1u << 31
                                           : 0}; /* the marks of forward do not count backward */
    uint32_t match = inst_add(&b, RE_OP_MATCH, 0, 0);

    prog->start = prog->start_anywhere = emit(&b, root, match);
    prog->is_anchored = !backward && begins_text(root);
    if (!prog->is_anchored && !backward) {
        uint32_t any = inst_add(&b, RE_OP_BYTES, (uint32_t)prog->bytes.len, 1);

        prog->start_anywhere = inst_add(&b, RE_OP_SPLIT, prog->start, any);
        vec_push(&prog->bytes, {0, 255, prog->start_anywhere});
    }
    return b.is_too_large ? err_set(e, ERR_LIMIT, "error parsing regexp: expression too large") : 0;
}

void re_prog_done(struct re_prog *prog)
{
    vec_done(&prog->insts);
    vec_done(&prog->bytes);
}

uint32_t re_step(const struct re_prog *prog, const struct re_inst *inst, uint8_t byte)
{
    const struct re_bytes *bytes = prog->bytes.v + inst->out;
    uint32_t low = 0, high = inst->other;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (byte > bytes[middle].hi)
            low = middle + 1;
        else
            high = middle;
    }
    return low < inst->other && bytes[low].lo <= byte ? bytes[low].next : UINT32_MAX;
}

unsigned re_context(int before, int after)
{
    unsigned bits = re_is_word(before) != re_is_word(after) ? RE_WORD : RE_NOT_WORD;

    if (before < 0)
        bits |= RE_BEGIN_TEXT | RE_BEGIN_LINE;
    if (after < 0)
        bits |= RE_END_TEXT | RE_END_LINE;
    if (before == '\n')
        bits |= RE_BEGIN_LINE;
    if (after == '\n')
        bits |= RE_END_LINE;
    return bits;
}
