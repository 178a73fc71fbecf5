#include "doc/yaml/build_priv.h"

#include "base/buf.h"
#include "base/hash.h"

const char yaml_merge_refusal[] = "map merge requires map or sequence of maps as the value";

void yaml_builder_start(struct yaml_builder *b)
{
    for (uint32_t type = DOC_NULL; type <= DOC_ALIAS; type++)
        b->type_bits[type] = (struct doc_node){.type = type, .source = b->source}.bits;
    for (uint32_t style = DOC_PLAIN; style <= DOC_FLOW; style++) {
        b->style_bits[style] = (struct doc_node){.style = style}.bits;
        b->key_style_bits[style] =
            (struct doc_node){.key_style = style, .is_quoted_key = style != DOC_PLAIN}.bits;
    }
}

void yaml_builder_done(struct yaml_builder *b)
{
    vec_done(&b->open);
    vec_done(&b->merged);
    map_done(&b->anchors);
}

bool yaml_build_fail(struct yaml_builder *b, uint32_t where, const char *code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    b->why = arena_vprintf(&b->set->arena, fmt, args);
    va_end(args);
    b->why_at = where;
    b->code = code;
    return false;
}

static inline bool check_nodes(struct yaml_builder *b, uint32_t where)
{
    if (LIKELY(b->nodes <= b->limits.max_nodes))
        return true;
    return yaml_build_fail(b, where, "yaml.limit", "the text has more than %llu nodes",
                           (unsigned long long)b->limits.max_nodes);
}

/* ---- keys */

static bool refuse_duplicate(struct yaml_builder *b, const struct yaml_frame *f,
                             const struct doc_node *first)
{
    struct doc_place place = doc_key_place(b->set, first);
    const char *merge = str_eq(f->key, STR("<<")) ? "merge " : "";

    return yaml_build_fail(b, f->key_begin, "yaml.duplicate-key",
                           "duplicate %skey \"%.*s\", first at line %u column %u", merge,
                           (int)MIN(f->key.len, (size_t)100), f->key.p, place.line, place.column);
}

/* Whether the entry came by "<<"; then it is the map's own from now on. */
static bool forget_merged(struct yaml_builder *b, const struct yaml_frame *f,
                          const struct doc_node *n)
{
    for (size_t i = b->merged.len; i > f->merged_from; i--) {
        if (b->merged.v[i - 1] != n)
            continue;
        b->merged.v[i - 1] = vec_last(&b->merged);
        b->merged.len--;
        return true;
    }
    return false;
}

/* A key that may be there already: refused, or the entry of before is to take the new value. */
static bool find_duplicate(struct yaml_builder *b, struct yaml_frame *f)
{
    struct doc_node *first = doc_get(f->node, f->key);

    if (first && !forget_merged(b, f, first)) {
        bool first_wins = (b->flags & DOC_FIRST_WINS) != 0;

        if (!b->dialect.last_wins && !first_wins)
            return refuse_duplicate(b, f, first);
        if (b->ret_repeated && !*b->ret_repeated)
            *b->ret_repeated = first;
        if (first_wins) /* what follows goes into a node that is in no tree */
            first = yaml_build_node(b, DOC_NULL, DOC_PLAIN, f->key_begin, f->key_end);
    }
    f->reuse = first;
    return true;
}

static inline bool key_is_new(struct yaml_builder *b, struct yaml_frame *f)
{
    uint64_t bit = (uint64_t)1 << (f->key_hash >> 26);

    if (LIKELY(!(f->seen & bit))) {
        f->seen |= bit;
        return true;
    }
    return find_duplicate(b, f);
}

static inline bool is_merge_key(const struct yaml_builder *b, str key)
{
    return key.len == 2 && key.p[0] == '<' && key.p[1] == '<' && !(b->flags & DOC_KEEP_ALIASES);
}

static bool take_merge_key(struct yaml_builder *b, struct yaml_frame *f)
{
    if (f->had_merge && !b->dialect.merge_overrides)
        return yaml_build_fail(b, f->key_begin, "yaml.duplicate-key", "duplicate key \"<<\"");
    f->is_merge = f->had_merge = true;
    return true;
}

static inline bool take_key(struct yaml_builder *b, struct yaml_frame *f, str key, uint32_t begin,
                            uint32_t end, enum doc_style style)
{
    f->key = key;
    f->key_hash = hash_str(key);
    f->key_begin = begin;
    f->key_end = end;
    f->key_style = (uint8_t)style;
    f->has_key = true;
    f->is_merge = false;
    f->is_key_outside = (size_t)(key.p - b->text.p) >= b->text.len;
    if (UNLIKELY(style == DOC_PLAIN && is_merge_key(b, key)))
        return take_merge_key(b, f);
    return key_is_new(b, f);
}

/* ---- values */

static inline void set_key(struct yaml_builder *b, struct yaml_frame *f, struct doc_node *n)
{
    n->bits |= b->key_style_bits[f->key_style];
    n->key = f->key.p;
    n->key_len = (uint32_t)f->key.len;
    n->key_hash = f->key_hash;
    if (UNLIKELY(f->is_key_outside)) {
        struct doc_extra *x = doc_extra(b->set, n);

        x->key_begin = f->key_begin;
        x->key_end = f->key_end;
    }
    if (UNLIKELY(f->key_comments != NULL))
        yaml_attach_entry(b, f, n);
    f->has_key = false;
}

/* Makes the entry of before hold the value of n, and stand where it stood. */
static struct doc_node *reuse_entry(struct yaml_frame *f, const struct doc_node *n)
{
    struct doc_node *entry = f->reuse, *next = entry->next;

    *entry = *n;
    entry->next = next;
    f->reuse = NULL;
    return entry;
}

/* Puts a scalar, an alias or a collection just opened where it belongs. Returns the node to go on
 * with. */
static inline struct doc_node *put(struct yaml_builder *b, struct doc_node *n)
{
    struct yaml_frame *f = b->open.len ? &vec_last(&b->open) : NULL;

    if (!f)
        return b->root = n;
    if (f->node->type == DOC_MAP) {
        set_key(b, f, n);
        if (UNLIKELY(f->reuse != NULL))
            return reuse_entry(f, n);
    }
    doc_push(b->set, f->node, n);
    return n;
}

/* The map that n is to be merged into, when it is the value of "<<". */
static struct doc_node *merge_target(struct yaml_builder *b)
{
    struct yaml_frame *f = b->open.len ? &vec_last(&b->open) : NULL;

    if (LIKELY(!f || !f->has_key || !f->is_merge))
        return NULL;
    f->has_key = false;
    return f->node;
}

static void keep_properties(struct yaml_builder *b, const struct doc_yaml_event *ev,
                            struct doc_node *n)
{
    struct yaml_anchor *anchor;

    if (ev->tag.len)
        doc_extra(b->set, n)->tag = ev->tag;
    if (!ev->anchor.len)
        return;
    if (b->flags & DOC_KEEP_ALIASES)
        doc_extra(b->set, n)->anchor = ev->anchor;
    anchor = ARENA_NEW(&b->set->arena, struct yaml_anchor);
    anchor->node = n;
    anchor->nodes = n->type <= DOC_STRING;
    map_put(&b->anchors, ev->anchor, anchor);
    if (!anchor->nodes)
        vec_last(&b->open).anchor = anchor;
}

static struct yaml_frame *frame_wanting_key(struct yaml_builder *b)
{
    struct yaml_frame *f = b->open.len ? &vec_last(&b->open) : NULL;

    return f && f->node->type == DOC_MAP && !f->has_key ? f : NULL;
}

/* With a tag it is no merge key, unless that tag says so. */
static enum doc_style style_of_key(const struct doc_yaml_event *ev)
{
    if (ev->tag.len && !str_eq(ev->tag, STR("tag:yaml.org,2002:merge")) &&
        str_eq(ev->value, STR("<<")))
        return DOC_SINGLE;
    return ev->style;
}

static bool scalar_key(struct yaml_builder *b, struct yaml_frame *f,
                       const struct doc_yaml_event *ev)
{
    str key;
    const char *why = dialect_key(&b->dialect, ev, &b->set->arena, &key);

    if (why)
        return yaml_build_fail(b, ev->content, "yaml.key", "%s", why);
    if (UNLIKELY(ev->anchor.len)) { /* an alias may refer to a key */
        struct doc_node *n = yaml_build_node(b, DOC_STRING, ev->style, ev->content, ev->end);

        why = dialect_scalar(&b->dialect, ev, &b->set->arena, n);
        if (why)
            return yaml_build_fail(b, ev->content, "yaml.tag", "%s", why);
        keep_properties(b, ev, n);
    }
    if (UNLIKELY(ev->comments != NULL))
        yaml_attach_key(b, f, ev->comments);
    return take_key(b, f, key, ev->content, ev->end, style_of_key(ev));
}

static bool scalar(struct yaml_builder *b, const struct doc_yaml_event *ev)
{
    struct yaml_frame *f = frame_wanting_key(b);
    struct doc_node *n;
    const char *why;

    if (f)
        return scalar_key(b, f, ev);
    n = yaml_build_node(b, DOC_STRING, ev->style, ev->content, ev->end);
    why = dialect_scalar(&b->dialect, ev, &b->set->arena, n);
    if (UNLIKELY(why))
        return yaml_build_fail(b, ev->begin, "yaml.tag", "%s", why);
    if (merge_target(b))
        return yaml_build_fail(b, ev->begin, "yaml.merge", "%s", yaml_merge_refusal);
    n = put(b, n);
    if (UNLIKELY(ev->tag.len || ev->anchor.len))
        keep_properties(b, ev, n);
    if (UNLIKELY(ev->comments != NULL))
        yaml_attach_scalar(b, n, ev->comments);
    return check_nodes(b, ev->begin);
}

static bool alias(struct yaml_builder *b, const struct doc_yaml_event *ev)
{
    struct yaml_frame *f = frame_wanting_key(b);
    struct doc_node *n = yaml_build_alias(b, ev);
    struct doc_node *map;
    const char *why;
    str key;

    if (!n)
        return false;
    if (!f) {
        map = merge_target(b);
        if (!map)
            n = put(b, n);
        else if (n->type != DOC_MAP)
            return yaml_build_fail(b, ev->begin, "yaml.merge", "%s", yaml_merge_refusal);
        else
            yaml_build_merge(b, map, n);
        if (UNLIKELY(ev->comments != NULL))
            yaml_attach_scalar(b, n, ev->comments);
        return check_nodes(b, ev->begin);
    }
    why = dialect_key_of(&b->dialect, n->type == DOC_ALIAS ? n->extra->target : n, &b->set->arena,
                         &key);
    if (why)
        return yaml_build_fail(b, ev->begin, "yaml.key", "%s", why);
    if (UNLIKELY(ev->comments != NULL))
        yaml_attach_key(b, f, ev->comments);
    return take_key(b, f, key, ev->content, ev->end, style_of_key(ev));
}

/* ---- collections */

static inline void push_frame(struct yaml_builder *b, struct doc_node *n, struct doc_node *merge)
{
    vec_push(
        &b->open,
        {.node = n, .nodes_before = b->nodes - 1, .merged_from = b->merged.len, .merge = merge});
}

static bool open_collection(struct yaml_builder *b, const struct doc_yaml_event *ev,
                            enum doc_type type)
{
    struct yaml_frame *f = frame_wanting_key(b);
    struct doc_node *n, *merge;

    if (f)
        return yaml_build_fail(b, ev->begin, "yaml.key", "a list or map cannot be a key");
    n = yaml_build_node(b, type, ev->style, ev->content, ev->end);
    merge = merge_target(b);
    if (!merge)
        n = put(b, n);
    push_frame(b, n, merge);
    if (UNLIKELY(ev->tag.len || ev->anchor.len))
        keep_properties(b, ev, n);
    if (UNLIKELY(ev->comments != NULL))
        yaml_attach_start(b, n, ev->comments);
    return check_nodes(b, ev->begin);
}

static bool close_collection(struct yaml_builder *b, const struct doc_yaml_event *ev)
{
    const struct yaml_frame *f = &vec_last(&b->open);
    struct doc_node *n = f->node, *merge = f->merge;

    if (n->style == DOC_FLOW || n->len == 0)
        n->end = MAX(n->style == DOC_FLOW ? ev->end : n->end, n->end);
    else if (LIKELY(b->merged.len == f->merged_from))
        n->end = MAX(n->last->end, n->end);
    else /* the last entry need not be the last in the text */
        for (struct doc_iter it = doc_children(n); doc_next(&it);)
            n->end = MAX(it.value->end, n->end);
    if (f->anchor)
        f->anchor->nodes = b->nodes - f->nodes_before;
    b->merged.len = f->merged_from;
    b->open.len--;
    if (UNLIKELY(ev->comments != NULL))
        yaml_attach_end(b, n, ev->comments);
    return !merge || yaml_build_merge(b, merge, n);
}

/* ---- in place of events */

/* The entry by way of the two events it stands for: for keys that need more than a look. */
__attribute__((noinline)) static bool entry_by_events(struct yaml_builder *b,
                                                      const struct doc_yaml_entry *e)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_SCALAR, .style = e->key_style, .value = e->key};

    ev.begin = ev.content = e->key_begin;
    ev.end = e->key_end;
    if (!scalar(b, &ev))
        return false;
    ev.style = e->style;
    ev.value = e->value;
    ev.begin = ev.content = e->begin;
    ev.end = e->end;
    if (e->type == DOC_STRING)
        return scalar(b, &ev);
    if (!open_collection(b, &ev, e->type))
        return false;
    return e->style != DOC_FLOW || e->is_open || close_collection(b, &ev);
}

/* Gives n, which stands where it belongs, its value. */
static inline int take_value(struct yaml_builder *b, const struct doc_yaml_entry *e,
                             struct doc_node *n)
{
    if (e->type != DOC_STRING) {
        if (e->style != DOC_FLOW || e->is_open)
            push_frame(b, n, NULL);
    } else if (e->style != DOC_PLAIN || !dialect_needs_look(e->value)) {
        n->text = e->value.p;
        n->len = (uint32_t)e->value.len;
    } else {
        dialect_plain(&b->dialect, e->value, &b->set->arena, n);
    }
    return check_nodes(b, e->begin) ? 0 : -1;
}

/* Whether the key is in the map already, or has no meaning of its own by its looks alone. */
static inline bool needs_events(struct yaml_builder *b, struct yaml_frame *f,
                                const struct doc_yaml_entry *e, uint32_t hash)
{
    uint64_t bit = (uint64_t)1 << (hash >> 26);

    if (UNLIKELY(e->key_style == DOC_PLAIN && dialect_needs_look(e->key)) ||
        is_merge_key(b, e->key))
        return true;
    if (UNLIKELY(f->seen & bit))
        return doc_get(f->node, e->key) != NULL;
    f->seen |= bit;
    return false;
}

int yaml_build_entry(void *ctx, const struct doc_yaml_entry *e)
{
    struct yaml_builder *b = ctx;
    struct yaml_frame *f = &vec_last(&b->open);
    uint32_t hash = hash_str(e->key);
    struct doc_node *n;

    if (UNLIKELY(needs_events(b, f, e, hash)))
        return entry_by_events(b, e) ? 0 : -1;
    n = arena_alloc(&b->set->arena, sizeof(*n));
    b->nodes++;
    *n = (struct doc_node){
        .key = e->key.p,
        .key_len = (uint32_t)e->key.len,
        .key_hash = hash,
        .begin = e->begin,
        .end = e->end,
        .bits = b->type_bits[e->type] | b->style_bits[e->style] | b->key_style_bits[e->key_style],
    };
    doc_push(b->set, f->node, n);
    if (UNLIKELY((size_t)(e->key.p - b->text.p) >= b->text.len)) {
        struct doc_extra *x = doc_extra(b->set, n);

        x->key_begin = e->key_begin;
        x->key_end = e->key_end;
    }
    return take_value(b, e, n);
}

int yaml_build_item(void *ctx, const struct doc_yaml_entry *e)
{
    struct yaml_builder *b = ctx;
    struct doc_node *n = yaml_build_node(b, e->type, e->style, e->begin, e->end);

    doc_push(b->set, vec_last(&b->open).node, n);
    return take_value(b, e, n);
}

__attribute__((noinline)) static bool close_by_event(struct yaml_builder *b, uint32_t where)
{
    return close_collection(
        b, &(struct doc_yaml_event){.begin = where, .end = where, .content = where});
}

int yaml_build_close(void *ctx, enum doc_type type, uint32_t where)
{
    struct yaml_builder *b = ctx;
    const struct yaml_frame *f = &vec_last(&b->open);
    struct doc_node *n = f->node;

    (void)type; /* the node knows */
    if (UNLIKELY(f->anchor || f->merge || !n->len || b->merged.len != f->merged_from))
        return close_by_event(b, where) ? 0 : -1;
    n->end = MAX(n->last->end, n->end);
    b->open.len--;
    return 0;
}

/* ---- the sink */

static bool end_document(struct yaml_builder *b, const struct doc_yaml_event *ev)
{
    struct doc_node *root = b->root;

    yaml_attach_document(b, root, ev->comments ? ev->comments->foot : STR_NONE);
    b->root = NULL;
    map_done(&b->anchors);
    if (root->type == DOC_NULL && root->len == 0 && !(b->flags & DOC_KEEP_EMPTY))
        return true;
    vec_push(b->roots, root);
    return true;
}

static bool take_event(struct yaml_builder *b, const struct doc_yaml_event *ev)
{
    switch (ev->type) {
    case DOC_YAML_SCALAR:
        return scalar(b, ev);
    case DOC_YAML_LIST_START:
        return open_collection(b, ev, DOC_LIST);
    case DOC_YAML_MAP_START:
        return open_collection(b, ev, DOC_MAP);
    case DOC_YAML_LIST_END:
    case DOC_YAML_MAP_END:
        return close_collection(b, ev);
    case DOC_YAML_ALIAS:
        return alias(b, ev);
    case DOC_YAML_DOC_END:
        return end_document(b, ev);
    case DOC_YAML_DOC_START:
        if (ev->comments)
            b->document_head = ev->comments->head;
        break;
    case DOC_YAML_STREAM_START:
    case DOC_YAML_STREAM_END:
        break;
    }
    return true;
}

int yaml_build_event(void *ctx, const struct doc_yaml_event *ev)
{
    return take_event(ctx, ev) ? 0 : -1;
}
