/* edit fix: old fields become new ones, in upstream's order of the entries. */
#include "kustomize/edit/edit_priv.h"
#include "sys/file.h"

static void fixed(struct kustomize_edit *edit, const char *from, const char *to)
{
    kustomize_edit_note(edit, "%s -> %s", from, to);
}

/* Moves the items of one list behind those of another; one that is alone is renamed, so that it
 * keeps its comments. */
static int move_items(struct kustomize_edit *edit, const char *from, const char *to, struct err *e)
{
    struct doc_node *old = kustomize_edit_field(edit->root, str_of(from)), *list;
    struct doc_iter it = doc_children(doc_is_list(old) ? old : NULL);

    if (!old)
        return 0;
    fixed(edit, from, to);
    if (!kustomize_edit_field(edit->root, str_of(to))) {
        doc_rename(edit->set, edit->root, old, str_of(to));
        return 0;
    }
    list = it.left ? kustomize_edit_list(edit, edit->root, str_of(to), e) : NULL;
    if (it.left && !list)
        return -1;
    while (doc_next(&it))
        doc_append(list, doc_copy(edit->set, it.value));
    kustomize_edit_drop(edit->root, str_of(from));
    return 0;
}

/* A strategic merge patch is a file or its text. */
static int move_strategic(struct kustomize_edit *edit, struct err *e)
{
    struct doc_node *old = kustomize_edit_field(edit->root, STR("patchesStrategicMerge"));
    struct doc_iter it = doc_children(doc_is_list(old) ? old : NULL);

    while (doc_next(&it)) {
        str text = arena_dup(&edit->set->arena, doc_text(it.value, STR_NONE));
        struct doc_node *list = kustomize_edit_list(edit, edit->root, STR("patches"), e), *entry;

        if (!list)
            return -1;
        entry = doc_append(list, doc_new_map(edit->set));
        doc_set_string(edit->set, entry, file_exists(text.p) ? STR("path") : STR("patch"), text);
    }
    if (old)
        fixed(edit, "patchesStrategicMerge", "patches");
    kustomize_edit_drop(edit->root, STR("patchesStrategicMerge"));
    return 0;
}

static int check_labels(const struct kustomize_edit *edit, const struct doc_node *common,
                        struct err *e)
{
    struct doc_iter entries = doc_children(kustomize_edit_field(edit->root, STR("labels")));

    while (doc_next(&entries)) {
        struct doc_iter pairs = doc_children(kustomize_edit_field(entries.value, STR("pairs")));

        while (doc_next(&pairs))
            if (doc_get(common, pairs.key))
                return err_set(e, ERR_INVALID,
                               "label name '%.*s' exists in both commonLabels and labels",
                               STR_ARG(pairs.key));
    }
    return 0;
}

static int move_labels(struct kustomize_edit *edit, struct err *e)
{
    struct doc_node *common = kustomize_edit_field(edit->root, STR("commonLabels")), *list, *entry;

    if (!common)
        return 0;
    if (check_labels(edit, common, e) < 0)
        return -1;
    if (doc_len(common)) {
        list = kustomize_edit_list(edit, edit->root, STR("labels"), e);
        if (!list)
            return -1;
        entry = doc_append(list, doc_new_map(edit->set));
        doc_set_bool(edit->set, entry, STR("includeSelectors"), true);
        doc_set_field(edit->set, entry, STR("pairs"), doc_copy(edit->set, common));
    }
    fixed(edit, "commonLabels", "labels");
    kustomize_edit_drop(edit->root, STR("commonLabels"));
    return 0;
}

/* A generator's env is the last of its envs. */
static int move_env(struct kustomize_edit *edit, str field, struct err *e)
{
    struct doc_iter it = doc_children(kustomize_edit_field(edit->root, field));

    while (doc_next(&it)) {
        str env = kustomize_edit_string(it.value, STR("env"));
        struct doc_node *list;

        if (!env.len)
            continue;
        list = kustomize_edit_list(edit, it.value, STR("envs"), e);
        if (!list)
            return -1;
        kustomize_edit_append(edit, list, env);
        kustomize_edit_drop(it.value, STR("env"));
        fixed(edit, "env", "envs");
    }
    return 0;
}

/* Fields of the old chart generator and what they are called now. */
static const struct {
    char from[17], to[13];
    bool is_global; /* of helmGlobals */
} chart_fields[] = {
    {"chartName", "name", false},
    {"chartRepoUrl", "repo", false},
    {"chartVersion", "version", false},
    {"releaseName", "releaseName", false},
    {"releaseNamespace", "namespace", false},
    {"values", "valuesFile", false},
    {"valuesLocal", "valuesInline", false},
    {"valuesMerge", "valuesMerge", false},
    {"chartHome", "chartHome", true},
    {"configHome", "configHome", true},
};

static int move_chart(struct kustomize_edit *edit, const struct doc_node *old,
                      struct doc_node *charts, struct err *e)
{
    struct doc_node *chart = doc_append(charts, doc_new_map(edit->set)), *globals;

    for (size_t i = 0; i < ARRAY_LEN(chart_fields); i++) {
        const struct doc_node *value = kustomize_edit_field(old, str_of(chart_fields[i].from));

        if (doc_is_null(value))
            continue;
        globals = chart;
        if (chart_fields[i].is_global)
            globals = kustomize_edit_map(edit, edit->root, STR("helmGlobals"), e);
        if (!globals)
            return -1;
        doc_set_field(edit->set, globals, str_of(chart_fields[i].to), doc_copy(edit->set, value));
    }
    return 0;
}

static int move_charts(struct kustomize_edit *edit, struct err *e)
{
    static const str field = STR_INIT("helmChartInflationGenerator");
    struct doc_node *old = kustomize_edit_field(edit->root, field), *charts;
    struct doc_iter it = doc_children(doc_is_list(old) ? old : NULL);

    if (!old)
        return 0;
    charts = kustomize_edit_list(edit, edit->root, STR("helmCharts"), e);
    if (!charts)
        return -1;
    while (doc_next(&it))
        if (move_chart(edit, it.value, charts, e) < 0)
            return -1;
    fixed(edit, "helmChartInflationGenerator", "helmCharts");
    kustomize_edit_drop(edit->root, field);
    kustomize_edit_drop_empty(edit->root, STR("helmCharts"));
    return 0;
}

static void add_head(struct kustomize_edit *edit)
{
    str kind = kustomize_edit_string(edit->root, STR("kind"));

    if (!kustomize_edit_string(edit->root, STR("apiVersion")).len)
        doc_set_string(edit->set, edit->root, STR("apiVersion"),
                       str_eq(kind, STR("Component")) ? STR("kustomize.config.k8s.io/v1alpha1")
                                                      : STR("kustomize.config.k8s.io/v1beta1"));
    if (!kind.len)
        doc_set_string(edit->set, edit->root, STR("kind"), STR("Kustomization"));
}

int kustomize_edit_fix(struct kustomize_edit *edit, struct err *e)
{
    if (move_items(edit, "bases", "resources", e) < 0 ||
        move_items(edit, "imageTags", "images", e) < 0 || move_charts(edit, e) < 0 ||
        move_env(edit, STR("configMapGenerator"), e) < 0 ||
        move_env(edit, STR("secretGenerator"), e) < 0 ||
        move_items(edit, "patchesJson6902", "patches", e) < 0 || move_strategic(edit, e) < 0 ||
        move_labels(edit, e) < 0)
        return -1;
    add_head(edit);
    return 0;
}
