/* grapnel cfg consolidate [DIR] */
#include "cli/output.h"
#include "kustomize/composition/print.h"

static const struct cli_flag flags[] = {
    {"output", CLI_CHOICE, "FORMAT", "how it is printed", .letter = 'o', .choices = "yaml json",
     .fallback = "yaml"},
    {"no-origin", CLI_SWITCH, "", "no comments that say where a transformer comes from",
     .letter = 0},
    {"check", CLI_SWITCH, "", "print nothing, only report errors", .letter = 0},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    struct kustomize_options options = {0};
    const char *dir = cli->arguments.len ? cli->arguments.v[0].p : ".";
    unsigned how = (cli_switch(cli, "no-origin") ? KUSTOMIZE_NO_ORIGIN : 0) |
                   (str_eq(cli_text(cli, "output"), STR("json")) ? KUSTOMIZE_JSON : 0);

    if (kustomize_print_composition(dir, &options, how, &out, e) < 0)
        return -1;
    return cli_switch(cli, "check") ? 0 : cli_print_raw(buf_view(&out), e);
}

const struct cli_command cli_consolidate = {
    .name = "cfg consolidate",
    .names = CLI_GRAPNEL,
    .summary = "Print a Composition with its imports merged",
    .arguments = "[DIR]",
    .about = "Merges the Composition in a folder with everything it imports, applies overrides and "
             "order, and prints the one list of transformers that `grapnel build` would run. "
             "Nothing is run and no resource is read. Paths are rewritten to be relative to the "
             "folder, so building what is printed in its place gives the same resources.",
    .flags = flag_tables,
    .examples = "$ grapnel cfg consolidate overlays/prod\n"
                "$ grapnel cfg consolidate --check overlays/prod && echo fine\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};
