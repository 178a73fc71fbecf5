/* Reading kustomization files: decoding, checks, folding of old fields (kustomize spec 2). */
#include "kustomize/file/kustomization.h"

#include "kustomize/file/decode.h"
#include "kustomize/file/surprises.h"
#include "kustomize/shared.h"

static const str v1beta1 = STR_INIT("kustomize.config.k8s.io/v1beta1");
static const str v1alpha1 = STR_INIT("kustomize.config.k8s.io/v1alpha1");

static void warn_deprecated(struct kustomize_build *b, const struct kustomization *k)
{
    const struct {
        const struct doc_node *node;
        const char *field, *instead, *note;
    } rows[] = {
        {k->deprecated.bases_node, "bases", "resources", ""},
        {k->deprecated.image_tags_node, "imageTags", "images", ""},
        {k->deprecated.json6902, "patchesJson6902", "patches", ""},
        {k->deprecated.strategic_merges, "patchesStrategicMerge", "patches", ""},
        {k->deprecated.common_labels, "commonLabels", "labels", ""},
        {k->deprecated.vars, "vars", "replacements", "[EXPERIMENTAL] "},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].node)
            kustomize_warn(b, rows[i].node, "field.deprecated",
                           "'%s' is deprecated. Please use '%s' instead. %sRun 'kustomize edit "
                           "fix' to update your Kustomization automatically.",
                           rows[i].field, rows[i].instead, rows[i].note);
}

/* Two lists of items of one size as one, in the set's arena. */
static void *joined(struct doc_set *set, size_t size, const void *a, size_t a_len, const void *b,
                    size_t b_len)
{
    char *p = arena_alloc(&set->arena, size * (a_len + b_len));

    if (a_len)
        memcpy(p, a, size * a_len);
    if (b_len)
        memcpy(p + size * a_len, b, size * b_len);
    return p;
}
#define JOIN(set, to, more)                                                                \
    ({                                                                                     \
        if ((more).len) {                                                                  \
            (to).v = joined(set, sizeof(*(to).v), (to).v, (to).len, (more).v, (more).len); \
            (to).len += (more).len;                                                        \
        }                                                                                  \
    })

static void fold_envs(struct doc_set *set, struct kustomize_generator_list *list, bool is_secret)
{
    for (size_t i = 0; i < list->len; i++) {
        struct kustomize_generator *g = &list->v[i];
        struct kustomize_text_list env = {&g->env, g->env.text.len ? 1 : 0};

        g->is_secret = is_secret;
        JOIN(set, g->envs, env);
        g->env = (struct kustomize_text){0};
    }
}

static void fold_charts(struct doc_set *set, struct kustomization *k)
{
    const struct kustomize_chart_list *old = &k->deprecated.charts;

    for (size_t i = 0; i < old->len && !k->deprecated.has_helm_globals; i++) {
        if (old->v[i].chart_home.len)
            k->chart_home = old->v[i].chart_home;
        if (old->v[i].config_home.len)
            k->config_home = old->v[i].config_home;
    }
    JOIN(set, k->charts, *old);
}

static void fold(struct doc_set *set, struct kustomization *k)
{
    if (k->kind.len == 0)
        k->kind = STR("Kustomization");
    k->is_component = str_eq(k->kind, STR("Component"));
    if (k->api_version.len == 0)
        k->api_version = k->is_component ? v1alpha1 : v1beta1;
    JOIN(set, k->resources, k->deprecated.bases);
    JOIN(set, k->images, k->deprecated.image_tags);
    fold_envs(set, &k->config_maps, false);
    fold_envs(set, &k->secrets, true);
    fold_charts(set, k);
}

/* Nothing but apiVersion and kind; an empty list is something, but for one of bases, which become
 * resources first. */
static bool is_empty(const struct kustomization *k)
{
    struct doc_iter it = doc_children(k->root);

    while (doc_next(&it)) {
        bool is_head =
            str_eq_nocase(it.key, STR("kind")) || str_eq_nocase(it.key, STR("apiVersion"));
        bool is_nothing = doc_is_null(it.value) ||
                          (str_eq_nocase(it.key, STR("bases")) && !doc_len(it.value)) ||
                          (it.value->type == DOC_STRING && doc_text(it.value, STR_NONE).len == 0);

        if (!is_head && !is_nothing)
            return false;
    }
    return true;
}

static const struct {
    char name[23];
    enum kustomize_build_metadata bit;
} metadata_options[] = {
    {"originAnnotations", KUSTOMIZE_META_ORIGIN},
    {"transformerAnnotations", KUSTOMIZE_META_TRANSFORMATIONS},
    {"managedByLabel", KUSTOMIZE_META_MANAGED_BY},
};

/* Words that mean nothing to us do nothing, as upstream has it. */
static void read_metadata_options(struct kustomization *k)
{
    for (size_t i = 0; i < k->metadata_options.len; i++)
        for (size_t j = 0; j < ARRAY_LEN(metadata_options); j++)
            if (str_eq(k->metadata_options.v[i].text, str_of(metadata_options[j].name)))
                k->build_metadata |= metadata_options[j].bit;
}

static int check(struct kustomize_build *b, const struct kustomization *k, struct err *e)
{
    AUTO(diag_list_done) struct diag_list diags = {0};
    str wanted = k->is_component ? v1alpha1 : v1beta1;

    if (!k->is_component && !str_eq(k->kind, STR("Kustomization")))
        doc_diag(&diags, b->set, doc_get_lit(k->root, "kind"), false, "kind",
                 "Failed to read kustomization file under %.*s: kind should be Kustomization or "
                 "Component",
                 STR_ARG(b->dir));
    if (!str_eq(k->api_version, wanted))
        doc_diag(&diags, b->set, doc_get_lit(k->root, "apiVersion"), false, "apiVersion",
                 "Failed to read kustomization file under %.*s: apiVersion for %.*s should be %.*s",
                 STR_ARG(b->dir), STR_ARG(k->kind), STR_ARG(wanted));
    return diags.len ? err_diags(e, &diags) : 0;
}

static struct kustomization *decode(struct kustomize_build *b, const struct doc_node *root,
                                    struct err *e)
{
    struct kustomization *k = ARENA_NEW(&b->set->arena, struct kustomization);
    AUTO(diag_list_done) struct diag_list diags = {0};

    if (!doc_is_null(root))
        kustomize_decode(&kustomize_shape_kustomization, b->set, root, false, k, &diags);
    if (diags.len) {
        err_diags(e, &diags);
        return NULL;
    }
    warn_deprecated(b, k);
    fold(b->set, k);
    read_metadata_options(k);
    return k;
}

struct kustomization *kustomization_decode(struct kustomize_build *b, const struct doc_node *root,
                                           struct err *e)
{
    struct kustomization *k = decode(b, root, e);

    return k && check(b, k, e) == 0 ? k : NULL;
}

/* KD-9: upstream takes the last of the values without a word. */
static int judge_repeated(struct kustomize_build *b, const struct doc_node *entry, struct err *e)
{
    if (!entry)
        return 0;
    if (b->is_fixed) {
        err_set(e, ERR_INVALID, "duplicate key \"%.*s\"", STR_ARG(doc_key(entry)));
        return kustomize_fail_at(b, entry, e);
    }
    kustomize_warn(b, entry, "KD-9",
                   "KD-9: '%.*s' is here more than once and only the last one counts; take the "
                   "others out (--compat fixed refuses them)",
                   STR_ARG(doc_key(entry)));
    return 0;
}

static int refuse_composition(struct kustomize_build *b, const struct doc_node *root, struct err *e)
{
    const struct doc_node *kind = doc_get_lit(root, "kind");

    if (!str_eq(doc_string(kind, STR_NONE), STR("Composition")))
        return 0;
    err_set(e, ERR_INVALID,
            "kind should be Kustomization or Component, found Composition; one stands in a file "
            "named composition.yaml");
    return kustomize_fail_at(b, kind, e);
}

struct kustomization *kustomization_read(struct kustomize_build *b, str text, struct err *e)
{
    struct doc_node *repeated = NULL;
    struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION,
                                        .flags = DOC_BORROW | DOC_KEEP_EMPTY,
                                        .ret_repeated = &repeated};
    AUTO(doc_list_done) struct doc_list docs = {0};
    struct kustomization *k;

    kustomize_judge_text(b, text, arena_cstr(&b->set->arena, b->file));
    if (kustomize_parse_all(b, text, &options, arena_cstr(&b->set->arena, b->file), &docs, e) < 0 ||
        judge_repeated(b, repeated, e) < 0)
        return NULL;
    if (docs.len && refuse_composition(b, docs.v[0], e) < 0)
        return NULL;
    k = decode(b, docs.len ? docs.v[0] : NULL, e);
    if (!k)
        return NULL;
    if (is_empty(k)) {
        err_set(e, ERR_INVALID, "%.*s: kustomization.yaml is empty", STR_ARG(b->file));
        return NULL;
    }
    return check(b, k, e) < 0 ? NULL : k;
}
