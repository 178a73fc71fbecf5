#include "cli/chart/release_print.h"

#include "doc/emit.h"
#include "expr/gotmpl/zone.h"

/* ---- pieces */

void cli_go_time(str rfc3339, str layout, struct buf *out)
{
    AUTO(buf_done) struct buf why = {0};
    struct moment m;

    if (rfc3339.len && layout_parse(rfc3339, STR("2006-01-02T15:04:05Z07:00"), NULL, &m, &why))
        layout_format(m, layout, out);
}

void cli_chart_label(const struct chart_record *r, struct buf *out)
{
    str name = chart_record_chart_name(r), version = chart_record_chart_version(r);

    if (chart_record_metadata(r))
        buf_addf(out, "%.*s-%.*s", STR_ARG(name), STR_ARG(version));
    else
        buf_add_cstr(out, "MISSING");
}

void cli_print_tree(const struct doc_node *n, bool is_json, struct buf *out)
{
    if (!is_json) {
        doc_emit(n, DOC_EMIT_SORTED, out);
        return;
    }
    doc_emit_json(n, DOC_JSON_HTML, out);
    buf_add_char(out, '\n');
}

/* The members of a map, those of a list of names first and in its order. */
static struct doc_node *in_order(struct doc_set *set, const struct doc_node *map,
                                 const char *const *names)
{
    struct doc_node *ret = doc_new_map(set);
    struct doc_iter it = doc_children(map);

    for (; *names; names++) {
        const struct doc_node *value = doc_get(map, str_of(*names));

        if (value)
            doc_set_field(set, ret, str_of(*names), doc_copy(set, value));
    }
    while (doc_next(&it))
        if (!doc_get(ret, it.key))
            doc_set_field(set, ret, it.key, doc_copy(set, it.value));
    return ret;
}

struct doc_node *cli_release_tree(const struct chart_record *r, struct doc_set *set,
                                  const struct doc_node *resources)
{
    static const char *const members[] = {"name",      "info",         "config",
                                          "manifest",  "hooks",        "version",
                                          "namespace", "apply_method", NULL};
    static const char *const info[] = {"first_deployed", "last_deployed", "deleted",
                                       "description",    "status",        "rollback_revision",
                                       "notes",          "resources",     NULL};
    struct doc_node *tree = in_order(set, r->root, members), *config;
    struct doc_node *about = in_order(set, doc_get_lit(tree, "info"), info);

    doc_remove(tree, STR("chart"));
    if (doc_len(resources))
        doc_set_field(set, about, STR("resources"), doc_copy(set, resources));
    doc_set_field(set, tree, STR("info"), about);
    config = doc_get_lit(tree, "config");
    if (config)
        doc_sort_keys(config); /* a map in Go */
    return tree;
}

/* ---- the summary */

void cli_release_hooks(const struct chart_record *r, struct buf *out)
{
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};

    chart_record_hooks(r, &hooks);
    for (size_t i = 0; i < hooks.len; i++)
        buf_addf(out, "---\n# Source: %.*s\n%.*s\n", STR_ARG(hooks.v[i].path),
                 STR_ARG(hooks.v[i].manifest));
}

static void add_head(const struct chart_record *r, unsigned parts, struct buf *out)
{
    str status = chart_status_name(r->status), description = chart_record_description(r);

    buf_addf(out, "NAME: %.*s\n", STR_ARG(r->name));
    if (chart_record_last_deployed(r)) {
        buf_add_cstr(out, "LAST DEPLOYED: ");
        cli_go_time(chart_record_time_text(r, "last_deployed"), CLI_GO_ANSIC, out);
        buf_add_char(out, '\n');
    }
    buf_addf(out, "NAMESPACE: %.*s\nSTATUS: %.*s\nREVISION: %lld\n", STR_ARG(r->ns),
             STR_ARG(status), (long long)r->revision);
    if (parts & CLI_SUMMARY_CHART) {
        str name = chart_record_chart_name(r), version = chart_record_chart_version(r),
            app = chart_record_app_version(r);

        buf_addf(out, "CHART: %.*s\nVERSION: %.*s\nAPP_VERSION: %.*s\n", STR_ARG(name),
                 STR_ARG(version), STR_ARG(app));
    }
    buf_addf(out, "DESCRIPTION: %.*s\n", STR_ARG(description));
}

static void add_test(const struct chart_hook *hook, struct buf *out)
{
    const struct doc_node *run = doc_get_lit(hook->node, "last_run");

    buf_addf(out, "TEST SUITE:     %.*s\nLast Started:   ", STR_ARG(hook->name));
    cli_go_time(doc_text(doc_get_lit(run, "started_at"), STR("")), CLI_GO_ANSIC, out);
    buf_add_cstr(out, "\nLast Completed: ");
    cli_go_time(doc_text(doc_get_lit(run, "completed_at"), STR("")), CLI_GO_ANSIC, out);
    buf_addf(out, "\nPhase:          %.*s\n", STR_ARG(hook->phase));
}

static bool has_tests(const struct chart_hooks *hooks)
{
    for (size_t i = 0; i < hooks->len; i++)
        if (hooks->v[i].events & 1u << CHART_TEST)
            return true;
    return false;
}

/* Test hooks that have run, in the order of the record. */
static void add_tests(const struct chart_record *r, struct buf *out)
{
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};

    chart_record_hooks(r, &hooks);
    if (!has_tests(&hooks))
        buf_add_cstr(out, "TEST SUITE: None\n");
    for (size_t i = 0; i < hooks.len; i++)
        if (hooks.v[i].events & 1u << CHART_TEST && hooks.v[i].started_us)
            add_test(&hooks.v[i], out);
}

static int add_values(const struct chart_record *r, struct buf *out, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *all = chart_record_values(r, set, e);

    if (!all)
        return -1;
    buf_add_cstr(out, "USER-SUPPLIED VALUES:\n");
    doc_emit(chart_record_config(r), DOC_EMIT_SORTED, out);
    buf_add_cstr(out, "\nCOMPUTED VALUES:\n");
    doc_emit(all, DOC_EMIT_SORTED, out);
    buf_add_char(out, '\n');
    return 0;
}

int cli_release_summary(const struct chart_record *r, unsigned parts, str resources,
                        struct buf *out, struct err *e)
{
    str notes = str_trim(chart_record_notes(r)), manifest = chart_record_manifest(r);

    add_head(r, parts, out);
    if (resources.len)
        buf_addf(out, "RESOURCES:\n%.*s\n", STR_ARG(resources));
    add_tests(r, out);
    if (parts & CLI_SUMMARY_VALUES && add_values(r, out, e) < 0)
        return -1;
    if (parts & CLI_SUMMARY_MANIFEST) {
        buf_add_cstr(out, "HOOKS:\n");
        cli_release_hooks(r, out);
        buf_addf(out, "MANIFEST:\n%.*s\n", STR_ARG(manifest));
    }
    if (notes.len && !(parts & CLI_SUMMARY_NO_NOTES))
        buf_addf(out, "NOTES:\n%.*s\n", STR_ARG(notes));
    return 0;
}
