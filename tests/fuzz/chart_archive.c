/* An archive of a chart: the input is a tar, which is compressed first, or with a first byte of '!'
 * the archive itself. What is loaded has a name, and no file of it lies outside. */
#include "chart/chart.h"
#include "codec/gzip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_names(const struct chart_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert(files[i].name.len && files[i].name.p[0] != '/');
        for (str rest = files[i].name; rest.p;)
            assert(!str_eq(str_cut(rest, '/', &rest), STR("..")));
    }
}

static void check(const struct chart *c)
{
    assert(c->name.len);
    check_names(c->templates, c->template_count);
    check_names(c->files, c->file_count);
    for (size_t i = 0; i < c->child_count; i++)
        check(c->children[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf packed = {0};
    str input = {(const char *)data, size};
    struct chart *c;

    if (str_drop_prefix(&input, STR("!")))
        buf_add_str(&packed, input);
    else if (gzip_pack(input, 1, &packed, &e) < 0)
        return 0;
    c = chart_load_bytes(set, buf_view(&packed), &e);
    if (c)
        check(c);
    else
        assert(e.text); /* every failure says why */
    return 0;
}
