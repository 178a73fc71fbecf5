#include "doc/kyaml/node.h"
#include "kustomize/transform/fields.h"

/* Labels and annotations (kustomize spec 9).
 *
 * What is set is the same everywhere, so its texts are copied once into a set, not once for each
 * resource: resources of one set share them. */
struct setter {
    const struct kustomize_pairs *pairs;
    const struct doc_set *set;  /* which holds: */
    struct kustomize_pair *own; /* as many as pairs */
    struct doc_node **made;     /* the same: what was made in this resource, or NULL */
};

/* Upstream makes one node for each pair and resource and puts it wherever the key is missing. So
 * a patch that gives metadata/labels another value later changes the selectors with it. Bytes are
 * bytes: unless mended, ours share as well. */
static void begin_resource(void *ctx)
{
    struct setter *s = ctx;

    if (s->made)
        memset((void *)s->made, 0, s->pairs->len * sizeof(*s->made));
}

static void copy_texts(struct setter *s, struct doc_set *set)
{
    s->set = set;
    s->own = ARENA_ARRAY(&set->arena, struct kustomize_pair, s->pairs->len);
    for (size_t i = 0; i < s->pairs->len; i++) {
        s->own[i].key = arena_dup(&set->arena, s->pairs->v[i].key);
        s->own[i].value = arena_dup(&set->arena, s->pairs->v[i].value);
    }
}

static void set_pair(struct doc_set *set, struct doc_node *map, const struct kustomize_pair *pair,
                     struct doc_node **made)
{
    struct doc_node *old = doc_get(map, pair->key);
    struct doc_node *value = doc_new_string_view(set, pair->value);

    if (old) {
        if (doc_is_string(old))
            value->style = old->style;
        doc_replace(old, value);
        return;
    }
    doc_key_set(value, pair->key);
    doc_push(set, map, value);
    if (!made)
        return;
    if (*made)
        doc_share(set, *made, value);
    *made = value;
}

static int set_pairs(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    struct setter *s = ctx;

    if (doc_is_null(field)) /* there, but not to be made: kyaml's setter leaves it */
        return 0;
    if (doc_expect(field, DOC_MAP, e) < 0)
        return -1;
    if (s->set != set)
        copy_texts(s, set);
    for (size_t i = 0; i < s->pairs->len; i++)
        set_pair(set, field, &s->own[i], s->made ? &s->made[i] : NULL);
    return 0;
}

static int set_all(struct kustomize_build *b, struct kustomize_resmap *m,
                   const struct kustomize_pairs *pairs, const struct kustomize_specs *specs,
                   struct err *e)
{
    struct setter s = {.pairs = pairs};

    if (pairs->len == 0)
        return 0;
    if (!b->is_fixed)
        s.made = ARENA_ARRAY(&b->set->arena, struct doc_node *, pairs->len);
    return kustomize_visit_each(m, specs, DOC_MAP, begin_resource, set_pairs, &s, e);
}

int kustomize_labels(struct kustomize_build *b, struct kustomize_resmap *m,
                     const struct kustomize_pairs *pairs, const struct kustomize_specs *specs,
                     struct err *e)
{
    if (set_all(b, m, pairs, specs, e) == 0)
        return 0;
    return kustomize_fail_at(b, pairs->v[0].node, e);
}

int kustomize_annotations(struct kustomize_build *b, struct kustomize_resmap *m,
                          const struct kustomize_pairs *pairs, const struct kustomize_specs *specs,
                          struct err *e)
{
    return kustomize_labels(b, m, pairs, specs, e);
}

/* The path set of an entry of `labels`. */
static int collect(const struct kustomize_config *c, const struct kustomize_label *label,
                   struct kustomize_specs *ret, struct err *e)
{
    static const struct res_field_spec own = {.path = STR_INIT("metadata/labels"), .create = true};
    const struct {
        bool is_wanted;
        const struct kustomize_specs *specs;
        const char *what;
    } parts[] = {
        {true, &c->labels, "labels"},
        {label->include_selectors, &c->common_labels, "labels"},
        {!label->include_selectors && label->include_templates, &c->template_labels,
         "template fieldSpec"},
        {!label->include_selectors && label->include_volume_claim_templates,
         &c->volume_claim_labels, "volumeClaimTemplate fieldSpec"},
    };

    vec_reserve(ret, label->fields.len);
    if (label->fields.len)
        memcpy(ret->v, label->fields.v, label->fields.len * sizeof(*ret->v));
    ret->len = label->fields.len;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        AUTO(kustomize_specs_done) struct kustomize_specs more = {0};

        if (!parts[i].is_wanted)
            continue;
        more = kustomize_config_specs(c, parts[i].specs);
        if (kustomize_specs_add_all(ret, more.v, more.len, e) < 0)
            return err_wrap(e, "failed to merge %s", parts[i].what);
    }
    if (!label->include_selectors && kustomize_specs_add(ret, &own, e) < 0)
        return err_wrap(e, "failed to merge labels");
    return 0;
}

int kustomize_label(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_label *label, struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};

    if (collect(b->config, label, &specs, e) < 0)
        return kustomize_fail_at(b, label->node, e);
    return kustomize_labels(b, m, &label->pairs, &specs, e);
}
