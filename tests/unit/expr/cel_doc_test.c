#include "base/mem.h"
#include "doc/emit.h"
#include "expr/cel/cel_priv.h"
#include "support/test.h"

static bool has_row(const char *name)
{
    struct cel_doc_row row;

    for (size_t i = 0;; i++) {
        AUTO(buf_done) struct buf forms = {0};

        if (!cel_function_row(i, &row, &forms))
            return false;
        if (strcmp(row.name, name) == 0)
            return true;
    }
}

static void check_documented(void *ctx UNUSED, const struct cel_row *row)
{
    if (!has_row(row->name))
        test_fail(__FILE__, __LINE__, "no row for %s", row->name);
}

TEST(cel_every_function_is_in_the_manual)
{
    for (size_t t = 0; t < cel_table_count; t++)
        cel_tables[t].rows(&(struct cel_rows){check_documented, NULL});
}

static bool no_names(void *ctx UNUSED, str name UNUSED, struct cel_value *ret UNUSED)
{
    return false;
}

static void check_example(const struct cel_env *env, const struct cel_doc_row *row)
{
    AUTO(err_done) struct err e = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    AUTO(cel_program_free)
    struct cel_program *p = cel_compile(env, str_of(row->example), NULL, &e);
    struct cel_value v = p ? cel_eval(p, no_names, NULL, &arena) : cel_make_null();
    struct doc_node *n = p ? cel_to_node(set, &arena, &v, &e) : NULL;

    if (doc_is_string(n))
        buf_add_str(&out, doc_string(n, STR_NONE));
    else if (n)
        doc_emit_json(n, 0, &out);
    CHECK_OK(&e);
    CHECK_STR(buf_view(&out), str_of(row->result), row->example);
}

TEST(cel_examples_of_the_manual_are_true)
{
    AUTO(cel_env_free) struct cel_env *env = cel_env_new(0, STR_NONE);
    struct cel_doc_row row;

    for (size_t i = 0;; i++) {
        AUTO(buf_done) struct buf forms = {0};

        if (!cel_function_row(i, &row, &forms))
            break;
        if (!forms.len)
            test_fail(__FILE__, __LINE__, "there is no function %s", row.name);
        check_example(env, &row);
    }
}

TEST(cel_deep_values_are_no_documents)
{
    AUTO(err_done) struct err e = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct cel_value v = cel_make_null();

    for (int i = 0; i < 2000; i++) {
        struct cel_value *item = ARENA_NEW(&arena, struct cel_value);

        *item = v;
        v = cel_make_list(&arena, item, 1);
    }
    CHECK(!cel_to_node(set, &arena, &v, &e));
    CHECK_INT(e.kind, ERR_LIMIT, "depth");
}
