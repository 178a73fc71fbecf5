#include "fn/cases.h"

#include "doc/diff.h"
#include "doc/parse.h"
#include "fn/txtar.h"
#include "fn/words.h"
#include "sys/proc.h"

enum { CASE_TIMEOUT_MS = 60000, CONTEXT = 3 };

struct fn_case {
    struct fn_txtar file;
    struct doc_set *set;
    const struct doc_node *about;
    str input;
    struct buf out, err;
    bool has_failed; /* the function */
};
static void fn_case_done(struct fn_case *c)
{
    fn_txtar_done(&c->file);
    doc_set_free(c->set);
    buf_done(&c->out);
    buf_done(&c->err);
}
AUTO_VALUE(struct fn_case, fn_case_done)

static int read_case(struct fn_case *c, str text, struct err *e)
{
    const struct fn_section *about, *input;

    fn_txtar_parse(text, &c->file);
    about = fn_txtar_find(&c->file, STR("case.yaml"));
    if (!about)
        return err_set(e, ERR_INVALID, "there is no section case.yaml");
    c->about = doc_parse(c->set, about->text, DOC_KYAML, "case.yaml", e);
    if (!c->about)
        return -1;
    input = fn_txtar_find(&c->file, doc_text(doc_get_lit(c->about, "stdin"), STR_NONE));
    if (!input)
        return err_set(e, ERR_INVALID, "stdin names no section");
    c->input = input->text;
    return 0;
}

/* ---- the function */

static int run_native(struct fn_case *c, const struct fn_runner *r, struct err *e)
{
    str name = doc_text(doc_item(doc_get_lit(c->about, "args"), 0), STR_NONE);
    const struct fn_native *native = fn_native_by_image(r->natives, name);
    AUTO(fn_list_done) struct fn_list list = {0};
    AUTO(err_done) struct err why = {0};

    if (!native)
        return err_set(e, ERR_INVALID, "there is no native function \"%.*s\"", STR_ARG(name));
    if (fn_list_read(c->set, c->input, "stdin", &list, &why) == 0) {
        c->has_failed = fn_native_run(native, &list, &why) < 0;
        fn_list_emit(&list, &c->out);
    } else {
        c->has_failed = true;
    }
    buf_add_cstr(&c->err, err_text(&why));
    return 0;
}

static int run_exec(struct fn_case *c, const struct fn_runner *r, str exec, struct err *e)
{
    AUTO(str_vec_done) struct str_vec words = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(r->cancel, clock_after(CASE_TIMEOUT_MS));
    const char **argv;

    if (fn_words(&c->set->arena, exec, &words, e) < 0)
        return -1;
    if (!words.len)
        return err_set(e, ERR_INVALID, "the function's command line is empty");
    argv = ARENA_ARRAY(&c->set->arena, const char *, words.len + 1);
    for (size_t i = 0; i < words.len; i++)
        argv[i] = arena_cstr(&c->set->arena, words.v[i]);
    if (proc_run(&(struct proc_spec){.argv = argv, .input = c->input, .cancel = cancel}, &result,
                 e) < 0)
        return -1;
    c->has_failed = result.exit_code != 0;
    buf_add_str(&c->out, buf_view(&result.out));
    buf_add_str(&c->err, buf_view(&result.err));
    return 0;
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

static void check_phrases(const struct fn_case *c, const char *key, bool everywhere,
                          struct buf *why)
{
    struct doc_iter it = doc_children(doc_get(c->about, str_of(key)));

    while (doc_next(&it)) {
        str phrase = doc_text(it.value, STR_NONE);

        if (!str_contains(buf_view(&c->err), phrase) &&
            !(everywhere && str_contains(buf_view(&c->out), phrase)))
            buf_addf(why, "the output lacks \"%.*s\"\n", STR_ARG(phrase));
    }
}

static void judge(const struct fn_case *c, struct buf *why)
{
    const struct fn_section *want = fn_txtar_find(&c->file, STR("want/stdout"));
    bool wants_failure = doc_int(doc_get_lit(c->about, "exit"), 0) != 0;
    str got = buf_view(&c->out), wanted = want ? want->text : STR_NONE;

    if (doc_bool(doc_get_lit(c->about, "ignoreResults"), false)) {
        got = without_results(got);
        wanted = without_results(wanted);
    }
    if (c->has_failed != wants_failure)
        buf_addf(why, "the function %s: %s\n", c->has_failed ? "failed" : "did not fail",
                 buf_cstr(&c->err));
    check_phrases(c, "stderrContains", false, why);
    check_phrases(c, "outputContains", true, why);
    if (want)
        doc_diff_unified(wanted, got, "wanted", "got", CONTEXT, why);
}

int fn_case_run(const struct fn_runner *r, str text, str exec, struct buf *why, struct err *e)
{
    AUTO(fn_case_done) struct fn_case c = {.set = doc_set_new()};

    if (read_case(&c, text, e) < 0)
        return -1;
    if ((exec.len ? run_exec(&c, r, exec, e) : run_native(&c, r, e)) < 0)
        return -1;
    judge(&c, why);
    return why->len > 0;
}
