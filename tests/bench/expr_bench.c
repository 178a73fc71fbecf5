/* expr_bench SCHEMA VALUES: what a condition of a khook spec costs to compile and to run, the
 * environment made before; what a schema costs to compile and to hold against a megabyte. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/input.h"
#include "bench/pair.h"
#include "doc/parse.h"
#include "expr/cel/cel.h"
#include "expr/schema/schema.h"

enum { ROUNDS = 10000, SCHEMA_ROUNDS = 21 };

/* Five operators: two comparisons, a look-up, `in` and `&&`. */
#define CONDITION \
    "vars[\"REPLICAS\"] != \"0\" && vars[\"ZONE\"] in [\"a\", \"b\"] && \"TIER\" in vars"

static bool look_up(void *ctx, str name, struct cel_value *ret)
{
    static const str names[] = {STR_INIT("REPLICAS"), STR_INIT("ZONE"), STR_INIT("TIER")};
    static const str values[] = {STR_INIT("3"), STR_INIT("b"), STR_INIT("web")};

    if (!str_eq(name, STR("vars")))
        return false;
    *ret = cel_of_texts(ctx, names, values, ARRAY_LEN(names));
    return true;
}

static bool run_once(const struct cel_program *p, struct arena *arena)
{
    struct cel_value v;

    arena_clear(arena);
    v = cel_eval(p, look_up, arena, arena);
    return v.kind == CEL_BOOL && v.b;
}

static bool bench_cel(void)
{
    static double compiled[ROUNDS], evaluated[ROUNDS];
    AUTO(err_done) struct err e = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(cel_env_free) struct cel_env *env = cel_env_new(CEL_VARS_GET, STR_NONE);
    bool is_met;

    if (cel_env_declare(env, STR("vars"), STR("map(string, string)"), &e) < 0)
        return false;
    for (size_t i = 0; i < ROUNDS; i++) {
        double start = pair_now(), end;
        AUTO(cel_program_free) struct cel_program *p = cel_compile(env, STR(CONDITION), NULL, &e);

        end = pair_now();
        if (!p || !run_once(p, &arena)) {
            printf("bench/expr: UNEQUAL: the condition does not hold: %s\n", err_text(&e));
            return false;
        }
        compiled[i] = (end - start) * 1e6;
        start = pair_now();
        run_once(p, &arena);
        evaluated[i] = (pair_now() - start) * 1e6;
    }
    is_met = pair_value("expr/a condition compiled", pair_median(compiled, ROUNDS), "us", 20);
    return pair_value("expr/a condition evaluated", pair_median(evaluated, ROUNDS), "us", 1) &&
           is_met;
}

/* Seconds of processor time, or less than 0. */
static double judge(const struct doc_node *root, const struct doc_node *values)
{
    static const struct schema_options options = {.draft = SCHEMA_DRAFT_2020};
    AUTO(err_done) struct err e = {0};
    double start = pair_cpu();
    AUTO(schema_free) struct schema *s = schema_compile(root, &options, &e);
    bool is_valid = false;

    if (s && schema_check(s, values, NULL, &is_valid, &e) == 0 && is_valid)
        return pair_cpu() - start;
    printf("bench/expr: UNEQUAL: the values are not valid: %s\n", err_text(&e));
    return -1;
}

static bool bench_schema(const char *schema, const char *values)
{
    double took[SCHEMA_ROUNDS];
    AUTO(buf_done) struct buf schema_text = {0}, text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root, *data;

    if (!input_read(schema, &schema_text) || !input_read(values, &text))
        return false;
    root = doc_parse_json_view(set, buf_view(&schema_text), "schema", &e);
    data = root ? doc_parse_json_view(set, buf_view(&text), "values", &e) : NULL;
    if (!data)
        return false;
    for (size_t i = 0; i < SCHEMA_ROUNDS; i++) {
        took[i] = judge(root, data) * 1e3;
        if (took[i] < 0)
            return false;
    }
    return pair_value("expr/a schema compiled, 1 MB judged", pair_median(took, SCHEMA_ROUNDS), "ms",
                      10);
}

int main(int argc, char **argv)
{
    bool is_met;

    if (argc != 3)
        return 2;
    is_met = bench_cel();
    return !(bench_schema(argv[1], argv[2]) && is_met);
}
