/* KRM functions over 1,000 resources: a pipeline of five executables that change nothing against
 * what cannot be left out, five spawns and five times reading and printing the ResourceList; and
 * five native functions in a row. */
#include <unistd.h>

#include "bench/pair.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "fn/pipeline.h"
#include "fnlib/table.h"
#include "sys/proc.h"

enum { RESOURCES = 1000, FUNCTIONS = 5, RUNS = 7 };

struct bench {
    struct buf file; /* 1,000 documents */
    struct buf list; /* the same as a ResourceList */
    struct doc_set *set;
    struct fn_package package;
    struct doc_list items;
};

static void bench_end(struct bench *b)
{
    fn_package_done(&b->package);
    doc_list_done(&b->items);
    doc_set_free(b->set);
    b->set = NULL;
}

static void add_resource(struct buf *out, int i)
{
    buf_addf(out,
             "%sapiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-%d\n  labels:\n"
             "    app: web-%d # the name\nspec:\n  replicas: 3\n  selector:\n    matchLabels:\n"
             "      app: web-%d\n  template:\n    metadata:\n      labels:\n        app: web-%d\n"
             "    spec:\n      containers:\n      - name: main\n        image: nginx:1.%d\n"
             "        ports:\n        - containerPort: 80\n          name: http\n        env:\n"
             "        - name: MODE\n          value: \"on\"\n",
             i ? "---\n" : "", i, i, i, i, i);
}

static bool begin(struct bench *b)
{
    AUTO(err_done) struct err e = {0};

    b->set = doc_set_new();
    b->package.set = b->set;
    if (fn_package_add(&b->package, STR("all.yaml"), buf_view(&b->file), &b->items, &e) == 0)
        return true;
    fprintf(stderr, "%s\n", err_text(&e));
    return false;
}

static bool run_steps(struct bench *b, struct fn_step *steps, const struct fn_runner *runner)
{
    struct fn_pipeline pipeline = {.runner = runner, .set = b->set, .package = &b->package};
    AUTO(err_done) struct err e = {0};

    for (size_t i = 0; i < FUNCTIONS; i++)
        if (fn_pipeline_step(&pipeline, &steps[i], steps[i].config_map, true, &b->items, &e) != 0) {
            fprintf(stderr, "%s\n", err_text(&e));
            return false;
        }
    return true;
}

/* Reading the file, five executables, finding that nothing has changed. */
static double pipeline_once(void *ctx)
{
    struct bench *b = ctx;
    struct fn_runner runner = {.allows_exec = true};
    struct fn_step steps[FUNCTIONS] = {0};
    AUTO(fn_changes_done) struct fn_changes changes = {0};
    AUTO(err_done) struct err e = {0};
    double start = pair_now(), seconds = -1;

    for (size_t i = 0; i < FUNCTIONS; i++)
        steps[i].spec.exec = steps[i].name = STR("cat");
    if (begin(b) && run_steps(b, steps, &runner) &&
        fn_package_changes(&b->package, &b->items, false, &changes, &e) == 0 && changes.v.len == 0)
        seconds = pair_now() - start;
    bench_end(b);
    return seconds;
}

static double floor_once(void *ctx)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    struct bench *b = ctx;
    const char *argv[] = {"cat", NULL};
    double start = pair_now();

    for (size_t i = 0; i < FUNCTIONS; i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list roots = {0};
        AUTO(proc_result_done) struct proc_result result = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf out = {0};
        struct proc_spec spec = {
            .argv = argv, .input = buf_view(&b->list), .output_limit = 1 << 30};

        if (proc_run(&spec, &result, &e) < 0 ||
            doc_parse_all(set, buf_view(&result.out), &options, "list", &roots, &e) < 0)
            return -1;
        doc_emit_all(roots.v, roots.len, DOC_EMIT_KYAML, &out);
        if (!out.len)
            return -1;
    }
    return pair_now() - start;
}

static struct doc_node *config(struct doc_set *set, const char *key, const char *value,
                               const char *key2, const char *value2)
{
    struct doc_node *data = doc_new_map(set);

    doc_set_string(set, data, str_of(key), str_of(value));
    if (key2)
        doc_set_string(set, data, str_of(key2), str_of(value2));
    return fn_config_map(set, data);
}

/* The functions alone, over items that are read. */
static double native_once(struct bench *b)
{
    static const char *const names[FUNCTIONS] = {"set-namespace", "set-labels", "set-annotations",
                                                 "set-image", "ensure-name-substring"};
    struct fn_runner runner = {.natives = fnlib_all};
    struct fn_step steps[FUNCTIONS] = {0};
    double start, seconds = -1;

    if (begin(b)) {
        steps[0].config_map = config(b->set, "namespace", "prod", NULL, NULL);
        steps[1].config_map = config(b->set, "team", "blue", NULL, NULL);
        steps[2].config_map = config(b->set, "owner", "me", NULL, NULL);
        steps[3].config_map = config(b->set, "name", "nginx", "newTag", "2");
        steps[4].config_map = config(b->set, "prepend", "dev-", NULL, NULL);
        for (size_t i = 0; i < FUNCTIONS; i++) {
            steps[i].spec.image = steps[i].name = str_of(names[i]);
            steps[i].spec.native = fn_native_by_image(fnlib_all, steps[i].spec.image);
        }
        start = pair_cpu();
        if (run_steps(b, steps, &runner))
            seconds = pair_cpu() - start;
    }
    bench_end(b);
    return seconds;
}

static double best_native(struct bench *b)
{
    double best = -1;

    for (size_t i = 0; i < RUNS; i++) {
        double seconds = native_once(b);

        if (seconds < 0)
            return 1e9; /* a failed run meets no bar */
        best = best < 0 || seconds < best ? seconds : best;
    }
    return best;
}

int main(void)
{
    static const struct pair_row row = {"fn/five exec functions against their floor", true, 2};
    struct bench b = {0};
    struct fn_list list;
    bool is_met;

    for (int i = 0; i < RESOURCES; i++)
        add_resource(&b.file, i);
    if (!begin(&b))
        return 1;
    list = (struct fn_list){.set = b.set, .items = b.items};
    fn_list_emit(&list, &b.list);
    bench_end(&b);
    is_met = pair_run(&row, pipeline_once, floor_once, &b);
    is_met &= pair_value("fn/five native functions", best_native(&b) * 1e3, "ms", 15);
    buf_done(&b.file);
    buf_done(&b.list);
    return !is_met;
}
