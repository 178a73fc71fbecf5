/* grapnel schema */
#include "cli/output.h"
#include "khook/spec/schema.h"

static const struct cli_flag *const flag_tables[] = {NULL};

static int run(struct cli *cli UNUSED, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    khook_schema(&out);
    return cli_print_raw(buf_view(&out), e);
}

const struct cli_command cli_schema = {
    .name = "schema",
    .names = CLI_GRAPNEL | CLI_KHOOK,
    .summary = "Print the JSON Schema of specs",
    .arguments = "",
    .about = "Prints the JSON Schema (draft 2020-12) of specs as their authors write them, before "
             "variables are put in, for editors: name it in the first line of a spec as "
             "\"# yaml-language-server: $schema=" KHOOK_SCHEMA_ID "\".",
    .flags = flag_tables,
    .examples = "$ grapnel schema > khook.schema.json\n",
    .max_arguments = 0,
    .run = run,
};
