#include "cli/kustomize/cfg_flags.h"

#include <sys/stat.h>
#include <unistd.h>

const struct cli_flag cli_cfg_flags[] = {
    {"recurse-subpackages", CLI_SWITCH, "", "folders with a Kptfile too", 'R', "", "true", false},
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};

const struct cli_flag cli_cfg_local_flags[] = {
    {"include-local", CLI_SWITCH, "", "resources marked config.kubernetes.io/local-config too", 0,
     "", "", false},
    {"exclude-non-local", CLI_SWITCH, "", "no others", 0, "", "", false},
    {.name = ""},
};

const char *cli_cfg_path(const struct cli *cli, size_t index)
{
    struct stat st;

    if (cli->arguments.len > index)
        return cli->arguments.v[index].p;
    if (fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode)))
        return "-";
    return ".";
}

bool cli_cfg_is_shown(const struct cli *cli, const struct doc_node *item)
{
    return kustomize_cfg_is_local(item) ? cli_switch(cli, "include-local")
                                        : !cli_switch(cli, "exclude-non-local");
}
