/* json_bench FILE: reading and writing a JSON PodList, against json-c. */
#include <json-c/json.h>

#include "base/buf.h"
#include "bench/input.h"
#include "bench/pair.h"
#include "doc/emit.h"
#include "doc/parse.h"

struct work {
    struct buf text, out;
    struct doc_set *set;
    struct doc_node *root;
    struct json_object *object;
};

static double parse_ours(void *ctx)
{
    struct work *w = ctx;
    AUTO(err_done) struct err e = {0};
    double start = pair_cpu();

    doc_set_free(w->set);
    w->set = doc_set_new();
    w->root = doc_parse_json_view(w->set, buf_view(&w->text), "bench", &e);
    return w->root ? pair_cpu() - start : -1;
}

static double parse_json_c(void *ctx)
{
    struct work *w = ctx;
    double start = pair_cpu();

    if (w->object)
        json_object_put(w->object);
    w->object = json_tokener_parse(w->text.p);
    return w->object ? pair_cpu() - start : -1;
}

static double emit_ours(void *ctx)
{
    struct work *w = ctx;
    double start = pair_cpu();

    buf_clear(&w->out);
    doc_emit_json(w->root, 0, &w->out);
    return pair_cpu() - start;
}

static double emit_json_c(void *ctx)
{
    struct work *w = ctx;
    double start = pair_cpu();

    /* json-c keeps its text with the object: a flag that differs makes it print anew. */
    return json_object_to_json_string_ext(w->object, JSON_C_TO_STRING_NOSLASHESCAPE)
               ? pair_cpu() - start
               : -1;
}

static bool is_equal(struct work *w)
{
    const char *theirs = json_object_to_json_string_ext(w->object, JSON_C_TO_STRING_NOSLASHESCAPE);

    buf_clear(&w->out);
    doc_emit_json(w->root, 0, &w->out);
    if (str_eq(str_of(theirs), buf_view(&w->out)))
        return true;
    printf("bench/json: UNEQUAL to json-c\n");
    return false;
}

int main(int argc, char **argv)
{
    struct work w = {0};
    bool is_met = true;

    if (argc != 2 || !input_read(argv[1], &w.text))
        return 2;
    if (parse_ours(&w) < 0 || parse_json_c(&w) < 0 || !is_equal(&w))
        return 1;
    is_met &= pair_run(&(struct pair_row){.name = "json/podlist parse against json-c", .bar = 3},
                       parse_ours, parse_json_c, &w);
    is_met &= pair_run(&(struct pair_row){.name = "json/podlist emit against json-c", .bar = 5},
                       emit_ours, emit_json_c, &w);
    pair_value("json/arena", (double)w.set->arena.used / (double)w.text.len, "bytes a byte", 0);
    doc_set_free(w.set);
    json_object_put(w.object);
    buf_done(&w.text);
    buf_done(&w.out);
    return !is_met;
}
