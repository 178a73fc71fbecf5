/* The parser's state, shared by its two files. */
#pragma once
#include "re/re_priv.h"

struct re_parser {
    struct arena *arena;
    str in;
    size_t pos;
    unsigned flags; /* enum re_flags in force */
    struct err *e;
};

/* "error parsing regexp: what: `in[from..to)`". */
int re_parse_fail(struct re_parser *p, const char *what, size_t from, size_t to);
static inline bool re_parse_at(const struct re_parser *p, const char *prefix)
{
    return str_starts(str_from(p->in, p->pos), str_of(prefix));
}
/* The code point at pos, which moves on. The pattern is UTF-8 and has one. */
uint32_t re_parse_next(struct re_parser *p);

/* An escape that means one code point; pos is at the backslash. */
int re_parse_escape(struct re_parser *p, uint32_t *ret);
/* \d, \pL and their like: 1 when one stood at pos and was added. */
int re_parse_escaped_class(struct re_parser *p, struct re_set *set);
/* […]; pos is at the bracket. The set is normalized. */
int re_parse_bracket(struct re_parser *p, struct re_set *set);
