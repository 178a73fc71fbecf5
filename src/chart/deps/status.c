/* What is in charts/. */
#include "chart/deps/deps.h"
#include "expr/semver/semver.h"
#include "sys/file.h"

/* NULL: the version satisfies. */
static const char *judge_version(str have, str constraint)
{
    AUTO(err_done) struct err e = {0};
    AUTO(semver_constraint_free) struct semver_constraint *c = NULL;
    struct semver version;

    if (str_eq(have, constraint))
        return NULL;
    c = semver_constraint_parse(constraint, &e);
    if (!c || semver_parse(have, SEMVER_LENIENT, &version, &e) < 0)
        return "invalid version";
    return semver_matches(c, &version, false) ? NULL : "wrong version";
}

static const char *judge_archive(const char *path, const struct chart_dependency *dep)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct chart *c = chart_load(set, path, &e);
    const char *bad;

    if (!c)
        return "corrupt";
    if (!str_eq(c->name, dep->name))
        return "misnamed";
    bad = judge_version(c->version, dep->version);
    return bad ? bad : "ok";
}

/* ---- archives of a name */

struct finder {
    str name;
    size_t count;         /* archives called NAME-*.tgz */
    size_t version_count; /* those whose rest is a version */
    struct buf any, versioned;
};
static void finder_done(struct finder *f)
{
    buf_done(&f->any);
    buf_done(&f->versioned);
}
AUTO_VALUE(struct finder, finder_done)

static int find_archive(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct finder *f = ctx;
    AUTO(err_done) struct err ignored = {0};
    struct semver version;
    str rest = str_of(entry->name);

    (void)e;
    if (entry->type == FILE_DIR)
        return FILE_SKIP;
    if (!str_ends(rest, STR(".tgz")) || !str_drop_prefix(&rest, f->name) ||
        !str_drop_prefix(&rest, STR("-")))
        return FILE_ON;
    rest.len -= 4;
    buf_clear(&f->any);
    buf_add_cstr(&f->any, entry->name);
    f->count++;
    if (semver_parse(rest, SEMVER_STRICT, &version, &ignored) == 0) {
        buf_clear(&f->versioned);
        buf_add_cstr(&f->versioned, entry->name);
        f->version_count++;
    }
    return FILE_ON;
}

/* NULL: no archive tells. */
static const char *status_of_archives(const char *folder, const struct chart_dependency *dep)
{
    AUTO(finder_done) struct finder f = {.name = dep->name};
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf charts = {0};

    buf_addf(&charts, "%s/charts", folder);
    if (!file_is_dir(buf_cstr(&charts)) ||
        file_walk(buf_cstr(&charts), find_archive, &f, &ignored) < 0 || !f.count)
        return NULL;
    if (f.count > 1 && f.version_count > 1)
        return "too many matches";
    if (f.count > 1 && !f.version_count)
        return NULL;
    buf_addf(&charts, "/%s", buf_cstr(f.count > 1 ? &f.versioned : &f.any));
    return judge_archive(buf_cstr(&charts), dep);
}

const char *chart_deps_status(const char *folder, const struct chart *c, size_t i)
{
    const struct chart_dependency *dep = &c->dependencies[i];
    const char *status = status_of_archives(folder, dep);
    const struct chart *found = NULL;

    if (status)
        return status;
    for (size_t k = 0; k < c->child_count; k++)
        if (str_eq(c->children[k]->name, dep->name))
            found = c->children[k];
    if (!found)
        return "missing";
    status = judge_version(found->version, dep->version);
    return status ? status : "unpacked";
}

/* ---- what nobody asked for */

struct unknown {
    struct doc_set *set;
    const struct chart *c;
    const char *charts;
    struct str_vec *ret;
};

static int add_unknown(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct unknown *u = ctx;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err bad = {0};
    AUTO(buf_done) struct buf path = {0};
    struct chart *c;

    (void)e;
    buf_addf(&path, "%s/%s", u->charts, entry->name);
    c = entry->type == FILE_DIR || str_ends(str_of(entry->name), STR(".tgz"))
            ? chart_load(set, buf_cstr(&path), &bad)
            : NULL;
    if (c && !chart_has_dependency(u->c, c->name))
        vec_push(u->ret, arena_dup(&u->set->arena, buf_view(&path)));
    return entry->type == FILE_DIR ? FILE_SKIP : FILE_ON;
}

void chart_deps_unknown(struct doc_set *set, const char *folder, const struct chart *c,
                        struct str_vec *ret)
{
    AUTO(buf_done) struct buf charts = {0};
    AUTO(err_done) struct err ignored = {0};
    struct unknown u = {.set = set, .c = c, .ret = ret};

    buf_addf(&charts, "%s/charts", folder);
    u.charts = buf_cstr(&charts);
    if (file_is_dir(u.charts))
        (void)!file_walk(u.charts, add_unknown, &u, &ignored);
}
