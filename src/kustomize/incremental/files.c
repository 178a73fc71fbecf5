/* The files of the notes of a build, and the folders they lie in. */
#include <sys/stat.h>
#include <time.h>

#include "fetch/path.h"
#include "kustomize/incremental/plan_priv.h"

/* ---- lists */

static void add_clean(struct kustomize_plan_files *files, str path)
{
    for (size_t i = 0; i < files->len; i++)
        if (str_eq(str_of(files->v[i].path), path))
            return;
    if (files->len == files->cap) { /* most lists have one */
        files->cap = files->cap ? files->cap * 2 : 1;
        files->v = mem_realloc(files->v, files->cap, sizeof(*files->v));
    }
    vec_push(files, {.path = mem_strndup(path.p, path.len), .hash = str_hash(path)});
    files->bits |= kustomize_plan_bit(vec_last(files).hash);
    files->has_new = true;
}

/* Folders on the way from dir to the file count too: one of them may become another. */
void kustomize_plan_files_add(struct kustomize_plan_files *files, str dir, str path)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0};
    str at;

    if (!path.len || path.p[0] != '/')
        buf_addf(&whole, "%.*s/", STR_ARG(dir));
    buf_add_str(&whole, path);
    fetch_clean_path(buf_view(&whole), &clean);
    for (at = buf_view(&clean); at.len && !fetch_is_below(dir, at);) {
        ssize_t slash = str_rfind_char(at, '/');

        add_clean(files, at);
        at = slash > 0 ? str_sub(at, 0, (size_t)slash) : STR_NONE;
    }
}

void kustomize_plan_files_done(struct kustomize_plan_files *files)
{
    for (size_t i = 0; i < files->len; i++)
        mem_free(files->v[i].path);
    mem_free(files->v);
    *files = (struct kustomize_plan_files){0};
}

void kustomize_plan_level_free(struct kustomize_plan_level *level)
{
    if (!level)
        return;
    for (size_t i = 0; i < level->leaf_count; i++) {
        struct kustomize_leaf *leaf = &level->leaves[i];

        kustomize_plan_level_free(leaf->level);
        kustomize_plan_level_free(leaf->fresh);
        kustomize_plan_files_done(&leaf->files);
        kustomize_plan_files_done(&leaf->new_files);
    }
    mem_free(level->leaves);
    kustomize_plan_files_done(&level->files);
    vec_done(&level->pins);
    vec_done(&level->new_pins);
    mem_free(level->dir);
    mem_free(level);
}

/* ---- what is to be watched */

struct check {
    const struct timespec *since;
    struct str_vec *folders;
    struct kustomize_hashes *changed;
};

static bool is_since(const struct stat *st, const struct timespec *since)
{
    return st->st_ctim.tv_sec > since->tv_sec ||
           (st->st_ctim.tv_sec == since->tv_sec && st->st_ctim.tv_nsec >= since->tv_nsec);
}

static str folder_of(str path)
{
    return str_sub(path, 0, (size_t)MAX(str_rfind_char(path, '/'), 1));
}

static void add_folder(struct check *c, str path)
{
    str folder = folder_of(path);

    if (c->folders->len == 0 || !str_eq(vec_last(c->folders), folder))
        vec_push(c->folders, {mem_strndup(folder.p, folder.len), folder.len});
}

/* Of a file that is not there, its folder tells whether it went just now. */
static bool is_changed(const struct check *c, const char *path)
{
    AUTO(buf_done) struct buf folder = {0};
    struct stat st;

    if (lstat(path, &st) < 0) {
        buf_add_str(&folder, folder_of(str_of(path)));
        return stat(buf_cstr(&folder), &st) == 0 && is_since(&st, c->since);
    }
    return !S_ISDIR(st.st_mode) && is_since(&st, c->since);
}

static void check_files(struct check *c, struct kustomize_plan_files *files)
{
    files->has_new = false;
    for (size_t i = 0; i < files->len; i++) {
        struct kustomize_plan_file *file = &files->v[i];

        if (!file->is_checked && is_changed(c, file->path))
            vec_push(c->changed, file->hash);
        file->is_checked = true;
    }
}

/* Where links are on the way, the files that are read lie elsewhere. */
static void follow(struct check *c, struct kustomize_plan_files *files)
{
    for (size_t i = 0, count = files->len; i < count; i++) {
        char *real = realpath(files->v[i].path, NULL);

        if (real) {
            add_clean(files, str_of(real));
            add_folder(c, str_of(real));
        }
        free(real); // NOLINT: of realpath
    }
}

static void find_folders(struct check *c, struct kustomize_plan_files *files)
{
    bool has_link = false;

    for (size_t i = 0; i < files->len; i++) {
        struct stat st;

        if (files->v[i].is_checked)
            continue;
        add_folder(c, str_of(files->v[i].path));
        has_link |= lstat(files->v[i].path, &st) == 0 && S_ISLNK(st.st_mode);
    }
    if (has_link)
        follow(c, files);
}

typedef void files_fn(struct check *c, struct kustomize_plan_files *files);

static void walk(struct check *c, struct kustomize_plan_level *level, files_fn *visit)
{
    if (level->files.has_new)
        visit(c, &level->files);
    for (size_t i = 0; i < level->leaf_count; i++) {
        if (level->leaves[i].files.has_new)
            visit(c, &level->leaves[i].files);
        if (level->leaves[i].level)
            walk(c, level->leaves[i].level, visit);
    }
}

void kustomize_plan_folders(struct kustomize_plan *plan, struct str_vec *folders)
{
    struct check c = {.folders = folders};

    walk(&c, plan->root, find_folders);
}

void kustomize_plan_check(struct kustomize_plan *plan, const struct timespec *since,
                          struct kustomize_hashes *changed)
{
    struct check c = {.since = since, .changed = changed};

    walk(&c, plan->root, check_files);
}
