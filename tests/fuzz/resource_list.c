/* A ResourceList as a function would write it. Every refusal says why; what is accepted prints as a
 * list that reads back with equal items. */
#include "fn/resource_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_list_done) struct fn_list list = {0}, again = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};

    if (fn_list_read(set, (str){(const char *)data, size}, "fuzz", &list, &e) < 0) {
        assert(e.text && e.text[0]);
        return 0;
    }
    fn_list_emit(&list, &out);
    if (fn_list_read(set, buf_view(&out), "printed", &again, &e) < 0)
        __builtin_trap();
    assert(again.items.len == list.items.len);
    for (size_t i = 0; i < list.items.len; i++)
        if (!doc_equal(list.items.v[i], again.items.v[i]))
            __builtin_trap();
    return 0;
}
