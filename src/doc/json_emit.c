#include "doc/emit.h"
#include "doc/number_priv.h"
#include "doc/order_priv.h"
#include "doc/pen_priv.h"
#include "doc/scan_priv.h"

/* A string is written straight into the buffer when six bytes for each of its own are there; larger
 * ones go in pieces. */
enum { PIECE = 4096 };

struct writer {
    struct pen pen;
    unsigned flags;
    unsigned depth;
    struct order order; /* children of the maps that are being written sorted */
};

static inline void need(struct writer *w, size_t room) { pen_need(&w->pen, room); }

/* ---- strings */

static void put_unicode_escape(struct writer *w, unsigned c)
{
    static const char hex[] = "0123456789abcdef";

    memcpy(w->pen.p, "\\u", 2);
    for (int i = 0; i < 4; i++)
        w->pen.p[2 + i] = hex[c >> (12 - 4 * i) & 15];
    w->pen.p += 6;
}

/* The byte at p, which cannot be copied as it is; returns what follows. */
static const char *put_escape(struct writer *w, const char *p)
{
    static const char letter[128] = {['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f',
                                     ['\n'] = 'n', ['\r'] = 'r',  ['\t'] = 't'};
    unsigned char c = (unsigned char)*p;

    if (letter[c]) {
        *w->pen.p++ = '\\';
        *w->pen.p++ = letter[c];
    } else {
        put_unicode_escape(w, c);
    }
    return p + 1;
}

enum { RARE = DOC_JSON_HTML | DOC_JSON_YAML };

/* As put_escape for what Go escapes lest the text be read as HTML or JavaScript, < > & U+2028
 * U+2029, and what ends lines in YAML. */
static const char *put_rare(struct writer *w, const char *p, const char *end)
{
    if (w->flags & DOC_JSON_YAML && end - p >= 2 && memcmp(p, "\xc2\x85", 2) == 0) {
        put_unicode_escape(w, 0x85);
        return p + 2;
    }
    if (w->flags & DOC_JSON_HTML && (*p == '<' || *p == '>' || *p == '&')) {
        put_unicode_escape(w, (unsigned char)*p);
        return p + 1;
    }
    if (end - p >= 3 && memcmp(p, "\xe2\x80", 2) == 0 && ((unsigned char)p[2] & 0xfe) == 0xa8) {
        put_unicode_escape(w, 0x2028u | (p[2] & 1u));
        return p + 3;
    }
    *w->pen.p++ = *p;
    return p + 1;
}

static void put_piece_rare(struct writer *w, const char *p, const char *end)
{
    while (p < end) {
        unsigned char c = (unsigned char)*p;

        p = c < 0x20 || c == '"' || c == '\\' ? put_escape(w, p) : put_rare(w, p, end);
    }
}

/* Room for six times the text and 16 more is there. */
static inline void put_piece(struct writer *w, const char *p, const char *end)
{
    while (p < end) {
        p = copy_string(&w->pen.p, p, end);
        if (p == end)
            break;
        p = put_escape(w, p);
    }
}

/* A text too long to reserve six times its size for. A piece does not end inside a character. */
static void put_long(struct writer *w, const char *p, const char *end)
{
    while (p < end) {
        const char *stop = (size_t)(end - p) > PIECE ? p + PIECE : end;

        while (stop < end && stop > p + PIECE - 4 && ((unsigned char)*stop & 0xc0) == 0x80)
            stop--;
        need(w, 6 * PIECE + 32);
        if (w->flags & RARE)
            put_piece_rare(w, p, stop);
        else
            put_piece(w, p, stop);
        p = stop;
    }
}

static inline void put_string(struct writer *w, str s)
{
    if (UNLIKELY(!s.p))
        s = STR("");
    need(w, 6 * MIN(s.len, (size_t)PIECE) + 32);
    *w->pen.p++ = '"';
    if (UNLIKELY(s.len > PIECE || w->flags & RARE))
        put_long(w, s.p, s.p + s.len);
    else
        put_piece(w, s.p, s.p + s.len);
    need(w, 8);
    *w->pen.p++ = '"';
}

void doc_json_quote(str text, unsigned flags, struct buf *out)
{
    struct writer w = {.flags = flags};

    pen_open(&w.pen, out);
    put_string(&w, text);
    pen_close(&w.pen);
}

/* ---- values */

/* Not JSON as it was written, or a canonical form is asked for. */
static void put_converted(struct writer *w, const struct doc_node *n)
{
    bool is_finite;

    pen_close(&w->pen);
    is_finite = number_add_json(w->pen.out, n);
    pen_open(&w->pen, w->pen.out);
    if (!is_finite) /* .inf, .nan: JSON has no number for them */
        put_string(w, (str){n->text, n->len});
}

static void put_number(struct writer *w, const struct doc_node *n)
{
    if (LIKELY(!(w->flags & DOC_JSON_CANON) && number_is_json((str){n->text, n->len})))
        pen_put(&w->pen, n->text, n->len);
    else
        put_converted(w, n);
}

static void new_line(struct writer *w)
{
    need(w, 2 * (size_t)w->depth + 1);
    *w->pen.p++ = '\n';
    memset(w->pen.p, ' ', 2 * (size_t)w->depth);
    w->pen.p += 2 * (size_t)w->depth;
}

static void put_value(struct writer *w, const struct doc_node *n);

static inline void put_child(struct writer *w, const struct doc_node *child, bool is_entry,
                             bool first)
{
    bool is_pretty = (w->flags & DOC_JSON_PRETTY) != 0;

    need(w, 4);
    if (!first)
        *w->pen.p++ = ',';
    if (UNLIKELY(is_pretty))
        new_line(w);
    if (is_entry) {
        put_string(w, doc_key(child));
        *w->pen.p++ = ':'; /* put_string leaves room */
        if (UNLIKELY(is_pretty))
            *w->pen.p++ = ' ';
    }
    put_value(w, child);
}

static void put_sorted(struct writer *w, const struct doc_node *map)
{
    size_t base = order_push(&w->order, map, ORDER_BYTES);

    for (size_t i = 0; i < map->len; i++)
        put_child(w, w->order.v[base + i], true, i == 0);
    w->order.len = base;
}

static void put_children(struct writer *w, const struct doc_node *n)
{
    bool is_map = n->type == DOC_MAP;
    const struct doc_node *child;

    need(w, 4);
    *w->pen.p++ = is_map ? '{' : '[';
    if (n->len) {
        w->depth++;
        if (is_map && w->flags & (DOC_JSON_SORTED | DOC_JSON_CANON)) {
            put_sorted(w, n);
        } else {
            child = n->last->next;
            for (uint32_t i = 0; i < n->len; i++, child = child->next)
                put_child(w, child, is_map, i == 0);
        }
        w->depth--;
        if (UNLIKELY(w->flags & DOC_JSON_PRETTY))
            new_line(w);
        need(w, 4);
    }
    *w->pen.p++ = is_map ? '}' : ']';
}

static void put_value(struct writer *w, const struct doc_node *n)
{
    switch (doc_type(n)) {
    case DOC_NULL:
        pen_put(&w->pen, "null", 4);
        break;
    case DOC_BOOL:
        pen_put(&w->pen, n->bool_val ? "true" : "false", 5 - n->bool_val);
        break;
    case DOC_NUMBER:
        put_number(w, n);
        break;
    case DOC_STRING:
        put_string(w, (str){n->text, n->len});
        break;
    case DOC_LIST:
    case DOC_MAP:
        put_children(w, n);
        break;
    case DOC_ALIAS:
        put_value(w, n->extra->target);
        break;
    }
}

void doc_emit_json(const struct doc_node *n, unsigned flags, struct buf *out)
{
    struct writer w = {.flags = flags};

    pen_open(&w.pen, out);
    put_value(&w, n);
    pen_close(&w.pen);
    order_done(&w.order);
}
