#include "cli/find.h"

#include "base/diag.h"

const char *cli_command_name(const struct cli_command *command, const char *program)
{
    str rest = str_of(command->name);

    if (!strcmp(program, "helm"))
        str_drop_prefix(&rest, STR("chart "));
    return rest.p;
}

/* The names of a command one after the other, as they are typed behind the program's. */
struct names {
    const struct cli *cli;
    str name, aliases;
};

static struct names names_of(const struct cli *cli, const struct cli_command *command)
{
    return (struct names){cli, str_of(cli_command_name(command, cli->program)),
                          str_of(command->aliases)};
}

static bool names_next(struct names *n, str *ret)
{
    *ret = n->name;
    if (!ret->len)
        return false;
    n->name = str_cut(n->aliases, ',', &n->aliases);
    if (n->cli->name == CLI_HELM)
        str_drop_prefix(&n->name, STR("chart "));
    return true;
}

/* How many of the words are those of the name, from its first on. */
static int common(str name, char *const *words, int count, str *ret_rest)
{
    int at = 0;

    while (name.len && at < count) {
        str rest, word = str_cut(name, ' ', &rest);

        if (!str_eq(word, str_of(words[at])))
            break;
        name = rest;
        at++;
    }
    *ret_rest = name;
    return at;
}

/* Sets cli->command to the one with the most of the words in its name, or in another name it has;
 * how many that are. */
static int find_command(struct cli *cli, char *const *words, int count)
{
    int most = 0;

    for (size_t i = 0; cli_commands[i]; i++) {
        struct names names;
        str name, rest;

        if (!(cli_commands[i]->names & cli->name))
            continue;
        if (cli->name != CLI_HELM && cli_commands[i]->name[0] != words[0][0])
            continue; /* as nearly all: none of its names is touched */
        names = names_of(cli, cli_commands[i]);
        while (names_next(&names, &name)) {
            int n = common(name, words, count, &rest);

            if (!rest.len && n > most) {
                cli->command = cli_commands[i];
                most = n;
            }
        }
    }
    return most;
}

bool cli_in_group(const struct cli *cli, const struct cli_command *command, str group)
{
    struct names names = names_of(cli, command);
    str name;

    while (names_next(&names, &name))
        if (!group.len || (str_drop_prefix(&name, group) && str_starts(name, STR(" "))))
            return true;
    return false;
}

/* ---- no command */

/* What could stand where the first word is that no name has. */
static int unknown(const struct cli *cli, char *const *words, int known, struct err *e)
{
    AUTO(str_vec_done) struct str_vec next = {0};
    AUTO(buf_done) struct buf group = {0};
    str nearest;

    buf_add_cstr(&group, cli->program);
    for (int i = 0; i < known; i++)
        buf_addf(&group, " %s", words[i]);
    for (size_t i = 0; cli_commands[i]; i++) {
        struct names names = names_of(cli, cli_commands[i]);
        str name, rest;

        while (cli_commands[i]->names & cli->name && names_next(&names, &name))
            if (common(name, words, known, &rest) == known && rest.len)
                vec_push(&next, str_cut(rest, ' ', NULL));
    }
    nearest = diag_nearest(str_of(words[known]), next.v, next.len);
    if (nearest.len)
        return err_set(e, ERR_USAGE, "unknown command \"%s\" for \"%s\"; did you mean \"%.*s\"?",
                       words[known], buf_cstr(&group), STR_ARG(nearest));
    return err_set(e, ERR_USAGE, "unknown command \"%s\" for \"%s\"; see %s --help", words[known],
                   buf_cstr(&group), buf_cstr(&group));
}

/* What helm has and we do not, and why. */
static int refused(char *const *words, int count, struct err *e)
{
    static const struct {
        const char *first, *second, *why;
    } rows[] = {
        {"plugin", NULL,
         "plugins are not run: post-renderers are programs here, and what starts with "
         "helm- is called by its own name"},
        {"search", "hub",
         "the hub is not asked; give its repository a name with repo add and use "
         "search repo"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (!strcmp(words[0], rows[i].first) &&
            (!rows[i].second || (count > 1 && !strcmp(words[1], rows[i].second))))
            return err_set(e, ERR_USAGE, "%s%s%s: %s", rows[i].first, rows[i].second ? " " : "",
                           rows[i].second ? rows[i].second : "", rows[i].why);
    return 0;
}

static str first_words(str name, int count)
{
    str rest = name;

    while (count-- > 0)
        str_cut(rest, ' ', &rest);
    return rest.p ? str_trim(str_range(name.p, rest.p)) : name;
}

/* The group goes by its first name, whichever was typed: its commands are listed by theirs. */
static int find_group(struct cli *cli, char *const *words, int count, struct err *e)
{
    int known = 0;

    for (size_t i = 0; cli_commands[i]; i++) {
        struct names names = names_of(cli, cli_commands[i]);
        str name, rest;

        while (cli_commands[i]->names & cli->name && names_next(&names, &name)) {
            int n = common(name, words, count, &rest);

            if (n > known) {
                known = n;
                cli->group =
                    first_words(str_of(cli_command_name(cli_commands[i], cli->program)), n);
            }
        }
    }
    return !known || (known < count && words[known][0] != '-') ? unknown(cli, words, known, e)
                                                               : known;
}

int cli_find(struct cli *cli, char *const *words, int count, struct err *e)
{
    int used;

    if (cli->name == CLI_HELM && refused(words, count, e) < 0)
        return -1;
    used = find_command(cli, words, count);
    return used ? used : find_group(cli, words, count, e);
}
