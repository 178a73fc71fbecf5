/* grapnel cfg cat|count|grep */
#include "cli/fn/flags.h"
#include "cli/kustomize/cfg_flags.h"
#include "cli/output.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "fn/annotate.h"
#include "fn/stream.h"
#include "sys/file.h"

/* ---- count */

static const struct cli_flag count_flags[] = {
    {"kind", CLI_SWITCH, "", "count each kind on its own", 0, "", "true", false},
    {.name = ""},
};
static const struct cli_flag *const count_tables[] = {count_flags, cli_cfg_flags, NULL};

static str kind_of(const struct doc_node *item)
{
    return doc_text(doc_get_lit(item, "kind"), STR_NONE);
}

static int by_kind(const void *a, const void *b)
{
    return str_cmp(kind_of(*(struct doc_node *const *)a), kind_of(*(struct doc_node *const *)b));
}

static void count_kinds(struct doc_list *items, struct buf *out)
{
    size_t count = 0;

    vec_sort(items, by_kind);
    for (size_t i = 0; i < items->len; i++) {
        str kind = kind_of(items->v[i]);

        count++;
        if (i + 1 < items->len && str_eq(kind_of(items->v[i + 1]), kind))
            continue;
        buf_addf(out, "%.*s: %zu\n", STR_ARG(kind), count);
        count = 0;
    }
}

static int run_count(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list items = {0};
    AUTO(buf_done) struct buf out = {0};
    const char *path = cli_cfg_path(cli, 0);

    if (kustomize_cfg_read(set, path, cli_switch(cli, "recurse-subpackages"), &items, e) < 0)
        return -1;
    if (cli->arguments.len)
        buf_addf(&out, "%.*s/\n", STR_ARG(str_trim_right(str_of(path), "/")));
    if (cli_switch(cli, "kind"))
        count_kinds(&items, &out);
    else
        buf_addf(&out, "%zu\n", items.len);
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_cfg_count = {
    .name = "cfg count",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Count the resources of a folder",
    .arguments = "[DIR]",
    .about = "Counts the resources in the YAML files of a folder or in a file, by kind. Without "
             "DIR it reads standard input when that is a pipe or a file, else the current folder.",
    .flags = count_tables,
    .examples = "$ grapnel cfg count manifests/\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_count,
};

/* ---- grep */

static const struct cli_flag grep_flags[] = {
    {"annotate", CLI_SWITCH, "", "say in annotations which file and document it was", 0, "", "true",
     false},
    {"invert-match", CLI_SWITCH, "", "those that do not match", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const grep_tables[] = {grep_flags, cli_cfg_flags, NULL};

static int print_items(struct doc_set *set, const struct doc_list *items,
                       const struct fn_stream_format *format, struct buf *out, struct err *e)
{
    struct fn_list list = {.set = set, .items = *items}; /* borrowed for the call */

    fn_stream_write(&list, format, out);
    return cli_print(buf_view(out), e);
}

static int run_grep(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list items = {0}, found = {0};
    AUTO(kustomize_query_free) struct kustomize_query *query = NULL;
    AUTO(buf_done) struct buf out = {0};
    bool inverts = cli_switch(cli, "invert-match"), annotates = cli_switch(cli, "annotate");
    struct fn_stream_format format = {.keeps_index = annotates};

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "name the query: \"kind=Deployment\"");
    query = kustomize_query_parse(cli->arguments.v[0], e);
    if (!query || kustomize_cfg_read(set, cli_cfg_path(cli, 1),
                                     cli_switch(cli, "recurse-subpackages"), &items, e) < 0)
        return -1;
    for (size_t i = 0; i < items.len; i++) {
        if (kustomize_query_matches(query, items.v[i]) == inverts)
            continue;
        if (!annotates)
            fn_unannotate_all(items.v[i]);
        vec_push(&found, items.v[i]);
    }
    return print_items(set, &found, &format, &out, e);
}

const struct cli_command cli_cfg_grep = {
    .name = "cfg grep",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Print the resources that match a query",
    .arguments = "QUERY [DIR]",
    .about =
        "Prints the resources of a folder, a file or standard input that match. A query is a path "
        "of fields and what is to be there: metadata.name=web with a regular expression, "
        "spec.replicas>2 (also >=, <, <=) with a quantity, or the path alone. An item of a list "
        "is named by a field of it: spec.ports[port=80].name. A dot that belongs to a name or "
        "value is written \\.",
    .flags = grep_tables,
    .examples = "$ grapnel cfg grep 'kind=^Deployment$' manifests/\n"
                "$ grapnel cfg grep 'spec.replicas>2' manifests/ | grapnel cfg tree\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run_grep,
};

/* ---- cat */

static const struct cli_flag cat_flags[] = {
    {"annotate", CLI_SWITCH, "", "say in annotations which file and document it was", 0, "", "",
     false},
    {"format", CLI_SWITCH, "", "put fields into their usual order", 0, "", "true", false},
    {"dest", CLI_TEXT, "FILE", "write to this file", 0, "", "", false},
    {"wrap-kind", CLI_TEXT, "KIND", "print a list of this kind", 0, "", "", false},
    {"wrap-version", CLI_TEXT, "VERSION", "apiVersion of that list", 0, "", "", false},
    {"function-config", CLI_TEXT, "FILE", "functionConfig of that list", 0, "", "", false},
    {"strip-comments", CLI_SWITCH, "", "leave comments out", 0, "", "", false},
    {"style", CLI_LIST, "STYLE",
     "FlowStyle: resources stand in braces; TaggedStyle: behind !!map; others change nothing", 0,
     "", "", false},
    {.name = ""},
};
static const struct cli_flag *const cat_tables[] = {cat_flags, cli_cfg_local_flags, cli_cfg_flags,
                                                    NULL};

/* The order of the fields is the native function's. */
static int format_items(struct doc_set *set, struct doc_list *items, struct err *e)
{
    const struct fn_native *format = fn_native_by_image(cli_natives(), STR("format"));
    struct fn_list list = {.set = set, .items = *items};
    int rc;

    if (!format)
        return 0;
    rc = format->run(&list, e);
    *items = list.items;
    return rc;
}

static int strip_comments(struct doc_set *set, struct doc_list *items, struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML};

    for (size_t i = 0; i < items->len; i++) {
        AUTO(doc_list_done) struct doc_list again = {0};
        AUTO(buf_done) struct buf text = {0};

        doc_emit(items->v[i], DOC_EMIT_KYAML, &text);
        if (doc_parse_all(set, buf_view(&text), &options, "resource", &again, e) < 0)
            return -1;
        if (again.len == 1)
            items->v[i] = again.v[0];
    }
    return 0;
}

static bool has_style(const struct cli *cli, const char *style)
{
    AUTO(str_vec_done) struct str_vec values = {0};

    cli_list(cli, "style", &values);
    for (size_t i = 0; i < values.len; i++)
        for (str rest = values.v[i]; rest.p;)
            if (str_eq(str_cut(rest, ',', &rest), str_of(style)))
                return true;
    return false;
}

/* Upstream sets the style of the outermost node alone, where most styles mean nothing. */
static void apply_styles(const struct cli *cli, struct doc_set *set, struct doc_list *items)
{
    bool is_flow = has_style(cli, "FlowStyle"), is_tagged = has_style(cli, "TaggedStyle");

    for (size_t i = 0; i < items->len; i++) {
        if (is_flow)
            items->v[i]->style = DOC_FLOW;
        if (is_tagged)
            doc_extra(set, items->v[i])->tag = STR("tag:yaml.org,2002:map");
    }
}

static int cat(struct cli *cli, struct doc_set *set, struct doc_list *items, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    struct fn_stream_format format = {.kind = cli_text(cli, "wrap-kind"),
                                      .api_version = cli_text(cli, "wrap-version"),
                                      .keeps_index = cli_switch(cli, "annotate")};
    str config = cli_text(cli, "function-config");
    struct fn_list list = {.set = set};

    if (config.len && !(list.function_config = cli_fn_config_file(set, config.p, e)))
        return -1;
    if (cli_switch(cli, "format") && format_items(set, items, e) < 0)
        return -1;
    for (size_t i = 0; !format.keeps_index && i < items->len; i++)
        fn_unannotate_all(items->v[i]);
    if (cli_switch(cli, "strip-comments") && strip_comments(set, items, e) < 0)
        return -1;
    apply_styles(cli, set, items);
    list.items = *items; /* borrowed for the call */
    fn_stream_write(&list, &format, &out);
    if (!cli_given(cli, "dest"))
        return cli_print(buf_view(&out), e);
    return file_replace(cli_text(cli, "dest").p, buf_view(&out), NULL, e);
}

static int run_cat(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list items = {0}, shown = {0};

    if (kustomize_cfg_read(set, cli_cfg_path(cli, 0), cli_switch(cli, "recurse-subpackages"),
                           &items, e) < 0)
        return -1;
    for (size_t i = 0; i < items.len; i++)
        if (cli_cfg_is_shown(cli, items.v[i]))
            vec_push(&shown, items.v[i]);
    return cat(cli, set, &shown, e);
}

const struct cli_command cli_cfg_cat = {
    .name = "cfg cat",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Print the resources of a folder",
    .arguments = "[DIR]",
    .about = "Prints the resources in the YAML files of a folder, in a file or on standard input, "
             "comments included, with fields in their usual order.",
    .flags = cat_tables,
    .examples = "$ grapnel cfg cat manifests/\n"
                "$ grapnel cfg cat manifests/ --wrap-kind ResourceList "
                "--wrap-version config.kubernetes.io/v1\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_cat,
};
