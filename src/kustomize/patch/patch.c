/* The transformers patches, patchesStrategicMerge and patchesJson6902 (kustomize spec 10). */
#include "kustomize/incremental/plan.h"
#include "kustomize/patch/apply.h"
#include "kustomize/patch/text.h"
#include "kustomize/select.h"
#include "res/scalar.h"

/* ---- strategic merge patches that name their target */

/* Of the resources with the kind, or else with the name, the one whose id is nearest. */
static const struct kustomize_resource *nearest(struct kustomize_resmap *m,
                                                const struct res_id *wanted)
{
    const struct kustomize_resource *best = NULL, *r;
    size_t limit = wanted->name.len / 3 + 1;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        bool same_kind = str_eq(r->id.gvk.kind, wanted->gvk.kind);
        size_t distance = str_edit_distance(r->id.name, wanted->name, limit);

        if (distance > limit || (!same_kind && distance > 0))
            continue;
        if (distance == 0 && same_kind)
            return r;
        if (distance < limit || !best)
            best = r;
        limit = distance ? distance : limit;
    }
    return best;
}

static int no_target(struct kustomize_resmap *m, const struct res_id *wanted, struct err *e)
{
    AUTO(err_done) struct err cause = {0};
    AUTO(buf_done) struct buf id = {0}, other = {0};
    const struct kustomize_resource *r = e->kind == ERR_NOT_FOUND ? nearest(m, wanted) : NULL;

    err_move(&cause, e);
    res_id_print(wanted, &id);
    if (r) {
        buf_add_cstr(&other, "; did you mean ");
        res_id_print(&r->id, &other);
        buf_add_char(&other, '?');
    }
    return err_set(e, cause.kind, "no resource matches strategic merge patch \"%s\": %s%s",
                   buf_cstr(&id), err_text(&cause), buf_cstr(&other));
}

/* Upstream reads labels and annotations of a patch with a target, and of patchesStrategicMerge, as
 * texts, and writes them back before it merges: a null does not delete, it becomes a word. */
static void mark_text(struct kustomize_build *b, struct doc_node *n)
{
    str text = doc_is_scalar(n) ? res_scalar_text(b->set, n) : STR("");

    if (doc_is_string(n) && str_eq(doc_string(n, STR_NONE), text))
        return;
    if (doc_is_null(n))
        kustomize_warn(b, n, "patch.null",
                       "in such a patch this does not delete \"%.*s\" but makes it the text "
                       "\"%.*s\"; --compat fixed deletes it",
                       STR_ARG(doc_key(n)), STR_ARG(text));
    doc_replace(n, doc_new_string(b->set, text));
}

static void read_marks(struct kustomize_build *b, struct doc_node *patch)
{
    static const char names[][12] = {"labels", "annotations"};
    struct doc_node *metadata = doc_get_lit(patch, "metadata");

    for (size_t i = 0; i < ARRAY_LEN(names) && !b->is_fixed; i++) {
        struct doc_node *marks = doc_get(metadata, str_of(names[i]));
        struct doc_iter it = doc_children(doc_is_map(marks) ? marks : NULL);

        while (doc_next(&it))
            mark_text(b, it.value);
        if (marks && !doc_len(marks))
            doc_remove(metadata, str_of(names[i]));
    }
}

/* The only resource with the id; NULL without an error: it is as it was, and not made this time. */
static struct kustomize_resource *get_named(struct kustomize_build *b, struct kustomize_resmap *m,
                                            const struct res_id *id, struct err *e)
{
    struct kustomize_resource *r = kustomize_resmap_get(m, id, e);

    if (!kustomize_plan_is_elsewhere(b, &r, r != NULL))
        return r;
    if (r) {
        err_set(e, ERR_CONFLICT, "another resource has the id, too");
        return NULL;
    }
    if (e->kind == ERR_NOT_FOUND)
        err_done(e);
    return NULL;
}

static int apply_named(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct doc_list *merges, const struct kustomize_merge_options *options,
                       struct err *e)
{
    for (size_t i = 0; i < merges->len; i++) {
        struct res_id id = res_id_of(merges->v[i]);
        struct kustomize_resource *r = get_named(b, m, &id, e);

        if (!r && e->kind == ERR_NONE)
            continue;
        if (!r) {
            no_target(m, &id, e);
            return kustomize_fail_at(b, merges->v[i], e);
        }
        if (kustomize_apply_merge(b, m, r, merges->v[i], options, e) < 0)
            return kustomize_fail_at(b, merges->v[i], e);
    }
    return 0;
}

int kustomize_patch_strategic(struct kustomize_build *b, struct kustomize_resmap *m,
                              const struct kustomize_text_list *entries, struct err *e)
{
    static const struct kustomize_merge_options none = {0};
    AUTO(doc_list_done) struct doc_list merges = {0};

    for (size_t i = 0; i < entries->len; i++) {
        const struct kustomize_text *entry = &entries->v[i];
        AUTO(err_done) struct err as_file = {0};
        struct kustomize_patch_source file = {.path = entry->text};
        struct kustomize_patch_source text = {.text = entry->text, .node = entry->node};

        if (!memchr(entry->text.p, '\n', entry->text.len) &&
            kustomize_patch_text_merges(b, &file, &merges, &as_file) == 0)
            continue;
        if (kustomize_patch_text_merges(b, &text, &merges, e) < 0) {
            if (as_file.kind != ERR_NONE) {
                err_done(e);
                err_move(e, &as_file);
            }
            return kustomize_fail_at(b, entry->node, e);
        }
    }
    if (entries->len && merges.len == 0)
        return err_set(e, ERR_INVALID, "patch appears to be empty");
    for (size_t i = 0; i < merges.len; i++)
        read_marks(b, merges.v[i]);
    if (apply_named(b, m, &merges, &none, e) < 0)
        return -1;
    return kustomize_resmap_check_twins(m, e); /* as with a target */
}

/* ---- patches with a target */

static void print_selector(const struct kustomize_selector *s, struct buf *out)
{
    const struct res_id id = {{s->group, s->version, s->kind}, s->name, s->ns};

    res_id_print(&id, out);
    buf_addf(out, ":a=%.*s:l=%.*s", STR_ARG(s->annotation_selector), STR_ARG(s->label_selector));
}

static int find_targets(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct kustomize_selector *target, struct kustomize_found *ret,
                        struct err *e)
{
    AUTO(kustomize_matcher_done) struct kustomize_matcher matcher = {0};
    AUTO(buf_done) struct buf text = {0};

    if (kustomize_matcher_init(&matcher, target, e) < 0) {
        print_selector(target, &text);
        err_wrap(e, "unable to find patch target \"%s\" in `resources`", buf_cstr(&text));
        return kustomize_fail_at(b, target->node, e);
    }
    kustomize_matcher_find(&matcher, m, ret);
    if (ret->len == 0 && target->name.len) {
        const struct res_id id = {
            {target->group, target->version, target->kind}, target->name, target->ns};
        const struct kustomize_resource *r = nearest(m, &id);

        if (!r)
            return 0;
        res_id_print(&r->id, &text);
        kustomize_warn(b, target->node, "patch.target",
                       "the target of this patch selects nothing; did you mean %s?",
                       buf_cstr(&text));
    }
    return 0;
}

/* Upstream sets the name and the namespace of such a patch anew, without a type. */
static void loosen(const struct doc_node *patch, const char *path)
{
    struct doc_node *n = doc_at(patch, path);

    if (doc_is_string(n))
        n->bool_val = true;
}

static int merge_selected(struct kustomize_build *b, struct kustomize_resmap *m,
                          const struct kustomize_patch *patch, const struct doc_list *merges,
                          const struct kustomize_merge_options *options,
                          const struct kustomize_patch_source *from, struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    AUTO(buf_done) struct buf source = {0};

    if (merges->len > 1) {
        kustomize_patch_source_print(from, &source);
        return err_set(e, ERR_INVALID,
                       "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to "
                       "set `patches.target` field: %s",
                       buf_cstr(&source));
    }
    if (find_targets(b, m, &patch->target, &found, e) < 0)
        return -1;
    if (merges->len) {
        read_marks(b, merges->v[0]);
        loosen(merges->v[0], "metadata/name");
        loosen(merges->v[0], "metadata/namespace");
    }
    for (size_t i = 0; i < found.len; i++)
        if (kustomize_apply_merge(b, m, found.v[i], merges->v[0], options, e) < 0)
            return kustomize_fail_at(b, merges->v[0], e);
    for (size_t i = 0; i < found.len; i++)
        if (!kustomize_resource_is_empty(found.v[i]) &&
            kustomize_resmap_check_twin(m, found.v[i], e) < 0)
            return -1;
    return kustomize_resmap_check_twins(m, e); /* upstream puts all into a new list */
}

static int operate(struct kustomize_build *b, struct kustomize_resmap *m,
                   struct kustomize_resource *r, const struct kustomize_patch_text *text,
                   struct err *e)
{
    kustomize_resmap_remember(m, r);
    return kustomize_apply_operations(b, m, r, text->set, text->operations, e);
}

static int operate_on_selected(struct kustomize_build *b, struct kustomize_resmap *m,
                               const struct kustomize_patch *patch,
                               const struct kustomize_patch_text *text,
                               const struct kustomize_patch_source *from, struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    AUTO(buf_done) struct buf source = {0};

    if (!patch->has_target) {
        kustomize_patch_source_print(from, &source);
        return err_set(e, ERR_INVALID, "must specify a target for JSON patch %s",
                       buf_cstr(&source));
    }
    if (find_targets(b, m, &patch->target, &found, e) < 0)
        return -1;
    for (size_t i = 0; i < found.len; i++)
        if (operate(b, m, found.v[i], text, e) < 0)
            return -1;
    return 0;
}

static int patch_with(struct kustomize_build *b, struct kustomize_resmap *m,
                      const struct kustomize_patch *patch,
                      const struct kustomize_patch_source *from, struct err *e)
{
    const struct kustomize_merge_options options = {patch->allow_name_change,
                                                    patch->allow_kind_change};
    AUTO(kustomize_patch_text_done) struct kustomize_patch_text text = {0};

    if (kustomize_patch_text_read(b, from, &text, e) < 0)
        return -1;
    if (text.merges.len && patch->has_target)
        return merge_selected(b, m, patch, &text.merges, &options, from, e);
    if (text.merges.len)
        return apply_named(b, m, &text.merges, &options, e);
    return doc_len(text.operations) ? operate_on_selected(b, m, patch, &text, from, e) : 0;
}

int kustomize_patch(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_patch *patch, struct err *e)
{
    struct kustomize_patch_source from = {patch->path, str_trim(patch->patch),
                                          patch->path.len ? patch->path_node : patch->patch_node};
    int rc;

    if (from.path.len == 0 && from.text.len == 0)
        rc = err_set(e, ERR_INVALID, "must specify one of patch and path in this entry");
    else if (from.path.len && from.text.len)
        rc = err_set(e, ERR_INVALID, "patch and path can't be set at the same time");
    else
        rc = patch_with(b, m, patch, &from, e);
    return rc == 0 ? 0 : kustomize_fail_at(b, patch->node, e);
}

/* ---- patchesJson6902 */

/* Unlike a patch of `patches` this one leaves no former name behind. */
static int operate_on_named(struct kustomize_build *b, struct kustomize_resmap *m,
                            const struct kustomize_selector *target,
                            const struct doc_node *operations, struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};

    if (find_targets(b, m, target, &found, e) < 0)
        return -1;
    for (size_t i = 0; i < found.len; i++)
        if (kustomize_apply_operations(b, m, found.v[i], b->set, operations, e) < 0)
            return -1;
    return 0;
}

int kustomize_patch_json6902(struct kustomize_build *b, struct kustomize_resmap *m,
                             const struct kustomize_patch *patch, struct err *e)
{
    struct kustomize_patch_source from = {patch->path, patch->patch,
                                          patch->path.len ? patch->path_node : patch->patch_node};
    struct doc_node *operations = NULL;
    int rc = -1;

    if (patch->target.name.len == 0)
        err_set(e, ERR_INVALID, "must specify the target name");
    else if (from.path.len == 0 && from.text.len == 0)
        err_set(e, ERR_INVALID, "empty file path and empty jsonOp");
    else if (from.path.len && from.text.len)
        err_set(e, ERR_INVALID, "must specify a file path or jsonOp, not both");
    else if (kustomize_patch_text_operations(b, &from, &operations, e) < 0)
        rc = -1;
    else if (doc_len(operations) == 0)
        err_set(e, ERR_INVALID, "patch appears to be empty");
    else
        rc = operate_on_named(b, m, &patch->target, operations, e);
    return rc == 0 ? 0 : kustomize_fail_at(b, patch->node, e);
}
