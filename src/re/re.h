/* Regular expressions in RE2's syntax, in time linear in the text (design 5).
 *
 * Syntax: RE2's and Go's (Perl classes, [[:posix:]] and \p{Unicode} classes, flags (?imsU),
 * non-greedy operators, \b \B \A \z, \Q…\E, (?P<name>…) and (?<name>…)), without \C; repetition
 * counts up to 1,000. Errors are worded as Go words them: "error parsing regexp: missing closing ]:
 * `[a`". Matches are leftmost, and of those the first by the order of alternatives. The text is any
 * bytes: those that are not UTF-8 match nothing but negated assertions, as in RE2.
 *
 * A compiled expression is immutable and may be used by any number of threads at once; each match
 * borrows a scratch from it. What a pattern may cost is bounded: ERR_LIMIT "expression too large"
 * beyond about a hundred thousand instructions, caches of states of a megabyte each. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"

struct re; /* opaque, owned by whoever compiled it */

enum re_flags {
    RE_NOCASE = 1 << 0,    /* (?i) */
    RE_MULTILINE = 1 << 1, /* (?m): ^ and $ at line ends, too */
    RE_DOTALL = 1 << 2,    /* (?s): . matches \n */
    RE_UNGREEDY = 1 << 3,  /* (?U) */
    RE_LITERAL = 1 << 4,   /* the pattern is plain text */
};

/* The pattern is copied. NULL with ERR_INVALID or ERR_LIMIT. */
struct re *re_compile(str pattern, unsigned flags, struct err *e) MUST_CHECK;
void re_free(struct re *re); /* NULL is fine */
AUTO_PTR(struct re, re_free)

str re_pattern(const struct re *re);        /* as it was given */
size_t re_group_count(const struct re *re); /* groups in parentheses, without the whole match */
str re_group_name(const struct re *re,
                  size_t group); /* empty for one without a name; group counts from 1 */
ssize_t re_group_index(const struct re *re, str name); /* the first group of that name, or -1 */

/* Bytes from..to of the text; -1, -1 for a group that took no part. */
struct re_span {
    ssize_t from, to;
};

bool re_match(const struct re *re, str text);      /* somewhere in the text */
bool re_match_full(const struct re *re, str text); /* the whole text */
/* The first match that begins at `from` or behind: spans[0] is the match, spans[n] group n, as many
 * as count asks for. What stands before `from` still counts for ^ and \b. */
bool re_find(const struct re *re, str text, size_t from, struct re_span *spans, size_t count);

/* All matches, from left to right, none overlapping another; an empty match next to the one before
 * is left out. struct re_iter it = re_find_all(re, text, spans, ARRAY_LEN(spans)); while
 * (re_next(&it)) use(spans); */
struct re_iter {
    const struct re *re;
    str text;
    struct re_span *spans; /* the caller's; at least one */
    size_t count;
    size_t at;
    ssize_t last_end;
};
struct re_iter re_find_all(const struct re *re, str text, struct re_span *spans, size_t count);
bool re_next(struct re_iter *it);

/* Appends the text with every match replaced by the template, where $1, ${1}, $name and ${name}
 * mean groups (those that are not there are empty) and $$ a dollar, by Go's rules: $1x is the group
 * "1x". */
void re_replace_all(const struct re *re, str text, str template, struct buf *out);
void re_replace_all_literal(const struct re *re, str text, str with, struct buf *out);
/* The pieces between matches, views into text; at most limit of them (the last is the rest), < 0:
 * all, 0: none. */
void re_split(const struct re *re, str text, int limit, struct str_vec *ret);
/* Appends a pattern that matches exactly this text. */
void re_quote_meta(str text, struct buf *out);
