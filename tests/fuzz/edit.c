/* A YAML text behind four bytes that choose changes: unchanged, it is written back byte for byte;
 * changed, what is written reads back as the changed tree. */
#include "doc/edit.h"
#include "doc/emit.h"
#include "doc/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct dice {
    uint32_t state;
};

static uint32_t dice(struct dice *d, uint32_t sides)
{
    d->state = d->state * 1664525u + 1013904223u;
    return (d->state >> 8) % sides;
}

static struct doc_node *pick(struct dice *d, struct doc_node *n)
{
    while (doc_len(n) && dice(d, 4)) {
        struct doc_node *child = doc_first(n);

        for (uint32_t i = dice(d, n->len); i > 0; i--)
            child = child->next;
        n = child;
    }
    return n;
}

static struct doc_node *make(struct dice *d, struct doc_set *set)
{
    static const char *const texts[] = {"plain", "1", "two words", "",    "a: b",   "x\ny\n",
                                        " lead", "#", "l1\n\nl2",  "- i", "end\n\n"};
    struct doc_node *n;

    switch (dice(d, 6)) {
    case 0:
        return doc_new_int(set, dice(d, 100));
    case 1:
        n = doc_new_map(set);
        doc_set_string(set, n, STR("made"), str_of(texts[dice(d, ARRAY_LEN(texts))]));
        if (dice(d, 2))
            doc_append(doc_ensure_list(set, n, STR("list")), make(d, set));
        return n;
    case 2:
        n = doc_new_list(set);
        doc_append(n, doc_new_string(set, str_of(texts[dice(d, ARRAY_LEN(texts))])));
        if (dice(d, 2))
            doc_append(n, make(d, set));
        return n;
    case 3:
        return dice(d, 2) ? doc_new_map(set) : doc_new_null(set);
    default:
        return doc_new_string(set, str_of(texts[dice(d, ARRAY_LEN(texts))]));
    }
}

static void change(struct dice *d, struct doc_set *set, struct doc_node *n)
{
    static const char *const keys[] = {"new", "a b", "1", "added"};

    switch (dice(d, 5)) {
    case 3:
        if (doc_is_map(n) && doc_len(n) && !doc_get(n, STR("renamed: x")))
            doc_rename(set, n, dice(d, 2) ? n->last : doc_first(n), STR("renamed: x"));
        break;
    case 0:
        doc_replace(n, make(d, set));
        break;
    case 1:
        if (doc_len(n))
            doc_unlink(n, doc_first(n));
        break;
    case 2:
        if (doc_len(n))
            doc_unlink(n, n->last);
        break;
    default:
        if (doc_is_map(n))
            doc_set_field(set, n, str_of(keys[dice(d, ARRAY_LEN(keys))]), make(d, set));
        else if (doc_is_list(n))
            doc_insert(n, dice(d, 3), make(d, set));
    }
}

static int parse(struct doc_set *set, str text, unsigned flags, struct doc_list *roots,
                 struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = flags | DOC_KEEP_EMPTY};

    options.limits.max_expansion = 1000;
    options.limits.max_depth = 100;
    return doc_parse_all(set, text, &options, "fuzz", roots, e);
}

static void fail(const char *what, str before, const struct buf *after,
                 const struct doc_list *roots)
{
    AUTO(buf_done) struct buf tree = {0};

    for (size_t i = 0; i < roots->len; i++) {
        doc_emit_json(roots->v[i], 0, &tree);
        buf_add_char(&tree, '\n');
    }
    fprintf(stderr, "%s\n--- before\n%.*s\n--- after\n%s\n--- tree\n%s\n", what, STR_ARG(before),
            buf_cstr(after), buf_cstr(&tree));
    abort();
}

static void check(str text, struct dice d, unsigned flags)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new(), *again = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0}, reread = {0};
    AUTO(buf_done) struct buf out = {0};

    if (parse(set, text, flags, &roots, &e) < 0 || roots.len == 0)
        return;
    doc_edit_emit(set, 1, roots.v, roots.len, &out);
    if (!str_eq(buf_view(&out), text))
        fail("unchanged text is not as it was", text, &out, &roots);
    buf_clear(&out);
    for (uint32_t i = 0, count = 1 + dice(&d, 3); i < count; i++)
        change(&d, set, pick(&d, roots.v[dice(&d, (uint32_t)roots.len)]));
    doc_edit_emit(set, 1, roots.v, roots.len, &out);
    if (parse(again, buf_view(&out), flags, &reread, &e) < 0)
        fail(err_text(&e), text, &out, &roots);
    if (reread.len != roots.len)
        fail("another number of documents", text, &out, &roots);
    for (size_t i = 0; i < roots.len; i++)
        if (!doc_equal(roots.v[i], reread.v[i]))
            fail("another tree", text, &out, &roots);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dice d;

    if (size < 6 || (data[4] ^ data[5]) == (0xff ^ 0xfe))
        return 0; /* UTF-16 is written back as UTF-8 */
    memcpy(&d.state, data, 4);
    check((str){(const char *)data + 4, size - 4}, d, 0);
    if (!memchr(data + 4, '&',
                size - 4)) /* a change may take an anchor away from its aliases, which stay */
        check((str){(const char *)data + 4, size - 4}, d, DOC_KEEP_ALIASES | DOC_COMMENTS);
    return 0;
}
