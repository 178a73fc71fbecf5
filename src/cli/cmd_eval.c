/* grapnel eval template|cel|jsonpath EXPRESSION: try an expression on a file */
#include "base/diag.h"
#include "chart/explain.h"
#include "cli/cel_table.h"
#include "cli/output.h"
#include "cli/template_table.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "expr/cel/cel.h"
#include "expr/gotmpl/gotmpl.h"
#include "expr/jsonpath/jsonpath.h"
#include "sys/clock.h"
#include "sys/env.h"
#include "sys/file.h"
#include "sys/random.h"

#define INPUT_LIMIT ((size_t)256 << 20)
static const struct cli_flag data_flags[] = {
    {"file", CLI_TEXT, "FILE", "YAML or JSON to evaluate on, \"-\" for standard input", 'f', "", "",
     false},
    {.name = ""},
};

static int unreadable(struct err *e, const char *what)
{
    e->kind = ERR_USAGE; /* ends with 2, like a wrong flag */
    return err_wrap(e, "%s", what);
}

/* The first document of --file; NULL without the flag. */
static int read_data(const struct cli *cli, struct doc_set *set, struct doc_node **ret,
                     struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_VALUES,
                                                     .flags = DOC_KEEP_EMPTY};
    AUTO(buf_done) struct buf text = {0};
    AUTO(doc_list_done) struct doc_list docs = {0};
    str file = cli_text(cli, "file");

    *ret = NULL;
    if (!file.len)
        return 0;
    if (file_read(file.p, INPUT_LIMIT, &text, e) < 0)
        return unreadable(e, "read the data");
    if (doc_parse_all(set, buf_view(&text), &options, file.p, &docs, e) < 0)
        return -1;
    *ret = docs.len ? docs.v[0] : NULL;
    return 0;
}

static int print_line(struct buf *out, struct err *e)
{
    if (out->len && out->p[out->len - 1] != '\n')
        buf_add_char(out, '\n');
    return cli_print(buf_view(out), e);
}

/* ---- templates */

#define PROFILES "std sprig chart operator pipeline"
static const struct cli_flag template_flags[] = {
    {"from", CLI_TEXT, "FILE", "read the template from a file in place of the argument", 0, "", "",
     false},
    {"functions", CLI_CHOICE, "SET", "which functions there are", 0, PROFILES, "chart", false},
    {"missing-key", CLI_CHOICE, "WAY", "what a key that is not there gives", 0,
     "default zero error", "zero", false},
    {"list", CLI_SWITCH, "", "print the functions as a Markdown table with an example each", 0, "",
     "", false},
    {.name = ""},
};
static const struct cli_flag *const template_tables[] = {data_flags, template_flags, NULL};

static int64_t now_ns(void *ctx UNUSED) { return clock_wall_us() * 1000; }
static void fill(void *ctx UNUSED, void *p, size_t len) { random_bytes(p, len); }
static const char *get_env(void *ctx UNUSED, const char *name) { return env_get(name); }

/* The place of a flag's word among its choices. */
static int choice_of(const struct cli *cli, const char *flag, const char *choices)
{
    str word = cli_text(cli, flag);
    int at = 0;

    for (str rest = str_of(choices); rest.p; at++)
        if (str_eq(str_cut(rest, ' ', &rest), word))
            break;
    return at;
}

static int parse(const struct cli *cli, struct tmpl_set *set, enum tmpl_profile profile,
                 struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    str from = cli_text(cli, "from");

    if ((cli->arguments.len == 0) == (from.len == 0))
        return err_set(e, ERR_USAGE, "give one template: as the argument or with --from");
    if (from.len && file_read(from.p, INPUT_LIMIT, &text, e) < 0)
        return unreadable(e, "read the template");
    if (from.len)
        return tmpl_set_parse(set, STR("template"), buf_view(&text), e);
    if (profile == TMPL_PIPELINE)
        return tmpl_set_parse_pipeline(set, STR("template"), cli->arguments.v[0], e);
    return tmpl_set_parse(set, STR("template"), cli->arguments.v[0], e);
}

static int run_template(struct cli *cli, struct err *e)
{
    enum tmpl_profile profile = (enum tmpl_profile)choice_of(cli, "functions", PROFILES);
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(profile);
    AUTO(doc_set_free) struct doc_set *docs = doc_set_new();
    AUTO(tmpl_run_free) struct tmpl_run *r = NULL;
    AUTO(buf_done) struct buf out = {0};
    struct tmpl_options options = {
        .missing = (enum tmpl_missing)choice_of(cli, "missing-key", "default zero error"),
        .drops_no_value = profile == TMPL_CHART,
        .host = {.now_ns = now_ns, .random = fill, .env = get_env, .zone = env_get("TZ")}};
    struct doc_node *data;

    if (cli_switch(cli, "list")) {
        template_table(profile, &out);
        return cli_print(buf_view(&out), e);
    }
    if (parse(cli, set, profile, e) < 0 || read_data(cli, docs, &data, e) < 0)
        return -1;
    r = tmpl_run_new(set, &options);
    if (tmpl_run_exec(r, STR("template"), data ? tmpl_doc(data, false) : TMPL_NOTHING, &out, e) < 0)
        return profile == TMPL_CHART ? chart_explain_failure(r, e) : -1;
    return print_line(&out, e);
}

const struct cli_command cli_eval_template = {
    .name = "eval template",
    .names = CLI_GRAPNEL,
    .summary = "Try a template on a file",
    .arguments = "[TEMPLATE]",
    .about = "Runs a Go template with the functions of charts, of sprig, of operators or of the "
             "pipelines of khook specs, and prints what it gives. The dot is the first document "
             "of the file; its numbers are floats, as charts see them.",
    .flags = template_tables,
    .examples = "$ grapnel eval template '{{ .image.tag | quote }}' -f values.yaml\n"
                "$ grapnel eval template --from templates/web.yaml -f values.yaml\n"
                "$ grapnel eval template --list --functions pipeline\n",
    .max_arguments = 1,
    .run = run_template,
};

/* ---- JSONPath */

static const struct cli_flag path_flags[] = {
    {"json", CLI_SWITCH, "", "print the results as JSON", 0, "", "", false},
    {"allow-missing", CLI_SWITCH, "", "keys that are not there give nothing", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const path_tables[] = {data_flags, path_flags, NULL};

static int run_jsonpath(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *docs = doc_set_new();
    AUTO(buf_done) struct buf text = {0}, out = {0};
    AUTO(jsonpath_free) struct jsonpath *path = NULL;
    unsigned flags = (cli_switch(cli, "json") ? JSONPATH_JSON : 0) |
                     (cli_switch(cli, "allow-missing") ? JSONPATH_ALLOW_MISSING : 0);
    struct doc_node *data;

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "give one expression: '{.items[*].metadata.name}'");
    if (!cli_text(cli, "file").len)
        return err_set(e, ERR_USAGE, "give the file to evaluate on with -f");
    if (str_find_char(cli->arguments.v[0], '{') >= 0)
        buf_add_str(&text, cli->arguments.v[0]);
    else if (jsonpath_relaxed(cli->arguments.v[0], &text, e) < 0)
        return -1;
    path = jsonpath_compile(buf_view(&text), e);
    if (!path || read_data(cli, docs, &data, e) < 0 ||
        jsonpath_print(path, data, flags, &out, e) < 0)
        return -1;
    return print_line(&out, e);
}

const struct cli_command cli_eval_jsonpath = {
    .name = "eval jsonpath",
    .names = CLI_GRAPNEL,
    .summary = "Try a JSONPath expression on a file",
    .arguments = "EXPRESSION",
    .about = "Evaluates a template in kubectl's JSONPath language on the first document of a "
             "YAML or JSON file. A path alone needs neither braces nor the leading dot.",
    .flags = path_tables,
    .examples = "$ grapnel eval jsonpath '{.spec.containers[*].image}' -f pod.yaml\n"
                "$ kubectl get pods -o json | grapnel eval jsonpath .items[0].metadata.name -f -\n",
    .max_arguments = 1,
    .run = run_jsonpath,
};

/* ---- CEL */

static const struct cli_flag cel_flags[] = {
    {"json", CLI_SWITCH, "", "print texts as JSON too, in quotes", 0, "", "", false},
    {"functions", CLI_CHOICE, "SET", "all functions, or those of Kubernetes API servers alone", 0,
     "all kubernetes", "all", false},
    {"list", CLI_SWITCH, "", "print the functions as Markdown tables with an example each", 0, "",
     "", false},
    {.name = ""},
};
static const struct cli_flag *const cel_tables_of_flags[] = {data_flags, cel_flags, NULL};

static bool is_name(str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        bool is_letter = c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

        if (!is_letter && (i == 0 || c < '0' || c > '9'))
            return false;
    }
    return text.len > 0;
}

/* "self" is the document; its fields are names too, as far as names may be called so. */
static int declare(struct cel_env *env, const struct doc_node *data, struct err *e)
{
    struct doc_iter it = doc_children(doc_is_map(data) ? data : NULL);

    if (data && cel_env_declare(env, STR("self"), STR("dyn"), e) < 0)
        return -1;
    while (doc_next(&it))
        if (is_name(it.key) && !str_eq(it.key, STR("self")) &&
            cel_env_declare(env, it.key, STR("dyn"), e) < 0)
            return -1;
    return 0;
}

struct cel_input {
    const struct doc_node *data;
    struct arena *arena;
};

static bool look_up(void *ctx, str name, struct cel_value *ret)
{
    const struct cel_input *input = ctx;
    const struct doc_node *n = str_eq(name, STR("self")) ? input->data : doc_get(input->data, name);

    if (n)
        *ret = cel_of_node(input->arena, n);
    return n != NULL;
}

static int print_value(const struct cli *cli, struct arena *arena, const struct cel_value *value,
                       struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *n = cel_to_node(set, arena, value, e);

    if (!n)
        return -1;
    if (doc_is_string(n) && !cli_switch(cli, "json"))
        buf_add_str(&out, doc_string(n, STR_NONE));
    else
        doc_emit_json(n, 0, &out);
    return print_line(&out, e);
}

static int run_cel(struct cli *cli, struct err *e)
{
    bool is_kubernetes = str_eq(cli_text(cli, "functions"), STR("kubernetes"));
    AUTO(cel_env_free)
    struct cel_env *env = cel_env_new(is_kubernetes ? CEL_STRICT | CEL_KUBERNETES : 0, STR_NONE);
    AUTO(doc_set_free) struct doc_set *docs = doc_set_new();
    AUTO(cel_program_free) struct cel_program *program = NULL;
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(buf_done) struct buf table = {0};
    struct cel_input input = {.arena = &arena};
    struct doc_node *data;
    struct cel_value value;

    if (cli_switch(cli, "list")) {
        cel_table(&table);
        return cli_print(buf_view(&table), e);
    }
    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "give one expression: 'spec.replicas > 2'");
    if (read_data(cli, docs, &data, e) < 0 || declare(env, data, e) < 0)
        return -1;
    input.data = data;
    program = cel_compile_told(env, cli->arguments.v[0], &problems);
    if (!program)
        return err_diags(e, &problems);
    value = cel_eval(program, look_up, &input, &arena);
    return print_value(cli, &arena, &value, e);
}

const struct cli_command cli_eval_cel = {
    .name = "eval cel",
    .names = CLI_GRAPNEL,
    .summary = "Try a CEL expression on a file",
    .arguments = "EXPRESSION",
    .about = "Evaluates an expression of the Common Expression Language with the functions of its "
             "standard library, its extensions and Kubernetes. \"self\" is the first document of "
             "the file, and each of its fields is a name of its own. Texts are printed as they "
             "are, everything else as JSON.",
    .flags = cel_tables_of_flags,
    .examples = "$ grapnel eval cel 'spec.replicas > 2' -f deployment.yaml\n"
                "$ kubectl get pods -o json | grapnel eval cel "
                "'items.filter(p, p.status.phase != \"Running\").map(p, p.metadata.name)' -f -\n",
    .max_arguments = 1,
    .run = run_cel,
};
