#include "doc/parse.h"
#include "kustomize/generate/hash.h"
#include "support/test.h"

TEST(hashes_and_the_text_below_them)
{
    static const struct {
        const char *in, *text, *hash; /* text NULL: not looked at */
    } rows[] = {
        {"kind: ConfigMap\nmetadata: {name: n}\ndata: {a: b}",
         "{\"data\":{\"a\":\"b\"},\"kind\":\"ConfigMap\",\"name\":\"\"}", "4h2mbtbbt6"},
        {"kind: ConfigMap", "{\"data\":\"\",\"kind\":\"ConfigMap\",\"name\":\"\"}", "6ct58987ht"},
        {"kind: Secret\ntype: Opaque\ndata: {}", NULL, "46f8b28mk5"},
        {"kind: Secret\ntype: Opaque\ndata: {A: MQ==}", NULL, "526mcbf5c2"},
        {"kind: ConfigMap\ndata: {k: \"<a>&b\"}", NULL, "c2gm775cb7"},
        {"kind: ConfigMap\nbinaryData: {x: AA==}\ndata: {b: \"\", a: 1.50}",
         "{\"binaryData\":{\"x\":\"AA==\"},\"data\":{\"a\":1.5,\"b\":\"\"},\"kind\":\"ConfigMap\","
         "\"name\":\"\"}",
         NULL},
        {"kind: Secret\nstringData: {b: c}",
         "{\"data\":\"\",\"kind\":\"Secret\",\"name\":\"\",\"stringData\":{\"b\":\"c\"},\"type\":"
         "\"\"}",
         NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf text = {0};
        AUTO(buf_done) struct buf hash = {0};
        struct doc_node *n = doc_parse(set, str_of(rows[i].in), DOC_RESOURCE, "t", &e);

        kustomize_hash_text(set, n, false, &text);
        if (rows[i].text)
            CHECK_STR(buf_view(&text), str_of(rows[i].text), rows[i].in);
        kustomize_hash_of(set, n, false, &hash);
        if (rows[i].hash)
            CHECK_STR(buf_view(&hash), str_of(rows[i].hash), rows[i].in);
        CHECK_INT(hash.len, KUSTOMIZE_HASH_LEN, rows[i].in);
    }
}

TEST(other_kinds_are_dumped_with_places_or_hashed_as_json)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf dump = {0};
    AUTO(buf_done) struct buf json = {0};
    struct doc_node *n = doc_parse(set, STR("kind: K\nb: [1]\n"), DOC_RESOURCE, "t", &e);

    kustomize_hash_text(set, n, true, &json);
    CHECK_STR(buf_view(&json), STR("{\"b\":[1],\"kind\":\"K\"}"), "");
    kustomize_hash_text(set, n, false, &dump);
    CHECK(str_contains(
        buf_view(&dump),
        STR("{\"Kind\":8,\"Style\":0,\"Tag\":\"!!int\",\"Value\":\"1\",\"Anchor\":\"\","
            "\"Alias\":null,\"Content\":null,\"HeadComment\":\"\",\"LineComment\":"
            "\"\",\"FootComment\":\"\",\"Line\":2,\"Column\":5}")));
    CHECK(str_contains(buf_view(&dump), STR("{\"Kind\":2,\"Style\":32,\"Tag\":\"!!seq\"")));
}
