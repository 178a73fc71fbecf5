#include "res/scalar.h"

#include "doc/emit.h"
#include "support/test.h"

/* A map whose field a has the style and text, set without a type, as it is printed. */
static void settled(const char *text, enum doc_style style, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = doc_new_map(set);

    doc_set_field(set, root, STR("a"), res_scalar_new_loose(set, str_of(text), style));
    res_scalar_settle(set, root);
    buf_clear(out);
    doc_emit(root, DOC_EMIT_SORTED, out);
}

TEST(loose_scalar_means_what_its_text_means_unquoted)
{
    static const struct {
        const char *text;
        enum doc_style style;
        const char *printed;
    } rows[] = {
        {"web", DOC_PLAIN, "a: web\n"},
        {"80", DOC_PLAIN, "a: 80\n"},
        {"80", DOC_DOUBLE, "a: \"80\"\n"},
        {"0x1F", DOC_PLAIN, "a: 31\n"},
        {"~", DOC_PLAIN, "a: null\n"},
        {"~", DOC_SINGLE, "a: \"~\"\n"},
        {"", DOC_PLAIN, "a: null\n"},
        {"true", DOC_PLAIN, "a: true\n"},
        {"trueish", DOC_PLAIN, "a: trueish\n"},
        {"2020-01-01", DOC_PLAIN, "a: \"2020-01-01T00:00:00Z\"\n"},
        {"- b", DOC_PLAIN, "a: '- b'\n"},
    };
    AUTO(buf_done) struct buf out = {0};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        settled(rows[i].text, rows[i].style, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].printed), rows[i].text);
    }
}

TEST(loose_scalar_is_a_string_until_it_is_settled)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *n = res_scalar_new_loose(set, STR("~"), DOC_PLAIN);

    CHECK(doc_is_string(n) && res_scalar_is_loose(n));
    CHECK(res_scalar_set(set, n, STR("2020-01-01"), &e) == 0);
    CHECK(res_scalar_is_loose(n));
    CHECK_STR(res_scalar_text(set, n), STR("2020-01-01"), "the text as it was set");
}

TEST(typed_text_keeps_its_type_and_has_quotes_when_its_type_is_taken)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *given = doc_new_string(set, STR("80")),
                    *set_since = doc_new_string(set, STR("web"));

    CHECK(res_scalar_set(set, set_since, STR("80"), &e) == 0);
    CHECK(!res_scalar_is_loose(set_since) && res_scalar_is_bare(set_since));
    CHECK(res_scalar_loose_style(set, given) == DOC_DOUBLE);
    CHECK(res_scalar_loose_style(set, set_since) == DOC_PLAIN);
}

TEST(new_loose_field_has_quotes_where_it_needs_them)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *root = doc_new_map(set);

    doc_set_string(set, root, STR("there"), STR("web"));
    res_scalar_put_loose(set, root, STR("there"), STR("80"));
    res_scalar_put_loose(set, root, STR("new"), STR("80"));
    CHECK(res_scalar_has_loose(root));
    res_scalar_settle(set, root);
    CHECK(!res_scalar_has_loose(root));
    doc_emit(root, DOC_EMIT_SORTED, &out);
    CHECK_STR(buf_view(&out), STR("new: \"80\"\nthere: 80\n"), "put");
}
