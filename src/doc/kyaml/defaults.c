/* Merging lists with compound keys whose items need not give every part (kustomize's KD-1): a part
 * that is left out means its default in the API. */
#include "doc/kyaml/merge_priv.h"

static str default_of(str key) { return str_eq(key, STR("protocol")) ? STR("TCP") : STR_NONE; }

static str text_or_default(const struct doc_node *item, str key)
{
    str text = kyaml_key_text(item, key);

    return text.len ? text : default_of(key);
}

/* The first item that agrees in all parts that the patch's item gives or that have a default. */
static struct doc_node *find_partner(const struct doc_node *list, const struct doc_node *item,
                                     const str *keys, size_t count)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        size_t same = 0;

        for (size_t i = 0; i < count; i++) {
            str wanted = text_or_default(item, keys[i]);

            same += !wanted.len || str_eq(wanted, text_or_default(it.value, keys[i]));
        }
        if (same == count)
            return it.value;
    }
    return NULL;
}

static struct outcome *outcome_of(const struct outcomes *all, const struct doc_node *was)
{
    for (size_t i = 0; i < all->len; i++)
        if (all->v[i].was == was)
            return &all->v[i];
    return NULL;
}

static void refill(struct doc_node *list, const struct outcomes *outcomes,
                   const struct nodes *fresh, bool is_prepend)
{
    AUTO(nodes_done) struct nodes items = {0};
    struct doc_iter it = doc_children(list);

    for (size_t i = 0; is_prepend && i < fresh->len; i++)
        vec_push(&items, fresh->v[i]);
    while (doc_next(&it)) {
        const struct outcome *o = outcome_of(outcomes, it.value);

        if (!o || o->is)
            vec_push(&items, o ? o->is : it.value);
    }
    for (size_t i = 0; !is_prepend && i < fresh->len; i++)
        vec_push(&items, fresh->v[i]);
    kyaml_refill(list, &items);
}

int kyaml_merge_defaulted(struct kyaml *k, const struct kyaml_place *item, struct doc_node *dest,
                          const struct doc_node *patch, const str *keys, size_t count,
                          kyaml_merge_fn *merge)
{
    AUTO(nodes_done) struct nodes fresh = {0};
    AUTO(outcomes_done) struct outcomes outcomes = {0};
    struct doc_iter it = doc_children(patch);

    while (doc_next(&it)) {
        struct doc_node *partner = find_partner(dest, it.value, keys, count), *is;
        struct outcome *o = partner ? outcome_of(&outcomes, partner) : NULL;

        if (merge(k, *item, o ? o->is : partner, it.value, &is) < 0)
            return -1;
        if (is && doc_is_map(is) && doc_len(is) == 0)
            is = NULL;
        if (is && is != partner)
            is = kyaml_moved(k, is);
        if (o)
            o->is = is;
        else if (partner)
            vec_push(&outcomes, {partner, is});
        else if (is)
            vec_push(&fresh, is);
    }
    refill(dest, &outcomes, &fresh, (k->flags & DOC_KYAML_PREPEND) != 0);
    return 0;
}
