/* What becomes of some YAML on its way through upstream, which writes every resource as YAML and
 * reads it again: the bytes of the output follow from it. */
#include "kustomize/quirks.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static size_t count_breaks(str text, size_t at)
{
    size_t count = 0;

    while (at + count < text.len && text.p[at + count] == '\n')
        count++;
    return count;
}

/* go-yaml sets a line break twice where a folded text has one, so that it reads as one again. It
 * looks at the first characters of the text, not at those behind the break, to see whether a line
 * that starts with a blank follows (which must not be set apart); and at the end it does it too. */
static void fold_again(str text, struct buf *out)
{
    size_t at = count_breaks(text, 0), breaks;
    bool doubles = at < text.len && !is_blank(text.p[at]);

    buf_add_repeat(out, '\n', at);
    while (at < text.len) {
        const char *line = text.p + at, *end = memchr(line, '\n', text.len - at);
        bool is_indented = is_blank(*line), is_next_indented;
        size_t written;

        if (!end)
            end = text.p + text.len;
        buf_add(out, line, (size_t)(end - line));
        at = (size_t)(end - text.p);
        breaks = count_breaks(text, at);
        at += breaks;
        written = breaks + (doubles && !is_indented && breaks);
        is_next_indented = at < text.len && is_blank(text.p[at]);
        if (at == text.len)
            buf_add_repeat(out, '\n', breaks > 1 ? written : breaks);
        else if (is_indented || is_next_indented)
            buf_add_repeat(out, '\n', written);
        else if (written == 1)
            buf_add_char(out, ' ');
        else
            buf_add_repeat(out, '\n', written - 1);
    }
}

static void refold(struct doc_set *set, struct doc_node *n)
{
    AUTO(buf_done) struct buf again = {0};
    str text = doc_text(n, STR_NONE);

    fold_again(text, &again);
    if (!str_eq(text, buf_view(&again)))
        doc_replace(n, doc_new_string(set, buf_view(&again)));
}

/* A value that is not there at all, in a map in braces, comes back as the empty text. */
static bool is_left_out(const struct doc_node *parent, const struct doc_node *n)
{
    return n->type == DOC_NULL && n->len == 0 && parent->type == DOC_MAP &&
           parent->style == DOC_FLOW && !(n->extra && n->extra->tag.len);
}

/* Returns whether there is a folded text. */
static bool walk(struct doc_set *set, struct doc_node *parent)
{
    struct doc_iter it = doc_children(parent);
    bool ret = false;

    while (doc_next(&it)) {
        if (is_left_out(parent, it.value))
            doc_replace(it.value, doc_new_string_view(set, STR("")));
        else if (it.value->type == DOC_STRING)
            ret |= it.value->style == DOC_FOLDED;
        else if (it.value->type == DOC_MAP || it.value->type == DOC_LIST)
            ret |= walk(set, it.value);
    }
    return ret;
}

void kustomize_apply_quirks(struct kustomize_build *b, struct doc_set *set, str text,
                            struct doc_list *roots)
{
    bool is_folded = false;

    if (b->is_fixed || (!memchr(text.p, '>', text.len) && !memchr(text.p, '{', text.len)))
        return;
    for (size_t i = 0; i < roots->len; i++)
        is_folded |= walk(set, roots->v[i]);
    if (is_folded)
        b->shared->has_folded = true;
}

bool kustomize_has_folded(const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it))
        if (kustomize_has_folded(it.value))
            return true;
    return n && n->type == DOC_STRING && n->style == DOC_FOLDED;
}

void kustomize_refold(struct doc_set *set, struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it))
        kustomize_refold(set, it.value);
    if (n->type == DOC_STRING && n->style == DOC_FOLDED)
        refold(set, n);
}

static bool folds(const struct kustomize_build *b) { return !b->is_fixed && b->shared->has_folded; }

void kustomize_unfold_annotations(const struct kustomize_build *b,
                                  const struct kustomize_resource *r)
{
    struct doc_iter it = doc_children(folds(b) ? kustomize_resource_annotations(r) : NULL);

    while (doc_next(&it))
        if (it.value->type == DOC_STRING)
            it.value->style = DOC_PLAIN;
}

void kustomize_refold_resource(const struct kustomize_build *b, struct kustomize_resource *r)
{
    if (folds(b))
        kustomize_refold(r->set, r->root);
}
