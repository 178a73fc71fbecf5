/* What is locked into charts/: gathered in a folder beside it, then moved. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/map.h"
#include "chart/deps/deps_priv.h"
#include "chart/download.h"
#include "chart/each.h"
#include "chart/package.h"
#include "sys/file.h"

#define SIDE_BY_SIDE ((size_t)8) /* archives in memory, and servers asked, at once */

struct fetcher {
    struct deps *d;
    struct buf charts, temp; /* paths */
    struct map arrived;      /* names of files in temp */
    struct map locals;       /* names of charts that lie in charts/ */
};
static void fetcher_done(struct fetcher *f)
{
    AUTO(err_done) struct err ignored = {0};

    if (f->temp.len && file_remove_tree(buf_cstr(&f->temp), &ignored) < 0)
        deps_tell(f->d, "%s", err_text(&ignored));
    buf_done(&f->charts);
    buf_done(&f->temp);
    map_done(&f->arrived);
    map_done(&f->locals);
}
AUTO_VALUE(struct fetcher, fetcher_done)

/* ---- gathering */

static int keep(struct fetcher *f, str name, str bytes, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct file_replace options = {.mode = 0644};
    str own = arena_dup(&f->d->set->arena, name);

    if (!name.len || str_contains(name, STR("/")) || str_eq(name, STR("..")))
        return err_set(e, ERR_INVALID, "\"%.*s\" is no name of an archive", STR_ARG(name));
    buf_addf(&path, "%s/%.*s", buf_cstr(&f->temp), STR_ARG(own));
    map_put(&f->arrived, own, f);
    return file_replace(buf_cstr(&path), bytes, &options, e);
}

static int check_local(struct fetcher *f, const struct chart_locked *locked, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct chart *c;

    deps_tell(f->d,
              "Dependency %.*s did not declare a repository. Assuming it exists in the charts "
              "directory",
              STR_ARG(locked->name));
    buf_addf(&path, "%s/%.*s", buf_cstr(&f->charts), STR_ARG(locked->name));
    c = chart_load(f->d->set, buf_cstr(&path), e);
    if (!c)
        return err_wrap(e, "unable to load chart '%s'", buf_cstr(&path));
    map_put(&f->locals, c->name, f);
    if (chart_is_compatible(locked->version, c->version))
        return 0;
    return err_set(e, ERR_NOT_FOUND,
                   "dependency %.*s at version %.*s does not satisfy the constraint %.*s",
                   STR_ARG(locked->name), STR_ARG(c->version), STR_ARG(locked->version));
}

static int pack_folder(struct fetcher *f, const struct chart_locked *locked, struct err *e)
{
    str path = deps_folder_path(f->d, locked->repository);
    struct chart *c = chart_load(f->d->set, path.p, e);
    AUTO(buf_done) struct buf archive = {0}, name = {0};

    if (!c)
        return -1;
    if (!chart_is_compatible(locked->version, c->version))
        return err_set(e, ERR_NOT_FOUND, "can't get a valid version for dependency %.*s",
                       STR_ARG(locked->name));
    chart_package_name(c, &name);
    if (chart_package(f->d->set, c, f->d->options->epoch_s, &archive, e) < 0)
        return -1;
    return keep(f, buf_view(&name), buf_view(&archive), e);
}

static bool is_same(const struct chart_locked *a, const struct chart_locked *b)
{
    return str_eq(a->repository, b->repository) && str_eq(a->name, b->name) &&
           str_eq(a->version, b->version);
}

/* Does an entry before this one ask for the same? */
static bool is_known(const struct chart_lock *lock, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_same(&lock->v[i], &lock->v[at]))
            return true;
    return false;
}

static bool is_remote(const struct dep *dep)
{
    return dep->kind == DEP_REPO || dep->kind == DEP_OCI;
}

/* A few that are fetched side by side, and wait until it is their turn. */
struct batch {
    const struct deps *d;
    const struct chart_lock *lock;
    size_t start, len;
    struct chart_download got[SIDE_BY_SIDE];
    struct err errors[SIDE_BY_SIDE];
};

static void batch_done(struct batch *b)
{
    for (size_t i = 0; i < b->len; i++) {
        chart_download_done(&b->got[i]);
        err_done(&b->errors[i]);
    }
}
AUTO_VALUE(struct batch, batch_done)

static int download(const struct deps *d, const struct dep *dep, const struct chart_locked *locked,
                    struct chart_download *ret, struct err *e)
{
    AUTO(buf_done) struct buf reference = {0};
    struct chart_source source = *d->options->source;

    if (dep->kind == DEP_REPO)
        return chart_download_version(dep->repo, locked->name, locked->version, &source, ret, e);
    source.version = locked->version;
    buf_addf(&reference, "%.*s/%.*s", STR_ARG(str_trim_right(locked->repository, "/")),
             STR_ARG(locked->name));
    return chart_download(buf_view(&reference), &source, CHART_NO_PROV, ret, e);
}

static int download_one(void *ctx, size_t i, struct err *e UNUSED)
{
    struct batch *b = ctx;
    size_t at = b->start + i;
    const struct dep *dep = &b->d->list.v[at];

    if (!is_remote(dep) || is_known(b->lock, at))
        return 0;
    if (download(b->d, dep, &b->lock->v[at], &b->got[i], &b->errors[i]) < 0)
        return 0; /* told in its turn */
    return 0;
}

/* Takes what the batch has for its entry i, or gets it: in the order of the lock. */
static int take(struct fetcher *f, struct batch *b, size_t i, struct err *e)
{
    size_t at = b->start + i;
    const struct dep *dep = &f->d->list.v[at];
    const struct chart_locked *locked = &b->lock->v[at];

    if (dep->kind == DEP_LOCAL)
        return check_local(f, locked, e);
    if (dep->kind == DEP_FOLDER)
        return pack_folder(f, locked, e);
    deps_tell(f->d, "%s %.*s from repo %.*s",
              is_known(b->lock, at) ? "Already downloaded" : "Downloading", STR_ARG(locked->name),
              STR_ARG(locked->repository));
    if (is_known(b->lock, at))
        return 0;
    if (b->errors[i].kind != ERR_NONE) {
        err_move(e, &b->errors[i]);
        return err_wrap(e, "could not download %.*s", STR_ARG(locked->name));
    }
    return keep(f, buf_view(&b->got[i].file_name), buf_view(&b->got[i].archive), e);
}

/* ---- moving */

static int move_in(struct fetcher *f, struct err *e)
{
    struct map_iter it = {0};

    while (map_next(&f->arrived, &it)) {
        AUTO(buf_done) struct buf from = {0}, to = {0};

        buf_addf(&from, "%s/%.*s", buf_cstr(&f->temp), STR_ARG(it.key));
        buf_addf(&to, "%s/%.*s", buf_cstr(&f->charts), STR_ARG(it.key));
        if (rename(buf_cstr(&from), buf_cstr(&to)) < 0)
            return err_errno(e, errno, "move %s", buf_cstr(&to));
    }
    return 0;
}

/* Files of charts/ that are no longer wanted: archives of charts that are not local ones. */
static int drop_old(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct fetcher *f = ctx;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err bad = {0};
    AUTO(buf_done) struct buf path = {0};
    struct chart *c;

    if (entry->type == FILE_DIR)
        return FILE_SKIP;
    if (map_has(&f->arrived, str_of(entry->name)))
        return FILE_ON;
    buf_addf(&path, "%s/%s", buf_cstr(&f->charts), entry->name);
    c = entry->type == FILE_REGULAR ? chart_load(set, buf_cstr(&path), &bad) : NULL;
    if (!c) {
        deps_tell(f->d, "Could not verify %s for deletion: %s (Skipping)", buf_cstr(&path),
                  err_text(&bad));
        return FILE_ON;
    }
    if (map_has(&f->locals, c->name) || unlink(buf_cstr(&path)) == 0)
        return FILE_ON;
    return err_errno(e, errno, "delete %s", buf_cstr(&path));
}

static int gather_batch(struct fetcher *f, const struct chart_lock *lock, size_t start,
                        struct err *e)
{
    AUTO(batch_done)
    struct batch b = {
        .d = f->d, .lock = lock, .start = start, .len = MIN(lock->len - start, SIDE_BY_SIDE)};

    if (chart_each(b.len, download_one, &b, f->d->options->source->access.cancel, e) < 0)
        return -1;
    for (size_t i = 0; i < b.len; i++)
        if (take(f, &b, i, e) < 0)
            return -1;
    return 0;
}

static int gather(struct fetcher *f, const struct chart_lock *lock, struct err *e)
{
    for (size_t start = 0; start < lock->len; start += SIDE_BY_SIDE)
        if (gather_batch(f, lock, start, e) < 0) {
            deps_tell(f->d, "Save error occurred:  %s", err_text(e));
            return -1;
        }
    return 0;
}

int deps_fetch(struct deps *d, const struct chart_lock *lock, struct err *e)
{
    AUTO(fetcher_done) struct fetcher f = {.d = d};

    buf_addf(&f.charts, "%s/charts", d->folder);
    if (file_exists(buf_cstr(&f.charts)) && !file_is_dir(buf_cstr(&f.charts)))
        return err_set(e, ERR_INVALID, "\"%s\" is not a directory", buf_cstr(&f.charts));
    buf_addf(&f.temp, "%s/tmpcharts-%d", d->folder, (int)getpid());
    if (file_mkdirs(buf_cstr(&f.charts), 0755, e) < 0 ||
        file_mkdirs(buf_cstr(&f.temp), 0755, e) < 0)
        return -1;
    deps_tell(d, "Saving %zu charts", lock->len);
    if (gather(&f, lock, e) < 0 || move_in(&f, e) < 0)
        return -1;
    deps_tell(d, "Deleting outdated charts");
    return file_walk(buf_cstr(&f.charts), drop_old, &f, e);
}
