#include "khook/vars/subst.h"

#include "base/log.h"
#include "support/test.h"

static void substitute(const char *input, const struct khook_vars *vars, struct khook_text *t,
                       struct diag_list *problems)
{
    struct khook_subst_options options = {.vars = vars};

    khook_subst(str_of(input), "spec.yaml", &options, t, problems);
}

TEST(references_are_replaced_and_all_else_stays)
{
    static const struct {
        const char *in, *want;
    } rows[] = {
        {"x: ${SET}", "x: value"},
        {"x: ${SET }${SET\t}", "x: valuevalue"},
        {"x: ${UNSET:-a b }.", "x: a b ."},
        {"x: ${SET:-never}", "x: value"},
        {"x: ${EMPTY:-never}", "x: "},
        {"x: ${UNSET:-}", "x: "},
        {"x: ${UNSET:-a\nb}", "x: a\nb"},
        {"x: ${UNSET:-${SET}}", "x: ${SET}"},
        {"$SET ${} ${ SET} ${1A} ${SET-x} ${SET:x} ${SET.B} ${SET\n}",
         "$SET ${} ${ SET} ${1A} ${SET-x} ${SET:x} ${SET.B} ${SET\n}"},
        {"${A${SET}", "${Avalue"},
        {"$$${SET}$", "$$value$"},
        {"${DOLLAR}", "${SET}"},
        {"${SET", "${SET"},
        {"${UNSET:-open", "${UNSET:-open"},
        {"", ""},
    };
    AUTO(khook_vars_done) struct khook_vars vars = {0};

    khook_vars_put(&vars, STR("SET"), STR("value"), false);
    khook_vars_put(&vars, STR("EMPTY"), STR(""), false);
    khook_vars_put(&vars, STR("DOLLAR"), STR("${SET}"), false);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(khook_text_done) struct khook_text t = {0};
        AUTO(diag_list_done) struct diag_list problems = {0};

        substitute(rows[i].in, &vars, &t, &problems);
        CHECK_STR(buf_view(&t.text), str_of(rows[i].want), rows[i].in);
        CHECK_INT((long)problems.errors, 0, rows[i].in);
    }
}

TEST(missing_names_are_told_once_each_in_order)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(khook_text_done) struct khook_text t = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};

    substitute("# ${Z}\na: ${B}\nb: ${Z} ${A}\n", &vars, &t, &problems);
    CHECK_INT((long)problems.len, 3, "one for each name");
    if (problems.len != 3)
        return;
    CHECK_STR(problems.v[0].field, STR("A"), "first");
    CHECK_INT(problems.v[0].line, 3, "line of A");
    CHECK_INT(problems.v[0].column, 9, "column of A");
    CHECK_STR(problems.v[2].field, STR("Z"), "last");
    CHECK_INT(problems.v[2].line, 1, "first of two places of Z");
}

TEST(places_lead_back_through_replacements)
{
    static const struct {
        const char *find; /* in the result */
        uint32_t line, column;
    } rows[] = {{"b:", 2, 1}, {"two", 1, 4}, {"end", 2, 16}, {"last", 3, 1}};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(khook_text_done) struct khook_text t = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};

    khook_vars_put(&vars, STR("V"), STR("one\ntwo"), false);
    khook_vars_put(&vars, STR("NONE"), STR(""), false);
    substitute("a: ${V}\nb: ${NONE} ${V}end\nlast: 1", &vars, &t, &problems);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        size_t offset = (size_t)str_find(buf_view(&t.text), str_of(rows[i].find));
        struct khook_place place = khook_text_place(&t, offset);

        CHECK_INT(place.line, rows[i].line, rows[i].find);
        CHECK_INT(place.column, rows[i].column, rows[i].find);
    }
    CHECK_STR(khook_text_place(&t, 0).excerpt, STR("a: ${V}"), "the author's own line");
}

static int shout(void *ctx UNUSED, str pipeline, str value, struct buf *out, struct err *e)
{
    if (!str_eq(pipeline, STR("shout")))
        return err_set(e, ERR_INVALID, "function \"%.*s\" is not known", STR_ARG(pipeline));
    buf_addf(out, "%.*s!", STR_ARG(value));
    return 0;
}

TEST(pipelines_run_over_value_or_default_and_hide_secrets)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(khook_text_done) struct khook_text t = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(buf_done) struct buf masked = {0};
    struct khook_subst_options options = {.vars = &vars, .pipeline = shout};

    khook_vars_put(&vars, STR("S"), STR("quiet"), true);
    khook_subst(STR("${S | shout} ${D:-x|shout} ${D:-x|no} ${S|}${S|shout|}"), "spec", &options, &t,
                &problems);
    CHECK_STR(buf_view(&t.text), STR("quiet! x!  "), "result");
    CHECK_INT((long)problems.errors, 3, "unknown function, empty pipeline and stage");
    secret_mask(STR("quiet!"), &masked);
    CHECK_STR(buf_view(&masked), STR("***"), "the output of a secret is secret");
    secret_forget_all();
}

TEST(a_default_with_an_opening_reference_warns)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(khook_text_done) struct khook_text t = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};

    substitute("a: ${A:-${B}}", &vars, &t, &problems);
    CHECK_INT((long)problems.len, 1, "one warning");
    CHECK_INT((long)problems.errors, 0, "no error");
}

TEST(a_text_of_unclosed_references_takes_linear_time)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(khook_text_done) struct khook_text t = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(buf_done) struct buf text = {0};

    for (int i = 0; i < 400000; i++)
        buf_add_cstr(&text, "${A:-");
    khook_subst(buf_view(&text), "spec", &(struct khook_subst_options){.vars = &vars}, &t,
                &problems);
    CHECK_INT((long)t.text.len, (long)text.len, "left as it is");
}
