/* A document and a patch, divided by a zero byte: a patch that fails leaves the document as it was;
 * what a merge patch between two values changes is what tells them apart. */
#include "doc/patch/json.h"

#include "doc/emit.h"
#include "doc/parse.h"
#include "doc/patch/merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool has_null(const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (doc_is_null(n))
        return true;
    while (doc_next(&it))
        if (has_null(it.value))
            return true;
    return false;
}

static void check_merge(struct doc_set *set, const struct doc_node *from, const struct doc_node *to)
{
    struct doc_node *work = doc_copy(set, from);

    if (has_null(to))
        return; /* cannot be expressed */
    doc_merge_patch(set, work, doc_merge_patch_between(set, from, to));
    assert(doc_equal(work, to));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf before = {0}, after = {0};
    str patch_text, text = str_cut((str){(const char *)data, size}, '\0', &patch_text);
    struct doc_node *doc = doc_parse_json(set, text, "doc", &e), *patch, *was;

    if (!doc)
        return 0;
    patch = doc_parse_json(set, patch_text, "patch", &e);
    if (!patch)
        return 0;
    was = doc_copy(set, doc);
    check_merge(set, doc, patch);
    doc_emit_json(doc, 0, &before);
    if (doc_json_patch(set, doc, set, patch, &e) == 0) {
        check_merge(set, was, doc);
        return 0;
    }
    assert(e.text);
    doc_emit_json(doc, 0, &after);
    assert(str_eq(buf_view(&before), buf_view(&after)));
    return 0;
}
