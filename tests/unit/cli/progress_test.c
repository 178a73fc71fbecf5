#include "cli/khook/progress.h"
#include "support/test.h"

TEST(progress_counts_cells_and_not_bytes)
{
    static const struct {
        const char *in;
        int cells;
    } rows[] = {{"abc", 3},     {"h\u00e9", 2},    {"\u65e5\u672c", 4},
                {"e\u0301", 1}, {"\U0001f680", 2}, {"", 0}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT((long long)progress_cells(str_of(rows[i].in)), rows[i].cells, rows[i].in);
}

TEST(progress_lines_are_cut_to_the_width)
{
    static const struct {
        size_t width;
        struct progress_line line;
        const char *want;
    } rows[] = {
        {80, {.name = STR_INIT("db"), .status = RUN_PENDING}, "\u00b7 db      pending"},
        {80,
         {.name = STR_INIT("db"), .status = RUN_OK, .elapsed_ms = 1500},
         "\u2713 db      ok 1.5s"},
        {80,
         {.name = STR_INIT("db"), .status = RUN_RUNNING, .elapsed_ms = 2900, .attempt = 2, .of = 3},
         "\u280b db      running 2s, attempt 2/3"},
        {20,
         {.name = STR_INIT("db"), .status = RUN_FAILED, .detail = STR_INIT("a long reason")},
         "\u2717 db      failed: a\u2026"},
        {80,
         {.name = STR_INIT("db"), .status = RUN_FAILED, .detail = STR_INIT("x\033[2Jy\nz")},
         "\u2717 db      failed: x [2Jy z"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        progress_line_draw(&rows[i].line, 6, rows[i].width, false, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].want);
        CHECK(progress_cells(buf_view(&out)) <= rows[i].width);
    }
}
