#include "doc/kyaml_emit_priv.h"

#include "doc/plain_priv.h"
#include "doc/scalar_priv.h"

/* go-yaml v3 keeps comments that are not written yet beside the text: a comment that finds no place
 * where it stands shows up at the next place that takes one of its kind. Bytes only agree when that
 * is done alike, hence the state. */
struct printer {
    struct yaml_pen y;
    long indent;      /* of the collection that is being written; -1 outside any */
    long foot_indent; /* the last line was a foot comment with this indent: an empty line separates;
                         or -1 */
    int flow_level;
    bool is_wide, is_spliced;
    bool after_blank;           /* a word may follow without a blank */
    bool only_indent;           /* the line holds nothing but indentation and indicators */
    str head, line, foot, tail; /* comments that wait; tail: the foot of the key before */
    str key_line; /* line comment of a key, which goes behind the value's first line */
};

enum place { AT_ROOT, IN_LIST, IN_MAP };

enum { SIMPLE_KEY = 128 };

static const struct doc_extra no_extra;

static const struct doc_extra *extra_of(const struct doc_node *n)
{
    return n && n->extra ? n->extra : &no_extra;
}

/* ---- lines and words */

static bool at_line_start(const struct printer *p)
{
    return (size_t)(p->y.pen.p - p->y.pen.out->p) == p->y.line;
}

static size_t column(const struct printer *p)
{
    return (size_t)(p->y.pen.p - p->y.pen.out->p) - p->y.line;
}

static void break_line(struct printer *p)
{
    yaml_new_line(&p->y);
    p->only_indent = true;
}

/* To the column of the collection, on a new line unless this one has nothing yet. */
static void start_line(struct printer *p)
{
    size_t indent = p->indent < 0 ? 0 : (size_t)p->indent;

    if (!p->only_indent || column(p) > indent || (column(p) == indent && !p->after_blank))
        break_line(p);
    if (p->foot_indent == (long)indent)
        break_line(p);
    if (column(p) < indent)
        yaml_pad(&p->y, indent - column(p));
    p->after_blank = true;
    p->foot_indent = -1;
}

static void put_word(struct printer *p, str word, bool needs_blank)
{
    if (needs_blank && !p->after_blank)
        yaml_put_char(&p->y, ' ');
    pen_put(&p->y.pen, word.p, word.len);
    p->after_blank = false;
}

/* '-', '?' and ':' before a value on the same line keep the line open for nested collections. */
static void put_indicator(struct printer *p, const char *text, bool needs_blank, bool keeps_line)
{
    put_word(p, str_of(text), needs_blank);
    p->only_indent = p->only_indent && keeps_line;
}

static long indent_more(struct printer *p, bool is_flow, bool is_compact)
{
    long before = p->indent;

    if (before < 0)
        p->indent = is_flow ? 2 : 0;
    else if (!is_compact)
        p->indent += 2;
    return before;
}

/* ---- comments */

static void put_comment(struct printer *p, str comment)
{
    str rest = comment, line;
    bool first = true;

    while (str_next_line(&rest, &line)) {
        if (!first && line.len)
            start_line(p);
        if (line.len && line.p[0] != '#')
            pen_put(&p->y.pen, "# ", 2);
        pen_put(&p->y.pen, line.p, line.len);
        break_line(p);
        first = false;
    }
    p->after_blank = true;
}

static void put_foot_like(struct printer *p, str *comment)
{
    if (comment->len == 0)
        return;
    start_line(p);
    put_comment(p, *comment);
    *comment = STR_NONE;
    p->foot_indent = p->indent < 0 ? 0 : p->indent;
}

static void put_head(struct printer *p)
{
    put_foot_like(p, &p->tail);
    if (p->head.len == 0)
        return;
    start_line(p);
    put_comment(p, p->head);
    p->head = STR_NONE;
}

static void put_line_comment(struct printer *p)
{
    if (p->line.len == 0)
        return;
    if (!p->after_blank)
        yaml_put_char(&p->y, ' ');
    put_comment(p, p->line);
    p->line = STR_NONE;
}

static void put_line_and_foot(struct printer *p)
{
    put_line_comment(p);
    put_foot_like(p, &p->foot);
}

static void replace(str *waiting, str comment)
{
    if (comment.len)
        *waiting = comment;
}

static void take_value_comments(struct printer *p, const struct doc_node *n)
{
    const struct doc_extra *x = extra_of(n);

    replace(&p->head, x->head);
    if (doc_type(n) == DOC_LIST || doc_type(n) == DOC_MAP)
        return; /* line and foot come with the end */
    replace(&p->line, x->line);
    replace(&p->foot, x->foot);
}

static void take_end_comments(struct printer *p, const struct doc_node *n, str tail)
{
    replace(&p->tail, tail);
    replace(&p->line, extra_of(n)->line);
    replace(&p->foot, extra_of(n)->foot);
}

static bool has_trailing_comments(const struct printer *p)
{
    return p->line.len || p->foot.len || p->tail.len;
}

/* ---- scalars */

static bool ends_in_empty_lines(str text)
{
    return str_ends(text, STR("\n")) && (text.len == 1 || text.p[text.len - 2] == '\n');
}

static enum doc_style choose_style(const struct printer *p, str text, enum doc_style style,
                                   bool is_string, bool is_simple_key, struct scalar_look look)
{
    if (style == DOC_PLAIN && text.len && memchr(text.p, '\n', text.len))
        style = DOC_LITERAL;
    else if (style == DOC_PLAIN && is_string && plain_is_other(text, PLAIN_V3))
        style = DOC_DOUBLE;
    if (is_simple_key && look.is_multiline)
        style = DOC_DOUBLE;
    if (style == DOC_PLAIN && (!(p->flow_level ? look.flow_plain : look.block_plain) ||
                               (text.len == 0 && (p->flow_level || is_simple_key))))
        style = DOC_SINGLE;
    if (style == DOC_SINGLE && !look.single)
        style = DOC_DOUBLE;
    if ((style == DOC_LITERAL || style == DOC_FOLDED) && p->is_spliced && ends_in_empty_lines(text))
        style = DOC_DOUBLE;
    if ((style == DOC_LITERAL || style == DOC_FOLDED) &&
        (!look.block || p->flow_level || is_simple_key))
        style = DOC_DOUBLE;
    return style;
}

static void put_block_scalar(struct printer *p, str text, bool is_literal, size_t indent)
{
    scalar_block_header(&p->y, is_literal ? '|' : '>', text);
    p->after_blank = p->only_indent = false;
    if (p->line.len)
        put_line_comment(p);
    else
        break_line(p);
    if (is_literal)
        scalar_literal(&p->y, text, indent);
    else
        scalar_folded(&p->y, text, indent);
    p->after_blank = true;
    p->only_indent = at_line_start(p);
}

static void put_text(struct printer *p, str text, enum doc_style style, bool is_string,
                     bool is_simple_key)
{
    enum doc_style chosen =
        choose_style(p, text, style, is_string, is_simple_key, scalar_analyze(text, true));
    size_t indent = p->indent < 0 ? 2 : (size_t)p->indent + 2;

    p->only_indent = false;
    if (chosen == DOC_PLAIN && text.len == 0)
        return;
    if (!p->after_blank)
        yaml_put_char(&p->y, ' ');
    p->after_blank = false;
    switch (chosen) {
    case DOC_FLOW: /* of collections only */
    case DOC_PLAIN:
        scalar_plain(&p->y, text, indent, !is_simple_key);
        break;
    case DOC_SINGLE:
        scalar_single(&p->y, text, indent, !is_simple_key);
        break;
    case DOC_DOUBLE:
        scalar_double(&p->y, text, indent, !is_simple_key);
        break;
    case DOC_LITERAL:
    case DOC_FOLDED:
        put_block_scalar(p, text, chosen == DOC_LITERAL, indent);
        break;
    }
}

/* ---- anchors and tags */

static void put_tag_text(struct printer *p, str text)
{
    static const char plain[] = ";/?:@&=+$,_.!~*'()[]-";

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool is_word = (c >= '0' && c <= '9') || (unsigned char)((c | 0x20) - 'a') < 26;
        char escape[4];

        if (is_word || memchr(plain, c, sizeof(plain) - 1)) {
            yaml_put_char(&p->y, (char)c);
        } else {
            snprintf(escape, sizeof(escape), "%%%02X", c);
            pen_put(&p->y.pen, escape, 3);
        }
    }
}

static void put_tag(struct printer *p, str tag)
{
    bool is_verbatim = false;

    if (tag.len == 0)
        return;
    if (str_drop_prefix(&tag, STR("tag:yaml.org,2002:"))) {
        put_word(p, STR("!!"), true);
    } else if (str_drop_prefix(&tag, STR("!"))) {
        put_word(p, STR("!"), true);
    } else {
        put_word(p, STR("!<"), true);
        is_verbatim = true;
    }
    put_tag_text(p, tag);
    if (is_verbatim)
        yaml_put_char(&p->y, '>');
    p->only_indent = false;
}

static void put_properties(struct printer *p, const struct doc_node *n)
{
    const struct doc_extra *x = extra_of(n);

    if (x->anchor.len) {
        put_word(p, doc_type(n) == DOC_ALIAS ? STR("*") : STR("&"), true);
        pen_put(&p->y.pen, x->anchor.p, x->anchor.len);
        p->only_indent = false;
    }
    if (doc_type(n) != DOC_ALIAS && !str_eq(x->tag, STR("?")))
        put_tag(p, x->tag);
}

/* ---- collections */

static void put_node(struct printer *p, const struct doc_node *n, enum place place);

static bool is_simple_key(str key) { return key.len <= SIMPLE_KEY && !scalar_has_break(key); }

/* A key with what is written before it; true when it is a simple one. */
static bool put_key(struct printer *p, const struct doc_node *entry)
{
    str key = doc_key(entry);
    bool is_simple = is_simple_key(key);

    if (!is_simple)
        put_indicator(p, "?", true, p->flow_level == 0);
    if (entry->key_style == DOC_PLAIN &&
        str_eq(key, STR("<<"))) /* upstream shows how it was resolved */
        put_tag(p, STR("tag:yaml.org,2002:merge"));
    put_text(p, key, entry->key_style, false, is_simple);
    return is_simple;
}

static void put_flow_key(struct printer *p, const struct doc_node *entry, str *tail,
                         bool needs_comma)
{
    const struct doc_extra *x = extra_of(entry);
    bool is_simple;

    replace(&p->head, x->key_head);
    replace(&p->line, x->key_line);
    replace(&p->tail, *tail);
    *tail = x->key_foot;
    if (needs_comma)
        put_indicator(p, ",", false, false);
    put_head(p);
    if (at_line_start(p))
        start_line(p);
    is_simple = put_key(p, entry);
    take_value_comments(p, entry);
    put_indicator(p, ":", !is_simple, false);
}

/* The comma goes before a comment: true then, and the next one is not needed. */
static bool put_flow_value(struct printer *p, const struct doc_node *n, enum place place)
{
    bool has_comments = has_trailing_comments(p);

    put_node(p, n, place);
    if (doc_type(n) == DOC_LIST || doc_type(n) == DOC_MAP)
        return false;
    if (has_trailing_comments(p))
        put_indicator(p, ",", false, false);
    put_line_and_foot(p);
    return has_comments;
}

static void put_flow_map(struct printer *p, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    bool has_comma = true, is_empty = n->len == 0;
    str tail = STR_NONE;
    long before;

    put_indicator(p, "{", true, false);
    p->after_blank = true;
    before = indent_more(p, true, false);
    p->flow_level++;
    while (doc_next(&it)) {
        put_flow_key(p, it.value, &tail, !has_comma);
        has_comma = put_flow_value(p, it.value, IN_MAP);
    }
    take_end_comments(p, n, tail);
    if ((p->head.len || p->foot.len || p->tail.len) && !is_empty && !has_comma)
        put_indicator(p, ",", false, false);
    put_head(p);
    p->flow_level--;
    p->indent = before;
    put_indicator(p, "}", false, false);
    put_line_and_foot(p);
}

static void put_flow_list(struct printer *p, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    bool has_comma = true;
    long before;

    put_indicator(p, "[", true, false);
    p->after_blank = true;
    before = indent_more(p, true, false);
    p->flow_level++;
    while (doc_next(&it)) {
        take_value_comments(p, it.value);
        if (!has_comma)
            put_indicator(p, ",", false, false);
        put_head(p);
        if (at_line_start(p))
            start_line(p);
        has_comma = put_flow_value(p, it.value, IN_LIST);
    }
    take_end_comments(p, n, STR_NONE);
    p->flow_level--;
    p->indent = before;
    if (at_line_start(p))
        start_line(p);
    put_indicator(p, "]", false, false);
    put_line_and_foot(p);
}

/* The line comment of a key goes behind a value on its line that has none, or before a block that
 * follows. go-yaml takes {} and [] for blocks and prints what it cannot read again. */
static void settle_key_comment(struct printer *p, const struct doc_node *value)
{
    str own = p->line;

    if (p->key_line.len == 0)
        return;
    if (doc_is_scalar(value) || (value->type != DOC_ALIAS && doc_len(value) == 0)) {
        if (p->line.len == 0) {
            p->line = p->key_line;
            p->key_line = STR_NONE;
        }
    } else if (value->type != DOC_ALIAS && value->style != DOC_FLOW) {
        p->line = p->key_line;
        put_line_comment(p);
        p->line = own;
        p->key_line = STR_NONE;
    }
}

static void put_entry(struct printer *p, const struct doc_node *entry, str *tail)
{
    const struct doc_extra *x = extra_of(entry);
    bool is_simple;

    replace(&p->head, x->key_head);
    replace(&p->line, x->key_line);
    replace(&p->tail, *tail);
    *tail = x->key_foot;
    put_head(p);
    start_line(p);
    if (p->line.len)
        p->key_line = p->line;
    p->line = STR_NONE;
    is_simple = put_key(p, entry);
    take_value_comments(p, entry);
    if (!is_simple)
        start_line(p);
    put_indicator(p, ":", !is_simple, !is_simple);
    settle_key_comment(p, entry);
    put_node(p, entry, IN_MAP);
}

static void put_block_map(struct printer *p, const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    long before = indent_more(p, false, false);
    str tail = STR_NONE;

    while (doc_next(&it))
        put_entry(p, it.value, &tail);
    take_end_comments(p, n, tail);
    put_head(p);
    p->indent = before;
}

static void put_block_list(struct printer *p, const struct doc_node *n, enum place place)
{
    struct doc_iter it = doc_children(n);
    bool is_compact = place == IN_MAP && !p->is_wide && (at_line_start(p) || !p->only_indent);
    long before = indent_more(p, false, is_compact);

    while (doc_next(&it)) {
        take_value_comments(p, it.value);
        put_head(p);
        start_line(p);
        put_indicator(p, "-", true, true);
        put_node(p, it.value, IN_LIST);
    }
    take_end_comments(p, n, STR_NONE);
    p->indent = before;
}

/* Comments of the node wait already; those of a scalar are written unless a flow collection does
 * it. */
static void put_node(struct printer *p, const struct doc_node *n, enum place place)
{
    bool is_collection = doc_type(n) == DOC_LIST || doc_type(n) == DOC_MAP;
    /* go-yaml writes a null of no characters in a flow as '', another value: text that goes into a
     * source has to mean what it meant. */
    bool is_lost = p->is_spliced && p->flow_level && doc_type(n) == DOC_NULL && n && n->len == 0;

    put_properties(p, n);
    if (!n || is_lost)
        put_text(p, STR("null"), DOC_PLAIN, false, false);
    else if (!is_collection && n->type != DOC_ALIAS)
        put_text(p, (str){n->text, n->len}, n->style,
                 n->type == DOC_STRING && extra_of(n)->tag.len == 0, false);
    if (p->flow_level == 0 && !(is_collection && n->len == 0))
        put_line_and_foot(p);
    if (!is_collection)
        return;
    if (n->len == 0 || n->style == DOC_FLOW || p->flow_level) {
        if (n->type == DOC_MAP)
            put_flow_map(p, n);
        else
            put_flow_list(p, n);
    } else if (n->type == DOC_MAP) {
        put_block_map(p, n);
    } else {
        put_block_list(p, n, place);
    }
}

static void print(const struct doc_node *n, bool is_wide, bool is_spliced, struct buf *out)
{
    struct printer p = {.y.width = SIZE_MAX,
                        .indent = -1,
                        .foot_indent = -1,
                        .is_wide = is_wide,
                        .is_spliced = is_spliced,
                        .after_blank = true,
                        .only_indent = true};
    const struct doc_extra *x = extra_of(n);

    pen_open(&p.y.pen, out);
    p.y.line = out->len;
    if (x->key_head.len) { /* of the document */
        p.head = x->key_head;
        put_head(&p);
        break_line(&p);
    }
    take_value_comments(&p, n);
    put_head(&p);
    put_node(&p, n, AT_ROOT);
    replace(&p.foot, x->key_foot);
    p.foot_indent = 0; /* the document's foot stands apart */
    put_foot_like(&p, &p.foot);
    p.foot_indent = -1;
    start_line(&p);
    pen_close(&p.y.pen);
}

void kyaml_emit(const struct doc_node *n, bool is_wide, struct buf *out)
{
    print(n, is_wide, false, out);
}

void kyaml_splice(const struct doc_node *n, bool is_wide, struct buf *out)
{
    print(n, is_wide, true, out);
}
