#include "chart/deps/deps_priv.h"

#include <errno.h>

#include "base/sha256.h"
#include "chart/repo/refresh.h"
#include "fetch/path.h"
#include "sys/file.h"

static void deps_done(struct deps *d)
{
    chart_oci_free(d->oci);
    chart_repos_done(&d->repos);
    doc_set_free(d->set);
    vec_done(&d->list);
}
AUTO_VALUE(struct deps, deps_done)

void deps_tell(const struct deps *d, const char *fmt, ...)
{
    AUTO(buf_done) struct buf line = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&line, fmt, args);
    va_end(args);
    d->options->line(d->options->ctx, buf_view(&line));
}

str deps_folder_path(const struct deps *d, str repository)
{
    AUTO(buf_done) struct buf path = {0}, clean = {0};

    str_drop_prefix(&repository, STR("file://"));
    if (!str_starts(repository, STR("/")))
        buf_addf(&path, "%s/", d->folder);
    buf_add_str(&path, repository);
    fetch_clean_path(buf_view(&path), &clean);
    return arena_dup(&d->set->arena, buf_view(&clean));
}

struct chart_oci *deps_oci(struct deps *d, struct err *e)
{
    const struct chart_source *source = d->options->source;

    if (!d->oci)
        d->oci = chart_oci_new(&source->access, buf_cstr(&source->dirs->registry_config), e);
    return d->oci;
}

/* ---- whose repositories */

static bool is_name(str repository)
{
    return str_starts(repository, STR("@")) || str_starts(repository, STR("alias:"));
}

static const struct chart_repo *find_repo(const struct deps *d, str repository)
{
    str name = repository;

    if (str_drop_prefix(&name, STR("@")) || str_drop_prefix(&name, STR("alias:")))
        return chart_repos_find(&d->repos, name);
    return chart_repos_find_url(&d->repos, repository);
}

/* A repository without a name is called by the digest of its URL, as in helm. */
static const struct chart_repo *unnamed_repo(struct deps *d, str url)
{
    struct chart_repo *repo = ARENA_NEW(&d->set->arena, struct chart_repo);
    AUTO(buf_done) struct buf name = {0};

    buf_add_cstr(&name, "helm-manager-");
    sha256_hex(url, &name);
    *repo = (struct chart_repo){.name = arena_dup(&d->set->arena, buf_view(&name)), .url = url};
    return repo;
}

/* Fills in how a dependency is come by; false when its repository is not known. */
static bool classify(struct deps *d, struct dep *dep)
{
    if (!dep->repository.len) {
        dep->kind = DEP_LOCAL;
    } else if (str_starts(dep->repository, STR("file://"))) {
        dep->kind = DEP_FOLDER;
    } else if (chart_is_oci(dep->repository)) {
        dep->kind = DEP_OCI;
    } else {
        dep->kind = DEP_REPO;
        dep->repo = find_repo(d, dep->repository);
        dep->is_unnamed = !dep->repo;
        if (dep->repo) {
            if (is_name(dep->repository))
                dep->repository = dep->repo->url;
        } else if (str_contains(dep->repository, STR("://"))) {
            dep->repo = unnamed_repo(d, dep->repository);
        }
    }
    return dep->kind != DEP_REPO || dep->repo;
}

static int refuse_unknown(const struct buf *unknown, bool has_word, struct err *e)
{
    return err_set(
        e, ERR_NOT_FOUND, "no repository definition for %s. Please add them via 'helm repo add'%s",
        buf_cstr(unknown),
        has_word ? "\nNote that repositories must be URLs or aliases. For example, to refer to the "
                   "\"example\"\nrepository, use \"https://charts.example.com/\" or \"@example\" "
                   "instead "
                   "of\n\"example\". Don't forget to add the repo, too ('helm repo add')."
                 : "");
}

static int check_folder(const struct deps *d, const struct dep *dep, struct err *e)
{
    str path = deps_folder_path(d, dep->repository);

    if (dep->kind != DEP_FOLDER || file_exists(path.p))
        return 0;
    return err_set(e, ERR_NOT_FOUND, "directory %s not found", path.p);
}

/* Gathers the dependencies of Chart.yaml. */
static int list_deps(struct deps *d, struct err *e)
{
    AUTO(buf_done) struct buf unknown = {0};
    bool has_word = false;

    d->requests = doc_new_list(d->set);
    for (size_t i = 0; i < d->c->dependency_count; i++) {
        const struct chart_dependency *from = &d->c->dependencies[i];
        struct doc_node *request = doc_append(d->requests, chart_dependency_json(d->set, d->c, i));
        struct dep *dep = vec_add(&d->list);

        *dep = (struct dep){
            .name = from->name, .version = from->version, .repository = from->repository};
        if (!classify(d, dep)) {
            buf_addf(&unknown, "%s%.*s", unknown.len ? ", " : "", STR_ARG(dep->repository));
            has_word = has_word || !is_name(dep->repository);
        }
        if (check_folder(d, dep, e) < 0)
            return -1;
        doc_set_string(d->set, request, STR("repository"), dep->repository);
    }
    return unknown.len ? refuse_unknown(&unknown, has_word, e) : 0;
}

static int open_chart(struct deps *d, const char *folder, const struct chart_deps_options *options,
                      struct err *e)
{
    d->folder = folder;
    d->options = options;
    d->set = doc_set_new();
    if (!file_exists(folder))
        return err_set(e, ERR_NOT_FOUND, "could not find %s: stat %s: no such file or directory",
                       folder, folder);
    if (!file_is_dir(folder))
        return err_set(e, ERR_INVALID, "only unpacked charts can be updated");
    d->c = chart_load(d->set, folder, e);
    if (!d->c ||
        chart_repos_load(buf_cstr(&options->source->dirs->repository_config), &d->repos, e) < 0)
        return -1;
    return list_deps(d, e);
}

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

    if (open_chart(&d, folder, options, e) < 0)
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
        if (!classify(d, dep) || dep->is_unnamed)
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

    if (open_chart(&d, folder, options, e) < 0)
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
