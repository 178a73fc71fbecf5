/* What the parts of doc_edit_emit share: the way through the text. See doc/edit.h. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

struct editor {
    str text; /* the source */
    uint32_t source;
    struct buf *out;
    size_t cursor;      /* text before it is in out, or dropped */
    bool is_json;       /* made values are printed as JSON */
    bool is_wide;       /* lists stand deeper than their key */
    bool has_odd_lines; /* changed documents are written anew */
    bool closes;        /* a block scalar that the text's end leaves open is written anew */
    bool expands;       /* aliases that were expanded on reading are printed expanded */
};

/* Where a value stands: behind ':' or '-', or at the beginning of a document. */
struct slot {
    enum { AT_ROOT, AT_FIELD, AT_ITEM } kind;
    size_t after;  /* offset behind ':' or '-' */
    size_t column; /* of the key or dash */
};

void edit_copy_to(struct editor *e, size_t at); /* no effect when the cursor is there or beyond */
void edit_end_line(struct editor *e); /* makes out end in a line end, if it has anything */
size_t edit_line_begin(const struct editor *e, size_t at);
/* The end of the line before the one that begins at `at`; at itself when none begins there. */
size_t edit_line_before(const struct editor *e, size_t at);
size_t edit_line_end(const struct editor *e,
                     size_t at); /* offset of the line end, or of the text's */
/* The line behind an entry at a column, and behind its comments, which stand deeper: they might
 * count as lines of a block scalar in the next one. */
size_t edit_behind(const struct editor *e, size_t at, size_t column);
size_t edit_column(const struct editor *e, size_t at);
/* Whether some line between the values ends with CR, NEL, LS or PS, which the editor does not take
 * for line ends. */
bool edit_has_odd_lines(const struct editor *e, struct doc_node *const *roots, size_t count);
/* Whether a blank, a line end of any kind or flow's punctuation stands before `at`. */
bool edit_is_word_begin(const struct editor *e, size_t at);
/* The end of a node's text without empty lines behind a block scalar. */
size_t edit_end(const struct editor *e, const struct doc_node *n);

/* Whether the node ends with a block scalar that keeps the empty lines behind it: |+ */
bool edit_keeps_empty_lines(const struct editor *e, const struct doc_node *n);
void edit_skip_odd_lines(struct editor *e);   /* those that hold nothing but blanks */
void edit_skip_empty_lines(struct editor *e); /* those that the cursor stands before */

/* "&name" in the text from `from` to a value, which aliases may refer to; empty when the value has
 * an anchor of its own. */
str edit_anchor(const struct editor *e, size_t from, const struct doc_node *n);

/* Puts a document anew, on lines of its own, without the comments around it, which stand in the
 * text. */
void edit_put_root(struct editor *e, const struct doc_node *n);
/* Whether the comment behind the value, or its key, is to be another than the text's. */
static inline bool edit_has_new_comment(const struct doc_node *n)
{
    return n->extra && n->extra->has_new_line;
}
/* Whether the key is to be another than the text's. */
static inline bool edit_is_renamed(const struct doc_node *n)
{
    return n->extra && n->extra->is_renamed;
}
/* Puts that comment on the line of a block collection's key or dash; its lines follow. */
void edit_comment_key(struct editor *e, const struct doc_node *n, struct slot slot);
/* Replaces what stands in the slot by the value as it is now. */
void edit_replace(struct editor *e, const struct doc_node *n, struct slot slot);
/* Puts an entry or item of its own lines; the first line's indent is there already. */
void edit_put_child(struct editor *e, const struct doc_node *child, bool is_entry, size_t column);
/* The same inside flow text. */
void edit_put_flow(struct editor *e, const struct doc_node *n);
/* indent: of a child on a line of its own, 0 for others. */
void edit_put_flow_child(struct editor *e, const struct doc_node *child, bool is_entry,
                         size_t indent);

/* Drops the entries that were removed between `after`, where the one before them ends, and `to`,
 * where the next that stays begins, or the collection ends (last). first: none stays before them,
 * and after is where the collection begins. */
void edit_cut(struct editor *e, size_t after, size_t to, size_t column, bool first, bool last);
