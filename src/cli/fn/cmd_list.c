/* grapnel fn exec NAME, grapnel fn list, grapnel fn doc NAME */
#include "cli/fn/flags.h"
#include "cli/output.h"
#include "fn/container.h"
#include "sys/file.h"
#include "sys/proc.h"

enum { INPUT_LIMIT = 1 << 30 };

static const struct cli_flag *const no_flags[] = {NULL};

static const struct fn_native *native_of(const struct cli *cli, struct err *e)
{
    const struct fn_native *native =
        cli->arguments.len ? fn_native_by_image(cli_natives(), cli->arguments.v[0]) : NULL;

    if (!cli->arguments.len)
        err_set(e, ERR_USAGE, "name a function; \"%s fn list\" shows them", cli->program);
    else if (!native)
        err_set(e, ERR_USAGE, "there is no native function \"%.*s\"; \"%s fn list\" shows them",
                STR_ARG(cli->arguments.v[0]), cli->program);
    return native;
}

static int run_exec(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_list_done) struct fn_list list = {0};
    AUTO(buf_done) struct buf text = {0}, out = {0};
    AUTO(err_done) struct err failure = {0};
    const struct fn_native *native = native_of(cli, e);
    int rc;

    if (!native || file_read("-", INPUT_LIMIT, &text, e) < 0 ||
        fn_list_read(set, buf_view(&text), "standard input", &list, e) < 0)
        return -1;
    list.dir = "."; /* what its paths are below */
    rc = fn_native_run(native, &list, &failure);
    fn_list_emit(&list, &out);
    if (cli_print_raw(buf_view(&out), e) < 0)
        return -1;
    if (rc < 0)
        err_move(e, &failure);
    return rc;
}

const struct cli_command cli_fn_exec = {
    .name = "fn exec",
    .names = CLI_GRAPNEL,
    .summary = "Run a native function as a process",
    .arguments = "NAME",
    .about =
        "Reads a ResourceList from standard input, runs the native function on it and writes a "
        "ResourceList to standard output; the status is 1 when the function fails. Started under "
        "the name grapnel-fn-NAME, the program does the same.",
    .flags = no_flags,
    .examples = "$ grapnel fn source DIR | grapnel fn exec set-labels\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_exec,
};

static int run_list(struct cli *cli UNUSED, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    const struct fn_native *const *table = cli_natives();

    for (; table && *table; table++)
        buf_addf(&out, "%-30s %s\n", (*table)->name, (*table)->short_doc);
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_fn_list = {
    .name = "fn list",
    .names = CLI_GRAPNEL,
    .summary = "List the native functions",
    .arguments = "",
    .about =
        "Prints the functions that are part of the program, one a line. They run in the place of "
        "images of the same name, without a container.",
    .flags = no_flags,
    .examples = "$ grapnel fn list\n",
    .max_arguments = 0,
    .fails_with_one = true,
    .run = run_list,
};

/* What another image says about itself. */
static int print_image_help(struct cli *cli, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(str_vec_done) struct str_vec words = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    struct fn_runner runner = {0};
    struct fn_spec spec = {.image = cli->arguments.v[0]};
    const char **argv;
    str name;

    if (fn_container_argv(&arena, &runner, &spec, NULL, &words, &name, e) < 0)
        return -1;
    argv = ARENA_ARRAY(&arena, const char *, words.len + 2);
    for (size_t i = 0; i < words.len; i++)
        argv[i] = arena_cstr(&arena, words.v[i]);
    argv[words.len] = "--help";
    if (proc_run(&(struct proc_spec){.argv = argv}, &result, e) < 0) {
        fn_container_remove(&arena, words.v[0], name);
        return -1;
    }
    if (result.exit_code != 0)
        return err_set(e, ERR_IO,
                       "\"%.*s\" is no native function, and as an image it gives no help: %.*s",
                       STR_ARG(spec.image), STR_ARG(str_trim(buf_view(&result.err))));
    return cli_print(buf_view(&result.out), e);
}

static int run_doc(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    const struct fn_native *native;

    if (!cli->arguments.len && !cli_given(cli, "image"))
        return err_set(e, ERR_USAGE, "name a function");
    if (cli_given(cli, "image")) { /* as kpt spells it */
        cli->arguments.len = 0;
        vec_push(&cli->arguments, cli_text(cli, "image"));
    }
    native = fn_native_by_image(cli_natives(), cli->arguments.v[0]);
    if (!native)
        return print_image_help(cli, e);
    buf_addf(&out, "%s: %s\n\n%s\n", native->name, native->short_doc, native->doc);
    return cli_print(buf_view(&out), e);
}

static const struct cli_flag doc_flags[] = {
    {"image", CLI_TEXT, "IMAGE", "the function", 'i', "", "", false},
    {.name = ""},
};
static const struct cli_flag *const doc_tables[] = {doc_flags, NULL};

const struct cli_command cli_fn_doc = {
    .name = "fn doc",
    .names = CLI_GRAPNEL | CLI_KPT,
    .summary = "Print the documentation of a function",
    .arguments = "[NAME]",
    .about =
        "Prints what a native function does and how it is configured. Of another image it prints "
        "what the image says when it is run with --help.",
    .flags = doc_tables,
    .examples = "$ grapnel fn doc set-labels\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_doc,
};
