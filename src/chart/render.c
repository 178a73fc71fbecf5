#include "chart/depend.h"
#include "chart/ignore.h"
#include "chart/render_priv.h"

void chart_release_done(struct chart_release *r)
{
    vec_done(&r->manifests);
    vec_done(&r->hooks);
    chart_files_done(&r->crds);
}

bool chart_is_crd(str name)
{
    return str_starts(name, STR("crds/")) &&
           (str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")) ||
            str_ends(name, STR(".json")));
}

void chart_collect_crds(struct doc_set *set, const struct chart *c, struct chart_files *ret)
{
    str full = chart_full_name(set, c);

    for (size_t i = 0; i < c->file_count; i++)
        if (chart_is_crd(c->files[i].name))
            vec_push(ret, {.name = arena_printf(&set->arena, "%.*s/%.*s", STR_ARG(full),
                                                STR_ARG(c->files[i].name)),
                           .text = c->files[i].text,
                           .modified_us = c->files[i].modified_us});
    for (size_t i = 0; i < c->child_count; i++)
        chart_collect_crds(set, c->children[i], ret);
}

static int read_all_late(struct doc_set *set, const struct chart *c, struct err *e)
{
    for (size_t i = 0; i < c->child_count; i++)
        if (read_all_late(set, c->children[i], e) < 0)
            return -1;
    return chart_read_late(set, c, e);
}

static int gather_crds(struct doc_set *set, const struct chart *c, struct chart_files *ret,
                       struct err *e)
{
    if (read_all_late(set, c, e) < 0)
        return -1;
    chart_collect_crds(set, c, ret);
    return 0;
}

/* Takes NOTES.txt out of the outputs: the top chart's is kept. */
static void take_notes(struct doc_set *set, const struct chart *c, bool with_subcharts,
                       struct chart_files *outputs, struct chart_release *ret)
{
    str own = arena_printf(&set->arena, "%.*s/templates/NOTES.txt", STR_ARG(c->name));
    AUTO(buf_done) struct buf notes = {0};
    size_t kept = 0;

    for (size_t i = 0; i < outputs->len; i++) {
        const struct chart_file *f = &outputs->v[i];

        if (!str_ends(f->name, STR("NOTES.txt"))) {
            outputs->v[kept++] = *f;
        } else if (with_subcharts || str_eq(f->name, own)) {
            if (notes.len)
                buf_add_char(&notes, '\n');
            buf_add_str(&notes, f->text);
        }
    }
    outputs->len = kept;
    ret->notes = arena_dup(&set->arena, buf_view(&notes));
}

static int tell_crds(struct chart_render_options *options, const struct chart_files *crds,
                     struct err *e)
{
    const struct chart_host *host = options->host;

    return host && host->crds ? host->crds(host->ctx, crds, options, e) : 0;
}

static int filter(struct doc_set *set, const struct chart_render_options *options,
                  struct chart_files *outputs, struct err *e)
{
    const struct chart_host *host = options->host;

    return host && host->filter ? host->filter(host->ctx, set, outputs, e) : 0;
}

int chart_render(struct doc_set *set, struct chart *c, const struct doc_node *values,
                 const struct chart_render_options *given, struct chart_release *ret, struct err *e)
{
    struct chart_render_options own = *given, *options = &own;
    AUTO(chart_files_done) struct chart_files outputs = {0};
    struct doc_node *all;

    if (chart_is_library(c))
        return err_set(e, ERR_INVALID, "library charts are not installable");
    if (chart_check_dependencies(c, e) < 0)
        return -1;
    if (chart_resolve(set, c, values, e) < 0) /* helm says so of installations only */
        return options->revision > 1 ? -1 : err_wrap(e, "chart dependencies processing failed");
    all = chart_coalesce_warning(set, c, values, e);
    if (!all || (!options->skips_schema && chart_check_schemas(set, c, all, e) < 0))
        return -1;
    if (!options->leaves_crds && gather_crds(set, c, &ret->crds, e) < 0)
        return -1;
    if (tell_crds(options, &ret->crds, e) < 0 ||
        chart_execute(set, c, all, options, &outputs, e) < 0)
        return -1;
    take_notes(set, c, options->renders_subchart_notes, &outputs, ret);
    if (filter(set, options, &outputs, e) < 0)
        return -1;
    return chart_sort_manifests(set, &outputs, ret, e);
}

/* ---- printing */

static const str print_head = STR_INIT("---\n# Source: ");

static void print_one(str path, str text, struct buf *out)
{
    buf_add_str(out, print_head);
    buf_add_str(out, path);
    buf_add_char(out, '\n');
    buf_add_str(out, text);
    buf_add_char(out, '\n');
}

static size_t print_size(str path, str text) { return print_head.len + path.len + text.len + 2; }

/* Large releases are some megabytes: the buffer grows once. */
static void make_room(const struct chart_release *r, struct buf *out)
{
    size_t size = 1;

    for (size_t i = 0; i < r->manifests.len; i++)
        size += print_size(r->manifests.v[i].path, r->manifests.v[i].text);
    for (size_t i = 0; i < r->hooks.len; i++)
        size += print_size(r->hooks.v[i].path, r->hooks.v[i].text);
    buf_grow(out, size);
}

void chart_release_print(const struct chart_release *r, unsigned flags, struct buf *out)
{
    size_t begin = out->len;

    make_room(r, out);
    for (size_t i = 0; i < r->crds.len && flags & CHART_PRINT_CRDS; i++)
        print_one(r->crds.v[i].name, r->crds.v[i].text, out);
    for (size_t i = 0; i < r->manifests.len; i++)
        print_one(r->manifests.v[i].path, r->manifests.v[i].text, out);
    /* What is printed begins with a dash: only its end can be blank. */
    buf_trunc(out, begin + str_trim(str_from(buf_view(out), begin)).len);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < r->hooks.len && !(flags & CHART_PRINT_NO_HOOKS); i++)
        if (!(flags & CHART_PRINT_NO_TESTS) || !chart_is_test(&r->hooks.v[i]))
            print_one(r->hooks.v[i].path, r->hooks.v[i].text, out);
}

/* The path inside the chart that the document's "# Source:" line names. */
static str source_of(str document)
{
    str line, path;

    while (str_next_line(&document, &line)) {
        ssize_t at = str_find(line, STR("# Source: "));

        if (at < 0)
            continue;
        str_cut(str_from(line, (size_t)at + 10), '/', &path);
        if (path.len)
            return path;
    }
    return STR_NONE;
}

int chart_print_only(str printed, const struct str_vec *patterns, struct buf *out, struct err *e)
{
    for (size_t i = 0; i < patterns->len; i++) {
        str document, rest = printed;
        bool found = false, is_valid;

        while (chart_next_document(&rest, &document)) {
            str source = source_of(document);

            if (!source.len || !chart_glob(patterns->v[i], source, &is_valid))
                continue;
            found = true;
            buf_addf(out, "---\n%.*s\n", STR_ARG(document));
        }
        if (!found)
            return err_set(e, ERR_NOT_FOUND, "could not find template %.*s in chart",
                           STR_ARG(patterns->v[i]));
    }
    return 0;
}
