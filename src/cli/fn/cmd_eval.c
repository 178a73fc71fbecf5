/* grapnel fn eval [DIR | -] */
#include "cli/fn/flags.h"
#include "fn/tag.h"
#include "sys/file.h"

enum { KPTFILE_LIMIT = 16 << 20 };

static const struct cli_flag own_flags[] = {
    {"image", CLI_TEXT, "IMAGE", "the function, as a container image or a native one's name", 'i',
     "", "", false},
    {"tag", CLI_TEXT, "TAG", "the image's tag", 0, "", "", false},
    {"exec", CLI_TEXT, "COMMAND", "the function, as an executable and its arguments", 0, "", "",
     false},
    {"fn-config", CLI_TEXT, "FILE", "a file with the functionConfig", 0, "", "", false},
    {"save", CLI_SWITCH, "", "put the function into the Kptfile's pipeline too", 's', "", "false",
     false},
    {"type", CLI_CHOICE, "TYPE", "where to save it", 't', "mutator validator", "mutator", false},
    {"match-api-version", CLI_TEXT, "VERSION", "only resources of this apiVersion", 0, "", "",
     false},
    {"match-kind", CLI_TEXT, "KIND", "only resources of this kind", 0, "", "", false},
    {"match-name", CLI_TEXT, "NAME", "only resources of this name", 0, "", "", false},
    {"match-namespace", CLI_TEXT, "NAME", "only resources of this namespace", 0, "", "", false},
    {"match-labels", CLI_LIST, "KEY=VALUE", "only resources with this label", 0, "", "", false},
    {"match-annotations", CLI_LIST, "KEY=VALUE", "only resources with this annotation", 0, "", "",
     false},
    {"exclude-api-version", CLI_TEXT, "VERSION", "no resources of this apiVersion", 0, "", "",
     false},
    {"exclude-kind", CLI_TEXT, "KIND", "no resources of this kind", 0, "", "", false},
    {"exclude-name", CLI_TEXT, "NAME", "no resources of this name", 0, "", "", false},
    {"exclude-namespace", CLI_TEXT, "NAME", "no resources of this namespace", 0, "", "", false},
    {"exclude-labels", CLI_LIST, "KEY=VALUE", "no resources with this label", 0, "", "", false},
    {"exclude-annotations", CLI_LIST, "KEY=VALUE", "no resources with this annotation", 0, "", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {own_flags,        cli_fn_output_flags,
                                                     cli_fn_run_flags, cli_fn_container_flags,
                                                     cli_fn_kpt_flags, NULL};

/* ---- the function */

static int read_function(const struct cli_fn *f, struct fn_step *step, struct err *e)
{
    static const char *const container_only[] = {"env", "mount", "network", "network-name",
                                                 "as-current-user"};
    struct cli *cli = f->cli;

    step->spec.image = cli_text(cli, "image");
    step->spec.exec = cli_text(cli, "exec");
    if (!step->spec.image.len == !step->spec.exec.len)
        return err_set(e, ERR_USAGE, "must specify --image or --exec%s",
                       step->spec.image.len ? ", not both" : "");
    for (size_t i = 0; i < ARRAY_LEN(container_only) && step->spec.exec.len; i++)
        if (cli_given(cli, container_only[i]))
            return err_set(e, ERR_USAGE, "--%s can only be used with container functions",
                           container_only[i]);
    if (step->spec.image.len && cli_text(cli, "tag").len &&
        fn_use_tag(&f->set->arena, &step->spec, cli_text(cli, "tag"), e) < 0)
        return err_wrap(e, "--tag");
    step->name = step->spec.image.len ? step->spec.image : step->spec.exec;
    step->spec.wants_network = f->runner.allows_network;
    if (step->spec.image.len)
        step->spec.native = fn_native_by_image(f->runner.natives, step->spec.image);
    return 0;
}

static int read_config(const struct cli_fn *f, struct doc_node **ret, struct err *e)
{
    str file = cli_text(f->cli, "fn-config");
    bool has_arguments = f->cli->arguments.len > f->cli->before_dashes;

    *ret = NULL;
    if (file.len && has_arguments)
        return err_set(e, ERR_USAGE,
                       "function arguments can only be specified without function config file");
    if (has_arguments)
        return cli_fn_arguments(f, ret, e);
    if (!file.len)
        return 0;
    *ret = cli_fn_config_file(f->set, file.p, e);
    return *ret ? 0 : -1;
}

/* ---- what it sees */

static int read_pairs(const struct cli *cli, const char *flag, struct fn_selector *s, bool is_label,
                      struct err *e)
{
    AUTO(str_vec_done) struct str_vec texts = {0};

    cli_list(cli, flag, &texts);
    for (size_t i = 0; i < texts.len; i++) {
        str rest = texts.v[i];

        while (rest.p) {
            str value, one = str_cut(rest, ',', &rest), key = str_cut(one, '=', &value);

            if (!value.p)
                return err_set(e, ERR_USAGE, "--%s \"%.*s\" must be key=value", flag, STR_ARG(one));
            if (is_label)
                vec_push(&s->labels, {key, value});
            else
                vec_push(&s->annotations, {key, value});
        }
    }
    return 0;
}

static int read_selector(const struct cli *cli, const char *const flags[6], struct fn_selector *s,
                         struct err *e)
{
    s->api_version = cli_text(cli, flags[0]);
    s->kind = cli_text(cli, flags[1]);
    s->name = cli_text(cli, flags[2]);
    s->ns = cli_text(cli, flags[3]);
    if (read_pairs(cli, flags[4], s, true, e) < 0)
        return -1;
    return read_pairs(cli, flags[5], s, false, e);
}

static int read_selection(const struct cli *cli, struct fn_selection *ret, struct err *e)
{
    static const char *const match[6] = {"match-api-version", "match-kind",   "match-name",
                                         "match-namespace",   "match-labels", "match-annotations"};
    static const char *const exclude[6] = {"exclude-api-version", "exclude-kind",
                                           "exclude-name",        "exclude-namespace",
                                           "exclude-labels",      "exclude-annotations"};
    struct fn_selector *s = vec_add(&ret->selectors);

    if (read_selector(cli, match, s, e) < 0 ||
        read_selector(cli, exclude, vec_add(&ret->exclude), e) < 0)
        return -1;
    if (fn_selector_is_empty(s)) {
        fn_selector_done(s);
        ret->selectors.len = 0;
    }
    return 0;
}

/* ---- saving it */

static void add_text(struct doc_set *set, struct doc_node *map, const char *key, str text)
{
    if (text.len)
        doc_set_string(set, map, str_of(key), text);
}

static void add_pairs(struct doc_set *set, struct doc_node *map, const char *key,
                      const struct fn_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        doc_set_string(set, doc_ensure_map(set, map, str_of(key)), pairs[i].key, pairs[i].value);
}

static void add_selector(struct doc_set *set, struct doc_node *entry, const char *field,
                         const struct fn_selector *s)
{
    struct doc_node *map = doc_new_map(set);

    if (fn_selector_is_empty(s))
        return;
    add_text(set, map, "apiVersion", s->api_version);
    add_text(set, map, "kind", s->kind);
    add_text(set, map, "name", s->name);
    add_text(set, map, "namespace", s->ns);
    add_pairs(set, map, "labels", s->labels.v, s->labels.len);
    add_pairs(set, map, "annotations", s->annotations.v, s->annotations.len);
    doc_append(doc_ensure_list(set, entry, str_of(field)), map);
}

/* The config's path below the package. */
static int config_path(const struct cli_fn *f, const char *dir, str *ret, struct err *e)
{
    str file = cli_text(f->cli, "fn-config");
    char *root = realpath(dir, NULL), *path = realpath(file.p, NULL);
    str below = arena_dup(&f->set->arena, str_of(path));
    bool is_inside =
        root && path && str_drop_prefix(&below, str_of(root)) && str_drop_prefix(&below, STR("/"));

    free(root);
    free(path);
    if (!is_inside)
        return err_set(e, ERR_INVALID, "cannot save: \"%.*s\" is not in the package",
                       STR_ARG(file));
    *ret = below;
    return 0;
}

static int make_entry(const struct cli_fn *f, const char *dir, const struct fn_step *step,
                      const struct doc_node *config, struct doc_node *entry, struct err *e)
{
    str path = STR_NONE;

    add_text(f->set, entry, "image", step->spec.image);
    add_text(f->set, entry, "exec", step->spec.exec);
    if (cli_text(f->cli, "fn-config").len) {
        if (config_path(f, dir, &path, e) < 0)
            return -1;
        add_text(f->set, entry, "configPath", path);
    } else if (doc_len(doc_get_lit(config, "data"))) {
        doc_set_field(f->set, entry, STR("configMap"),
                      doc_copy(f->set, doc_get_lit(config, "data")));
    }
    for (size_t i = 0; i < step->selection.selectors.len; i++)
        add_selector(f->set, entry, "selectors", &step->selection.selectors.v[i]);
    for (size_t i = 0; i < step->selection.exclude.len; i++)
        add_selector(f->set, entry, "exclude", &step->selection.exclude.v[i]);
    return 0;
}

/* The Kptfile as it is, with the function in it. */
static int add_to_kptfile(const struct cli_fn *f, const char *dir, const struct fn_step *step,
                          const struct doc_node *config, struct buf *ret, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, text = {0};
    struct doc_node *entry = doc_new_map(f->set);
    bool is_mutator = str_eq(cli_text(f->cli, "type"), STR("mutator"));

    buf_addf(&path, "%s/Kptfile", dir);
    if (make_entry(f, dir, step, config, entry, e) < 0 ||
        file_read(buf_cstr(&path), KPTFILE_LIMIT, &text, e) < 0 ||
        fn_kptfile_save(buf_view(&text), is_mutator ? "mutators" : "validators", entry, ret, e) < 0)
        return err_wrap(e, "save the function");
    return 0;
}

static int save(const struct cli_fn *f, const char *dir, const struct fn_step *step,
                const struct doc_node *config, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, text = {0};

    buf_addf(&path, "%s/Kptfile", dir);
    if (add_to_kptfile(f, dir, step, config, &text, e) < 0)
        return -1;
    return file_replace(buf_cstr(&path), buf_view(&text), NULL, e);
}

/* What would fail only once the files are written. */
static int check_targets(const struct cli_fn *f, const char *dir, const struct fn_step *step,
                         const struct doc_node *config, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (cli_fn_check_output(f, e) < 0)
        return -1;
    return cli_switch(f->cli, "save") ? add_to_kptfile(f, dir, step, config, &text, e) : 0;
}

/* ---- the command */

static int eval(struct cli_fn *f, struct fn_step *step, struct err *e)
{
    const char *dir = cli_fn_dir(f->cli);
    bool saves = cli_switch(f->cli, "save");
    struct fn_pipeline pipeline = cli_fn_pipeline(f, dir);
    struct doc_node *config;
    int rc;

    if (f->cli->before_dashes > 1)
        return err_set(e, ERR_USAGE,
                       "\"fn eval\" takes one folder; arguments of the function go "
                       "behind \"--\"");
    if (saves && !strcmp(dir, "-"))
        return err_set(e, ERR_USAGE, "--save needs a folder");
    if (read_function(f, step, e) < 0 || read_config(f, &config, e) < 0 ||
        read_selection(f->cli, &step->selection, e) < 0 ||
        check_targets(f, dir, step, config, e) < 0 || cli_fn_read(f, dir, e) < 0)
        return -1;
    pipeline.api_version = f->list.api_version;
    rc = fn_pipeline_step(&pipeline, step, config ? config : f->list.function_config, true,
                          &f->list.items, e);
    if (rc == 0)
        rc = cli_fn_write(f, dir, e);
    if (rc == 0 && saves)
        rc = save(f, dir, step, config, e);
    return rc;
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_fn_done) struct cli_fn f = {0};
    AUTO(fn_step_done) struct fn_step step = {0};

    if (cli_fn_start(&f, cli, e) < 0)
        return -1;
    f.runner.allows_container = f.runner.allows_exec = true;
    return cli_fn_end(&f, eval(&f, &step, e), e);
}

const struct cli_command cli_fn_eval = {
    .name = "fn eval",
    .names = CLI_GRAPNEL | CLI_KPT,
    .summary = "Run one function on a folder",
    .arguments = "[DIR | -] [-- KEY=VALUE ...]",
    .about =
        "Runs a function on the resources of DIR (default: the current folder) and writes back "
        "what "
        "has changed, byte for byte as it was elsewhere. Nothing is written when the function "
        "fails. With \"-\" a ResourceList comes from standard input and goes to standard "
        "output.\n\n"
        "An image that names one of the native functions (see \"grapnel fn list\") runs in the "
        "program itself; other images run through docker, podman or nerdctl. Words behind \"--\" "
        "become the data of a ConfigMap, the functionConfig.",
    .flags = flag_tables,
    .examples =
        "$ grapnel fn eval DIR --image set-labels:v0.2 -- app=web\n"
        "$ grapnel fn eval DIR --exec ./my-function --fn-config config.yaml\n"
        "$ grapnel fn eval DIR -i set-namespace --match-kind Deployment -s -- namespace=prod\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
