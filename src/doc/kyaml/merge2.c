#include "doc/kyaml/merge_priv.h"

static const str directive_key = STR_INIT("$patch");

static int merge(struct kyaml *k, struct kyaml_place place, struct doc_node *dest,
                 struct doc_node *patch, struct doc_node **ret);

static struct doc_node *directive_item(struct doc_node *list)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (doc_len(it.value) == 1 && doc_get(it.value, directive_key))
            return it.value;
    return NULL;
}

int doc_directive_take(struct doc_node *patch, enum doc_directive *ret, struct err *e)
{
    static const char names[][8] = {[DOC_DIRECTIVE_REPLACE] = "replace",
                                    [DOC_DIRECTIVE_DELETE] = "delete",
                                    [DOC_DIRECTIVE_MERGE] = "merge"};
    struct doc_node *item = doc_is_list(patch) ? directive_item(patch) : NULL;
    struct doc_node *directive = doc_get(item ? item : patch, directive_key);
    str text = doc_text(directive, STR_NONE);

    *ret = DOC_DIRECTIVE_MERGE;
    if (!directive)
        return 0;
    for (int i = DOC_DIRECTIVE_REPLACE; i <= DOC_DIRECTIVE_MERGE; i++) {
        if (!str_eq(text, str_of(names[i])))
            continue;
        *ret = (enum doc_directive)i;
        if (item)
            doc_remove_item(patch, item);
        else
            doc_remove(patch, directive_key);
        return 0;
    }
    return err_set(e, ERR_INVALID, "unknown patch strategy '%.*s'", STR_ARG(text));
}

/* ---- a part of the patch that dest has no partner for */

static int adopt(struct kyaml *k, struct kyaml_place place, struct doc_node *n, bool *ret_keep);

static int adopt_fields(struct kyaml *k, const struct kyaml_place *place, struct doc_node *map)
{
    struct doc_iter it = doc_children(map);

    while (doc_next(&it)) {
        const struct doc_node *source = it.value;
        bool keep;

        if (adopt(k, kyaml_field(k, place, it.key, &source, 1), it.value, &keep) < 0)
            return -1;
        if (!keep)
            doc_remove(map, it.key);
    }
    return 0;
}

static int adopt_items(struct kyaml *k, const struct kyaml_place *place, struct doc_node *list)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        bool keep;

        if (adopt(k, kyaml_item(k, place), it.value, &keep) < 0)
            return -1;
        if (!keep || (doc_is_map(it.value) && doc_len(it.value) == 0))
            doc_remove_item(list, it.value);
    }
    return 0;
}

/* As merging a list with itself: items that share their keys become one. */
static int adopt_list(struct kyaml *k, const struct kyaml_place *place, struct doc_node *list,
                      const str *keys, size_t count)
{
    struct kyaml_place item = kyaml_item(k, place);

    if (keys[0].len == 0)
        kyaml_drop_repeated(list);
    if (!kyaml_is_irregular(k, list, keys, count))
        return adopt_items(k, place, list);
    return kyaml_merge_irregular(k, &item, list, doc_copy(k->set, list), keys, count, merge);
}

/* Carries the directives inside out and drops nulls, as merging into nothing does. */
static int adopt(struct kyaml *k, struct kyaml_place place, struct doc_node *n, bool *ret_keep)
{
    enum doc_directive directive;
    const struct doc_node *source = n;
    str keys[DOC_SHAPE_MAX_KEYS] = {STR_NONE};
    size_t count = 0;
    int rc = 0;

    *ret_keep = !doc_is_null(n);
    if (doc_is_null(n) || doc_is_scalar(n) || doc_type(n) == DOC_ALIAS)
        return 0;
    if (kyaml_deeper(k) < 0)
        return -1;
    kyaml_root(k, &place, &source, 1);
    if (doc_is_map(n) || kyaml_is_associative(k, &place, &source, 1, keys, &count)) {
        rc = doc_directive_take(n, &directive, k->e);
        if (rc == 0 && directive == DOC_DIRECTIVE_DELETE)
            *ret_keep = false;
        else if (rc == 0)
            rc = doc_is_map(n) ? adopt_fields(k, &place, n) : adopt_list(k, &place, n, keys, count);
    }
    k->depth--;
    return rc;
}

static int take_patch(struct kyaml *k, struct kyaml_place place, struct doc_node *patch,
                      struct doc_node **ret)
{
    bool keep;

    if (adopt(k, place, patch, &keep) < 0)
        return -1;
    *ret = keep ? patch : NULL;
    return 0;
}

/* ---- lists */

/* Upstream looks for the directive of a list only where there is one to merge it with. Elsewhere it
 * is one more item without a key, which takes the place of the others. */
static int take_list(struct kyaml *k, const struct kyaml_place *place, struct doc_node *patch,
                     const str *keys, size_t count, struct doc_node **ret)
{
    if (keys[0].len == 0 || k->flags & DOC_KYAML_DEFAULT_KEYS || !directive_item(patch))
        return take_patch(k, *place, patch, ret);
    *ret = patch;
    return adopt_list(k, place, patch, keys, count);
}

/* Upstream puts what was there over what "$patch: replace" made of it when new items go in front.
 */
static bool keeps_partner(const struct kyaml *k, const struct doc_node *partner,
                          const struct doc_node *is)
{
    return k->flags & DOC_KYAML_PREPEND && !(k->flags & DOC_KYAML_DEFAULT_KEYS) &&
           doc_is_map(partner) && doc_is_map(is);
}

/* Merges each item of the patch with its partner. */
static int merge_items(struct kyaml *k, const struct kyaml_place *place, const struct keyed *keyed,
                       struct doc_node *patch, struct outcomes *outcomes, struct nodes *fresh)
{
    struct doc_iter it = doc_children(patch);

    while (doc_next(&it)) {
        struct doc_node *partner = keyed_find(k, keyed, it.value), *is;

        if (merge(k, kyaml_item(k, place), partner, it.value, &is) < 0)
            return -1;
        if (is && doc_is_map(is) && doc_len(is) == 0)
            is = NULL;
        if (is && is != partner)
            is = keeps_partner(k, partner, is) ? partner : kyaml_moved(k, is);
        if (partner)
            vec_push(outcomes, {partner, is});
        if (is && (!partner || k->flags & DOC_KYAML_PREPEND))
            vec_push(fresh, is);
    }
    return 0;
}

/* Items that no item of the patch is for. */
static int settle_rest(struct kyaml *k, const struct kyaml_place *item, const struct doc_node *dest,
                       const struct outcomes *outcomes)
{
    struct doc_iter it = doc_children(dest);

    while (doc_next(&it)) {
        size_t i = 0;

        while (i < outcomes->len && outcomes->v[i].was != it.value)
            i++;
        if (i == outcomes->len && kyaml_settle(k, *item, it.value, merge) < 0)
            return -1;
    }
    return 0;
}

/* An item that has no keys at all. */
static int refuse_scalars(struct kyaml *k, const struct doc_node *list)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (doc_is_scalar(it.value) && !doc_is_null(it.value))
            return err_set(k->e, ERR_INVALID,
                           "wrong node kind: expected MappingNode but got ScalarNode: node "
                           "contents: %.*s",
                           STR_ARG(doc_text(it.value, STR_NONE)));
    return 0;
}

static int merge_associative(struct kyaml *k, const struct kyaml_place *place,
                             struct doc_node *dest, struct doc_node *patch, const str *keys,
                             size_t count)
{
    AUTO(nodes_done) struct nodes fresh = {0};
    AUTO(outcomes_done) struct outcomes outcomes = {0};
    AUTO(keyed_done) struct keyed keyed = {.count = 0};
    struct kyaml_place item = kyaml_item(k, place);

    if (keys[0].len && refuse_scalars(k, dest) < 0)
        return -1;
    if (count > 1 && k->flags & DOC_KYAML_DEFAULT_KEYS)
        return kyaml_merge_defaulted(k, &item, dest, patch, keys, count, merge);
    if (count > 1 || kyaml_is_irregular(k, dest, keys, count) ||
        kyaml_is_irregular(k, patch, keys, count))
        return kyaml_merge_irregular(k, &item, dest, patch, keys, count, merge);
    if (keys[0].len == 0) {
        kyaml_drop_repeated(dest);
        kyaml_drop_repeated(patch);
    }
    keyed_init(&keyed, k, dest, keys, count);
    if (merge_items(k, place, &keyed, patch, &outcomes, &fresh) < 0 ||
        settle_rest(k, &item, dest, &outcomes) < 0)
        return -1;
    kyaml_rebuild(k, dest, &outcomes, &fresh);
    return 0;
}

static int merge_list(struct kyaml *k, const struct kyaml_place *place, struct doc_node *dest,
                      struct doc_node *patch, struct doc_node **ret)
{
    const struct doc_node *sources[] = {dest, patch};
    str keys[DOC_SHAPE_MAX_KEYS] = {STR_NONE};
    enum doc_directive directive;
    size_t count;

    *ret = doc_is_null(patch) ? NULL : patch;
    if (!kyaml_is_associative(k, place, sources, 2, keys, &count) || doc_is_null(patch))
        return 0;
    if (doc_is_null(dest))
        return take_list(k, place, patch, keys, count, ret);
    if (doc_directive_take(patch, &directive, k->e) < 0)
        return -1;
    if (directive == DOC_DIRECTIVE_DELETE) {
        *ret = NULL;
        return 0;
    }
    if (directive == DOC_DIRECTIVE_REPLACE)
        return take_patch(k, *place, patch, ret);
    *ret = dest;
    return merge_associative(k, place, dest, patch, keys, count);
}

/* ---- maps */

static int settle_others(struct kyaml *k, const struct kyaml_place *place, struct doc_node *dest,
                         const struct doc_node *patch)
{
    struct doc_iter it = doc_children(dest);

    while (doc_next(&it))
        if (!doc_get(patch, it.key) && kyaml_settle_field(k, place, dest, it.value, merge) < 0)
            return -1;
    return 0;
}

static int merge_fields(struct kyaml *k, const struct kyaml_place *place, struct doc_node *dest,
                        struct doc_node *patch)
{
    AUTO(str_vec_done) struct str_vec keys = {0};
    const struct doc_node *source = patch;

    if (settle_others(k, place, dest, patch) < 0)
        return -1;
    kyaml_keys(&source, 1, &keys);
    for (size_t i = 0; i < keys.len; i++) {
        struct doc_node *value = doc_get(patch, keys.v[i]), *had = doc_get(dest, keys.v[i]);
        struct doc_node *is = NULL;
        const struct doc_node *sources[] = {had, value};

        if (merge(k, kyaml_field(k, place, keys.v[i], sources, 2), had, value, &is) < 0)
            return -1;
        kyaml_set(k, dest, keys.v[i], is, value);
    }
    return 0;
}

static int merge_map(struct kyaml *k, const struct kyaml_place *place, struct doc_node *dest,
                     struct doc_node *patch, struct doc_node **ret)
{
    enum doc_directive directive;

    *ret = NULL;
    if (doc_is_null(patch))
        return 0;
    if (doc_is_null(dest))
        return take_patch(k, *place, patch, ret);
    if (doc_directive_take(patch, &directive, k->e) < 0)
        return -1;
    switch (directive) {
    case DOC_DIRECTIVE_DELETE:
        return 0;
    case DOC_DIRECTIVE_REPLACE:
        return take_patch(k, *place, patch, ret);
    case DOC_DIRECTIVE_MERGE:
        break;
    }
    *ret = dest;
    return merge_fields(k, place, dest, patch);
}

/* Comments of the patch stand in for those of dest. */
static void take_comments(struct kyaml *k, struct doc_node *dest, const struct doc_node *patch)
{
    struct doc_extra *x;

    if (!dest || !patch || !patch->extra)
        return;
    x = doc_extra(k->set, dest);
    x->head = patch->extra->head.len ? patch->extra->head : x->head;
    x->line = patch->extra->line.len ? patch->extra->line : x->line;
    x->foot = patch->extra->foot.len ? patch->extra->foot : x->foot;
}

static int merge(struct kyaml *k, struct kyaml_place place, struct doc_node *dest,
                 struct doc_node *patch, struct doc_node **ret)
{
    const struct doc_node *sources[] = {dest, patch};
    int type = kyaml_type(k, sources, 2), rc = 0;

    if (type < 0)
        return -1;
    if (kyaml_deeper(k) < 0)
        return -1;
    kyaml_root(k, &place, sources, 2);
    take_comments(k, dest, patch);
    *ret = doc_is_null(patch) ? NULL : patch;
    if (type == DOC_MAP)
        rc = merge_map(k, &place, dest, patch, ret);
    else if (type == DOC_LIST)
        rc = merge_list(k, &place, dest, patch, ret);
    k->depth--;
    return rc;
}

int doc_kyaml_merge(struct doc_set *set, struct doc_node *dest, const struct doc_node *patch,
                    const struct doc_schema *schema, unsigned flags, struct doc_node **ret,
                    struct err *e)
{
    struct kyaml k = {.set = set, .schema = schema, .flags = flags, .e = e};

    *ret = dest;
    return patch ? merge(&k, (struct kyaml_place){0}, dest, doc_copy(set, patch), ret) : 0;
}
