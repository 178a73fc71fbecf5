/* Numbers and character constants of templates. */
#include "expr/gotmpl/parse_priv.h"
#include "expr/gotmpl/text_priv.h"

static bool has_any(str s, const char *set)
{
    for (size_t i = 0; i < s.len; i++)
        if (strchr(set, s.p[i]) && s.p[i])
            return true;
    return false;
}

/* Whole doubles below 2^63 are integers too. */
static void find_int(struct node_number *n)
{
    if (!(n->f < -9223372036854775808.0 || n->f >= 9223372036854775808.0) &&
        (double)(int64_t)n->f == n->f) {
        n->is_int = true;
        n->i = (int64_t)n->f;
    }
}

static void set_pair(struct parser *p, struct node_number *n, double real, double imaginary)
{
    double *pair = arena_alloc(p->program->arena, 2 * sizeof(*pair));

    pair[0] = real;
    pair[1] = imaginary;
    n->is_complex = true;
    n->pair = pair;
    if (imaginary == 0) {
        n->is_float = true;
        n->f = real;
        find_int(n);
    }
}

/* "1+2i": the second sign that is no exponent's divides it. */
static bool read_pair(struct parser *p, struct node_number *n)
{
    size_t at = n->text.len - 1;
    double real, imaginary;

    while (at > 0 && !(strchr("+-", n->text.p[at]) && !strchr("eEpP", n->text.p[at - 1])))
        at--;
    if (!text_to_float(str_sub(n->text, 0, at), &real) ||
        !text_to_float(str_sub(n->text, at, n->text.len - at - 1), &imaginary))
        return false;
    set_pair(p, n, real, imaginary);
    return true;
}

static int read_plain(struct parser *p, struct node_number *n)
{
    uint64_t u;
    double f;

    if (n->text.p[n->text.len - 1] == 'i' &&
        text_to_float(str_sub(n->text, 0, n->text.len - 1), &f)) {
        set_pair(p, n, 0, f);
        return 0;
    }
    n->is_uint = text_to_uint(n->text, 0, &u);
    n->is_int = text_to_int(n->text, 0, &n->i);
    if (n->is_int || n->is_uint) {
        n->is_float = true;
        n->f = n->is_int ? (double)n->i : (double)u;
        return 0;
    }
    if (!text_to_float(n->text, &n->f))
        return tparse_fail(p, "illegal number syntax: \"%.*s\"", STR_ARG(n->text));
    if (!has_any(n->text, ".eEpP"))
        return tparse_fail(p, "integer overflow: \"%.*s\"", STR_ARG(n->text));
    n->is_float = true;
    find_int(n);
    return 0;
}

static int read_char(struct parser *p, struct node_number *n)
{
    uint32_t c;

    if (!text_unquote_char(n->text, &c))
        return tparse_fail(p, "malformed character constant: %.*s", STR_ARG(n->text));
    n->i = c;
    n->f = c;
    n->is_int = n->is_uint = n->is_float = true;
    return 0;
}

/* What the constant is where its place says nothing about its type. */
static struct tmpl_value ideal(const struct node_number *n)
{
    bool is_hex = n->text.len > 2 && n->text.p[0] == '0' && (n->text.p[1] | 0x20) == 'x' &&
                  !has_any(n->text, "pP");

    if (n->is_complex)
        return (struct tmpl_value){.type = TMPL_COMPLEX, .pair = n->pair};
    if (n->is_float && !is_hex && n->text.p[0] != '\'' && has_any(n->text, ".eEpP"))
        return tmpl_float(n->f);
    return n->is_int ? tmpl_int(n->i) : TMPL_NOTHING;
}

struct tmpl_node *tparse_number(struct parser *p, struct tok t)
{
    struct tmpl_node *node = tparse_node(p, NODE_NUMBER, t.pos);
    struct node_number *n = ARENA_NEW(p->program->arena, struct node_number);
    int rc = 0;

    node->number = n;
    n->text = tparse_text(p, t);
    if (t.kind == TOK_CHARCONST)
        rc = read_char(p, n);
    else if (t.kind != TOK_COMPLEX)
        rc = read_plain(p, n);
    else if (!read_pair(p, n))
        rc = tparse_fail(p, "illegal number syntax: \"%.*s\"", STR_ARG(n->text));
    n->value = ideal(n);
    return rc < 0 ? NULL : node;
}
