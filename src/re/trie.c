#include "re/re_priv.h"

/* One way to write some code points: a range of bytes for each place. */
struct seq {
    uint8_t lo[4], hi[4];
    uint8_t len;
};
struct seqs {
    struct seq *v;
    size_t len, cap;
};

static uint8_t encode(uint32_t c, uint8_t out[4])
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (uint8_t)(0xc0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xe0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (c & 0x3f));
    return 4;
}

/* The last code point up to which lo can go in one sequence: the same number of bytes, and all but
 * the last bytes that cover their whole range alike. */
static uint32_t one_sequence_end(uint32_t lo, uint32_t hi)
{
    static const uint32_t length_ends[] = {0x7f, 0x7ff, 0xffff, RE_MAX_RUNE};

    for (size_t i = 0; i < ARRAY_LEN(length_ends); i++) {
        if (lo <= length_ends[i]) {
            hi = MIN(hi, length_ends[i]);
            break;
        }
    }
    if (lo < 0x80)
        return hi;
    for (int bits = 6; bits <= 18; bits += 6) {
        uint32_t mask = (1u << bits) - 1;

        if ((lo & ~mask) == (hi & ~mask))
            break;
        if (lo & mask)
            return lo | mask;
        if ((hi & mask) != mask)
            hi = (hi & ~mask) - 1;
    }
    return hi;
}

static void add_sequences(struct seqs *seqs, struct re_range r)
{
    while (r.lo <= r.hi) {
        uint32_t end = one_sequence_end(r.lo, r.hi);
        struct seq s;

        s.len = encode(r.lo, s.lo);
        encode(end, s.hi);
        vec_push(seqs, s);
        r.lo = end + 1;
    }
}

struct builder {
    struct arena *arena;
    struct re_trie *made;
};

/* The node with these edges: the one that is there, or a new one. */
static struct re_trie *node_of(struct builder *b, const struct re_trie_edge *edges, size_t len)
{
    struct re_trie *n;

    for (n = b->made; n; n = n->made_next) {
        size_t i = 0;

        while (n->len == len && i < len && edges[i].lo == n->edges[i].lo &&
               edges[i].hi == n->edges[i].hi && edges[i].to == n->edges[i].to)
            i++;
        if (n->len == len && i == len)
            return n;
    }
    n = ARENA_NEW(b->arena, struct re_trie);
    n->edges = ARENA_ARRAY(b->arena, struct re_trie_edge, len);
    for (size_t i = 0; i < len; i++)
        n->edges[i] = edges[i];
    n->len = len;
    n->made_next = b->made;
    b->made = n;
    return n;
}

static struct re_trie *build(struct builder *b, const struct seqs *seqs, int depth)
{
    struct re_trie_edge edges[256] = {0};
    size_t len = 0;
    bool is_cut[257] = {false};
    struct seqs inside = {0};

    for (size_t i = 0; i < seqs->len; i++)
        is_cut[seqs->v[i].lo[depth]] = is_cut[seqs->v[i].hi[depth] + 1] = true;
    for (int lo = 0, hi; lo < 256; lo = hi + 1) {
        struct re_trie *to = NULL;

        for (hi = lo; !is_cut[hi + 1] && hi < 255; hi++)
            ;
        inside.len = 0;
        for (size_t i = 0; i < seqs->len; i++)
            if (seqs->v[i].lo[depth] <= lo && lo <= seqs->v[i].hi[depth])
                vec_push(&inside, seqs->v[i]);
        if (inside.len == 0)
            continue;
        if (inside.v[0].len > depth + 1) /* all of them: no code point begins another */
            to = build(b, &inside, depth + 1);
        if (len && edges[len - 1].hi + 1 == lo && edges[len - 1].to == to)
            edges[len - 1].hi = (uint8_t)hi;
        else
            edges[len++] = (struct re_trie_edge){(uint8_t)lo, (uint8_t)hi, to};
    }
    vec_done(&inside);
    return node_of(b, edges, len);
}

struct re_trie *re_trie_build(struct arena *arena, const struct re_range *ranges, size_t count)
{
    struct builder b = {arena, NULL};
    struct seqs seqs = {0};
    struct re_trie *root;

    for (size_t i = 0; i < count; i++)
        add_sequences(&seqs, ranges[i]);
    root = build(&b, &seqs, 0);
    vec_done(&seqs);
    return root;
}
