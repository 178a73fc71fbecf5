/* A YAML text: what is read prints, in every style, as YAML that reads back as
 * the same documents.
 */
#include "doc/emit.h"
#include "doc/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int parse(struct doc_set *set, str text, enum doc_dialect dialect, unsigned flags,
                 struct doc_list *roots, struct err *e)
{
    struct doc_parse_options options = {.dialect = dialect, .flags = flags | DOC_KEEP_EMPTY};

    options.limits.max_expansion = 1000;
    options.limits.max_depth = 100;
    return doc_parse_all(set, text, &options, "fuzz", roots, e);
}

static void fail(const char *what, str text, const struct buf *out)
{
    fprintf(stderr, "%s\n--- text\n%.*s\n--- printed\n%s\n", what, STR_ARG(text), buf_cstr(out));
    abort();
}

static void check(str text, enum doc_dialect dialect, unsigned flags, enum doc_emit_style style)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free)
    struct doc_set *set = doc_set_new(), *again = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0}, reread = {0};
    AUTO(buf_done) struct buf out = {0};

    if (parse(set, text, dialect, flags, &roots, &e) < 0)
        return;
    doc_emit_all(roots.v, roots.len, style, &out);
    if (parse(again, buf_view(&out), dialect, flags, &reread, &e) < 0)
        fail(err_text(&e), text, &out);
    if (roots.len != reread.len)
        fail("another number of documents", text, &out);
    for (size_t i = 0; i < roots.len; i++)
        if (!doc_equal(roots.v[i], reread.v[i]))
            fail("another tree", text, &out);
}

static void print_nodes(str text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(buf_done) struct buf compact = {0}, wide = {0};

    if (parse(set, text, DOC_KYAML, DOC_COMMENTS | DOC_KEEP_ALIASES, &roots, &e) < 0)
        return;
    doc_emit_all(roots.v, roots.len, DOC_EMIT_KYAML, &compact);
    doc_emit_all(roots.v, roots.len, DOC_EMIT_KYAML_WIDE, &wide);
    assert(wide.len >= compact.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str text = {(const char *)data, size};

    print_nodes(text);
    if (str_contains(text, STR("binary"))) /* bytes that are no text do not print
                                              as what they were */
        return 0;
    check(text, DOC_MANIFEST, 0, DOC_EMIT_SORTED);
    check(text, DOC_MANIFEST, 0, DOC_EMIT_ORDERED);
    return 0;
}
