#include "chart/deps/deps_priv.h"

#include <stdarg.h>

#include "base/sha256.h"
#include "fetch/path.h"
#include "sys/file.h"

void deps_done(struct deps *d)
{
    chart_oci_free(d->oci);
    chart_repos_done(&d->repos);
    doc_set_free(d->set);
    vec_done(&d->list);
}
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

bool deps_classify(struct deps *d, struct dep *dep)
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
        if (!deps_classify(d, dep)) {
            buf_addf(&unknown, "%s%.*s", unknown.len ? ", " : "", STR_ARG(dep->repository));
            has_word = has_word || !is_name(dep->repository);
        }
        if (check_folder(d, dep, e) < 0)
            return -1;
        doc_set_string(d->set, request, STR("repository"), dep->repository);
    }
    return unknown.len ? refuse_unknown(&unknown, has_word, e) : 0;
}

int deps_open(struct deps *d, const char *folder, const struct chart_deps_options *options,
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
