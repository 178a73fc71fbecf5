#include "run/run.h"
#include "support/test.h"

#define MAX_STEPS 8

/* "a:c b:a c:b d" as steps with needs. */
struct graph {
    struct run_step steps[MAX_STEPS];
    size_t needs[MAX_STEPS][MAX_STEPS], count;
};

static size_t index_of(const struct graph *g, str name)
{
    for (size_t i = 0; i < g->count; i++) {
        if (str_eq(g->steps[i].name, name))
            return i;
    }
    test_fail(__FILE__, __LINE__, "no step %.*s", STR_ARG(name));
    return 0;
}

static void graph_read(const char *text, struct graph *g)
{
    str rest = str_of(text), lists[MAX_STEPS];

    *g = (struct graph){0};
    while (rest.len) {
        str word = str_cut(rest, ' ', &rest);

        g->steps[g->count].name = str_cut(word, ':', &lists[g->count]);
        g->count++;
    }
    for (size_t i = 0; i < g->count; i++) {
        g->steps[i].needs = g->needs[i];
        while (lists[i].len) {
            str need = str_cut(lists[i], ',', &lists[i]);

            g->needs[i][g->steps[i].need_count++] = index_of(g, need);
        }
    }
}

TEST(levels_are_one_below_the_deepest_need)
{
    static const struct {
        const char *graph, *levels;
    } rows[] = {
        {"", ""},
        {"a", "0"},
        {"a b:a c:a d:b,c", "0112"},
        {"late:early early", "10"},
        {"a b:a,a c:b,a,b", "012"},
        {"d:c c:b b:a a", "3210"},
        {"x:s r y:r s", "1010"},
        {"a b c:a,b d:c,a e:d", "00123"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(run_cycle_done) struct run_cycle cycle = {0};
        AUTO(buf_done) struct buf got = {0};
        size_t level[MAX_STEPS], count, deepest = 0;
        struct graph g;

        graph_read(rows[i].graph, &g);
        CHECK_INT(run_levels(g.steps, g.count, level, &count, &cycle), 0, rows[i].graph);
        for (size_t j = 0; j < g.count; j++) {
            buf_addf(&got, "%zu", level[j]);
            deepest = MAX(deepest, level[j] + 1);
        }
        CHECK_STR(buf_view(&got), str_of(rows[i].levels), rows[i].graph);
        CHECK_INT((int)count, (int)deepest, rows[i].graph);
    }
}

TEST(order_goes_by_level_and_by_the_spec_inside)
{
    static const size_t level[] = {2, 0, 1, 0, 2, 1};
    size_t order[6], start[4];
    AUTO(buf_done) struct buf got = {0};

    run_order(level, 6, 3, order, start);
    for (size_t i = 0; i < 6; i++)
        buf_addf(&got, "%zu", order[i]);
    for (size_t l = 0; l <= 3; l++)
        buf_addf(&got, " %zu", start[l]);
    CHECK_STR(buf_view(&got), STR("132504 0 2 4 6"), "order and starts");
    run_order(NULL, 0, 0, NULL, start);
    CHECK_INT((int)start[0], 0, "no steps");
}

TEST(levels_name_what_is_on_or_behind_a_cycle_and_show_one)
{
    static const struct {
        const char *graph, *members, *path;
    } rows[] = {
        {"a:a", "a", "a -> a"},
        {"a:c b:a c:b free", "a b c", "a -> c -> b -> a"},
        {"first a:first,b b:a", "a b", "a -> b -> a"},
        {"a:b b:a c:d d:c", "a b c d", "a -> b -> a"},
        {"behind:x before x:y y:before,x last:behind", "behind x y last", "x -> y -> x"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(run_cycle_done) struct run_cycle cycle = {0};
        AUTO(buf_done) struct buf members = {0};
        size_t level[MAX_STEPS], count;
        struct graph g;

        graph_read(rows[i].graph, &g);
        CHECK_INT(run_levels(g.steps, g.count, level, &count, &cycle), -1, rows[i].graph);
        for (size_t j = 0; j < cycle.members.len; j++)
            buf_addf(&members, "%s%.*s", j ? " " : "", STR_ARG(cycle.members.v[j]));
        CHECK_STR(buf_view(&members), str_of(rows[i].members), rows[i].graph);
        CHECK_STR(buf_view(&cycle.path), str_of(rows[i].path), rows[i].graph);
    }
}
