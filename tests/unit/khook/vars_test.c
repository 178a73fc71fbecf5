#include "khook/vars/vars.h"

#include "base/log.h"
#include "support/test.h"

static const char *const environment[] = {
    "KHOOK_VAR_A=env", "KHOOK_VAR_B=env", "KHOOK_VAR_=x", "KHOOK_SECRET_B=hidden", "OTHER=1", NULL};

static str value(const struct khook_vars *vars, const char *name)
{
    const struct khook_var *var = khook_vars_get(vars, str_of(name));

    return var ? var->value : STR("(unset)");
}

TEST(later_sources_win_and_secrets_stay_secret)
{
    static const char *const sets[] = {"D=1", "D=a=b", "E="};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf masked = {0};
    struct khook_var_options options = {
        .env = environment,
        .var_file = "v.yaml",
        .var_file_text = STR("B: file\nC: 1.50\nyes: no\n"),
        .sets = sets,
        .set_count = ARRAY_LEN(sets),
    };

    CHECK_INT(khook_vars_load(&vars, &options, &e), 0, err_text(&e));
    CHECK_STR(value(&vars, "A"), STR("env"), "A");
    CHECK_STR(value(&vars, "B"), STR("file"), "B");
    CHECK_STR(value(&vars, "C"), STR("1.50"), "as written");
    CHECK_STR(value(&vars, "D"), STR("a=b"), "the last --set, cut at the first =");
    CHECK_STR(value(&vars, "E"), STR(""), "empty");
    CHECK_STR(value(&vars, "yes"), STR("no"), "YAML 1.2 words");
    CHECK_INT((long)vars.by_name.len, 6, "names");
    CHECK(khook_vars_get(&vars, STR("B"))->is_secret);
    secret_mask(STR("hidden file"), &masked);
    CHECK_STR(buf_view(&masked), STR("*** ***"), "both values of a secret name");
    secret_forget_all();
}

TEST(mistakes_in_variables_are_usage_errors_without_values)
{
    static const struct {
        const char *set, *file, *prefix, *mentions;
    } rows[] = {
        {"NAME", NULL, NULL, "--set NAME"},
        {"=hush", NULL, NULL, "--set"},
        {NULL, "A: [1]", NULL, "\"A\" must be a scalar"},
        {NULL, "A:\n", NULL, "\"A\" is null"},
        {NULL, "- A", NULL, "mapping"},
        {NULL, "A: 1\n---\nB: 1\n", NULL, "more than one"},
        {NULL, "A: {", NULL, "v.yaml"},
        {NULL, NULL, "", "--var-prefix"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(khook_vars_done) struct khook_vars vars = {0};
        AUTO(err_done) struct err e = {0};
        struct khook_var_options options = {
            .var_prefix = {rows[i].prefix, 0},
            .var_file = rows[i].file ? "v.yaml" : NULL,
            .var_file_text = str_of(rows[i].file),
            .sets = &rows[i].set,
            .set_count = rows[i].set != NULL,
        };

        CHECK_INT(khook_vars_load(&vars, &options, &e), -1, rows[i].mentions);
        CHECK_INT(e.kind, ERR_USAGE, rows[i].mentions);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].mentions)))
            test_fail(__FILE__, __LINE__, "no \"%s\" in: %s", rows[i].mentions, err_text(&e));
        CHECK(!str_contains(str_of(err_text(&e)), STR("hush")));
    }
}
