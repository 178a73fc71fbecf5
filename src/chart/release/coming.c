/* The types that the CRDs of a chart will bring: a dry run of an installation creates none, and yet
 * is to say what the installation would do. */
#include "chart/release/release_priv.h"
#include "doc/at.h"
#include "doc/parse.h"

static void add_version(struct chart_coming *coming, const struct doc_node *crd, str version)
{
    struct arena *arena = &coming->set->arena;
    struct kube_type *type = ARENA_ARRAY(arena, struct kube_type, 1);

    *type =
        (struct kube_type){.group = doc_text_at(crd, "spec/group"),
                           .version = version,
                           .kind = doc_text_at(crd, "spec/names/kind"),
                           .plural = doc_text_at(crd, "spec/names/plural"),
                           .singular = doc_text_at(crd, "spec/names/singular"),
                           .namespaced = str_eq(doc_text_at(crd, "spec/scope"), STR("Namespaced"))};
    vec_push(&coming->types, type);
}

static void add_crd(struct chart_coming *coming, const struct doc_node *crd)
{
    struct doc_iter it = doc_children(doc_at(crd, "spec/versions"));

    if (!str_eq(doc_text_at(crd, "kind"), STR("CustomResourceDefinition")))
        return;
    while (doc_next(&it))
        if (doc_bool(doc_get_lit(it.value, "served"), false))
            add_version(coming, crd, doc_text_at(it.value, "name"));
}

int chart_coming_add(struct chart_coming *coming, const struct chart_file *crds, struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION};
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (!coming->set)
        coming->set = doc_set_new();
    if (doc_parse_all(coming->set, crds->text, &options, "manifest", &roots, e) < 0)
        return err_wrap(e, "failed to install CRD %.*s", STR_ARG(crds->name));
    for (size_t i = 0; i < roots.len; i++) {
        struct doc_iter it = doc_children(doc_get_lit(roots.v[i], "items"));

        add_crd(coming, roots.v[i]);
        while (doc_next(&it))
            add_crd(coming, it.value);
    }
    return 0;
}

const struct kube_type *chart_coming_find(const struct chart_coming *coming, str api_version,
                                          str kind)
{
    str version, group = str_cut(api_version, '/', &version);

    for (size_t i = 0; i < coming->types.len; i++) {
        const struct kube_type *t = coming->types.v[i];

        if (str_eq(t->kind, kind) && str_eq(t->group, group) && str_eq(t->version, version))
            return t;
    }
    return NULL;
}

void chart_coming_done(struct chart_coming *coming)
{
    vec_done(&coming->types);
    doc_set_free(coming->set);
    *coming = (struct chart_coming){0};
}
