#include "kustomize/plugin/witness.h"

struct before {
    struct kustomize_resource *r;
    struct doc_node *tree; /* a copy, or NULL */
    str traces;            /* of the nodes, or none */
    uint32_t ids;          /* a transformer that writes an id down anew changes the resource, too */
};

struct kustomize_witness {
    struct before *v;
    size_t count;
    bool is_exact;
};

static const str validated_by = STR_INIT("validated-by");

/* ---- the nodes as bytes */

struct tracer {
    const struct doc_node *old, *instead; /* labels that are written anew, or NULL */
    struct buf *out;
};

static void add_number(struct buf *out, uint32_t number)
{
    buf_add(out, (const char *)&number, sizeof number);
}

static void add_text(struct buf *out, str text)
{
    add_number(out, (uint32_t)text.len);
    buf_add_str(out, text);
}

/* What it says and where it was read; no place: it was set. */
static void trace(const struct tracer *t, const struct doc_node *n)
{
    struct doc_iter it;
    bool is_set;

    if (t->instead && n == t->old)
        n = t->instead;
    it = doc_children(n);
    is_set = n->source == 0 || n->is_changed;
    buf_add_char(t->out, (char)n->type);
    buf_add_char(t->out, (char)n->style);
    add_number(t->out, is_set ? 0 : n->source);
    add_number(t->out, is_set ? 0 : n->begin);
    if (doc_is_scalar(n))
        add_text(t->out, doc_text(n, STR_NONE));
    else
        add_number(t->out, (uint32_t)doc_len(n));
    while (doc_next(&it)) {
        add_text(t->out, it.key);
        trace(t, it.value);
    }
}

/* The labels without the mark, as upstream writes them anew. */
static struct doc_node *labels_without_mark(const struct kustomize_resource *r,
                                            const struct doc_node *labels)
{
    struct doc_node *rest = doc_new_map(r->set);
    struct doc_iter it = doc_children(labels);

    while (doc_next(&it))
        if (!str_eq(it.key, validated_by))
            doc_set_string(r->set, rest, it.key, doc_text(it.value, STR_NONE));
    doc_sort_keys(rest);
    return rest;
}

static void trace_now(const struct kustomize_resource *r, struct buf *out)
{
    struct doc_node *metadata = doc_get_lit(r->root, "metadata"), *labels, *rest;

    labels = kustomize_resource_labels(r);
    if (!doc_get(labels, validated_by)) {
        trace(&(struct tracer){.out = out}, r->root);
        return;
    }
    rest = labels_without_mark(r, labels);
    if (doc_len(rest)) {
        trace(&(struct tracer){labels, rest, out}, r->root);
        return;
    }
    rest = doc_unlink(metadata, labels);
    trace(&(struct tracer){.out = out}, r->root);
    doc_link(r->set, metadata, rest, labels);
}

static bool has_trace(const struct before *was)
{
    AUTO(buf_done) struct buf now = {0};

    trace_now(was->r, &now);
    return str_eq(buf_view(&now), was->traces);
}

/* ---- what it means */

static void drop_mark(struct doc_node *copy)
{
    struct doc_node *labels = doc_at(copy, "metadata/labels");

    doc_remove(labels, validated_by);
    if (labels && doc_len(labels) == 0)
        doc_remove(doc_get_lit(copy, "metadata"), STR("labels"));
}

static bool has_meaning(const struct before *was)
{
    struct doc_node *now = doc_copy(was->r->set, was->r->root);

    drop_mark(now);
    drop_mark(was->tree);
    return doc_equal(now, was->tree);
}

struct kustomize_witness *kustomize_witness_new(struct kustomize_build *b,
                                                const struct kustomize_resmap *m, bool is_exact)
{
    struct arena *a = &b->set->arena;
    struct kustomize_witness *w = ARENA_NEW(a, struct kustomize_witness);
    struct kustomize_resource *r;

    w->is_exact = is_exact;
    w->v = ARENA_ARRAY(a, struct before, kustomize_resmap_len(m));
    for (size_t at = 0; (r = kustomize_resmap_next(m, &at)); w->count++) {
        AUTO(buf_done) struct buf traces = {0};

        if (is_exact)
            trace(&(struct tracer){.out = &traces}, r->root);
        w->v[w->count] = (struct before){r, is_exact ? NULL : doc_copy(b->set, r->root),
                                         arena_dup(a, buf_view(&traces)), r->previous_count};
    }
    return w;
}

bool kustomize_witness_agrees(const struct kustomize_witness *w, const struct kustomize_resmap *m)
{
    if (kustomize_resmap_len(m) != w->count)
        return false;
    for (size_t i = 0; i < w->count; i++) {
        const struct before *was = &w->v[i];

        if (was->r->is_removed || was->r->previous_count != was->ids)
            return false;
        if (w->is_exact ? !has_trace(was) : !has_meaning(was))
            return false;
    }
    return true;
}
