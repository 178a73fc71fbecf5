#include "kustomize/localize.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/map.h"
#include "fetch/local_name.h"
#include "fetch/path.h"
#include "kustomize/edit_priv.h"
#include "sys/file.h"

enum { FILE_LIMIT = 64 << 20 };

struct run {
    struct fetch_loader *loader;
    struct map done; /* folders of the copy that are written, by path */
    struct arena arena;
};
static void run_done(struct run *r)
{
    map_done(&r->done);
    arena_done(&r->arena);
}
AUTO_VALUE(struct run, run_done)

/* A tree of folders and its place in the copy. */
struct scope {
    str from, to; /* absolute, without links; where it is copied to */
};

struct level {
    struct run *run;
    struct scope scope;
    struct fetch_root *root;
    struct buf to; /* of this kustomization */
    struct kustomize_edit edit;
};

static void level_done(struct level *level)
{
    buf_done(&level->to);
    kustomize_edit_done(&level->edit);
}
AUTO_VALUE(struct level, level_done)

static int copy_folder(struct run *run, struct scope scope, struct fetch_root *root, struct err *e);

/* ---- writing */

static int write_file(const struct level *level, str path, str text, struct err *e)
{
    AUTO(buf_done) struct buf to = {0}, folder = {0};
    ssize_t slash;

    buf_addf(&to, "%s/%.*s", buf_cstr(&level->to), STR_ARG(path));
    slash = str_rfind_char(buf_view(&to), '/');
    buf_add_str(&folder, str_sub(buf_view(&to), 0, (size_t)slash));
    if (file_mkdirs(buf_cstr(&folder), 0755, e) < 0)
        return -1;
    return file_replace(buf_cstr(&to), text, NULL, e);
}

/* Gives a text node what it is to be, if that is another. */
static void rename_to(struct level *level, struct doc_node *n, str text)
{
    if (!str_eq(doc_text(n, STR_NONE), text))
        doc_replace(n, doc_new_string(level->edit.set, text));
}

/* ---- files */

/* The path of a local file relative to its root, whatever way it is named. */
static int local_path(const struct level *level, str path, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf joined = {0}, clean = {0};
    str root = str_of(fetch_root_path(level->root));

    if (!path.len || path.p[0] != '/')
        buf_addf(&joined, "%.*s/", STR_ARG(root));
    buf_add_str(&joined, path);
    fetch_clean_path(buf_view(&joined), &clean);
    if (!fetch_is_below(buf_view(&clean), root) || clean.len == root.len)
        return err_set(e, ERR_DENIED, "file '%s' is not in '%.*s'", buf_cstr(&clean),
                       STR_ARG(root));
    buf_add_str(out, str_from(buf_view(&clean), root.len + 1));
    return 0;
}

/* Copies a file and appends its new path. */
static int copy_file(struct level *level, str path, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, to = {0};

    if (fetch_loader_read(level->run->loader, level->root, path, &text, e) < 0)
        return -1;
    if (fetch_is_file_url(path) ? fetch_local_file_name(path, &to, e) < 0
                                : local_path(level, path, &to, e) < 0)
        return -1;
    buf_add_str(out, buf_view(&to));
    return write_file(level, buf_view(&to), buf_view(&text), e);
}

static int localize_file(struct level *level, struct doc_node *n, struct err *e)
{
    AUTO(buf_done) struct buf to = {0};
    str path = doc_text(n, STR_NONE);

    if (!path.len)
        return 0;
    if (copy_file(level, path, &to, e) < 0)
        return -1;
    rename_to(level, n, buf_view(&to));
    return 0;
}

/* "key=path" */
static int localize_source(struct level *level, struct doc_node *n, struct err *e)
{
    AUTO(buf_done) struct buf to = {0};
    str text = doc_text(n, STR_NONE);
    ssize_t equals = str_find_char(text, '=');
    str key = equals < 0 ? STR_NONE : str_sub(text, 0, (size_t)equals + 1);

    buf_add_str(&to, key);
    if (copy_file(level, str_from(text, key.len), &to, e) < 0)
        return -1;
    rename_to(level, n, buf_view(&to));
    return 0;
}

/* ---- folders */

static str last_part(str path) { return str_from(path, (size_t)(str_rfind_char(path, '/') + 1)); }

static int localize_remote(struct level *level, struct doc_node *n, const struct fetch_git_url *url,
                           struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, to = {0}, whole = {0}, clean = {0};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;

    if (fetch_local_repository_name(url, &path, e) < 0)
        return -1;
    root = fetch_loader_enter(level->run->loader, level->root, doc_text(n, STR_NONE), e);
    if (!root)
        return -1;
    buf_addf(&to, "%s/%s", buf_cstr(&level->to), buf_cstr(&path));
    if (copy_folder(level->run, (struct scope){str_of(fetch_root_clone_path(root)), buf_view(&to)},
                    root, e) < 0)
        return -1;
    buf_addf(&whole, "%s/%s", buf_cstr(&path), buf_cstr(&url->path));
    fetch_clean_path(buf_view(&whole), &clean);
    rename_to(level, n, buf_view(&clean));
    return 0;
}

static int localize_folder(struct level *level, struct doc_node *n, struct err *e)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;
    AUTO(buf_done) struct buf clean = {0};
    str path = doc_text(n, STR_NONE);
    int is_git = fetch_git_url_parse(path, &url, e);

    if (is_git)
        return is_git < 0 ? -1 : localize_remote(level, n, &url, e);
    root = fetch_loader_enter(level->run->loader, level->root, path, e);
    if (!root || copy_folder(level->run, level->scope, root, e) < 0)
        return -1;
    fetch_clean_path(path, &clean);
    rename_to(level, n, buf_view(&clean));
    return 0;
}

/* A file where there is one, or a URL answers; else a folder. */
static int localize_either(struct level *level, struct doc_node *n, struct err *e)
{
    AUTO(err_done) struct err as_file = {0};
    str path = doc_text(n, STR_NONE);

    if (fetch_root_look(level->root, path) == FETCH_FILE)
        return localize_file(level, n, e);
    if (fetch_is_file_url(path) && localize_file(level, n, &as_file) == 0)
        return 0;
    if (localize_folder(level, n, e) == 0)
        return 0;
    return as_file.kind ? err_wrap(e, "%s", err_text(&as_file)) : -1;
}

/* A path, or YAML in its place. */
static int localize_path_or_text(struct level *level, struct doc_node *n, struct err *e)
{
    str text = doc_text(n, STR_NONE);

    if (str_find_char(text, '\n') >= 0 ||
        (fetch_root_look(level->root, text) == FETCH_ABSENT && !fetch_is_file_url(text) &&
         str_find_char(text, ':') >= 0))
        return 0;
    return localize_either(level, n, e);
}

/* ---- fields */

typedef int localize_fn(struct level *level, struct doc_node *n, struct err *e);

/* Each item of the list at field, or the text there. */
static int each(struct level *level, const struct doc_node *map, str field, localize_fn *fn,
                struct err *e)
{
    struct doc_node *found = kustomize_edit_field(map, field);
    struct doc_iter it = doc_children(found);

    if (doc_is_string(found))
        return fn(level, found, e);
    while (doc_next(&it))
        if (doc_is_string(it.value) && fn(level, it.value, e) < 0)
            return err_wrap(e, "%.*s", STR_ARG(field));
    return 0;
}

/* A field of each item of a list of maps, or of the map itself. */
static int each_of(struct level *level, str list, str field, localize_fn *fn, struct err *e)
{
    const struct doc_node *found = kustomize_edit_field(level->edit.root, list);
    struct doc_iter it = doc_children(doc_is_list(found) ? found : NULL);

    if (doc_is_map(found))
        return each(level, found, field, fn, e);
    while (doc_next(&it))
        if (each(level, it.value, field, fn, e) < 0)
            return err_wrap(e, "%.*s", STR_ARG(list));
    return 0;
}

/* Where kustomizations name files and folders. */
static const struct {
    const char *list, *field; /* field NULL: the items themselves */
    localize_fn *fn;
} fields[] = {
    {"resources", NULL, localize_either},
    {"bases", NULL, localize_folder},
    {"components", NULL, localize_folder},
    {"crds", NULL, localize_file},
    {"configurations", NULL, localize_file},
    {"openapi", "path", localize_file},
    {"patches", "path", localize_file},
    {"patchesJson6902", "path", localize_file},
    {"patchesStrategicMerge", NULL, localize_path_or_text},
    {"replacements", "path", localize_file},
    {"configMapGenerator", "files", localize_source},
    {"configMapGenerator", "envs", localize_file},
    {"configMapGenerator", "env", localize_file},
    {"secretGenerator", "files", localize_source},
    {"secretGenerator", "envs", localize_file},
    {"secretGenerator", "env", localize_file},
    {"helmCharts", "valuesFile", localize_file},
    {"helmCharts", "additionalValuesFiles", localize_file},
    {"generators", NULL, localize_path_or_text},
    {"transformers", NULL, localize_path_or_text},
    {"validators", NULL, localize_path_or_text},
};

static int localize_fields(struct level *level, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        str list = str_of(fields[i].list);

        if (fields[i].field ? each_of(level, list, str_of(fields[i].field), fields[i].fn, e) < 0
                            : each(level, level->edit.root, list, fields[i].fn, e) < 0)
            return -1;
    }
    return 0;
}

/* ---- levels */

static int read_kustomization(struct level *level, struct err *e)
{
    AUTO(buf_done) struct buf name = {0};

    for (size_t i = 0; i < ARRAY_LEN(kustomize_edit_names); i++) {
        str file = str_of(kustomize_edit_names[i]);

        if (fetch_root_look(level->root, file) != FETCH_FILE)
            continue;
        fetch_root_name(level->root, file, &name);
        level->edit.path = buf_cstr(&name);
        if (fetch_root_read(level->root, file, FILE_LIMIT, &level->edit.text, e) < 0 ||
            kustomize_edit_parse(&level->edit, e) < 0)
            return -1;
        level->edit.path = file.p;
        return 0;
    }
    fetch_root_name(level->root, STR_NONE, &name);
    return err_set(e, ERR_NOT_FOUND,
                   "unable to find one of 'kustomization.yaml', 'kustomization.yml' or "
                   "'Kustomization' in directory '%s'",
                   buf_cstr(&name));
}

static int copy_level(struct level *level, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (file_mkdirs(buf_cstr(&level->to), 0755, e) < 0 || read_kustomization(level, e) < 0 ||
        localize_fields(level, e) < 0)
        return -1;
    kustomize_edit_print(&level->edit, &text);
    return write_file(level, str_of(level->edit.path), buf_view(&text), e);
}

static int copy_folder(struct run *run, struct scope scope, struct fetch_root *root, struct err *e)
{
    AUTO(level_done) struct level level = {.run = run, .scope = scope, .root = root};
    AUTO(buf_done) struct buf name = {0};
    str path = str_of(fetch_root_path(root)), to;

    if (!fetch_is_below(path, scope.from))
        return err_set(e, ERR_DENIED, "'%.*s' is outside of the scope '%.*s'; --scope can widen it",
                       STR_ARG(path), STR_ARG(scope.from));
    buf_addf(&level.to, "%.*s%.*s", STR_ARG(scope.to), STR_ARG(str_from(path, scope.from.len)));
    to = arena_dup(&run->arena, buf_view(&level.to));
    if (map_get(&run->done, to))
        return 0;
    map_put(&run->done, to, run);
    if (copy_level(&level, e) == 0)
        return 0;
    fetch_root_name(root, STR_NONE, &name);
    return err_wrap(e, "localize '%s'", buf_cstr(&name));
}

/* ---- the whole */

/* "localized-app", "localized-base-v1" */
static void name_dest(const struct kustomize_localize *options, struct fetch_root *root,
                      struct buf *out)
{
    str ref = fetch_root_ref_name(root);

    if (options->dest) {
        buf_add_cstr(out, options->dest);
        return;
    }
    buf_addf(out, "localized-%.*s", STR_ARG(last_part(str_of(fetch_root_path(root)))));
    if (fetch_root_clone_path(root) &&
        !strcmp(fetch_root_path(root), fetch_root_clone_path(root))) {
        buf_clear(out);
        buf_addf(out, "localized-%.*s", STR_ARG(last_part(fetch_root_repository(root))));
    }
    if (ref.len)
        buf_add_char(out, '-');
    for (size_t i = 0; i < ref.len; i++)
        buf_add_char(out, ref.p[i] == '/' ? '-' : ref.p[i]);
}

static int find_scope(const struct kustomize_localize *options, struct fetch_root *root,
                      struct buf *out, struct err *e)
{
    AUTO(fetch_root_unref) struct fetch_root *scope = NULL;
    const char *clone = fetch_root_clone_path(root);

    if (clone && options->scope)
        return err_set(e, ERR_USAGE, "a remote target's scope is its repository");
    if (clone) {
        buf_add_cstr(out, clone);
        return 0;
    }
    scope = fetch_root_open(options->scope ? options->scope : options->target, FETCH_ROOT_ONLY, e);
    if (!scope)
        return -1;
    buf_add_cstr(out, fetch_root_path(scope));
    if (!fetch_is_below(str_of(fetch_root_path(root)), buf_view(out)))
        return err_set(e, ERR_INVALID, "the scope '%s' does not contain the target '%s'",
                       options->scope, options->target);
    return 0;
}

/* A remote target must say which state it means. */
static int check_target(const struct kustomize_localize *options, struct err *e)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(buf_done) struct buf ignored = {0};
    int is_git = fetch_git_url_parse(str_of(options->target), &url, e);

    return is_git > 0 ? fetch_local_repository_name(&url, &ignored, e) : is_git;
}

static int copy_into(const struct kustomize_localize *options, struct fetch_root *root, str scope,
                     str dest, struct err *e)
{
    AUTO(run_done) struct run run = {.loader = options->loader};
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf path = {0};

    buf_add_str(&path, dest);
    if (mkdir(buf_cstr(&path), 0777) < 0)
        return err_errno(e, errno, "make the destination '%s'", buf_cstr(&path));
    if (copy_folder(&run, (struct scope){scope, dest}, root, e) == 0)
        return 0;
    if (file_remove_tree(buf_cstr(&path), &ignored) < 0)
        err_wrap(e, "%s is left: %s", buf_cstr(&path), err_text(&ignored));
    return -1;
}

int kustomize_localize_run(const struct kustomize_localize *options, struct buf *ret_dest,
                           struct buf *ret_target, struct err *e)
{
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;
    AUTO(buf_done) struct buf scope = {0}, dest = {0};

    if (check_target(options, e) < 0)
        return -1;
    root = fetch_loader_open(options->loader, str_of(options->target), e);
    if (!root || find_scope(options, root, &scope, e) < 0)
        return -1;
    name_dest(options, root, &dest);
    if (copy_into(options, root, buf_view(&scope), buf_view(&dest), e) < 0)
        return -1;
    buf_add_str(ret_dest, buf_view(&dest));
    buf_addf(ret_target, "%s%s", buf_cstr(&dest), fetch_root_path(root) + scope.len);
    return 0;
}
