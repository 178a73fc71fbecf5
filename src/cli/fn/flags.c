#include "cli/fn/flags.h"

#include "cli/output.h"
#include "doc/parse.h"
#include "sys/file.h"

enum { INPUT_LIMIT = 1 << 30 };

const struct cli_flag cli_fn_run_flags[] = {
    {"results-dir", CLI_TEXT, "DIR", "write the functions' results to DIR/results.yaml", 0, "", "",
     false},
    {"image-pull-policy", CLI_CHOICE, "POLICY", "when to pull images", 0,
     "Always IfNotPresent Never", "IfNotPresent", false},
    {"truncate-output", CLI_SWITCH, "", "show at most four lines of each function's output", 0, "",
     "true", false},
    {"timeout", CLI_DURATION, "TIME", "end a function that takes longer", 0, "", "5m", false},
    {"no-builtins", CLI_SWITCH, "", "never use a native function in the place of an image", 0, "",
     "false", false},
    {.name = ""},
};

const struct cli_flag cli_fn_container_flags[] = {
    {"env", CLI_LIST, "NAME[=VALUE]", "an environment variable for the container", 'e', "", "",
     false},
    {"mount", CLI_LIST, "OPTIONS", "a mount: type=bind,src=DIR,dst=DIR[,rw=true]", 0, "", "",
     false},
    {"network", CLI_SWITCH, "", "give containers the network", 0, "", "false", false},
    {"network-name", CLI_TEXT, "NAME", "the network to give them", 0, "", "", false},
    {"as-current-user", CLI_SWITCH, "", "run containers as you, not as nobody", 0, "", "false",
     false},
    {.name = ""},
};

const struct cli_flag cli_fn_output_flags[] = {
    {"output", CLI_TEXT, "stdout|unwrap|DIR",
     "print a ResourceList or plain documents, or write to a new folder, and leave the input alone",
     'o', "", "", false},
    {.name = ""},
};

const struct cli_flag cli_fn_kpt_flags[] = {
    {"include-meta-resources", CLI_SWITCH, "", "no effect: Kptfiles are always read", 'm', "",
     "false", false},
    {"allow-alpha-wasm", CLI_SWITCH, "", "no effect: wasm functions are refused", 0, "", "false",
     false},
    {.name = ""},
};

/* ---- the runner */

static int read_mounts(struct cli_fn *f, struct err *e)
{
    AUTO(str_vec_done) struct str_vec texts = {0};

    cli_list(f->cli, "mount", &texts);
    for (size_t i = 0; i < texts.len; i++)
        if (fn_mount_parse(texts.v[i], vec_add(&f->mounts), e) < 0)
            return -1;
    f->runner.mounts = f->mounts.v;
    f->runner.mount_count = f->mounts.len;
    f->runner.allows_mounts = f->mounts.len > 0;
    return 0;
}

static int read_container_flags(struct cli_fn *f, struct err *e)
{
    str name = cli_text(f->cli, "network-name");

    cli_list(f->cli, "env", &f->envs);
    f->runner.envs = &f->envs;
    f->runner.allows_network = cli_switch(f->cli, "network");
    f->runner.network_name = name.len ? arena_cstr(&f->set->arena, name) : NULL;
    f->runner.as_current_user = cli_switch(f->cli, "as-current-user");
    return read_mounts(f, e);
}

static void read_run_flags(struct cli_fn *f)
{
    str policy = cli_text(f->cli, "image-pull-policy");

    f->runner.pull = str_eq(policy, STR("Always"))  ? FN_PULL_ALWAYS
                     : str_eq(policy, STR("Never")) ? FN_PULL_NEVER
                                                    : FN_PULL_MISSING;
    f->runner.timeout_ms = cli_int(f->cli, "timeout");
    f->runner.natives = cli_switch(f->cli, "no-builtins") ? NULL : cli_natives();
    f->is_short = cli_switch(f->cli, "truncate-output");
}

int cli_fn_start(struct cli_fn *f, struct cli *cli, struct err *e)
{
    f->cli = cli;
    f->set = doc_set_new();
    f->list.set = f->set;
    f->package.set = f->set;
    fn_results_init(&f->results);
    f->runner.natives = cli_natives();
    f->runner.container_flag = f->runner.exec_flag = "a flag";
    if (cli_has_flag(cli, "truncate-output"))
        read_run_flags(f);
    if (cli_has_flag(cli, "mount") && read_container_flags(f, e) < 0)
        return -1;
    f->cancel = cancel_new(NULL, CLOCK_NEVER);
    f->runner.cancel = f->cancel;
    f->signals = signal_start(f->cancel, NULL, NULL, e);
    return f->signals ? 0 : -1;
}

void cli_fn_done(struct cli_fn *f)
{
    signal_stop(f->signals);
    cancel_free(f->cancel);
    fn_results_done(&f->results);
    fn_list_done(&f->list);
    fn_package_done(&f->package);
    str_vec_done(&f->envs);
    vec_done(&f->mounts);
    doc_set_free(f->set);
    *f = (struct cli_fn){0};
}

/* fn_event_fn: prints to stderr and notes the results. ctx: struct cli_fn. */
static void cli_fn_event(void *ctx, const struct fn_event *event)
{
    struct cli_fn *f = ctx;
    AUTO(buf_done) struct buf text = {0};

    fn_event_print(event, f->is_short, &text);
    cli_say(buf_view(&text));
    if (event->type == FN_EVENT_DONE)
        fn_results_add(&f->results, event);
}

struct fn_pipeline cli_fn_pipeline(struct cli_fn *f, const char *dir)
{
    bool is_stdin = !strcmp(dir, "-");

    return (struct fn_pipeline){.runner = &f->runner,
                                .set = f->set,
                                .package = is_stdin ? NULL : &f->package,
                                .dir = is_stdin ? NULL : dir,
                                .event = cli_fn_event,
                                .ctx = f};
}

int cli_fn_end(struct cli_fn *f, int rc, struct err *e)
{
    str dir = cli_text(f->cli, "results-dir");
    AUTO(err_done) struct err second = {0};

    if (!dir.len ||
        fn_results_save(&f->results, arena_cstr(&f->set->arena, dir), rc < 0 ? &second : e) == 0)
        return rc;
    if (rc < 0)
        cli_print_error(&second);
    return -1;
}

/* ---- input */

const char *cli_fn_dir(const struct cli *cli)
{
    return cli->before_dashes ? cli->arguments.v[0].p : ".";
}

struct doc_node *cli_fn_config_file(struct doc_set *set, const char *path, struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(buf_done) struct buf text = {0};
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (file_read(path, INPUT_LIMIT, &text, e) < 0 ||
        doc_parse_all(set, buf_view(&text), &options, path, &roots, e) < 0)
        return NULL;
    if (roots.len == 1 && doc_is_map(roots.v[0]))
        return roots.v[0];
    err_set(e, ERR_INVALID, "%s: a functionConfig file must hold exactly one object", path);
    return NULL;
}

int cli_fn_arguments(const struct cli_fn *f, struct doc_node **ret, struct err *e)
{
    const struct str_vec *args = &f->cli->arguments;
    struct doc_node *data = doc_new_map(f->set), *config;
    str kind = STR_NONE;

    for (size_t i = f->cli->before_dashes; i < args->len; i++) {
        str value, key = str_cut(args->v[i], '=', &value);

        if (value.p)
            doc_set_string(f->set, data, key, value);
        else if (i == f->cli->before_dashes)
            kind = key;
        else
            return err_set(e, ERR_USAGE, "function argument \"%.*s\" must be key=value",
                           STR_ARG(args->v[i]));
    }
    config = fn_config_map(f->set, data);
    if (kind.len)
        doc_set_string(f->set, config, STR("kind"), kind);
    *ret = config;
    return 0;
}

int cli_fn_read(struct cli_fn *f, const char *dir, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (strcmp(dir, "-") != 0)
        return fn_package_read(f->set, dir, &f->package, &f->list.items, e);
    if (file_read("-", INPUT_LIMIT, &text, e) < 0)
        return -1;
    return fn_list_read(f->set, buf_view(&text), "standard input", &f->list, e);
}

/* ---- output */

int cli_fn_print_unwrapped(struct cli_fn *f, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    for (size_t i = 0; i < f->list.items.len; i++) {
        if (i)
            buf_add_cstr(&out, "---\n");
        fn_package_print(&f->package, f->list.items.v[i], &out);
    }
    return cli_print_raw(buf_view(&out), e);
}

static int print_list(struct cli_fn *f, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    f->list.results = NULL;
    fn_list_emit(&f->list, &out);
    return cli_print_raw(buf_view(&out), e);
}

static int check_new(const char *dir, struct err *e)
{
    return file_exists(dir) ? err_set(e, ERR_EXISTS, "folder \"%s\" already exists", dir) : 0;
}

int cli_fn_check_output(const struct cli_fn *f, struct err *e)
{
    str output = cli_text(f->cli, "output");

    if (!output.len || str_eq(output, STR("unwrap")) || str_eq(output, STR("stdout")))
        return 0;
    return check_new(arena_cstr(&f->set->arena, output), e);
}

int cli_fn_write_new(struct cli_fn *f, const char *dir, struct err *e)
{
    AUTO(fn_changes_done) struct fn_changes changes = {0};

    if (check_new(dir, e) < 0)
        return -1;
    fn_place(f->set, &f->list.items, STR_NONE);
    if (fn_check_places(&f->list.items, e) < 0 ||
        fn_package_changes(&f->package, &f->list.items, true, &changes, e) < 0 ||
        file_mkdirs(dir, 0777, e) < 0)
        return -1;
    return fn_changes_write(&changes, dir, e);
}

int cli_fn_write(struct cli_fn *f, const char *dir, struct err *e)
{
    AUTO(fn_changes_done) struct fn_changes changes = {0};
    str output = cli_text(f->cli, "output");

    if (str_eq(output, STR("unwrap")))
        return cli_fn_print_unwrapped(f, e);
    if (str_eq(output, STR("stdout")) || (!output.len && !strcmp(dir, "-")))
        return print_list(f, e);
    if (output.len)
        return cli_fn_write_new(f, arena_cstr(&f->set->arena, output), e);
    if (fn_package_changes(&f->package, &f->list.items, false, &changes, e) < 0)
        return -1;
    return fn_changes_write(&changes, dir, e);
}
