/* A folder of files (tree.h), built as a kustomization. It ends; a refusal says why; what is built
 * prints the same bytes the second time, and reads back as documents. A blank at the end has known
 * faults of kustomize mended. */
#include "doc/parse.h"
#include "fuzz/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct doc_parse_options options = {.dialect = DOC_RESOURCE};
    bool is_fixed = size && data[size - 1] == ' ';
    const char *folder = tree_write((str){(const char *)data, size}, "kustomization.yaml");
    AUTO(buf_done) struct buf out = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list documents = {0};
    AUTO(err_done) struct err e = {0};

    if (tree_build(folder, is_fixed, &out) == 0 &&
        doc_parse_all(set, buf_view(&out), &options, "built", &documents, &e) < 0)
        __builtin_trap();
    return 0;
}
