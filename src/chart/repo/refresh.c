#include "chart/repo/refresh.h"

#include "base/vec.h"
#include "http/url.h"
#include "sys/thread.h"

enum { AT_ONCE = 8 };

struct job {
    const struct chart_repo *repo;
    const struct chart_dirs *dirs;
    const struct chart_access *access;
    struct thread *thread;
    struct err e;
};
struct jobs {
    struct job *v; /* of as many as there are repositories: threads hold pointers into it */
    size_t len, cap;
};
static void jobs_done(struct jobs *jobs)
{
    for (size_t i = 0; i < jobs->len; i++) {
        thread_join(jobs->v[i].thread);
        err_done(&jobs->v[i].e);
    }
    vec_done(jobs);
}
AUTO_VALUE(struct jobs, jobs_done)

static void run(void *ctx)
{
    struct job *j = ctx;
    int rc UNUSED = chart_index_update(j->repo, j->dirs, j->access, &j->e); /* told by e */
}

static void start(struct job *j)
{
    AUTO(err_done) struct err none_left = {0};

    j->thread = thread_start("index", run, j, &none_left);
    if (!j->thread)
        run(j);
}

static void tell(const struct job *j, bool is_named, chart_line_fn *line, void *ctx)
{
    AUTO(buf_done) struct buf out = {0}, url = {0};

    http_url_redact(j->repo->url, &url);
    if (j->e.kind == ERR_NONE)
        buf_addf(&out, "...Successfully got an update from the \"%.*s\" chart repository",
                 STR_ARG(is_named ? j->repo->name : buf_view(&url)));
    else if (is_named)
        buf_addf(&out, "...Unable to get an update from the \"%.*s\" chart repository (%s):\n\t%s",
                 STR_ARG(j->repo->name), buf_cstr(&url), err_text(&j->e));
    else
        buf_addf(&out, "...Unable to get an update from the \"%s\" chart repository:\n\t%s",
                 buf_cstr(&url), err_text(&j->e));
    line(ctx, buf_view(&out));
}

/* Appends the URLs that failed. */
static void refresh(const struct chart_repo *repos, size_t count, const struct chart_dirs *dirs,
                    const struct chart_access *access, bool is_named, chart_line_fn *line,
                    void *ctx, struct buf *failed)
{
    AUTO(jobs_done) struct jobs jobs = {0};

    vec_reserve(&jobs, count);
    for (size_t i = 0; i < count; i++) {
        *vec_add(&jobs) = (struct job){.repo = &repos[i], .dirs = dirs, .access = access};
        if (i < AT_ONCE)
            start(&jobs.v[i]);
    }
    for (size_t i = 0; i < count; i++) {
        thread_join(TAKE(jobs.v[i].thread));
        if (i + AT_ONCE < count)
            start(&jobs.v[i + AT_ONCE]);
        tell(&jobs.v[i], is_named, line, ctx);
        if (jobs.v[i].e.kind != ERR_NONE) {
            if (failed->len)
                buf_add_char(failed, ' ');
            http_url_redact(repos[i].url, failed);
        }
    }
}

int chart_refresh(const struct chart_repo *repos, size_t count, const struct chart_dirs *dirs,
                  const struct chart_access *access, chart_line_fn *line, void *ctx, struct err *e)
{
    AUTO(buf_done) struct buf failed = {0};

    line(ctx, STR("Hang tight while we grab the latest from your chart repositories..."));
    refresh(repos, count, dirs, access, true, line, ctx, &failed);
    if (failed.len)
        return err_set(e, ERR_UNAVAILABLE, "failed to update the following repositories: [%s]",
                       buf_cstr(&failed));
    line(ctx, STR("Update Complete. ⎈Happy Helming!⎈"));
    return 0;
}

void chart_refresh_unnamed(const struct chart_repo *repos, size_t count,
                           const struct chart_dirs *dirs, const struct chart_access *access,
                           chart_line_fn *line, void *ctx)
{
    AUTO(buf_done) struct buf failed = {0};

    line(ctx, STR("Getting updates for unmanaged Helm repositories..."));
    refresh(repos, count, dirs, access, false, line, ctx, &failed);
}
