#include "kustomize/select.h"

static bool is_literal(str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (strchr("\\.+*?()|[]{}^$", text.p[i]))
            return false;
    return true;
}

static int compile(struct kustomize_pattern *p, str text, struct err *e)
{
    p->text = text;
    if (is_literal(text))
        return 0;
    p->re = re_compile(text, 0, e);
    return p->re ? 0 : -1;
}

int kustomize_matcher_init(struct kustomize_matcher *m, const struct kustomize_selector *s,
                           struct err *e)
{
    *m = (struct kustomize_matcher){0};
    if (compile(&m->group, s->group, e) < 0 || compile(&m->version, s->version, e) < 0 ||
        compile(&m->kind, s->kind, e) < 0 || compile(&m->name, s->name, e) < 0 ||
        compile(&m->ns, s->ns, e) < 0)
        return -1;
    if (res_label_selector_parse_kyaml(s->label_selector, &m->labels, e) < 0)
        return -1;
    return res_label_selector_parse_kyaml(s->annotation_selector, &m->annotations, e);
}

void kustomize_matcher_done(struct kustomize_matcher *m)
{
    re_free(m->group.re);
    re_free(m->version.re);
    re_free(m->kind.re);
    re_free(m->name.re);
    re_free(m->ns.re);
    res_selector_done(&m->labels);
    res_selector_done(&m->annotations);
}

bool kustomize_pattern_matches(const struct kustomize_pattern *p, str text)
{
    if (p->text.len == 0)
        return true;
    return p->re ? re_match_full(p->re, text) : str_eq(p->text, text);
}

bool kustomize_matcher_gvk(const struct kustomize_matcher *m, const struct res_gvk *gvk)
{
    return kustomize_pattern_matches(&m->kind, gvk->kind) &&
           kustomize_pattern_matches(&m->group, gvk->group) &&
           kustomize_pattern_matches(&m->version, gvk->version);
}

bool kustomize_matcher_marks(const struct kustomize_matcher *m, const struct kustomize_resource *r)
{
    return (m->labels.all.len == 0 ||
            res_selector_matches(&m->labels, kustomize_resource_labels(r))) &&
           (m->annotations.all.len == 0 ||
            res_selector_matches(&m->annotations, kustomize_resource_annotations(r)));
}

/* As targets of patches are selected: group, version, kind, labels and annotations as they are now,
 * name and namespace as they are or were at first. */
static bool kustomize_matcher_selects(const struct kustomize_matcher *m,
                                      const struct kustomize_resource *r)
{
    const struct res_id *original = kustomize_resource_original(r);

    if (!kustomize_matcher_gvk(m, &r->id.gvk))
        return false;
    if (!kustomize_pattern_matches(&m->name, r->id.name) &&
        !kustomize_pattern_matches(&m->name, original->name))
        return false;
    if (!kustomize_pattern_matches(&m->ns, r->scope) &&
        !kustomize_pattern_matches(&m->ns, res_effective_ns(original)))
        return false;
    return kustomize_matcher_marks(m, r);
}

static bool is_given(const struct kustomize_pattern *p) { return p->text.len && !p->re; }

static void find_all(struct kustomize_resmap *all, struct kustomize_found *ret)
{
    struct kustomize_resource *r;

    ret->len = 0;
    for (size_t at = 0; (r = kustomize_resmap_next(all, &at));)
        vec_push(ret, r);
}

void kustomize_matcher_find(const struct kustomize_matcher *m, struct kustomize_resmap *all,
                            struct kustomize_found *ret)
{
    size_t kept = 0;

    if (is_given(&m->name))
        kustomize_resmap_by_name(all, m->name.text, ret);
    else if (is_given(&m->kind))
        kustomize_resmap_by_kind(all, m->kind.text, ret);
    else
        find_all(all, ret);
    for (size_t i = 0; i < ret->len; i++)
        if (kustomize_matcher_selects(m, ret->v[i]))
            ret->v[kept++] = ret->v[i];
    ret->len = kept;
}
