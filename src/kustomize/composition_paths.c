#include "fetch/git_url.h"
#include "fetch/loader.h"
#include "fetch/path.h"
#include "kustomize/composition.h"

/* "[]" stands for each item of a list. */
enum form { PATH, KEYED, PATH_OR_TEXT }; /* KEYED: "key=path"; text: has a newline */

static const struct {
    char kind[32]; /* "": all */
    char field[40];
    enum form form;
} rows[] = {
    {"", "runtime/exec/path", PATH},
    {"ConfigMapGenerator", "files/[]", KEYED},
    {"ConfigMapGenerator", "envs/[]", PATH},
    {"ConfigMapGenerator", "env", PATH},
    {"SecretGenerator", "files/[]", KEYED},
    {"SecretGenerator", "envs/[]", PATH},
    {"SecretGenerator", "env", PATH},
    {"HelmChartInflationGenerator", "valuesFile", PATH},
    {"HelmChartInflationGenerator", "additionalValuesFiles/[]", PATH},
    {"HelmChartInflationGenerator", "chartHome", PATH},
    {"PatchTransformer", "path", PATH},
    {"PatchStrategicMergeTransformer", "paths/[]", PATH},
    {"PatchJson6902Transformer", "path", PATH},
    {"ReplacementTransformer", "replacements/[]/path", PATH},
    {"ResourceAccumulator", "paths/[]", PATH},
    {"ResourceGenerator", "paths/[]", PATH},
    {"Kustomization", "resources/[]", PATH},
    {"Kustomization", "bases/[]", PATH},
    {"Kustomization", "components/[]", PATH},
    {"Kustomization", "crds/[]", PATH},
    {"Kustomization", "configurations/[]", PATH},
    {"Kustomization", "openapi/path", PATH},
    {"Kustomization", "configMapGenerator/[]/files/[]", KEYED},
    {"Kustomization", "configMapGenerator/[]/envs/[]", PATH},
    {"Kustomization", "configMapGenerator/[]/env", PATH},
    {"Kustomization", "secretGenerator/[]/files/[]", KEYED},
    {"Kustomization", "secretGenerator/[]/envs/[]", PATH},
    {"Kustomization", "secretGenerator/[]/env", PATH},
    {"Kustomization", "generators/[]", PATH_OR_TEXT},
    {"Kustomization", "transformers/[]", PATH_OR_TEXT},
    {"Kustomization", "validators/[]", PATH_OR_TEXT},
    {"Kustomization", "patches/[]/path", PATH},
    {"Kustomization", "patchesStrategicMerge/[]", PATH_OR_TEXT},
    {"Kustomization", "patchesJson6902/[]/path", PATH},
    {"Kustomization", "replacements/[]/path", PATH},
    {"Kustomization", "helmCharts/[]/valuesFile", PATH},
    {"Kustomization", "helmCharts/[]/additionalValuesFiles/[]", PATH},
    {"Kustomization", "helmGlobals/chartHome", PATH},
};

struct job {
    struct doc_set *set;
    str from, to; /* the folders that paths are counted from, and shall be */
};

/* "../../x": the way from an absolute folder to an absolute path. */
static void relative_way(str from, str to, struct buf *out)
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

static bool is_url(str path)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(err_done) struct err e = {0};

    return fetch_is_file_url(path) || fetch_git_url_parse(path, &url, &e) != 0;
}

static void rebase(const struct job *j, struct doc_node *value, enum form form)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0}, out = {0};
    str text = doc_string(value, STR_NONE), path = text;
    ssize_t equals = form == KEYED ? str_find_char(text, '=') : -1;

    if (equals >= 0) {
        buf_add_str(&out, str_sub(text, 0, (size_t)equals + 1));
        path = str_from(text, (size_t)equals + 1);
    }
    if (!path.len || path.p[0] == '/' || is_url(path) ||
        (form == PATH_OR_TEXT && str_find_char(path, '\n') >= 0))
        return;
    buf_addf(&whole, "%.*s/%.*s", STR_ARG(j->from), STR_ARG(path));
    fetch_clean_path(buf_view(&whole), &clean);
    relative_way(j->to, buf_view(&clean), &out);
    doc_replace(value, doc_new_string(j->set, buf_view(&out)));
}

static void walk(const struct job *j, struct doc_node *node, str field, enum form form)
{
    str rest, name = str_cut(field, '/', &rest);
    struct doc_iter it = doc_children(node);

    if (!field.p) {
        if (doc_is_string(node))
            rebase(j, node, form);
    } else if (!str_eq(name, STR("[]"))) {
        struct doc_node *value = doc_get(node, name);

        if (value)
            walk(j, value, rest, form);
    } else if (doc_is_list(node)) {
        while (doc_next(&it))
            walk(j, it.value, rest, form);
    }
}

void kustomize_rebase_paths(struct doc_set *set, struct doc_node *config, str kind, str from,
                            str to)
{
    struct job j = {set, from, to};
    const struct doc_node *exec = doc_at(config, "runtime/exec/path");
    bool is_searched = str_find_char(doc_string(exec, STR_NONE), '/') < 0; /* along PATH */

    if (str_eq(from, to))
        return;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (*rows[i].kind ? str_eq(kind, str_of(rows[i].kind)) : !is_searched)
            walk(&j, config, str_of(rows[i].field), rows[i].form);
}
