/* The language of --set: the first byte is the kind. What was set is set to the same again. */
#include "chart/set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* NULL: refused. */
static struct doc_node *assign(struct doc_set *set, enum chart_set_kind kind, str text)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *values = doc_new_map(set);

    if (chart_set(set, values, kind, text, &e) == 0)
        return values;
    assert(e.text); /* every failure says why */
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum chart_set_kind kinds[] = {CHART_SET_TYPED, CHART_SET_STRING, CHART_SET_JSON,
                                                CHART_SET_LITERAL}; /* no files are read */
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *first, *second;
    str text;

    if (!size)
        return 0;
    text = (str){(const char *)data + 1, size - 1};
    first = assign(set, kinds[data[0] % ARRAY_LEN(kinds)], text);
    second = assign(set, kinds[data[0] % ARRAY_LEN(kinds)], text);
    assert(!first == !second);
    if (first)
        assert(doc_equal(first, second));
    return 0;
}
