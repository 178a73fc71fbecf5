#include "bench/floor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

enum kind { SCALAR, BLOCK, MAP, LIST };

struct node {
    struct node *next;
    union {
        struct node *child;
        const char *text;
    };
    const char *key;
    uint32_t key_len, len, count;
    uint8_t kind;
};

struct chunk {
    struct chunk *next;
    char bytes[];
};
struct floor_tree {
    struct chunk *chunks;
    char *free, *end;
    struct node *documents;
    size_t used;
};

struct reader {
    const char *p, *end;
    struct floor_tree *tree;
};

enum { CHUNK = 4 << 20 };

static void *take(struct floor_tree *t, size_t size)
{
    if ((size_t)(t->end - t->free) < size) {
        struct chunk *c = malloc(sizeof(*c) + CHUNK);

        if (!c)
            abort();
        c->next = t->chunks;
        t->chunks = c;
        t->free = c->bytes;
        t->end = c->bytes + CHUNK;
    }
    t->free += size;
    t->used += size;
    return t->free - size;
}

static struct node *new_node(struct reader *r, enum kind kind)
{
    struct node *n = take(r->tree, sizeof(*n));

    *n = (struct node){.kind = (uint8_t)kind};
    return n;
}

/* Moves to the next line with content and returns its column; -1 at the end of a document. */
static int next_column(struct reader *r)
{
    for (;;) {
        const char *line = r->p;

        while (*r->p == ' ')
            r->p++;
        if (*r->p == '\n') {
            r->p++;
            continue;
        }
        if (r->p >= r->end || (r->p == line && strncmp(r->p, "---", 3) == 0))
            return -1;
        return (int)(r->p - line);
    }
}

static const char *line_end(const struct reader *r)
{
    const char *e = memchr(r->p, '\n', (size_t)(r->end - r->p));

    return e ? e : r->end;
}

/* Behind the closing quote. */
static const char *quoted_end(const char *p)
{
    for (p++; *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p + 1;
}

/* Where the key that begins at p ends, NULL when there is none on this line. */
static const char *key_end(const char *p)
{
    if (*p == '"') {
        p = quoted_end(p);
        return *p == ':' ? p : NULL;
    }
    for (; *p != '\n' && *p; p++)
        if (*p == ':' && (p[1] == ' ' || p[1] == '\n'))
            return p;
    return NULL;
}

static struct node *parse_flow(struct reader *r)
{
    struct node *n = new_node(r, *r->p == '{' ? MAP : LIST), **tail = &n->child;

    for (r->p++; *r->p != ']' && *r->p != '}';) {
        struct node *item = new_node(r, SCALAR);

        if (n->kind == MAP)
            abort(); /* only {} occurs */
        item->text = r->p;
        r->p = *r->p == '"' ? quoted_end(r->p) : r->p + strcspn(r->p, ",]");
        item->len = (uint32_t)(r->p - item->text);
        *tail = item;
        tail = &item->next;
        n->count++;
        r->p += strspn(r->p, ", ");
    }
    r->p = line_end(r) + 1;
    return n;
}

static struct node *parse_block(struct reader *r, int parent)
{
    struct node *n = new_node(r, BLOCK);
    const char *end;

    r->p = line_end(r) + 1;
    n->text = end = r->p;
    while (r->p < r->end) {
        const char *line = r->p;

        r->p += strspn(r->p, " ");
        if (*r->p != '\n' && r->p - line <= parent)
            break;
        r->p = end = line_end(r) + 1;
    }
    r->p = end;
    n->len = (uint32_t)(end - n->text);
    return n;
}

/* The value that begins on this line, below a parent at that column. */
static struct node *parse_inline(struct reader *r, int parent)
{
    struct node *n;

    if (*r->p == '|')
        return parse_block(r, parent);
    if (*r->p == '[' || *r->p == '{')
        return parse_flow(r);
    n = new_node(r, SCALAR);
    n->text = r->p;
    r->p = line_end(r);
    n->len = (uint32_t)(r->p - n->text);
    r->p++;
    return n;
}

static struct node *parse_node(struct reader *r, int column);

static struct node *parse_map(struct reader *r, int column)
{
    struct node *map = new_node(r, MAP), **tail = &map->child;

    for (;;) {
        const char *key = r->p, *end = key_end(key), *back;
        struct node *value;

        if (!end)
            abort();
        r->p = end + 1;
        if (*r->p == '\n') {
            int at;

            r->p++;
            back = r->p;
            at = next_column(r);
            if (at > column || (at == column && *r->p == '-')) {
                value = parse_node(r, at);
            } else {
                r->p = back;
                value = new_node(r, SCALAR);
            }
        } else {
            r->p++;
            value = parse_inline(r, column);
        }
        value->key = key;
        value->key_len = (uint32_t)(end - key);
        *tail = value;
        tail = &value->next;
        map->count++;
        back = r->p;
        if (next_column(r) != column || (*r->p == '-' && r->p[1] == ' ')) {
            r->p = back;
            return map;
        }
    }
}

static struct node *parse_list(struct reader *r, int column)
{
    struct node *list = new_node(r, LIST), **tail = &list->child;

    for (;;) {
        struct node *item;
        const char *back;

        r->p += 2;
        item = key_end(r->p) ? parse_map(r, column + 2) : parse_inline(r, column);
        *tail = item;
        tail = &item->next;
        list->count++;
        back = r->p;
        if (next_column(r) != column || *r->p != '-' || r->p[1] != ' ') {
            r->p = back;
            return list;
        }
    }
}

static struct node *parse_node(struct reader *r, int column)
{
    return *r->p == '-' && r->p[1] == ' ' ? parse_list(r, column) : parse_map(r, column);
}

struct floor_tree *floor_parse(const char *text, size_t len)
{
    struct floor_tree *t = calloc(1, sizeof(*t));
    struct reader r = {text, text + len, t};
    struct node **tail = &t->documents;

    while (r.p < r.end) {
        int column = next_column(&r);

        if (column < 0) {
            r.p = r.p < r.end ? line_end(&r) + 1 : r.end;
            continue;
        }
        *tail = parse_node(&r, column);
        tail = &(*tail)->next;
    }
    return t;
}

size_t floor_bytes(const struct floor_tree *t) { return t->used; }

void floor_free(struct floor_tree *t)
{
    while (t->chunks) {
        struct chunk *c = t->chunks;

        t->chunks = c->next;
        free(c);
    }
    free(t);
}

static int compare(const struct node *a, const struct node *b)
{
    int c = memcmp(a->key, b->key, MIN(a->key_len, b->key_len));

    return c ? c : (int)a->key_len - (int)b->key_len;
}

/* Insertion sort of the children: most maps are small and nearly sorted. */
static void sort_children(const struct node *map, struct node **sorted)
{
    size_t n = 0;

    for (struct node *c = map->child; c; c = c->next) {
        size_t at = n++;

        for (; at > 0 && compare(sorted[at - 1], c) > 0; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = c;
    }
}

static char *put(char *o, const char *p, size_t len)
{
    memcpy(o, p, len);
    return o + len;
}

static char *put_indent(char *o, int indent)
{
    memset(o, ' ', (size_t)indent);
    return o + indent;
}

static char *emit_block(const struct node *n, int indent, char *o)
{
    const char *p = n->text, *end = n->text + n->len;
    size_t old = strspn(p, " ");

    o = put(o, " |\n", 3);
    while (p < end) {
        const char *e = memchr(p, '\n', (size_t)(end - p));

        if ((size_t)(e - p) > old)
            o = put(put_indent(o, indent), p + old, (size_t)(e - p) - old);
        *o++ = '\n';
        p = e + 1;
    }
    return o;
}

static char *emit(const struct node *n, int indent, bool is_item, char *o);

static char *emit_map(const struct node *n, int indent, bool is_item, char *o)
{
    struct node *few[64],
        **sorted = n->count <= 64 ? few : malloc(n->count * sizeof(struct node *));

    if (!sorted)
        abort();
    sort_children(n, sorted);
    for (size_t i = 0; i < n->count; i++) {
        if (i || !is_item)
            o = put_indent(o, indent);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): sort_children filled it */
        o = put(o, sorted[i]->key, sorted[i]->key_len);
        *o++ = ':';
        o = emit(sorted[i], sorted[i]->kind == LIST ? indent : indent + 2, false, o);
    }
    if (sorted != few)
        free(sorted);
    return o;
}

/* Behind "key:" or "-". */
static char *emit(const struct node *n, int indent, bool is_item, char *o)
{
    if (n->kind == BLOCK)
        return emit_block(n, indent, o);
    *o++ = ' ';
    if (n->kind == SCALAR) {
        o = put(o, n->text, n->len);
        *o++ = '\n';
        return o;
    }
    if (!n->count)
        return put(o, n->kind == MAP ? "{}\n" : "[]\n", 3);
    if (!is_item)
        o[-1] = '\n';
    if (n->kind == MAP)
        return emit_map(n, indent, is_item, o);
    for (const struct node *c = n->child; c; c = c->next) {
        o = put_indent(o, indent);
        *o++ = '-';
        o = emit(c, indent + 2, c->kind == MAP, o);
    }
    return o;
}

size_t floor_emit(struct floor_tree *t, char *out)
{
    char *o = out;

    for (struct node *d = t->documents; d; d = d->next) {
        if (d != t->documents)
            o = put(o, "---\n", 4);
        o = emit_map(d, 0, false, o);
    }
    return (size_t)(o - out);
}
