#include "doc/edit.h"

#include "doc/edit_priv.h"
#include "doc/emit.h"

/* Recursion follows the tree, whose depth its reader has bounded. */

static void edit_node(struct editor *e, const struct doc_node *n, struct slot slot);

static bool is_read(const struct editor *e, const struct doc_node *n)
{
    return n->source == e->source;
}

/* An alias that was expanded on reading: its nodes all have the alias's place. */
static bool is_expanded(const struct editor *e, const struct doc_node *n)
{
    return is_read(e, n) && n->type != DOC_ALIAS && n->end > n->begin && e->text.p[n->begin] == '*';
}

static bool is_flow_text(const struct editor *e, const struct doc_node *n)
{
    return n->end > n->begin && (e->text.p[n->begin] == '{' || e->text.p[n->begin] == '[');
}

static str without_comment(str line)
{
    for (size_t i = 0; i < line.len; i++)
        if (line.p[i] == '#' && (i == 0 || line.p[i - 1] == ' ' || line.p[i - 1] == '\t'))
            return str_sub(line, 0, i);
    return line;
}

/* The end of the last word between `from` and `at` that is no comment; from when there is none. */
static size_t word_before(const struct editor *e, size_t at, size_t from)
{
    while (at > from) {
        size_t line = MAX(edit_line_begin(e, at), from);
        str before = without_comment(str_sub(e->text, line, at - line));

        before = str_trim_right(before, " \t\r");
        if (before.len)
            return line + before.len;
        at = line > from ? edit_line_before(e, line) : from;
    }
    return from;
}

/* Where the tag and the anchor of a value begin, which are not in its span, but not before from. In
 * front of a block map, on its line, are those of its first key. */
static size_t properties(const struct editor *e, const struct doc_node *n, size_t from)
{
    size_t begin = n->begin, at = begin;

    if (doc_is_map(n) && n->len && !n->is_changed && !is_flow_text(e, n))
        at = edit_line_begin(e, begin);
    for (;;) {
        size_t end = word_before(e, edit_line_before(e, at), from);

        for (at = end; at > from && !edit_is_word_begin(e, at);)
            at--;
        if (at == end || (e->text.p[at] != '!' && e->text.p[at] != '&'))
            return begin;
        begin = at;
    }
}

/* ---- where the parts of a child stand */

static bool key_span(const struct editor *e, const struct doc_node *n, size_t *begin, size_t *end)
{
    if (n->extra && n->extra->key_end) {
        *begin = n->extra->key_begin;
        *end = n->extra->key_end;
        return *end <= n->begin;
    }
    if (n->key < e->text.p || n->key + n->key_len > e->text.p + e->text.len)
        return false;
    *begin = (size_t)(n->key - e->text.p);
    *end = *begin + n->key_len;
    if (doc_has_quote(e->text, n->key)) {
        --*begin;
        ++*end;
    }
    return *end <= n->begin;
}

/* Offset behind the ':' of an entry; 0 when it is not where a simple key has it. */
static size_t behind_colon(const struct editor *e, size_t key_end)
{
    while (key_end < e->text.len && (e->text.p[key_end] == ' ' || e->text.p[key_end] == '\t'))
        key_end++;
    return key_end < e->text.len && e->text.p[key_end] == ':' ? key_end + 1 : 0;
}

/* The dash of an item whose list has its dashes in a column. */
static bool find_dash(const struct editor *e, const struct doc_node *item, size_t column,
                      size_t from, size_t *ret)
{
    size_t line = edit_line_begin(e, item->begin);

    for (;;) {
        size_t at = line + column;

        if (at < item->begin + (item->begin == item->end) && at >= from && e->text.p[at] == '-') {
            *ret = at;
            return true;
        }
        if (line <= from)
            return false;
        line = edit_line_begin(e, line - 1);
    }
}

/* Finds where a child begins and its value's slot; false when it did not stand in this collection,
 * behind `from`. */
static bool locate(const struct editor *e, const struct doc_node *parent,
                   const struct doc_node *child, size_t from, size_t *begin, struct slot *slot)
{
    size_t end;

    if (!is_read(e, child) || child->begin < from)
        return false;
    *begin = child->begin;
    if (parent->type == DOC_LIST) {
        slot->kind = AT_ITEM;
        slot->column = edit_column(e, parent->begin);
        if (!is_flow_text(e, parent) && !find_dash(e, child, slot->column, from, begin))
            return false;
        slot->after = is_flow_text(e, parent) ? from : *begin + 1;
        return true;
    }
    if (!key_span(e, child, begin, &end) || *begin < from)
        return false;
    slot->kind = AT_FIELD;
    slot->after = behind_colon(e, end);
    slot->column = is_flow_text(e, parent) ? 0 : edit_column(e, parent->begin);
    return slot->after != 0;
}

/* Whether the text between the children of a map may have a merge key: one that adds nothing, as of
 * an empty map, has left no other trace in the tree. */
static bool has_merge_key(const struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    size_t from = n->begin;

    while (doc_is_map(n) && doc_next(&it)) {
        const struct doc_node *child = it.value;

        if (!is_read(e, child) || child->begin < from || child->end > n->end)
            continue;
        if (str_contains(str_sub(e->text, from, child->begin - from), STR("<<")))
            return true;
        from = child->end;
    }
    return doc_is_map(n) && str_contains(str_sub(e->text, from, n->end - from), STR("<<"));
}

/* An alias that a merge key refers to may have become something else than a map. */
static bool merges_anew(const struct editor *e, const struct doc_node *n)
{
    return e->expands && is_read(e, n) && has_merge_key(e, n);
}

/* Whether the children that were read stand in their order and at simple places, so that only the
 * differences need be written. */
static bool can_splice(const struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    size_t from = n->begin, begin, kept = 0, merged = 0;
    struct slot slot;

    while (doc_next(&it)) {
        if (locate(e, n, it.value, from, &begin, &slot)) {
            if (!is_flow_text(e, n) && n->type == DOC_MAP && edit_column(e, begin) != slot.column)
                return false;
            if (is_flow_text(e, n) && edit_is_renamed(it.value))
                return false;
            from = MAX((size_t)it.value->end, slot.after);
            kept++;
        } else if (is_expanded(e, it.value) && !it.value->is_changed) {
            merged++;
        } else if (is_read(e, it.value) && it.value->begin >= n->begin && it.value->end <= n->end &&
                   !is_expanded(e, it.value)) {
            return false; /* out of order, or behind a `? ` */
        } else {
            if (is_flow_text(e, n) && !kept)
                return false; /* something new comes first */
        }
    }
    if (is_flow_text(e, n) && n->has_removed)
        return false;
    return (kept || merged || n->len == 0) && !(merged && (n->has_removed || e->expands)) &&
           !merges_anew(e, n);
}

/* A block scalar that ends with the text, without a line end, has none in its value: what follows
 * it would give it one. */
static bool is_open_block(const struct editor *e, const struct doc_node *n)
{
    str header;

    if (!is_read(e, n) || !doc_is_string(n) || n->end < e->text.len ||
        (n->style != DOC_LITERAL && n->style != DOC_FOLDED))
        return false;
    header = str_sub(e->text, n->begin, edit_line_end(e, n->begin) - n->begin);
    return header.len < e->text.len - n->begin && !str_ends(e->text, STR("\n")) &&
           str_find_char(str_sub(header, 0, 3), '-') < 0;
}

static bool is_touched(const struct editor *e, const struct doc_node *n)
{
    return n->is_changed || (e->closes && is_open_block(e, n));
}

/* Whether a tree differs from the text it was read from. */
static bool has_changes(const struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (!is_read(e, n) || is_touched(e, n) || n->has_removed || edit_has_new_comment(n) ||
        edit_is_renamed(n))
        return true;
    while (doc_next(&it))
        if (has_changes(e, it.value))
            return true;
    return false;
}

static void rewrite(struct editor *e, const struct doc_node *n, struct slot slot, bool in_flow)
{
    if (!in_flow) {
        edit_replace(e, n, slot);
        return;
    }
    edit_copy_to(e, n->begin);
    edit_put_flow(e, n);
    e->cursor = n->end;
}

/* ---- collections */

static bool is_one_alias(const struct editor *e, const struct doc_node *n)
{
    return is_expanded(e, n) && !n->is_changed && !e->expands;
}

/* Takes out what was removed between two entries; before is NULL at the beginning, begin SIZE_MAX
 * at the end. */
static void cut_between(struct editor *e, const struct doc_node *n, const struct doc_node *before,
                        size_t begin, size_t column)
{
    bool is_last = begin == SIZE_MAX;
    size_t after = before ? MAX(e->cursor, edit_end(e, before)) : n->begin, cursor;

    edit_copy_to(e, before ? MIN(after, edit_end(e, before)) : e->cursor);
    cursor = e->cursor;
    edit_cut(e, after, is_last ? MAX(n->end, before->end) : begin, column, !before, is_last);
    if (before && e->cursor > cursor && edit_keeps_empty_lines(e, before))
        edit_skip_empty_lines(e);
}

/* The name of an entry that stands where the old one does. */
static void put_new_key(struct editor *e, const struct doc_node *n)
{
    struct doc_node key = {.type = DOC_STRING, .text = n->key, .len = n->key_len};

    edit_copy_to(e, n->extra->key_begin);
    edit_put_flow(e, &key);
    e->cursor = n->extra->key_end;
}

static void edit_child(struct editor *e, const struct doc_node *n, struct slot slot)
{
    if (edit_is_renamed(n))
        put_new_key(e, n);
    if (e->expands || has_changes(e, n))
        edit_node(e, n, slot);
}

static void edit_block(struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    size_t column = edit_column(e, n->begin), from = n->begin, begin;
    const struct doc_node *made = NULL, *before = NULL;
    bool is_map = n->type == DOC_MAP;
    struct slot slot;

    while (doc_next(&it)) {
        if (!locate(e, n, it.value, from, &begin, &slot)) {
            if (is_map && is_one_alias(e, it.value))
                continue;
            if (!before) {
                made = made ? made : it.value;
                continue;
            }
            edit_copy_to(e, edit_behind(e, MAX(e->cursor, edit_end(e, before)), column));
            edit_end_line(e);
            buf_add_repeat(e->out, ' ', column);
            edit_put_child(e, it.value, is_map, column);
            edit_skip_odd_lines(e);
            continue;
        }
        if (n->has_removed)
            cut_between(e, n, before, begin, column);
        for (; made && made != it.value; made = made->next) {
            edit_copy_to(e, begin);
            edit_put_child(e, made, is_map, column);
            buf_add_repeat(e->out, ' ', column);
        }
        made = NULL;
        edit_child(e, it.value, slot);
        before = it.value;
        from = MAX((size_t)before->end, slot.after);
    }
    if (n->has_removed && before)
        cut_between(e, n, before, SIZE_MAX, column);
}

static void put_flow_value(struct editor *e, const struct doc_node *n, struct slot slot)
{
    size_t begin = properties(e, n, slot.after);
    str anchor = edit_anchor(e, begin, n);

    edit_copy_to(e, begin);
    if (begin == slot.after && slot.kind == AT_FIELD)
        buf_add_char(e->out, ' ');
    if (anchor.len)
        buf_addf(e->out, "%.*s ", STR_ARG(anchor));
    edit_put_flow(e, n);
    e->cursor = n->end;
}

static bool is_indent(str s) { return str_trim(s).len == 0; }

static bool needs_flow_text(const struct editor *e, const struct doc_node *n)
{
    if (is_expanded(e, n) && (e->expands || has_changes(e, n)))
        return true;
    return n->is_changed || ((doc_is_map(n) || doc_is_list(n)) && n->len == 0 &&
                             (n->has_removed || merges_anew(e, n)));
}

/* Values in place; what was added comes behind the last one. */
static void edit_flow(struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    size_t from = n->begin, begin;
    const struct doc_node *before = NULL;
    struct slot slot;

    while (doc_next(&it)) {
        if (locate(e, n, it.value, from, &begin, &slot)) {
            if (needs_flow_text(e, it.value)) {
                put_flow_value(e, it.value, slot);
            } else if (is_flow_text(e, it.value) || !doc_len(it.value)) {
                edit_node(e, it.value, slot);
            } else if (has_changes(e, it.value) || merges_anew(e, it.value)) {
                /* a pair without braces, an alias */
                rewrite(e, it.value, slot, true);
            }
            before = it.value;
            from = before->end;
        } else if (before) {
            size_t line, indent = 0;

            edit_copy_to(e, before->end);
            line = locate(e, n, before, n->begin, &begin, &slot) ? edit_line_begin(e, begin) : 0;
            buf_add_char(e->out, ',');
            if (line > n->begin && is_indent(str_sub(e->text, line, begin - line))) {
                buf_add_char(e->out, '\n');
                buf_add(e->out, e->text.p + line, begin - line);
                indent = begin - line;
            } else {
                buf_add_char(e->out, ' ');
            }
            edit_put_flow_child(e, it.value, n->type == DOC_MAP, indent);
        }
    }
}

static void edit_node(struct editor *e, const struct doc_node *n, struct slot slot)
{
    bool is_block = doc_len(n) && !is_flow_text(e, n);

    if (edit_has_new_comment(n) && is_block && !n->is_changed && slot.kind == AT_FIELD)
        edit_comment_key(e, n, slot);
    if (is_touched(e, n) || (edit_has_new_comment(n) && !is_block) ||
        (is_expanded(e, n) && (e->expands || has_changes(e, n))))
        edit_replace(e, n, slot);
    else if ((!doc_is_map(n) && !doc_is_list(n)) || is_expanded(e, n))
        return;
    else if (n->len == 0 ? n->has_removed || merges_anew(e, n) : !can_splice(e, n)) {
        if (has_changes(e, n) || e->expands)
            rewrite(e, n, slot, is_flow_text(e, n));
    } else if (is_flow_text(e, n)) {
        edit_flow(e, n);
    } else if (n->len) {
        edit_block(e, n);
    }
}

/* ---- what the text is like */

/* The first list below a key tells how the others are to be indented. */
static bool find_list(const struct editor *e, const struct doc_node *n, bool *ret_wide)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it)) {
        size_t begin, end;

        if (n->type == DOC_MAP && doc_is_list(it.value) && doc_len(it.value) &&
            is_read(e, it.value) && !is_flow_text(e, it.value) &&
            key_span(e, it.value, &begin, &end)) {
            *ret_wide = edit_column(e, it.value->begin) > edit_column(e, n->begin);
            return true;
        }
        if (find_list(e, it.value, ret_wide))
            return true;
    }
    return false;
}

/* Whether a value with an anchor has changed, itself or inside. */
static bool has_changed_anchor(const struct editor *e, const struct doc_node *n, bool inside)
{
    struct doc_iter it = doc_children(n);

    if (inside && edit_is_renamed(n))
        return true;
    if (is_read(e, n) && !is_expanded(e, n)) {
        size_t begin = properties(e, n, 0);

        inside = inside || str_find_char(str_sub(e->text, begin, n->begin - begin), '&') >= 0;
    }
    if (n->is_changed && str_find_char(str_sub(e->text, n->begin, n->end - n->begin), '&') >= 0)
        return true;
    if (n->has_removed || (inside && (n->is_changed || !is_read(e, n))))
        return true; /* what was removed may have had an anchor */
    if (doc_len(n) && is_read(e, n) && !can_splice(e, n) && has_changes(e, n))
        return true; /* is rewritten without its anchors */
    while (doc_next(&it))
        if (has_changed_anchor(e, it.value, inside))
            return true;
    return false;
}

static bool needs_expansion(const struct editor *e, struct doc_node *const *roots, size_t count)
{
    if (str_find_char(e->text, '&') < 0 || str_find_char(e->text, '*') < 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (is_read(e, roots[i]) && has_changed_anchor(e, roots[i], false))
            return true;
    return false;
}

static bool any_changes(const struct editor *e, struct doc_node *const *roots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has_changes(e, roots[i]))
            return true;
    return false;
}

/* Where a document that is to be written anew begins: one whose lines are not what the editor takes
 * for lines, or nothing behind a comment. SIZE_MAX for others. */
static size_t new_root(const struct editor *e, const struct doc_node *root)
{
    size_t line = edit_line_begin(e, root->begin);
    str before = str_sub(e->text, line, root->begin - line);

    if (e->has_odd_lines)
        return properties(e, root, 0);
    if (root->end == root->begin && without_comment(before).len < before.len)
        return edit_line_end(e, root->begin);
    return SIZE_MAX;
}

static struct slot root_slot(const struct editor *e, const struct doc_node *root)
{
    struct slot slot = {.kind = AT_ROOT, .after = properties(e, root, 0)};

    for (size_t at = edit_line_begin(e, slot.after); at < slot.after && e->text.p[at] == ' '; at++)
        slot.column++;
    return slot;
}

void doc_edit_emit(const struct doc_set *set, uint32_t source, struct doc_node *const *roots,
                   size_t count, struct buf *out)
{
    struct editor e = {.text = set->sources[source].text, .source = source, .out = out};
    bool knows_lists;

    if (set->sources[source].has_mark)
        buf_add_cstr(out, "\xef\xbb\xbf");
    e.has_odd_lines = knows_lists = edit_has_odd_lines(&e, roots, count);
    e.expands = needs_expansion(&e, roots, count);
    e.closes = !str_ends(e.text, STR("\n")) && any_changes(&e, roots, count);
    e.is_json = count > 0 && is_read(&e, roots[0]) && is_flow_text(&e, roots[0]);
    for (size_t i = 0; i < count; i++) {
        const struct doc_node *root = roots[i];

        if (is_read(&e, root) && !e.expands && !has_changes(&e, root))
            continue;
        if (!knows_lists)
            knows_lists = find_list(&e, root, &e.is_wide);
        if (is_read(&e, root) && new_root(&e, root) != SIZE_MAX) {
            edit_copy_to(&e, new_root(&e, root));
            edit_put_root(&e, root);
            continue;
        }
        if (is_read(&e, root)) {
            edit_node(&e, root, root_slot(&e, root));
            continue;
        }
        edit_copy_to(&e, e.text.len);
        edit_end_line(&e);
        if (out->len)
            buf_add_cstr(out, "---\n");
        doc_emit(root, e.is_wide ? DOC_EMIT_KYAML_WIDE : DOC_EMIT_KYAML, out);
    }
    edit_copy_to(&e, e.text.len);
}
