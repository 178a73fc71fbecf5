/* grapnel chart repo index */
#include "chart/repo/generate.h"
#include "cli/output.h"
#include "sys/clock.h"
#include "sys/file.h"

static const struct cli_flag flags[] = {
    {"url", CLI_TEXT, "URL", "of the repository, put before the names of the archives", 0, "", "",
     false},
    {"merge", CLI_TEXT, "FILE", "an index whose entries are taken over", 0, "", "", false},
    {"json", CLI_SWITCH, "", "write JSON", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf out = {0}, path = {0};
    struct file_replace replace = {.mode = 0644};
    struct chart_index_options options = {
        .url = cli_text(cli, "url"), .is_json = cli_switch(cli, "json"), .now_us = clock_wall_us()};
    const char *dir;

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 1 argument: DIR", cli->program,
                       cli_command_name(cli->command, cli->program));
    dir = cli->arguments.v[0].p;
    if (cli_text(cli, "merge").len)
        options.merge = cli_text(cli, "merge").p;
    buf_addf(&path, "%s/index.yaml", dir);
    if (chart_index_generate(dir, &options, &out, e) < 0)
        return -1;
    return file_replace(buf_cstr(&path), buf_view(&out), &replace, e);
}

const struct cli_command cli_chart_repo_index = {
    .name = "chart repo index",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Write the index of a folder of chart archives",
    .arguments = "DIR",
    .about =
        "Writes DIR/index.yaml of the archives (.tgz) in DIR and in its folders. Any web server "
        "that serves DIR is then a chart repository. What is no chart is passed over.",
    .flags = flag_tables,
    .examples = "$ grapnel chart package web -d public && grapnel chart repo index public --url "
                "https://charts.example.com\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};
