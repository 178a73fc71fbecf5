/* Reading the sources of apply, delete and helm steps (khook spec 5, 10.3, 11.2). */
#include "base/log.h"
#include "base/mem.h"
#include "expr/gotmpl/gotmpl.h"
#include "fetch/url.h"
#include "khook/act/action.h"
#include "khook/spec/inline.h"
#include "khook/spec/values.h"
#include "kustomize/build.h"
#include "sys/file.h"

#define MOST_BYTES ((size_t)64 << 20)

char *khook_path_of(const struct khook_context *ctx, str path)
{
    if (!ctx->base_dir.len || (path.len && path.p[0] == '/'))
        return mem_strndup(path.p, path.len);
    return str_printf("%.*s/%.*s", STR_ARG(ctx->base_dir), STR_ARG(path));
}

static int read_file(const struct khook_context *ctx, str path, struct buf *out, struct err *e)
{
    AUTO(mem_free_str) char *full = khook_path_of(ctx, path);
    AUTO(err_done) struct err why = {0};

    if (file_read(full, MOST_BYTES, out, &why) == 0)
        return 0;
    if (!ctx->base_dir.len && full[0] != '/' && why.kind == ERR_NOT_FOUND)
        return err_set(e, why.kind,
                       "%s; paths start at the folder you are in, with --base-dir spec at the "
                       "spec's own",
                       err_text(&why));
    err_move(e, &why);
    return -1;
}

static void log_warnings(const struct diag_list *warnings)
{
    for (size_t i = 0; i < warnings->len; i++)
        log_warn("warning of a kustomization", LOG_STR("origin", warnings->v[i].origin),
                 LOG_STR("text", warnings->v[i].text));
}

/* Built here and now, from files alone: remote bases are refused, nothing is run. */
static int build(const struct khook_context *ctx, str path, struct cancel *cancel, struct buf *out,
                 struct err *e)
{
    AUTO(mem_free_str) char *full = khook_path_of(ctx, path);
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    struct kustomize_options options = {.is_offline = true, .cancel = cancel};

    if (kustomize_build_run(full, &options, &result, e) < 0)
        return e->kind == ERR_UNAVAILABLE
                   ? err_wrap(e, "kustomize %s: only local bases work here", full)
                   : err_wrap(e, "kustomize %s", full);
    log_warnings(&result.warnings);
    return kustomize_result_print(&result, out, e);
}

struct source {
    struct buf text, name;
    struct khook_origin origin; /* its name is the one here */
};
static void source_done(struct source *s)
{
    buf_done(&s->text);
    buf_done(&s->name);
}
AUTO_VALUE(struct source, source_done)

/* The text of one source and where it is from; list is the field it stands in. */
static int source_text(const struct khook_context *ctx, const struct khook_source *s,
                       const char *list, size_t entry, struct cancel *cancel, struct source *ret,
                       struct err *e)
{
    struct buf *text = &ret->text, *name = &ret->name;
    int rc = 0;

    if (s->kustomize.len) {
        buf_add_str(name, s->kustomize);
        rc = build(ctx, s->kustomize, cancel, text, e);
    } else if (s->file.len) {
        buf_add_str(name, s->file);
        rc = read_file(ctx, s->file, text, e);
    } else if (s->url.len) {
        fetch_url_display(s->url, name);
        rc = fetch_url(s->url, MOST_BYTES, cancel, text, e);
    } else {
        ret->origin = khook_origin_inline(&ctx->spec->text, ctx->spec->set,
                                          doc_get_lit(s->head.node, "inline"), name);
        buf_add_str(text, s->inline_text);
    }
    ret->origin.name = buf_cstr(name);
    return rc < 0 ? err_wrap(e, "%s[%zu]", list, entry) : 0;
}

static int load(const struct khook_context *ctx, const struct khook_blocks *manifests, bool network,
                struct cancel *cancel, struct khook_objects *ret, struct err *e)
{
    const struct khook_source *sources = manifests->v;
    bool left_out = false;

    khook_objects_init(ret);
    for (size_t i = 0; i < manifests->len; i++) {
        AUTO(source_done) struct source source = {0};

        if (!network && sources[i].url.len) {
            left_out = true;
            continue;
        }
        if (source_text(ctx, &sources[i], "manifests", i, cancel, &source, e) < 0 ||
            khook_manifests_parse(ret, buf_view(&source.text), i, &source.origin, e) < 0)
            return -1;
    }
    return left_out ? 0 : khook_objects_require(ret, e);
}

int khook_sources_load(const struct khook_context *ctx, const struct khook_blocks *manifests,
                       struct cancel *cancel, struct khook_objects *ret, struct err *e)
{
    return load(ctx, manifests, true, cancel, ret, e);
}

int khook_sources_load_local(const struct khook_context *ctx, const struct khook_blocks *manifests,
                             struct khook_objects *ret, struct err *e)
{
    return load(ctx, manifests, false, NULL, ret, e);
}

/* ---- values */

/* Integers stay integers: templates see an int64, as with helm's --set, where values files give
 * doubles. */
static void mark_integers(struct doc_set *set, struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    int64_t value;

    while (doc_next(&it))
        if (doc_type(it.value) == DOC_NUMBER && doc_to_int64(it.value, &value))
            doc_extra(set, it.value)->tag = TMPL_TAG_INT64;
        else
            mark_integers(set, it.value);
}

struct doc_node *khook_values_load(const struct khook_context *ctx, const struct khook_blocks *from,
                                   const struct doc_node *values, struct doc_set *set,
                                   struct cancel *cancel, struct err *e)
{
    const struct khook_source *sources = from->v;
    struct doc_node *all = doc_new_map(set);

    for (size_t i = 0; i < from->len; i++) {
        AUTO(source_done) struct source source = {0};
        AUTO(err_done) struct err why = {0};
        const struct doc_node *layer;

        if (source_text(ctx, &sources[i], "valuesFrom", i, cancel, &source, e) < 0)
            return NULL;
        layer = khook_values_parse(set, buf_view(&source.text), source.origin.name, &why);
        if (!layer) {
            khook_origin_error(&source.origin, &why, e);
            err_wrap(e, "valuesFrom[%zu]", i);
            return NULL;
        }
        khook_values_merge(set, all, layer);
    }
    khook_values_merge(set, all, values);
    mark_integers(set, all);
    return all;
}
