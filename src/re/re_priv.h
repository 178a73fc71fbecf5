/* What parser, compiler and matchers share. */
#pragma once
#include <stdatomic.h>

#include "base/arena.h"
#include "base/vec.h"
#include "re/re.h"
#include "re/unicode.h"

enum { RE_MAX_RUNE = 0x10ffff, RE_MAX_REPEAT = 1000, RE_MAX_NESTING = 1000 };

/* ---- sets of code points */
struct re_set {
    struct re_range *v; /* any order until re_set_normalize */
    size_t len, cap;
};
void re_set_add(struct re_set *set, uint32_t lo, uint32_t hi);
void re_set_add_fold(struct re_set *set, uint32_t lo,
                     uint32_t hi);         /* with all that differ in case only */
void re_set_normalize(struct re_set *set); /* sorted, disjoint */
void re_set_negate(struct re_set *set);    /* of a normalized one */
void re_set_done(struct re_set *set);
AUTO_VALUE(struct re_set, re_set_done)

/* ---- syntax tree */
enum re_kind { RE_EMPTY, RE_CLASS, RE_ASSERT, RE_CONCAT, RE_ALTERNATE, RE_REPEAT, RE_GROUP };

/* Assertions, as they stand in a program: bits that must hold at a place. */
enum re_assert {
    RE_BEGIN_TEXT = 1,
    RE_END_TEXT = 2,
    RE_BEGIN_LINE = 4,
    RE_END_LINE = 8,
    RE_WORD = 16,
    RE_NOT_WORD = 32,
};

struct re_node {
    enum re_kind kind;
    struct re_node *next;          /* sibling */
    struct re_node *first, *last;  /* children */
    const struct re_range *ranges; /* RE_CLASS, normalized; none: matches nothing */
    size_t range_count;
    struct re_trie *trie; /* RE_CLASS: its bytes, once the compiler needs them */
    int min, max;         /* RE_REPEAT; max -1: no limit */
    bool is_greedy;
    unsigned assertion;
    size_t group;
    int copies; /* how often counted repetitions copy the innermost part */
};

struct re_tree {
    struct re_node *root;
    struct str_vec names; /* by group - 1; texts in the arena */
};
/* Everything but the vector of names lives in the arena. */
int re_parse(struct arena *arena, str pattern, unsigned flags, struct re_tree *ret, struct err *e);

/* ---- programs */
enum re_op { RE_OP_BYTES, RE_OP_SPLIT, RE_OP_SAVE, RE_OP_ASSERT, RE_OP_MATCH };

struct re_inst {
    enum re_op op;
    uint32_t out;   /* next; SPLIT: the preferred way; BYTES: first of its ranges */
    uint32_t other; /* SPLIT: the other way; SAVE: slot; ASSERT: bits; BYTES: number of ranges */
};
struct re_bytes {
    uint8_t lo, hi;
    uint32_t next;
};
struct re_prog {
    VEC(struct re_inst) insts;
    VEC(struct re_bytes) bytes;
    uint32_t start;          /* at a given place */
    uint32_t start_anywhere; /* behind an implicit .*? over bytes */
    bool has_asserts;
    bool is_anchored; /* begins with \A: start_anywhere equals start */
};
int re_prog_build(struct re_prog *prog, struct re_node *root, struct arena *arena, bool backward,
                  struct err *e);
void re_prog_done(struct re_prog *prog);

/* The way out of a BYTES instruction for a byte, or UINT32_MAX. */
uint32_t re_step(const struct re_prog *prog, const struct re_inst *inst, uint8_t byte);
static inline bool re_is_word(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/* The assertions that hold between two bytes, -1 for the end of the text on that side. */
unsigned re_context(int before, int after);

/* ---- bytes of a class as a tree without ambiguity: each node is a list of ranges with what
 * follows. Equal nodes are one. */
struct re_trie_edge {
    uint8_t lo, hi;
    struct re_trie *to; /* NULL: the end of the code point */
};
struct re_trie {
    struct re_trie_edge *edges; /* sorted, disjoint */
    size_t len;
    struct re_trie *made_next; /* all nodes of one class, the root first */
    uint32_t inst, mark;       /* for the compiler: where this copy of the class put it */
};
struct re_trie *re_trie_build(struct arena *arena, const struct re_range *ranges, size_t count);

/* ---- matching */
enum { RE_NO_STATE = 0, RE_DEAD = 1 };

/* A set of small numbers with order of insertion, emptied in no time. */
struct re_sparse {
    uint32_t *dense, *sparse;
    uint32_t len, size;
};
void re_sparse_init(struct re_sparse *s, uint32_t size);
void re_sparse_done(struct re_sparse *s);
static inline bool re_sparse_has(const struct re_sparse *s, uint32_t i)
{
    return s->sparse[i] < s->len && s->dense[s->sparse[i]] == i;
}
static inline void re_sparse_add(struct re_sparse *s, uint32_t i)
{
    s->sparse[i] = s->len;
    s->dense[s->len++] = i;
}

/* How a DFA runs a program. */
enum re_dfa_mode {
    RE_DFA_FIRST,    /* forward, from anywhere: where the leftmost-first match ends */
    RE_DFA_FULL,     /* forward, from a given place: all ends */
    RE_DFA_BACKWARD, /* backward from a given end: all beginnings */
    RE_DFA_MODES
};
struct re_dfa; /* a cache of states; one user at a time */

struct re_scratch {
    struct re_dfa *dfa[RE_DFA_MODES];
};

struct re {
    struct arena arena;
    str pattern;
    struct str_vec names;
    struct re_prog forward, backward;
    uint8_t byte_class[256]; /* bytes that no instruction tells apart share a class */
    unsigned class_count;    /* the class of the text's end is class_count itself */
    int first_byte;          /* every match begins with it, or -1 */
    _Atomic(struct re_scratch *) spare;
};

/* Runs over text[from..] (backward: text[..from], down to `stop`) and returns the place of the
 * match by the mode, the last one for FULL and BACKWARD, or -1. With any set the first sign of a
 * match ends the run. */
ssize_t re_dfa_run(struct re_dfa *dfa, str text, size_t from, size_t stop, bool any);
struct re_dfa *re_dfa_new(const struct re *re, enum re_dfa_mode mode);
void re_dfa_free(struct re_dfa *dfa);

/* The groups of the leftmost-first match that begins at `from` and ends at `to`, which is there. */
void re_capture(const struct re *re, str text, size_t from, size_t to, struct re_span *spans,
                size_t count);
