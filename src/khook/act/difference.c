#include "khook/act/difference.h"

#include "doc/diff.h"
#include "doc/emit.h"
#include "khook/act/object.h"

#define LAST_APPLIED STR("kubectl.kubernetes.io/last-applied-configuration")

/* Masks a member; one that differs from its counterpart says so. */
static void mask_member(struct kube_object *o, struct doc_node *map, const struct doc_node *other,
                        str key, const char *changed)
{
    const struct doc_node *value = doc_get(map, key), *counterpart = doc_get(other, key);

    if (value)
        doc_set_string(o->set, map, key,
                       counterpart && doc_equal(value, counterpart) ? STR("***") : str_of(changed));
}

/* Every value of a Secret; as a whole what should be a map and is none, and what kubectl keeps of
 * the object. */
static void mask(struct kube_object *o, const struct doc_node *other, const char *changed)
{
    static const char blocks[][11] = {"data", "stringData"};

    for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
        struct doc_node *block = doc_get(o->root, str_of(blocks[i]));
        struct doc_iter it = doc_children(block);

        if (block && !doc_is_map(block))
            mask_member(o, o->root, other, str_of(blocks[i]), changed);
        while (doc_is_map(block) && doc_next(&it))
            mask_member(o, block, doc_get(other, str_of(blocks[i])), it.key, changed);
    }
    mask_member(o, doc_at(o->root, "metadata/annotations"), doc_at(other, "metadata/annotations"),
                LAST_APPLIED, changed);
}

static void tidy(struct kube_object *o)
{
    doc_remove(doc_get_lit(o->root, "metadata"), STR("managedFields"));
}

/* Both sides are compared before either is masked, so the planned side is judged against a copy. */
static void mask_secret(struct kube_object *live, struct kube_object *planned)
{
    struct kube_object before = {.set = doc_set_new()};

    before.root = live->root ? doc_copy(before.set, live->root) : NULL;
    if (live->root)
        mask(live, planned->root, "*** (before)");
    if (planned->root)
        mask(planned, before.root, "*** (after)");
    kube_object_done(&before);
}

const struct khook_sides khook_live_and_planned = {"live", "planned", 3};

/* Without what is nobody's business. */
static void prepare(const struct kube_ref *ref, struct kube_object *live,
                    struct kube_object *planned)
{
    tidy(live);
    tidy(planned);
    if (str_eq(ref->type->kind, STR("Secret")) && ref->type->group.len == 0)
        mask_secret(live, planned);
}

void khook_difference(const struct khook_sides *sides, const struct kube_ref *ref,
                      struct kube_object *live, struct kube_object *planned, struct buf *out)
{
    AUTO(buf_done) struct buf id = {0}, from = {0}, to = {0}, label_from = {0}, label_to = {0};

    prepare(ref, live, planned);
    khook_object_id(ref->type->kind, ref->name, ref->ns, &id);
    buf_addf(&label_from, "%s/%s", sides->from, buf_cstr(&id));
    buf_addf(&label_to, "%s/%s", sides->to, buf_cstr(&id));
    if (live->root)
        doc_emit(live->root, DOC_EMIT_SORTED, &from);
    if (planned->root)
        doc_emit(planned->root, DOC_EMIT_SORTED, &to);
    doc_diff_unified(buf_view(&from), buf_view(&to), buf_cstr(&label_from), buf_cstr(&label_to),
                     sides->context, out);
}

/* ---- for machines */

static struct doc_node *fields_of(const struct doc_diff *d, struct doc_set *set)
{
    struct doc_node *fields = doc_new_list(set);

    for (size_t i = 0; i < d->len; i++) {
        struct doc_node *field = doc_new_map(set);

        doc_set_string(set, field, STR("path"), d->v[i].path);
        if (d->v[i].from)
            doc_set_field(set, field, STR("from"), doc_copy(set, d->v[i].from));
        if (d->v[i].to)
            doc_set_field(set, field, STR("to"), doc_copy(set, d->v[i].to));
        doc_append(fields, field);
    }
    return fields;
}

struct doc_node *khook_difference_tree(const struct kube_ref *ref, struct kube_object *live,
                                       struct kube_object *planned, struct doc_set *set)
{
    AUTO(doc_diff_done) struct doc_diff d = {0};
    const struct doc_node *one = planned->root ? planned->root : live->root;
    bool is_changed = live->root && planned->root;
    struct doc_node *tree;

    prepare(ref, live, planned);
    if (is_changed)
        doc_diff(live->root, planned->root, &d);
    if (!one || (is_changed && !d.len))
        return NULL;
    tree = doc_new_map(set);
    doc_set_string(set, tree, STR("apiVersion"), doc_text(doc_get_lit(one, "apiVersion"), STR("")));
    doc_set_string(set, tree, STR("kind"), ref->type->kind);
    if (ref->ns.len)
        doc_set_string(set, tree, STR("namespace"), ref->ns);
    doc_set_string(set, tree, STR("name"), ref->name);
    doc_set_string(set, tree, STR("change"),
                   is_changed      ? STR("changed")
                   : planned->root ? STR("added")
                                   : STR("removed"));
    if (is_changed)
        doc_set_field(set, tree, STR("fields"), fields_of(&d, set));
    else
        doc_set_field(set, tree, STR("object"), doc_copy(set, one));
    return tree;
}
