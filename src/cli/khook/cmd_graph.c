/* grapnel graph -f SPEC */
#include "cli/khook/flags.h"
#include "cli/output.h"
#include "khook/spec/graph.h"

static const struct cli_flag flags[] = {
    {"format", CLI_CHOICE, "FORMAT", "language of the graph", 0, KHOOK_GRAPH_FORMATS, "mermaid",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {cli_spec_flags, flags, NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_spec_done) struct cli_spec spec = {0};
    AUTO(buf_done) struct buf out = {0};

    if (cli_spec_load(cli, &spec, e) < 0)
        return -1;
    khook_graph(spec.spec, cli_text(cli, "format"), &out);
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_graph = {
    .name = "graph",
    .names = CLI_GRAPNEL | CLI_KHOOK,
    .summary = "Print the graph of a spec's steps",
    .arguments = "",
    .about =
        "Prints steps and their needs as a Mermaid flow chart or in Graphviz's language. Steps "
        "whose condition is false are marked as skipped. No cluster is needed.",
    .flags = flag_tables,
    .examples = "$ grapnel graph -f bootstrap.yaml\n"
                "$ grapnel graph -f bootstrap.yaml --format dot | dot -Tsvg > bootstrap.svg\n",
    .max_arguments = 0,
    .run = run,
};
