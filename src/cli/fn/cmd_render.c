/* grapnel fn render [DIR], grapnel fn run DIR */
#include "cli/fn/flags.h"
#include "cli/output.h"
#include "sys/file.h"

static const struct cli_flag render_flags[] = {
    {"allow-exec", CLI_SWITCH, "", "let the pipelines run executables", 0, "", "false", false},
    {"allow-network", CLI_SWITCH, "", "give containers the network", 0, "", "false", false},
    {"offline", CLI_SWITCH, "", "pull no image and ask no registry: use what this machine has", 0,
     "", "false", false},
    {.name = ""},
};
static const struct cli_flag *const render_tables[] = {render_flags, cli_fn_output_flags,
                                                       cli_fn_run_flags, cli_fn_kpt_flags, NULL};

static int render(struct cli_fn *f, const char *dir, struct err *e)
{
    struct fn_pipeline pipeline = cli_fn_pipeline(f, dir);
    AUTO(buf_done) struct buf text = {0};

    if (cli_fn_check_output(f, e) < 0 || cli_fn_read(f, dir, e) < 0 ||
        fn_pipeline_render(&pipeline, &f->list.items, e) < 0 || cli_fn_write(f, dir, e) < 0)
        return -1;
    buf_addf(&text, "Successfully executed %zu function(s) in %zu package(s).\n",
             pipeline.functions, pipeline.packages);
    cli_say(buf_view(&text));
    return 0;
}

static int run_render(struct cli *cli, struct err *e)
{
    AUTO(cli_fn_done) struct cli_fn f = {0};
    const char *dir = cli_fn_dir(cli);

    if (cli_fn_start(&f, cli, e) < 0)
        return -1;
    if (!strcmp(dir, "-"))
        return err_set(e, ERR_USAGE, "\"fn render\" needs a folder");
    f.runner.allows_container = true;
    f.runner.allows_exec = cli_switch(cli, "allow-exec");
    f.runner.exec_flag = "--allow-exec";
    f.runner.allows_network = cli_switch(cli, "allow-network");
    f.runner.is_offline = cli_switch(cli, "offline");
    if (f.runner.is_offline)
        f.runner.pull = FN_PULL_NEVER;
    return cli_fn_end(&f, render(&f, dir, e), e);
}

const struct cli_command cli_fn_render = {
    .name = "fn render",
    .names = CLI_GRAPNEL | CLI_KPT,
    .summary = "Run the pipelines of a package",
    .arguments = "[DIR]",
    .about =
        "Runs the functions that the Kptfiles of a package and its subpackages name: "
        "subpackages first, each completely, then the package; in each the mutators in order, "
        "then the validators, whose changes are thrown away. Any failure stops, and nothing is "
        "written. Executables in a pipeline need --allow-exec. A step's tag may be a range of "
        "versions, "
        "\">=1.2.0 <2\": the newest tag of the image's repository that fits is run.",
    .flags = render_tables,
    .examples = "$ grapnel fn render PKG\n"
                "$ grapnel fn render PKG -o unwrap | kubectl apply -f -\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_render,
};

/* ---- functions that are resources */

static const struct cli_flag run_flags[] = {
    {"image", CLI_TEXT, "IMAGE", "run this image in place of the functions in DIR", 0, "", "",
     false},
    {"exec-path", CLI_TEXT, "FILE", "run this executable in place of the functions in DIR", 0, "",
     "", false},
    {"fn-path", CLI_LIST, "FILE|DIR", "read functions from here in place of DIR", 0, "", "", false},
    {"global-scope", CLI_SWITCH, "", "let every function see every resource", 0, "", "false",
     false},
    {"dry-run", CLI_SWITCH, "", "print the resources and leave the files alone", 0, "", "false",
     false},
    {"enable-exec", CLI_SWITCH, "", "let functions be executables", 0, "", "false", false},
    {"include-subpackages", CLI_SWITCH, "", "accepted: all folders below are read", 0, "", "true",
     false},
    {"log-steps", CLI_SWITCH, "", "accepted: each function is told as it runs", 0, "", "false",
     false},
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const run_tables[] = {run_flags, cli_fn_output_flags,
                                                    cli_fn_run_flags, cli_fn_container_flags, NULL};

/* One function named on the command line sees everything. */
static int run_named(struct cli_fn *f, struct fn_pipeline *pipeline, struct err *e)
{
    AUTO(fn_step_done) struct fn_step step = {0};
    struct doc_node *config = NULL;

    if (f->cli->arguments.len > f->cli->before_dashes && cli_fn_arguments(f, &config, e) < 0)
        return -1;
    step.spec.image = cli_text(f->cli, "image");
    step.spec.exec = cli_text(f->cli, "exec-path");
    if (step.spec.image.len && step.spec.exec.len)
        return err_set(e, ERR_USAGE, "give --image or --exec-path, not both");
    step.name = step.spec.image.len ? step.spec.image : step.spec.exec;
    step.spec.wants_network = f->runner.allows_network;
    if (step.spec.exec.len)
        vec_push(&step.spec.argv, step.spec.exec);
    else
        step.spec.native = fn_native_by_image(f->runner.natives, step.spec.image);
    if (fn_check_gates(&f->runner, &step.spec, e) < 0)
        return -1;
    return fn_pipeline_step(pipeline, &step, config, true, &f->list.items, e);
}

static int add_functions(struct cli_fn *f, const char *path, struct fn_package *package,
                         struct doc_list *functions, struct err *e)
{
    struct doc_node *config;

    if (file_is_dir(path))
        return fn_package_read(f->set, path, package, functions, e);
    config = cli_fn_config_file(f->set, path, e);
    if (!config)
        return -1;
    vec_push(functions, config);
    return 0;
}

static int run_annotated(struct cli_fn *f, struct fn_pipeline *pipeline, struct err *e)
{
    AUTO(doc_list_done) struct doc_list functions = {0};
    AUTO(str_vec_done) struct str_vec paths = {0};
    bool is_global = cli_switch(f->cli, "global-scope");

    cli_list(f->cli, "fn-path", &paths);
    for (size_t i = 0; i < paths.len; i++) {
        AUTO(fn_package_done) struct fn_package package = {0};

        if (add_functions(f, paths.v[i].p, &package, &functions, e) < 0)
            return -1;
    }
    for (size_t i = 0; i < f->list.items.len && !paths.len; i++)
        vec_push(&functions, f->list.items.v[i]);
    return fn_pipeline_run_annotated(pipeline, is_global || paths.len > 0, &functions,
                                     &f->list.items, e);
}

static int run_functions(struct cli_fn *f, const char *dir, struct err *e)
{
    struct fn_pipeline pipeline = cli_fn_pipeline(f, dir);
    bool is_named = cli_given(f->cli, "image") || cli_given(f->cli, "exec-path");
    int rc;

    if (!is_named && f->cli->arguments.len > f->cli->before_dashes)
        return err_set(e, ERR_USAGE, "words behind -- are for --image or --exec-path");
    if (cli_fn_read(f, dir, e) < 0)
        return -1;
    rc = is_named ? run_named(f, &pipeline, e) : run_annotated(f, &pipeline, e);
    if (rc < 0 || (cli_switch(f->cli, "dry-run") ? cli_fn_print_unwrapped(f, e)
                                                 : cli_fn_write(f, dir, e)) < 0)
        return -1;
    if (rc > 0)
        return err_set(e, ERR_INVALID, "function \"%.*s\" failed", STR_ARG(pipeline.deferred));
    return 0;
}

static int run_run(struct cli *cli, struct err *e)
{
    AUTO(cli_fn_done) struct cli_fn f = {0};
    const char *dir = cli->before_dashes ? cli_fn_dir(cli) : "-";

    if (cli_fn_start(&f, cli, e) < 0)
        return -1;
    if (cli->before_dashes > 1)
        return err_set(e, ERR_USAGE, "name one folder");
    f.runner.allows_container = true;
    f.runner.allows_exec = cli_switch(cli, "enable-exec");
    f.runner.exec_flag = "--enable-exec";
    f.runner.logs_to_stderr = true;
    return cli_fn_end(&f, run_functions(&f, dir, e), e);
}

const struct cli_command cli_fn_run = {
    .name = "fn run",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Run the functions that are resources of a folder",
    .arguments = "[DIR] [-- KEY=VALUE...]",
    .about =
        "The older model of KRM functions, as \"kustomize fn run\" has it: resources with the "
        "annotation config.kubernetes.io/function are configurations of functions. Each sees the "
        "resources in or below its own folder (its parent, if that is called \"functions\"). "
        "Deeper ones run first. Without DIR a ResourceList comes from standard input and goes to "
        "standard output. Words behind -- are the data of the functionConfig of --image or "
        "--exec-path.",
    .flags = run_tables,
    .examples = "$ grapnel fn run DIR --enable-exec\n"
                "$ grapnel fn run DIR --image my/function:v1 --dry-run\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_run,
};
