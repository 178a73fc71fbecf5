#include "re/re.h"
#include "sdk/sdk_priv.h"

/* Selecting objects; regular expressions. */

static void free_selector(void *p) { res_selector_done(p); }
static void free_regex(void *p) { re_free(p); }

const gfn_labels *gfn_labels_parse(gfn_ctx *ctx, const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct gfn_labels *labels = ARENA_NEW(&ctx->arena, struct gfn_labels);

    if (res_label_selector_parse(str_of(text), &labels->selector, &e) < 0) {
        gfn_fail(ctx, "selector \"%s\": %s", text, err_text(&e));
        return NULL;
    }
    sdk_own(ctx, &labels->selector, free_selector);
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
    *made = (struct gfn_regex){TAKE(re), ctx};
    sdk_own(ctx, made->re, free_regex);
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
