/* A release record that is read is written so that it reads back equal; its hooks and values are
 * read without harm. The input is the JSON, or with a first byte of '!' the text around it. */
#include "chart/release/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct chart_record *r)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};
    AUTO(err_done) struct err e = {0}, bad = {0};

    chart_record_hooks(r, &hooks);
    (void)chart_record_last_deployed(r);
    if (!chart_record_values(r, set, &e))
        assert(e.text);
    if (!chart_record_chart(r, set, &bad))
        assert(bad.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(chart_record_done) struct chart_record r = {0}, back = {0};
    AUTO(buf_done) struct buf text = {0};
    str input = {(const char *)data, size};
    bool is_text = str_drop_prefix(&input, STR("!"));

    if ((is_text ? chart_record_decode(input, &r, &e) : chart_record_parse(input, &r, &e)) < 0) {
        assert(e.text); /* every failure says why */
        return 0;
    }
    use(&r);
    if (chart_record_encode(&r, &text, &e) < 0)
        return 0;
    assert(chart_record_decode(buf_view(&text), &back, &e) == 0);
    assert(doc_equal(r.root, back.root));
    return 0;
}
