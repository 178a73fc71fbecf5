/* What the commands of `cfg` share. Main thread. */
#pragma once
#include "cli/command.h"
#include "kustomize/cfg/cfg.h"

extern const struct cli_flag cli_cfg_flags[];       /* -R */
extern const struct cli_flag cli_cfg_local_flags[]; /* --include-local, --exclude-non-local */

/* The argument at index; without it "-" when standard input is a pipe or a file, else ".". */
const char *cli_cfg_path(const struct cli *cli, size_t index);
/* By the flags about local configuration, which is hidden unless asked for. */
bool cli_cfg_is_shown(const struct cli *cli, const struct doc_node *item);
