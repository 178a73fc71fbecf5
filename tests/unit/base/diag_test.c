#include "base/diag.h"

#include "support/test.h"

TEST(diag_sort_goes_by_place_and_keeps_the_order_of_equals)
{
    static const struct {
        uint32_t line, column;
    } rows[] = {{3, 1}, {1, 9}, {2, 4}, {1, 2}, {3, 1}, {1, 2}, {2, 4}};
    AUTO(diag_list_done) struct diag_list list = {0};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        diag_errorf(&list, STR("c"), STR_NONE, rows[i].line, rows[i].column, "%zu", i);
    diag_sort(&list);
    for (size_t i = 1; i < list.len; i++) {
        const struct diag *a = &list.v[i - 1], *b = &list.v[i];

        CHECK(a->line < b->line || (a->line == b->line && a->column <= b->column));
        if (a->line == b->line && a->column == b->column)
            CHECK(str_cmp(a->text, b->text) < 0);
    }
}

TEST(diag_sort_of_many_in_reverse_is_quick)
{
    AUTO(diag_list_done) struct diag_list list = {0};

    for (uint32_t i = 100000; i > 0; i--)
        diag_errorf(&list, STR("c"), STR_NONE, i, 1, "x");
    diag_sort(&list);
    CHECK_INT(list.v[0].line, 1, "first");
    CHECK_INT(list.v[99999].line, 100000, "last");
}

TEST(diag_format_long_has_the_code_and_a_caret_under_the_character)
{
    static const struct {
        struct diag d;
        const char *want;
    } rows[] = {
        {{.code = STR("field.type"),
          .origin = STR("a.yaml"),
          .line = 2,
          .column = 4,
          .text = STR("wrong"),
          .hint = STR("quote it"),
          .excerpt = STR("a: 5")},
         "a.yaml:2:4: error[field.type]: wrong\n    2 | a: 5\n      |    ^\n  help: quote it\n"},
        {{.severity = DIAG_WARNING,
          .origin = STR("a"),
          .line = 1,
          .column = 8,
          .text = STR("w"),
          .excerpt = STR("\t\xc3\xa4\xe2\x82\xac: x")},
         "a:1:8: warning: w\n    1 | \t\xc3\xa4\xe2\x82\xac: x\n      | \t   ^\n"},
        {{.code = STR("c"), .text = STR("nowhere")}, "error[c]: nowhere\n"},
        {{.origin = STR("a"),
          .line = 1,
          .column = 4,
          .width = 3,
          .text = STR("t"),
          .excerpt = STR("a: xyz")},
         "a:1:4: error: t\n    1 | a: xyz\n      |    ^~~\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        diag_format_long(&rows[i].d, false, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].want);
    }
}
