/* The tree builder: a sink of the YAML scanner that makes nodes of a set. */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "doc/yaml/dialect_priv.h"

/* An open collection. */
struct yaml_frame {
    struct doc_node *node;
    uint64_t seen; /* a bit for each hash of a key so far: a key whose bit is clear is new */
    struct doc_node
        *reuse; /* the entry of before that takes the next value, its key being repeated */
    struct doc_node *merge;     /* the frame's node is the value of "<<" in this map */
    struct yaml_anchor *anchor; /* that names it, or NULL */
    const struct doc_yaml_comments *key_comments; /* of the key, or NULL */
    uint64_t nodes_before;                        /* for the size of what is anchored */
    size_t merged_from;       /* first of its entries among those taken over by "<<" */
    bool is_merge, had_merge; /* the key is "<<"; there was one before */
    bool has_key;
    bool is_key_outside; /* its text is no view into the source */
    uint8_t key_style;
    uint32_t key_begin, key_end, key_hash;
    str key; /* of the entry whose value comes next */
};

struct yaml_anchor {
    struct doc_node *node;
    uint64_t nodes; /* in it; 0 while it is open */
};

struct yaml_builder {
    struct doc_set *set;
    struct dialect dialect; /* last_wins as asked for, too */
    unsigned flags;
    struct doc_limits limits;
    uint32_t source;
    uint32_t type_bits[DOC_ALIAS + 1]; /* of doc_node.bits, source included */
    uint32_t style_bits[DOC_FLOW + 1], key_style_bits[DOC_FLOW + 1];
    str text;
    uint64_t nodes, expanded; /* made so far; of these by aliases */
    VEC(struct yaml_frame) open;
    VEC(struct doc_node *) merged; /* entries of open maps that came by "<<" */
    struct map anchors;            /* of the document, to struct yaml_anchor */
    struct doc_node *root;         /* of the document; NULL between documents */
    str document_head;             /* comment above the document */
    struct doc_list *roots;
    struct doc_node **ret_repeated; /* as in struct doc_parse_options */

    /* why the sink stopped the scan; text in the set's arena */
    str why;
    const char *code;
    uint32_t why_at;
};

/* Once the source is known. */
void yaml_builder_start(struct yaml_builder *b);
void yaml_builder_done(struct yaml_builder *b);
AUTO_VALUE(struct yaml_builder, yaml_builder_done)
int yaml_build_event(void *ctx, const struct doc_yaml_event *ev);
int yaml_build_entry(void *ctx, const struct doc_yaml_entry *e);
int yaml_build_item(void *ctx, const struct doc_yaml_entry *e);
int yaml_build_close(void *ctx, enum doc_type type, uint32_t where);

/* alias.c */
/* A copy of what the alias ev refers to, or a DOC_ALIAS node; NULL when refused. */
struct doc_node *yaml_build_alias(struct yaml_builder *b, const struct doc_yaml_event *ev);
/* Takes over the entries of value, a map or a list of maps, into map, which is open. */
extern const char yaml_merge_refusal[];
bool yaml_build_merge(struct yaml_builder *b, struct doc_node *map, struct doc_node *value);
/* bits: the node's, all at once; setting them one by one would stall on partial stores. */
static inline struct doc_node *yaml_build_bits(struct yaml_builder *b, uint32_t bits,
                                               uint32_t begin, uint32_t end)
{
    struct doc_node *n = arena_alloc(&b->set->arena, sizeof(*n));

    *n = (struct doc_node){.begin = begin, .end = end, .bits = bits};
    b->nodes++;
    return n;
}
static inline struct doc_node *yaml_build_node(struct yaml_builder *b, enum doc_type type,
                                               enum doc_style style, uint32_t begin, uint32_t end)
{
    return yaml_build_bits(b, b->type_bits[type] | b->style_bits[style], begin, end);
}
bool yaml_build_fail(struct yaml_builder *b, uint32_t where, const char *code, const char *fmt, ...)
    PRINTF(4, 5);

/* attach.c: comments of a key, whose entry is put in later; of that entry; of a finished
 * scalar or alias; of a collection at its begin and, once it is no longer open, at its end; of a
 * document. */
void yaml_attach_key(struct yaml_builder *b, struct yaml_frame *f,
                     const struct doc_yaml_comments *comments);
void yaml_attach_entry(struct yaml_builder *b, struct yaml_frame *f, struct doc_node *n);
void yaml_attach_scalar(struct yaml_builder *b, struct doc_node *n,
                        const struct doc_yaml_comments *comments);
void yaml_attach_start(struct yaml_builder *b, struct doc_node *n,
                       const struct doc_yaml_comments *comments);
void yaml_attach_end(struct yaml_builder *b, struct doc_node *n,
                     const struct doc_yaml_comments *comments);
void yaml_attach_document(struct yaml_builder *b, struct doc_node *root, str foot);
