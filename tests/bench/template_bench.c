/* template_bench TEMPLATE DATA: a range over 10,000 maps with include, quote and indent, against
 * Go's text/template with sprig on the same (peers/template). Both compiled and read before. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/input.h"
#include "bench/pair.h"
#include "doc/parse.h"
#include "expr/gotmpl/gotmpl.h"
#include "sys/proc.h"

struct work {
    struct tmpl_set *set;
    struct doc_node *data;
    struct buf out;
    char *template, *file;
};

static bool render(struct work *w)
{
    static const struct tmpl_options options = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(tmpl_run_free) struct tmpl_run *run = tmpl_run_new(w->set, &options);

    buf_clear(&w->out);
    if (tmpl_run_exec(run, STR("t"), tmpl_doc(w->data, false), &w->out, &e) == 0)
        return true;
    printf("bench/template: %s\n", err_text(&e));
    return false;
}

static double ours(void *ctx)
{
    double start = pair_cpu();

    return render(ctx) ? pair_cpu() - start : -1;
}

/* What the peer prints: its output, or with runs the seconds of processor time of the median
 * run. */
static bool peer(const struct work *w, const char *runs, struct proc_result *ret)
{
    const char *const argv[] = {"template-go", w->template, w->file, runs, NULL};
    struct proc_spec spec = {.argv = argv};
    AUTO(err_done) struct err e = {0};

    if (proc_run(&spec, ret, &e) == 0 && ret->exit_code == 0)
        return true;
    printf("bench/template: %s %s\n", err_text(&e), buf_cstr(&ret->err));
    return false;
}

static double theirs(void *ctx)
{
    AUTO(proc_result_done) struct proc_result result = {0};

    return peer(ctx, "5", &result) ? strtod(buf_cstr(&result.out), NULL) : -1;
}

static bool is_equal(struct work *w)
{
    AUTO(proc_result_done) struct proc_result result = {0};

    if (!render(w) || !peer(w, NULL, &result))
        return false;
    if (str_eq(buf_view(&w->out), buf_view(&result.out)))
        return true;
    printf("bench/template: UNEQUAL to Go's text/template\n");
    return false;
}

int main(int argc, char **argv)
{
    AUTO(buf_done) struct buf template = {0}, text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *docs = doc_set_new();
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    struct work w = {.set = set};
    bool is_met = false;

    if (argc != 3 || !input_read(argv[1], &template) || !input_read(argv[2], &text))
        return 2;
    w.template = argv[1];
    w.file = argv[2];
    w.data = doc_parse_json_view(docs, buf_view(&text), "data", &e);
    if (w.data && tmpl_set_parse(set, STR("t"), buf_view(&template), &e) == 0 && is_equal(&w))
        is_met = pair_run(
            &(struct pair_row){.name = "template/10,000 maps against text/template", .bar = 10},
            ours, theirs, &w);
    buf_done(&w.out);
    return !is_met;
}
