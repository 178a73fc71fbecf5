/* Input: a template, a NUL, a JSON document. Nothing crashes or hangs, every failure says why, and
 * printing is what the results are. */
#include "doc/parse.h"
#include "expr/jsonpath/waitfor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_wait(str text, enum wait_dialect dialect, const struct doc_node *root)
{
    AUTO(err_done) struct err e = {0};
    AUTO(wait_for_done) struct wait_for w = {0};

    if (wait_for_parse(text, dialect, &w, &e) < 0 || wait_for_met(&w, root, &e) < 0)
        assert(e.text && e.text[0]);
    else
        assert(e.kind == ERR_NONE);
}

static void check_print(const struct jsonpath *path, const struct doc_node *root, unsigned flags)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0}, again = {0};
    AUTO(arena_done) struct arena arena = {0};
    struct jsonpath_results results;

    if (jsonpath_print(path, root, flags, &out, &e) < 0) {
        assert(e.text && e.text[0]);
        return;
    }
    assert(jsonpath_find(path, root, flags, &arena, &results, &e) == 0);
    if (flags & JSONPATH_JSON)
        return;
    for (size_t i = 0; i < results.len; i++)
        for (size_t j = 0; j < results.v[i].len; j++) {
            if (j)
                buf_add_char(&again, ' ');
            jsonpath_value_text(results.v[i].v[j], &again);
        }
    assert(str_eq(buf_view(&out), buf_view(&again)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str json, template = str_cut((str){(const char *)data, size}, '\0', &json);
    struct doc_node *root = doc_parse_json(set, json, "fuzz", &e);
    AUTO(jsonpath_free) struct jsonpath *path = NULL;

    err_done(&e);
    path = jsonpath_compile(template, &e);
    check_wait(template, WAIT_KHOOK, root);
    check_wait(template, WAIT_KUBECTL, root);
    if (!path) {
        assert(e.text && e.text[0]);
        return 0;
    }
    for (unsigned flags = 0; flags < 4; flags++)
        check_print(path, root, flags);
    return 0;
}
