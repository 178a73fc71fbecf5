#include "expr/jsonpath/compare_priv.h"

#include "base/num.h"
#include "base/vec.h"
#include "doc/go_type.h"

enum { SHOWN_BYTES = 4096, SHOWN_DEPTH = 32 };

/* A whole number that fits 64 bits; other numbers are floats. */
static bool jp_is_int(const struct doc_node *n, int64_t *ret)
{
    return doc_type(n) == DOC_NUMBER && n->is_int && doc_to_int64(n, ret);
}

const char *jp_type_name(const struct doc_node *n)
{
    int64_t whole;

    return jp_is_int(n, &whole) ? "int64" : doc_go_type(n);
}

enum basic { BASIC_NONE, BASIC_BOOL, BASIC_INT, BASIC_FLOAT, BASIC_STRING };

static enum basic basic_of(const struct doc_node *n)
{
    int64_t whole;

    switch (doc_type(n)) {
    case DOC_BOOL:
        return BASIC_BOOL;
    case DOC_NUMBER:
        return jp_is_int(n, &whole) ? BASIC_INT : BASIC_FLOAT;
    case DOC_STRING:
        return BASIC_STRING;
    case DOC_NULL:
    case DOC_LIST:
    case DOC_MAP:
    case DOC_ALIAS:
        break;
    }
    return BASIC_NONE;
}

/* -1, 0, 1; 2 when NaN is involved. */
static int order(const struct doc_node *a, const struct doc_node *b, enum basic kind)
{
    double x = 0, y = 0;
    int64_t i = 0, j = 0;
    int text;

    switch (kind) {
    case BASIC_INT:
        jp_is_int(a, &i);
        jp_is_int(b, &j);
        return (i > j) - (i < j);
    case BASIC_FLOAT:
        doc_to_double(a, &x);
        doc_to_double(b, &y);
        return x != x || y != y ? 2 : (x > y) - (x < y);
    case BASIC_STRING:
        text = str_cmp(doc_string(a, STR_NONE), doc_string(b, STR_NONE));
        return (text > 0) - (text < 0);
    case BASIC_BOOL:
        return doc_bool(a, false) - doc_bool(b, false);
    case BASIC_NONE:
        break;
    }
    return 2;
}

int jp_compare(const struct doc_node *a, const struct doc_node *b, enum jp_op op, struct err *e)
{
    enum basic kind = basic_of(a), other = basic_of(b);
    bool is_equality = op == JP_EQ || op == JP_NE;
    int way;

    if (kind == BASIC_NONE || other == BASIC_NONE)
        return err_set(e, ERR_INVALID, "invalid type for comparison");
    if (kind != other)
        return err_set(e, ERR_INVALID, "incompatible types for comparison");
    if (kind == BASIC_BOOL && !is_equality)
        return err_set(e, ERR_INVALID, "invalid type for comparison");
    way = order(a, b, kind);
    switch (op) {
    case JP_EQ:
        return way == 0;
    case JP_NE:
        return way != 0;
    case JP_LT:
        return way == -1;
    case JP_LE:
        return way == -1 || way == 0;
    case JP_GT: /* "not less or equal": NaN is greater than everything */
        return way > 0;
    case JP_GE:
        return way == 0 || way > 0;
    case JP_EXISTS:
    case JP_BAD_OP:
        break;
    }
    return 0;
}

static void add_number(struct buf *out, const struct doc_node *n)
{
    int64_t whole;
    double value = 0;

    if (jp_is_int(n, &whole)) {
        buf_addf(out, "%lld", (long long)whole);
        return;
    }
    doc_to_double(n, &value);
    num_add_double(out, value, NUM_GO);
}

void jp_add_scalar(struct buf *out, const struct doc_node *n)
{
    if (doc_type(n) == DOC_NUMBER)
        add_number(out, n);
    else if (doc_type(n) == DOC_BOOL)
        buf_add_cstr(out, doc_bool(n, false) ? "true" : "false");
    else
        buf_add_str(out, doc_string(n, STR_NONE));
}

static int by_key(const void *a, const void *b)
{
    return str_cmp(doc_key(*(struct doc_node *const *)a), doc_key(*(struct doc_node *const *)b));
}

static void add_map(struct buf *out, const struct doc_node *n, int depth)
{
    VEC(struct doc_node *) entries = {0};
    struct doc_iter it = doc_children(n);

    while (doc_next(&it))
        vec_push(&entries, it.value);
    vec_sort(&entries, by_key);
    buf_add_cstr(out, "map[");
    for (size_t i = 0; i < entries.len && out->len < SHOWN_BYTES; i++) {
        if (i)
            buf_add_char(out, ' ');
        buf_add_str(out, doc_key(entries.v[i]));
        buf_add_char(out, ':');
        jp_add_go_value(out, entries.v[i], depth + 1);
    }
    buf_add_char(out, ']');
    vec_done(&entries);
}

static void add_list(struct buf *out, const struct doc_node *n, int depth)
{
    struct doc_iter it = doc_children(n);

    buf_add_char(out, '[');
    while (out->len < SHOWN_BYTES && doc_next(&it)) {
        if (it.value != doc_first(n))
            buf_add_char(out, ' ');
        jp_add_go_value(out, it.value, depth + 1);
    }
    buf_add_char(out, ']');
}

void jp_add_go_value(struct buf *out, const struct doc_node *n, int depth)
{
    if (depth > SHOWN_DEPTH) {
        buf_add_cstr(out, "...");
        return;
    }
    switch (doc_type(n)) {
    case DOC_NULL:
    case DOC_ALIAS:
        buf_add_cstr(out, "<nil>");
        return;
    case DOC_BOOL:
    case DOC_NUMBER:
    case DOC_STRING:
        jp_add_scalar(out, n);
        return;
    case DOC_LIST:
        add_list(out, n, depth);
        return;
    case DOC_MAP:
        add_map(out, n, depth);
        return;
    }
}
