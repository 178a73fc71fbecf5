#include "doc/node.h"

#include "base/mem.h"
#include "doc/node_priv.h"

static struct doc_node *node_new(struct doc_set *set, enum doc_type type)
{
    struct doc_node *n = ARENA_NEW(&set->arena, struct doc_node);

    n->type = type;
    return n;
}

static struct doc_node *scalar_new(struct doc_set *set, enum doc_type type, str text)
{
    struct doc_node *n = node_new(set, type);

    n->text = text.p;
    n->len = (uint32_t)text.len;
    return n;
}

struct doc_node *doc_new_map(struct doc_set *set) { return node_new(set, DOC_MAP); }

struct doc_node *doc_new_list(struct doc_set *set) { return node_new(set, DOC_LIST); }

struct doc_node *doc_new_null(struct doc_set *set)
{
    return scalar_new(set, DOC_NULL, STR("null"));
}

struct doc_node *doc_new_bool(struct doc_set *set, bool value)
{
    struct doc_node *n = scalar_new(set, DOC_BOOL, value ? STR("true") : STR("false"));

    n->bool_val = value;
    return n;
}

struct doc_node *doc_new_number(struct doc_set *set, str text)
{
    struct doc_node *n = scalar_new(set, DOC_NUMBER, arena_dup(&set->arena, text));

    n->is_int = text.len > 1 && text.p[0] == '0' && (text.p[1] | 0x20) == 'x';
    if (!n->is_int) {
        n->is_int = true;
        for (size_t i = 0; i < text.len; i++)
            if (strchr(".eEnN", text.p[i]))
                n->is_int = false;
    }
    return n;
}

struct doc_node *doc_new_int(struct doc_set *set, int64_t value)
{
    struct doc_node *n =
        scalar_new(set, DOC_NUMBER, arena_printf(&set->arena, "%lld", (long long)value));

    n->is_int = true;
    return n;
}

struct doc_node *doc_new_string(struct doc_set *set, str text)
{
    return scalar_new(set, DOC_STRING, arena_dup(&set->arena, text));
}

struct doc_node *doc_new_string_view(struct doc_set *set, str text)
{
    return scalar_new(set, DOC_STRING, text);
}

struct doc_extra *doc_extra(struct doc_set *set, struct doc_node *n)
{
    if (!n->extra)
        n->extra = ARENA_NEW(&set->arena, struct doc_extra);
    return n->extra;
}

static bool is_block(const struct doc_node *n) { return doc_len(n) && n->style != DOC_FLOW; }

str doc_line_comment(const struct doc_node *n)
{
    if (!n || !n->extra)
        return STR_NONE;
    return is_block(n) ? n->extra->key_line : n->extra->line;
}

void doc_set_line_comment(struct doc_set *set, struct doc_node *n, str comment)
{
    struct doc_extra *x = doc_extra(set, n);

    comment = comment.len ? arena_dup(&set->arena, comment) : STR_NONE;
    x->key_line = is_block(n) ? comment : STR_NONE;
    x->line = is_block(n) ? STR_NONE : comment;
    x->has_new_line = true;
}

static void index_add(struct doc_extra *x, struct doc_node *entry)
{
    x->index[index_slot(x, doc_key(entry), entry->key_hash)] = entry;
}

static void index_build(struct doc_set *set, struct doc_node *map)
{
    struct doc_extra *x = doc_extra(set, map);
    struct doc_iter it = doc_children(map);

    x->index_slots = 64;
    while (x->index_slots < map->len * 4)
        x->index_slots *= 2;
    x->index = ARENA_ARRAY(&set->arena, struct doc_node *, x->index_slots);
    while (doc_next(&it))
        index_add(x, it.value);
}

/* Takes the entry out and moves what follows it in its run, so that no lookup ends early. */
static void index_remove(struct doc_extra *x, const struct doc_node *entry)
{
    uint32_t mask = x->index_slots - 1;
    uint32_t hole = index_slot(x, doc_key(entry), entry->key_hash);

    for (uint32_t at = (hole + 1) & mask; x->index[at]; at = (at + 1) & mask) {
        uint32_t home = x->index[at]->key_hash & mask;

        if (((at - home) & mask) >= ((at - hole) & mask)) {
            x->index[hole] = x->index[at];
            hole = at;
        }
    }
    x->index[hole] = NULL;
}

static bool has_index(const struct doc_node *map) { return map->extra && map->extra->index; }

/* The index lives in the arena and is kept up by every change, so that lookups never write and
 * finished documents can be read by many threads. */
void doc_index_entry(struct doc_set *set, struct doc_node *map, struct doc_node *entry)
{
    if (has_index(map) && map->len * 2 <= map->extra->index_slots)
        index_add(map->extra, entry);
    else
        index_build(set, map);
}

static void unlink_after(struct doc_node *parent, struct doc_node *before, struct doc_node *child)
{
    if (parent->type == DOC_MAP && has_index(parent))
        index_remove(parent->extra, child);
    parent->has_removed |= child->source != 0;
    before->next = child->next;
    if (parent->last == child)
        parent->last = before;
    if (--parent->len == 0)
        parent->last = NULL;
    child->next = NULL;
}

static bool unlink_child(struct doc_node *parent, const struct doc_node *child)
{
    struct doc_node *before;

    if (doc_len(parent) == 0)
        return false;
    before = parent->last;
    for (uint32_t i = 0; i < parent->len; i++, before = before->next) {
        if (before->next == child) {
            unlink_after(parent, before, before->next);
            return true;
        }
    }
    return false;
}

struct doc_node *doc_unlink(struct doc_node *parent, struct doc_node *child)
{
    struct doc_node *before = parent->last;

    for (uint32_t i = 0; i < parent->len; i++, before = before->next) {
        if (before->next != child)
            continue;
        unlink_after(parent, before, child);
        return i ? before : NULL;
    }
    return NULL;
}

void doc_link(struct doc_set *set, struct doc_node *parent, struct doc_node *before,
              struct doc_node *child)
{
    struct doc_node *last = parent->last;

    doc_push(set, parent, child);
    if (!last || before == last)
        return;
    last->next = child->next; /* out of the last place again, into its own */
    parent->last = last;
    child->next = before ? before->next : last->next;
    if (before)
        before->next = child;
    else
        last->next = child;
}

struct doc_node *doc_copy(struct doc_set *set, const struct doc_node *n)
{
    struct doc_node *copy;
    struct doc_iter it = doc_children(n);

    if (!n)
        return NULL;
    copy = arena_alloc(&set->arena, sizeof(*copy));
    *copy = *n;
    copy->next = NULL;
    copy->source = 0;
    copy->begin = copy->end = 0;
    copy->is_changed = copy->has_removed = false;
    copy->key = NULL;
    copy->key_len = 0;
    copy->extra = NULL;
    if (n->extra) {
        const str *from = &n->extra->head;
        str *to = &doc_extra(set, copy)->head;

        for (size_t i = 0; i < offsetof(struct doc_extra, target) / sizeof(str); i++)
            to[i] = from[i].len ? arena_dup(&set->arena, from[i]) : STR_NONE;
        copy->extra->target = n->extra->target;
    }
    if (n->type <= DOC_STRING) {
        copy->text = arena_dup(&set->arena, (str){n->text, n->len}).p;
        return copy;
    }
    copy->last = NULL;
    copy->len = 0;
    while (doc_next(&it)) {
        struct doc_node *child = doc_copy(set, it.value);

        if (n->type == DOC_MAP) {
            child->key = arena_dup(&set->arena, it.key).p;
            child->key_len = (uint32_t)it.key.len;
            child->key_hash = it.value->key_hash;
        }
        doc_push(set, copy, child);
    }
    return copy;
}

/* ---- shared scalars */

void doc_share(struct doc_set *set, struct doc_node *a, struct doc_node *b)
{
    struct doc_extra *x = doc_extra(set, a), *y = doc_extra(set, b);
    struct doc_node *after_a = x->twin ? x->twin : a, *after_b = y->twin ? y->twin : b;

    x->twin = after_b; /* two rings become one */
    y->twin = after_a;
}

static void leave_ring(struct doc_node *n)
{
    struct doc_node *before = n->extra->twin;

    while (before->extra->twin != n)
        before = before->extra->twin;
    before->extra->twin = n->extra->twin == before ? NULL : n->extra->twin;
    n->extra->twin = NULL;
}

void doc_unshare(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it))
        doc_unshare(it.value);
    if (n && n->extra && n->extra->twin)
        leave_ring(n);
}

/* The others of the ring get the value that n has got. What is no scalar any more goes its own way.
 */
static void spread(struct doc_node *n)
{
    if (n->type > DOC_STRING) {
        leave_ring(n);
        return;
    }
    for (struct doc_node *t = n->extra->twin; t != n; t = t->extra->twin) {
        t->type = n->type;
        t->style = n->style;
        t->is_int = n->is_int;
        t->bool_val = n->bool_val;
        t->is_changed = t->source != 0;
        t->text = n->text;
        t->len = n->len;
    }
}

/* The side data that value brings, and what of the old one's stays. */
static void keep_extra(struct doc_node *old, struct doc_extra *kept)
{
    if (!kept->twin && !kept->key_head.len && !kept->key_line.len && !kept->key_foot.len)
        return;
    if (!old->extra) {
        old->extra = kept;
        kept->head = kept->line = kept->foot = STR_NONE;
        kept->tag = kept->anchor = STR_NONE;
        kept->index = NULL;
    } else {
        old->extra->key_head = kept->key_head;
        old->extra->key_line = kept->key_line;
        old->extra->key_foot = kept->key_foot;
        old->extra->twin = kept->twin;
    }
    if (old->extra->twin)
        spread(old);
}

/* Makes value an entry in the place of old: same key with its comments, same place in order. */
static void take_place(struct doc_node *old, struct doc_node *value)
{
    struct doc_node keep = *old;

    *old = *value;
    if (keep.source) {
        old->source = keep.source;
        old->begin = keep.begin;
        old->end = keep.end;
        old->is_changed = true;
    }
    old->next = keep.next;
    old->key = keep.key;
    old->key_len = keep.key_len;
    old->key_hash = keep.key_hash;
    old->key_style = keep.key_style;
    old->is_quoted_key = keep.is_quoted_key;
    if (keep.extra)
        keep_extra(old, keep.extra);
}

void doc_keep_comments(struct doc_set *set, const struct doc_node *old, struct doc_node *with)
{
    const struct doc_extra *from = old->extra;

    if (!from || (!from->head.len && !from->line.len && !from->foot.len))
        return;
    doc_extra(set, with)->head = from->head;
    with->extra->line = from->line;
    with->extra->foot = from->foot;
}

void doc_replace(struct doc_node *old, struct doc_node *with) { take_place(old, with); }

struct doc_node *doc_set_field(struct doc_set *set, struct doc_node *map, str key,
                               struct doc_node *value)
{
    struct doc_node *old = doc_get(map, key);

    assert(map->type == DOC_MAP);
    if (old) {
        take_place(old, value);
        return old;
    }
    doc_key_set(value, arena_dup(&set->arena, key));
    value->key_style = DOC_PLAIN;
    doc_push(set, map, value);
    return value;
}

struct doc_node *doc_set_string(struct doc_set *set, struct doc_node *map, str key, str text)
{
    return doc_set_field(set, map, key, doc_new_string(set, text));
}

struct doc_node *doc_set_int(struct doc_set *set, struct doc_node *map, str key, int64_t value)
{
    return doc_set_field(set, map, key, doc_new_int(set, value));
}

struct doc_node *doc_set_bool(struct doc_set *set, struct doc_node *map, str key, bool value)
{
    return doc_set_field(set, map, key, doc_new_bool(set, value));
}

static struct doc_node *ensure(struct doc_set *set, struct doc_node *map, str key,
                               enum doc_type type)
{
    struct doc_node *n = doc_get(map, key);

    if (doc_is_null(n))
        return doc_set_field(set, map, key, node_new(set, type));
    return n->type == type ? n : NULL;
}

struct doc_node *doc_ensure_map(struct doc_set *set, struct doc_node *map, str key)
{
    return ensure(set, map, key, DOC_MAP);
}

struct doc_node *doc_ensure_list(struct doc_set *set, struct doc_node *map, str key)
{
    return ensure(set, map, key, DOC_LIST);
}

bool doc_remove(struct doc_node *map, str key)
{
    struct doc_node *n = doc_get(map, key);

    return n && unlink_child(map, n);
}

struct doc_node *doc_append(struct doc_node *list, struct doc_node *value)
{
    assert(list->type == DOC_LIST);
    doc_push(NULL, list, value); /* a list has no index: no set needed */
    return value;
}

struct doc_node *doc_insert(struct doc_node *list, size_t index, struct doc_node *value)
{
    struct doc_node *before;

    assert(list->type == DOC_LIST);
    if (index >= list->len)
        return doc_append(list, value);
    before = index ? doc_item(list, index - 1) : list->last;
    value->next = before->next;
    before->next = value;
    list->len++;
    return value;
}

bool doc_remove_item(struct doc_node *list, const struct doc_node *item)
{
    return unlink_child(list, item);
}

/* Notes where the old key of an entry stands, so that only it need be written anew. False for one
 * that was made, shares its line with a tag, an anchor or another entry, or came by an alias. */
static bool note_key(struct doc_set *set, struct doc_node *entry, str key)
{
    enum { SIMPLE_KEY = 256 }; /* longer ones may need a `? ` */
    str text = set->sources[entry->source].text;
    uint32_t begin = doc_offset(set, entry, true), end;

    if (entry->source == 0 || key.len > SIMPLE_KEY || begin >= entry->begin ||
        entry->begin >= text.len || text.p[entry->begin] == '*')
        return false;
    end = begin + entry->key_len + 2 * (text.p[begin] == '"' || text.p[begin] == '\'');
    if (entry->extra && entry->extra->key_end)
        end = entry->extra->key_end;
    for (uint32_t at = begin; at > 0 && text.p[at - 1] != '\n'; at--)
        if (text.p[at - 1] != ' ' && text.p[at - 1] != '-')
            return false;
    doc_extra(set, entry)->key_begin = begin;
    entry->extra->key_end = end;
    return entry->extra->is_renamed = true;
}

void doc_rename(struct doc_set *set, struct doc_node *map, struct doc_node *entry, str key)
{
    if (has_index(map))
        index_remove(map->extra, entry);
    if (!note_key(set, entry, key)) {
        if (entry->extra)
            entry->extra->key_begin = entry->extra->key_end = 0;
        map->has_removed |= entry->source != 0; /* the old key is to go from the text */
    }
    doc_key_set(entry, arena_dup(&set->arena, key));
    if (has_index(map))
        index_add(map->extra, entry);
}

static int compare_keys(const void *a, const void *b)
{
    const struct doc_node *const *x = a, *const *y = b;

    return str_cmp(doc_key(*x), doc_key(*y));
}

/* Entries that are read and now stand elsewhere count as taken out of their places. */
static void relink(struct doc_node *n, struct doc_node **order)
{
    for (uint32_t i = 0; i < n->len; i++) {
        n->has_removed |= order[i]->next != order[(i + 1) % n->len];
        order[i]->next = order[(i + 1) % n->len];
    }
    n->last = order[n->len - 1];
}

void doc_sort_keys(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (doc_is_map(n) && n->len > 1) {
        AUTO(mem_free) void *heap = mem_alloc(n->len * sizeof(struct doc_node *));
        struct doc_node **order = heap;
        uint32_t i = 0;

        while (doc_next(&it))
            order[i++] = it.value;
        qsort(order, n->len, sizeof(struct doc_node *), compare_keys);
        relink(n, order);
        it = doc_children(n);
    }
    while (doc_next(&it))
        doc_sort_keys(it.value);
}
