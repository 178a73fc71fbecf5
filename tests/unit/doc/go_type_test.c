#include "doc/go_type.h"
#include "doc/parse.h"
#include "support/test.h"

TEST(types_are_called_as_in_go)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"null", "<nil>"},   {"true", "bool"},          {"1", "float64"},
        {"\"1\"", "string"}, {"[1]", "[]interface {}"}, {"{}", "map[string]interface {}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct doc_node *n = doc_parse(set, str_of(rows[i].text), DOC_MANIFEST, "test", &e);

        CHECK_STR(str_of(doc_go_type(n)), str_of(rows[i].want), rows[i].text);
    }
    CHECK_STR(str_of(doc_go_type(NULL)), STR("<nil>"), "absent");
}
