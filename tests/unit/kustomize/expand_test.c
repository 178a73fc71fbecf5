#include "kustomize/transform/expand.h"
#include "support/test.h"

static bool lookup(void *ctx, str name, str *ret)
{
    int *calls = ctx;

    ++*calls;
    *ret = str_eq(name, STR("E")) ? STR("") : STR("v");
    return str_eq(name, STR("A")) || str_eq(name, STR("E"));
}

TEST(references_in_texts_are_expanded)
{
    static const struct {
        const char *in, *want;
        int calls;
    } rows[] = {
        {"$(A)", "v", 1},     {"x$(A)y$(A)", "xvyv", 2},
        {"$$(A)", "$(A)", 0}, {"$$$(A)", "$v", 1},
        {"$(B)", "$(B)", 1},  {"$(A", "$(A", 0},
        {"$(", "$(", 0},      {"a$", "a$", 0},
        {"$A", "$A", 0},      {"${A}", "${A}", 0},
        {"-$(E)-", "--", 1},  {"$(A$(A))", "$(A$(A))", 1},
        {"", "", 0},          {"$()", "$()", 1},
        {"$$", "$", 0},       {"$($(A)", "$($(A)", 1},
        {"$x$(A)", "$xv", 1},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        int calls = 0;

        kustomize_expand(str_of(rows[i].in), lookup, &calls, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].in);
        CHECK_INT(calls, rows[i].calls, rows[i].in);
    }
}

TEST(a_text_that_is_one_reference_is_told)
{
    static const struct {
        const char *in, *name; /* NULL: it is not */
    } rows[] = {
        {"$(A)", "A"},      {"$()", ""},         {"$(A)x", NULL}, {"x$(A)", NULL}, {"$(A", NULL},
        {"$(A)$(B)", NULL}, {"$(A$(B)", "A$(B"}, {"$(", NULL},    {"", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        str name = STR_NONE;

        CHECK_INT(kustomize_expand_is_name(str_of(rows[i].in), &name), rows[i].name != NULL,
                  rows[i].in);
        if (rows[i].name)
            CHECK_STR(name, str_of(rows[i].name), rows[i].in);
    }
}
