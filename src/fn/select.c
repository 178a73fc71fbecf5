#include "fn/select.h"

#include "base/map.h"

void fn_selector_done(struct fn_selector *s)
{
    vec_done(&s->labels);
    vec_done(&s->annotations);
    *s = (struct fn_selector){0};
}

void fn_selection_done(struct fn_selection *s)
{
    for (size_t i = 0; i < s->selectors.len; i++)
        fn_selector_done(&s->selectors.v[i]);
    for (size_t i = 0; i < s->exclude.len; i++)
        fn_selector_done(&s->exclude.v[i]);
    vec_done(&s->selectors);
    vec_done(&s->exclude);
}

bool fn_selector_is_empty(const struct fn_selector *s)
{
    return !s->api_version.len && !s->kind.len && !s->name.len && !s->ns.len && !s->labels.len &&
           !s->annotations.len;
}

static bool is_text(str wanted, const struct doc_node *n)
{
    return !wanted.len || str_eq(wanted, doc_text(n, STR_NONE));
}

static bool has_pairs(const struct fn_pair *pairs, size_t count, const struct doc_node *map)
{
    for (size_t i = 0; i < count; i++) {
        const struct doc_node *value = doc_get(map, pairs[i].key);

        if (!value || !str_eq(doc_text(value, STR_NONE), pairs[i].value))
            return false;
    }
    return true;
}

static bool fn_selector_matches(const struct fn_selector *s, const struct doc_node *item)
{
    const struct doc_node *metadata = doc_get_lit(item, "metadata");

    return is_text(s->api_version, doc_get_lit(item, "apiVersion")) &&
           is_text(s->kind, doc_get_lit(item, "kind")) &&
           is_text(s->name, doc_get_lit(metadata, "name")) &&
           is_text(s->ns, doc_get_lit(metadata, "namespace")) &&
           has_pairs(s->labels.v, s->labels.len, doc_get_lit(metadata, "labels")) &&
           has_pairs(s->annotations.v, s->annotations.len, doc_get_lit(metadata, "annotations"));
}

bool fn_selects_all(const struct fn_selection *s)
{
    for (size_t i = 0; i < s->exclude.len; i++)
        if (!fn_selector_is_empty(&s->exclude.v[i]))
            return false;
    return s->selectors.len == 0;
}

static bool is_selected(const struct fn_selection *s, const struct doc_node *item)
{
    bool selected = s->selectors.len == 0;

    for (size_t i = 0; i < s->selectors.len && !selected; i++)
        selected = fn_selector_matches(&s->selectors.v[i], item);
    for (size_t i = 0; i < s->exclude.len && selected; i++)
        selected =
            fn_selector_is_empty(&s->exclude.v[i]) || !fn_selector_matches(&s->exclude.v[i], item);
    return selected;
}

void fn_select(const struct fn_selection *s, const struct doc_list *items, struct doc_list *ret)
{
    for (size_t i = 0; i < items->len; i++)
        if (is_selected(s, items->v[i]))
            vec_push(ret, items->v[i]);
}

static void put_all(struct map *set, const struct doc_list *nodes)
{
    for (size_t i = 0; i < nodes->len; i++)
        map_put(set, (str){(const char *)&nodes->v[i], sizeof(nodes->v[i])}, set);
}

static bool has_node(const struct map *set, struct doc_node *const *node)
{
    return map_has(set, (str){(const char *)node, sizeof(*node)});
}

void fn_select_merge(const struct doc_list *selected, const struct doc_list *output,
                     struct doc_list *items)
{
    AUTO(map_done) struct map went_in = {0}, came_out = {0};
    struct doc_list merged = {0};

    put_all(&went_in, selected);
    put_all(&came_out, output);
    for (size_t i = 0; i < items->len; i++)
        if (!has_node(&went_in, &items->v[i]) || has_node(&came_out, &items->v[i]))
            vec_push(&merged, items->v[i]);
    for (size_t i = 0; i < output->len; i++)
        if (!has_node(&went_in, &output->v[i]))
            vec_push(&merged, output->v[i]);
    doc_list_done(items);
    *items = merged;
}
