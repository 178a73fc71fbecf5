/* The YAML scanner: one text to a stream of events, handed to a sink (design 3). The tree builder
 * and the tests' event printer are two sinks of it.
 *
 * It accepts and refuses exactly what libyaml 0.2.5 does and reports libyaml's events; each refusal
 * carries libyaml's problem, context and marks. It keeps its stacks on the heap: nothing recurses
 * on the input. Event texts are views into the text or, where the text had to be unfolded, live in
 * the arena given. One thread at a time. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "doc/node.h"

enum doc_yaml_event_type {
    DOC_YAML_STREAM_START,
    DOC_YAML_STREAM_END,
    DOC_YAML_DOC_START,
    DOC_YAML_DOC_END,
    DOC_YAML_ALIAS,
    DOC_YAML_SCALAR,
    DOC_YAML_LIST_START,
    DOC_YAML_LIST_END,
    DOC_YAML_MAP_START,
    DOC_YAML_MAP_END,
};

/* '#' and line ends included, lines joined by line feeds; each may be empty. */
struct doc_yaml_comments {
    str head, line, foot;
};

struct doc_yaml_event {
    enum doc_yaml_event_type type;
    enum doc_style style; /* scalars; collections: DOC_PLAIN for block, DOC_FLOW */
    bool is_implicit;     /* document start or end without its marker */
    uint32_t begin, end;  /* span in the text, tag and anchor included */
    uint32_t content;     /* where the node itself begins, behind tag and anchor */
    str value;            /* scalar */
    str anchor;           /* anchor, or the name an alias refers to */
    const struct doc_yaml_comments *comments; /* or NULL; lives as long as the arena */
    str tag; /* in full, handle resolved; "!" for the non-specific tag */
};

/* A key and its scalar, a key and the collection that opens behind it, or a key and "{}" or "[]":
 * neither has a tag or an anchor. */
struct doc_yaml_entry {
    str key, value;
    enum doc_type type; /* DOC_STRING for a scalar, DOC_LIST, DOC_MAP */
    enum doc_style key_style, style;
    uint32_t key_begin, key_end, begin, end; /* spans, quotes included; of a collection in flow
                                                style the whole */
    bool is_open; /* of a collection in flow style: it has parts, which come next */
};

/* Takes each event in turn; the texts live as long as the arena and the text, the event does not.
 * Anything but 0 ends the scan; it is for the sink to remember why. */
struct doc_yaml_sink {
    void *ctx;
    int (*event)(void *ctx, const struct doc_yaml_event *ev);
    /* NULL, or takes a key with what follows in place of two events. */
    int (*entry)(void *ctx, const struct doc_yaml_entry *entry);
    /* NULL, or takes an item of a list, a scalar or a block map that opens, in place of an event.
     * The entry has no key. */
    int (*item)(void *ctx, const struct doc_yaml_entry *item);
    /* NULL, or takes the end of a collection in place of an event. */
    int (*close)(void *ctx, enum doc_type type, uint32_t where);
};

struct doc_yaml_mark {
    uint32_t offset;       /* bytes, in the UTF-8 form of the text */
    uint32_t line, column; /* libyaml's: from 0, columns in characters */
};

/* Why libyaml refuses the text. */
struct doc_yaml_problem {
    const char
        *problem; /* libyaml's words, static; NULL when all was well or the sink stopped the scan */
    const char *context; /* "while parsing a block mapping", static, or NULL */
    struct doc_yaml_mark problem_mark,
        context_mark; /* the context's is set when there is a context */
    bool is_reader;   /* bad encoding: libyaml gives an offset only (here in bytes of the text as it
                         came) and a value */
    uint32_t reader_offset;
    char byte;        /* what stands at the problem's mark, NUL at the end of the text */
    int reader_value; /* the octet or code point at fault, -1 when libyaml names none */
    bool is_depth;    /* a budget of ours was exceeded, not a rule of libyaml's */
};

/* Decodes text as libyaml's reader does: a byte-order mark chooses the encoding and is dropped,
 * UTF-16 becomes UTF-8. *ret_plain is a view into text when that is UTF-8, else into *ret_copy
 * (yours to mem_free, NULL otherwise). Where bytes are bad, *ret_plain ends before them and
 * *ret_bad holds the refusal, to be reported when the scan gets that far. */
void doc_yaml_decode(str text, str *ret_plain, char **ret_copy, struct doc_yaml_problem *ret_bad);

struct doc_yaml_input {
    str text;                           /* decoded; followed by a NUL byte */
    const struct doc_yaml_problem *bad; /* from doc_yaml_decode, or NULL */
    struct arena *arena;                /* for text that is no view */
    uint32_t max_depth;                 /* open collections; 0: no limit */
    bool has_comments;                  /* events carry comments, by the rules of go-yaml v3 */
    bool is_go;   /* a ':' before one of ",?[]{}" belongs to a plain scalar, as in go-yaml; libyaml
                     refuses it there */
    bool is_slow; /* skip the short cuts for common shapes: same events (for tests) */
};

/* 0 at the end of the stream, -1 when the text is refused (*ret tells why) or the sink stopped. */
int doc_yaml_scan(const struct doc_yaml_input *in, const struct doc_yaml_sink *sink,
                  struct doc_yaml_problem *ret);

/* Appends what is wrong in our words, and returns a remedy or NULL. */
const char *doc_yaml_explain(const struct doc_yaml_problem *p, struct buf *text);
/* Appends libyaml's words with the line, as go-yaml v2 reports them: "line 3: did not find …". */
void doc_yaml_go_words(const struct doc_yaml_problem *p, struct buf *text);
