/* Aliases and merge keys: copies, under the budget. */
#include "doc/yaml/build_priv.h"

/* A copy that shares the texts, which live as long as the set. Its place is that of the alias. */
static struct doc_node *copy_one(struct yaml_builder *b, const struct doc_node *from,
                                 const struct doc_yaml_event *ev)
{
    struct doc_node *n = yaml_build_node(b, (enum doc_type)from->type, (enum doc_style)from->style,
                                         ev->begin, ev->end);

    n->is_int = from->is_int;
    n->bool_val = from->bool_val;
    if (from->type <= DOC_STRING) {
        n->text = from->text;
        n->len = from->len;
    }
    if (from->key) {
        n->key = from->key;
        n->key_len = from->key_len;
        n->key_hash = from->key_hash;
        n->key_style = from->key_style;
        n->is_quoted_key = from->is_quoted_key;
    }
    if (from->extra && from->extra->tag.len)
        doc_extra(b->set, n)->tag = from->extra->tag;
    return n;
}

/* Deep, with a stack of its own: what was read may be nested as deeply as the limit allows. */
static struct doc_node *copy(struct yaml_builder *b, const struct doc_node *from,
                             const struct doc_yaml_event *ev)
{
    struct level {
        struct doc_iter it;
        struct doc_node *to;
    };
    VEC(struct level) levels = {0};
    struct doc_node *top = copy_one(b, from, ev);

    top->key = NULL;
    top->key_len = 0;
    vec_push(&levels, {doc_children(from), top});
    while (levels.len) {
        struct level *level = &vec_last(&levels);
        struct doc_node *n;

        if (!doc_next(&level->it)) {
            levels.len--;
            continue;
        }
        n = copy_one(b, level->it.value, ev);
        doc_push(b->set, level->to, n);
        if (doc_len(level->it.value))
            vec_push(&levels, {doc_children(level->it.value), n});
    }
    vec_done(&levels);
    return top;
}

struct doc_node *yaml_build_alias(struct yaml_builder *b, const struct doc_yaml_event *ev)
{
    struct yaml_anchor *anchor = map_get(&b->anchors, ev->anchor);
    struct doc_node *n;

    if (!anchor) {
        yaml_build_fail(b, ev->begin, "yaml.anchor", "unknown anchor '%.*s' referenced",
                        STR_ARG(ev->anchor));
        return NULL;
    }
    if (anchor->nodes == 0) {
        yaml_build_fail(b, ev->begin, "yaml.anchor", "anchor '%.*s' value contains itself",
                        STR_ARG(ev->anchor));
        return NULL;
    }
    if (b->flags & DOC_KEEP_ALIASES) {
        n = yaml_build_node(b, DOC_ALIAS, DOC_PLAIN, ev->begin, ev->end);
        n->text = NULL;
        doc_extra(b->set, n)->anchor = ev->anchor;
        n->extra->target = anchor->node;
        return n;
    }
    b->expanded += anchor->nodes;
    if (b->expanded > b->limits.max_expansion) {
        yaml_build_fail(b, ev->begin, "yaml.limit", "aliases expand to more than %llu nodes",
                        (unsigned long long)b->limits.max_expansion);
        return NULL;
    }
    return copy(b, anchor->node, ev);
}

/* ---- merge keys */

static struct yaml_frame *frame_of(struct yaml_builder *b, const struct doc_node *map)
{
    size_t i = b->open.len;

    while (b->open.v[i - 1].node != map)
        i--;
    return &b->open.v[i - 1];
}

/* Moves an entry of a merged map into map, which is open. */
static void take_entry(struct yaml_builder *b, struct yaml_frame *f, struct doc_node *entry)
{
    struct doc_node *there = doc_get(f->node, doc_key(entry));

    if (there) {
        if (!b->dialect.merge_overrides)
            return;
        uint32_t begin = entry->begin, end = entry->end;

        doc_replace(there, entry);
        there->begin = begin; /* read like this, not changed */
        there->end = end;
        there->is_changed = false;
        entry = there;
    } else {
        doc_push(b->set, f->node, entry);
        f->seen |= (uint64_t)1 << (entry->key_hash >> 26);
    }
    vec_push(&b->merged, entry);
}

static void merge_map(struct yaml_builder *b, struct doc_node *map, struct doc_node *from)
{
    struct yaml_frame *f = frame_of(b, map);
    struct doc_iter it = doc_children(from);

    while (doc_next(&it))
        take_entry(b, f, it.value);
}

/* Of several maps the first that has a key counts: where the last one put in wins they go in
 * backwards. */
static void merge_list(struct yaml_builder *b, struct doc_node *map, struct doc_node *list)
{
    VEC(struct doc_node *) maps = {0};
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        vec_push(&maps, it.value);
    for (size_t i = 0; i < maps.len; i++)
        merge_map(b, map, maps.v[b->dialect.merge_overrides ? maps.len - 1 - i : i]);
    vec_done(&maps);
}

bool yaml_build_merge(struct yaml_builder *b, struct doc_node *map, struct doc_node *value)
{
    struct doc_iter it = doc_children(value);

    map->end = MAX(map->end, value->end); /* also when nothing of it is taken */
    if (value->type == DOC_MAP) {
        merge_map(b, map, value);
        return true;
    }
    while (doc_next(&it))
        if (it.value->type != DOC_MAP)
            return yaml_build_fail(b, it.value->begin, "yaml.merge", "%s", yaml_merge_refusal);
    merge_list(b, map, value);
    return true;
}
