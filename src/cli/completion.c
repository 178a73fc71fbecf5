#include "cli/help.h"

/* Words of a command line up to the command, told apart by the shells: its first word names it. */

static void add_flags(const struct cli_flag *table, struct buf *out)
{
    for (; table && table->name; table++)
        buf_addf(out, " --%s", table->name);
}

static void command_flags(const struct cli_command *c, struct buf *out)
{
    for (size_t i = 0; c->flags && c->flags[i]; i++)
        add_flags(c->flags[i], out);
    add_flags(cli_global_flags, out);
}

static void command_names(enum cli_name name, const char *program, struct buf *out)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->names & name)
            buf_addf(out, " %s", cli_command_name(cli_commands[i], program));
}

/* bash: choices of a flag are offered behind it, file names where a value is free. */
static void bash_choices(const struct cli_flag *table, struct buf *out)
{
    for (; table && table->name; table++)
        if (table->choices)
            buf_addf(out, "    --%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n",
                     table->name, table->choices);
}

static void bash(enum cli_name name, const char *program, struct buf *out)
{
    buf_addf(out, "# bash completion for %s\n_%s()\n{\n", program, program);
    buf_add_cstr(
        out, "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= w\n"
             "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
             "        case $w in -*) ;; *) command=$w; break ;; esac\n"
             "    done\n    case $prev in\n");
    bash_choices(cli_global_flags, out);
    for (size_t i = 0; cli_commands[i]; i++)
        for (size_t j = 0;
             (cli_commands[i]->names & name) && cli_commands[i]->flags && cli_commands[i]->flags[j];
             j++)
            bash_choices(cli_commands[i]->flags[j], out);
    buf_add_cstr(
        out, "    esac\n    local flags=\n    case $command in\n    '') COMPREPLY=($(compgen -W '");
    command_names(name, program, out);
    buf_add_cstr(out, "' -- \"$cur\")); return ;;\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!(cli_commands[i]->names & name))
            continue;
        buf_addf(out, "    '%s') flags='", cli_command_name(cli_commands[i], program));
        command_flags(cli_commands[i], out);
        buf_add_cstr(out, "' ;;\n");
    }
    buf_addf(
        out,
        "    esac\n    case $cur in\n    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\")) ;;\n"
        "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n    esac\n}\ncomplete -o filenames -F "
        "_%s %s\n",
        program, program);
}

static void quoted(const char *text, struct buf *out) /* inside '…' of zsh's _arguments or fish */
{
    for (; *text; text++) {
        if (*text == '\'')
            buf_add_cstr(out, "'\\''");
        else if (strchr("[]:", *text))
            buf_addf(out, "\\%c", *text);
        else
            buf_add_char(out, *text);
    }
}

static void zsh_flags(const struct cli_flag *table, struct buf *out)
{
    for (; table && table->name; table++) {
        buf_addf(out, " '--%s%s[", table->name, table->kind == CLI_SWITCH ? "" : "=");
        quoted(table->help, out);
        buf_add_char(out, ']');
        if (table->choices)
            buf_addf(out, ":value:(%s)", table->choices);
        else if (table->kind != CLI_SWITCH)
            buf_add_cstr(out, ":value:_files");
        buf_add_char(out, '\'');
    }
}

static void zsh(enum cli_name name, const char *program, struct buf *out)
{
    buf_addf(out, "#compdef %s\nlocal -a commands\ncommands=(\n", program);
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!(cli_commands[i]->names & name))
            continue;
        buf_addf(out, "    '%s:", cli_command_name(cli_commands[i], program));
        quoted(cli_commands[i]->summary, out);
        buf_add_cstr(out, "'\n");
    }
    buf_add_cstr(out,
                 ")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
                 "case $words[2] in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!(cli_commands[i]->names & name))
            continue;
        buf_addf(out, "'%s') _arguments", cli_command_name(cli_commands[i], program));
        for (size_t j = 0; cli_commands[i]->flags && cli_commands[i]->flags[j]; j++)
            zsh_flags(cli_commands[i]->flags[j], out);
        zsh_flags(cli_global_flags, out);
        buf_add_cstr(out, " '*:file:_files' ;;\n");
    }
    buf_add_cstr(out, "esac\n");
}

static void fish_flags(const struct cli_flag *table, const char *program, const char *command,
                       struct buf *out)
{
    for (; table && table->name; table++) {
        buf_addf(out, "complete -c %s", program);
        if (command)
            buf_addf(out, " -n '__fish_seen_subcommand_from %s'", command);
        buf_addf(out, " -l %s", table->name);
        if (table->letter)
            buf_addf(out, " -s %c", table->letter);
        if (table->choices)
            buf_addf(out, " -x -a '%s'", table->choices);
        else if (table->kind != CLI_SWITCH)
            buf_add_cstr(out, " -r");
        buf_add_cstr(out, " -d '");
        quoted(table->help, out);
        buf_add_cstr(out, "'\n");
    }
}

static void fish(enum cli_name name, const char *program, struct buf *out)
{
    buf_addf(out, "# fish completion for %s\n", program);
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct cli_command *c = cli_commands[i];

        if (!(c->names & name))
            continue;
        buf_addf(out, "complete -c %s -n __fish_use_subcommand -a '%s' -d '", program,
                 cli_command_name(c, program));
        quoted(c->summary, out);
        buf_add_cstr(out, "'\n");
        for (size_t j = 0; c->flags && c->flags[j]; j++)
            fish_flags(c->flags[j], program, cli_command_name(c, program), out);
    }
    fish_flags(cli_global_flags, program, NULL, out);
}

void help_completion(enum cli_name name, const char *program, str shell, struct buf *out)
{
    if (str_eq(shell, STR("bash")))
        bash(name, program, out);
    else if (str_eq(shell, STR("zsh")))
        zsh(name, program, out);
    else
        fish(name, program, out);
}
