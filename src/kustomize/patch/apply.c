#include "kustomize/patch/apply.h"

#include <math.h>

#include "doc/emit.h"
#include "doc/kyaml/merge.h"
#include "doc/patch/json.h"
#include "kustomize/config/crds.h"
#include "kustomize/patch/directives.h"
#include "kustomize/quirks.h"
#include "kustomize/shared.h"
#include "res/scalar.h"

/* ---- strategic merge patches */

static void put_back(struct doc_set *set, struct doc_node *map, str key, str text)
{
    if (text.len && !str_eq(doc_text(doc_get(map, key), STR_NONE), text))
        doc_set_string(set, map, key, text);
    else if (text.len == 0)
        doc_remove(map, key);
}

/* Upstream puts a name back without a type. */
static void put_name_back(struct doc_set *set, struct doc_node *metadata, const char *key, str text)
{
    if (text.len)
        res_scalar_put_loose(set, metadata, str_of(key), text);
    else
        doc_remove(metadata, str_of(key));
}

/* The patch said which resource it is for, not who that becomes. */
static void put_id_back(struct kustomize_resource *r, const struct res_id *id,
                        const struct kustomize_merge_options *options)
{
    AUTO(buf_done) struct buf api_version = {0};
    struct doc_node *meta = doc_ensure_map(r->set, r->root, STR("metadata"));

    res_api_version(&id->gvk, &api_version);
    put_back(r->set, r->root, STR("apiVersion"), buf_view(&api_version));
    if (!options->allow_kind_change)
        put_back(r->set, r->root, STR("kind"), id->gvk.kind);
    if (!meta)
        return;
    if (!options->allow_name_change)
        put_name_back(r->set, meta, "name", id->name);
    put_name_back(r->set, meta, "namespace", id->ns);
}

/* Those of what the patch brought: what was there has been through. */
static void apply_quirks(struct kustomize_build *b, struct kustomize_resource *r)
{
    kustomize_apply_quirks(b, r->set, STR("{"), &(struct doc_list){&r->root, 1, 1});
}

/* Says where upstream's merging printed a directive, or lost something that KD-1's keeps. before is
 * a copy of the resource, or NULL. */
static void warn_of_bugs(struct kustomize_build *b, struct kustomize_resource *r,
                         const struct doc_node *patch, const struct kustomize_patch_marks *marks,
                         struct doc_node *before)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *mended;

    if (marks->has_list_directive && kustomize_patch_marks(r->root).has_list_directive)
        kustomize_warn(b, patch, "KD-3",
                       "KD-3: a '$patch' for a list that is not there becomes an item of it, and "
                       "the other items are lost; leave it out, or --compat fixed keeps them");
    if (marks->directive)
        kustomize_warn(b, marks->directive, "KD-3",
                       "KD-3: '%.*s' becomes a field of the output; --compat fixed carries it out",
                       STR_ARG(doc_key(marks->directive)));
    if (!before ||
        doc_kyaml_merge(r->set, before, patch, kustomize_schema(b),
                        DOC_KYAML_PREPEND | DOC_KYAML_DEFAULT_KEYS, &mended, &e) < 0 ||
        doc_equal(mended, r->root))
        return;
    if (marks->replaced)
        kustomize_warn(b, marks->replaced, "KD-16",
                       "KD-16: '$patch: replace' for an item that is there changes nothing; "
                       "--compat fixed replaces it");
    else
        kustomize_warn(b, patch, "KD-1",
                       "KD-1: this patch loses ports or constraints, or their fields, because "
                       "their keys are given in part; give all parts (port and protocol), or "
                       "--compat fixed keeps them");
}

/* Says where the lists of a kind would have merged by what its definition says. */
static void warn_of_lists(struct kustomize_build *b, struct kustomize_resource *r,
                          const struct doc_node *patch, const struct doc_schema *schema,
                          struct doc_node *before)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *mended;

    if (doc_kyaml_merge(r->set, before, patch, schema, DOC_KYAML_PREPEND, &mended, &e) == 0 &&
        !doc_equal(mended, r->root))
        kustomize_warn(b, patch, "KD-7",
                       "KD-7: this patch replaces lists of %.*s \"%.*s\" that merge by keys, as "
                       "its CustomResourceDefinition has it; --compat fixed merges them",
                       STR_ARG(r->id.gvk.kind), STR_ARG(r->id.name));
}

static void quote_other(struct doc_set *set, struct doc_node *n)
{
    if (!doc_is_string(n) || n->style != DOC_PLAIN)
        return;
    n->is_int = false;
    if (n->len && res_text_is_other(set, doc_string(n, STR_NONE)))
        n->style = DOC_DOUBLE;
}

/* Has it a key of the list? Upstream looks its items up by them. */
static bool has_key(const struct doc_shape_info *list, const struct doc_node *item)
{
    for (size_t i = 0; i < list->key_count; i++)
        if (doc_get(item, list->keys[i]))
            return true;
    return list->key_count == 0 &&
           (list->merge_key.len == 0 || doc_get(item, list->merge_key) != NULL);
}

/* The item of a patch's list that has the keys of this one. */
static const struct doc_node *patched_item(const struct doc_shape_info *list,
                                           const struct doc_node *patch,
                                           const struct doc_node *item)
{
    struct doc_iter it = doc_children(patch);

    while (doc_is_list(patch) && doc_next(&it)) {
        bool is_same =
            doc_equal(doc_get(it.value, list->merge_key), doc_get(item, list->merge_key));

        for (size_t i = 0; i < list->key_count; i++)
            is_same &= doc_equal(doc_get(it.value, list->keys[i]), doc_get(item, list->keys[i]));
        if (is_same)
            return it.value;
    }
    return NULL;
}

/* Upstream sets every field anew that it passes, and puts a text in quotes then that means
 * something else without; a text of the patch has the style of what it replaces. It passes those of
 * maps, and of the items with keys of lists that merge. */
static void quote_passed(struct doc_set *set, const struct doc_schema *schema, doc_shape shape,
                         struct doc_node *n, const struct doc_node *patch)
{
    struct doc_iter it = doc_children(n);
    struct doc_shape_info info = {0};

    if (doc_is_list(n) && schema)
        schema->info(schema, shape, &info);
    if (doc_is_list(n) && !info.is_merge)
        return;
    while (doc_next(&it)) {
        bool is_item = doc_is_list(n);
        doc_shape below = !schema   ? 0
                          : is_item ? schema->item(schema, shape)
                                    : schema->field(schema, shape, it.key);
        const struct doc_node *patched =
            is_item ? patched_item(&info, patch, it.value) : doc_get(patch, it.key);

        if (is_item && doc_is_map(it.value) && !has_key(&info, it.value))
            continue;
        if (doc_len(it.value))
            quote_passed(set, schema, below, it.value, patched);
        else if (!is_item && !doc_is_string(patched))
            quote_other(set, it.value);
    }
}

static enum doc_style style_at(const struct doc_node *root, const char *path)
{
    const struct doc_node *n = doc_at(root, path);

    return doc_is_string(n) ? (enum doc_style)n->style : DOC_PLAIN;
}

/* A value of a patch gets the style of what it replaces: it matters where the type is taken later.
 */
static void put_style_back(struct doc_node *root, const struct doc_node *patch, const char *path,
                           enum doc_style style)
{
    struct doc_node *n = doc_at(root, path);

    if (doc_is_string(n) && doc_at(patch, path))
        n->style = style;
}

/* Into r->root, or nothing when nothing is left. */
static int merge(struct kustomize_build *b, struct kustomize_resource *r,
                 const struct doc_node *patch, struct err *e)
{
    const struct kustomize_patch_marks marks = kustomize_patch_marks(patch);
    unsigned flags = DOC_KYAML_PREPEND | (b->is_fixed ? DOC_KYAML_DEFAULT_KEYS : 0);
    const struct doc_schema *schema = kustomize_schema(b),
                            *of_kind = kustomize_crds_schema(b, &r->id.gvk);
    struct doc_node *before = NULL, *for_kind = NULL, *merged;
    enum doc_style of_name = style_at(r->root, "metadata/name"),
                   of_ns = style_at(r->root, "metadata/namespace");

    if (!b->shared->has_used_schema)
        b->shared->has_used_schema = true;
    if ((marks.has_compound_lists || marks.replaced) && !b->is_fixed)
        before = doc_copy(r->set, r->root);
    if (of_kind && doc_schema_of(schema, r->root))
        of_kind = NULL; /* `openapi` knows the kind */
    if (of_kind && b->is_fixed)
        schema = of_kind;
    else if (of_kind)
        for_kind = doc_copy(r->set, r->root);
    if (doc_kyaml_merge(r->set, r->root, patch, schema, flags, &merged, e) < 0)
        return -1;
    r->root = merged ? merged : doc_new_map(r->set);
    put_style_back(r->root, patch, "metadata/name", of_name);
    put_style_back(r->root, patch, "metadata/namespace", of_ns);
    if (res_scalar_has_loose(r->root))
        quote_passed(r->set, schema, doc_schema_of(schema, r->root), r->root, patch);
    if (marks.directive && b->is_fixed)
        kustomize_carry_directives(r->root);
    if (!b->is_fixed)
        warn_of_bugs(b, r, patch, &marks, before);
    if (for_kind)
        warn_of_lists(b, r, patch, of_kind, for_kind);
    return 0;
}

/* Is the field taken away, or replaced as a whole? */
static bool is_cleared(const struct doc_node *n)
{
    str how = doc_string(doc_get_lit(n, "$patch"), STR_NONE);

    return (n && doc_is_null(n)) || str_eq(how, STR("replace")) || str_eq(how, STR("delete"));
}

static bool clears_annotations(const struct doc_node *patch)
{
    const struct doc_node *metadata = doc_get_lit(patch, "metadata");

    return is_cleared(patch) || is_cleared(metadata) ||
           is_cleared(doc_get_lit(metadata, "annotations"));
}

/* Upstream replaces a copy that it throws away. */
static bool is_lost(const struct kustomize_build *b, const struct doc_node *patch)
{
    return !b->is_fixed &&
           str_eq(doc_string(doc_get_lit(patch, "$patch"), STR_NONE), STR("replace"));
}

static void warn_of_loss(struct kustomize_build *b, const struct doc_node *patch)
{
    kustomize_warn(b, doc_get_lit(patch, "$patch"), "KD-16",
                   "KD-16: '$patch: replace' for a whole resource changes nothing; --compat fixed "
                   "replaces it");
}

int kustomize_apply_merge(struct kustomize_build *b, struct kustomize_resmap *m,
                          struct kustomize_resource *r, const struct doc_node *patch,
                          const struct kustomize_merge_options *options, struct err *e)
{
    struct res_id id = r->id;

    if (options->allow_name_change || options->allow_kind_change)
        kustomize_resmap_remember(m, r);
    if (is_lost(b, patch)) {
        b->shared->has_used_schema = true; /* upstream merges, and throws the copy away */
        warn_of_loss(b, patch);
    } else {
        if (merge(b, r, patch, e) < 0)
            return -1;
        if (clears_annotations(patch))
            kustomize_resource_forget(r);
        apply_quirks(b, r);
    }
    if (doc_len(r->root))
        put_id_back(r, &id, options);
    kustomize_resmap_refresh(m, r);
    m->has_new_names |= options->allow_name_change || options->allow_kind_change;
    return 0;
}

/* ---- JSON patches */

/* 0x1F, 017, +1, 1_000 */
static bool is_in_other_digits(const struct doc_node *n)
{
    char first = n->text[0];

    return (first == '0' && n->len > 1) || first == '+' || first == '-' ||
           memchr(n->text, '_', n->len);
}

/* Upstream carries resources through JSON, where every number is a double. */
static void round_number(struct doc_set *set, struct doc_node *n)
{
    AUTO(buf_done) struct buf text = {0};
    int64_t value;
    double number;

    if (doc_type(n) != DOC_NUMBER || (n->len < 16 && n->is_int && !is_in_other_digits(n)) ||
        !doc_to_double(n, &number))
        return;
    if (n->len < 16) { /* 1e3 is 1000 from now on, in a name too */
        if (number != trunc(number) || fabs(number) >= 1e15)
            return;
        buf_addf(&text, "%.0f", number);
    } else {
        if (doc_to_int64(n, &value) && value >= -(1LL << 53) && value <= (1LL << 53))
            return;
        buf_addf(&text, "%.17g", number);
    }
    doc_replace(n, doc_new_number(set, buf_view(&text)));
}

static void put_null(struct doc_set *set, struct doc_node *n)
{
    struct doc_node *null = doc_new_null(set);

    null->text = "null";
    null->len = 4;
    doc_replace(n, null);
}

/* As a text is written that comes back: by what the emitter does with it. */
static enum doc_style style_again(struct doc_node *n)
{
    AUTO(buf_done) struct buf text = {0};
    str written;

    n->style = DOC_PLAIN;
    doc_emit(n, DOC_EMIT_SORTED, &text);
    written = buf_view(&text);
    if (str_starts(written, STR("|")))
        return DOC_LITERAL;
    return str_starts(written, STR("'")) || str_starts(written, STR("\"")) ? DOC_DOUBLE : DOC_PLAIN;
}

/* What comes back is null by that word; texts have quotes or a block where they need them. */
static void round_numbers(struct doc_set *set, struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    round_number(set, n);
    if (n->type == DOC_NULL)
        put_null(set, n);
    else if (n->type == DOC_STRING)
        n->style = style_again(n);
    while (doc_next(&it))
        round_numbers(set, it.value);
}

static int check_result(const struct doc_node *root, const struct res_id *was, struct err *e)
{
    AUTO(buf_done) struct buf id = {0};
    const char *missing = doc_text(doc_get_lit(root, "kind"), STR_NONE).len == 0 ? "kind"
                          : doc_text(doc_at(root, "metadata/name"), STR_NONE).len == 0
                              ? "metadata.name"
                              : NULL;

    if (!missing)
        return 0;
    res_id_print(was, &id);
    return err_set(e, ERR_INVALID, "missing %s in object %s once it is patched", missing,
                   buf_cstr(&id));
}

/* Does an operation set, take or move the annotations as a whole? What is kept of what was there
 * are the internal ones. */
static bool resets_annotations(const struct doc_node *operations)
{
    static const char paths[][22] = {"", "/metadata", "/metadata/annotations"};
    struct doc_iter it = doc_children(operations);

    while (doc_next(&it)) {
        bool is_test = str_eq(doc_string(doc_get_lit(it.value, "op"), STR_NONE), STR("test"));
        const struct doc_node *path = doc_get_lit(it.value, "path"),
                              *from = doc_get_lit(it.value, "from");
        bool moves = str_eq(doc_string(doc_get_lit(it.value, "op"), STR_NONE), STR("move"));

        for (size_t i = 0; i < ARRAY_LEN(paths) && !is_test; i++)
            if ((path && str_eq(doc_string(path, STR("/")), str_of(paths[i]))) ||
                (moves && str_eq(doc_string(from, STR("/")), str_of(paths[i]))))
                return true;
    }
    return false;
}

int kustomize_apply_operations(struct kustomize_build *b, struct kustomize_resmap *m,
                               struct kustomize_resource *r, const struct doc_set *patch_set,
                               const struct doc_node *operations, struct err *e)
{
    struct res_id was = r->id;

    bool had_annotations = doc_at(r->root, "metadata/annotations");
    const struct doc_node *annotations;

    kustomize_resource_ensure_annotations(r);
    doc_unshare(r->root); /* upstream writes it as JSON and reads it again */
    res_scalar_settle(r->set, r->root);
    kustomize_refold_resource(b, r);
    if (operations && doc_json_patch_lenient(r->set, r->root, patch_set, operations, e) < 0)
        return -1;
    annotations = kustomize_resource_annotations(r);
    if (!had_annotations && annotations && !doc_len(annotations))
        doc_remove(doc_get_lit(r->root, "metadata"), STR("annotations"));
    if (resets_annotations(operations))
        kustomize_resource_forget_origin(r);
    round_numbers(r->set, r->root);
    if (check_result(r->root, &was, e) < 0)
        return -1;
    kustomize_resmap_refresh(m, r);
    m->has_new_names = true;
    return 0;
}
