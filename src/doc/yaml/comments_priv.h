/* Comments by the rules of go-yaml v3: which token a comment belongs to, and whether it is its
 * head, its line or its foot. Found while scanning, handed out with the events. What decides is
 * where a comment stands: behind something on its line; in one piece with what follows; cut off by
 * an empty line; at the indentation of a block that has just ended. */
#pragma once
#include "doc/yaml/yaml_priv.h"

struct comment {
    int64_t token;         /* belongs to the first token that begins here or behind */
    int64_t start;         /* where it begins */
    int64_t scanned, end;  /* what was looked at to find it; 0 for line comments */
    uint32_t line, column; /* where it begins; columns count from 1, of line comments from 0 */
    str text;
    enum { COMMENT_HEAD, COMMENT_LINE, COMMENT_FOOT } kind;
};

struct comments {
    VEC(struct comment) v;
    size_t next;                  /* first not handed out */
    struct doc_yaml_comments now; /* handed out, for the next event that takes them */
    str stem;                     /* head of a list entry that turned out to hold a collection */
    struct buf text;
};

void comments_done(struct comments *c);
/* Where a scan for the next token began. */
struct comment_scan {
    int64_t at;
    uint32_t line;
};
struct comment_scan comments_scan_begin(const struct scanner *s);
/* At a '#' on the way to the next token: reads comment lines up to where that may be. */
void comments_ahead(struct scanner *s, struct comment_scan scan);
/* Behind a token that was just read, or the header of a block scalar: a comment on the same line.
 * token is what it belongs to. */
void comments_behind(struct scanner *s, uint32_t token);
/* "a: # text" above a list becomes the head of its first entry. */
void comments_adjust(struct scanner *s);
/* Where the end of a block belongs, so that comments at its indentation stay inside: *at moves
 * back. */
void comments_block_end(struct scanner *s, int64_t *at);
/* Hands out the comments of a token that the parser looks at. */
void comments_take(struct scanner *s, const struct token *t);
/* The event gets what was handed out. */
void comments_give(struct scanner *s, struct doc_yaml_event *ev);
/* An event that opens a block collection gets the stem. */
void comments_give_stem(struct scanner *s, struct doc_yaml_event *ev);
/* Behind a '-': what was the head before it is the stem when a block collection follows. */
bool comments_split_stem(struct scanner *s, size_t head_len);
/* The begin of a document gets the part of the head above the last empty line. */
void comments_give_document(struct scanner *s, struct doc_yaml_event *ev);
