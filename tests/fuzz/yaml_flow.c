/* A text inside brackets, where other rules hold: our scanner, with and without its short cuts,
 * against libyaml. */
#include "base/base.h"
#include "unit/doc/yaml_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const around[][2] = {
        {"[", "]"}, {"{", "}"}, {"a: [", "]\nb: c\n"}, {"- {k: [", "]}\n"}};
    AUTO(buf_done) struct buf text = {0};
    AUTO(buf_done) struct buf why = {0};
    size_t kind = size ? data[0] % ARRAY_LEN(around) : 0;

    buf_add_cstr(&text, around[kind][0]);
    buf_add(&text, data + (size > 0), size - (size > 0));
    buf_add_cstr(&text, around[kind][1]);
    if (oracle_agrees(buf_view(&text), &why))
        return 0;
    fprintf(stderr, "%s", buf_cstr(&why));
    abort();
}
