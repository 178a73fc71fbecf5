/* Updating and building: which indexes are fetched, when Chart.lock is written or held against
 * Chart.yaml. */
#include "chart/deps/deps_priv.h"
#include "chart/repo/refresh.h"
#include "sys/file.h"

/* ---- indexes */

static void refresh_unnamed(struct deps *d)
{
    const struct chart_source *source = d->options->source;
    VEC(struct chart_repo) repos = {0};

    for (size_t i = 0; i < d->list.len; i++) {
        const struct dep *dep = &d->list.v[i];
        bool is_there = !dep->is_unnamed;

        for (size_t k = 0; k < repos.len && !is_there; k++)
            is_there = str_eq(repos.v[k].name, dep->repo->name);
        if (!is_there)
            vec_push(&repos, *dep->repo);
    }
    if (repos.len)
        chart_refresh_unnamed(repos.v, repos.len, source->dirs, &source->access, d->options->line,
                              d->options->ctx);
    vec_done(&repos);
}

static int refresh(struct deps *d, struct err *e)
{
    const struct chart_source *source = d->options->source;

    if (!d->repos.list.len)
        return 0;
    return chart_refresh(d->repos.list.v, d->repos.list.len, source->dirs, &source->access,
                         d->options->line, d->options->ctx, e);
}

/* ---- updating */

static bool is_v1(const struct deps *d) { return str_eq(d->c->api_version, STR("v1")); }

static int write_lock(struct deps *d, const struct chart_lock *lock, str old_digest, struct err *e)
{
    AUTO(buf_done) struct buf digest = {0}, text = {0}, path = {0};
    struct file_replace options = {.mode = 0644};

    chart_lock_digest(d->requests, lock, &digest);
    if (str_eq(buf_view(&digest), old_digest))
        return 0;
    chart_lock_write(lock, buf_view(&digest), d->options->now_us, &text);
    buf_addf(&path, "%s/%s", d->folder, is_v1(d) ? "requirements.lock" : "Chart.lock");
    return file_replace(buf_cstr(&path), buf_view(&text), &options, e);
}

static int update(struct deps *d, str old_digest, struct err *e)
{
    AUTO(chart_lock_done) struct chart_lock lock = {0};

    if (!d->options->skips_refresh) {
        refresh_unnamed(d);
        if (refresh(d, e) < 0)
            return -1;
    }
    if (deps_resolve(d, &lock, e) < 0 || deps_fetch(d, &lock, e) < 0)
        return -1;
    return write_lock(d, &lock, old_digest, e);
}

int chart_deps_update(const char *folder, const struct chart_deps_options *options, struct err *e)
{
    AUTO(deps_done) struct deps d = {0};
    AUTO(chart_lock_done) struct chart_lock old = {0};
    str digest = STR_NONE;

    if (deps_open(&d, folder, options, e) < 0)
        return -1;
    if (d.c->lock_text.p && chart_lock_read(d.set, d.c->lock_text, &old, &digest, e) < 0)
        return -1;
    return d.list.len ? update(&d, digest, e) : 0;
}

/* ---- building */

static int check_digest(const struct deps *d, const struct chart_lock *lock, str digest,
                        struct err *e)
{
    AUTO(buf_done) struct buf own = {0}, old = {0};
    const char *lock_file = is_v1(d) ? "requirements.lock" : "Chart.lock",
               *file = is_v1(d) ? "requirements.yaml" : "Chart.yaml",
               *remedy = is_v1(d) ? "" : " with 'helm dependency update'";

    chart_lock_digest(d->requests, lock, &own);
    chart_lock_old_digest(d->requests, &old);
    if (str_eq(buf_view(&own), digest) || (is_v1(d) && str_eq(buf_view(&old), digest)))
        return 0;
    return err_set(e, ERR_CONFLICT,
                   "the lock file (%s) is out of sync with the dependencies file (%s). Please "
                   "update the dependencies%s",
                   lock_file, file, remedy);
}

/* The locked dependencies take the place of those that are asked for. */
static int use_lock(struct deps *d, const struct chart_lock *lock, struct err *e)
{
    AUTO(buf_done) struct buf unknown = {0};

    d->list.len = 0;
    for (size_t i = 0; i < lock->len; i++) {
        struct dep *dep = vec_add(&d->list);

        *dep = (struct dep){.name = lock->v[i].name,
                            .version = lock->v[i].version,
                            .repository = lock->v[i].repository};
        if (!deps_classify(d, dep) || dep->is_unnamed)
            buf_addf(&unknown, "%s%.*s", unknown.len ? ", " : "", STR_ARG(dep->repository));
    }
    return unknown.len ? err_set(e, ERR_NOT_FOUND,
                                 "no repository definition for %s. Please add the missing repos "
                                 "via 'helm repo add'",
                                 buf_cstr(&unknown))
                       : 0;
}

int chart_deps_build(const char *folder, const struct chart_deps_options *options, struct err *e)
{
    AUTO(deps_done) struct deps d = {0};
    AUTO(chart_lock_done) struct chart_lock lock = {0};
    str digest = STR_NONE;

    if (deps_open(&d, folder, options, e) < 0)
        return -1;
    if (!d.c->lock_text.p)
        return d.list.len ? update(&d, STR_NONE, e) : 0;
    if (chart_lock_read(d.set, d.c->lock_text, &lock, &digest, e) < 0 ||
        check_digest(&d, &lock, digest, e) < 0 || use_lock(&d, &lock, e) < 0)
        return -1;
    if (!options->skips_refresh && refresh(&d, e) < 0)
        return -1;
    return deps_fetch(&d, &lock, e);
}
