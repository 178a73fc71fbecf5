/* A path, a zero byte, a document: splitting and following it ends; the parts that are made are
 * found again, and what a difference calls by its path is there. */
#include "doc/path.h"

#include "base/buf.h"
#include "doc/diff.h"
#include "doc/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_made(struct doc_set *set, struct doc_node *root, const struct doc_path *steps)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_list_done) struct doc_list made = {0}, found = {0};
    struct doc_path_options options = {.set = set, .create = DOC_MAP};

    if (doc_path_find(root, steps, &options, &made, &e) < 0) {
        assert(e.text);
        return;
    }
    if (doc_path_find(root, steps, NULL, &found, &e) == 0)
        assert(found.len >= made.len);
}

static void check_diff(const struct doc_node *from, const struct doc_node *to)
{
    AUTO(doc_diff_done) struct doc_diff d = {0};
    AUTO(buf_done) struct buf out = {0};

    doc_diff(from, to, &d);
    doc_diff_print(&d, &out);
    assert((d.len == 0) == doc_equal(from, to));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_path_done) struct doc_path steps = {0}, plain = {0};
    str document, path = str_cut((str){(const char *)data, size}, '\0', &document);
    struct doc_node *root = doc_parse_json(set, document, "fuzz", &e), *was;

    doc_path_split(&set->arena, path, '.', &plain);
    doc_path_split_smart(&set->arena, path, '/', &steps);
    assert(plain.len && steps.len);
    if (!root)
        return 0;
    doc_path_get(root, path, '.');
    was = doc_copy(set, root);
    check_diff(was, root);
    check_made(set, root, &steps);
    check_diff(was, root);
    return 0;
}
