/* Hanging comments on nodes, as go-yaml v3 does when it composes them. */
#include "doc/yaml/build_priv.h"

static void set_head(struct yaml_builder *b, struct doc_node *n, str head)
{
    if (head.len)
        doc_extra(b->set, n)->head = head;
}

/* A foot goes to the key when the node is the value of one that has none. */
static void set_foot(struct yaml_builder *b, struct doc_node *n, bool is_value, str foot)
{
    struct doc_extra *x;

    if (foot.len == 0)
        return;
    x = doc_extra(b->set, n);
    if (is_value && x->key_foot.len == 0)
        x->key_foot = foot;
    else
        x->foot = foot;
}

void yaml_attach_key(struct yaml_builder *b, struct yaml_frame *f,
                     const struct doc_yaml_comments *comments)
{
    struct doc_yaml_comments *own = ARENA_NEW(&b->set->arena, struct doc_yaml_comments);

    *own = *comments;
    f->key_comments = own;
    if (own->foot.len && f->node->style != DOC_FLOW && f->node->len) {
        doc_extra(b->set, f->node->last)->key_foot =
            own->foot; /* it stood below the entry before */
        own->foot = STR_NONE;
    }
}

void yaml_attach_entry(struct yaml_builder *b, struct yaml_frame *f, struct doc_node *n)
{
    struct doc_extra *x = doc_extra(b->set, n);

    x->key_head = f->key_comments->head;
    x->key_line = f->key_comments->line;
    x->key_foot = f->key_comments->foot;
    f->key_comments = NULL;
}

static bool is_value(const struct yaml_builder *b)
{
    return b->open.len && vec_last(&b->open).node->type == DOC_MAP;
}

void yaml_attach_scalar(struct yaml_builder *b, struct doc_node *n,
                        const struct doc_yaml_comments *comments)
{
    set_head(b, n, comments->head);
    if (comments->line.len)
        doc_extra(b->set, n)->line = comments->line;
    set_foot(b, n, is_value(b), comments->foot);
}

void yaml_attach_start(struct yaml_builder *b, struct doc_node *n,
                       const struct doc_yaml_comments *comments)
{
    set_head(b, n, comments->head);
}

void yaml_attach_end(struct yaml_builder *b, struct doc_node *n,
                     const struct doc_yaml_comments *comments)
{
    str foot = comments->foot;

    if (comments->line.len)
        doc_extra(b->set, n)->line = comments->line;
    if (foot.len && n->type == DOC_MAP && n->style != DOC_FLOW && n->len) {
        doc_extra(b->set, n->last)->key_foot = foot;
        foot = STR_NONE;
    }
    set_foot(b, n, is_value(b), foot);
}

void yaml_attach_document(struct yaml_builder *b, struct doc_node *root, str foot)
{
    if (b->document_head.len)
        doc_extra(b->set, root)->key_head = b->document_head;
    if (foot.len)
        doc_extra(b->set, root)->key_foot = foot;
    b->document_head = STR_NONE;
}
