#include "kustomize/resource.h"

/* Room for one more item in an arena's array; the old storage is left to the arena. */
#define ARENA_GROW(a, array, count, cap)                                          \
    ({                                                                            \
        if ((count) == (cap)) {                                                   \
            typeof(cap) cap_ = (cap) ? (cap)*2 : 2;                               \
            typeof(*(array)) *grown_ = arena_alloc((a), cap_ * sizeof(*(array))); \
            if (count)                                                            \
                memcpy(grown_, (array), (count) * sizeof(*(array)));              \
            (array) = grown_;                                                     \
            (cap) = cap_;                                                         \
        }                                                                         \
    })

struct kustomize_resource *kustomize_resource_new(struct doc_set *set, struct doc_node *root)
{
    struct kustomize_resource *r = ARENA_NEW(&set->arena, struct kustomize_resource);

    r->set = set;
    r->root = root;
    kustomize_resource_read_id(r);
    return r;
}

void kustomize_resource_read_id(struct kustomize_resource *r)
{
    r->id = res_id_of(r->root);
    r->scope = res_effective_ns(&r->id);
    for (uint32_t i = 0; i < r->previous_count; i++) {
        r->previous[i].gvk.group = r->id.gvk.group;
        r->previous[i].gvk.version = r->id.gvk.version;
    }
}

void kustomize_resource_remember(struct kustomize_resource *r)
{
    ARENA_GROW(&r->set->arena, r->previous, r->previous_count, r->previous_cap);
    r->previous[r->previous_count++] = r->id;
    r->had_odd_id |= r->id.name.len == 0 || str_find_char(r->id.name, ',') >= 0 ||
                     str_find_char(r->id.ns, ',') >= 0;
}

/* An empty name is not put into upstream's list: it is then shorter than that of the namespaces. */
static int check_names(const struct kustomize_resource *r, struct err *e)
{
    uint32_t named = 0;

    for (uint32_t i = 0; i < r->previous_count; i++)
        named += r->previous[i].name.len > 0;
    if (named == 0 || named == r->previous_count)
        return 0;
    return err_set(
        e, ERR_INVALID,
        "a %.*s had no name for a while: as kustomize keeps former ones in a list divided "
        "by commas, it cannot be changed any more",
        STR_ARG(r->id.gvk.kind));
}

int kustomize_resource_check_history(const struct kustomize_resource *r, struct err *e)
{
    if (r->had_odd_id && check_names(r, e) < 0)
        return -1;
    for (uint32_t i = 0; r->had_odd_id && i < r->previous_count; i++) {
        const struct res_id *id = &r->previous[i];
        bool in_name = str_find_char(id->name, ',') >= 0;

        if (in_name || str_find_char(id->ns, ',') >= 0)
            return err_set(e, ERR_INVALID,
                           "the %s \"%.*s\" of a %.*s has a comma: as kustomize keeps former "
                           "ones in a list divided by commas, it cannot be changed any more",
                           in_name ? "name" : "namespace", STR_ARG(in_name ? id->name : id->ns),
                           STR_ARG(r->id.gvk.kind));
    }
    return 0;
}

bool kustomize_resource_note_index(struct kustomize_resource *r, uint32_t hash)
{
    for (uint32_t i = 0; i < r->indexed_count; i++)
        if (r->indexed[i] == hash)
            return false;
    ARENA_GROW(&r->set->arena, r->indexed, r->indexed_count, r->indexed_cap);
    r->indexed[r->indexed_count++] = hash;
    return true;
}

static str dup_text(struct doc_set *set, str text)
{
    return text.len ? arena_dup(&set->arena, text) : STR_NONE;
}

static void texts_add(struct kustomize_resource *r, struct kustomize_texts *t, str text)
{
    ARENA_GROW(&r->set->arena, t->v, t->len, t->cap);
    t->v[t->len++] = dup_text(r->set, text);
}

void kustomize_resource_add_prefix(struct kustomize_resource *r, str prefix)
{
    texts_add(r, &r->prefixes, prefix);
}

void kustomize_resource_add_suffix(struct kustomize_resource *r, str suffix)
{
    texts_add(r, &r->suffixes, suffix);
}

/* Upstream keeps them in an annotation, and writes all annotations anew, as texts, when it adds
 * one: what they shared with others (doc_share) is their own then, and a collection is nothing. */
static void renew_annotations(struct kustomize_resource *r)
{
    struct doc_iter it = doc_children(kustomize_resource_annotations(r));

    while (doc_next(&it)) {
        doc_unshare(it.value);
        if (!doc_is_scalar(it.value))
            doc_replace(it.value, doc_new_string(r->set, STR_NONE));
    }
}

void kustomize_resource_add_transformation(struct kustomize_resource *r,
                                           const struct kustomize_origin *by)
{
    struct kustomize_transformations *t = &r->transformations;

    renew_annotations(r);
    ARENA_GROW(&r->set->arena, t->v, t->len, t->cap);
    t->v[t->len++] = by;
}

static struct res_id dup_id(struct doc_set *set, const struct res_id *id)
{
    return (struct res_id){.gvk = {dup_text(set, id->gvk.group), dup_text(set, id->gvk.version),
                                   dup_text(set, id->gvk.kind)},
                           .name = dup_text(set, id->name),
                           .ns = dup_text(set, id->ns)};
}

void kustomize_resource_take_history(struct kustomize_resource *r,
                                     const struct kustomize_resource *from)
{
    r->previous_count = r->prefixes.len = r->suffixes.len = 0;
    r->had_odd_id = from->had_odd_id;
    for (uint32_t i = 0; i < from->previous_count; i++) {
        ARENA_GROW(&r->set->arena, r->previous, r->previous_count, r->previous_cap);
        r->previous[r->previous_count++] = dup_id(r->set, &from->previous[i]);
    }
    for (uint32_t i = 0; i < from->prefixes.len; i++)
        texts_add(r, &r->prefixes, from->prefixes.v[i]);
    for (uint32_t i = 0; i < from->suffixes.len; i++)
        texts_add(r, &r->suffixes, from->suffixes.v[i]);
}

void kustomize_resource_ensure_annotations(struct kustomize_resource *r)
{
    struct doc_node *metadata = doc_get_lit(r->root, "metadata");
    bool has_any = r->previous_count || r->prefixes.len || r->suffixes.len || r->needs_hash ||
                   r->transformations.len || r->origin.path.len || r->origin.configured_in.len;

    if (has_any && doc_is_map(metadata))
        doc_ensure_map(r->set, metadata, STR("annotations"));
}

void kustomize_resource_forget_origin(struct kustomize_resource *r)
{
    r->origin = (struct kustomize_origin){0};
    r->transformations.len = 0;
}

void kustomize_resource_forget(struct kustomize_resource *r)
{
    kustomize_resource_forget_origin(r);
    r->is_traceless = true;
    r->previous_count = r->prefixes.len = r->suffixes.len = 0;
    r->needs_hash = false;
    r->behavior = KUSTOMIZE_BEHAVIOR_UNSET;
}

struct kustomize_resource *kustomize_resource_copy(struct doc_set *set,
                                                   const struct kustomize_resource *from)
{
    struct kustomize_resource *r = kustomize_resource_new(set, doc_copy(set, from->root));

    kustomize_resource_take_history(r, from);
    r->needs_hash = from->needs_hash;
    r->allow_name_change = from->allow_name_change;
    r->allow_kind_change = from->allow_kind_change;
    r->from_chart = from->from_chart;
    r->is_cluster = from->is_cluster;
    r->behavior = from->behavior;
    r->origin = from->origin;
    for (uint32_t i = 0; i < from->transformations.len; i++)
        kustomize_resource_add_transformation(r, from->transformations.v[i]);
    return r;
}

bool kustomize_resource_had_id(const struct kustomize_resource *r, const struct res_id *id)
{
    if (res_id_eq(&r->id, id))
        return true;
    for (uint32_t i = 0; i < r->previous_count; i++)
        if (res_id_eq(&r->previous[i], id))
            return true;
    return false;
}

bool kustomize_resource_was_named(const struct kustomize_resource *r, str name)
{
    for (uint32_t i = 0; i < r->previous_count; i++)
        if (str_eq(r->previous[i].name, name))
            return true;
    return false;
}

bool kustomize_resource_had_name(const struct kustomize_resource *r, str name)
{
    return str_eq(r->id.name, name) || kustomize_resource_was_named(r, name);
}

bool kustomize_resource_is_empty(const struct kustomize_resource *r)
{
    return doc_len(r->root) == 0;
}

static struct doc_node *meta_map(const struct kustomize_resource *r, str key)
{
    struct doc_node *n = doc_get(doc_get_lit(r->root, "metadata"), key);

    return doc_is_map(n) ? n : NULL;
}

struct doc_node *kustomize_resource_labels(const struct kustomize_resource *r)
{
    return meta_map(r, STR("labels"));
}

struct doc_node *kustomize_resource_annotations(const struct kustomize_resource *r)
{
    return meta_map(r, STR("annotations"));
}

bool kustomize_is_local_only(const struct kustomize_resource *r)
{
    const struct doc_node *mark =
        doc_get_lit(kustomize_resource_annotations(r), "config.kubernetes.io/local-config");

    return mark && !str_eq(doc_text(mark, STR_NONE), STR("false"));
}
