/* grapnel create */
#include "cli/kustomize/edit_notes.h"
#include "kustomize/edit/create.h"

static const struct cli_flag flags[] = {
    {"resources", CLI_LIST, "PATH[,PATH...]", "resources: files, folders, patterns, URLs", 0, "",
     "", false},
    {"autodetect", CLI_SWITCH, "", "add every file of this folder that holds resources", 0, "", "",
     false},
    {"recursive", CLI_SWITCH, "", "with --autodetect: in folders below too", 0, "", "", false},
    {"namespace", CLI_TEXT, "NAMESPACE", "namespace of all resources", 0, "", "", false},
    {"nameprefix", CLI_TEXT, "PREFIX", "what stands before their names", 0, "", "", false},
    {"namesuffix", CLI_TEXT, "SUFFIX", "what stands behind their names", 0, "", "", false},
    {"labels", CLI_TEXT, "KEY:VALUE[,...]", "labels of all resources", 0, "", "", false},
    {"annotations", CLI_TEXT, "KEY:VALUE[,...]", "annotations of all resources", 0, "", "", false},
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static void split(str text, struct str_vec *out)
{
    while (text.len) {
        str part = str_cut(text, ',', &text);

        if (part.len)
            vec_push(out, part);
    }
}

static int create(const struct kustomize_create *options, struct err *e)
{
    AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
    int rc = kustomize_create(options, &edit, e);

    cli_print_notes(buf_view(&edit.notes));
    return rc;
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(str_vec_done) struct str_vec given = {0};
    struct kustomize_create options = {
        .ns = cli_text(cli, "namespace"),
        .prefix = cli_text(cli, "nameprefix"),
        .suffix = cli_text(cli, "namesuffix"),
        .detects = cli_switch(cli, "autodetect"),
        .is_recursive = cli_switch(cli, "recursive"),
    };
    int rc;

    cli_list(cli, "resources", &given);
    for (size_t i = 0; i < given.len; i++)
        split(given.v[i], &options.resources);
    split(cli_text(cli, "labels"), &options.labels);
    split(cli_text(cli, "annotations"), &options.annotations);
    rc = create(&options, e);
    vec_done(&options.resources);
    vec_done(&options.labels);
    vec_done(&options.annotations);
    return rc;
}

const struct cli_command cli_create = {
    .name = "create",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Make a kustomization file in this folder",
    .arguments = "",
    .about =
        "Writes kustomization.yaml into the current folder; one that is there already is an error. "
        "With --autodetect every file that holds resources is listed, with --recursive those in "
        "folders below too: a folder that is a kustomization itself is listed as a whole, and "
        "under components if it is one.",
    .flags = flag_tables,
    .examples = "$ grapnel create --resources ../base --namespace staging --nameprefix acme-\n"
                "$ grapnel create --autodetect --recursive\n",
    .max_arguments = 0,
    .fails_with_one = true,
    .run = run,
};
