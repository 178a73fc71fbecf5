#include "kustomize/file/decode.h"
#include "kustomize/select.h"
#include "kustomize/transform.h"
#include "res/replace.h"
#include "res/scalar.h"

/* ---- messages */

static void print_selector(const struct kustomize_selector *s, struct buf *out)
{
    struct res_id id = {{s->group, s->version, s->kind}, s->name, s->ns};

    res_id_print(&id, out);
}

static int fail(struct kustomize_build *b, const struct doc_node *node, struct err *e)
{
    return kustomize_fail_at(b, node, e);
}

/* The nearest of the keys that a path's last found map has: "did you mean". */
static str nearest_key(const struct doc_set *set, const struct doc_node *root,
                       const struct doc_path *path)
{
    AUTO(str_vec_done) struct str_vec keys = {0};

    for (size_t steps = path->len; steps-- > 0;) {
        AUTO(err_done) struct err e = {0};
        struct doc_node *n;
        struct doc_iter it;

        if (res_path_lookup(set, root, path, steps, &n, &e) < 0 || !n)
            continue;
        it = doc_children(doc_is_map(n) ? n : NULL);
        while (doc_next(&it))
            vec_push(&keys, it.key);
        return diag_nearest(path->v[steps], keys.v, keys.len);
    }
    return STR_NONE;
}

/* ---- sources */

static bool selects_id(const struct kustomize_selector *s, const struct res_id *id)
{
    struct res_gvk gvk = {s->group, s->version, s->kind};

    return res_gvk_selected(&id->gvk, &gvk) && (!s->name.len || str_eq(s->name, id->name)) &&
           (!s->ns.len || str_eq(s->ns, res_effective_ns(id)));
}

static bool selects(const struct kustomize_selector *s, const struct kustomize_resource *r)
{
    for (uint32_t i = 0; i < r->previous_count; i++)
        if (selects_id(s, &r->previous[i]))
            return true;
    return selects_id(s, &r->id);
}

/* The names resources of the selector's kind have: for "did you mean". */
static str nearest_name(struct kustomize_resmap *m, const struct kustomize_selector *s)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    struct kustomize_resource *r;

    for (size_t at = 0; s->name.len && (r = kustomize_resmap_next(m, &at));)
        if (!s->kind.len || str_eq(s->kind, r->id.gvk.kind))
            vec_push(&names, kustomize_resource_original(r)->name);
    return diag_nearest(s->name, names.v, names.len);
}

static int find_source(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct kustomize_replacement_source *source,
                       struct kustomize_resource **ret, struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    AUTO(buf_done) struct buf id = {0};
    const struct kustomize_selector *s = &source->select;
    struct kustomize_resource *r;
    size_t count = 0;

    if (s->name.len)
        kustomize_resmap_by_name(m, s->name, &found);
    else
        for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
            vec_push(&found, r);
    for (size_t i = 0; i < found.len; i++)
        if (selects(s, found.v[i]) && ++count == 1)
            *ret = found.v[i];
    if (count == 1)
        return 0;
    print_selector(s, &id);
    if (source->field_path.len)
        buf_addf(&id, ":%.*s", STR_ARG(source->field_path));
    if (count) {
        err_set(e, ERR_CONFLICT, "multiple matches for selector %s", buf_cstr(&id));
    } else {
        err_set(e, ERR_NOT_FOUND, "nothing selected by %s", buf_cstr(&id));
        kustomize_suggest(e, nearest_name(m, s));
    }
    return fail(b, source->node, e);
}

static int fail_missing(struct kustomize_build *b,
                        const struct kustomize_replacement_source *source,
                        const struct kustomize_resource *r, str path_text,
                        const struct doc_path *path, struct err *e)
{
    AUTO(buf_done) struct buf id = {0};

    print_selector(&source->select, &id);
    err_set(e, ERR_NOT_FOUND, "fieldPath `%.*s` is missing for replacement source %s",
            STR_ARG(path_text), buf_cstr(&id));
    kustomize_suggest(e, nearest_key(r->set, r->root, path));
    return fail(b, source->node, e);
}

static bool is_nothing(const struct doc_node *n)
{
    return doc_is_null(n) || (!doc_is_scalar(n) && !doc_len(n));
}

static int read_source(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct kustomize_replacement_source *source, struct res_value *ret,
                       struct err *e)
{
    AUTO(doc_path_done) struct doc_path path = {0};
    str text = source->field_path.len ? source->field_path : STR("metadata.name");
    struct kustomize_resource *r = NULL;
    struct doc_node *n;

    if (find_source(b, m, source, &r, e) < 0)
        return -1;
    doc_path_split_smart(&b->set->arena, text, '.', &path);
    if (res_path_lookup(r->set, r->root, &path, path.len, &n, e) < 0) {
        err_wrap(e, "error looking up replacement source");
        return fail(b, source->node, e);
    }
    if (is_nothing(n))
        return fail_missing(b, source, r, text, &path, e);
    *ret = (struct res_value){.set = r->set, .node = n, .text = res_scalar_text(r->set, n)};
    if (source->options.delimiter.len && res_value_take_part(ret, &source->options, e) < 0)
        return fail(b, source->node, e);
    return 0;
}

static int read_value(struct kustomize_build *b, struct kustomize_resmap *m,
                      const struct kustomize_replacement *r, struct res_value *ret, struct err *e)
{
    /* an empty list counts only in a file of its own: upstream loses it on the way elsewhere */
    bool has_targets =
        r->targets.len || (r->is_from_file && !doc_is_null(doc_get_lit(r->node, "targets")));

    if ((!r->has_source && !r->has_source_value) || !has_targets) {
        err_set(e, ERR_INVALID, "replacements must specify a source and at least one target");
        return fail(b, r->node, e);
    }
    if (r->has_source && r->has_source_value) {
        err_set(e, ERR_INVALID,
                "value and resource selectors are mutually exclusive in replacement");
        return fail(b, r->node, e);
    }
    if (r->has_source)
        return read_source(b, m, &r->source, ret, e);
    *ret = (struct res_value){.set = b->set,
                              .node = res_scalar_new_loose(b->set, r->source_value, DOC_PLAIN),
                              .text = r->source_value,
                              .is_part = true};
    return 0;
}

/* ---- targets */

/* "unable to find field ...", around what is in e already. */
static int fail_field(const struct kustomize_resource *r, const struct doc_path *path, str text,
                      bool create, struct err *e)
{
    const char *what = create ? "unable to find or create field" : "unable to find field";

    if (e->kind != ERR_NONE)
        return err_wrap(e, "%s \"%.*s\" in replacement target", what, STR_ARG(text));
    err_set(e, ERR_NOT_FOUND, "%s \"%.*s\" in replacement target", what, STR_ARG(text));
    kustomize_suggest(e, nearest_key(r->set, r->root, path));
    return -1;
}

static int set_place(struct kustomize_resource *r, const struct res_place *place,
                     const struct res_value *source, const struct res_replace_options *options,
                     struct err *e)
{
    struct res_value value = *source;

    if (!value.is_part) /* it may have been a target itself since */
        value.text = res_scalar_text(value.set, value.node);
    return res_value_set(r->set, place, &value, options, e);
}

static int set_path(struct kustomize_resource *r, const struct res_value *value,
                    const struct kustomize_replacement_target *target, str text,
                    const struct doc_path *path, const struct res_path_options *find, struct err *e)
{
    struct res_places places = {0};
    int rc = res_value_set_inside(r->set, r->root, path, find, value, &target->options, e);

    if (rc == RES_INSIDE_MISSING)
        return fail_field(r, path, text, find->create, e);
    if (rc != RES_INSIDE_NOT)
        return rc < 0 ? -1 : 0;
    if (res_path_find(r->root, path, 0, find, &places, e) < 0 || !places.len)
        rc = fail_field(r, path, text, find->create, e);
    for (size_t i = 0; rc == 0 && i < places.len; i++)
        rc = set_place(r, &places.v[i], value, &target->options, e);
    vec_done(&places);
    return rc;
}

static int set_field(struct kustomize_build *b, struct kustomize_resource *r,
                     const struct res_value *value,
                     const struct kustomize_replacement_target *target, str text,
                     const struct doc_node *node, struct err *e)
{
    AUTO(doc_path_done) struct doc_path path = {0};
    bool has_searched = false;
    struct res_path_options find = {.set = r->set,
                                    .create = target->options.create,
                                    .made = doc_is_null(value->node) ? DOC_STRING
                                                                     : doc_type(value->node),
                                    .is_fixed = b->is_fixed,
                                    .ret_searched = &has_searched};

    doc_path_split_smart(&b->set->arena, text, '.', &path);
    if (set_path(r, value, target, text, &path, &find, e) < 0)
        return fail(b, node, e);
    if (has_searched)
        kustomize_warn(b, node, "KD-13",
                       "KD-13: a condition of \"%.*s\" is taken for a pattern and picks more than "
                       "what equals it; --compat fixed compares",
                       STR_ARG(text));
    return 0;
}

static int apply(struct kustomize_build *b, struct kustomize_resmap *m,
                 struct kustomize_resource *r, const struct res_value *value,
                 const struct kustomize_replacement_target *target, struct err *e)
{
    if (!target->field_paths.len &&
        set_field(b, r, value, target, STR("metadata.name"), target->node, e) < 0)
        return -1;
    for (size_t i = 0; i < target->field_paths.len; i++)
        if (set_field(b, r, value, target, target->field_paths.v[i].text,
                      target->field_paths.v[i].node, e) < 0)
            return -1;
    kustomize_resmap_refresh(m, r);
    m->has_new_names = true;
    return 0;
}

/* ---- choosing targets */

struct target_match {
    struct kustomize_matcher select;
    VEC(struct kustomize_matcher) reject;
};

static void target_match_done(struct target_match *t)
{
    kustomize_matcher_done(&t->select);
    for (size_t i = 0; i < t->reject.len; i++)
        kustomize_matcher_done(&t->reject.v[i]);
    vec_done(&t->reject);
}
AUTO_VALUE(struct target_match, target_match_done)

static int target_match_init(struct target_match *t,
                             const struct kustomize_replacement_target *target, struct err *e)
{
    if (!target->has_select)
        return err_set(e, ERR_INVALID, "target must specify resources to select");
    if (kustomize_matcher_init(&t->select, &target->select, e) < 0)
        return -1;
    for (size_t i = 0; i < target->reject.len; i++)
        if (kustomize_matcher_init(vec_add(&t->reject), &target->reject.v[i], e) < 0)
            return -1;
    return 0;
}

static bool matches_id(const struct kustomize_matcher *m, const struct res_id *id, str ns)
{
    return kustomize_matcher_gvk(m, &id->gvk) && kustomize_pattern_matches(&m->name, id->name) &&
           kustomize_pattern_matches(&m->ns, ns);
}

/* Does it match an id the resource has or had? No namespace is `default` only in those it had. */
static bool matches_any_id(const struct kustomize_matcher *m, const struct kustomize_resource *r)
{
    for (uint32_t i = 0; i < r->previous_count; i++)
        if (matches_id(m, &r->previous[i], res_effective_ns(&r->previous[i])))
            return true;
    return matches_id(m, &r->id, r->id.ns);
}

/* Upstream rejects by marks and by ids apart: a rejection that gives both rejects what either
 * fits. */
static bool rejects(const struct kustomize_matcher *m, const struct kustomize_selector *s,
                    const struct kustomize_resource *r)
{
    bool has_marks = s->label_selector.len || s->annotation_selector.len;
    bool has_id = s->group.len || s->version.len || s->kind.len || s->name.len || s->ns.len;

    return (has_marks && kustomize_matcher_marks(m, r)) || (has_id && matches_any_id(m, r));
}

static bool is_target(const struct target_match *t,
                      const struct kustomize_replacement_target *target,
                      const struct kustomize_resource *r)
{
    if (!kustomize_matcher_marks(&t->select, r))
        return false;
    for (size_t i = 0; i < t->reject.len; i++)
        if (rejects(&t->reject.v[i], &target->reject.v[i], r))
            return false;
    return matches_any_id(&t->select, r);
}

/* A name that is no pattern is asked of the index. */
static void find_candidates(const struct kustomize_matcher *select, struct kustomize_resmap *m,
                            struct kustomize_found *ret)
{
    struct kustomize_resource *r;

    if (select->name.text.len && !select->name.re)
        kustomize_resmap_by_name(m, select->name.text, ret);
    else
        for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
            vec_push(ret, r);
}

static int apply_target(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct res_value *value,
                        const struct kustomize_replacement_target *target, struct err *e)
{
    AUTO(target_match_done) struct target_match match = {0};
    AUTO(kustomize_found_done) struct kustomize_found candidates = {0};

    if (target_match_init(&match, target, e) < 0)
        return fail(b, target->node, e);
    find_candidates(&match.select, m, &candidates);
    for (size_t i = 0; i < candidates.len; i++)
        if (is_target(&match, target, candidates.v[i]) &&
            apply(b, m, candidates.v[i], value, target, e) < 0)
            return -1;
    return 0;
}

/* ---- all of them */

static int replace(struct kustomize_build *b, struct kustomize_resmap *m,
                   const struct kustomize_replacement *r, struct err *e)
{
    struct res_value value = {0};

    if (read_value(b, m, r, &value, e) < 0)
        return -1;
    for (size_t i = 0; i < r->targets.len; i++)
        if (apply_target(b, m, &value, &r->targets.v[i], e) < 0)
            return -1;
    return 0;
}

/* A file holds one replacement or a list of them. */
static int replace_from(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct kustomize_replacement *entry, struct err *e)
{
    AUTO(diag_list_done) struct diag_list problems = {0};
    struct kustomize_replacement_list list = {0};
    const struct doc_node *document;
    str text = STR_NONE;

    if (entry->has_source || entry->has_source_value || entry->has_targets) {
        err_set(e, ERR_INVALID, "cannot specify both path and inline replacement");
        return fail(b, entry->node, e);
    }
    if (kustomize_load(b, entry->path, &text, e) < 0)
        return fail(b, entry->node, e);
    document =
        doc_parse(b->set, text, DOC_KUSTOMIZATION, arena_cstr(&b->set->arena, entry->path), e);
    if (!document)
        return -1;
    kustomize_decode_list(&kustomize_shape_replacement, b->set, document, false, &list, &problems);
    if (problems.errors)
        return err_diags(e, &problems);
    for (size_t i = 0; i < list.len; i++) {
        list.v[i].is_from_file = true;
        if (replace(b, m, &list.v[i], e) < 0)
            return -1;
    }
    return 0;
}

/* What is without a name at the end; one that wants a hash will be named so. */
static int check_names(struct kustomize_build *b, const struct kustomize_resmap *m,
                       const struct kustomize_replacement_list *list, struct err *e)
{
    const struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (r->id.name.len == 0 && !r->needs_hash) {
            err_set(e, ERR_INVALID,
                    "missing metadata.name in object: a replacement takes its name away");
            return fail(b, list->v[0].node, e);
        }
    return 0;
}

int kustomize_replacements(struct kustomize_build *b, struct kustomize_resmap *m,
                           const struct kustomize_replacement_list *list, struct err *e)
{
    const struct kustomize_resource *r;

    for (size_t at = 0; list->len && (r = kustomize_resmap_next(m, &at));)
        if (kustomize_resource_check_history(r, e) < 0)
            return fail(b, list->v[0].node, e);
    for (size_t i = 0; i < list->len; i++) {
        const struct kustomize_replacement *entry = &list->v[i];

        if ((entry->path.len ? replace_from : replace)(b, m, entry, e) < 0)
            return -1;
    }
    return list->len ? check_names(b, m, list, e) : 0;
}
