/* Help, man pages and completions, printed from the rows of cli/command.h. Pure: text is appended
 * to a buffer. */
#pragma once
#include "base/buf.h"
#include "cli/command.h"

void help_program(const struct cli *cli, struct buf *out); /* the commands, or those of its group */
/* The tables of flags that a command takes, one after the other: its own, then those it shares with
 * all commands of the program; NULL after the last. No command has the shared ones. */
const struct cli_flag *help_table(const struct cli_command *command, const char *program,
                                  size_t at);
void help_command(const struct cli_command *command, const char *program, struct buf *out);
void help_man_program(enum cli_name name, const char *program, struct buf *out); /* roff */
void help_man_command(const struct cli_command *command, const char *program, struct buf *out);
void help_markdown(const struct cli_command *command, const char *program,
                   struct buf *out); /* a page of the manual */
/* shell: bash, zsh, fish */
void help_completion(enum cli_name name, const char *program, str shell, struct buf *out);

/* Of the commit that was built, "2026-01-02"; "unknown" outside of a repository. */
extern const char cli_commit_date[];
