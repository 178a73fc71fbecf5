/* edit remove: entries of lists of paths. */
#include <fnmatch.h>

#include "kustomize/edit/edit_priv.h"
#include "kustomize/edit/parts.h"

/* Patterns are held against the entries, not against what is on the disk. */
static bool matches(struct kustomize_edit *edit, str pattern, str text)
{
    return fnmatch(arena_dup(&edit->set->arena, pattern).p, arena_dup(&edit->set->arena, text).p,
                   FNM_PATHNAME) == 0;
}

static bool is_named(struct kustomize_edit *edit, const struct kustomize_edit_args *args, str text)
{
    for (size_t i = 0; i < args->names.len; i++)
        if (str_eq(args->names.v[i], text) || matches(edit, args->names.v[i], text))
            return true;
    return false;
}

static void remove_from(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        str field)
{
    struct doc_node *list = kustomize_edit_field(edit->root, field);
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);

    while (doc_next(&it))
        if (is_named(edit, args, doc_text(it.value, STR_NONE)))
            doc_remove_item(list, it.value);
    kustomize_edit_drop_empty(edit->root, field);
}

static int remove_paths(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        const char *what, str field, struct err *e)
{
    if (!args->names.len)
        return err_set(e, ERR_USAGE, "must specify a %s file", what);
    remove_from(edit, args, field);
    return 0;
}

static int remove_resource(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                           struct err *e)
{
    if (remove_paths(edit, args, "resource", STR("resources"), e) < 0)
        return -1;
    remove_from(edit, args, STR("bases"));
    return 0;
}

static int remove_component(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                            struct err *e)
{
    return remove_paths(edit, args, "component", STR("components"), e);
}

static int remove_transformer(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                              struct err *e)
{
    return remove_paths(edit, args, "transformer", STR("transformers"), e);
}

static int remove_metadata(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                           struct err *e)
{
    struct kustomize_edit_args options = {0};
    int rc = kustomize_edit_metadata(args, &options.names, e);

    if (rc == 0)
        remove_from(edit, &options, STR("buildMetadata"));
    vec_done(&options.names);
    return rc;
}

const struct kustomize_edit_row kustomize_edit_remove[] = {
    {"remove", "resource", "PATH|PATTERN ...", "", remove_resource},
    {"remove", "component", "PATH|PATTERN ...", "", remove_component},
    {"remove", "patch", "",
     "path patch group version kind name namespace label-selector annotation-selector",
     kustomize_edit_remove_patch},
    {"remove", "configmap", "NAME[,NAME...]", "namespace", kustomize_edit_remove_configmap},
    {"remove", "secret", "NAME[,NAME...]", "namespace", kustomize_edit_remove_secret},
    {"remove", "label", "KEY[,KEY...]", "ignore-non-existence", kustomize_edit_remove_labels},
    {"remove", "annotation", "KEY[,KEY...]", "ignore-non-existence",
     kustomize_edit_remove_annotations},
    {"remove", "transformer", "PATH|PATTERN ...", "", remove_transformer},
    {"remove", "buildmetadata", "OPTION[,OPTION...]", "", remove_metadata},
    {0},
};
