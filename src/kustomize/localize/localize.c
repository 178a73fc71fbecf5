#include "kustomize/localize/localize.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "doc/parse.h"
#include "fetch/local_name.h"
#include "fetch/path.h"
#include "kustomize/composition/composition.h"
#include "kustomize/localize/localize_priv.h"
#include "sys/file.h"

enum { FILE_LIMIT = 64 << 20 };

static void run_done(struct localize_run *r)
{
    map_done(&r->done);
    arena_done(&r->arena);
}
AUTO_VALUE(struct localize_run, run_done)

static void level_done(struct localize_level *level)
{
    buf_done(&level->to);
    kustomize_edit_done(&level->edit);
}
AUTO_VALUE(struct localize_level, level_done)

/* ---- levels */

/* The one file of a folder; what it is called in messages goes to name. */
static int find_file(struct localize_level *level, struct buf *name, str *ret, struct err *e)
{
    static const str composition = STR_INIT(KUSTOMIZE_COMPOSITION_FILE);
    str file = STR_NONE;

    for (size_t i = 0; i <= ARRAY_LEN(kustomize_edit_names); i++) {
        str candidate =
            i < ARRAY_LEN(kustomize_edit_names) ? str_of(kustomize_edit_names[i]) : composition;

        if (fetch_root_look(level->root, candidate) != FETCH_FILE)
            continue;
        fetch_root_name(level->root, file, name);
        if (file.len)
            return err_set(e, ERR_INVALID, "found multiple kustomization files in '%s': %.*s, %.*s",
                           buf_cstr(name), STR_ARG(file), STR_ARG(candidate));
        file = candidate;
    }
    *ret = file;
    buf_clear(name);
    fetch_root_name(level->root, file, name);
    return file.len ? 0
                    : err_set(e, ERR_NOT_FOUND,
                              "unable to find one of 'kustomization.yaml', 'kustomization.yml', "
                              "'Kustomization' or 'composition.yaml' in directory '%s'",
                              buf_cstr(name));
}

static int parse_composition(struct kustomize_edit *edit, struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_MANIFEST, .flags = DOC_COMMENTS};
    AUTO(doc_list_done) struct doc_list roots = {0};

    edit->set = doc_set_new();
    if (doc_parse_all(edit->set, buf_view(&edit->text), &options, edit->path, &roots, e) < 0)
        return -1;
    if (roots.len != 1 || !doc_is_map(roots.v[0]))
        return err_set(e, ERR_INVALID, "%s: a Composition is one object", edit->path);
    edit->root = roots.v[0];
    edit->source = edit->root->source;
    return 0;
}

static int read_file(struct localize_level *level, struct err *e)
{
    AUTO(buf_done) struct buf name = {0};
    struct kustomize_edit *edit = &level->edit;
    str file;

    if (find_file(level, &name, &file, e) < 0 ||
        fetch_root_read(level->root, file, FILE_LIMIT, &edit->text, e) < 0)
        return -1;
    level->is_composition = str_eq(file, STR(KUSTOMIZE_COMPOSITION_FILE));
    edit->path = buf_cstr(&name);
    if ((level->is_composition ? parse_composition : kustomize_edit_parse)(edit, e) < 0)
        return -1;
    edit->path = file.p;
    return 0;
}

static int copy_level(struct localize_level *level, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct kustomize_edit *edit = &level->edit;

    if (file_mkdirs(buf_cstr(&level->to), 0755, e) < 0 || read_file(level, e) < 0)
        return -1;
    if (level->is_composition
            ? kustomize_localize_composition(level, e) < 0
            : kustomize_localize_config(level, edit->set, edit->root, STR("Kustomization"), e) < 0)
        return -1;
    kustomize_edit_print(edit, &text);
    return kustomize_localize_write(level, str_of(edit->path), buf_view(&text), 0, e);
}

int kustomize_localize_place(const struct localize_scope *scope, str path, struct buf *out,
                             struct err *e)
{
    if (!fetch_is_below(path, scope->from))
        return err_set(e, ERR_DENIED, "'%.*s' is outside of the scope '%.*s'; --scope can widen it",
                       STR_ARG(path), STR_ARG(scope->from));
    buf_addf(out, "%.*s%.*s", STR_ARG(scope->to), STR_ARG(str_from(path, scope->from.len)));
    return 0;
}

int kustomize_localize_folder_into(struct localize_run *run, struct localize_scope scope,
                                   struct fetch_root *root, struct localize_level *host,
                                   struct err *e)
{
    AUTO(level_done)
    struct localize_level level = {.run = run, .scope = scope, .root = root, .host = host};
    AUTO(buf_done) struct buf name = {0};
    str to;

    if (kustomize_localize_place(&scope, str_of(fetch_root_path(root)), &level.to, e) < 0)
        return -1;
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

static str last_part(str path) { return str_from(path, (size_t)(str_rfind_char(path, '/') + 1)); }

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
    AUTO(run_done) struct localize_run run = {.loader = options->loader};
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf path = {0};
    char absolute[PATH_MAX];

    buf_add_str(&path, dest);
    if (mkdir(buf_cstr(&path), 0777) < 0)
        return err_errno(e, errno, "make the destination '%s'", buf_cstr(&path));
    run.dest = realpath(buf_cstr(&path), absolute);
    if (run.dest ? kustomize_localize_folder_into(&run, (struct localize_scope){scope, dest}, root,
                                                  NULL, e) == 0
                 : err_errno(e, errno, "find the destination '%s'", buf_cstr(&path)) == 0)
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
