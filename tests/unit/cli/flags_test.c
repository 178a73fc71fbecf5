#include "base/err.h"
#include "cli/chart/flags.h"
#include "cli/command.h"
#include "support/test.h"

static int parse(struct cli *cli, const char *const *words, bool *help, struct err *e)
{
    char *argv[16];
    int argc = 0;

    for (; words[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    *cli = (struct cli){.name = CLI_GRAPNEL, .program = "grapnel"};
    return cli_parse(cli, argc, argv, help, e);
}

TEST(flags_are_accepted_in_every_spelling)
{
    static const struct {
        const char *words[6];
        const char *output, *level;
    } rows[] = {{{"version", "--output", "json"}, "json", "info"},
                {{"version", "--output=json"}, "json", "info"},
                {{"version", "-o", "json"}, "json", "info"},
                {{"version", "-ojson"}, "json", "info"},
                {{"--log-level", "debug", "version"}, "text", "debug"},
                {{"version", "-o", "json", "-o", "text"}, "text", "info"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct cli cli;
        bool help;

        CHECK_INT(parse(&cli, rows[i].words, &help, &e), 0, rows[i].words[1]);
        CHECK_OK(&e);
        CHECK_STR(cli_text(&cli, "output"), str_of(rows[i].output), rows[i].words[1]);
        CHECK_STR(cli_text(&cli, "log-level"), str_of(rows[i].level), rows[i].words[1]);
        cli_done(&cli);
    }
}

TEST(mistakes_name_the_flag_and_what_is_near)
{
    static const struct {
        const char *words[5];
        const char *mentions;
    } rows[] = {{{"version", "--outptu", "x"}, "did you mean \"--output\""},
                {{"version", "--output", "yaml"}, "one of: text json"},
                {{"version", "--output"}, "needs a value"},
                {{"versoin"}, "did you mean \"version\""},
                {{"version", "extra"}, "does not take the argument \"extra\""},
                {{"version", "-x"}, "unknown flag \"-x\""}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct cli cli;
        bool help;

        CHECK_INT(parse(&cli, rows[i].words, &help, &e), -1, rows[i].words[0]);
        CHECK_INT(e.kind, ERR_USAGE, rows[i].mentions);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].mentions)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].mentions), "message");
        cli_done(&cli);
    }
}

TEST(help_is_asked_for_without_required_flags)
{
    static const char *const words[] = {"version", "--help", NULL};
    AUTO(err_done) struct err e = {0};
    struct cli cli;
    bool help;

    CHECK_INT(parse(&cli, words, &help, &e), 0, "version --help");
    CHECK(help);
    cli_done(&cli);
}

static int parse_as_helm(struct cli *cli, const char *const *words, bool *help, struct err *e)
{
    char *argv[16];
    int argc = 0;

    for (; words[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    *cli = (struct cli){.name = CLI_HELM, .program = "helm"};
    return cli_parse(cli, argc, argv, help, e);
}

TEST(a_name_that_is_only_begun_asks_for_help_on_the_rest)
{
    static const struct {
        const char *words[5];
        const char *group; /* "": a command, or no word is known */
        const char *says;
    } rows[] = {
        {{"get"}, "get", ""},
        {{"repo", "--help"}, "repo", ""},
        {{"registry", "-h"}, "registry", ""},
        {{"get", "all", "x"}, "", ""},
        {{"get", "nothing"}, "get", "unknown command \"nothing\" for \"helm get\""},
        {{"get", "al"}, "get", "did you mean \"all\""},
        {{"repo", "--bogus"}, "repo", "unknown flag \"--bogus\""},
        {{"plugin", "list"}, "", "plugin: plugins are not run"},
        {{"search", "hub", "x"}, "", "search hub: the hub is not asked"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct cli cli;
        bool help;

        CHECK_INT(parse_as_helm(&cli, rows[i].words, &help, &e), *rows[i].says ? -1 : 0,
                  rows[i].words[0]);
        CHECK_STR(cli.group, str_of(rows[i].group), rows[i].words[0]);
        CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].says)));
        cli_done(&cli);
    }
}

TEST(commands_on_charts_name_the_files_of_helm)
{
    static const char *const rows[][5] = {
        {"chart", "repo", "list", "--repository-config", "/r.yaml"},
        {"chart", "registry", "logout", "h", "--repository-config=/r.yaml"},
        {"version", "--repository-config", "/r.yaml"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const char *words[6] = {rows[i][0], rows[i][1], rows[i][2], rows[i][3], rows[i][4]};
        AUTO(err_done) struct err e = {0};
        AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
        struct cli cli;
        bool help;

        CHECK_INT(parse(&cli, words, &help, &e), i == 2 ? -1 : 0, rows[i][0]);
        if (i < 2) {
            cli_chart_dirs(&cli, &dirs);
            CHECK_STR(buf_view(&dirs.repository_config), STR("/r.yaml"), rows[i][1]);
            CHECK(str_ends(buf_view(&dirs.content_cache), STR("/content")));
        }
        cli_done(&cli);
    }
}
