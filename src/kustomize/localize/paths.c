/* Copying what a path names, and giving the path that the copy has. */
#include "fetch/local_name.h"
#include "fetch/path.h"
#include "kustomize/composition/composition.h"
#include "kustomize/localize/localize_priv.h"
#include "kustomize/plugin/plugin.h"
#include "sys/file.h"

enum { PROGRAM_LIMIT = 256 << 20 };

int kustomize_localize_write(const struct localize_level *level, str path, str text, unsigned mode,
                             struct err *e)
{
    const struct file_replace how = {.mode = mode};
    AUTO(buf_done) struct buf to = {0}, folder = {0};
    ssize_t slash;

    buf_addf(&to, "%.*s/%.*s", STR_ARG(buf_view(&level->to)), STR_ARG(path));
    slash = str_rfind_char(buf_view(&to), '/');
    buf_add_str(&folder, str_sub(buf_view(&to), 0, (size_t)slash));
    if (file_mkdirs(buf_cstr(&folder), 0755, e) < 0)
        return -1;
    return file_replace(buf_cstr(&to), text, &how, e);
}

/* ---- files */

/* The path of a local file relative to its root, whatever way it is named. */
static int local_path(const struct localize_level *level, str path, struct buf *out, struct err *e)
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

static int new_path(const struct localize_level *level, str path, struct buf *out, struct err *e)
{
    return fetch_is_file_url(path) ? fetch_local_file_name(path, out, e)
                                   : local_path(level, path, out, e);
}

/* Copies the file at path and appends its new path. host: it holds configs, whose paths count from
 * there and are made local; or NULL. */
static int kustomize_localize_file(struct localize_level *level, str path,
                                   struct localize_level *host, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, to = {0}, changed = {0};

    if (fetch_loader_read(level->run->loader, level->root, path, &text, e) < 0 ||
        new_path(level, path, &to, e) < 0)
        return -1;
    if (host && kustomize_localize_configs_text(host, buf_view(&text), path, &changed, e) < 0)
        return -1;
    buf_add_str(out, buf_view(&to));
    return kustomize_localize_write(level, buf_view(&to), buf_view(host ? &changed : &text), 0, e);
}

/* ---- folders */

static int copy_remote(struct localize_level *level, str path, const struct fetch_git_url *url,
                       struct localize_level *host, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf name = {0}, to = {0}, whole = {0};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;

    if (fetch_local_repository_name(url, &name, e) < 0)
        return -1;
    root = fetch_loader_enter(level->run->loader, level->root, path, e);
    if (!root)
        return -1;
    buf_addf(&to, "%s/%s", buf_cstr(&level->to), buf_cstr(&name));
    if (kustomize_localize_folder_into(
            level->run, (struct localize_scope){str_of(fetch_root_clone_path(root)), buf_view(&to)},
            root, host, e) < 0)
        return -1;
    buf_addf(&whole, "%s/%s", buf_cstr(&name), buf_cstr(&url->path));
    fetch_clean_path(buf_view(&whole), out);
    return 0;
}

int kustomize_localize_folder(struct localize_level *level, str path, bool is_import,
                              struct localize_level *host, struct buf *out, struct err *e)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;
    str folder = path;
    bool names_file = kustomize_is_composition_file(path, &folder);
    int is_git = fetch_git_url_parse(path, &url, e);

    if (is_git)
        return is_git < 0 ? -1 : copy_remote(level, path, &url, host, out, e);
    root = is_import ? fetch_root_import(level->root, folder, e)
                     : fetch_loader_enter(level->run->loader, level->root, folder, e);
    if (!root || kustomize_localize_folder_into(level->run, level->scope, root, host, e) < 0)
        return -1;
    kustomize_relative_path(str_of(fetch_root_path(level->root)), str_of(fetch_root_path(root)),
                            out);
    if (names_file)
        buf_add_cstr(out, "/" KUSTOMIZE_COMPOSITION_FILE);
    return 0;
}

/* ---- what may be either */

/* A file where there is one, or a URL answers; else a folder. */
static int copy_either(struct localize_level *level, str path, struct localize_level *host,
                       struct buf *out, struct err *e)
{
    AUTO(err_done) struct err as_file = {0};
    str folder;

    if (!kustomize_is_composition_file(path, &folder) &&
        fetch_root_look(level->root, path) == FETCH_FILE)
        return kustomize_localize_file(level, path, host, out, e);
    if (fetch_is_file_url(path) && kustomize_localize_file(level, path, host, out, &as_file) == 0)
        return 0;
    if (kustomize_localize_folder(level, path, false, host, out, e) == 0)
        return 0;
    return as_file.kind ? err_wrap(e, "%s", err_text(&as_file)) : -1;
}

static int copy_keyed(struct localize_level *level, str text, struct buf *out, struct err *e)
{
    ssize_t equals = str_find_char(text, '=');
    str key = equals < 0 ? STR_NONE : str_sub(text, 0, (size_t)equals + 1);

    buf_add_str(out, key);
    return kustomize_localize_file(level, str_from(text, key.len), NULL, out, e);
}

/* A patch, or its path. */
static int copy_patch(struct localize_level *level, str text, struct buf *out, struct err *e)
{
    if (str_find_char(text, '\n') < 0 && (fetch_root_look(level->root, text) != FETCH_ABSENT ||
                                          fetch_is_file_url(text) || str_find_char(text, ':') < 0))
        return kustomize_localize_file(level, text, NULL, out, e);
    buf_add_str(out, text);
    return 0;
}

static int copy_plugin(struct localize_level *level, str text, struct buf *out, struct err *e)
{
    if (kustomize_is_inline(text))
        return kustomize_localize_configs_text(level, text, STR("an inline config"), out, e);
    return copy_either(level, text, level, out, e);
}

/* A program stays one; what is searched along PATH is not ours to copy. */
static int copy_program(struct localize_level *level, str path, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, to = {0};

    if (str_find_char(path, '/') < 0 || path.p[0] == '/') {
        buf_add_str(out, path);
        return 0;
    }
    if (fetch_root_read(level->root, path, PROGRAM_LIMIT, &text, e) < 0 ||
        local_path(level, path, &to, e) < 0)
        return -1;
    buf_addf(out, "./%s", buf_cstr(&to));
    return kustomize_localize_write(level, buf_view(&to), buf_view(&text), 0755, e);
}

int kustomize_localize_path(struct localize_level *level, str text, enum kustomize_path_form form,
                            struct buf *out, struct err *e)
{
    if (!text.len)
        return form == KUSTOMIZE_PATH_HOME ? kustomize_localize_chart_home(level, text, out, e) : 0;
    switch (form) {
    case KUSTOMIZE_PATH_FILE:
        return kustomize_localize_file(level, text, NULL, out, e);
    case KUSTOMIZE_PATH_KEYED:
        return copy_keyed(level, text, out, e);
    case KUSTOMIZE_PATH_PATCH:
        return copy_patch(level, text, out, e);
    case KUSTOMIZE_PATH_EITHER:
        return copy_either(level, text, level->host, out, e);
    case KUSTOMIZE_PATH_FOLDER:
        return kustomize_localize_folder(level, text, false, level->host, out, e);
    case KUSTOMIZE_PATH_PLUGIN:
        return copy_plugin(level, text, out, e);
    case KUSTOMIZE_PATH_HOME:
        return kustomize_localize_chart_home(level, text, out, e);
    case KUSTOMIZE_PATH_PROGRAM:
        return copy_program(level, text, out, e);
    }
    return 0;
}
