#include "base/order.h"
#include "doc/kyaml/merge_priv.h"
#include "doc/kyaml/node.h"
#include "doc/parse.h"

static str schema_name(const struct doc_node *n)
{
    str ref = doc_string(doc_get_lit(n, "$ref"), STR_NONE);

    return str_drop_prefix(&ref, STR("#/definitions/")) ? ref : STR_NONE;
}

static doc_shape named_shape(const struct kyaml *k, const struct doc_node *n)
{
    str name = schema_name(n);

    return name.len && k->schema && k->schema->definition ? k->schema->definition(k->schema, name)
                                                          : 0;
}

static str kept(const struct kyaml *k, const struct doc_node *text)
{
    return arena_dup(&k->set->arena, doc_string(text, STR_NONE));
}

/* Reads a schema out of a comment; false when it holds none. */
static bool read_comment(const struct kyaml *k, str comment, struct kyaml_place *ret)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = NULL;
    const struct doc_node *n;
    struct doc_iter keys;

    while (str_drop_prefix(&comment, STR("#")))
        ;
    comment = str_trim(comment);
    if (!str_starts(comment, STR("{")))
        return false;
    set = doc_set_new();
    n = doc_parse_json(set, comment, "comment", &e);
    if (!n)
        return false;
    *ret = (struct kyaml_place){.shape = named_shape(k, n)};
    if (schema_name(n).len)
        return true;
    if (!str_eq(doc_string(doc_get_lit(n, "type"), STR_NONE), STR("array")))
        return false;
    ret->is_own = true;
    ret->own.kind = DOC_SHAPE_LIST;
    ret->own.is_merge = str_contains(
        doc_string(doc_get_lit(n, "x-kubernetes-patch-strategy"), STR_NONE), STR("merge"));
    ret->own.merge_key = kept(k, doc_get_lit(n, "x-kubernetes-patch-merge-key"));
    keys = doc_children(doc_get_lit(n, "x-kubernetes-list-map-keys"));
    while (ret->own.key_count < DOC_SHAPE_MAX_KEYS && doc_next(&keys))
        ret->own.keys[ret->own.key_count++] = kept(k, keys.value);
    ret->item = named_shape(k, doc_get_lit(n, "items"));
    return true;
}

static bool read_comments(const struct kyaml *k, const struct doc_node *n, struct kyaml_place *ret)
{
    return n && n->extra &&
           (read_comment(k, n->extra->line, ret) || read_comment(k, n->extra->head, ret) ||
            read_comment(k, n->extra->key_line, ret) || read_comment(k, n->extra->key_head, ret));
}

void kyaml_root(struct kyaml *k, struct kyaml_place *place, const struct doc_node *const *sources,
                size_t count)
{
    for (size_t i = 0; i < count && !place->shape && !place->is_own; i++)
        place->shape = doc_schema_of(k->schema, sources[i]);
}

struct kyaml_place kyaml_field(struct kyaml *k, const struct kyaml_place *map, str key,
                               const struct doc_node *const *sources, size_t count)
{
    struct kyaml_place place = {0};

    for (size_t i = 0; i < count; i++)
        if (read_comments(k, sources[i], &place))
            return place;
    if (map->shape)
        place.shape = k->schema->field(k->schema, map->shape, key);
    return place;
}

struct kyaml_place kyaml_item(struct kyaml *k, const struct kyaml_place *list)
{
    struct kyaml_place place = {.shape = list->item};

    if (!list->is_own && list->shape)
        place.shape = k->schema->item(k->schema, list->shape);
    return place;
}

/* The field that tells the items of a list apart when nothing else says so. */
static str inferred_key(const struct doc_node *const *sources, size_t count)
{
    static const char names[][14] = {"mountPath",   "devicePath", "ip",           "type",
                                     "topologyKey", "name",       "containerPort"};

    for (size_t i = 0; i < count; i++) {
        const struct doc_node *first = doc_is_list(sources[i]) ? doc_first(sources[i]) : NULL;

        for (size_t j = 0; j < ARRAY_LEN(names); j++)
            if (doc_get(first, str_of(names[j])))
                return str_of(names[j]);
    }
    return STR_NONE;
}

bool kyaml_is_associative(struct kyaml *k, const struct kyaml_place *list,
                          const struct doc_node *const *sources, size_t count,
                          str keys[DOC_SHAPE_MAX_KEYS], size_t *ret_count)
{
    struct doc_shape_info info = list->own;

    *ret_count = 0;
    if (!list->is_own && list->shape)
        k->schema->info(k->schema, list->shape, &info);
    if (!list->is_own && !list->shape) {
        keys[0] = k->flags & DOC_KYAML_INFER ? inferred_key(sources, count) : STR_NONE;
        *ret_count = keys[0].len > 0;
        return keys[0].len > 0;
    }
    if (!info.is_merge)
        return false;
    for (; *ret_count < info.key_count; ++*ret_count)
        keys[*ret_count] = info.keys[*ret_count];
    if (*ret_count == 0) /* without any key, scalars are their own */
        keys[(*ret_count)++] = info.merge_key;
    return true;
}

str kyaml_key_text(const struct doc_node *item, str key)
{
    return doc_text(key.len ? doc_get(item, key) : item, STR_NONE);
}

struct doc_node *kyaml_find_item(const struct doc_node *list, const str *keys, const str *values,
                                 size_t count)
{
    struct doc_iter it = doc_children(list);
    size_t given = 0;

    for (size_t i = 0; i < count; i++)
        given += values[i].len > 0;
    while (given && doc_next(&it)) {
        size_t i = 0;

        while (i < count &&
               (values[i].len == 0 || str_eq(kyaml_key_text(it.value, keys[i]), values[i])))
            i++;
        if (i == count)
            return it.value;
    }
    return NULL;
}

struct doc_node *kyaml_moved(struct kyaml *k, const struct doc_node *n)
{
    struct doc_node *moved = ARENA_NEW(&k->set->arena, struct doc_node);

    *moved = *n;
    moved->next = NULL;
    moved->key = NULL;
    moved->key_len = 0;
    if (n->extra) {
        moved->extra = ARENA_NEW(&k->set->arena, struct doc_extra);
        *moved->extra = *n->extra;
        moved->extra->twin = NULL;
        moved->extra->key_head = moved->extra->key_line = moved->extra->key_foot = STR_NONE;
    }
    return moved;
}

/* A build's patch leaves quotes and blocks as they are: what it puts there is a text. */
static bool makes_text(const struct kyaml *k, const struct doc_node *old,
                       const struct doc_node *value)
{
    return k->flags & DOC_KYAML_PREPEND && doc_is_string(old) && old->style != DOC_PLAIN &&
           (value->type == DOC_NUMBER || value->type == DOC_BOOL);
}

static struct doc_node *as_text(struct kyaml *k, const struct doc_node *value, enum doc_style style)
{
    struct doc_node *text = doc_new_string(k->set, doc_text(value, STR_NONE));

    text->style = style;
    return text;
}

void kyaml_set(struct kyaml *k, struct doc_node *map, str key, struct doc_node *value,
               const struct doc_node *like)
{
    struct doc_node *old = doc_get(map, key), *made;
    bool is_build = (k->flags & DOC_KYAML_PREPEND) != 0, was_text = doc_is_string(old), was_folded;
    enum doc_style style = old ? (enum doc_style)old->style : DOC_PLAIN;

    if (!value) {
        doc_remove(map, key);
        return;
    }
    if (old == value)
        return;
    was_folded = was_text && style == DOC_FOLDED;
    if (makes_text(k, old, value))
        value = as_text(k, value, style);
    made = doc_set_field(k->set, map, key, kyaml_moved(k, value));
    if ((was_folded || (is_build && was_text)) && doc_is_string(made))
        made->style = style; /* that of what was there: it decides what comes of a number */
    else if (old && doc_is_string(made) && made->style == DOC_FOLDED)
        made->style = DOC_PLAIN;
    if (!old && like) {
        made->key_style = like->key_style;
        made->is_quoted_key = like->is_quoted_key;
    }
}

void kyaml_refill(struct doc_node *list, const struct nodes *items)
{
    if (list->len == 0 && items->len) /* "[]" could not be written otherwise */
        list->style = DOC_PLAIN;
    list->last = NULL;
    list->len = 0;
    for (size_t i = 0; i < items->len; i++) {
        items->v[i]->next = NULL;
        doc_append(list, items->v[i]);
    }
}

void kyaml_keys(const struct doc_node *const *sources, size_t count, struct str_vec *ret)
{
    size_t len = 0;

    for (size_t i = 0; i < count; i++) {
        struct doc_iter it = doc_children(doc_is_map(sources[i]) ? sources[i] : NULL);

        while (doc_next(&it))
            vec_push(ret, it.key);
    }
    vec_sort(ret, order_str);
    for (size_t i = 0; i < ret->len; i++)
        if (i == 0 || !str_eq(ret->v[i], ret->v[len - 1]))
            ret->v[len++] = ret->v[i];
    ret->len = len;
}

int kyaml_type(struct kyaml *k, const struct doc_node *const *sources, size_t count)
{
    const struct doc_node *first = NULL;

    for (size_t i = 0; i < count; i++) {
        if (doc_is_null(sources[i]) || doc_type(sources[i]) == DOC_ALIAS)
            continue;
        if (!first)
            first = sources[i];
        else if (strcmp(doc_kyaml_kind(first), doc_kyaml_kind(sources[i])) != 0)
            return err_set(k->e, ERR_INVALID, "wrong node kind: expected %s but got %s",
                           doc_kyaml_kind(first), doc_kyaml_kind(sources[i]));
    }
    return !first ? DOC_NULL : doc_is_scalar(first) ? DOC_STRING : (int)doc_type(first);
}
