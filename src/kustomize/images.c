#include "base/map.h"
#include "kustomize/fields.h"
#include "res/image.h"

/* images (kustomize spec 11). */
enum { MAX_DEPTH = 1000 };

struct image_setter {
    struct res_image_change change;
    struct res_image_matcher matcher;
    bool is_valid; /* its name is a pattern */
    bool is_fixed;
    struct map done; /* fixed: fields of the resource at hand that were changed, by address */
    struct arena keys;
};

static void setter_clear(struct image_setter *s)
{
    map_done(&s->done);
    arena_clear(&s->keys);
}

static void setter_done(struct image_setter *s)
{
    res_image_matcher_done(&s->matcher);
    map_done(&s->done);
    arena_done(&s->keys);
}
AUTO_VALUE(struct image_setter, setter_done)

/* An entry changes a field once only, though more than one path leads to it (KD-6). */
static bool is_done(struct image_setter *s, const struct doc_node *field)
{
    str key = {(const char *)&field, sizeof(field)};

    if (!s->is_fixed)
        return false;
    if (map_has(&s->done, key))
        return true;
    map_put(&s->done, arena_dup(&s->keys, key), s);
    return false;
}

static int set_image(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    struct image_setter *s = ctx;
    AUTO(buf_done) struct buf text = {0};
    str image = doc_text(field, STR_NONE);

    if (!doc_is_scalar(field)) /* says what it is instead */
        return kustomize_set_scalar(set, field, image, e);
    if (!res_image_matches(&s->matcher, image) || is_done(s, field))
        return 0;
    res_image_apply(&s->change, image, &text);
    return kustomize_set_scalar(set, field, buf_view(&text), e);
}

/* What is done with the image of a container. */
struct image_walk {
    res_field_fn *visit;
    void *ctx;
    bool is_fixed;
};

static int visit_containers(const struct image_walk *w, struct doc_set *set, struct doc_node *list,
                            struct err *e)
{
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);

    while (doc_next(&it)) {
        struct doc_node *image = doc_get_lit(it.value, "image");

        if (image && w->visit(w->ctx, set, image, e) < 0)
            return -1;
    }
    return 0;
}

static bool holds_containers(const struct image_walk *w, str key)
{
    return str_eq(key, STR("containers")) || str_eq(key, STR("initContainers")) ||
           (w->is_fixed && str_eq(key, STR("ephemeralContainers")));
}

/* Lists of containers at any depth. */
static int walk(const struct image_walk *w, struct doc_set *set, struct doc_node *n, int depth,
                struct err *e)
{
    struct doc_iter it = doc_children(n);

    if (depth > MAX_DEPTH)
        return err_set(e, ERR_LIMIT, "nested too deeply");
    while (doc_next(&it)) {
        if (doc_len(it.value) == 0)
            continue;
        if (walk(w, set, it.value, depth + 1, e) < 0)
            return -1;
        if (doc_is_map(n) && holds_containers(w, it.key) &&
            visit_containers(w, set, it.value, e) < 0)
            return -1;
    }
    return 0;
}

static int set_everywhere(struct image_setter *s, struct kustomize_resmap *m,
                          const struct kustomize_specs *specs, struct err *e)
{
    AUTO(res_field_plan_free)
    struct res_field_plan *plan = res_field_plan_new(specs->v, specs->len);
    struct image_walk w = {set_image, s, s->is_fixed};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        setter_clear(s);
        if (!str_eq(r->id.gvk.kind, STR("CustomResourceDefinition")) &&
            walk(&w, r->set, r->root, 0, e) < 0)
            return -1;
        if (res_field_plan_visit(plan, r->set, r->root, &r->id, DOC_NULL, set_image, s, e) < 0)
            return -1;
    }
    return 0;
}

static int warn_pattern(struct kustomize_build *b, const struct kustomize_image *image)
{
    kustomize_warn(b, image->node, "image.pattern",
                   "the image name '%.*s' is no regular expression: it matches nothing",
                   STR_ARG(image->name));
    return 0;
}

static struct image_setter setter_of(const struct kustomize_build *b,
                                     const struct kustomize_image *image)
{
    struct image_setter s = {
        .change = {image->new_name, image->new_tag, image->digest, image->tag_suffix},
        .is_fixed = b->is_fixed,
    };

    s.is_valid = res_image_matcher_init(&s.matcher, image->name);
    return s;
}

int kustomize_image(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_image *image, const struct kustomize_specs *specs,
                    struct err *e)
{
    AUTO(setter_done) struct image_setter s = setter_of(b, image);

    if (!s.is_valid)
        return warn_pattern(b, image);
    return set_everywhere(&s, m, specs, e) == 0 ? 0 : kustomize_fail_at(b, image->node, e);
}

/* ---- many entries: the fields are looked for once. No entry makes a field or takes one away. */

struct image_field {
    struct doc_set *set;
    struct doc_node *node;
};
struct image_fields {
    VEC(struct image_field) all;
};

static void fields_done(struct image_fields *f) { vec_done(&f->all); }
AUTO_VALUE(struct image_fields, fields_done)

static int note_field(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    struct image_fields *f = ctx;

    if (!doc_is_scalar(field)) /* says what it is instead */
        return kustomize_set_scalar(set, field, STR_NONE, e);
    vec_push(&f->all, {set, field});
    return 0;
}

static int set_fields(struct kustomize_build *b, const struct image_fields *f,
                      const struct kustomize_image *image, struct err *e)
{
    AUTO(setter_done) struct image_setter s = setter_of(b, image);

    if (!s.is_valid)
        return warn_pattern(b, image);
    for (size_t i = 0; i < f->all.len; i++) {
        const struct image_field *field = &f->all.v[i];

        if (set_image(&s, field->set, field->node, e) < 0)
            return kustomize_fail_at(b, image->node, e);
    }
    return 0;
}

static int find_fields(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct kustomize_specs *specs, struct image_fields *ret, struct err *e)
{
    AUTO(res_field_plan_free)
    struct res_field_plan *plan = res_field_plan_new(specs->v, specs->len);
    struct image_walk w = {note_field, ret, b->is_fixed};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        if (!str_eq(r->id.gvk.kind, STR("CustomResourceDefinition")) &&
            walk(&w, r->set, r->root, 0, e) < 0)
            return -1;
        if (res_field_plan_visit(plan, r->set, r->root, &r->id, DOC_NULL, note_field, ret, e) < 0)
            return -1;
    }
    return 0;
}

int kustomize_images(struct kustomize_build *b, struct kustomize_resmap *m,
                     const struct kustomize_image_list *list, const struct kustomize_specs *specs,
                     struct err *e)
{
    AUTO(fields_done) struct image_fields fields = {0};

    if (find_fields(b, m, specs, &fields, e) < 0)
        return kustomize_fail_at(b, list->v[0].node, e);
    for (size_t i = 0; i < list->len; i++)
        if (set_fields(b, &fields, &list->v[i], e) < 0)
            return -1;
    return 0;
}
