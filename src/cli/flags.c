#include "cli/chart/flags.h"
#include "base/diag.h"
#include "base/duration.h"
#include "cli/chart/helm_flags.h"
#include "cli/find.h"

struct words {
    int at, count;
    char **v;
};

static bool is_named(const struct cli_flag *flag, str name)
{
    return name.len && name.len < sizeof(flag->name) && flag->name[0] == name.p[0] &&
           !flag->name[name.len] && memcmp(flag->name, name.p, name.len) == 0;
}

static const struct cli_flag *table_find(const struct cli_flag *table, str name, char letter)
{
    for (; table && *table->name; table++)
        if (letter ? table->letter == letter : is_named(table, name))
            return table;
    return NULL;
}

static bool is_of_charts(const struct cli *cli)
{
    return cli->name == CLI_HELM ||
           (cli->command && str_starts(str_of(cli->command->name), STR("chart ")));
}

/* As helm the program takes the flags for the cluster with any command and before it; commands on
 * charts have those that name helm's files under any name. */
static const struct cli_flag *flag_find(const struct cli *cli, str name, char letter)
{
    const struct cli_command *command = cli->command;
    const struct cli_flag *found = NULL;

    if (command)
        for (size_t i = 0; command->flags && command->flags[i] && !found; i++)
            found = table_find(command->flags[i], name, letter);
    if (!found && cli->name == CLI_HELM)
        found = table_find(cli_cluster_of_helm, name, letter);
    if (!found && is_of_charts(cli))
        found = table_find(cli_chart_path_flags, name, letter);
    return found ? found : table_find(cli_global_flags, name, letter);
}

static void names_add(struct str_vec *out, const struct cli_flag *table)
{
    for (; table && *table->name; table++)
        vec_push(out, str_of(table->name));
}

static int unknown_flag(const struct cli_command *command, str name, struct err *e)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    str nearest;

    names_add(&names, cli_global_flags);
    if (command && str_starts(str_of(command->name), STR("chart ")))
        names_add(&names, cli_chart_path_flags);
    for (size_t i = 0; command && command->flags && command->flags[i]; i++)
        names_add(&names, command->flags[i]);
    nearest = diag_nearest(name, names.v, names.len);
    if (nearest.len)
        return err_set(e, ERR_USAGE, "unknown flag \"--%.*s\"; did you mean \"--%.*s\"?",
                       STR_ARG(name), STR_ARG(nearest));
    return err_set(e, ERR_USAGE, "unknown flag \"--%.*s\"", STR_ARG(name));
}

static bool is_choice(const char *choices, str value)
{
    str rest = str_of(choices);

    while (rest.len) {
        str word = str_cut(rest, ' ', &rest);

        if (str_eq(word, value))
            return true;
    }
    return false;
}

/* Judges a value by the kind of its flag. Values of --set and the like may be secret: only the flag
 * is named. */
static int value_check(const struct cli_flag *flag, str value, struct err *e)
{
    int64_t number;

    switch (flag->kind) {
    case CLI_SWITCH:
        if (!is_choice("true false", value))
            return err_set(e, ERR_USAGE, "flag \"--%s\" takes true or false, not \"%.*s\"",
                           flag->name, STR_ARG(value));
        return 0;
    case CLI_INT:
        if (!str_to_int64(value, &number) || number < 0)
            return err_set(e, ERR_USAGE, "flag \"--%s\" takes a number from 0 on, not \"%.*s\"",
                           flag->name, STR_ARG(value));
        return 0;
    case CLI_DURATION:
        if (!duration_parse_ms(value, &number))
            return err_set(e, ERR_USAGE,
                           "flag \"--%s\" takes a duration such as 30s or 1m30s, not \"%.*s\"",
                           flag->name, STR_ARG(value));
        return 0;
    case CLI_CHOICE:
    case CLI_WORD:
        if (!is_choice(flag->choices, value))
            return err_set(e, ERR_USAGE, "flag \"--%s\" takes one of: %s; not \"%.*s\"", flag->name,
                           flag->choices, STR_ARG(value));
        return 0;
    case CLI_TEXT:
    case CLI_LIST:
        return 0;
    }
    return 0;
}

static int value_add(struct cli *cli, const struct cli_flag *flag, str value, struct err *e)
{
    if (value_check(flag, value, e) < 0)
        return -1;
    vec_push(&cli->values, {flag, value});
    return 0;
}

/* A flag's value: what stands behind its "=", or the next word. */
static int flag_value(struct cli *cli, struct words *w, const struct cli_flag *flag, str attached,
                      struct err *e)
{
    if (attached.p)
        return value_add(cli, flag, attached, e);
    if (flag->kind == CLI_SWITCH)
        return value_add(cli, flag, STR("true"), e);
    if (flag->kind == CLI_WORD)
        return value_add(cli, flag, str_cut(str_of(flag->choices), ' ', NULL), e);
    if (w->at >= w->count)
        return err_set(e, ERR_USAGE, "flag \"--%s\" needs a value%s%s", flag->name,
                       *flag->value ? ": " : "", flag->value);
    return value_add(cli, flag, str_of(w->v[w->at++]), e);
}

static int long_flag(struct cli *cli, struct words *w, str word, bool *ret_help, struct err *e)
{
    str attached, name = str_cut(str_from(word, 2), '=', &attached);
    const struct cli_flag *flag = flag_find(cli, name, 0);

    if (str_eq(name, STR("help"))) {
        *ret_help = true;
        return 0;
    }
    if (!flag)
        return unknown_flag(cli->command, name, e);
    return flag_value(cli, w, flag, attached, e);
}

/* -x, -xVALUE, -x=VALUE, and switches run together: -abc. */
static int short_flags(struct cli *cli, struct words *w, str word, bool *ret_help, struct err *e)
{
    for (size_t i = 1; i < word.len; i++) {
        const struct cli_flag *flag = flag_find(cli, STR_NONE, word.p[i]);
        str attached = str_from(word, i + 1);

        if (!flag && word.p[i] == 'h') {
            *ret_help = true;
            return 0;
        }
        if (!flag)
            return word.len == 2 ? err_set(e, ERR_USAGE, "unknown flag \"%.*s\"", STR_ARG(word))
                                 : err_set(e, ERR_USAGE, "unknown flag \"-%c\" in \"%.*s\"",
                                           word.p[i], STR_ARG(word));
        if (flag->kind != CLI_SWITCH) {
            if (!attached.len)
                attached = STR_NONE;
            else
                str_drop_prefix(&attached, STR("="));
            return flag_value(cli, w, flag, attached, e);
        }
        if (value_add(cli, flag, STR("true"), e) < 0)
            return -1;
    }
    return 0;
}

/* The first word that is no flag names the command, or a group of them; flags before it must be
 * global. */
static int command_word(struct cli *cli, struct words *w, struct err *e)
{
    int used = cli_find(cli, w->v + w->at - 1, w->count - w->at + 1, e);

    if (used < 0)
        return -1;
    w->at += used - 1;
    return 0;
}

static int check_complete(const struct cli *cli, struct err *e)
{
    const struct cli_command *command = cli->command;

    if (command->max_arguments >= 0 && cli->arguments.len > (size_t)command->max_arguments)
        return err_set(e, ERR_USAGE, "\"%s %s\" does not take the argument \"%.*s\"", cli->program,
                       cli_command_name(command, cli->program),
                       STR_ARG(cli->arguments.v[command->max_arguments]));
    for (size_t i = 0; command->flags && command->flags[i]; i++)
        for (const struct cli_flag *f = command->flags[i]; *f->name; f++)
            if (f->required && !cli_given(cli, f->name))
                return err_set(e, ERR_USAGE, "required flag \"--%s\" is not given", f->name);
    return 0;
}

int cli_parse(struct cli *cli, int argc, char **argv, bool *ret_help, struct err *e)
{
    struct words w = {0, argc, argv};
    bool flags_ended = false;

    *ret_help = false;
    while (w.at < w.count) {
        str word = str_of(w.v[w.at++]);
        int rc = 0;

        if (flags_ended || word.len < 2 || word.p[0] != '-') {
            if (!cli->command)
                rc = command_word(cli, &w, e);
            else
                vec_push(&cli->arguments, word);
        } else if (str_eq(word, STR("--"))) {
            flags_ended = cli->has_dashes = true;
            cli->before_dashes = cli->arguments.len;
        } else if (word.p[1] == '-') {
            rc = long_flag(cli, &w, word, ret_help, e);
        } else {
            rc = short_flags(cli, &w, word, ret_help, e);
        }
        if (rc < 0)
            return -1;
    }
    if (!cli->has_dashes)
        cli->before_dashes = cli->arguments.len;
    return cli->command && !*ret_help ? check_complete(cli, e) : 0;
}

void cli_done(struct cli *cli)
{
    vec_done(&cli->values);
    vec_done(&cli->arguments);
}

static const struct cli_value *last_value(const struct cli *cli, const char *flag)
{
    for (size_t i = cli->values.len; i-- > 0;)
        if (!strcmp(cli->values.v[i].flag->name, flag))
            return &cli->values.v[i];
    return NULL;
}

bool cli_given(const struct cli *cli, const char *flag) { return last_value(cli, flag) != NULL; }

str cli_text(const struct cli *cli, const char *flag)
{
    const struct cli_value *v = last_value(cli, flag);
    const struct cli_flag *row = flag_find(cli, str_of(flag), 0);

    assert(row);
    return v ? v->value : *row->fallback ? str_of(row->fallback) : STR_NONE;
}

bool cli_switch(const struct cli *cli, const char *flag)
{
    return str_eq(cli_text(cli, flag), STR("true"));
}

int64_t cli_int(const struct cli *cli, const char *flag)
{
    const struct cli_flag *row = flag_find(cli, str_of(flag), 0);
    str text = cli_text(cli, flag);
    int64_t value = 0;

    if (!text.len)
        return 0;
    if (row->kind == CLI_DURATION)
        return duration_parse_ms(text, &value) ? value : 0;
    return str_to_int64(text, &value) ? value : 0;
}

void cli_list(const struct cli *cli, const char *flag, struct str_vec *out)
{
    for (size_t i = 0; i < cli->values.len; i++)
        if (!strcmp(cli->values.v[i].flag->name, flag))
            vec_push(out, cli->values.v[i].value);
}

bool cli_has_flag(const struct cli *cli, const char *flag)
{
    const struct cli_flag *const *tables = cli->command->flags;

    for (size_t i = 0; tables && tables[i]; i++)
        for (const struct cli_flag *f = tables[i]; *f->name; f++)
            if (!strcmp(f->name, flag))
                return true;
    return false;
}

str cli_text_if(const struct cli *cli, const char *flag)
{
    return cli_has_flag(cli, flag) ? cli_text(cli, flag) : STR_NONE;
}

bool cli_switch_if(const struct cli *cli, const char *flag)
{
    return cli_has_flag(cli, flag) && cli_switch(cli, flag);
}
