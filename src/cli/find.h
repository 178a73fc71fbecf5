/* Which command the words of a command line name. Names and words are compared whole; a group is
 * what the names of several commands begin with: "fn", "chart repo". */
#pragma once
#include "cli/command.h"

/* Sets cli->command to the one with the most of the words in its name, or in another name it has;
 * returns how many that are, 0 when there is none. */
int cli_find(struct cli *cli, char *const *words, int count);
/* Sets cli->group to the words that begin names of commands, when nothing but flags follows;
 * returns how many that are. ERR_USAGE names the command that comes closest. */
int cli_find_group(struct cli *cli, char *const *words, int count, struct err *e) MUST_CHECK;
/* Is the command one of the group? The empty group has all. */
bool cli_in_group(const struct cli *cli, const struct cli_command *command, str group);
