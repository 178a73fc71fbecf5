#include "doc/edit_priv.h"

#include "doc/emit.h"
#include "doc/kyaml_emit_priv.h"
#include "doc/plain_priv.h"
#include "doc/scalar_priv.h"

/* ---- lines */

void edit_copy_to(struct editor *e, size_t at)
{
    if (at <= e->cursor)
        return;
    buf_add(e->out, e->text.p + e->cursor, at - e->cursor);
    e->cursor = at;
}

void edit_end_line(struct editor *e)
{
    if (e->out->len && e->out->p[e->out->len - 1] != '\n')
        buf_add_char(e->out, '\n');
}

static const char odd_ends[][4] = {"\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

static size_t odd_end_before(const struct editor *e, size_t at)
{
    for (size_t i = 0; i < ARRAY_LEN(odd_ends); i++)
        if (str_ends(str_sub(e->text, 0, at), str_of(odd_ends[i])))
            return str_of(odd_ends[i]).len;
    return 0;
}

size_t edit_line_before(const struct editor *e, size_t at)
{
    if (at > 0 && e->text.p[at - 1] == '\n')
        return at - 1;
    return at - (e->has_odd_lines ? odd_end_before(e, at) : 0);
}

size_t edit_line_begin(const struct editor *e, size_t at)
{
    while (at > 0 && edit_line_before(e, at) == at)
        at--;
    return at;
}

size_t edit_line_end(const struct editor *e, size_t at)
{
    const char *end = at < e->text.len ? memchr(e->text.p + at, '\n', e->text.len - at) : NULL;

    return end ? (size_t)(end - e->text.p) : e->text.len;
}

/* at itself when it is at the beginning of a line */
static size_t edit_next_line(const struct editor *e, size_t at)
{
    if (at > 0 && e->text.p[at - 1] == '\n')
        return at;
    return MIN(edit_line_end(e, at) + 1, e->text.len);
}

size_t edit_column(const struct editor *e, size_t at) { return at - edit_line_begin(e, at); }

static size_t skip_blanks(const struct editor *e, size_t at)
{
    while (at < e->text.len &&
           (e->text.p[at] == ' ' || e->text.p[at] == '\t' || e->text.p[at] == '\r'))
        at++;
    return at;
}

static bool is_empty_line(const struct editor *e, size_t begin)
{
    return begin >= e->text.len || e->text.p[begin] == '\n' ||
           (e->text.p[begin] == '\r' && begin + 1 < e->text.len && e->text.p[begin + 1] == '\n');
}

static bool is_blank_line(const struct editor *e, size_t begin)
{
    size_t at = skip_blanks(e, begin);

    return at >= e->text.len || e->text.p[at] == '\n';
}

bool edit_keeps_empty_lines(const struct editor *e, const struct doc_node *n)
{
    str header;

    while (doc_len(n) && n->last->source == e->source && n->last->end == n->end)
        n = n->last;
    header = str_sub(e->text, n->begin, edit_line_end(e, n->begin) - n->begin);
    return header.len > 1 && (header.p[0] == '|' || header.p[0] == '>') &&
           (header.p[1] == '+' || (header.len > 2 && header.p[2] == '+'));
}

bool edit_is_word_begin(const struct editor *e, size_t at)
{
    return at == 0 || strchr(" \t\r\n,[{", e->text.p[at - 1]) || edit_line_before(e, at) != at;
}

/* How many lines of a text end with something else than LF. The first byte of an end is looked for:
 * that is quick, and rare in most texts. */
static size_t count_odd_ends(str text)
{
    size_t count = 0;

    for (size_t i = 0; i < ARRAY_LEN(odd_ends); i++) {
        str end = str_of(odd_ends[i]), rest = text;
        ssize_t at;

        while ((at = str_find_char(rest, end.p[0])) >= 0) {
            rest = str_from(rest, (size_t)at);
            if (str_starts(rest, end))
                count += i > 0 || rest.len == 1 || rest.p[1] != '\n';
            rest = str_from(rest, 1);
        }
    }
    return count;
}

/* The same within quotes, where they are text. */
static size_t count_quoted(const struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    size_t count = 0;

    if (doc_is_string(n) && n->source == e->source && n->end > n->begin &&
        (e->text.p[n->begin] == '"' || e->text.p[n->begin] == '\''))
        count = count_odd_ends(str_sub(e->text, n->begin, n->end - n->begin));
    while (doc_next(&it))
        count += count_quoted(e, it.value);
    return count;
}

bool edit_has_odd_lines(const struct editor *e, struct doc_node *const *roots, size_t count)
{
    size_t ends = count_odd_ends(e->text), quoted = 0;

    for (size_t i = 0; ends && i < count; i++)
        quoted += count_quoted(e, roots[i]);
    return ends > quoted;
}

size_t edit_end(const struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    size_t end = n->end;

    while (n->style != DOC_FLOW &&
           doc_next(&it)) /* the last child need not be the last in the text: merge keys */
        if (it.value->source == e->source)
            end = MAX(end, (size_t)it.value->end);
    if (end == n->end && edit_keeps_empty_lines(e, n))
        return end;
    while (end > n->begin && e->text.p[end - 1] == '\n') {
        size_t line = edit_line_begin(e, end - 1);

        if (line <= n->begin || !is_empty_line(e, line))
            break;
        end = line;
    }
    return end;
}

/* ---- what is made */

/* Puts a printed text: lines but the first are indented. */
static void edit_put_lines(struct editor *e, str lines, size_t indent)
{
    str line;
    bool first = true;

    while (str_next_line(&lines, &line)) {
        if (!first && line.len)
            buf_add_repeat(e->out, ' ', indent);
        buf_add_str(e->out, line);
        buf_add_char(e->out, '\n');
        first = false;
    }
}

/* The value without the comments around it, which stand in the text. */
static void print_value(const struct editor *e, const struct doc_node *n, struct buf *out)
{
    struct doc_node bare = *n;
    struct doc_extra extra = {0};

    if (n->extra) {
        extra.tag = n->extra->tag;
        extra.anchor = n->extra->anchor;
        extra.target = n->extra->target;
    }
    bare.extra = &extra;
    if (e->is_json)
        doc_emit_json(n, DOC_JSON_YAML, out);
    else
        kyaml_splice(&bare, e->is_wide, out);
}

/* The text behind blanks and line ends of all kinds. */
static size_t skip_ends(const struct editor *e, size_t at)
{
    for (size_t i = 0; i < ARRAY_LEN(odd_ends);) {
        at = skip_blanks(e, at);
        if (at < e->text.len && e->text.p[at] == '\n') {
            at++;
        } else if (str_starts(str_from(e->text, at), str_of(odd_ends[i]))) {
            at += str_of(odd_ends[i]).len;
            i = 0;
        } else {
            i++;
        }
    }
    return at;
}

void edit_put_root(struct editor *e, const struct doc_node *n)
{
    AUTO(buf_done) struct buf value = {0};

    print_value(e, n, &value);
    edit_end_line(e);
    edit_put_lines(e, buf_view(&value), 0);
    /* lines behind it might count as those of a block scalar */
    e->cursor = skip_ends(e, MAX(e->cursor, n->end));
}

str edit_anchor(const struct editor *e, size_t from, const struct doc_node *n)
{
    str props = str_sub(e->text, from, n->begin > from ? n->begin - from : 0);
    ssize_t at = str_find_char(props, '&');
    size_t end;

    if (at < 0 || !edit_is_word_begin(e, from + (size_t)at) ||
        str_find_char(str_sub(props, 0, (size_t)at), '#') >= 0 ||
        (n->extra && n->extra->anchor.len))
        return STR_NONE;
    for (end = (size_t)at; end < props.len && !strchr(" \t\r\n", props.p[end]); end++) {
    }
    return str_sub(props, (size_t)at, end - (size_t)at);
}

/* " # comment" on the rest of the line at `at`, blanks before it included. */
static str rest_comment(const struct editor *e, size_t at)
{
    size_t hash = skip_blanks(e, at), end = edit_line_end(e, at);

    if (hash == at || hash >= e->text.len || e->text.p[hash] != '#')
        return STR_NONE;
    return str_trim_right(str_sub(e->text, at, end - at), "\r");
}

/* The comment that a value is to have behind it: the text's, or the new one with the blanks that
 * stood before the old. */
static void put_comment_of(const struct editor *e, const struct doc_node *n, str old,
                           struct buf *ret)
{
    ssize_t hash = str_find_char(old, '#');

    if (!edit_has_new_comment(n)) {
        buf_add_str(ret, old);
        return;
    }
    if (e->is_json || doc_line_comment(n).len == 0)
        return;
    buf_add_str(ret, hash > 0 ? str_sub(old, 0, (size_t)hash) : STR(" "));
    buf_add_str(ret, doc_line_comment(n));
}

void edit_comment_key(struct editor *e, const struct doc_node *n, struct slot slot)
{
    AUTO(buf_done) struct buf comment = {0};
    size_t at = slot.after, end = edit_line_end(e, at);
    str old;

    /* An anchor or tag stands before the comment. */
    while (at < end && !(e->text.p[at] == '#' && e->text.p[at - 1] == ' '))
        at++;
    if (e->is_json || n->begin < end)
        return;
    while (at > slot.after && strchr(" \t\r", e->text.p[at - 1]))
        at--;
    old = rest_comment(e, at);
    put_comment_of(e, n, old, &comment);
    edit_copy_to(e, at);
    buf_add_str(e->out, buf_view(&comment));
    e->cursor = at + old.len;
}

/* Whether only blanks stand before `at` on its line. */
static bool starts_line(const struct editor *e, size_t at)
{
    return skip_blanks(e, edit_line_begin(e, at)) >= at;
}

static void put_block(struct editor *e, str lines, bool is_list, struct slot slot, str comment)
{
    size_t indent = slot.kind == AT_ROOT ? slot.column : slot.column + 2;

    if (slot.kind == AT_FIELD && is_list && !e->is_wide)
        indent = slot.column;
    if (slot.kind == AT_ITEM && comment.len == 0) {
        buf_add_char(e->out, ' ');
    } else if (slot.kind != AT_ROOT || comment.len || !starts_line(e, slot.after)) {
        bool is_first = slot.kind == AT_ROOT && starts_line(e, slot.after); /* no tab there */

        buf_add_str(e->out, is_first ? str_trim(comment) : comment);
        buf_add_char(e->out, '\n');
        buf_add_repeat(e->out, ' ', indent);
    }
    edit_put_lines(e, lines, indent);
}

/* A scalar or flow collection: its first line, a comment, further lines. Leaves the last line open
 * unless it is that of a block scalar. */
static void put_inline(struct editor *e, str lines, struct slot slot, str comment)
{
    str rest = lines, first;
    bool is_block;

    if (!str_next_line(&rest, &first))
        first = STR_NONE;
    is_block = rest.len && first.len && strchr("|>&!", first.p[0]);
    if (first.len && (slot.kind != AT_ROOT || !edit_is_word_begin(e, slot.after)))
        buf_add_char(e->out, ' '); /* a root that was nothing may stand right behind "---" */
    buf_add_str(e->out, first);
    if (is_block)
        buf_add_str(e->out, comment);
    if (rest.len) {
        buf_add_char(e->out, '\n');
        buf_add_repeat(e->out, ' ', rest.p[0] == '\n' ? 0 : slot.column);
        edit_put_lines(e, rest, slot.column);
        if (is_block)
            return;
        buf_trunc(e->out, e->out->len - 1);
    }
    buf_add_str(e->out, comment);
}

size_t edit_behind(const struct editor *e, size_t at, size_t column)
{
    size_t ret = edit_next_line(e, at), line = ret;

    while (line < e->text.len) {
        size_t text = skip_blanks(e, line), end = edit_line_end(e, line);

        line = MIN(end + 1, e->text.len);
        if (text < end && e->text.p[text] == '#' && edit_column(e, text) > column)
            ret = line;
        else if (text < end)
            break;
    }
    return ret;
}

/* Lines of blanks behind a value might count as text of a new block scalar, and those of tabs are
 * only borne behind some values. */
void edit_skip_odd_lines(struct editor *e)
{
    size_t line = edit_next_line(e, e->cursor);

    while (line < e->text.len && is_blank_line(e, line)) {
        size_t next = MIN(edit_line_end(e, line) + 1, e->text.len);

        if (!is_empty_line(e, line)) {
            edit_copy_to(e, line);
            e->cursor = next;
        }
        line = next;
    }
}

/* Comments behind a value of several lines that stand deeper than it might count as its text. */
static void outdent_comments(struct editor *e, size_t column)
{
    size_t line = edit_next_line(e, e->cursor);

    if (line != e->cursor && edit_line_end(e, e->cursor) != e->cursor)
        return;
    while (line < e->text.len && is_blank_line(e, line))
        line = MIN(edit_line_end(e, line) + 1, e->text.len);
    for (;;) {
        size_t text = skip_blanks(e, line), end = edit_line_end(e, line);

        if (text >= end || e->text.p[text] != '#' || text - line <= column)
            return;
        edit_copy_to(e, line);
        edit_end_line(e);
        buf_add_repeat(e->out, ' ', column);
        e->cursor = text;
        edit_copy_to(e, end);
        line = MIN(end + 1, e->text.len);
    }
}

void edit_replace(struct editor *e, const struct doc_node *n, struct slot slot)
{
    AUTO(buf_done) struct buf value = {0}, new_comment = {0};
    size_t end = edit_end(e, n);
    bool is_inline = edit_line_begin(e, n->begin) == edit_line_begin(e, slot.after);
    bool is_one_line = is_inline && edit_line_begin(e, end) == edit_line_begin(e, slot.after);
    bool is_block = doc_len(n) && n->style != DOC_FLOW;
    str anchor = edit_anchor(e, slot.after, n), comment;

    print_value(e, n, &value);
    comment = is_one_line ? rest_comment(e, end)
              : is_inline ? STR_NONE
                          : rest_comment(e, slot.after);
    put_comment_of(e, n, comment, &new_comment);
    comment = buf_view(&new_comment);
    edit_copy_to(e, slot.after);
    if (anchor.len && slot.kind != AT_ROOT)
        buf_addf(e->out, " %.*s", STR_ARG(anchor));
    if (is_block && slot.kind == AT_ITEM && anchor.len)
        put_block(e, buf_view(&value), doc_is_list(n), slot, comment.len ? comment : STR(" "));
    else if (is_block)
        put_block(e, buf_view(&value), doc_is_list(n), slot, comment);
    else
        put_inline(e, buf_view(&value), slot, comment);
    e->cursor = MAX(e->cursor, end);
    if (is_inline && !is_one_line && e->text.p[end - 1] != '\n' &&
        e->out->p[e->out->len - 1] != '\n') {
        if (is_blank_line(e, end))
            edit_skip_odd_lines(e);
        return; /* what follows a text of several lines follows the new one */
    }
    if (e->text.p[e->cursor ? e->cursor - 1 : 0] != '\n')
        e->cursor = edit_line_end(e, e->cursor);
    if (e->out->p[e->out->len - 1] == '\n') /* the line is ended already */
        e->cursor = edit_next_line(e, e->cursor);
    else if (e->cursor > 0 && e->text.p[e->cursor - 1] == '\n')
        buf_add_char(e->out, '\n');
    edit_skip_odd_lines(e);
    if (str_find_char(buf_view(&value), '\n') + 1 < (ssize_t)value.len)
        outdent_comments(e, slot.column);
}

void edit_put_child(struct editor *e, const struct doc_node *child, bool is_entry, size_t column)
{
    AUTO(buf_done) struct buf lines = {0};
    struct doc_node only = *child;
    struct doc_node parent = {.type = is_entry ? DOC_MAP : DOC_LIST, .len = 1, .last = &only};

    only.next = &only;
    kyaml_splice(&parent, e->is_wide, &lines);
    edit_put_lines(e, buf_view(&lines), column);
}

/* ---- flow text */

/* Depth is that of the tree, whose reader has bounded it. */
static void put_yaml_flow(struct editor *e, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    bool is_map = doc_is_map(n);

    buf_add_char(e->out, is_map ? '{' : '[');
    for (bool first = true; doc_next(&it); first = false) {
        if (!first)
            buf_add_cstr(e->out, ", ");
        edit_put_flow_child(e, it.value, is_map, 0);
    }
    buf_add_char(e->out, is_map ? '}' : ']');
}

/* Whether single quotes can hold the text as it is. */
static bool is_simple(str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] < ' ' || text.p[i] > '~' || text.p[i] == '\'')
            return false;
    return true;
}

void edit_put_flow(struct editor *e, const struct doc_node *n)
{
    str text = doc_string(n, STR_NONE);

    if (!e->is_json && (doc_is_map(n) || doc_is_list(n)))
        put_yaml_flow(e, n);
    else if (doc_is_string(n) && !e->is_json && n->style == DOC_SINGLE && is_simple(text))
        buf_addf(e->out, "'%.*s'", STR_ARG(text));
    else if (doc_is_string(n) && !e->is_json && n->style != DOC_DOUBLE &&
             scalar_analyze(text, true).flow_plain && !plain_is_other(text, PLAIN_V2))
        buf_add_str(e->out, text);
    else
        doc_emit_json(n, DOC_JSON_YAML, e->out);
}

/* JSON on lines of its own: those behind the first are indented. */
static void put_pretty(struct editor *e, const struct doc_node *n, size_t indent)
{
    AUTO(buf_done) struct buf lines = {0};

    doc_emit_json(n, DOC_JSON_PRETTY | DOC_JSON_YAML, &lines);
    edit_put_lines(e, buf_view(&lines), indent);
    buf_trunc(e->out, e->out->len - 1);
}

void edit_put_flow_child(struct editor *e, const struct doc_node *child, bool is_entry,
                         size_t indent)
{
    if (is_entry) {
        struct doc_node key = {.type = DOC_STRING, .text = child->key, .len = child->key_len};

        edit_put_flow(e, &key);
        buf_add_cstr(e->out, ": ");
    }
    if (e->is_json && indent && doc_len(child))
        put_pretty(e, child, indent);
    else
        edit_put_flow(e, child);
}

/* ---- removals */

/* A line of comment at the column of the entries or left of it, or an empty one. Deeper comments
 * may be lines of a block scalar. */
static bool is_loose(const struct editor *e, size_t line, size_t column)
{
    size_t at = skip_blanks(e, line);

    return at >= e->text.len || e->text.p[at] == '\n' ||
           (e->text.p[at] == '#' && at - line <= column);
}

/* Where the comment lines begin that stand right above a line, not before from. */
static size_t with_comments(const struct editor *e, size_t line, size_t from, size_t column)
{
    while (line > from) {
        size_t above = edit_line_begin(e, line - 1), at = skip_blanks(e, above);

        if (above < from || at >= e->text.len || e->text.p[at] != '#' || at - above != column)
            break;
        line = above;
    }
    return line;
}

void edit_cut(struct editor *e, size_t after, size_t to, size_t column, bool first, bool last)
{
    size_t begin = first ? edit_line_begin(e, after) : edit_next_line(e, after);
    size_t end = last ? edit_next_line(e, to) : edit_line_begin(e, to), cut = end, kept = begin;

    for (size_t line = begin; line < end; line = edit_line_end(e, line) + 1) {
        if (is_loose(e, line, column) && !(first && line == begin))
            continue;
        if (cut == end)
            cut = line;
        kept = MIN(edit_line_end(e, line) + 1, e->text.len);
    }
    if (cut == end)
        return;
    if (first) {
        edit_copy_to(e, after);
        e->cursor = skip_blanks(e, MAX(kept, after));
        while (e->cursor < to && e->text.p[e->cursor] == '\n')
            e->cursor = skip_blanks(e, e->cursor + 1);
        return;
    }
    edit_copy_to(e, with_comments(e, cut, begin, column));
    edit_end_line(e);
    e->cursor = MAX(kept, e->cursor);
}

void edit_skip_empty_lines(struct editor *e)
{
    while (e->cursor > 0 && e->cursor < e->text.len && e->text.p[e->cursor - 1] == '\n' &&
           is_blank_line(e, e->cursor))
        e->cursor = MIN(edit_line_end(e, e->cursor) + 1, e->text.len);
}
