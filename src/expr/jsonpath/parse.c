#include <errno.h>

#include "base/mem.h"
#include "expr/jsonpath/jsonpath_priv.h"
#include "expr/jsonpath/quote_priv.h"
#include "re/unicode.h"

enum { MAX_DEPTH = 16, END = -1 };

struct parser {
    struct arena *arena;
    str in;
    size_t pos, start; /* in[start..pos) is read but not yet taken */
    size_t width;      /* of the last code point */
    struct jp_node *root;
    struct jp_node *cur; /* the list that is being filled */
    int depth;           /* of texts inside filters and unions */
    struct err *e;
};

static struct jp_node *parse_template(struct arena *arena, str text, int depth, struct err *e);

static struct jp_node *node_new(struct arena *arena, enum jp_kind kind)
{
    struct jp_node *n = ARENA_NEW(arena, struct jp_node);

    n->kind = kind;
    return n;
}

static void child_add(struct jp_node *list, struct jp_node *child)
{
    if (list->last)
        list->last->next = child;
    else
        list->first = child;
    list->last = child;
}

static struct jp_node *add(struct parser *p, enum jp_kind kind)
{
    struct jp_node *n = node_new(p->arena, kind);

    child_add(p->cur, n);
    return n;
}

static void add_value(struct parser *p, struct jp_node *list, enum doc_type type, str text)
{
    struct jp_node *n = node_new(p->arena, JP_VALUE);

    n->value.type = type;
    n->value.text = text.p;
    n->value.len = (uint32_t)text.len;
    n->value.bool_val = str_eq(text, STR("true"));
    child_add(list, n);
}

static int32_t next(struct parser *p)
{
    int32_t c;

    p->width = 0;
    if (p->pos >= p->in.len)
        return END;
    c = (int32_t)str_utf8_at(p->in, p->pos, &p->width);
    p->pos += p->width;
    return c;
}

static void backup(struct parser *p) { p->pos -= p->width; }

static str take(struct parser *p)
{
    str text = {p->in.p + p->start, p->pos - p->start};

    p->start = p->pos;
    return text;
}

static bool at(const struct parser *p, const char *prefix)
{
    return str_starts(str_from(p->in, p->pos), str_of(prefix));
}

static bool is_line_end(int32_t c) { return c == '\r' || c == '\n'; }

static bool is_terminator(int32_t c)
{
    return c == END || c == ' ' || c == '\t' || is_line_end(c) ||
           (c < 128 && strchr(".,[]$@{}", c));
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_word(int32_t c)
{
    if (c < 0x80)
        return c == '_' || is_digit(c) || (c >= 0 && ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'));
    return re_unicode_is("L", (uint32_t)c) || re_unicode_is("Nd", (uint32_t)c);
}

static int parse_field(struct parser *p)
{
    AUTO(buf_done) struct buf name = {0};
    str text;

    take(p);
    for (;;) {
        int32_t c = next(p);

        if (c == '\\') {
            next(p);
        } else if (is_terminator(c)) {
            backup(p);
            break;
        }
    }
    text = take(p);
    if (str_eq(text, STR("*"))) {
        add(p, JP_WILDCARD);
        return 0;
    }
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] != '\\')
            buf_add_char(&name, text.p[i]);
    add(p, JP_FIELD)->text = arena_dup(p->arena, buf_view(&name));
    return 0;
}

static int parse_recursive(struct parser *p)
{
    int32_t c;

    if (p->cur->last && p->cur->last->kind == JP_RECURSIVE)
        return err_set(p->e, ERR_INVALID, "invalid multiple recursive descent");
    p->pos += 2;
    take(p);
    add(p, JP_RECURSIVE);
    c = next(p);
    backup(p);
    return is_word(c) ? parse_field(p) : 0;
}

static int parse_number(struct parser *p)
{
    int32_t c;
    str text;
    int64_t whole;
    char copy[64], *end;
    double value;

    (void)next(p); /* a digit or a sign */
    do
        c = next(p);
    while (c == '.' || is_digit(c));
    backup(p);
    text = take(p);
    if (text.len && str_to_int64(text.p[0] == '+' ? str_from(text, 1) : text, &whole)) {
        add_value(p, p->cur, DOC_NUMBER, arena_printf(p->arena, "%lld", (long long)whole));
        p->cur->last->value.is_int = true;
        return 0;
    }
    snprintf(copy, sizeof(copy), "%.*s", STR_ARG(text));
    errno = 0;
    value = strtod(copy, &end);
    if (text.len >= sizeof(copy) || end == copy || *end || errno == ERANGE)
        return err_set(p->e, ERR_INVALID, "cannot parse number %.*s", STR_ARG(text));
    add_value(p, p->cur, DOC_NUMBER, arena_printf(p->arena, "%.17g", value));
    return 0;
}

static int parse_word(struct parser *p)
{
    str text;

    while (!is_terminator(next(p)))
        ;
    backup(p);
    text = take(p);
    if (str_eq(text, STR("true")) || str_eq(text, STR("false")))
        add_value(p, p->cur, DOC_BOOL, text);
    else if (str_eq(text, STR("range")))
        add(p, JP_RANGE);
    else if (str_eq(text, STR("end")))
        add(p, JP_END);
    else
        add(p, JP_IDENTIFIER)->text = text;
    return 0;
}

/* The quote itself is read already. */
static int parse_quote(struct parser *p, int32_t quote)
{
    AUTO(buf_done) struct buf plain = {0};
    int32_t c;
    str text;

    do {
        c = next(p);
        if (c == END || c == '\n')
            return err_set(p->e, ERR_INVALID, "unterminated quoted string");
    } while (c != quote || p->in.p[p->pos - 2] == '\\');
    text = take(p);
    if (!jp_unquote(text, &plain))
        return err_set(p->e, ERR_INVALID, "unquote string %.*s error invalid syntax",
                       STR_ARG(text));
    add_value(p, p->cur, DOC_STRING, arena_dup(p->arena, buf_view(&plain)));
    return 0;
}

/* A text of its own inside braces: the side of a filter, a member of a union, a quoted key. Its
 * first part. */
static struct jp_node *parse_inner(struct parser *p, const char *before, str text,
                                   const char *after)
{
    struct jp_node *root;

    if (p->depth >= MAX_DEPTH) {
        err_set(p->e, ERR_LIMIT, "filters and unions are nested too deeply");
        return NULL;
    }
    text = arena_printf(p->arena, "{%s%.*s%s}", before, STR_ARG(text), after);
    root = parse_template(p->arena, text, p->depth + 1, p->e);
    return root ? root->first : NULL;
}

static int parse_union(struct parser *p, str text)
{
    struct jp_node *n = node_new(p->arena, JP_UNION);

    while (text.p) {
        str member = str_cut(text, ',', &text);
        struct jp_node *list;

        while (str_drop_prefix(&member, STR(" ")))
            ;
        list = parse_inner(p, "[", str_trim_right(member, " "), "]");
        if (!list)
            return -1;
        child_add(n, list);
    }
    child_add(p->cur, n);
    return 0;
}

static bool is_quoted_key(str text)
{
    return text.len >= 2 && text.p[0] == '\'' && text.p[text.len - 1] == '\'' &&
           str_find_char(str_sub(text, 1, text.len - 2), '\'') < 0;
}

static int parse_key(struct parser *p, str key)
{
    struct jp_node *list = parse_inner(p, ".", key, "");

    if (!list)
        return -1;
    for (struct jp_node *n = list->first, *following; n; n = following) {
        following = n->next;
        n->next = NULL;
        child_add(p->cur, n);
    }
    return 0;
}

/* -?[0-9]* and nothing but it before the next ':' or the end. */
static bool is_bound(str text)
{
    str_drop_prefix(&text, STR("-"));
    for (size_t i = 0; i < text.len; i++)
        if (!is_digit(text.p[i]))
            return false;
    return true;
}

static int parse_slice(struct parser *p, str text)
{
    struct jp_node *n = node_new(p->arena, JP_ARRAY);
    str rest = text;
    int count = 0;

    for (; count < 3 && rest.p; count++) {
        str part = str_cut(rest, ':', &rest);

        if (!is_bound(part))
            return err_set(p->e, ERR_INVALID, "invalid array index %.*s", STR_ARG(text));
        n->bounds[count].is_known = part.len > 0;
        if (part.len && (!str_to_int64(part, &n->bounds[count].value) ||
                         llabs(n->bounds[count].value) > INT32_MAX))
            return err_set(p->e, ERR_INVALID, "array index %.*s is not a number", STR_ARG(part));
    }
    if (rest.p)
        return err_set(p->e, ERR_INVALID, "invalid array index %.*s", STR_ARG(text));
    if (count < 2)
        n->bounds[1] = (struct jp_bound){n->bounds[0].value + 1, true, true};
    child_add(p->cur, n);
    return 0;
}

/* The '[' is read already. */
static int parse_array(struct parser *p)
{
    int32_t c;
    str text;

    do {
        c = next(p);
        if (c == END || c == '\n')
            return err_set(p->e, ERR_INVALID, "unterminated array");
    } while (c != ']');
    text = take(p);
    text = str_sub(text, 1, text.len - 2);
    if (str_find_char(text, ',') >= 0)
        return parse_union(p, text);
    if (is_quoted_key(text))
        return parse_key(p, str_sub(text, 1, text.len - 2));
    return parse_slice(p, str_eq(text, STR("*")) ? STR(":") : text);
}

static enum jp_op op_of(str text)
{
    static const struct {
        char text[3];
        enum jp_op op;
    } ops[] = {{"==", JP_EQ}, {"!=", JP_NE}, {"<", JP_LT},
               {"<=", JP_LE}, {">", JP_GT},  {">=", JP_GE}};

    for (size_t i = 0; i < ARRAY_LEN(ops); i++)
        if (str_eq(text, str_of(ops[i].text)))
            return ops[i].op;
    return JP_BAD_OP;
}

/* The end of the filter's text: the first ')' outside the first pair of quotes. */
static int scan_filter(struct parser *p)
{
    bool has_begun = false, has_ended = false;
    int32_t quote = 0, c;

    for (;;) {
        c = next(p);
        if (c == END || c == '\n')
            return err_set(p->e, ERR_INVALID, "unterminated filter");
        if (c == '"' || c == '\'') {
            if (!has_begun) {
                has_begun = true;
                quote = c;
            } else if (p->in.p[p->pos - 2] != '\\' && c == quote) {
                has_ended = true;
            }
        } else if (c == ')' && has_begun == has_ended) {
            break;
        }
    }
    if (next(p) != ']')
        return err_set(p->e, ERR_INVALID, "unclosed array expect ]");
    return 0;
}

static bool is_op_char(char c) { return c == '!' || c == '<' || c == '=' || c == '>'; }

static int parse_filter(struct parser *p)
{
    struct jp_node *n = node_new(p->arena, JP_FILTER);
    size_t left = 0, right;
    str text;

    p->pos += 3;
    take(p);
    if (scan_filter(p) < 0)
        return -1;
    text = take(p);
    text.len -= 2;
    while (left < text.len && !is_op_char(text.p[left]))
        left++;
    for (right = left; right < text.len && is_op_char(text.p[right]); right++)
        ;
    if (right == text.len && right > left + 1)
        right--; /* "a==": the right side is "=", as upstream's pattern gives back a character */
    if (left == 0 || left == right || right == text.len) {
        n->op = JP_EXISTS;
        n->first = parse_inner(p, "", text, "");
        if (!n->first)
            return -1;
    } else {
        n->text = str_sub(text, left, right - left);
        n->op = op_of(n->text);
        n->first = parse_inner(p, "", str_sub(text, 0, left), "");
        n->right = n->first ? parse_inner(p, "", str_from(text, right), "") : NULL;
        if (!n->right)
            return -1;
    }
    child_add(p->cur, n);
    return 0;
}

static int bad_character(struct parser *p, int32_t c)
{
    return err_set(p->e, ERR_INVALID, "unrecognized character in action: U+%04X '%.*s'",
                   (unsigned)c, (int)p->width, p->in.p + p->pos - p->width);
}

/* One element of a part; 1 at its end. */
static int parse_element(struct parser *p)
{
    int32_t c;

    if (at(p, "}")) {
        p->pos++;
        take(p);
        return 1;
    }
    if (at(p, "[?("))
        return parse_filter(p);
    if (at(p, ".."))
        return parse_recursive(p);
    c = next(p);
    if (c == END || is_line_end(c))
        return err_set(p->e, ERR_INVALID, "unclosed action");
    if (c == ' ' || c == '@' || c == '$') { /* the current object: nothing to do */
        take(p);
        return 0;
    }
    if (c == '[')
        return parse_array(p);
    if (c == '"' || c == '\'')
        return parse_quote(p, c);
    if (c == '.')
        return parse_field(p);
    if (c == '+' || c == '-' || is_digit(c)) {
        backup(p);
        return parse_number(p);
    }
    if (is_word(c)) {
        backup(p);
        return parse_word(p);
    }
    return bad_character(p, c);
}

static void flush_text(struct parser *p)
{
    if (p->pos > p->start)
        add_value(p, p->root, DOC_STRING, take(p));
}

static struct jp_node *parse_template(struct arena *arena, str text, int depth, struct err *e)
{
    struct parser p = {.arena = arena, .in = text, .depth = depth, .e = e};

    p.root = node_new(arena, JP_LIST);
    while (p.pos < text.len) {
        int rc;

        if (text.p[p.pos] != '{') {
            p.pos++;
            continue;
        }
        flush_text(&p);
        p.pos++;
        take(&p);
        p.cur = node_new(arena, JP_LIST);
        child_add(p.root, p.cur);
        do
            rc = parse_element(&p);
        while (rc == 0);
        if (rc < 0)
            return NULL;
    }
    flush_text(&p);
    return p.root;
}

struct jsonpath *jsonpath_compile(str text, struct err *e)
{
    AUTO(jsonpath_free) struct jsonpath *path = NEW(struct jsonpath);

    if (text.len > 1 << 20) {
        err_set(e, ERR_LIMIT, "the JSONPath template is longer than a megabyte");
        return NULL;
    }
    path->root = parse_template(&path->arena, arena_dup(&path->arena, text), 0, e);
    return path->root ? TAKE(path) : NULL;
}

/* The words of a {…} part; the ranges open behind it, or -1 and e. */
static int check_words(const struct jp_node *part, int open, struct err *e)
{
    for (const struct jp_node *n = part->first; n; n = n->next) {
        if (n->kind == JP_IDENTIFIER)
            return err_set(e, ERR_INVALID, "unknown word \"%.*s\"; a field begins with a dot",
                           STR_ARG(n->text));
        open += n->kind == JP_RANGE;
        if (n->kind == JP_END && --open < 0)
            return err_set(e, ERR_INVALID, "{end} without {range}");
    }
    return open;
}

int jsonpath_check(const struct jsonpath *path, struct err *e)
{
    bool is_empty = true;
    int open = 0;

    for (const struct jp_node *part = path->root->first; part && open >= 0; part = part->next) {
        is_empty = is_empty && !part->first;
        open = check_words(part, open, e);
    }
    if (open < 0)
        return -1;
    if (is_empty)
        return err_set(e, ERR_INVALID, "empty jsonpath expression");
    return open > 0 ? err_set(e, ERR_INVALID, "{range} without {end}") : 0;
}

bool jsonpath_is_text(const struct jsonpath *path, const struct doc_node *value)
{
    for (const struct jp_node *part = path->root->first; part; part = part->next)
        if (part->kind == JP_VALUE && value == &part->value)
            return true;
    return false;
}

void jsonpath_free(struct jsonpath *path)
{
    if (!path)
        return;
    arena_done(&path->arena);
    mem_free(path);
}
