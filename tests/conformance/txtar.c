#include "conformance/txtar.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "doc/parse.h"
#include "fn/txtar.h"
#include "sys/env.h"
#include "sys/file.h"
#include "sys/proc.h"

enum { FILE_LIMIT = 64 << 20 };

struct txtar {
    struct suite *suite;
    struct arena arena;
    struct fn_txtar file;
    const struct doc_node *about; /* case.yaml */
    char folder[64];              /* the work directory */
    struct buf why;
};

static void txtar_done(struct txtar *t)
{
    AUTO(err_done) struct err ignored = {0};

    if (t->folder[0])
        (void)!file_remove_tree(t->folder, &ignored);
    fn_txtar_done(&t->file);
    arena_done(&t->arena);
    buf_done(&t->why);
}
AUTO_VALUE(struct txtar, txtar_done)

/* ---- the description */

static str about(const struct txtar *t, const char *key)
{
    return doc_text(doc_get(t->about, str_of(key)), STR_NONE);
}

static struct doc_iter about_list(const struct txtar *t, const char *key)
{
    return doc_children(doc_get(t->about, str_of(key)));
}

static void wrong(struct txtar *t, const char *fmt, ...) PRINTF(2, 3);
static void wrong(struct txtar *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_addv(&t->why, fmt, args);
    va_end(args);
    buf_add_char(&t->why, '\n');
}

/* ---- the work directory */

static const char *below(struct txtar *t, str path)
{
    return arena_printf(&t->arena, "%s/%.*s", t->folder, STR_ARG(path)).p;
}

static void write_input(struct txtar *t, str path, str text)
{
    AUTO(err_done) struct err e = {0};
    const char *file = below(t, path);
    ssize_t slash = str_rfind_char(path, '/');

    if ((slash > 0 && file_mkdirs(below(t, str_sub(path, 0, (size_t)slash)), 0777, &e) < 0) ||
        file_replace(file, text, NULL, &e) < 0)
        wrong(t, "%s", err_text(&e));
    else if (str_starts(text, STR("#!")) && chmod(file, 0755) < 0)
        wrong(t, "chmod %s", file);
}

static void write_inputs(struct txtar *t)
{
    snprintf(t->folder, sizeof(t->folder), "/tmp/grapnel-case.XXXXXX");
    if (!mkdtemp(t->folder)) {
        t->folder[0] = '\0';
        wrong(t, "no work directory");
        return;
    }
    for (size_t i = 0; i < t->file.sections.len; i++) {
        str name = t->file.sections.v[i].name;

        if (str_drop_prefix(&name, STR("in/")))
            write_input(t, name, t->file.sections.v[i].text);
    }
}

/* ---- the run */

static const char **arguments(struct txtar *t)
{
    struct doc_iter it = about_list(t, "args");
    str rest = about(t, "command");
    AUTO(str_vec_done) struct str_vec words = {0};
    const char **argv;

    vec_push(&words, str_of(suite_program(t->suite)));
    while (rest.len)
        vec_push(&words, str_cut(rest, ' ', &rest));
    while (doc_next(&it))
        vec_push(&words, doc_text(it.value, STR_NONE));
    argv = ARENA_ARRAY(&t->arena, const char *, words.len + 1);
    for (size_t i = 0; i < words.len; i++)
        argv[i] = arena_cstr(&t->arena, words.v[i]);
    return argv;
}

static bool run(struct txtar *t, struct proc_result *ret)
{
    AUTO(env_list_done) struct env_list env = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(300000));
    struct doc_iter it = about_list(t, "env");
    const struct fn_section *input = NULL;
    str cwd = about(t, "cwd");

    env_list_inherit(&env);
    while (doc_next(&it)) {
        str value, name = str_cut(doc_text(it.value, STR_NONE), '=', &value);

        env_list_set(&env, name, value);
    }
    if (about(t, "stdin").len) {
        input = fn_txtar_find(&t->file, about(t, "stdin"));
        if (!input) {
            wrong(t, "there is no section for standard input");
            return false;
        }
    }
    if (proc_run(&(struct proc_spec){.argv = arguments(t),
                                     .env = env.v,
                                     .dir = below(t, cwd.len ? cwd : STR(".")),
                                     .input = input ? input->text : STR_NONE,
                                     .cancel = cancel},
                 ret, &e) == 0)
        return true;
    wrong(t, "%s", err_text(&e));
    return false;
}

/* ---- the judgement */

static str without_results(str text)
{
    str rest = text, line;

    while (str_next_line(&rest, &line))
        if (str_starts(line, STR("results:")))
            return str_range(text.p, line.p);
    return text;
}

static void check_status(struct txtar *t, const struct proc_result *r)
{
    bool wants_success = doc_int(doc_get_lit(t->about, "exit"), 0) == 0;

    if (r->signal)
        wrong(t, "ended by signal %d", r->signal);
    else if (wants_success != (r->exit_code == 0))
        wrong(t, "exit status %d, wanted %s", r->exit_code, wants_success ? "0" : "another");
}

static void check_texts(struct txtar *t, const struct proc_result *r)
{
    struct doc_iter it = about_list(t, "stderrContains");

    while (doc_next(&it))
        if (!str_contains(buf_view(&r->err), doc_text(it.value, STR_NONE)))
            wrong(t, "standard error lacks \"%.*s\"", STR_ARG(doc_text(it.value, STR_NONE)));
    for (it = about_list(t, "outputContains"); doc_next(&it);)
        if (!str_contains(buf_view(&r->err), doc_text(it.value, STR_NONE)) &&
            !str_contains(buf_view(&r->out), doc_text(it.value, STR_NONE)))
            wrong(t, "the output lacks \"%.*s\"", STR_ARG(doc_text(it.value, STR_NONE)));
}

static void check_output(struct txtar *t, const struct proc_result *r)
{
    const struct fn_section *want = fn_txtar_find(&t->file, STR("want/stdout"));
    str got = buf_view(&r->out), wanted = want ? want->text : STR_NONE;

    if (doc_bool(doc_get_lit(t->about, "ignoreResults"), false)) {
        got = without_results(got);
        wanted = without_results(wanted);
    }
    if (want && !str_eq(got, wanted))
        wrong(t, "standard output is:\n%.*s--- wanted:\n%.*s", STR_ARG(got), STR_ARG(wanted));
}

static void check_file(struct txtar *t, str path, str wanted)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf text = {0};

    if (file_read(below(t, path), FILE_LIMIT, &text, &e) < 0)
        wrong(t, "%.*s: %s", STR_ARG(path), err_text(&e));
    else if (!str_eq(buf_view(&text), wanted))
        wrong(t, "%.*s is:\n%s--- wanted:\n%.*s", STR_ARG(path), buf_cstr(&text), STR_ARG(wanted));
}

static void check_files(struct txtar *t)
{
    bool unchanged = doc_bool(doc_get_lit(t->about, "unchanged"), false);
    struct doc_iter it = about_list(t, "deleted");

    for (size_t i = 0; i < t->file.sections.len; i++) {
        str name = t->file.sections.v[i].name;

        if (str_drop_prefix(&name, STR("want/files/")) ||
            (unchanged && str_drop_prefix(&name, STR("in/"))))
            check_file(t, name, t->file.sections.v[i].text);
    }
    while (doc_next(&it))
        if (file_exists(below(t, doc_text(it.value, STR_NONE))))
            wrong(t, "%.*s is still there", STR_ARG(doc_text(it.value, STR_NONE)));
}

static void judge(struct suite *s, str file)
{
    AUTO(txtar_done) struct txtar t = {.suite = s};
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    const struct fn_section *description;

    fn_txtar_parse(suite_text(s, arena_cstr(&t.arena, file)), &t.file);
    description = fn_txtar_find(&t.file, STR("case.yaml"));
    if (description)
        t.about = doc_parse(set, description->text, DOC_KYAML, "case.yaml", &e);
    if (!t.about) {
        suite_end(s, false, "no case.yaml: %s", err_text(&e));
        return;
    }
    write_inputs(&t);
    if (!t.why.len && run(&t, &r)) {
        check_status(&t, &r);
        check_texts(&t, &r);
        check_output(&t, &r);
        check_files(&t);
    }
    if (t.why.len)
        wrong(&t, "standard error was:\n%s", buf_cstr(&r.err));
    suite_end(s, t.why.len == 0, "%s", buf_cstr(&t.why));
}

void txtar_run_all(struct suite *s)
{
    AUTO(str_vec_done) struct str_vec files = suite_list(s, ".", ".txtar");

    for (size_t i = 0; i < files.len; i++)
        if (suite_begin(s, files.v[i]))
            judge(s, files.v[i]);
}
