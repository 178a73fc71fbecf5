/* Levels: a folder with a kustomization, opened and read (kustomize spec 2, 4). */
#include "fetch/path.h"
#include "kustomize/composition/composition.h"
#include "kustomize/config/openapi.h"
#include "kustomize/incremental/plan.h"
#include "kustomize/metadata.h"
#include "sys/thread.h"

enum { MAX_DEPTH = 500 };

static const char file_names[][19] = {"kustomization.yaml", "kustomization.yml", "Kustomization"};

static int find_file(struct kustomize_level *level, const char **ret, struct err *e)
{
    int found = 0;

    for (size_t i = 0; i < ARRAY_LEN(file_names); i++)
        if (fetch_root_look(level->root, str_of(file_names[i])) == FETCH_FILE) {
            *ret = file_names[i];
            found++;
        }
    if (fetch_root_look(level->root, STR(KUSTOMIZE_COMPOSITION_FILE)) == FETCH_FILE) {
        if (found)
            return err_set(e, ERR_INVALID, "both %s and %s are in directory '%.*s'", *ret,
                           KUSTOMIZE_COMPOSITION_FILE, STR_ARG(level->b.dir));
        *ret = KUSTOMIZE_COMPOSITION_FILE;
        found++;
    }
    if (found == 0)
        return err_set(e, ERR_NOT_FOUND,
                       "unable to find one of 'kustomization.yaml', 'kustomization.yml' or "
                       "'Kustomization' in directory '%.*s', nor '%s'",
                       STR_ARG(level->b.dir), KUSTOMIZE_COMPOSITION_FILE);
    if (found > 1)
        return err_set(e, ERR_INVALID, "Found multiple kustomization files under: %.*s",
                       STR_ARG(level->b.dir));
    return 0;
}

static void note_folder(struct kustomize_build *b)
{
    LOCK_SCOPE(&b->shared->lock);
    vec_push(&b->shared->folders, b->dir);
}

int kustomize_level_load(struct kustomize_level *level, struct err *e)
{
    struct kustomize_build *b = &level->b;
    const char *name = file_names[0];
    str text = STR_NONE;

    b->dir = arena_dup(&b->set->arena, str_of(fetch_root_path(level->root)));
    note_folder(b);
    if (find_file(level, &name, e) < 0)
        return -1;
    level->file_name = str_of(name);
    b->file = str_of(kustomize_file_origin(b, str_of(name)));
    level->is_composition = strcmp(name, KUSTOMIZE_COMPOSITION_FILE) == 0;
    if (level->is_composition) {
        level->k = ARENA_NEW(&b->set->arena, struct kustomization);
        level->k->kind = STR("Composition");
    } else {
        if (kustomize_load(b, str_of(name), &text, e) < 0)
            return -1;
        level->k = kustomization_read(b, text, e);
    }
    if (!level->k)
        return -1;
    b->k = level->k;
    level->ns = level->k->ns.text.len || !level->parent ? level->k->ns.text : level->parent->ns;
    return kustomize_plan_open(level, text, e);
}

void kustomize_level_done(struct kustomize_level *level)
{
    fetch_root_unref(level->root);
    level->root = NULL;
}

static int check_kind(const struct kustomize_level *level, bool wants_component, struct err *e)
{
    if (wants_component && !level->k->is_component)
        return err_set(e, ERR_INVALID,
                       "accumulateDirectory: \"expected kind 'Component' for path '%.*s' but got "
                       "'%.*s'\"",
                       STR_ARG(level->b.dir), STR_ARG(level->k->kind));
    if (!wants_component && level->k->is_component)
        return err_set(e, ERR_INVALID, "expected kind != 'Component' for path '%.*s'",
                       STR_ARG(level->b.dir));
    return 0;
}

int kustomize_level_read(struct kustomize_level *sub, bool is_component, struct err *e)
{
    if (kustomize_level_load(sub, e) < 0)
        return kustomize_wrap(e, "couldn't make target for path '%s'", fetch_root_path(sub->root));
    if (kustomize_use_schema(sub, e) < 0)
        return -1;
    return check_kind(sub, is_component, e);
}

/* Upstream's words for a folder that cannot be one. */
static int explain(struct kustomize_level *from, str path, struct err *e)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0};

    if (e->kind != ERR_NOT_FOUND && !strstr(err_text(e), "is a file, not a directory"))
        return -1;
    if (path.len && path.p[0] != '/')
        buf_addf(&whole, "%.*s/", STR_ARG(from->b.dir));
    buf_add_str(&whole, path);
    fetch_clean_path(buf_view(&whole), &clean);
    if (e->kind == ERR_NOT_FOUND)
        return err_set(e, ERR_NOT_FOUND,
                       "must build at directory: not a valid directory: evalsymlink failure on "
                       "'%s' : lstat %s: no such file or directory",
                       buf_cstr(&clean), buf_cstr(&clean));
    return err_set(e, ERR_INVALID, "must build at directory: '%s': file is not directory",
                   buf_cstr(&clean));
}

static int start_level(struct kustomize_level *level, str path, const struct doc_node *entry,
                       struct doc_set *set, struct kustomize_level *ret, struct err *e)
{
    *ret = (struct kustomize_level){.b = level->b,
                                    .parent = level,
                                    .entry = entry,
                                    .depth = level->depth + 1,
                                    .origin = level->origin};
    ret->b.set = set;
    if (ret->depth > MAX_DEPTH)
        return err_set(e, ERR_LIMIT, "more than %d kustomizations inside of one another",
                       MAX_DEPTH);
    kustomize_origin_descend(ret, path);
    return 0;
}

int kustomize_level_enter(struct kustomize_level *level, str path, const struct doc_node *entry,
                          struct kustomize_level *ret, struct err *e)
{
    return kustomize_level_enter_into(level, path, entry, level->b.set, ret, e);
}

int kustomize_level_enter_into(struct kustomize_level *level, str path,
                               const struct doc_node *entry, struct doc_set *set,
                               struct kustomize_level *ret, struct err *e)
{
    if (start_level(level, path, entry, set, ret, e) < 0)
        return -1;
    ret->root = fetch_loader_enter(level->b.shared->loader, level->root, path, e);
    return ret->root ? 0 : explain(level, path, e);
}

int kustomize_level_import(struct kustomize_level *level, str path, const struct doc_node *entry,
                           struct kustomize_level *ret, struct err *e)
{
    if (start_level(level, path, entry, level->b.set, ret, e) < 0)
        return -1;
    ret->root = fetch_root_import(level->root, path, e);
    return ret->root ? 0 : explain(level, path, e);
}

static struct fetch_root *open_target(struct kustomize_shared *s, const char *target, struct err *e)
{
    struct fetch_root *root = fetch_loader_open(s->loader, str_of(target), e);

    if (!root && e->kind == ERR_NOT_FOUND)
        err_set(e, ERR_NOT_FOUND,
                "must build at directory: not a valid directory: evalsymlink failure on '%s' : "
                "lstat %s: no such file or directory",
                target, target);
    return root;
}

int kustomize_level_open(struct kustomize_shared *s, const char *target,
                         struct kustomize_level *ret, struct err *e)
{
    *ret = (struct kustomize_level){0};
    ret->b = (struct kustomize_build){.shared = s,
                                      .set = kustomize_shared_set(s),
                                      .warnings = s->warnings,
                                      .config = &s->defaults,
                                      .is_fixed = s->options->is_fixed,
                                      .cancel = s->options->cancel};
    ret->root = open_target(s, target, e);
    return ret->root ? 0 : -1;
}
