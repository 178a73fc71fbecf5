#include "cli/cel_table.h"
#include "cli/template_table.h"
#include "support/test.h"
#include "sys/file.h"

TEST(the_manual_of_templates_ends_with_the_table_of_functions)
{
    AUTO(buf_done) struct buf page = {0}, table = {0};
    AUTO(err_done) struct err e = {0};

    template_table(TMPL_CHART, &table);
    CHECK(file_read("docs/manual/templates.md", (size_t)1 << 20, &page, &e) == 0);
    if (!str_ends(buf_view(&page), buf_view(&table)))
        test_fail(__FILE__, __LINE__,
                  "docs/manual/templates.md is old: its end is printed by "
                  "out/grapnel eval template --list");
}

TEST(the_manual_of_cel_ends_with_the_table_of_functions)
{
    AUTO(buf_done) struct buf page = {0}, table = {0};
    AUTO(err_done) struct err e = {0};

    cel_table(&table);
    CHECK(file_read("docs/manual/cel.md", (size_t)1 << 20, &page, &e) == 0);
    if (!str_ends(buf_view(&page), buf_view(&table)))
        test_fail(__FILE__, __LINE__,
                  "docs/manual/cel.md is old: its end is printed by out/grapnel eval cel --list");
}
