/* Tables as helm prints them. */
#include "cli/chart/columns.h"
#include "support/test.h"

TEST(columns_are_padded_and_bounded)
{
    AUTO(cli_columns_done) struct cli_columns t = {.count = 2};
    AUTO(buf_done) struct buf out = {0};
    static const char *const cells[] = {"NAME", "WHAT", "a", "ünïcode", "long-name", ""};

    for (size_t i = 0; i < ARRAY_LEN(cells); i++)
        cli_columns_add(&t, str_of(cells[i]));
    cli_columns_print(&t, &out);
    CHECK_STR(buf_view(&out), STR("NAME     \tWHAT   \na        \tünïcode\nlong-name\t       \n"),
              "no bound");
    buf_clear(&out);
    t.max_width = 5;
    cli_columns_print(&t, &out);
    CHECK_STR(buf_view(&out), STR("NAME \tWHAT \na    \tün...\nlo...\t     \n"), "5");
    buf_clear(&out);
    t.max_width = 2;
    cli_columns_print(&t, &out);
    CHECK_STR(str_sub(buf_view(&out), 0, 5), STR("N...\t"), "2");
}

TEST(columns_keep_the_lines_of_a_cell)
{
    AUTO(cli_columns_done) struct cli_columns t = {.count = 2};
    AUTO(buf_done) struct buf out = {0};
    static const char *const cells[] = {"NAME", "STATUS", "one\ntwo", "ok", "", ""};

    for (size_t i = 0; i < ARRAY_LEN(cells); i++)
        cli_columns_add(&t, str_of(cells[i]));
    cli_columns_print(&t, &out);
    CHECK_STR(buf_view(&out), STR("NAME\tSTATUS\no...\tok    \n    \t      \n"),
              "longer than its column, all lines together");
    buf_clear(&out);
    t.cells.v[0] = STR("NAME OF IT");
    cli_columns_print(&t, &out);
    CHECK_STR(buf_view(&out),
              STR("NAME OF IT\tSTATUS\none       \tok    \ntwo       \t      \n"
                  "          \t      \n"),
              "a line each, an empty row too");
}
