/* grapnel completion SHELL: prints a completion script made from the flag tables. */
#include "cli/help.h"
#include "cli/output.h"

static const struct cli_flag flags[] = {
    {"no-descriptions", CLI_SWITCH, "", "taken for helm's sake: descriptions stay", 0, "", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    str shell;

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "name one shell: bash, zsh or fish");
    shell = cli->arguments.v[0];
    if (!str_eq(shell, STR("bash")) && !str_eq(shell, STR("zsh")) && !str_eq(shell, STR("fish")))
        return err_set(e, ERR_USAGE,
                       "no completion for \"%.*s\"; there is one for bash, zsh and fish",
                       STR_ARG(shell));
    help_completion(cli->name, cli->program, shell, &out);
    return cli_print_raw(buf_view(&out), e);
}

const struct cli_command cli_completion = {
    .name = "completion",
    .names = CLI_GRAPNEL | CLI_KHOOK | CLI_KPT | CLI_KUSTOMIZE | CLI_HELM,
    .summary = "Print a completion script for a shell",
    .arguments = "bash|zsh|fish",
    .about = "Prints a script that completes commands, flags and their values. Load it from the "
             "shell's own start-up "
             "file, or install it where the shell looks for completions.",
    .flags = flag_tables,
    .examples = "$ source <(grapnel completion bash)\n",
    .max_arguments = 1,
    .run = run,
};
