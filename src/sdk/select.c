#include "re/re.h"
#include "res/fieldspec.h"
#include "sdk/sdk_priv.h"

/* Selecting objects, regular expressions, globs, field specs. */

const gfn_labels *gfn_labels_parse(gfn_ctx *ctx, const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct gfn_labels *labels = ARENA_NEW(&ctx->arena, struct gfn_labels);

    if (res_label_selector_parse(str_of(text), &labels->selector, &e) < 0) {
        gfn_fail(ctx, "selector \"%s\": %s", text, err_text(&e));
        return NULL;
    }
    labels->next = ctx->labels;
    ctx->labels = labels;
    return labels;
}

static bool is_text(const struct doc_node *n, const char *want)
{
    return !want || str_eq(doc_text(n, STR_NONE), str_of(want));
}

bool gfn_match(gfn_node object, const gfn_selector *s)
{
    const struct doc_node *at = sdk_node(object), *meta = doc_get_lit(at, "metadata");

    return at && is_text(doc_get_lit(at, "apiVersion"), s->api_version) &&
           is_text(doc_get_lit(at, "kind"), s->kind) &&
           is_text(doc_get_lit(meta, "name"), s->name) &&
           is_text(doc_get_lit(meta, "namespace"), s->ns) &&
           (!s->labels ||
            res_selector_matches(&s->labels->selector, doc_get_lit(meta, "labels"))) &&
           (!s->annotations ||
            res_selector_matches(&s->annotations->selector, doc_get_lit(meta, "annotations")));
}

/* ---- regular expressions */

gfn_regex *gfn_regex_new(gfn_ctx *ctx, const char *pattern)
{
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = re_compile(str_of(pattern), 0, &e);
    struct gfn_regex *made;

    if (!re) {
        gfn_fail(ctx, "%s", err_text(&e));
        return NULL;
    }
    made = ARENA_NEW(&ctx->arena, struct gfn_regex);
    *made = (struct gfn_regex){TAKE(re), ctx, ctx->regexes};
    ctx->regexes = made;
    return made;
}

bool gfn_regex_match(const gfn_regex *re, const char *text)
{
    return re_match(re->re, str_of(text));
}

size_t gfn_regex_groups(const gfn_regex *re) { return re_group_count(re->re); }

bool gfn_regex_find(const gfn_regex *re, const char *text, const char **groups, size_t count)
{
    size_t all = re_group_count(re->re) + 1;
    struct re_span *spans = ARENA_ARRAY(&re->ctx->arena, struct re_span, all);

    for (size_t i = 0; i < count; i++)
        groups[i] = NULL;
    if (!re_find(re->re, str_of(text), 0, spans, all))
        return false;
    for (size_t i = 0; i < MIN(count, all); i++)
        if (spans[i].from >= 0)
            groups[i] = sdk_text(
                re->ctx, (str){text + spans[i].from, (size_t)(spans[i].to - spans[i].from)});
    return true;
}

const char *gfn_regex_replace(const gfn_regex *re, const char *text, const char *with)
{
    AUTO(buf_done) struct buf out = {0};

    re_replace_all(re->re, str_of(text), str_of(with), &out);
    return sdk_text(re->ctx, buf_view(&out));
}

/* ---- field specs */

struct visit {
    gfn_ctx *ctx;
    gfn_field_fn *fn;
    void *user;
};

static int visit_field(void *ctx, struct doc_set *set UNUSED, struct doc_node *field, struct err *e)
{
    struct visit *v = ctx;

    /* The visitor has reported why. */
    return v->fn(v->user, sdk_handle(v->ctx, field)) < 0 ? err_set(e, ERR_CANCELED, "ended") : 0;
}

int gfn_each_field(gfn_node object, const gfn_field_spec *spec, enum gfn_type made,
                   gfn_field_fn *visit, void *user)
{
    static const enum doc_type types[] = {
        [GFN_NONE] = DOC_NULL,     [GFN_NULL] = DOC_NULL,     [GFN_BOOL] = DOC_STRING,
        [GFN_NUMBER] = DOC_STRING, [GFN_STRING] = DOC_STRING, [GFN_LIST] = DOC_LIST,
        [GFN_MAP] = DOC_MAP,
    };
    AUTO(err_done) struct err e = {0};
    struct visit v = {object.ctx, visit, user};
    struct res_field_spec s = {
        .gvk = {str_of(spec->group), str_of(spec->version), str_of(spec->kind)},
        .path = str_of(spec->path),
        .create = spec->create,
    };

    if (!object.at)
        return 0;
    if (res_field_spec_visit(object.ctx->set, sdk_node(object), &s, types[made], visit_field, &v,
                             &e) == 0)
        return 0;
    if (e.kind != ERR_CANCELED)
        gfn_result(object.ctx, GFN_ERROR, object, NULL, "%s", err_text(&e));
    return -1;
}

int gfn_field_spec_read(gfn_node spec, gfn_field_spec *ret)
{
    *ret = (gfn_field_spec){
        .group = gfn_get_str(spec, "group", ""),
        .version = gfn_get_str(spec, "version", ""),
        .kind = gfn_get_str(spec, "kind", ""),
        .path = gfn_get_str(spec, "path", ""),
        .create = gfn_get_bool(spec, "create", false),
    };
    return *ret->path ? 0 : gfn_fail(spec.ctx, "functionConfig: a field spec has no path");
}
