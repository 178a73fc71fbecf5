/* What the files of the YAML scanner share: characters, tokens, the scanner's state. */
#pragma once
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "doc/yaml/scan.h"

/* ---- characters: one table row a byte */
enum {
    CH_BLANK = 1 << 0, /* blank or tab */
    CH_BREAK =
        1 << 1, /* carriage return, line feed; multi-byte breaks need a look at what follows */
    CH_LEAD = 1 << 2, /* 0xC2, 0xE2: may begin NEL, LS, PS */
    CH_WORD = 1 << 3, /* letter, digit, '_', '-': names of anchors, directives, tag handles */
    CH_URI = 1 << 4,  /* may stand in a tag as it is */
    CH_FLOW = 1 << 5, /* , [ ] { } */
    CH_HEX = 1 << 6,
    CH_INDICATOR = 1 << 7, /* cannot begin a plain scalar on its own */
};
extern const uint8_t doc_yaml_class[256];

static inline bool ch_is(const char *p, unsigned classes)
{
    return doc_yaml_class[(uint8_t)*p] & classes;
}
/* Bytes of the line break at p, 0 when there is none. */
static inline size_t break_len(const char *p)
{
    const uint8_t *u = (const uint8_t *)p;

    if (LIKELY(!ch_is(p, CH_BREAK | CH_LEAD)))
        return 0;
    if (*p == '\n')
        return 1;
    if (*p == '\r')
        return p[1] == '\n' ? 2 : 1;
    if (u[0] == 0xC2)
        return u[1] == 0x85 ? 2 : 0;
    return u[1] == 0x80 && (u[2] & 0xFE) == 0xA8 ? 3 : 0;
}
static inline bool is_breakz(const char *p) { return *p == '\0' || break_len(p) != 0; }
static inline bool is_blankz(const char *p)
{
    return *p == '\0' || ch_is(p, CH_BLANK) || break_len(p) != 0;
}

/* ---- tokens */
enum token_type {
    TOKEN_STREAM_START,
    TOKEN_STREAM_END,
    TOKEN_VERSION,
    TOKEN_TAG_DIRECTIVE,
    TOKEN_DOC_START,
    TOKEN_DOC_END,
    TOKEN_BLOCK_LIST,
    TOKEN_BLOCK_MAP,
    TOKEN_BLOCK_END,
    TOKEN_FLOW_LIST,
    TOKEN_FLOW_LIST_END,
    TOKEN_FLOW_MAP,
    TOKEN_FLOW_MAP_END,
    TOKEN_BLOCK_ENTRY,
    TOKEN_FLOW_ENTRY,
    TOKEN_KEY,
    TOKEN_VALUE,
    TOKEN_ALIAS,
    TOKEN_ANCHOR,
    TOKEN_TAG,
    TOKEN_SCALAR,
};

struct token {
    enum token_type type;
    enum doc_style style;
    uint32_t begin, end;
    str value;     /* scalar, name, handle of a tag or directive */
    bool is_moved; /* for comments it stands at moved_to, which may be one before the text */
    int64_t moved_to;
    str suffix; /* of a tag; prefix of a %TAG directive */
    int major, minor;
};

/* A place where a simple key may have begun: known once ':' follows on the same line. */
struct simple_key {
    bool is_possible, is_required;
    size_t token; /* number of its first token, counted over the whole stream */
    const char *at, *line;
};

enum parse_state {
    STATE_STREAM_START,
    STATE_IMPLICIT_DOC_START,
    STATE_DOC_START,
    STATE_DOC_CONTENT,
    STATE_DOC_END,
    STATE_BLOCK_NODE,
    STATE_BLOCK_LIST_FIRST,
    STATE_BLOCK_LIST_ENTRY,
    STATE_INDENTLESS_ENTRY,
    STATE_BLOCK_MAP_FIRST,
    STATE_BLOCK_MAP_KEY,
    STATE_BLOCK_MAP_VALUE,
    STATE_BLOCK_MAP_AFTER_COLON, /* ours: the fast path stopped behind the ':' */
    STATE_FLOW_LIST_FIRST,
    STATE_FLOW_LIST_ENTRY,
    STATE_FLOW_PAIR_KEY,
    STATE_FLOW_PAIR_VALUE,
    STATE_FLOW_PAIR_END,
    STATE_FLOW_MAP_FIRST,
    STATE_FLOW_MAP_KEY,
    STATE_FLOW_MAP_VALUE,
    STATE_FLOW_MAP_EMPTY_VALUE,
    STATE_END,
};

struct tag_directive {
    str handle, prefix;
};

struct comments;
struct scanner {
    const char *text, *p, *end;
    const char *line; /* where the current line begins: columns are counted from it */
    struct arena *arena;
    const struct doc_yaml_sink *sink;
    const struct doc_yaml_problem *bad;
    struct doc_yaml_problem *problem;

    /* tokens read ahead, [head, len) of the vector */
    VEC(struct token) tokens;
    size_t head;
    size_t tokens_taken; /* number of the token at head */
    bool is_peeked, is_started;
    bool at_new_line; /* the end of the stream counts as a line of its own */

    VEC(int32_t) indents;
    int32_t indent;
    VEC(struct simple_key) keys; /* one for each flow level, the last is the current one */
    size_t first_key;            /* none below is possible */
    uint32_t flow_level;
    bool is_key_allowed, is_go;

    VEC(uint8_t) states;
    enum parse_state state;
    VEC(uint32_t) marks; /* where open collections began */
    VEC(struct tag_directive) tags;
    uint32_t max_depth;
    uint32_t after_colon; /* for STATE_BLOCK_MAP_AFTER_COLON: end of the ':' */
    const char *colon;    /* for the short cut: of the key at p, NULL when none was looked for */

    struct comments *comments; /* NULL when they are skipped */
    uint32_t line_number;      /* from 0; kept by what comments_ahead needs, not by the short cut */

    struct buf scratch;                     /* the scalar being unfolded */
    struct buf blanks, first_break, breaks; /* white space that may turn out to belong to it */
};

static inline uint32_t at(const struct scanner *s, const char *p)
{
    return (uint32_t)(p - s->text);
}
static inline int32_t column(const struct scanner *s) { return (int32_t)(s->p - s->line); }
/* Steps over the line break at p, which there must be. */
static inline void skip_line(struct scanner *s)
{
    s->p += break_len(s->p);
    s->line = s->p;
    s->line_number++;
}
static inline bool is_document_marker(const struct scanner *s)
{
    return s->p == s->line && (*s->p == '-' || *s->p == '.') && s->p[1] == *s->p &&
           s->p[2] == *s->p && is_blankz(s->p + 3);
}

/* Records a refusal at the scanner's place; false, so that failing is one line. context may be
 * NULL. */
bool scan_fail(struct scanner *s, const char *context, const char *context_at, const char *problem);
bool parse_fail(struct scanner *s, const char *context, uint32_t context_at, const char *problem,
                uint32_t problem_at);

/* token.c: the next token, NULL when the text is refused; stays until token_drop. */
struct token *token_peek(struct scanner *s);
void token_drop(struct scanner *s);
/* name.c, scalar.c: each reads what begins at p into *t. */
bool scan_directive(struct scanner *s, struct token *t);
bool scan_anchor(struct scanner *s, struct token *t);
bool scan_tag(struct scanner *s, struct token *t);
bool scan_block_scalar(struct scanner *s, struct token *t);
bool scan_flow_scalar(struct scanner *s, struct token *t);
bool scan_plain_scalar(struct scanner *s, struct token *t);

/* block.c, flow.c: steps of the parser; each sends at most one event. */
bool parse_step(struct scanner *s);
bool scan_send(struct scanner *s, const struct doc_yaml_event *ev);
/* Whether no further collection may open; that is the refusal then. */
bool scan_refuse_depth(struct scanner *s, uint32_t where);
static inline bool scan_is_too_deep(struct scanner *s, uint32_t where)
{
    if (LIKELY(!s->max_depth || s->marks.len < s->max_depth))
        return false;
    return scan_refuse_depth(s, where);
}
bool send_empty(struct scanner *s, uint32_t where);
bool send_end(struct scanner *s, enum doc_yaml_event_type type, const struct token *t, uint32_t end,
              bool takes_comments);
bool parse_node(struct scanner *s, bool is_block, bool may_be_indentless);
bool parse_flow_list_entry(struct scanner *s, bool is_first);
bool parse_flow_pair_key(struct scanner *s);
bool parse_flow_pair_value(struct scanner *s);
bool parse_flow_pair_end(struct scanner *s);
bool parse_flow_map_key(struct scanner *s, bool is_first);
bool parse_flow_map_value(struct scanner *s, bool is_empty);
static inline void state_push(struct scanner *s, enum parse_state state)
{
    vec_push(&s->states, (uint8_t)state);
}
/* Notes where a collection begins, for messages, and drops the token that opens it. */
static inline bool open_mark(struct scanner *s)
{
    const struct token *t = token_peek(s);

    if (!t)
        return false;
    vec_push(&s->marks, t->begin);
    token_drop(s);
    return true;
}
static inline void state_pop(struct scanner *s) { s->state = s->states.v[--s->states.len]; }

/* fast.c: takes whole lines of common block shapes while it can and leaves the state as the
 * parser would at the first thing it does not know. */
bool fast_lines(struct scanner *s);
