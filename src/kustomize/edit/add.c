/* edit add: entries of lists of paths. */
#include "fetch/git_url.h"
#include "fetch/loader.h"
#include "kustomize/edit/edit_priv.h"
#include "kustomize/edit/parts.h"
#include "sys/file.h"

static bool is_remote(str text) { return fetch_is_file_url(text) || fetch_is_git_url(text); }

static void add_path(struct kustomize_edit *edit, struct doc_node *list, const char *what, str path)
{
    if (kustomize_edit_has_text(list, path))
        kustomize_edit_note(edit, "%s %.*s already in kustomization file", what, STR_ARG(path));
    else
        kustomize_edit_append(edit, list, path);
}

/* The paths that the arguments name. What is not there is an error, or, for is_lenient, a note. A
 * URL is not asked whether it answers. */
static int expand(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                  bool is_lenient, struct str_vec *ret, struct err *e)
{
    for (size_t i = 0; i < args->names.len; i++) {
        str pattern = args->names.v[i];
        size_t before = ret->len;

        if (is_remote(pattern)) {
            vec_push(ret, pattern);
            continue;
        }
        kustomize_edit_glob(edit, pattern, ret);
        if (ret->len == before + 1 && !file_exists(ret->v[before].p))
            ret->len--;
        if (ret->len > before)
            continue;
        if (!is_lenient)
            return err_set(e, ERR_NOT_FOUND, "%.*s has no match", STR_ARG(pattern));
        kustomize_edit_note(edit, "%.*s has no match", STR_ARG(pattern));
    }
    return 0;
}

static int add_paths(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                     const char *what, str field, bool is_lenient, struct err *e)
{
    AUTO(str_vec_done) struct str_vec paths = {0};
    struct doc_node *list;

    if (!args->names.len)
        return err_set(e, ERR_USAGE, "must specify a %s file", what);
    if (expand(edit, args, is_lenient, &paths, e) < 0)
        return -1;
    list = kustomize_edit_list(edit, edit->root, field, e);
    for (size_t i = 0; list && i < paths.len; i++)
        add_path(edit, list, what, paths.v[i]);
    kustomize_edit_drop_empty(edit->root, field);
    return list ? 0 : -1;
}

/* The kustomization file itself is no resource of it; what bases names counts as resource. */
static int add_resource(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        struct err *e)
{
    AUTO(str_vec_done) struct str_vec found = {0};
    const struct doc_node *bases = kustomize_edit_field(edit->root, STR("bases"));
    const struct str_vec *paths = &args->names;
    struct doc_node *list;

    if (!args->names.len)
        return err_set(e, ERR_USAGE, "must specify a resource file");
    if (!args->no_verify) {
        if (expand(edit, args, false, &found, e) < 0)
            return -1;
        paths = &found;
    }
    list = kustomize_edit_list(edit, edit->root, STR("resources"), e);
    for (size_t i = 0; list && i < paths->len; i++) {
        if (kustomize_edit_has_text(bases, paths->v[i]))
            kustomize_edit_note(edit, "resource %.*s already in kustomization file",
                                STR_ARG(paths->v[i]));
        else if (!str_eq(paths->v[i], str_of(edit->path)))
            add_path(edit, list, "resource", paths->v[i]);
    }
    kustomize_edit_drop_empty(edit->root, STR("resources"));
    return list ? 0 : -1;
}

static int add_component(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                         struct err *e)
{
    return add_paths(edit, args, "component", STR("components"), false, e);
}

static int add_generator(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                         struct err *e)
{
    return add_paths(edit, args, "generator", STR("generators"), true, e);
}

static int add_transformer(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                           struct err *e)
{
    return add_paths(edit, args, "transformer", STR("transformers"), true, e);
}

static int add_configuration(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                             struct err *e)
{
    return add_paths(edit, args, "configuration", STR("configurations"), true, e);
}

static int add_base(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                    struct err *e)
{
    AUTO(str_vec_done) struct str_vec paths = {0};
    const struct doc_node *bases = kustomize_edit_field(edit->root, STR("bases"));
    struct doc_node *list;

    if (kustomize_edit_words(args, "base directory", &paths, e) < 0)
        return -1;
    list = kustomize_edit_list(edit, edit->root, STR("resources"), e);
    for (size_t i = 0; list && i < paths.len; i++) {
        str path = arena_dup(&edit->set->arena, paths.v[i]);

        if (!is_remote(path) && !file_exists(path.p))
            return err_set(e, ERR_NOT_FOUND, "%s does not exist", path.p);
        if (kustomize_edit_has_text(list, path) || kustomize_edit_has_text(bases, path))
            return err_set(e, ERR_EXISTS, "base %s already in kustomization file", path.p);
        kustomize_edit_append(edit, list, path);
    }
    return list ? 0 : -1;
}

static int add_metadata(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        struct err *e)
{
    AUTO(str_vec_done) struct str_vec options = {0};
    struct doc_node *list;

    if (kustomize_edit_metadata(args, &options, e) < 0)
        return -1;
    list = kustomize_edit_list(edit, edit->root, STR("buildMetadata"), e);
    for (size_t i = 0; list && i < options.len; i++) {
        if (kustomize_edit_has_text(list, options.v[i]))
            return err_set(e, ERR_EXISTS, "buildMetadata option %.*s already in kustomization file",
                           STR_ARG(options.v[i]));
        kustomize_edit_append(edit, list, options.v[i]);
    }
    return list ? 0 : -1;
}

const struct kustomize_edit_row kustomize_edit_add[] = {
    {"add", "resource", "PATH|URL ...", "no-verify", add_resource},
    {"add", "component", "PATH|URL ...", "", add_component},
    {"add", "base", "PATH[,PATH...]", "", add_base},
    {"add", "patch", "",
     "path patch group version kind name namespace label-selector annotation-selector",
     kustomize_edit_add_patch},
    {"add", "configmap", "NAME",
     "from-literal from-file from-env-file namespace behavior disableNameSuffixHash",
     kustomize_edit_add_configmap},
    {"add", "secret", "NAME",
     "from-literal from-file from-env-file namespace type disableNameSuffixHash",
     kustomize_edit_add_secret},
    {"add", "label", "KEY:VALUE ...", "force without-selector include-templates",
     kustomize_edit_add_labels},
    {"add", "annotation", "KEY:VALUE ...", "force", kustomize_edit_add_annotations},
    {"add", "generator", "PATH ...", "", add_generator},
    {"add", "transformer", "PATH ...", "", add_transformer},
    {"add", "configuration", "PATH ...", "", add_configuration},
    {"add", "buildmetadata", "OPTION[,OPTION...]", "", add_metadata},
    {0},
};
