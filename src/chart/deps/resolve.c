/* From the constraints of Chart.yaml to versions. */
#include "chart/deps/deps_priv.h"
#include "chart/repo/cache.h"
#include "sys/file.h"

struct resolver {
    struct deps *d;
    struct chart_lock *lock;
    struct buf missing; /* those that have no version */
    size_t missing_count;
};

static void note_missing(struct resolver *r, const struct dep *dep)
{
    if (r->missing_count++)
        buf_add_cstr(&r->missing, ", ");
    buf_addf(&r->missing, "\"%.*s\" (repository \"%.*s\", version \"%.*s\")", STR_ARG(dep->name),
             STR_ARG(dep->repository), STR_ARG(dep->version));
}

static void take(struct resolver *r, const struct dep *dep, str version)
{
    vec_push(r->lock, {dep->name, version, dep->repository});
}

static int resolve_local(struct resolver *r, const struct dep *dep, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/charts/%.*s", r->d->folder, STR_ARG(dep->name));
    if (!file_exists(buf_cstr(&path)))
        return err_set(e, ERR_NOT_FOUND, "directory %s not found", buf_cstr(&path));
    take(r, dep, dep->version);
    return 0;
}

static int resolve_folder(struct resolver *r, const struct dep *dep,
                          const struct semver_constraint *constraint, struct err *e)
{
    struct chart *c = chart_load(r->d->set, deps_folder_path(r->d, dep->repository).p, e);
    struct semver version;

    if (!c || semver_parse(c->version, SEMVER_LENIENT, &version, e) < 0)
        return -1;
    if (semver_matches(constraint, &version, false))
        take(r, dep, c->version);
    else
        note_missing(r, dep);
    return 0;
}

static int resolve_repo(struct resolver *r, const struct dep *dep,
                        const struct semver_constraint *constraint, struct err *e)
{
    const struct chart_index_entry *entry;
    struct chart_index index = {0};

    if (chart_index_load(r->d->options->source->dirs, dep->repo->name, r->d->set, &index, e) < 0)
        return err_wrap(e, "no cached repository for %.*s found. (try 'helm repo update')",
                        STR_ARG(dep->repo->name));
    entry = chart_index_find(&index, dep->name);
    if (!entry)
        return err_set(e, ERR_NOT_FOUND, "%.*s chart not found in repo %.*s", STR_ARG(dep->name),
                       STR_ARG(dep->repository));
    for (size_t i = 0; i < entry->count; i++) {
        const struct chart_index_version *version = &entry->versions[i];

        if (chart_index_url(version).len && semver_matches(constraint, &version->parsed, false)) {
            take(r, dep, version->version);
            return 0;
        }
    }
    note_missing(r, dep);
    return 0;
}

static int resolve_oci(struct resolver *r, const struct dep *dep, struct err *e)
{
    AUTO(buf_done) struct buf reference = {0}, version = {0};
    AUTO(err_done) struct err bad = {0};
    struct chart_oci *oci = deps_oci(r->d, e);

    if (!oci)
        return -1;
    buf_addf(&reference, "%.*s/%.*s", STR_ARG(str_trim_right(dep->repository, "/")),
             STR_ARG(dep->name));
    if (chart_oci_choose(oci, buf_view(&reference), dep->version, &version, &bad) == 0) {
        take(r, dep, arena_dup(&r->d->set->arena, buf_view(&version)));
        return 0;
    }
    if (bad.kind == ERR_NOT_FOUND) {
        note_missing(r, dep);
        return 0;
    }
    err_move(e, &bad);
    return err_wrap(e, "could not retrieve list of tags for repository %.*s",
                    STR_ARG(dep->repository));
}

static int resolve(struct resolver *r, const struct dep *dep, struct err *e)
{
    AUTO(semver_constraint_free)
    struct semver_constraint *constraint = semver_constraint_parse(dep->version, e);

    if (!constraint)
        return err_wrap(e, "dependency \"%.*s\" has an invalid version/constraint format",
                        STR_ARG(dep->name));
    switch (dep->kind) {
    case DEP_LOCAL:
        return resolve_local(r, dep, e);
    case DEP_FOLDER:
        return resolve_folder(r, dep, constraint, e);
    case DEP_REPO:
        return resolve_repo(r, dep, constraint, e);
    case DEP_OCI:
        break;
    }
    return resolve_oci(r, dep, e);
}

int deps_resolve(struct deps *d, struct chart_lock *ret, struct err *e)
{
    struct resolver r = {.d = d, .lock = ret};
    int rc = 0;

    for (size_t i = 0; i < d->list.len && rc == 0; i++)
        rc = resolve(&r, &d->list.v[i], e);
    if (rc == 0 && r.missing_count)
        rc = err_set(e, ERR_NOT_FOUND,
                     "can't get a valid version for %zu subchart(s): %s. Make sure a matching "
                     "chart version exists in the repo, or change the version constraint in "
                     "Chart.yaml",
                     r.missing_count, buf_cstr(&r.missing));
    buf_done(&r.missing);
    return rc;
}
