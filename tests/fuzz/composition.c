/* A folder of files (tree.h) whose composition.yaml is consolidated and run. It ends; a refusal
 * says why; what comes out prints the same bytes the second time. */
#include "fuzz/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *folder = tree_write((str){(const char *)data, size}, "composition.yaml");
    AUTO(buf_done) struct buf out = {0};

    if (tree_build(folder, false, &out) < 0)
        assert(out.len == 0);
    return 0;
}
