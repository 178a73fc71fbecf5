/* The command lines that the manual shows are parsed: no page tells of a command or a flag that is
 * not there. Lines of code blocks, and words between backticks that begin with a program's name; of
 * a flag alone between backticks some command knows the name. And of the files that pages for
 * people who work on the program name, each is there. */
#include <glob.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/chart/flags.h"
#include "cli/command.h"
#include "support/test.h"
#include "sys/file.h"

enum { WORDS_MAX = 64 };

struct line {
    const char *page;
    int number;
    struct arena *arena;
    char *words[WORDS_MAX];
    int count;
};

static const struct {
    const char *program;
    enum cli_name name;
} programs[] = {{"grapnel", CLI_GRAPNEL},
                {"khook", CLI_KHOOK},
                {"kpt", CLI_KPT},
                {"kustomize", CLI_KUSTOMIZE},
                {"helm", CLI_HELM}};

/* What ends a command in a shell, or stands for words that the page leaves out. */
static bool is_end(str rest)
{
    static const char *const ends[] = {"|", ";", "&", ">", "<", "#", "…", "...", "[", "(", "2>"};

    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_starts(rest, str_of(ends[i])))
            return true;
    return false;
}

/* One word without its quotes; rest goes on behind it. */
static str word_take(struct line *l, str *rest)
{
    char *word = arena_alloc(l->arena, rest->len + 1), quote = '\0';
    size_t len = 0, at = 0;

    for (; at < rest->len && (quote || !strchr(" |;&", rest->p[at])); at++) {
        char c = rest->p[at];

        if (c == quote)
            quote = '\0';
        else if (!quote && (c == '\'' || c == '"'))
            quote = c;
        else
            word[len++] = c;
    }
    word[len] = '\0';
    *rest = str_from(*rest, at);
    return (str){word, len};
}

static void words_of(struct line *l, str text)
{
    l->count = 0;
    for (str rest = str_trim(text); rest.len && !is_end(rest) && l->count < WORDS_MAX;) {
        str word = word_take(l, &rest);

        l->words[l->count++] = (char *)(uintptr_t)word.p;
        rest = str_trim(rest);
    }
}

/* Parses the words as the program that the first of them names would. */
static int line_parse(struct line *l, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        struct cli cli = {.name = programs[i].name, .program = programs[i].program};
        bool help;
        int rc;

        if (!l->count || strcmp(l->words[0], programs[i].program) != 0)
            continue;
        rc = cli_parse(&cli, l->count - 1, l->words + 1, &help, e);
        cli_done(&cli);
        return rc < 0 ? -1 : 1;
    }
    return 0;
}

/* Returns whether the text was a command of ours. */
static bool text_check(struct line *l, str text)
{
    AUTO(err_done) struct err e = {0};
    int rc;

    str_drop_prefix(&text, STR("$ "));
    words_of(l, text);
    rc = line_parse(l, &e);
    if (rc < 0)
        test_fail(l->page, l->number, "%s in \"%.*s\"", err_text(&e), STR_ARG(text));
    return rc > 0;
}

static bool table_has(const struct cli_flag *flag, str name)
{
    for (; *flag->name; flag++)
        if (str_eq(str_of(flag->name), name))
            return true;
    return false;
}

static bool flag_exists(str name)
{
    if (table_has(cli_global_flags, name) || table_has(cli_chart_path_flags, name))
        return true;
    for (size_t i = 0; cli_commands[i]; i++)
        for (size_t t = 0; cli_commands[i]->flags && cli_commands[i]->flags[t]; t++)
            if (table_has(cli_commands[i]->flags[t], name))
                return true;
    return false;
}

/* "--name", "--name=value", "--name value"; "--name-*" and "--" stand for more than one. */
static bool span_check(const struct line *l, str span)
{
    static const char *const others[] = {"export-secret-keys" /* gpg */};
    str name = str_cut(str_cut(str_from(span, 2), ' ', NULL), '=', NULL);

    if (!name.len || str_ends(name, STR("*")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (str_eq(name, str_of(others[i])))
            return false;
    if (!flag_exists(name))
        test_fail(l->page, l->number, "no command has the flag --%.*s", STR_ARG(name));
    return true;
}

static bool is_flagged(str span) { return str_contains(span, STR(" --")); }

static int page_check(const char *path, struct arena *arena)
{
    bool is_manual = str_starts(str_of(path), STR("docs/manual/")); /* howtos: the tests' flags */
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    struct line l = {.page = path, .arena = arena};
    bool fenced = false;
    int checked = 0;
    str rest, line;

    CHECK_INT(file_read(path, 1 << 20, &text, &e), 0, path);
    rest = buf_view(&text);
    while (str_next_line(&rest, &line)) {
        l.number++;
        if (str_starts(line, STR("```"))) {
            fenced = !fenced;
        } else if (fenced || str_starts(line, STR("    "))) {
            checked += text_check(&l, str_trim(line));
        } else {
            str span;

            for (str_cut(line, '`', &line); line.len; str_cut(line, '`', &line)) {
                span = str_cut(line, '`', &line);
                if (str_starts(span, STR("--")))
                    checked += is_manual && span_check(&l, span);
                else
                    checked += is_flagged(span) && text_check(&l, span);
            }
        }
    }
    return checked;
}

/* "src/base/str.h", but not what stands for more: "src/cli/cmd_NAME.c", "src/chart/{a,b}.c". */
static bool is_place(str word)
{
    static const char *const tops[] = {"src/",   "tests/",    "docs/",     "include/",
                                       "tools/", "examples/", "packaging/"};

    for (size_t i = 0; i < word.len; i++)
        if (strchr("{*<$", word.p[i]) || (word.p[i] >= 'A' && word.p[i] <= 'Z'))
            return false;
    for (size_t i = 0; i < ARRAY_LEN(tops); i++)
        if (str_starts(word, str_of(tops[i])))
            return true;
    return false;
}

static int places_check(const char *path, struct arena *arena)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};
    int checked = 0, number = 0;
    str rest, line;

    CHECK_INT(file_read(path, 1 << 20, &text, &e), 0, path);
    rest = buf_view(&text);
    while (str_next_line(&rest, &line)) {
        number++;
        for (str_cut(line, '`', &line); line.len; str_cut(line, '`', &line)) {
            str word = str_cut(str_cut(line, '`', &line), ' ', NULL);

            if (!is_place(word))
                continue;
            checked++;
            if (access(arena_cstr(arena, word), F_OK) != 0)
                test_fail(path, number, "there is no %.*s", STR_ARG(word));
        }
    }
    return checked;
}

static int pages_check(const char *const *patterns, size_t count,
                       int (*check)(const char *path, struct arena *arena))
{
    AUTO(arena_done) struct arena arena = {0};
    int checked = 0;

    for (size_t i = 0; i < count; i++) {
        glob_t found = {0};

        CHECK_INT(glob(patterns[i], 0, NULL, &found), 0, patterns[i]);
        for (size_t j = 0; j < found.gl_pathc; j++)
            checked += check(found.gl_pathv[j], &arena);
        globfree(&found);
    }
    return checked;
}

TEST(command_lines_of_the_manual_name_commands_and_flags_that_exist)
{
    static const char *const patterns[] = {"README.md", "docs/manual/*.md", "docs/howto/*.md"};

    /* the pages were found and read as they are written */
    CHECK(pages_check(patterns, ARRAY_LEN(patterns), page_check) > 200);
}

TEST(files_that_pages_for_developers_name_are_there)
{
    static const char *const patterns[] = {"CONTRIBUTING.md", "docs/architecture.md",
                                           "docs/howto/*.md", "docs/decisions/*.md"};

    CHECK(pages_check(patterns, ARRAY_LEN(patterns), places_check) > 60);
}

TEST(command_lines_of_a_manual_are_read_as_a_shell_does)
{
    static const struct {
        const char *text;
        int parsed; /* 0: no command of ours, -1: it does not parse */
    } rows[] = {
        {"grapnel build DIR --output 'a b' | kubectl apply --nope", 1},
        {"grapnel build --nope DIR", -1},
        {"helm --kube-context=x list # --nope", 1},
        {"grapnel chart instal", -1},
        {"kubectl get --nope", 0},
        {"grapnel-fn-x --nope", 0},
        {"", 0},
    };
    AUTO(arena_done) struct arena arena = {0};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct line l = {.arena = &arena};

        words_of(&l, str_of(rows[i].text));
        CHECK_INT(line_parse(&l, &e), rows[i].parsed, rows[i].text);
    }
    CHECK(flag_exists(STR("compat")) && flag_exists(STR("log-level")) && !flag_exists(STR("nope")));
}
