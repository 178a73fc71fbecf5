#include "kustomize/file/path_fields.h"

/* "[]" stands for each item of a list. */
static const struct {
    char kind[32]; /* "": all */
    char field[40];
    enum kustomize_path_form form;
} rows[] = {
    {"", "runtime/exec/path", KUSTOMIZE_PATH_PROGRAM},
    {"ConfigMapGenerator", "files/[]", KUSTOMIZE_PATH_KEYED},
    {"ConfigMapGenerator", "envs/[]", KUSTOMIZE_PATH_FILE},
    {"ConfigMapGenerator", "env", KUSTOMIZE_PATH_FILE},
    {"SecretGenerator", "files/[]", KUSTOMIZE_PATH_KEYED},
    {"SecretGenerator", "envs/[]", KUSTOMIZE_PATH_FILE},
    {"SecretGenerator", "env", KUSTOMIZE_PATH_FILE},
    {"HelmChartInflationGenerator", "valuesFile", KUSTOMIZE_PATH_FILE},
    {"HelmChartInflationGenerator", "additionalValuesFiles/[]", KUSTOMIZE_PATH_FILE},
    {"HelmChartInflationGenerator", "chartHome", KUSTOMIZE_PATH_HOME},
    {"PatchTransformer", "path", KUSTOMIZE_PATH_FILE},
    {"PatchStrategicMergeTransformer", "paths/[]", KUSTOMIZE_PATH_PATCH},
    {"PatchJson6902Transformer", "path", KUSTOMIZE_PATH_FILE},
    {"ReplacementTransformer", "replacements/[]/path", KUSTOMIZE_PATH_FILE},
    {"ResourceAccumulator", "paths/[]", KUSTOMIZE_PATH_EITHER},
    {"ResourceGenerator", "paths/[]", KUSTOMIZE_PATH_EITHER},
    {"Kustomization", "resources/[]", KUSTOMIZE_PATH_EITHER},
    {"Kustomization", "bases/[]", KUSTOMIZE_PATH_FOLDER},
    {"Kustomization", "components/[]", KUSTOMIZE_PATH_FOLDER},
    {"Kustomization", "crds/[]", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "configurations/[]", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "openapi/path", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "configMapGenerator/[]/files/[]", KUSTOMIZE_PATH_KEYED},
    {"Kustomization", "configMapGenerator/[]/envs/[]", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "configMapGenerator/[]/env", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "secretGenerator/[]/files/[]", KUSTOMIZE_PATH_KEYED},
    {"Kustomization", "secretGenerator/[]/envs/[]", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "secretGenerator/[]/env", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "generators/[]", KUSTOMIZE_PATH_PLUGIN},
    {"Kustomization", "transformers/[]", KUSTOMIZE_PATH_PLUGIN},
    {"Kustomization", "validators/[]", KUSTOMIZE_PATH_PLUGIN},
    {"Kustomization", "patches/[]/path", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "patchesStrategicMerge/[]", KUSTOMIZE_PATH_PATCH},
    {"Kustomization", "patchesJson6902/[]/path", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "replacements/[]/path", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "helmCharts/[]/valuesFile", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "helmCharts/[]/additionalValuesFiles/[]", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "helmGlobals/chartHome", KUSTOMIZE_PATH_HOME},
    {"Kustomization", "helmChartInflationGenerator/[]/values", KUSTOMIZE_PATH_FILE},
    {"Kustomization", "helmChartInflationGenerator/[]/chartHome", KUSTOMIZE_PATH_HOME},
};

struct walk {
    kustomize_path_fn *visit;
    void *ctx;
    enum kustomize_path_form form;
};

static struct doc_node *field_of(const struct doc_node *map, str name)
{
    struct doc_iter it = doc_children(doc_is_map(map) ? map : NULL);

    while (doc_next(&it))
        if (str_eq_nocase(it.key, name))
            return it.value;
    return NULL;
}

static int walk(const struct walk *w, struct doc_node *node, str field, struct err *e)
{
    str rest, name = str_cut(field, '/', &rest);
    struct doc_iter it = doc_children(doc_is_list(node) ? node : NULL);

    if (!node)
        return 0;
    if (!field.p)
        return doc_is_string(node) ? w->visit(w->ctx, node, w->form, e) : 0;
    if (!str_eq(name, STR("[]")))
        return walk(w, field_of(node, name), rest, e);
    while (doc_next(&it))
        if (walk(w, it.value, rest, e) < 0)
            return -1;
    return 0;
}

/* A kind of somebody else's may have the name of one of these. */
static bool is_ours(const struct doc_node *config)
{
    str api = doc_string(doc_get_lit(config, "apiVersion"), STR_NONE);

    return !api.len || str_eq(api, STR("builtin")) ||
           str_starts(api, STR("kustomize.config.k8s.io/"));
}

int kustomize_each_path(const struct doc_node *config, str kind, kustomize_path_fn *visit,
                        void *ctx, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct walk w = {visit, ctx, rows[i].form};
        str rest, first = str_cut(str_of(rows[i].field), '/', &rest);

        if (*rows[i].kind && !(str_eq(kind, str_of(rows[i].kind)) && is_ours(config)))
            continue;
        if (walk(&w, field_of(config, first), rest, e) < 0)
            return err_wrap(e, "%.*s", STR_ARG(first));
    }
    return 0;
}

void kustomize_relative_path(str from, str to, struct buf *out)
{
    size_t common = 0, start = out->len;

    for (size_t i = 0; i <= from.len && i <= to.len; i++) {
        bool is_end = (i == from.len || from.p[i] == '/') && (i == to.len || to.p[i] == '/');

        if (is_end)
            common = i;
        if (i == from.len || i == to.len || from.p[i] != to.p[i])
            break;
    }
    for (size_t i = common; i < from.len; i++)
        if (from.p[i] == '/' && i + 1 < from.len)
            buf_addf(out, "%s..", out->len > start ? "/" : "");
    if (common < to.len)
        buf_addf(out, "%s%.*s", out->len > start ? "/" : "", STR_ARG(str_from(to, common + 1)));
    if (out->len == start)
        buf_add_char(out, '.');
}
