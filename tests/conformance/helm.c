/* Charts, as `helm template` prints them. */
#include "conformance/suite.h"
#include "sys/clock.h"
#include "sys/proc.h"

struct words {
    const char **v;
    size_t len, cap;
};

static str field(const struct doc_node *c, const char *name)
{
    return doc_text(doc_get(c, str_of(name)), STR_NONE);
}

static void add(struct suite *s, struct words *w, const char *flag, str value)
{
    if (flag)
        vec_push(w, flag);
    vec_push(w, arena_cstr(&suite_set(s)->arena, value));
}

static void add_arguments(struct suite *s, const struct doc_node *c, struct words *w)
{
    static const char *const lists[][2] = {
        {"values", "-f"},
        {"set", "--set"},
        {"set_string", "--set-string"},
        {"set_json", "--set-json"},
        {"set_literal", "--set-literal"},
        {"api_versions", "--api-versions"},
    };
    static const char *const switches[][2] = {
        {"include_crds", "--include-crds"},
        {"is_upgrade", "--is-upgrade"},
        {"no_hooks", "--no-hooks"},
        {"skip_tests", "--skip-tests"},
        {"skip_schema", "--skip-schema-validation"},
    };

    vec_push(w, suite_program(s));
    vec_push(w, "chart");
    vec_push(w, "template");
    add(s, w, NULL, field(c, "release"));
    add(s, w, NULL, field(c, "chart"));
    add(s, w, "-n", field(c, "namespace"));
    add(s, w, "--kube-version", field(c, "kube_version"));
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct doc_iter it = doc_children(doc_get(c, str_of(lists[i][0])));

        while (doc_next(&it))
            add(s, w, lists[i][1], doc_text(it.value, STR_NONE));
    }
    for (size_t i = 0; i < ARRAY_LEN(switches); i++)
        if (doc_bool(doc_get(c, str_of(switches[i][0])), false))
            vec_push(w, switches[i][1]);
    vec_push(w, NULL);
}

static str expected(struct suite *s, str id, const char *suffix)
{
    return suite_text(
        s, arena_printf(&suite_set(s)->arena, "expected/%.*s.%s", STR_ARG(id), suffix).p);
}

/* The last line of helm's message, without "Error: ", at most 160 bytes of it. */
static str phrase_of(str text)
{
    ssize_t hint = str_find(text, STR("\nUse --debug"));
    str phrase;

    text = str_trim(hint < 0 ? text : str_sub(text, 0, (size_t)hint));
    phrase = str_trim(str_from(text, (size_t)(str_rfind_char(text, '\n') + 1)));
    str_drop_prefix(&phrase, STR("Error: "));
    return phrase.len > 160 ? str_from(phrase, phrase.len - 160) : phrase;
}

static bool is_random(const struct doc_node *index, int64_t line)
{
    struct doc_iter it = doc_children(doc_get_lit(index, "random_lines"));

    while (doc_next(&it))
        if (doc_int(it.value, -1) == line)
            return true;
    return false;
}

/* The number of the first line that differs and may not, 0 when none does. */
static int64_t first_difference(const struct doc_node *index, str want, str got)
{
    for (int64_t line = 1; want.p || got.p; line++) {
        str a = str_cut(want, '\n', &want), b = str_cut(got, '\n', &got);

        if ((want.p != NULL) != (got.p != NULL))
            return line;
        if (!str_eq(a, b) && !is_random(index, line))
            return line;
    }
    return 0;
}

static void judge(struct suite *s, str id, const struct doc_node *index,
                  const struct proc_result *r)
{
    str said = buf_view(&r->err), phrase;
    int64_t line;

    if (doc_bool(doc_get_lit(index, "crash"), false)) {
        suite_end(s, !r->signal, "ended by signal %d", r->signal);
    } else if (doc_int(doc_get_lit(index, "rc"), 0)) {
        phrase = phrase_of(expected(s, id, "err"));
        suite_end(s, r->exit_code > 0 && str_contains(said, phrase),
                  "status %d, lacks \"%.*s\": %.*s", r->exit_code, STR_ARG(phrase), STR_ARG(said));
    } else {
        line = first_difference(index, expected(s, id, "out"), buf_view(&r->out));
        suite_end(s, !r->exit_code && !r->signal && !line, "status %d, line %lld differs: %.*s",
                  r->exit_code, (long long)line, STR_ARG(said));
    }
}

static void run_case(struct suite *s, const struct doc_node *c, const struct doc_node *index)
{
    AUTO(proc_result_done) struct proc_result r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(300000));
    struct words words = {0};

    add_arguments(s, c, &words);
    if (proc_run(&(struct proc_spec){.argv = words.v,
                                     .dir = suite_path(s, "."),
                                     .output_limit = (size_t)64 << 20,
                                     .cancel = cancel},
                 &r, &e) < 0)
        suite_end(s, false, "%s", err_text(&e));
    else
        judge(s, field(c, "id"), index, &r);
    vec_done(&words);
}

SUITE(helm)
{
    const struct doc_node *index = suite_json(s, "expected/index.json");
    struct doc_iter it = doc_children(suite_json(s, "cases.json"));

    while (doc_next(&it))
        if (suite_begin(s, field(it.value, "id")))
            run_case(s, it.value, doc_get(index, field(it.value, "id")));
}
