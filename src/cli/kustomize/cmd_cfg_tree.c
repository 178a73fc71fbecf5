/* grapnel cfg tree, grapnel openapi info */
#include "cli/kustomize/cfg_flags.h"
#include "cli/output.h"
#include "fetch/path.h"

static const struct cli_flag flags[] = {
    {"all", CLI_SWITCH, "", "show all of the fields below", 0, "", "", false},
    {"name", CLI_SWITCH, "", "show names of containers", 0, "", "", false},
    {"image", CLI_SWITCH, "", "show images of containers", 0, "", "", false},
    {"command", CLI_SWITCH, "", "show commands of containers", 0, "", "", false},
    {"args", CLI_SWITCH, "", "show arguments of containers", 0, "", "", false},
    {"ports", CLI_SWITCH, "", "show ports of containers and Services", 0, "", "", false},
    {"env", CLI_SWITCH, "", "show variables of containers", 0, "", "", false},
    {"resources", CLI_SWITCH, "", "show requests and limits of containers", 0, "", "", false},
    {"replicas", CLI_SWITCH, "", "show replicas", 0, "", "", false},
    {"field", CLI_LIST, "PATH", "show this field: metadata.annotations.foo", 0, "", "", false},
    {"graph-structure", CLI_CHOICE, "WHAT",
     "below what: the folder, or the owner; owners where there are some", 0, "owners directory", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_cfg_local_flags, cli_cfg_flags,
                                                     NULL};

/* What a field of containers is called, in the order they are shown. */
static const char container_fields[][10] = {"name",  "image", "command",  "args",
                                            "ports", "env",   "resources"};

static bool is_asked(const struct cli *cli, const char *flag)
{
    return cli_switch(cli, flag) || cli_switch(cli, "all");
}

static void choose_fields(const struct cli *cli, struct kustomize_tree_options *options)
{
    cli_list(cli, "field", &options->fields);
    if (is_asked(cli, "replicas"))
        vec_push(&options->fields, STR("spec.replicas"));
    if (is_asked(cli, "ports"))
        vec_push(&options->fields, STR("spec.ports"));
    for (size_t i = 0; i < ARRAY_LEN(container_fields); i++)
        if (is_asked(cli, container_fields[i]))
            vec_push(&options->of_containers, str_of(container_fields[i]));
}

static int print_tree(struct cli *cli, struct doc_set *set, const struct doc_list *items,
                      const char *path, struct err *e)
{
    AUTO(buf_done) struct buf root = {0}, out = {0};
    str structure = cli_text(cli, "graph-structure");
    struct kustomize_tree_options options = {0};
    int rc;

    choose_fields(cli, &options);
    options.by_owner =
        structure.len ? str_eq(structure, STR("owners")) : kustomize_tree_has_owners(items);
    fetch_clean_path(options.by_owner || !strcmp(path, "-") ? STR(".") : str_of(path), &root);
    options.root = buf_view(&root);
    rc = kustomize_tree_print(set, items, &options, &out, e);
    vec_done(&options.fields);
    vec_done(&options.of_containers);
    return rc < 0 ? -1 : cli_print(buf_view(&out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list items = {0}, shown = {0};
    const char *path = cli_cfg_path(cli, 0);

    if (kustomize_cfg_read(set, path, cli_switch(cli, "recurse-subpackages"), &items, e) < 0)
        return -1;
    for (size_t i = 0; i < items.len; i++)
        if (cli_cfg_is_shown(cli, items.v[i]))
            vec_push(&shown, items.v[i]);
    return print_tree(cli, set, &shown, path, e);
}

const struct cli_command cli_cfg_tree = {
    .name = "cfg tree",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Draw the resources of a folder as a tree",
    .arguments = "[DIR]",
    .about =
        "Draws the resources in the YAML files of a folder, in a file or on standard input: below "
        "their folders, or below what owns them if there are owner references, as in what a "
        "cluster answers. Flags add fields.",
    .flags = flag_tables,
    .examples = "$ grapnel cfg tree manifests/ --image --replicas\n"
                "$ kubectl get all -o yaml | grapnel cfg tree "
                "--field 'status.conditions[type=Ready].status'\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run,
};

static int run_info(struct cli *cli, struct err *e)
{
    (void)cli;
    return cli_print(STR("{title:Kubernetes,version:v1.21.2}\n"), e);
}

static const struct cli_flag info_flags[] = {
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const info_tables[] = {info_flags, NULL};

const struct cli_command cli_openapi_info = {
    .name = "openapi info",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Say whose schema merges lists in builds",
    .arguments = "",
    .about = "Prints title and version of the Kubernetes schema that patches are merged by, unless "
             "a kustomization has an openapi field.",
    .flags = info_tables,
    .max_arguments = 0,
    .fails_with_one = true,
    .run = run_info,
};
