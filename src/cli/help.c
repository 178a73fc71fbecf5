#include "cli/help.h"

#include "cli/chart/flags.h"
#include "cli/chart/helm_flags.h"
#include "cli/find.h"

static const char *const exit_codes =
    "0 success; 1 a step failed, the run was cancelled, or the cluster refused or could not be "
    "reached; "
    "2 bad input, flag or file: nothing was changed; 130 or 143 after a second interrupt";

/* "-f, --file FILE" without leading blanks. */
static void flag_synopsis(const struct cli_flag *f, struct buf *out)
{
    if (f->letter)
        buf_addf(out, "-%c, ", f->letter);
    buf_addf(out, "--%s", f->name);
    if (f->kind == CLI_WORD)
        buf_addf(out, "[=%s]", f->value);
    else if (f->kind != CLI_SWITCH)
        buf_addf(out, " %s", *f->value ? f->value : "VALUE");
}

static void flag_help(const struct cli_flag *f, struct buf *out)
{
    buf_add_cstr(out, f->help);
    if (*f->choices) {
        str rest = str_of(f->choices);
        const char *divider = ": ";

        while (rest.len) {
            str word = str_cut(rest, ' ', &rest);

            buf_addf(out, "%s%.*s", divider, STR_ARG(word));
            divider = ", ";
        }
    }
    if (f->kind == CLI_LIST)
        buf_add_cstr(out, "; may be repeated");
    if (f->required)
        buf_add_cstr(out, "; required");
    if (*f->fallback)
        buf_addf(out, " (default %s)", f->fallback);
}

static void flag_table(const struct cli_flag *table, struct buf *out)
{
    for (; table && *table->name; table++) {
        size_t start = out->len;

        buf_add_cstr(out, table->letter ? "  " : "      ");
        flag_synopsis(table, out);
        buf_add_repeat(out, ' ', out->len - start < 36 ? 36 - (out->len - start) : 2);
        flag_help(table, out);
        buf_add_char(out, '\n');
    }
}

static void synopsis(const struct cli_command *c, const char *program, struct buf *out)
{
    buf_addf(out, "%s %s", program, cli_command_name(c, program));
    for (size_t i = 0; c->flags && c->flags[i]; i++)
        for (const struct cli_flag *f = c->flags[i]; *f->name; f++)
            if (f->required)
                buf_addf(out, " --%s %s", f->name, f->value);
    buf_add_cstr(out, " [flags]");
    if (*c->arguments)
        buf_addf(out, " %s", c->arguments);
}

/* What stands for the commands that begin with the same words; a group without a row is listed
 * command by command. */
static const struct {
    char name[20]; /* as the program's own name has it */
    char summary[72];
} groups[] = {
    {"edit", "Change a kustomization file"},
    {"cfg", "Count, search, draw and print the resources of a folder"},
    {"fn", "Run KRM functions on folders and packages"},
    {"eval", "Try a template, a JSONPath or a CEL expression on a file"},
    {"chart", "Render and install charts, manage their releases and repositories"},
    {"chart get", "Print what is recorded of a release"},
    {"chart repo", "Manage chart repositories, and write the index of one"},
    {"chart dependency", "List and fetch the dependencies of a chart"},
    {"chart show", "Print what is in a chart"},
    {"chart registry", "Keep or forget the credentials of an OCI registry"},
};

/* The name of a command of cli's group behind the group's own words; nothing for others. */
static str listed_name(const struct cli *cli, const struct cli_command *c)
{
    str name = str_of(cli_command_name(c, cli->program));

    if (!(c->names & cli->name) || !cli_in_group(cli, c, cli->group))
        return STR_NONE;
    if (cli->group.len && str_drop_prefix(&name, cli->group))
        name = str_trim(name);
    return name;
}

/* The summary of the group that a listed name begins with: NULL when the name is one word, stands
 * alone, or has no row. ret_is_first: no command before it begins likewise. */
static const char *group_summary(const struct cli *cli, size_t at, str *ret_word,
                                 bool *ret_is_first)
{
    const struct cli_command *c = cli_commands[at];
    str name = listed_name(cli, c), rest, whole;
    size_t others = 0;

    *ret_word = str_cut(name, ' ', &rest);
    *ret_is_first = true;
    if (!rest.len)
        return NULL;
    whole = (str){c->name, (size_t)(rest.p - c->name - 1)};
    for (size_t i = 0; cli_commands[i]; i++)
        if (i != at && str_eq(str_cut(listed_name(cli, cli_commands[i]), ' ', &rest), *ret_word)) {
            others++;
            *ret_is_first &= i > at;
        }
    for (size_t i = 0; others && i < ARRAY_LEN(groups); i++)
        if (str_eq(str_of(groups[i].name), whole))
            return groups[i].summary;
    return NULL;
}

/* Each command of cli's group, those that begin with the same word in one line. */
static void command_list(const struct cli *cli, struct buf *out)
{
    size_t width = 0;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; cli_commands[i]; i++) {
            str name = listed_name(cli, cli_commands[i]), word;
            bool is_first;
            const char *summary = group_summary(cli, i, &word, &is_first);

            if (!name.len || (summary && !is_first))
                continue;
            name = summary ? word : name;
            if (round == 0)
                width = MAX(width, name.len);
            else
                buf_addf(out, "  %-*.*s  %s\n", (int)width, STR_ARG(name),
                         summary ? summary : cli_commands[i]->summary);
        }
}

void help_program(const struct cli *cli, struct buf *out)
{
    const char *program = cli->program, *space = cli->group.len ? " " : "";
    const struct cli_flag *table;

    if (!cli->group.len)
        buf_addf(out,
                 "%s builds Kubernetes manifests, delivers them in order and keeps operating "
                 "them.\n\n",
                 program);
    buf_addf(out, "Usage:\n  %s %.*s%sCOMMAND [flags]\n\nCommands:\n", program, STR_ARG(cli->group),
             space);
    command_list(cli, out);
    buf_add_cstr(out, "\nFlags of every command:\n");
    for (size_t i = 0; (table = help_table(NULL, program, i)); i++)
        flag_table(table, out);
    buf_addf(out, "\nUse \"%s %.*s%sCOMMAND --help\" for a command's own.\n", program,
             STR_ARG(cli->group), space);
}

const struct cli_flag *help_table(const struct cli_command *c, const char *program, size_t at)
{
    bool is_helm = !strcmp(program, "helm");
    const struct cli_flag *more[] = {
        is_helm ? cli_cluster_of_helm : NULL,
        is_helm || (c && str_starts(str_of(c->name), STR("chart "))) ? cli_chart_path_flags : NULL,
        cli_global_flags,
    };
    size_t i = 0;

    for (; c && c->flags && c->flags[i]; i++) {
        if (i == at)
            return c->flags[i];
        if (c->flags[i] == cli_cluster_of_helm)
            more[0] = NULL; /* the command's own already */
    }
    for (size_t j = 0; j < ARRAY_LEN(more); j++)
        if (more[j] && i++ == at)
            return more[j];
    return NULL;
}

static size_t own_tables(const struct cli_command *c)
{
    size_t n = 0;

    while (c->flags && c->flags[n])
        n++;
    return n;
}

void help_command(const struct cli_command *c, const char *program, struct buf *out)
{
    const struct cli_flag *table;

    buf_addf(out, "%s\n\nUsage:\n  ", c->about);
    synopsis(c, program, out);
    buf_add_char(out, '\n');
    if (c->examples)
        buf_addf(out, "\nExamples:\n%s", c->examples);
    for (size_t i = 0; (table = help_table(c, program, i)); i++) {
        if (i == own_tables(c))
            buf_add_cstr(out, "\nFlags of every command:\n");
        else if (!i)
            buf_add_cstr(out, "\nFlags:\n");
        flag_table(table, out);
    }
}

/* ---- man pages */

static void roff_text(const char *text, struct buf *out)
{
    bool at_start = true;

    for (; *text; text++) {
        if (at_start && (*text == '.' || *text == '\''))
            buf_add_cstr(out, "\\&");
        at_start = *text == '\n';
        if (*text == '\\')
            buf_add_cstr(out, "\\e");
        else if (*text == '-')
            buf_add_cstr(out, "\\-");
        else if (*text == '\n' && text[1] == '\n')
            buf_add_cstr(out, "\n.PP");
        else
            buf_add_char(out, *text);
    }
}

static void man_flags(const struct cli_flag *table, struct buf *out)
{
    for (; table && *table->name; table++) {
        AUTO(buf_done) struct buf line = {0};

        flag_synopsis(table, &line);
        buf_add_cstr(out, ".TP\n.B ");
        roff_text(buf_cstr(&line), out);
        buf_add_char(out, '\n');
        buf_clear(&line);
        flag_help(table, &line);
        roff_text(buf_cstr(&line), out);
        buf_add_cstr(out, ".\n");
    }
}

static void man_name(const struct cli_command *c, const char *program, struct buf *out)
{
    buf_addf(out, "%s-", program);
    for (const char *p = cli_command_name(c, program); *p; p++)
        buf_add_char(out, *p == ' ' ? '-' : *p);
}

static void man_head(const char *title, const char *summary, struct buf *out)
{
    buf_addf(out, ".TH %s 1 \"%s\" \"grapnel " GRAPNEL_VERSION "\" \"grapnel manual\"\n.SH NAME\n",
             title, cli_commit_date);
    roff_text(title, out);
    buf_add_cstr(out, " \\- ");
    roff_text(summary, out);
    buf_add_cstr(out, "\n.SH SYNOPSIS\n.B ");
}

void help_man_command(const struct cli_command *c, const char *program, struct buf *out)
{
    const struct cli_flag *table;
    AUTO(buf_done) struct buf title = {0}, line = {0};

    man_name(c, program, &title);
    man_head(buf_cstr(&title), c->summary, out);
    synopsis(c, program, &line);
    roff_text(buf_cstr(&line), out);
    buf_add_cstr(out, "\n.SH DESCRIPTION\n");
    roff_text(c->about, out);
    buf_add_cstr(out, "\n.SH OPTIONS\n");
    for (size_t i = 0; (table = help_table(c, program, i)); i++)
        man_flags(table, out);
    if (c->examples) {
        buf_add_cstr(out, ".SH EXAMPLES\n.nf\n");
        roff_text(c->examples, out);
        buf_add_cstr(out, ".fi\n");
    }
    buf_add_cstr(out, ".SH EXIT STATUS\n");
    roff_text(exit_codes, out);
    buf_addf(out, ".\n.SH SEE ALSO\n.BR %s (1)\n", program);
}

void help_man_program(enum cli_name name, const char *program, struct buf *out)
{
    man_head(program, "build, deliver and operate Kubernetes manifests", out);
    buf_addf(out, "%s COMMAND [flags]\n.SH COMMANDS\n", program);
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!(cli_commands[i]->names & name))
            continue;
        buf_add_cstr(out, ".TP\n.BR ");
        man_name(cli_commands[i], program, out);
        buf_add_cstr(out, " (1)\n");
        roff_text(cli_commands[i]->summary, out);
        buf_add_char(out, '\n');
    }
    buf_add_cstr(out, ".SH OPTIONS\n");
    man_flags(cli_global_flags, out);
    buf_add_cstr(out, ".SH EXIT STATUS\n");
    roff_text(exit_codes, out);
    buf_add_cstr(out, ".\n");
}

void help_markdown(const struct cli_command *c, const char *program, struct buf *out)
{
    buf_addf(out, "# %s %s\n\n%s.\n\n", program, c->name, c->summary);
    buf_add_cstr(out, "    ");
    synopsis(c, program, out);
    buf_addf(out, "\n\n%s\n", c->about);
    if (c->examples)
        buf_addf(out, "\n## Examples\n\n```\n%s```\n", c->examples);
    buf_add_cstr(out, "\n## Flags\n\n| flag | meaning |\n| --- | --- |\n");
    for (size_t i = 0; c->flags && c->flags[i]; i++) {
        for (const struct cli_flag *f = c->flags[i]; *f->name; f++) {
            buf_add_cstr(out, "| `");
            flag_synopsis(f, out);
            buf_add_cstr(out, "` | ");
            flag_help(f, out);
            buf_add_cstr(out, " |\n");
        }
    }
}
