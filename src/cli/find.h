/* Which command the words of a command line name. Names and words are compared whole; a group is
 * what the names of several commands begin with: "fn", "chart repo". Pure but for *cli. */
#pragma once
#include "cli/command.h"

/* Sets cli->command, or cli->group when the words only begin the names of commands and nothing but
 * flags follows; returns how many words that took. ERR_USAGE names the command that comes closest;
 * cli->group is then what was known of the words. */
int cli_find(struct cli *cli, char *const *words, int count, struct err *e) MUST_CHECK;
/* Is the command one of the group? The empty group has all. */
bool cli_in_group(const struct cli *cli, const struct cli_command *command, str group);
