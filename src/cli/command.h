/* Commands: one cmd_*.c per command holding its row (name, flags, help) and its function, in the
 * folder that bears the name of what it drives; cli/commands.c lists the rows. Parsing, --help, man
 * pages, completions and the manual's reference are printed from the same rows.
 *
 * A name may have several words ("fn eval", "chart repo add"); as helm the program takes "chart
 * ..." without that word. Flags are written as pflag's: --flag value, --flag=value, -f value,
 * -fvalue, a switch as --flag or --flag=false, in any order with arguments; "--" ends them. Rows
 * are static; parsed values are views into argv. Commands run on the main thread. */
#pragma once
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum cli_flag_kind {
    CLI_SWITCH,
    CLI_TEXT,
    CLI_LIST,     /* may be given again; every value counts */
    CLI_INT,      /* not negative */
    CLI_DURATION, /* Go notation */
    CLI_CHOICE,   /* one of the words in choices */
    CLI_WORD,     /* the same, only behind "="; without it the first of them */
};

/* Texts, not pointers: nothing of a row is written when the program starts
 * (docs/decisions/6-start.md). */
struct cli_flag {
    char name[32]; /* without the dashes; empty ends a table */
    enum cli_flag_kind kind;
    char value[20];    /* what the value is, in help: "FILE" */
    char help[100];    /* one sentence, no full stop */
    char letter;       /* or 0 */
    char choices[64];  /* CLI_CHOICE: words with a blank between; also completed */
    char fallback[28]; /* value when not given, shown in help; empty: none */
    bool required;
};

/* Names the program answers to; a command says which of them have it. */
enum cli_name {
    CLI_GRAPNEL = 1 << 0,
    CLI_KHOOK = 1 << 1,
    CLI_KPT = 1 << 2,
    CLI_KUSTOMIZE = 1 << 3,
    CLI_HELM = 1 << 4,
};

struct cli;
/* The exit status, or -1 with e set: ERR_INVALID and ERR_USAGE then end with 2, other kinds with 1;
 * with 1 for any kind when the command keeps the status of a tool it replaces. */
typedef int cli_run_fn(struct cli *cli, struct err *e);

struct cli_command {
    char name[24];         /* here, where the search for a command reads it anyway */
    const char *aliases;   /* other names, ',' between, with the same first word; or NULL */
    unsigned names;        /* enum cli_name */
    const char *summary;   /* one line */
    const char *arguments; /* synopsis after the flags: "[-- COMMAND [ARG ...]]"; "" for none */
    const char *about;     /* paragraphs of the manual, divided by empty lines */
    const struct cli_flag *const *flags; /* tables of rows, NULL ends */
    const char *examples;                /* lines "$ command" and what they do, or NULL */
    int max_arguments;                   /* -1: any number */
    bool fails_with_one;                 /* any failure ends with status 1 */
    cli_run_fn *run;
};

extern const struct cli_command *const cli_commands[]; /* NULL ends */
/* The name as it is typed behind the program's. */
const char *cli_command_name(const struct cli_command *command, const char *program);
extern const struct cli_flag
    cli_global_flags[]; /* --log-level and the like: every command has them */

struct cli_value {
    const struct cli_flag *flag;
    str value;
};
struct cli {
    enum cli_name name;  /* which program we are started as */
    const char *program; /* as typed for messages: "grapnel", "khook" */
    const struct cli_command *command;
    str group;                    /* instead of a command: what several begin with, "chart repo" */
    VEC(struct cli_value) values; /* in order of the command line */
    struct str_vec arguments;
    size_t before_dashes; /* of them, those before "--"; all when there is none */
    bool has_dashes;
};

/* What was given for a flag, the last one if several, else its fallback, else the empty text. */
str cli_text(const struct cli *cli, const char *flag);
bool cli_given(const struct cli *cli, const char *flag);
bool cli_switch(const struct cli *cli, const char *flag);
/* For code that commands share: does the command at hand have the flag at all, and what it is where
 * it does; nothing and false where it does not. */
bool cli_has_flag(const struct cli *cli, const char *flag);
str cli_text_if(const struct cli *cli, const char *flag);
bool cli_switch_if(const struct cli *cli, const char *flag);
int64_t cli_int(const struct cli *cli, const char *flag); /* CLI_INT; CLI_DURATION in ms */
/* Appends every value of a CLI_LIST. */
void cli_list(const struct cli *cli, const char *flag, struct str_vec *out);

/* Parses argv behind the program name. ERR_USAGE names the flag and the closest that exists. --help
 * is left to the caller: *ret_help. */
int cli_parse(struct cli *cli, int argc, char **argv, bool *ret_help, struct err *e);
void cli_done(struct cli *cli);
