#include "doc/emit.h"

#include "doc/kyaml_emit_priv.h"
#include "doc/look_priv.h"
#include "doc/number_priv.h"
#include "doc/order_priv.h"
#include "doc/plain_priv.h"
#include "doc/scalar_priv.h"

/* libyaml's limits: beyond the first a blank may become a line break, beyond the second a key takes
 * the form `? key`. */
enum { LINE_WIDTH = 80, SIMPLE_KEY = 128 };

struct writer {
    struct yaml_pen y;
    bool is_sorted;
    struct order order; /* children of the maps that are being written */
};

/* ---- strings */

/* What the first byte of a text says: whether it may stand plain as far as that goes, and what else
 * it may be read as. */
enum first {
    FIRST_ODD, /* no plain text, or one that needs a closer look */
    FIRST_PLAIN,
    FIRST_WORD,  /* of a word that is no text; such have up to five bytes */
    FIRST_DIGIT, /* of a number */
};

#define P FIRST_PLAIN
#define W FIRST_WORD
static const unsigned char first_of[256] = {
    ['a' ... 'e'] = P,
    ['f'] = W,
    ['g' ... 'm'] = P,
    ['n' ... 'o'] = W,
    ['p' ... 's'] = P,
    ['t'] = W,
    ['u' ... 'x'] = P,
    ['y'] = W,
    ['z'] = P,
    ['A' ... 'E'] = P,
    ['F'] = W,
    ['G' ... 'M'] = P,
    ['N' ... 'O'] = W,
    ['P' ... 'S'] = P,
    ['T'] = W,
    ['U' ... 'X'] = P,
    ['Y'] = W,
    ['Z'] = P,
    ['/'] = P,
    ['_'] = P,
    ['$'] = P,
    ['('] = P,
    [')'] = P,
    ['<'] = P,
    ['='] = P,
    ['^'] = P,
    ['\\'] = P,
    [';'] = P,
    ['0' ... '9'] = FIRST_DIGIT,
};
#undef P
#undef W

static inline bool begins_plain(str s)
{
    if (UNLIKELY(s.len == 0))
        return false;
    if (UNLIKELY(s.len >= 3 && (s.p[0] == '.' || s.p[0] == '-') && s.p[1] == s.p[0] &&
                 s.p[2] == s.p[0]))
        return false; /* as markers of documents begin */
    if (UNLIKELY(s.p[0] == '-'))
        return s.len >= 2 && s.p[1] != ' ';
    return s.p[0] == '.' || s.p[0] == '+' || s.p[0] == '~' ||
           first_of[(unsigned char)s.p[0]] != FIRST_ODD;
}

/* How a text was written. */
enum copied {
    COPIED,
    QUOTED,     /* a word or number that is a text: between double quotes */
    NOT_COPIED, /* there is more to it */
};

/* What room in the pen writing such a text takes. */
enum { COPY_ROOM = LOOK_ROOM + 2 };

/* Apart from what calls it for few texts only. */
static __attribute__((noinline)) bool is_other_text(str s)
{
    return plain_may_be_other(s) && plain_is_other(s, PLAIN_V2);
}

static enum copied copy_quoted(char **to, str s)
{
    char *p = *to;

    if (memchr(s.p, ' ', s.len))
        return NOT_COPIED;
    *p++ = '"';
    memcpy(p, s.p, s.len);
    p += s.len;
    *p++ = '"';
    *to = p;
    return QUOTED;
}

/* Most texts: written to *to, where there is room, after a look at sixteen bytes at a time; *to
 * moves on. before: what stands on the line, at most. */
static inline __attribute__((always_inline)) enum copied
copy_simple(const struct writer *w, char **to, str s, size_t before)
{
    enum plainness plainness;
    enum first first;

    if (UNLIKELY(s.len == 0))
        return NOT_COPIED;
    first = first_of[(unsigned char)s.p[0]];
    if (first != FIRST_PLAIN && (first != FIRST_WORD || s.len <= 5)) {
        if (UNLIKELY(first == FIRST_ODD))
            return NOT_COPIED;
        if (is_other_text(s))
            return copy_quoted(to, s);
    }
    plainness = look_copy(*to, s);
    if (UNLIKELY(plainness != PLAIN) && (plainness == NOT_PLAIN || before + s.len > w->y.width))
        return NOT_COPIED;
    *to += s.len;
    return COPIED;
}

/* A word or number that is a text. */
static void put_other(struct writer *w, str s, size_t indent, bool is_key)
{
    pen_need(&w->y.pen, s.len + 2);
    if (copy_quoted(&w->y.pen.p, s) == NOT_COPIED) /* a timestamp, at which the line may break */
        scalar_double(&w->y, s, indent, !is_key);
}

/* The same for all that may stand plain, line breaks for its width included. */
static bool put_simple(struct writer *w, str s, size_t indent, bool is_key)
{
    enum plainness plainness;

    if (!begins_plain(s))
        return false;
    pen_need(&w->y.pen, s.len + LOOK_ROOM);
    plainness = look_copy(w->y.pen.p, s);
    if (UNLIKELY(plainness == NOT_PLAIN))
        return false;
    if (UNLIKELY(is_other_text(s))) {
        put_other(w, s, indent, is_key);
        return true;
    }
    if (plainness == PLAIN_WITH_BLANKS && !is_key &&
        (size_t)(w->y.pen.p - w->y.pen.out->p) - w->y.line + s.len > w->y.width) {
        scalar_plain(&w->y, s, indent, true);
        return true;
    }
    w->y.pen.p += s.len;
    return true;
}

/* What a literal block can hold beyond doubt: printable ASCII, no blank at the end of a line or at
 * the beginning. */
static bool is_simple_block(str s)
{
    if (s.p[0] == ' ' || s.p[0] == '\n')
        return false;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (UNLIKELY(c <= ' ' || c >= 0x7f) && c != '\n' &&
            (c != ' ' || i + 1 == s.len || s.p[i + 1] == '\n'))
            return false;
    }
    return true;
}

static void put_lines(struct writer *w, str s, size_t indent, bool is_key)
{
    if (!is_key && (is_simple_block(s) || scalar_analyze(s, false).block)) {
        scalar_block_header(&w->y, '|', s);
        yaml_new_line(&w->y);
        scalar_literal(&w->y, s, indent);
    } else {
        scalar_double(&w->y, s, indent, !is_key);
    }
}

static void put_general(struct writer *w, str s, size_t indent, bool is_key)
{
    struct scalar_look look;

    if (s.len && memchr(s.p, '\n', s.len)) {
        put_lines(w, s, indent, is_key);
        return;
    }
    if (is_other_text(s)) {
        scalar_double(&w->y, s, indent, !is_key);
        return;
    }
    look = scalar_analyze(s, false);
    if (look.block_plain)
        scalar_plain(&w->y, s, indent, !is_key);
    else if (look.single)
        scalar_single(&w->y, s, indent, !is_key);
    else
        scalar_double(&w->y, s, indent, !is_key);
}

static void put_string(struct writer *w, str s, size_t indent)
{
    if (UNLIKELY(!put_simple(w, s, indent, false)))
        put_general(w, s, indent, false);
}

/* ---- other scalars */

static bool is_short_decimal(str s)
{
    size_t i = s.len && s.p[0] == '-';

    if (s.len - i == 0 || s.len > 18 || (s.p[i] == '0' && s.len > 1))
        return false;
    for (; i < s.len; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return true;
}

static void put_number(struct writer *w, const struct doc_node *n)
{
    if (is_short_decimal((str){n->text, n->len})) {
        pen_put(&w->y.pen, n->text, n->len);
        return;
    }
    pen_close(&w->y.pen);
    number_add_yaml(w->y.pen.out, n);
    pen_open(&w->y.pen, w->y.pen.out);
}

/* A scalar or an empty collection. */
static void put_scalar(struct writer *w, const struct doc_node *n, size_t indent)
{
    switch (doc_type(n)) {
    case DOC_STRING:
        put_string(w, (str){n->text, n->len}, indent);
        break;
    case DOC_NUMBER:
        put_number(w, n);
        break;
    case DOC_BOOL:
        pen_put(&w->y.pen, n->bool_val ? "true" : "false", 5 - n->bool_val);
        break;
    case DOC_LIST:
        pen_put(&w->y.pen, "[]", 2);
        break;
    case DOC_MAP:
        pen_put(&w->y.pen, "{}", 2);
        break;
    case DOC_NULL:
    case DOC_ALIAS:
        pen_put(&w->y.pen, "null", 4);
        break;
    }
}

/* ---- structure */

static void put_children(struct writer *w, const struct doc_node *n, size_t indent);

static const struct doc_node *resolve(const struct doc_node *n)
{
    while (n && n->type == DOC_ALIAS)
        n = n->extra->target;
    return n;
}

/* After a scalar: a block scalar may have ended its line. */
static inline void end_line(struct writer *w)
{
    if (LIKELY((size_t)(w->y.pen.p - w->y.pen.out->p) != w->y.line))
        yaml_new_line(&w->y);
}

/* A text that ends the line, behind `blanks` of them: none or one. */
static inline void put_text_line(struct writer *w, str s, size_t indent, size_t blanks)
{
    struct yaml_pen *y = &w->y;
    char *p;

    pen_need(&y->pen, s.len + COPY_ROOM + 2);
    *y->pen.p = ' ';
    y->pen.p += blanks;
    p = y->pen.p;
    if (UNLIKELY(copy_simple(w, &p, s, (size_t)(p - y->pen.out->p) - y->line) == NOT_COPIED)) {
        put_string(w, s, indent);
        end_line(w);
        return;
    }
    *p++ = '\n';
    y->pen.p = p;
    y->line = (size_t)(p - y->pen.out->p);
}

/* Behind "key:". indent is the column of the key. */
static inline void put_field_value(struct writer *w, const struct doc_node *n, size_t indent)
{
    if (n->type == DOC_STRING) {
        put_text_line(w, (str){n->text, n->len}, indent + 2, 1);
        return;
    }
    n = resolve(n);
    if (doc_len(n) == 0) {
        yaml_put_char(&w->y, ' ');
        put_scalar(w, n, indent + 2);
        end_line(w);
        return;
    }
    if (n->type == DOC_MAP)
        indent += 2; /* a list stands in the column of its key */
    yaml_new_line(&w->y);
    yaml_pad(&w->y, indent);
    put_children(w, n, indent);
}

/* Behind "- ", "? " or ": ", which stand in the column indent. */
static inline void put_inside(struct writer *w, const struct doc_node *n, size_t indent)
{
    if (n->type == DOC_STRING) {
        put_text_line(w, (str){n->text, n->len}, indent + 2, 0);
        return;
    }
    n = resolve(n);
    if (doc_len(n)) {
        put_children(w, n, indent + 2);
        return;
    }
    put_scalar(w, n, indent + 2);
    end_line(w);
}

static void put_complex_field(struct writer *w, const struct doc_node *n, size_t indent)
{
    pen_put(&w->y.pen, "? ", 2);
    put_string(w, doc_key(n), indent + 2);
    end_line(w);
    yaml_pad(&w->y, indent);
    pen_put(&w->y.pen, ": ", 2);
    put_inside(w, n, indent);
}

/* A field whose key is not as simple as most are. */
static void put_other_field(struct writer *w, const struct doc_node *n, size_t indent)
{
    str key = doc_key(n);

    if (key.len > SIMPLE_KEY || !put_simple(w, key, indent, true)) {
        if (key.len > SIMPLE_KEY || scalar_has_break(key)) {
            put_complex_field(w, n, indent);
            return;
        }
        put_general(w, key, indent, true);
    }
    yaml_put_char(&w->y, ':');
    put_field_value(w, n, indent);
}

/* How far ahead of a field nodes are asked for: what was read in one piece lies in the order of the
 * text, and the nodes of a large text are in no near cache. */
enum { AHEAD = 4096 };

/* The pen stands in the column indent. */
static inline void put_field(struct writer *w, const struct doc_node *n, size_t indent)
{
    str key = doc_key(n);
    struct pen *pen = &w->y.pen;

    __builtin_prefetch((const void *)((uintptr_t)n + AHEAD)); /* of any address: it never fails */
    pen_need(pen, SIMPLE_KEY + COPY_ROOM + 1);
    if (UNLIKELY(key.len >= SIMPLE_KEY || copy_simple(w, &pen->p, key, 0) == NOT_COPIED)) {
        put_other_field(w, n, indent);
        return;
    }
    *pen->p++ = ':';
    put_field_value(w, n, indent);
}

static void put_map(struct writer *w, const struct doc_node *n, size_t indent)
{
    size_t base = w->order.len;
    const struct doc_node *child = n->last->next;
    bool is_sorted = w->is_sorted && n->len > 1;

    if (is_sorted)
        order_push(&w->order, n, ORDER_NATURAL);
    for (uint32_t i = 0; i < n->len; i++, child = child->next) {
        if (i)
            yaml_pad(&w->y, indent);
        put_field(w, is_sorted ? w->order.v[base + i] : child, indent);
    }
    w->order.len = base;
}

/* The first child goes where the pen is, the others to lines of their own. */
static void put_children(struct writer *w, const struct doc_node *n, size_t indent)
{
    const struct doc_node *child = n->last->next;

    if (n->type == DOC_MAP) {
        put_map(w, n, indent);
        return;
    }
    for (uint32_t i = 0; i < n->len; i++, child = child->next) {
        if (i)
            yaml_pad(&w->y, indent);
        pen_put(&w->y.pen, "- ", 2);
        put_inside(w, child, indent);
    }
}

static void emit_root(struct writer *w, const struct doc_node *n)
{
    w->y.line = (size_t)(w->y.pen.p - w->y.pen.out->p);
    n = resolve(n);
    if (doc_len(n)) {
        put_children(w, n, 0);
    } else {
        put_scalar(w, n, 2);
        end_line(w);
    }
}

static void emit_plain(struct doc_node *const *roots, size_t count, bool is_sorted, struct buf *out)
{
    struct writer w = {.y.width = LINE_WIDTH, .is_sorted = is_sorted};

    pen_open(&w.y.pen, out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            pen_put(&w.y.pen, "---\n", 4);
        emit_root(&w, roots[i]);
    }
    pen_close(&w.y.pen);
    order_done(&w.order);
}

void doc_emit_all(struct doc_node *const *roots, size_t count, enum doc_emit_style style,
                  struct buf *out)
{
    switch (style) {
    case DOC_EMIT_SORTED:
    case DOC_EMIT_ORDERED:
        emit_plain(roots, count, style == DOC_EMIT_SORTED, out);
        break;
    case DOC_EMIT_KYAML:
    case DOC_EMIT_KYAML_WIDE:
        for (size_t i = 0; i < count; i++) {
            if (i)
                buf_add_cstr(out, "---\n");
            kyaml_emit(roots[i], style == DOC_EMIT_KYAML_WIDE, out);
        }
        break;
    }
}

void doc_emit(const struct doc_node *n, enum doc_emit_style style, struct buf *out)
{
    struct doc_node *root = (struct doc_node *)n; /* which is not changed */

    doc_emit_all(&root, 1, style, out);
}
