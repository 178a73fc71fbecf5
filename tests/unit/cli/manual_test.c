#include <glob.h>

#include "base/mem.h"
#include "cli/help.h"
#include "support/test.h"
#include "sys/file.h"

TEST(manual_has_a_page_for_each_command_as_the_rows_have_it)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf want = {0}, page = {0};
        AUTO(mem_free_str) char *path = str_printf("docs/reference/%s.md", cli_commands[i]->name);

        for (char *p = path; *p; p++)
            if (*p == ' ')
                *p = '-';
        help_markdown(cli_commands[i], "grapnel", &want);
        CHECK_INT(file_read(path, 1 << 20, &page, &e), 0, path);
        if (!str_eq(buf_view(&page), buf_view(&want)))
            test_fail(__FILE__, __LINE__,
                      "%s is old: out/grapnel man --format markdown docs/reference", path);
    }
}

TEST(help_pages_of_every_kind_name_every_flag)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];
        AUTO(buf_done) struct buf text = {0}, man = {0}, bash = {0};

        help_command(c, "grapnel", &text);
        help_man_command(c, "grapnel", &man);
        help_completion(CLI_GRAPNEL, "grapnel", STR("bash"), &bash);
        for (size_t t = 0; c->flags && c->flags[t]; t++) {
            for (const struct cli_flag *f = c->flags[t]; *f->name; f++) {
                CHECK(str_contains(buf_view(&text), str_of(f->name)));
                CHECK(str_contains(buf_view(&bash), str_of(f->name)));
            }
        }
        CHECK(str_contains(buf_view(&man), STR(".SH EXIT STATUS")));
    }
}

/* Variables that code asks for by a literal name. */
static int check_variables(const char *path, str page)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    ssize_t at;
    int checked = 0;

    CHECK_INT(file_read(path, 1 << 20, &text, &e), 0, path);
    for (str rest = buf_view(&text); (at = str_find(rest, STR("env_get(\""))) >= 0; checked++) {
        str name = str_cut(str_from(rest, (size_t)at + strlen("env_get(\"")), '"', &rest);

        if (!str_contains(page, name))
            test_fail(__FILE__, __LINE__, "docs/manual/environment.md does not tell of %.*s (%s)",
                      STR_ARG(name), path);
    }
    return checked;
}

TEST(manual_names_every_variable_of_the_environment)
{
    static const char *const patterns[] = {"src/*/*.c", "src/*/*/*.c"};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf page = {0};
    int checked = 0;

    CHECK_INT(file_read("docs/manual/environment.md", 1 << 20, &page, &e), 0, "page");
    for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
        glob_t found = {0};

        CHECK_INT(glob(patterns[i], 0, NULL, &found), 0, patterns[i]);
        for (size_t j = 0; j < found.gl_pathc; j++)
            checked += check_variables(found.gl_pathv[j], buf_view(&page));
        globfree(&found);
    }
    CHECK(checked > 20);
}
