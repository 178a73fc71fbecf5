#include "base/map.h"
#include "kustomize/transform/fields.h"
#include "res/image.h"

/* images (kustomize spec 11). */
enum { MAX_DEPTH = 1000 };

/* Where images are. Upstream's search knows no ephemeral containers, and meets the fields that the
 * specs name, too, once more (KD-6). */
struct image_field {
    struct doc_set *set;
    struct doc_node *node;
    bool is_missed; /* upstream does not see it */
};
struct image_fields {
    VEC(struct image_field) all;
};

static void fields_done(struct image_fields *f) { vec_done(&f->all); }
AUTO_VALUE(struct image_fields, fields_done)

static int add_field(struct image_fields *f, struct doc_set *set, struct doc_node *field,
                     bool is_missed, struct err *e)
{
    if (!doc_is_scalar(field)) /* says what it is instead */
        return is_missed ? 0 : kustomize_set_scalar(set, field, STR_NONE, e);
    vec_push(&f->all, {set, field, is_missed});
    return 0;
}

static int note_field(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    return add_field(ctx, set, field, false, e);
}

static int visit_containers(struct image_fields *f, struct doc_set *set, struct doc_node *list,
                            bool is_missed, struct err *e)
{
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);

    while (doc_next(&it)) {
        struct doc_node *image = doc_get_lit(it.value, "image");

        if (image && add_field(f, set, image, is_missed, e) < 0)
            return -1;
    }
    return 0;
}

/* Lists of containers at any depth. */
static int walk(struct image_fields *f, struct doc_set *set, struct doc_node *n, int depth,
                struct err *e)
{
    struct doc_iter it = doc_children(n);

    if (depth > MAX_DEPTH)
        return err_set(e, ERR_LIMIT, "nested too deeply");
    while (doc_next(&it)) {
        bool is_missed = str_eq(it.key, STR("ephemeralContainers"));

        if (doc_len(it.value) == 0)
            continue;
        if (walk(f, set, it.value, depth + 1, e) < 0)
            return -1;
        if (doc_is_map(n) &&
            (is_missed || str_eq(it.key, STR("containers")) ||
             str_eq(it.key, STR("initContainers"))) &&
            visit_containers(f, set, it.value, is_missed, e) < 0)
            return -1;
    }
    return 0;
}

/* No entry makes a field or takes one away: they are looked for once. */
static int find_fields(struct kustomize_resmap *m, const struct kustomize_specs *specs,
                       struct image_fields *ret, struct err *e)
{
    AUTO(res_field_plan_free)
    struct res_field_plan *plan = res_field_plan_new(specs->v, specs->len);
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        if (str_eq(r->id.gvk.kind, STR("CustomResourceDefinition")))
            continue; /* upstream: nor what field specs name */
        if (walk(ret, r->set, r->root, 0, e) < 0)
            return -1;
        if (res_field_plan_visit(plan, r->set, r->root, &r->id, DOC_NULL, note_field, ret, e) < 0)
            return -1;
    }
    return 0;
}

/* ---- an entry */

struct image_setter {
    struct kustomize_build *b;
    struct res_image_change change;
    struct res_image_matcher matcher;
    struct map done; /* fields that were changed, by address; in the arena */
    struct arena keys;
};

static void setter_done(struct image_setter *s)
{
    res_image_matcher_done(&s->matcher);
    map_done(&s->done);
    arena_done(&s->keys);
}
AUTO_VALUE(struct image_setter, setter_done)

static bool is_done(struct image_setter *s, const struct doc_node *field)
{
    str key = {(const char *)&field, sizeof(field)};

    if (map_has(&s->done, key))
        return true;
    map_put(&s->done, arena_dup(&s->keys, key), s);
    return false;
}

/* KD-6: an entry changes a field once only, though more than one path leads to it, and ephemeral
 * containers have images like others. Tells whether this one is left as it is, or that upstream's
 * way differs. */
static bool judge(struct image_setter *s, const struct image_field *field, str old, str now)
{
    bool may_differ = s->b->is_fixed || s->change.tag_suffix.len; /* when it is done twice */
    bool is_second = may_differ && is_done(s, field->node);

    if (s->b->is_fixed)
        return is_second;
    if (str_eq(old, now))
        return field->is_missed;
    if (field->is_missed)
        kustomize_warn_at(s->b, field->set, field->node, "KD-6",
                          "KD-6: the image of this ephemeral container stays %.*s; --compat fixed "
                          "changes it, too",
                          STR_ARG(old));
    else if (is_second)
        kustomize_warn_at(s->b, field->set, field->node, "KD-6",
                          "KD-6: this image is changed twice, to %.*s; --compat fixed changes it "
                          "once",
                          STR_ARG(now));
    return field->is_missed;
}

static int set_image(struct image_setter *s, const struct image_field *field, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    str image = doc_text(field->node, STR_NONE);

    if (!res_image_matches(&s->matcher, image))
        return 0;
    res_image_apply(&s->change, image, &text);
    if (judge(s, field, image, buf_view(&text)))
        return 0;
    return kustomize_set_scalar(field->set, field->node, buf_view(&text), e);
}

static int set_fields(struct kustomize_build *b, const struct image_fields *f,
                      const struct kustomize_image *image, struct err *e)
{
    AUTO(setter_done)
    struct image_setter s = {
        .b = b, .change = {image->new_name, image->new_tag, image->digest, image->tag_suffix}};

    if (!res_image_matcher_init(&s.matcher, image->name)) {
        kustomize_warn(b, image->node, "image.pattern",
                       "the image name '%.*s' is no regular expression: it matches nothing",
                       STR_ARG(image->name));
        return 0;
    }
    for (size_t i = 0; i < f->all.len; i++)
        if (set_image(&s, &f->all.v[i], e) < 0)
            return kustomize_fail_at(b, image->node, e);
    return 0;
}

int kustomize_images(struct kustomize_build *b, struct kustomize_resmap *m,
                     const struct kustomize_image_list *list, const struct kustomize_specs *specs,
                     struct err *e)
{
    AUTO(fields_done) struct image_fields fields = {0};

    if (find_fields(m, specs, &fields, e) < 0)
        return kustomize_fail_at(b, list->v[0].node, e);
    for (size_t i = 0; i < list->len; i++)
        if (set_fields(b, &fields, &list->v[i], e) < 0)
            return -1;
    return 0;
}

int kustomize_image(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_image *image, const struct kustomize_specs *specs,
                    struct err *e)
{
    struct kustomize_image one = *image;

    return kustomize_images(b, m, &(struct kustomize_image_list){&one, 1}, specs, e);
}
