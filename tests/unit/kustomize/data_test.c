#include "doc/emit.h"
#include "kustomize/generate/data.h"
#include "support/test.h"

static struct kustomize_entry rows[] = {
    {STR_INIT("bin"), STR_INIT("\xff\x01")},
    {STR_INIT("text"), STR_INIT("a\n")},
};
static const struct kustomize_entries entries = {rows, ARRAY_LEN(rows), 0};

TEST(a_config_map_keeps_text_and_encodes_the_rest)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *object = doc_new_map(set);

    kustomize_fill_config_map(set, object, &entries);
    doc_emit(object, DOC_EMIT_SORTED, &out);
    CHECK_STR(buf_view(&out), STR("binaryData:\n  bin: /wE=\ndata:\n  text: |\n    a\n"), "");
}

TEST(a_secret_encodes_everything)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *object = doc_new_map(set);

    kustomize_fill_secret(set, object, &entries);
    doc_emit(object, DOC_EMIT_SORTED, &out);
    CHECK_STR(buf_view(&out), STR("data:\n  bin: /wE=\n  text: YQo=\n"), "");
}

TEST(without_entries_a_config_map_has_no_data_and_a_secret_an_empty_one)
{
    static const struct kustomize_entries none = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *map = doc_new_map(set), *secret = doc_new_map(set);

    kustomize_fill_config_map(set, map, &none);
    kustomize_fill_secret(set, secret, &none);
    CHECK_INT(doc_len(map), 0, "");
    CHECK(doc_is_map(doc_get_lit(secret, "data")));
}

TEST(base64_is_cut_once_it_is_longer_than_70_characters)
{
    static const struct {
        size_t bytes, len, lines;
    } sizes[] = {{0, 0, 0}, {51, 68, 0}, {52, 74, 2}, {54, 74, 2}, {105, 142, 2}, {106, 147, 3}};

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        AUTO(buf_done) struct buf in = {0};
        AUTO(buf_done) struct buf out = {0};
        size_t lines = 0;

        buf_add_repeat(&in, 'x', sizes[i].bytes);
        kustomize_base64(buf_view(&in), &out);
        for (size_t at = 0; at < out.len; at++)
            lines += out.p[at] == '\n';
        CHECK_INT(out.len, sizes[i].len, "length");
        CHECK_INT(lines, sizes[i].lines, "lines");
    }
}
