/* What holds paths: kustomizations, configs of built-in transformers, Compositions. */
#include "doc/edit.h"
#include "doc/parse.h"
#include "kustomize/localize/localize_priv.h"

struct visit {
    struct localize_level *level;
    struct doc_set *set;
};

static void rename_to(struct doc_set *set, struct doc_node *n, str text)
{
    if (!str_eq(doc_text(n, STR_NONE), text))
        doc_replace(n, doc_new_string(set, text));
}

static int visit_path(void *ctx, struct doc_node *value, enum kustomize_path_form form,
                      struct err *e)
{
    const struct visit *v = ctx;
    AUTO(buf_done) struct buf to = {0};

    if (kustomize_localize_path(v->level, doc_text(value, STR_NONE), form, &to, e) < 0)
        return -1;
    rename_to(v->set, value, buf_view(&to));
    return 0;
}

/* Charts that name no home lie in the usual one. */
static bool has_usual_home(const struct doc_node *config, str kind)
{
    if (str_eq(kind, STR("HelmChartInflationGenerator")))
        return !kustomize_edit_field(config, STR("chartHome"));
    return str_eq(kind, STR("Kustomization")) &&
           doc_len(kustomize_edit_field(config, STR("helmCharts"))) &&
           !kustomize_edit_field(kustomize_edit_field(config, STR("helmGlobals")),
                                 STR("chartHome"));
}

int kustomize_localize_config(struct localize_level *level, struct doc_set *set,
                              struct doc_node *config, str kind, struct err *e)
{
    AUTO(buf_done) struct buf ignored = {0};
    struct visit v = {level, set};

    if (kustomize_each_path(config, kind, visit_path, &v, e) < 0)
        return -1;
    if (!has_usual_home(config, kind))
        return 0;
    return kustomize_localize_chart_home(level, STR_NONE, &ignored, e);
}

static int localize_step(struct localize_level *level, struct doc_set *set, struct doc_node *config,
                         struct err *e)
{
    str kind = doc_string(doc_get_lit(config, "kind"), STR_NONE);
    str api = doc_string(doc_get_lit(config, "apiVersion"), STR_NONE);
    bool is_known = level->is_composition || str_eq(api, STR("builtin"));

    return is_known ? kustomize_localize_config(level, set, config, kind, e) : 0;
}

int kustomize_localize_configs_text(struct localize_level *level, str text, str origin,
                                    struct buf *out, struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_MANIFEST, .flags = DOC_COMMENTS};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (doc_parse_all(set, text, &options, arena_cstr(&set->arena, origin), &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++)
        if (localize_step(level, set, roots.v[i], e) < 0)
            return -1;
    if (roots.len)
        doc_edit_emit(set, roots.v[0]->source, roots.v, roots.len, out);
    else
        buf_add_str(out, text);
    return 0;
}

/* ---- Compositions */

static int localize_import(struct localize_level *level, struct doc_node *from, struct err *e)
{
    AUTO(buf_done) struct buf to = {0};
    struct doc_node *path = doc_get_lit(from, "path");
    str text = doc_string(path, STR_NONE);

    if (!text.len)
        return 0;
    if (kustomize_localize_folder(level, text, true, NULL, &to, e) < 0)
        return -1;
    rename_to(level->edit.set, path, buf_view(&to));
    return 0;
}

/* A transformer, or the path of a file of transformers, or their text. */
static int localize_entry(struct localize_level *level, struct doc_node *entry, struct err *e)
{
    struct visit v = {level, level->edit.set};

    if (doc_is_map(entry))
        return localize_step(level, level->edit.set, entry, e);
    return doc_is_string(entry) ? visit_path(&v, entry, KUSTOMIZE_PATH_PLUGIN, e) : 0;
}

int kustomize_localize_composition(struct localize_level *level, struct err *e)
{
    static const struct {
        const char *field;
        int (*run)(struct localize_level *level, struct doc_node *item, struct err *e);
    } lists[] = {
        {"transformersFrom", localize_import},
        {"transformerOverrides", localize_entry},
        {"transformers", localize_entry},
    };

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        const struct doc_node *list = doc_get(level->edit.root, str_of(lists[i].field));
        struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);

        while (doc_next(&it))
            if (lists[i].run(level, it.value, e) < 0)
                return err_wrap(e, "%s", lists[i].field);
    }
    return 0;
}
