#include "cli/help.h"

/* Commands have names of several words, so a script first finds how far the words of the command
 * line go: its path, "chart repo". Words that lead nowhere from there are values and arguments. */

struct node {
    str path; /* "" is the program's own */
    struct str_vec next;
    const struct cli_command *command; /* that the path names, or NULL */
    bool is_alias;                     /* only other names lead here: they are not offered */
};

struct tree {
    const char *program;
    char command[32], function[32]; /* "kubectl-grapnel", "kubectl_grapnel" */
    VEC(struct node) nodes;
};

static void tree_done(struct tree *t)
{
    for (size_t i = 0; i < t->nodes.len; i++)
        str_vec_done(&t->nodes.v[i].next);
    vec_done(&t->nodes);
}
AUTO_VALUE(struct tree, tree_done)

static struct node *node_get(struct tree *t, str path, bool is_alias)
{
    struct node *n;

    for (size_t i = 0; i < t->nodes.len; i++)
        if (str_eq(t->nodes.v[i].path, path))
            return &t->nodes.v[i];
    n = vec_add(&t->nodes);
    n->path = path;
    n->is_alias = is_alias;
    return n;
}

static void node_offer(struct node *n, str word)
{
    for (size_t i = 0; i < n->next.len; i++)
        if (str_eq(n->next.v[i], word))
            return;
    vec_push(&n->next, word);
}

/* Enters a name and all it begins with. */
static void tree_add(struct tree *t, str name, const struct cli_command *c, bool is_alias)
{
    str path = str_range(name.p, name.p), rest = name;

    while (rest.len) {
        str word = str_cut(rest, ' ', &rest);
        struct node *n = node_get(t, path, is_alias);

        if (n->is_alias || !is_alias)
            node_offer(n, word);
        path = str_range(name.p, word.p + word.len);
    }
    node_get(t, path, is_alias)->command = c;
}

static void command_text(const char *program, char other, char instead, char out[32])
{
    size_t i = 0;

    for (; i < 31 && program[i]; i++)
        out[i] = (char)(program[i] == other || program[i] == ' ' ? instead : program[i]);
    out[i] = '\0';
}

static void tree_make(enum cli_name name, const char *program, struct tree *t)
{
    t->program = program;
    command_text(program, ' ', '-', t->command);
    command_text(program, '-', '_', t->function);
    for (int is_alias = 0; is_alias < 2; is_alias++) {
        for (size_t i = 0; cli_commands[i]; i++) {
            const struct cli_command *c = cli_commands[i];
            str rest = str_of(is_alias ? c->aliases : cli_command_name(c, program));

            while ((c->names & name) && rest.len) {
                str one = is_alias ? str_cut(rest, ',', &rest) : rest;

                if (name == CLI_HELM)
                    str_drop_prefix(&one, STR("chart "));
                tree_add(t, one, c, is_alias);
                if (!is_alias)
                    break;
            }
        }
    }
}

/* The paths that can be gone on from or have flags, for a script to know them: 'a' 'a b'. */
static void add_paths(const struct tree *t, const char *divider, struct buf *out)
{
    const char *before = "";

    for (size_t i = 0; i < t->nodes.len; i++) {
        if (!t->nodes.v[i].path.len)
            continue;
        buf_addf(out, "%s'%.*s'", before, STR_ARG(t->nodes.v[i].path));
        before = divider;
    }
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

static const char *summary_of(const struct tree *t, const struct node *n, str word)
{
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%.*s%s%.*s", STR_ARG(n->path), n->path.len ? " " : "", STR_ARG(word));
    for (size_t i = 0; i < t->nodes.len; i++)
        if (t->nodes.v[i].command && str_eq(t->nodes.v[i].path, buf_view(&path)))
            return t->nodes.v[i].command->summary;
    return "";
}

/* ---- bash */

/* Choices of a flag are offered behind it, file names where a value is free. */
static void bash_node(const struct tree *t, const struct node *n, struct buf *out)
{
    const struct cli_flag *f;

    buf_addf(out, "    '%.*s')\n        words='", STR_ARG(n->path));
    for (size_t i = 0; i < n->next.len; i++)
        buf_addf(out, "%s%.*s", i ? " " : "", STR_ARG(n->next.v[i]));
    buf_add_cstr(out, "' flags='");
    for (size_t i = 0; (f = help_table(n->command, t->program, i)); i++)
        for (; *f->name; f++)
            buf_addf(out, "--%s ", f->name);
    buf_add_cstr(out, "'\n        case $prev in\n");
    for (size_t i = 0; (f = help_table(n->command, t->program, i)); i++) {
        for (; *f->name; f++) {
            if (!*f->choices)
                continue;
            buf_add_cstr(out, "        ");
            if (f->letter)
                buf_addf(out, "-%c | ", f->letter);
            buf_addf(out, "--%s) values='%s' ;;\n", f->name, f->choices);
        }
    }
    buf_add_cstr(out, "        esac\n        ;;\n");
}

static void bash(const struct tree *t, struct buf *out)
{
    buf_addf(out, "# bash completion for %s\n_%s()\n{\n", t->command, t->function);
    buf_add_cstr(out, "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                      "    local path= words= flags= values= w\n"
                      "    [ \"$cur\" != = ] || cur=\n"
                      "    [ \"$prev\" != = ] || prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                      "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                      "        case $path${path:+ }$w in\n        ");
    add_paths(t, " | ", out);
    buf_add_cstr(out, ") path+=${path:+ }$w ;;\n        esac\n    done\n    case $path in\n");
    for (size_t i = 0; i < t->nodes.len; i++)
        bash_node(t, &t->nodes.v[i], out);
    buf_add_cstr(out,
                 "    esac\n    case ${values:+=}$cur in\n"
                 "    =*) COMPREPLY=($(compgen -W \"$values\" -- \"$cur\")) ;;\n"
                 "    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\")) ;;\n"
                 "    *) [ -n \"$words\" ] && COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ||\n"
                 "        COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n    esac\n}\n");
    buf_addf(out, "complete -o filenames -F _%s %s\n", t->function, t->command);
}

/* ---- zsh */

static void zsh_flags(const struct cli_flag *table, struct buf *out)
{
    for (; *table->name; table++) {
        buf_addf(out, " '--%s%s[", table->name, table->kind == CLI_SWITCH ? "" : "=");
        quoted(table->help, out);
        buf_add_char(out, ']');
        if (*table->choices)
            buf_addf(out, ":value:(%s)", table->choices);
        else if (table->kind != CLI_SWITCH)
            buf_add_cstr(out, ":value:_files");
        buf_add_char(out, '\'');
    }
}

static void zsh_node(const struct tree *t, const struct node *n, struct buf *out)
{
    const struct cli_flag *table;

    buf_addf(out, "'%.*s')\n    commands=(", STR_ARG(n->path));
    for (size_t i = 0; i < n->next.len; i++) {
        buf_addf(out, "\n        '%.*s:", STR_ARG(n->next.v[i]));
        quoted(summary_of(t, n, n->next.v[i]), out);
        buf_add_char(out, '\'');
    }
    buf_add_cstr(out, ")\n    flags=(");
    for (size_t i = 0; (table = help_table(n->command, t->program, i)); i++)
        zsh_flags(table, out);
    buf_add_cstr(out, ") ;;\n");
}

static void zsh(const struct tree *t, struct buf *out)
{
    buf_addf(
        out,
        "#compdef %s\nlocal -a commands flags\nlocal -i deep=1 i\nlocal command=''\n"
        "for ((i = 2; i < CURRENT; i++)); do\n    case ${command:+$command }$words[i] in\n    ",
        t->command);
    add_paths(t, " | ", out);
    buf_add_cstr(out, ") command=${command:+$command }$words[i]; deep=i ;;\n    esac\ndone\n"
                      "case $command in\n");
    for (size_t i = 0; i < t->nodes.len; i++)
        zsh_node(t, &t->nodes.v[i], out);
    buf_add_cstr(out,
                 "esac\nif (( $#commands )) && [[ $words[CURRENT] != -* ]]; then\n"
                 "    _describe command commands\n    return\nfi\n"
                 "words=(\"$words[1]\" \"${(@)words[deep+1,-1]}\")\n(( CURRENT -= deep - 1 ))\n"
                 "_arguments $flags '*:file:_files'\n");
}

/* ---- fish */

static void fish_flags(const struct cli_flag *table, const struct tree *t, const char *path,
                       struct buf *out)
{
    for (; *table->name; table++) {
        buf_addf(out, "complete -c %s -n '__%s_at \"%s\"' -l %s", t->command, t->function, path,
                 table->name);
        if (table->letter)
            buf_addf(out, " -s %c", table->letter);
        if (*table->choices)
            buf_addf(out, " -x -a '%s'", table->choices);
        else if (table->kind != CLI_SWITCH)
            buf_add_cstr(out, " -r");
        buf_add_cstr(out, " -d '");
        quoted(table->help, out);
        buf_add_cstr(out, "'\n");
    }
}

static void fish_node(const struct tree *t, const struct node *n, struct buf *out)
{
    AUTO(buf_done) struct buf path = {0};
    const struct cli_flag *table;

    buf_add_str(&path, n->path);
    for (size_t i = 0; i < n->next.len; i++) {
        buf_addf(out, "complete -c %s -f -n '__%s_at \"%s\"' -a %.*s -d '", t->command, t->function,
                 buf_cstr(&path), STR_ARG(n->next.v[i]));
        quoted(summary_of(t, n, n->next.v[i]), out);
        buf_add_cstr(out, "'\n");
    }
    for (size_t i = 0; (table = help_table(n->command, t->program, i)); i++)
        fish_flags(table, t, buf_cstr(&path), out);
}

static void fish(const struct tree *t, struct buf *out)
{
    buf_addf(out, "# fish completion for %s\nset -g __%s_paths ", t->command, t->function);
    add_paths(t, " ", out);
    buf_addf(out,
             "\nfunction __%s_at\n    set -l path ''\n"
             "    for word in (commandline -opc)[2..-1]\n"
             "        set -l next (string trim \"$path $word\")\n"
             "        contains -- $next $__%s_paths; and set path $next\n"
             "    end\n    test \"$path\" = \"$argv\"\nend\n",
             t->function, t->function);
    for (size_t i = 0; i < t->nodes.len; i++)
        fish_node(t, &t->nodes.v[i], out);
}

void help_completion(enum cli_name name, const char *program, str shell, struct buf *out)
{
    AUTO(tree_done) struct tree t = {0};

    tree_make(name, program, &t);
    if (str_eq(shell, STR("bash")))
        bash(&t, out);
    else if (str_eq(shell, STR("zsh")))
        zsh(&t, out);
    else
        fish(&t, out);
}
