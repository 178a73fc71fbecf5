#include "fetch/clones.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "base/vec.h"
#include "fetch/git.h"
#include "http/url.h"
#include "sys/file.h"
#include "sys/thread.h"

struct clone {
    pthread_mutex_t mutex;
    char *repository; /* with credentials: who may not see it must not get it */
    char *ref;
    bool has_submodules, is_done;
    struct buf dir; /* empty: it failed */
    struct err why;
};

struct fetch_clones {
    struct fetch_source source;
    pthread_mutex_t mutex; /* of what follows; taken before a clone's, never while holding one */
    VEC(struct clone *) all;
    struct buf temp; /* made at the first clone */
    int count;
};

struct fetch_clones *fetch_clones_new(const struct fetch_source *source)
{
    struct fetch_clones *clones = NEW(struct fetch_clones);

    clones->source = *source;
    pthread_mutex_init(&clones->mutex, NULL);
    return clones;
}

static void clone_free(struct clone *c)
{
    pthread_mutex_destroy(&c->mutex);
    mem_free(c->repository);
    mem_free(c->ref);
    buf_done(&c->dir);
    err_done(&c->why);
    mem_free(c);
}

/* Removes a folder of ours; what cannot be removed is told. */
static void discard(const struct fetch_source *source, const char *dir)
{
    AUTO(err_done) struct err why = {0};

    if (file_remove_tree(dir, &why) < 0)
        source->note(source->ctx, FETCH_WARNING, str_of(err_text(&why)));
}

void fetch_clones_free(struct fetch_clones *clones)
{
    if (clones->temp.len)
        discard(&clones->source, buf_cstr(&clones->temp));
    for (size_t i = 0; i < clones->all.len; i++)
        clone_free(clones->all.v[i]);
    vec_done(&clones->all);
    buf_done(&clones->temp);
    pthread_mutex_destroy(&clones->mutex);
    mem_free(clones);
}

static struct clone *find_or_add(struct fetch_clones *clones, const struct fetch_git_url *url)
{
    LOCK_SCOPE(&clones->mutex);
    struct clone *c;

    for (size_t i = 0; i < clones->all.len; i++) {
        c = clones->all.v[i];
        if (str_eq(str_of(c->repository), buf_view(&url->repository)) &&
            str_eq(str_of(c->ref), buf_view(&url->ref)) && c->has_submodules == url->has_submodules)
            return c;
    }
    c = NEW(struct clone);
    pthread_mutex_init(&c->mutex, NULL);
    c->repository = mem_strdup(buf_cstr(&url->repository));
    c->ref = mem_strdup(buf_cstr(&url->ref));
    c->has_submodules = url->has_submodules;
    vec_push(&clones->all, c);
    return c;
}

/* An empty folder below the run's temporary one. */
static int make_dir(struct fetch_clones *clones, struct buf *ret, struct err *e)
{
    LOCK_SCOPE(&clones->mutex);

    if (!clones->temp.len && file_temp_dir("grapnel", &clones->temp, e) < 0)
        return -1;
    buf_addf(ret, "%s/%d", buf_cstr(&clones->temp), ++clones->count);
    if (mkdir(buf_cstr(ret), 0700) < 0)
        return err_errno(e, errno, "make %s", buf_cstr(ret));
    return 0;
}

static void tell(struct fetch_clones *clones, const struct fetch_git_url *url)
{
    AUTO(buf_done) struct buf text = {0};

    buf_add_cstr(&text, "cloning ");
    http_url_redact(buf_view(&url->repository), &text);
    buf_addf(&text, " at %s", buf_cstr(&url->ref));
    clones->source.note(clones->source.ctx, FETCH_PROGRESS, buf_view(&text));
}

static int hold_against_lock(struct fetch_clones *clones, const struct fetch_git_url *url,
                             str commit, struct err *e)
{
    AUTO(buf_done) struct buf shown = {0};

    if (!clones->source.lock)
        return 0;
    http_url_redact(buf_view(&url->repository), &shown);
    return fetch_lock_check(clones->source.lock, buf_view(&shown), buf_view(&url->ref), commit, e);
}

static int fetch_fresh(struct fetch_clones *clones, const struct fetch_git_url *url,
                       struct buf *ret, struct err *e)
{
    AUTO(buf_done) struct buf dir = {0}, commit = {0};

    tell(clones, url);
    if (make_dir(clones, &dir, e) < 0 ||
        fetch_git_clone(url, buf_cstr(&dir), clones->source.cancel,
                        clones->source.lock ? &commit : NULL, e) < 0 ||
        hold_against_lock(clones, url, buf_view(&commit), e) < 0)
        return -1;
    buf_add_str(ret, buf_view(&dir));
    return 0;
}

/* Places in the cache. */
struct slot {
    struct buf folder; /* of the repository */
    struct buf ref;    /* the file that holds the commit of the ref */
};
static void slot_done(struct slot *s)
{
    buf_done(&s->folder);
    buf_done(&s->ref);
}
AUTO_VALUE(struct slot, slot_done)

static void slot_init(struct slot *s, const char *cache_dir, const struct fetch_git_url *url)
{
    AUTO(buf_done) struct buf shown = {0};

    http_url_redact(buf_view(&url->repository), &shown);
    buf_addf(&s->folder, "%s/git/", cache_dir);
    sha256_hex(buf_view(&shown), &s->folder);
    buf_addf(&s->ref, "%s/ref-", buf_cstr(&s->folder));
    sha256_hex(buf_view(&url->ref), &s->ref);
}

static void dir_of_commit(const struct slot *s, const struct fetch_git_url *url, str commit,
                          struct buf *ret)
{
    buf_clear(ret);
    buf_addf(ret, "%s/%.*s%s", buf_cstr(&s->folder), STR_ARG(commit),
             url->has_submodules ? "+m" : "");
}

/* The commit that a ref is, or offline was; empty when nobody knows. */
static int find_commit(struct fetch_clones *clones, const struct slot *s,
                       const struct fetch_git_url *url, struct buf *ret, struct err *e)
{
    if (!clones->source.is_offline)
        return fetch_git_resolve(url, clones->source.cancel, ret, e);
    if (fetch_git_is_commit(buf_view(&url->ref)))
        buf_add_str(ret, buf_view(&url->ref));
    else if (file_exists(buf_cstr(&s->ref)) && file_read(buf_cstr(&s->ref), 64, ret, e) < 0)
        return -1;
    if (ret->len && !fetch_git_is_commit(buf_view(ret)))
        return err_set(e, ERR_INVALID, "%s is damaged; remove it", buf_cstr(&s->ref));
    return 0;
}

/* Moves a clone to its place; another process may have put the same there. */
static int keep_clone(const char *staging, const char *dir, struct err *e)
{
    AUTO(buf_done) struct buf git = {0};

    buf_addf(&git, "%s/.git", staging);
    if (file_remove_tree(buf_cstr(&git), e) < 0)
        return -1;
    if (rename(staging, dir) < 0 && errno != EEXIST && errno != ENOTEMPTY)
        return err_errno(e, errno, "keep a clone as %s", dir);
    return 0;
}

static int fetch_into_cache(struct fetch_clones *clones, const struct slot *s,
                            const struct fetch_git_url *url, struct buf *commit, struct buf *ret,
                            struct err *e)
{
    AUTO(buf_done) struct buf staging = {0};
    int rc;

    tell(clones, url);
    if (file_mkdirs(buf_cstr(&s->folder), 0700, e) < 0)
        return -1;
    buf_addf(&staging, "%s/new-XXXXXX", buf_cstr(&s->folder));
    if (!mkdtemp(staging.p))
        return err_errno(e, errno, "make a folder in %s", buf_cstr(&s->folder));
    buf_clear(commit);
    rc = fetch_git_clone(url, buf_cstr(&staging), clones->source.cancel, commit, e);
    if (rc == 0) {
        dir_of_commit(s, url, buf_view(commit), ret);
        rc = keep_clone(buf_cstr(&staging), buf_cstr(ret), e);
    }
    discard(&clones->source, buf_cstr(&staging)); /* also when the same was there already */
    return rc;
}

static int not_in_cache(const struct fetch_source *source, const struct fetch_git_url *url,
                        struct err *e)
{
    AUTO(buf_done) struct buf shown = {0};

    http_url_redact(buf_view(&url->repository), &shown);
    return err_set(e, ERR_UNAVAILABLE, "offline, and %s at %s is not in %s", buf_cstr(&shown),
                   buf_cstr(&url->ref), source->cache_dir ? source->cache_dir : "a cache");
}

static int fetch_cached(struct fetch_clones *clones, const struct fetch_git_url *url,
                        struct buf *ret, struct err *e)
{
    AUTO(slot_done) struct slot s = {0};
    AUTO(buf_done) struct buf commit = {0}, dir = {0};

    slot_init(&s, clones->source.cache_dir, url);
    if (find_commit(clones, &s, url, &commit, e) < 0)
        return -1;
    if (commit.len)
        dir_of_commit(&s, url, buf_view(&commit), &dir);
    if (!commit.len || !file_is_dir(buf_cstr(&dir))) {
        if (clones->source.is_offline)
            return not_in_cache(&clones->source, url, e);
        if (fetch_into_cache(clones, &s, url, &commit, &dir, e) < 0)
            return -1;
    }
    if (hold_against_lock(clones, url, buf_view(&commit), e) < 0 ||
        (!clones->source.is_offline &&
         file_replace(buf_cstr(&s.ref), buf_view(&commit), NULL, e) < 0))
        return -1;
    buf_add_str(ret, buf_view(&dir));
    return 0;
}

static int fetch(struct fetch_clones *clones, const struct fetch_git_url *url, struct buf *ret,
                 struct err *e)
{
    if (clones->source.cache_dir)
        return fetch_cached(clones, url, ret, e);
    return clones->source.is_offline ? not_in_cache(&clones->source, url, e)
                                     : fetch_fresh(clones, url, ret, e);
}

const char *fetch_clones_get(struct fetch_clones *clones, const struct fetch_git_url *url,
                             struct err *e)
{
    struct clone *c = find_or_add(clones, url);
    LOCK_SCOPE(&c->mutex);

    if (!c->is_done) {
        (void)fetch(clones, url, &c->dir, &c->why);
        c->is_done = true;
    }
    if (c->dir.len)
        return buf_cstr(&c->dir);
    err_set(e, c->why.kind, "%s", err_text(&c->why));
    e->code = c->why.code;
    return NULL;
}
