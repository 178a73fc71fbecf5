/* grapnel fn source [DIR], grapnel fn sink DIR */
#include "cli/fn/flags.h"
#include "fn/annotate.h"
#include "fn/stream.h"
#include "sys/file.h"

enum { INPUT_LIMIT = 1 << 30 };

static const struct cli_flag source_flags[] = {
    {"output", CLI_CHOICE, "stdout|unwrap", "a ResourceList, or plain documents", 'o',
     "stdout unwrap", "stdout", false},
    {"fn-config", CLI_TEXT, "FILE", "a file with the functionConfig to put in", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const source_tables[] = {source_flags, cli_fn_kpt_flags, NULL};
static const struct cli_flag *const sink_tables[] = {NULL};

static int run_source(struct cli *cli, struct err *e)
{
    AUTO(cli_fn_done) struct cli_fn f = {0};
    str config = cli_text(cli, "fn-config");
    const char *dir = cli_fn_dir(cli);

    if (cli_fn_start(&f, cli, e) < 0)
        return -1;
    if (config.len) {
        f.list.function_config = cli_fn_config_file(f.set, config.p, e);
        if (!f.list.function_config)
            return -1;
    }
    return cli_fn_read(&f, dir, e) < 0 ? -1 : cli_fn_write(&f, dir, e);
}

const struct cli_command cli_fn_source = {
    .name = "fn source",
    .names = CLI_GRAPNEL | CLI_KPT,
    .summary = "Print the resources of a folder as a ResourceList",
    .arguments = "[DIR]",
    .about =
        "Reads the KRM files of DIR (default: the current folder) and prints a ResourceList, as "
        "functions take it: each resource with annotations that say where it stands. Files are "
        "*.yaml, *.yml, *.json and Kptfile; .krmignore files hide some of them.",
    .flags = source_tables,
    .examples = "$ grapnel fn source DIR | my-function | grapnel fn sink OUT\n"
                "$ grapnel fn source DIR -o unwrap\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_source,
};

/* A ResourceList, or plain documents. */
static int read_stream(struct cli_fn *f, struct err *e)
{
    static const struct fn_stream_options options = {.adds_seqindent = true};
    AUTO(fn_stream_done) struct fn_stream stream = {0};
    AUTO(buf_done) struct buf text = {0};

    if (file_read("-", INPUT_LIMIT, &text, e) < 0 ||
        fn_stream_read(f->set, buf_view(&text), &options, "standard input", &stream, e) < 0)
        return -1;
    for (size_t i = 0; i < stream.list.items.len; i++) {
        struct doc_node *item = stream.list.items.v[i];
        struct fn_spellings spellings = fn_spellings_of(item);

        if (fn_check_resource(item, fn_path_of(item), e) < 0 ||
            fn_spellings_check(&spellings, e) < 0)
            return err_wrap(e, "standard input: items[%zu]", i);
        vec_push(&f->list.items, item);
    }
    return 0;
}

static int run_sink(struct cli *cli, struct err *e)
{
    AUTO(cli_fn_done) struct cli_fn f = {0};

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "name the folder to write");
    if (cli_fn_start(&f, cli, e) < 0 || read_stream(&f, e) < 0)
        return -1;
    return cli_fn_write_new(&f, cli->arguments.v[0].p, e);
}

const struct cli_command cli_fn_sink = {
    .name = "fn sink",
    .names = CLI_GRAPNEL | CLI_KPT,
    .summary = "Write a ResourceList into files",
    .arguments = "DIR",
    .about =
        "Reads a ResourceList, or plain documents, from standard input and writes the files that "
        "their annotations name into DIR, which must not be there. A resource without a path gets "
        "[NAMESPACE/]KIND_NAME.yaml.",
    .flags = sink_tables,
    .examples = "$ grapnel fn source DIR | my-function | grapnel fn sink OUT\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_sink,
};
