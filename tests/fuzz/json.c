/* Any text as JSON: what is read prints as what reads back equal, in every form; strict and lenient
 * reading agree but for repeated keys. */
#include "doc/emit.h"
#include "doc/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_print(const struct doc_node *n, unsigned flags)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *again;

    doc_emit_json(n, flags, &out);
    again = doc_parse_json_view(set, buf_view(&out), "printed", &e);
    assert(again && doc_equal(n, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0}, lenient_e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str text = {(const char *)data, size};
    struct doc_node *n = doc_parse_json(set, text, "fuzz", &e);
    struct doc_node *lenient =
        doc_parse_json_flags(set, text, DOC_LAST_WINS | DOC_BORROW, "fuzz", &lenient_e);

    if (!n)
        assert(e.kind == ERR_INVALID && e.text && e.diags && e.diags->len == 1);
    if (!n)
        assert(!lenient || str_contains(str_of(e.text), STR("duplicate key")));
    else
        assert(lenient && doc_equal(n, lenient));
    if (lenient) {
        check_print(lenient, 0);
        check_print(lenient, DOC_JSON_SORTED | DOC_JSON_PRETTY);
        check_print(lenient, DOC_JSON_HTML);
    }
    return 0;
}
