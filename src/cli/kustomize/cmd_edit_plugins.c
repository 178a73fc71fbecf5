/* grapnel edit alpha-list-builtin-plugin */
#include "cli/command.h"
#include "cli/output.h"
#include "kustomize/edit/edit.h"

static const struct cli_flag flags[] = {
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static int run(struct cli *cli UNUSED, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    kustomize_edit_list_builtins(&out);
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_edit_plugins = {
    .name = "edit plugins",
    .aliases = "edit alpha-list-builtin-plugin",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "List the built-in generators and transformers",
    .arguments = "",
    .about = "Lists the kinds that an object of apiVersion \"builtin\" may have in generators, "
             "transformers and validators, as kustomize's command of this name does; the order is "
             "always the same.",
    .flags = flag_tables,
    .examples = "$ grapnel edit alpha-list-builtin-plugin\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
