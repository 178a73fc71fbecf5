/* grapnel edit fix */
#include "cli/kustomize/edit_notes.h"
#include "kustomize/build.h"
#include "kustomize/edit/edit.h"

static const struct cli_flag flags[] = {
    {"vars", CLI_SWITCH, "", "turn vars into replacements, too; changes files of resources", 0, "",
     "", false},
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

/* What a build of this folder gives. Nothing is fetched: what needs the network cannot be
 * compared. */
static int build(struct buf *out, struct err *e)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    struct kustomize_options options = {.is_offline = true};

    if (kustomize_build_run(".", &options, &result, e) < 0)
        return -1;
    return kustomize_result_print(&result, out, e);
}

static void compare(str before, bool was_built)
{
    AUTO(buf_done) struct buf after = {0}, text = {0};
    AUTO(err_done) struct err e = {0};

    if (build(&after, &e) < 0)
        buf_addf(&text, "the fixed kustomization %s: %s",
                 was_built ? "does not build any more" : "does not build, as before", err_text(&e));
    else if (was_built && !str_eq(before, buf_view(&after)))
        buf_add_cstr(&text, "the fixed kustomization builds something else; see what changed "
                            "before you keep it");
    cli_print_notes(buf_view(&text));
}

static int print_fixes(const struct kustomize_edit *edit, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    str line, rest = buf_view(&edit->notes);

    if (!rest.len)
        return 0;
    buf_add_cstr(&out, "Fixed fields:\n");
    while (str_next_line(&rest, &line))
        buf_addf(&out, "  %.*s\n", STR_ARG(line));
    return cli_print(buf_view(&out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
    AUTO(buf_done) struct buf before = {0};
    AUTO(err_done) struct err why = {0};
    bool was_built;

    if (kustomize_edit_open(&edit, e) < 0)
        return -1;
    was_built = build(&before, &why) == 0;
    if (kustomize_edit_fix(&edit, e) < 0 ||
        (cli_switch(cli, "vars") && kustomize_edit_fix_vars(&edit, e) < 0) ||
        kustomize_edit_save(&edit, e) < 0)
        return -1;
    compare(buf_view(&before), was_built);
    return print_fixes(&edit, e);
}

const struct cli_command cli_edit_fix = {
    .name = "edit fix",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Replace deprecated fields of a kustomization file",
    .arguments = "",
    .about =
        "Turns deprecated fields of the current folder's kustomization file into those that "
        "replaced them (bases, imageTags, commonLabels, patchesStrategicMerge, patchesJson6902, "
        "env, helmChartInflationGenerator), adds apiVersion and kind, and tells what it did. "
        "Comments and order of the rest stay. With --vars, vars become replacements: where $(NAME) "
        "stands in a file of resources or a patch, here and in the bases, NAME_PLACEHOLDER takes "
        "its place, and the replacement has a target there. It is built before and after, and a "
        "warning tells "
        "when the outputs differ; what lies on the network is not fetched for that.",
    .flags = flag_tables,
    .examples = "$ grapnel edit fix\n"
                "$ grapnel edit fix --vars\n",
    .max_arguments = 0,
    .fails_with_one = true,
    .run = run,
};
