#include "cli/go_template.h"

#include <ctype.h>

#include "cli/chart/release_print.h"
#include "expr/gotmpl/gotmpl.h"

int cli_go_template(str text, const struct doc_node *dot, struct buf *out, struct err *e)
{
    static const struct tmpl_options options;
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_STD);
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;

    if (tmpl_set_parse(set, STR("_"), text, e) < 0)
        return -1;
    run = tmpl_run_new(set, &options);
    return tmpl_run_exec(run, STR("_"), tmpl_doc(dot, false), out, e);
}

/* "last_deployed" is LastDeployed, "import-values" ImportValues, "apiVersion" APIVersion. */
static str go_name(struct doc_set *set, str name)
{
    AUTO(buf_done) struct buf out = {0};
    bool is_start = true;

    if (str_drop_prefix(&name, STR("api")))
        buf_add_cstr(&out, "API");
    for (size_t i = 0; i < name.len; i++) {
        bool is_divider = name.p[i] == '_' || name.p[i] == '-';

        if (!is_divider)
            buf_add_char(&out, is_start ? (char)toupper((unsigned char)name.p[i]) : name.p[i]);
        is_start = is_divider;
    }
    return arena_dup(&set->arena, buf_view(&out));
}

/* Maps whose keys are the user's. */
static bool is_free(str key)
{
    return str_eq(key, STR("annotations")) || str_eq(key, STR("labels"));
}

/* Times print as Go's do. */
static bool is_time(str key)
{
    return str_ends(key, STR("_deployed")) || str_ends(key, STR("_at")) ||
           str_eq(key, STR("deleted"));
}

static struct doc_node *with_go_names(struct doc_set *set, str key, const struct doc_node *n,
                                      uint32_t depth)
{
    enum { DEEPEST = 32 };
    struct doc_node *ret;
    struct doc_iter it = doc_children(n);

    if (is_time(key) && doc_is_string(n)) {
        AUTO(buf_done) struct buf text = {0};

        cli_go_time(doc_text(n, STR_NONE), CLI_GO_STRING, &text);
        return doc_new_string(set, buf_view(&text));
    }
    if ((!doc_is_map(n) && !doc_is_list(n)) || is_free(key) || depth > DEEPEST)
        return doc_copy(set, n);
    ret = doc_is_map(n) ? doc_new_map(set) : doc_new_list(set);
    while (doc_next(&it))
        if (doc_is_map(n))
            doc_set_field(set, ret, go_name(set, it.key),
                          with_go_names(set, it.key, it.value, depth + 1));
        else
            doc_append(ret, with_go_names(set, STR_NONE, it.value, depth + 1));
    return ret;
}

/* Fields that JSON leaves out and Go has all the same. */
static void add_defaults(struct doc_set *set, struct doc_node *release)
{
    static const char lists[][18] = {"DeletePolicies", "OutputLogPolicies"};
    struct doc_iter it = doc_children(doc_get_lit(release, "Hooks"));

    while (doc_next(&it)) {
        if (!doc_get_lit(it.value, "Weight"))
            doc_set_int(set, it.value, STR("Weight"), 0);
        for (size_t i = 0; i < ARRAY_LEN(lists); i++)
            if (!doc_get(it.value, str_of(lists[i])))
                doc_set_field(set, it.value, str_of(lists[i]), doc_new_list(set));
    }
    if (!doc_get_lit(release, "Manifest"))
        doc_set_string(set, release, STR("Manifest"), STR(""));
}

struct doc_node *cli_release_dot(const struct chart_record *r, struct doc_set *set)
{
    static const char renamed[][13] = {"name",    "info",      "manifest",    "hooks",
                                       "version", "namespace", "apply_method"};
    struct doc_node *dot = doc_new_map(set);
    struct doc_node *release = doc_set_field(set, dot, STR("Release"), doc_new_map(set));
    struct doc_node *chart = doc_set_field(set, release, STR("Chart"), doc_new_map(set));
    const struct doc_node *values = doc_at(r->root, "chart/values");

    for (size_t i = 0; i < ARRAY_LEN(renamed); i++) {
        const struct doc_node *value = doc_get(r->root, str_of(renamed[i]));

        if (value)
            doc_set_field(set, release, go_name(set, str_of(renamed[i])),
                          with_go_names(set, STR_NONE, value, 0));
    }
    if (chart_record_metadata(r))
        doc_set_field(set, chart, STR("Metadata"),
                      with_go_names(set, STR_NONE, chart_record_metadata(r), 0));
    if (values)
        doc_set_field(set, chart, STR("Values"), doc_copy(set, values));
    doc_set_field(set, release, STR("Config"),
                  chart_record_config(r) ? doc_copy(set, chart_record_config(r))
                                         : doc_new_map(set));
    if (r->all_labels)
        doc_set_field(set, release, STR("Labels"), doc_copy(set, r->all_labels));
    add_defaults(set, release);
    return dot;
}
