/* The order of the output (kustomize spec 14). */
#include "kustomize/order.h"

/* The most significant byte first, so that bytes compare as numbers do. */
static void add_rank(struct buf *key, unsigned rank)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(key, (char)(rank >> shift));
}

void kustomize_sort_key(const struct res_order *order, const struct res_id *id, struct buf *key)
{
    buf_clear(key);
    add_rank(key, (unsigned)(res_order_rank(order, id->gvk.kind) + (1 << 20)));
    res_order_key(order, &id->gvk, key);
    buf_add_char(key, '\0');
    res_gvk_print(&id->gvk, key);
    buf_add_char(key, '|');
    buf_add_str(key, id->ns.len ? id->ns : STR("~X"));
    buf_add_char(key, '|');
    buf_add_str(key, id->name.len ? id->name : STR("~N"));
}

/* Each resource's place as one text, so that sorting compares bytes only. key: room to build it. */
static str sort_key(struct arena *a, struct buf *key, const struct res_order *order,
                    const struct res_id *id)
{
    kustomize_sort_key(order, id, key);
    return arena_dup(a, buf_view(key));
}

static int by_key(const void *ctx, const struct kustomize_resource *a,
                  const struct kustomize_resource *b)
{
    const str *keys = ctx;

    return str_cmp(keys[a->at], keys[b->at]);
}

static void sort_by(struct kustomize_resmap *m, const struct res_order *order)
{
    AUTO(arena_done) struct arena a = {0};
    AUTO(buf_done) struct buf key = {0};
    struct kustomize_resource *r;
    str *keys;

    kustomize_resmap_close(m);
    keys = ARENA_ARRAY(&a, str, m->list.len);
    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        keys[r->at] = sort_key(&a, &key, order, &r->id);
    kustomize_resmap_sort(m, by_key, keys);
}

static str *texts_of(struct arena *a, const struct kustomize_text_list *list)
{
    str *texts = ARENA_ARRAY(a, str, list->len);

    for (size_t i = 0; i < list->len; i++)
        texts[i] = list->v[i].text;
    return texts;
}

int kustomize_sort_check(struct kustomize_build *b, const struct kustomization *k, struct err *e)
{
    const struct kustomize_sort_options *o = &k->sort_options;

    if (!k->has_sort_options)
        return 0;
    if (!str_eq(o->order, STR("legacy")) && !str_eq(o->order, STR("fifo"))) {
        err_set(e, ERR_INVALID, "the field 'sortOptions.order' must be one of [fifo, legacy]");
        return kustomize_fail_at(b, o->node, e);
    }
    if (o->has_legacy && str_eq(o->order, STR("fifo"))) {
        err_set(e, ERR_INVALID,
                "the field 'sortOptions.legacySortOptions' is set but the selected sort order is "
                "'fifo', not 'legacy'");
        return kustomize_fail_at(b, o->legacy_node, e);
    }
    return 0;
}

static bool order_of(struct kustomize_build *b, const struct kustomize_sort_options *o,
                     struct res_order *ret)
{
    *ret = res_legacy_order;
    if (o->has_legacy)
        *ret = (struct res_order){texts_of(&b->set->arena, &o->order_first), o->order_first.len,
                                  texts_of(&b->set->arena, &o->order_last), o->order_last.len};
    return !str_eq(o->order, STR("fifo"));
}

void kustomize_sort_by(struct kustomize_build *b, const struct kustomize_sort_options *o,
                       struct kustomize_resmap *m)
{
    struct res_order order;

    if (order_of(b, o, &order))
        sort_by(m, &order);
}

bool kustomize_sort_order(struct kustomize_build *b, const struct kustomization *k,
                          struct res_order *ret)
{
    static const struct kustomize_sort_options legacy = {0};

    if (k->has_sort_options)
        return order_of(b, &k->sort_options, ret);
    return order_of(b, &legacy, ret) && b->shared->options->reorder != KUSTOMIZE_REORDER_NONE;
}

void kustomize_sort(struct kustomize_build *b, const struct kustomization *k,
                    struct kustomize_resmap *m)
{
    static const struct kustomize_sort_options legacy = {0};
    enum kustomize_reorder reorder = b->shared->options->reorder;

    if (k->has_sort_options && reorder != KUSTOMIZE_REORDER_UNSET)
        kustomize_warn(b, k->sort_options.node, "sort.overridden",
                       "sortOptions in the kustomization override --reorder");
    if (k->has_sort_options)
        kustomize_sort_by(b, &k->sort_options, m);
    else if (reorder != KUSTOMIZE_REORDER_NONE)
        kustomize_sort_by(b, &legacy, m);
}
