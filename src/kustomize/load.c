/* What a level reads: files below its folder, or behind a URL (kustomize spec 15). */
#include "fetch/path.h"
#include "kustomize/file/surprises.h"
#include "kustomize/incremental/plan.h"
#include "kustomize/quirks.h"
#include "kustomize/shared.h"
#include "sys/thread.h"

struct doc_set *kustomize_shared_set(struct kustomize_shared *s)
{
    struct doc_set *set = doc_set_new();

    LOCK_SCOPE(&s->lock);
    vec_push(&s->sets, set);
    return set;
}

/* Upstream's words for a file that is not there. */
static int refuse_absent(struct kustomize_build *b, str path, struct err *e)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0};

    if (path.len && path.p[0] != '/')
        buf_addf(&whole, "%.*s/", STR_ARG(b->dir));
    buf_add_str(&whole, path);
    fetch_clean_path(buf_view(&whole), &clean);
    return err_set(e, ERR_NOT_FOUND,
                   "evalsymlink failure on '%s' : lstat %s: no such file or directory",
                   buf_cstr(&clean), buf_cstr(&clean));
}

/* A file that lies in one of the other folders the level may read from. */
static bool load_also(const struct kustomize_level *level, str path, struct buf *text)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0};

    buf_addf(&whole, "%.*s/%.*s", STR_ARG(level->b.dir), STR_ARG(path));
    fetch_clean_path(buf_view(&whole), &clean);
    for (size_t i = 0; i < level->also_count; i++) {
        AUTO(err_done) struct err e = {0};

        if (fetch_is_below(buf_view(&clean), level->also[i]->b.dir) &&
            fetch_loader_read(level->b.shared->loader, level->also[i]->root, buf_view(&clean), text,
                              &e) == 0)
            return true;
    }
    return false;
}

void kustomize_suggest_path(struct kustomize_level *level, str path, struct err *e)
{
    AUTO(buf_done) struct buf nearest = {0};

    if (e->kind != ERR_NOT_FOUND || fetch_is_file_url(path))
        return;
    fetch_root_nearest(level->root, path, &nearest);
    kustomize_suggest(e, buf_view(&nearest));
}

int kustomize_try_load(struct kustomize_build *b, str path, str *ret, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    kustomize_plan_read(b, path);
    if (fetch_loader_take(b->shared->loader, KUSTOMIZE_LEVEL(b)->root, path, &b->set->arena, ret,
                          e) == 0)
        return 0;
    if (e->kind != ERR_DENIED || !load_also(KUSTOMIZE_LEVEL(b), path, &text))
        return e->kind == ERR_NOT_FOUND && !fetch_is_file_url(path) ? refuse_absent(b, path, e)
                                                                    : -1;
    err_done(e);
    *ret = arena_dup(&b->set->arena, buf_view(&text));
    return 0;
}

int kustomize_load(struct kustomize_build *b, str path, str *ret, struct err *e)
{
    if (kustomize_try_load(b, path, ret, e) == 0)
        return 0;
    kustomize_suggest_path(KUSTOMIZE_LEVEL(b), path, e);
    return -1;
}

int kustomize_parse_documents(struct kustomize_build *b, str text, const char *origin,
                              const struct doc_node *inside, struct doc_list *ret, struct err *e)
{
    struct doc_parse_options options = {
        .dialect = DOC_RESOURCE, .flags = DOC_BORROW, .inside = inside};

    kustomize_judge_text(b, text, origin);
    if (doc_parse_all(b->set, text, &options, origin, ret, e) < 0)
        return -1;
    kustomize_apply_quirks(b, b->set, text, ret);
    return 0;
}

const char *kustomize_file_origin(struct kustomize_build *b, str path)
{
    AUTO(buf_done) struct buf name = {0};

    if (fetch_is_file_url(path))
        return arena_cstr(&b->set->arena, path);
    fetch_root_name(KUSTOMIZE_LEVEL(b)->root, path, &name);
    return arena_cstr(&b->set->arena, buf_view(&name));
}

int kustomize_load_documents(struct kustomize_build *b, str path, struct doc_list *ret,
                             struct err *e)
{
    str text = STR_NONE;

    if (kustomize_load(b, path, &text, e) < 0)
        return -1;
    return kustomize_parse_documents(b, text, kustomize_file_origin(b, path), NULL, ret, e);
}

const struct doc_schema *kustomize_schema(const struct kustomize_build *b)
{
    return b->shared->schema;
}
