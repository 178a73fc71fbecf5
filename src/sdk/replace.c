#include "res/replace.h"

#include "re/re.h"
#include "res/scalar.h"
#include "sdk/sdk_priv.h"

/* Replacements among the items of a list (kustomize spec 12): who is the source, who the targets.
 * What happens at a field is res/replace.h, as in a build. */

enum { SELECTOR_PARTS = 5 };
static const char selector_keys[SELECTOR_PARTS][10] = {"group", "version", "kind", "name",
                                                       "namespace"};

static void id_parts(const struct doc_node *item, str *ret)
{
    struct res_id id = res_id_of(item);

    ret[0] = id.gvk.group;
    ret[1] = id.gvk.version;
    ret[2] = id.gvk.kind;
    ret[3] = id.name;
    ret[4] = res_effective_ns(&id);
}

static struct res_replace_options read_options(const struct doc_node *n)
{
    return (struct res_replace_options){
        .delimiter = doc_text(doc_get_lit(n, "delimiter"), STR_NONE),
        .index = doc_int(doc_get_lit(n, "index"), 0),
        .create = doc_bool(doc_get_lit(n, "create"), false),
    };
}

/* ---- the source: plain equality, exactly one */

static bool is_source(const struct doc_node *source, const struct doc_node *item)
{
    str parts[SELECTOR_PARTS];

    id_parts(item, parts);
    for (size_t i = 0; i < SELECTOR_PARTS; i++) {
        str want = doc_text(doc_get(source, str_of(selector_keys[i])), STR_NONE);

        if (want.len && !str_eq(want, parts[i]))
            return false;
    }
    return true;
}

static const char *source_name(gfn_ctx *ctx, const struct doc_node *source)
{
    AUTO(buf_done) struct buf text = {0};

    for (size_t i = 0; i < SELECTOR_PARTS; i++) {
        str want = doc_text(doc_get(source, str_of(selector_keys[i])), STR_NONE);

        if (want.len)
            buf_addf(&text, "%s%s %.*s", text.len ? ", " : "", selector_keys[i], STR_ARG(want));
    }
    return sdk_text(ctx, buf_view(&text));
}

static int find_source(gfn_ctx *ctx, const struct doc_node *source, struct doc_node **ret)
{
    gfn_iter it = gfn_items(ctx);
    size_t count = 0;

    while (gfn_next(&it))
        if (is_source(source, sdk_node(it.node)) && ++count == 1)
            *ret = sdk_node(it.node);
    if (count == 0)
        return gfn_fail(ctx, "nothing selected by the replacement source (%s)",
                        source_name(ctx, source));
    if (count > 1)
        return gfn_fail(ctx, "multiple matches for the replacement source (%s)",
                        source_name(ctx, source));
    return 0;
}

static int read_source(gfn_ctx *ctx, const struct doc_node *source, struct res_value *ret)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_path_done) struct doc_path path = {0};
    str text = doc_text(doc_get_lit(source, "fieldPath"), STR("metadata.name"));
    struct res_replace_options options = read_options(doc_get_lit(source, "options"));
    struct doc_node *item = NULL, *n;

    if (find_source(ctx, source, &item) < 0)
        return -1;
    doc_path_split_smart(&ctx->arena, text, '.', &path);
    if (res_path_lookup(ctx->set, item, &path, path.len, &n, &e) < 0)
        return gfn_fail(ctx, "replacement source: %s", err_text(&e));
    if (doc_is_null(n) || (!doc_is_scalar(n) && !doc_len(n)))
        return gfn_result(ctx, GFN_ERROR, sdk_handle(ctx, item), sdk_text(ctx, text),
                          "fieldPath `%.*s` is missing for replacement source (%s)", STR_ARG(text),
                          source_name(ctx, source));
    *ret = (struct res_value){.set = ctx->set, .node = n, .text = res_scalar_text(ctx->set, n)};
    if (options.delimiter.len && res_value_take_part(ret, &options, &e) < 0)
        return gfn_fail(ctx, "replacement source: %s", err_text(&e));
    return 0;
}

static int read_value(gfn_ctx *ctx, const struct doc_node *entry, struct res_value *ret)
{
    const struct doc_node *source = doc_get_lit(entry, "source");
    const struct doc_node *value = doc_get_lit(entry, "sourceValue");

    if (doc_get_lit(entry, "path"))
        return gfn_fail(ctx, "replacements of a function stand in it, not in a file at a path");
    if (!doc_is_list(doc_get_lit(entry, "targets")) || (!source && !value))
        return gfn_fail(ctx, "replacements must specify a source and at least one target");
    if (source && value)
        return gfn_fail(ctx, "value and resource selectors are mutually exclusive in replacement");
    if (source)
        return read_source(ctx, source, ret);
    *ret = (struct res_value){.set = ctx->set, .text = doc_text(value, STR_NONE)};
    ret->node = doc_new_string(ctx->set, ret->text);
    return 0;
}

/* ---- targets: whole-string patterns and label selectors */

struct selector {
    struct re *parts[SELECTOR_PARTS]; /* NULL: any */
    struct res_selector labels, annotations;
    bool has_parts, has_marks;
};

static void selector_done(struct selector *s)
{
    for (size_t i = 0; i < SELECTOR_PARTS; i++)
        re_free(s->parts[i]);
    res_selector_done(&s->labels);
    res_selector_done(&s->annotations);
}
AUTO_VALUE(struct selector, selector_done)

static int selector_read(gfn_ctx *ctx, const struct doc_node *n, struct selector *ret)
{
    AUTO(err_done) struct err e = {0};
    str labels = doc_text(doc_get_lit(n, "labelSelector"), STR_NONE);
    str annotations = doc_text(doc_get_lit(n, "annotationSelector"), STR_NONE);

    ret->has_marks = labels.len || annotations.len;
    for (size_t i = 0; i < SELECTOR_PARTS; i++) {
        str text = doc_text(doc_get(n, str_of(selector_keys[i])), STR_NONE);

        if (text.len == 0)
            continue;
        ret->has_parts = true;
        ret->parts[i] = re_compile(text, 0, &e);
        if (!ret->parts[i])
            return gfn_fail(ctx, "replacement target: %s: %s", selector_keys[i], err_text(&e));
    }
    if (res_label_selector_parse_kyaml(labels, &ret->labels, &e) < 0 ||
        res_label_selector_parse_kyaml(annotations, &ret->annotations, &e) < 0)
        return gfn_fail(ctx, "replacement target: %s", err_text(&e));
    return 0;
}

static bool parts_match(const struct selector *s, const struct doc_node *item)
{
    str parts[SELECTOR_PARTS];

    id_parts(item, parts);
    for (size_t i = 0; i < SELECTOR_PARTS; i++)
        if (s->parts[i] && !re_match_full(s->parts[i], parts[i]))
            return false;
    return true;
}

static bool marks_match(const struct selector *s, const struct doc_node *item)
{
    const struct doc_node *meta = doc_get_lit(item, "metadata");

    return res_selector_matches(&s->labels, doc_get_lit(meta, "labels")) &&
           res_selector_matches(&s->annotations, doc_get_lit(meta, "annotations"));
}

struct selectors {
    struct selector *v;
    size_t len, cap;
};

static void selectors_done(struct selectors *s)
{
    for (size_t i = 0; i < s->len; i++)
        selector_done(&s->v[i]);
    vec_done(s);
}
AUTO_VALUE(struct selectors, selectors_done)

/* Upstream rejects by marks and by ids apart: a rejection that gives both rejects what either
 * fits. */
static bool is_rejected(const struct selectors *rejects, const struct doc_node *item)
{
    for (size_t i = 0; i < rejects->len; i++) {
        const struct selector *s = &rejects->v[i];

        if ((s->has_marks && marks_match(s, item)) || (s->has_parts && parts_match(s, item)))
            return true;
    }
    return false;
}

/* ---- setting */

struct setter {
    gfn_ctx *ctx;
    const struct res_value *value;
    struct res_replace_options options;
};

static int set_found(const struct setter *s, struct doc_node *item, const struct doc_path *path,
                     const struct res_path_options *find, struct err *e)
{
    struct res_places places = {0};
    int rc = res_path_find(item, path, 0, find, &places, e);

    if (rc == 0 && !places.len)
        rc = err_set(e, ERR_NOT_FOUND, "there is no such field");
    for (size_t i = 0; rc == 0 && i < places.len; i++)
        rc = res_value_set(s->ctx->set, &places.v[i], s->value, &s->options, e);
    vec_done(&places);
    res_scalar_settle(s->ctx->set, item);
    return rc;
}

static int set_field(const struct setter *s, struct doc_node *item, str text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_path_done) struct doc_path path = {0};
    struct res_path_options find = {
        .set = s->ctx->set,
        .create = s->options.create,
        .made = doc_type(s->value->node),
        .is_fixed = true,
    };
    int rc;

    doc_path_split_smart(&s->ctx->arena, text, '.', &path);
    rc = res_value_set_inside(s->ctx->set, item, &path, &find, s->value, &s->options, &e);
    if (rc == RES_INSIDE_DONE)
        return 0;
    if (rc == RES_INSIDE_NOT)
        rc = set_found(s, item, &path, &find, &e);
    if (rc == 0)
        return 0;
    return gfn_result(s->ctx, GFN_ERROR, sdk_handle(s->ctx, item), sdk_text(s->ctx, text),
                      "unable to find%s field \"%.*s\" in replacement target: %s",
                      find.create ? " or create" : "", STR_ARG(text),
                      e.kind == ERR_NONE ? "there is no such field" : err_text(&e));
}

static int set_fields(const struct setter *s, struct doc_node *item, const struct doc_node *paths)
{
    struct doc_iter it = doc_children(paths);

    if (doc_len(paths) == 0)
        return set_field(s, item, STR("metadata.name"));
    while (doc_next(&it))
        if (set_field(s, item, doc_text(it.value, STR_NONE)) < 0)
            return -1;
    return 0;
}

static int apply_target(gfn_ctx *ctx, const struct res_value *value, const struct doc_node *target)
{
    AUTO(selector_done) struct selector select = {0};
    AUTO(selectors_done) struct selectors rejects = {0};
    struct setter s = {ctx, value, read_options(doc_get_lit(target, "options"))};
    struct doc_iter reject = doc_children(doc_get_lit(target, "reject"));
    gfn_iter it = gfn_items(ctx);

    if (!doc_is_map(doc_get_lit(target, "select")))
        return gfn_fail(ctx, "a replacement target must specify resources to select");
    if (selector_read(ctx, doc_get_lit(target, "select"), &select) < 0)
        return -1;
    while (doc_next(&reject))
        if (selector_read(ctx, reject.value, vec_add(&rejects)) < 0)
            return -1;
    while (gfn_next(&it)) {
        struct doc_node *item = sdk_node(it.node);

        if (parts_match(&select, item) && marks_match(&select, item) &&
            !is_rejected(&rejects, item) &&
            set_fields(&s, item, doc_get_lit(target, "fieldPaths")) < 0)
            return -1;
    }
    return 0;
}

int gfn_replace(gfn_ctx *ctx, gfn_node replacements)
{
    struct doc_iter entries = doc_children(sdk_node(replacements));

    if (!gfn_is_list(replacements))
        return gfn_fail(ctx, "replacements must be a list");
    while (doc_next(&entries)) {
        struct doc_iter it = doc_children(doc_get_lit(entries.value, "targets"));
        struct res_value value = {0};

        if (read_value(ctx, entries.value, &value) < 0)
            return -1;
        while (doc_next(&it))
            if (apply_target(ctx, &value, it.value) < 0)
                return -1;
    }
    return 0;
}
