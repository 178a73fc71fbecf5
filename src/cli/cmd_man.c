/* grapnel man DIR: writes the man pages, or the manual's reference pages, made from the command
 * rows. */

#include "base/mem.h"
#include "cli/help.h"
#include "sys/file.h"

static const struct cli_flag flags[] = {
    {"format", CLI_CHOICE, "FORMAT", "what to write", 0, "roff markdown", "roff", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static int page_write(str dir, const char *name, const char *suffix, const struct buf *text,
                      struct err *e)
{
    AUTO(mem_free_str) char *path = str_printf("%.*s/%s%s", STR_ARG(dir), name, suffix);

    for (char *p = path + dir.len + 1; *p; p++)
        if (*p == ' ')
            *p = '-';
    return file_replace(path, buf_view(text), NULL, e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf page = {0};
    bool markdown = str_eq(cli_text(cli, "format"), STR("markdown"));
    str dir;

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "name one folder to write the pages to");
    dir = cli->arguments.v[0];
    if (file_mkdirs(dir.p, 0755, e) < 0)
        return -1;
    if (!markdown) {
        help_man_program(cli->name, cli->program, &page);
        if (page_write(dir, cli->program, ".1", &page, e) < 0)
            return -1;
    }
    for (size_t i = 0; cli_commands[i]; i++) {
        AUTO(mem_free_str) char *name = NULL;

        if (!(cli_commands[i]->names & cli->name))
            continue;
        buf_clear(&page);
        if (markdown)
            help_markdown(cli_commands[i], cli->program, &page);
        else
            help_man_command(cli_commands[i], cli->program, &page);
        name = markdown ? mem_strdup(cli_commands[i]->name)
                        : str_printf("%s-%s", cli->program, cli_commands[i]->name);
        if (page_write(dir, name, markdown ? ".md" : ".1", &page, e) < 0)
            return -1;
    }
    return 0;
}

const struct cli_command cli_man = {
    .name = "man",
    .names = CLI_GRAPNEL | CLI_KHOOK | CLI_KPT,
    .summary = "Write the man pages",
    .arguments = "DIR",
    .about = "Writes a man page for the program and one for each command into DIR, made when it is "
             "missing. With "
             "--format markdown the pages are those of the manual's reference.",
    .flags = flag_tables,
    .examples = "$ grapnel man /usr/local/share/man/man1\n",
    .max_arguments = 1,
    .run = run,
};
