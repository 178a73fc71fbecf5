/* From the files of a chart to the chart, its subcharts included (helm spec 2). */
#include "chart/read_priv.h"
#include "chart/yaml.h"
#include "expr/semver/semver.h"
#include "sys/file.h"

/* ---- sorting files */

struct loader {
    struct doc_set *set;
    struct chart *c;
    struct chart_budget *budget;
    const struct chart_files *files;
    const struct chart_earlies *early;         /* NULL for subcharts */
    struct chart_files templates, rest, below; /* below: "X/…" of charts/ */
};
static void loader_done(struct loader *l)
{
    chart_files_done(&l->templates);
    chart_files_done(&l->rest);
    chart_files_done(&l->below);
}
AUTO_VALUE(struct loader, loader_done)

static int take_values(struct loader *l, str text, struct err *e)
{
    struct doc_node *values = chart_read_values(l->set, text, e);

    if (!values)
        return err_wrap(e, "cannot load values.yaml: cannot unmarshal yaml document");
    l->c->values = values;
    l->c->values_text = text;
    return 0;
}

static void add_renamed(struct chart_files *files, const struct chart_file *f, str name)
{
    vec_push(files, *f);
    vec_last(files).name = name;
}

/* Only what depends on it reads it, but a lock with marks of a merge is told at once. */
static int take_lock(struct loader *l, const struct chart_file *f, struct err *e)
{
    l->c->lock_text = f->text;
    chart_parse_yaml(l->set, f->text, e);
    return e->kind == ERR_NONE ? 0 : err_wrap(e, "cannot load %.*s", STR_ARG(f->name));
}

static int sort_file(struct loader *l, const struct chart_file *f, struct err *e)
{
    bool is_v1 = str_eq(l->c->api_version, STR("v1"));
    str name = f->name;

    if (str_eq(name, STR("values.yaml")))
        return take_values(l, f->text, e);
    if (str_eq(name, is_v1 ? STR("requirements.lock") : STR("Chart.lock")))
        return take_lock(l, f, e);
    if (str_eq(name, STR("values.schema.json"))) {
        l->c->schema = f->text;
        l->c->schema_modified_us = f->modified_us;
    } else if (str_starts(name, STR("templates/"))) {
        vec_push(&l->templates, *f);
    } else if (str_starts(name, STR("charts/")) && !str_ends(name, STR(".prov"))) {
        add_renamed(&l->below, f, str_from(name, 7));
    } else if (!str_eq(name, STR("Chart.yaml")) && !str_eq(name, STR("Chart.lock")) &&
               (is_v1 || (!str_eq(name, STR("requirements.yaml")) &&
                          !str_eq(name, STR("requirements.lock"))))) {
        vec_push(&l->rest, *f);
    }
    return 0;
}

static struct chart_file *keep_files(struct loader *l, const struct chart_files *files)
{
    struct chart_file *kept = ARENA_ARRAY(&l->set->arena, struct chart_file, files->len + 1);

    if (files->len)
        memcpy(kept, files->v, files->len * sizeof(*kept));
    return kept;
}

/* ---- subcharts */

static struct chart *load_files(struct doc_set *set, const struct chart_files *files,
                                const struct chart_earlies *early, struct chart_budget *budget,
                                struct err *e);

static struct chart *load_early(struct doc_set *set, const struct chart_files *files, struct err *e)
{
    struct chart_budget budget = {.depth = 1};

    return load_files(set, files, NULL, &budget, e);
}

static struct chart *load_archive(struct doc_set *set, str bytes, struct chart_budget *budget,
                                  struct err *e)
{
    AUTO(chart_files_done) struct chart_files files = {0};

    if (chart_read_archive(set, bytes, budget, &files, e) < 0)
        return NULL;
    return load_files(set, &files, NULL, budget, e);
}

/* A subchart: what was loaded early, or the files l->below[from..to), all in "X" or "X/…". */
struct part {
    str name;
    struct chart_early *early;
    size_t from, to;
};
struct parts {
    struct part *v;
    size_t len, cap;
};
static void parts_done(struct parts *parts) { vec_done(parts); }
AUTO_VALUE(struct parts, parts_done)

static struct chart *load_part(struct loader *l, const struct part *p, struct err *e)
{
    AUTO(chart_files_done) struct chart_files inner = {0};
    str name = p->name;

    if (p->early) {
        err_move(e, &p->early->e);
        return p->early->c;
    }
    if (str_ends(name, STR(".tgz"))) {
        const struct chart_file *f = &l->below.v[p->from];

        if (str_eq(f->name, name))
            return load_archive(l->set, f->text, l->budget, e);
        err_set(e, ERR_INVALID, "expected %.*s, got %.*s", STR_ARG(name), STR_ARG(f->name));
        return NULL;
    }
    for (size_t i = p->from; i < p->to; i++) {
        str rest;

        str_cut(l->below.v[i].name, '/', &rest);
        if (rest.p)
            add_renamed(&inner, &l->below.v[i], rest);
    }
    return load_files(l->set, &inner, NULL, l->budget, e);
}

/* By the name of the folder, then by path. */
static int by_folder(const void *a, const void *b)
{
    const struct chart_file *x = a, *y = b;
    int c = str_cmp(str_cut(x->name, '/', NULL), str_cut(y->name, '/', NULL));

    return c ? c : str_cmp(x->name, y->name);
}

static int by_part_name(const void *a, const void *b)
{
    return str_cmp(((const struct part *)a)->name, ((const struct part *)b)->name);
}

/* In the order of their folders' names. */
static void find_parts(struct loader *l, struct parts *ret)
{
    vec_sort(&l->below, by_folder);
    for (size_t i = 0, to; i < l->below.len; i = to) {
        str name = str_cut(l->below.v[i].name, '/', NULL);

        for (to = i + 1; to < l->below.len; to++)
            if (!str_eq(name, str_cut(l->below.v[to].name, '/', NULL)))
                break;
        if (!name.len || (name.p[0] != '_' && name.p[0] != '.'))
            vec_push(ret, {name, NULL, i, to});
    }
    for (size_t i = 0; l->early && i < l->early->len; i++)
        vec_push(ret, {l->early->v[i].name, &l->early->v[i], 0, 0});
    vec_sort(ret, by_part_name);
}

static int load_children(struct loader *l, struct err *e)
{
    AUTO(parts_done) struct parts parts = {0};
    struct chart *c = l->c;

    find_parts(l, &parts);
    c->children = ARENA_ARRAY(&l->set->arena, struct chart *, parts.len + 1);
    for (size_t i = 0; i < parts.len; i++) {
        struct chart *child = load_part(l, &parts.v[i], e);

        if (!child)
            return err_wrap(e, "error unpacking subchart %.*s in %.*s", STR_ARG(parts.v[i].name),
                            STR_ARG(c->name));
        child->parent = c;
        c->children[c->child_count++] = child;
    }
    return 0;
}

static struct chart *load_files(struct doc_set *set, const struct chart_files *files,
                                const struct chart_earlies *early, struct chart_budget *budget,
                                struct err *e)
{
    AUTO(loader_done)
    struct loader l = {.set = set,
                       .c = ARENA_NEW(&set->arena, struct chart),
                       .budget = budget,
                       .files = files,
                       .early = early};
    int rc = 0;

    if (budget->depth == CHART_MAX_DEPTH) {
        err_set(e, ERR_LIMIT, "subcharts nest deeper than %d levels", CHART_MAX_DEPTH);
        return NULL;
    }
    l.c->values = doc_new_map(set);
    if (chart_read_metadata(set, l.c, files, e) < 0)
        return NULL;
    for (size_t i = 0; i < files->len; i++)
        if (sort_file(&l, &files->v[i], e) < 0)
            return NULL;
    l.c->templates = keep_files(&l, &l.templates);
    l.c->template_count = l.templates.len;
    l.c->files = keep_files(&l, &l.rest);
    l.c->file_count = l.rest.len;
    budget->depth++;
    rc = load_children(&l, e);
    budget->depth--;
    return rc < 0 ? NULL : l.c;
}

/* ---- from outside */

struct chart *chart_from_files(struct doc_set *set, const struct chart_files *files, struct err *e)
{
    struct chart_budget budget = {0};

    return load_files(set, files, NULL, &budget, e);
}

static struct chart *load_archive_file(struct doc_set *set, const char *path, struct err *e)
{
    struct chart_budget budget = {0};
    AUTO(buf_done) struct buf bytes = {0};
    struct chart *c;

    if (file_read(path, CHART_MAX_BYTES, &bytes, e) < 0)
        return NULL;
    c = load_archive(set, buf_view(&bytes), &budget, e);
    if (!c && str_starts(str_of(err_text(e)), STR("does not appear"))) {
        AUTO(err_done) struct err why = {0};
        err_move(&why, e);
        if (str_ends(str_of(path), STR(".yaml")) || str_ends(str_of(path), STR(".yml")))
            err_set(e, ERR_INVALID,
                    "file '%s' seems to be a YAML file, but expected a gzipped archive", path);
        else
            err_set(e, ERR_INVALID, "file '%s' %s", path, err_text(&why));
    }
    return c;
}

static struct chart *load_path(struct doc_set *set, const char *path, struct chart_budget budget,
                               struct err *e)
{
    AUTO(chart_files_done) struct chart_files files = {0};
    AUTO(chart_earlies_done) struct chart_earlies early = {0};

    if (!file_exists(path)) {
        err_set(e, ERR_NOT_FOUND, "path \"%s\" not found", path);
        return NULL;
    }
    if (!file_is_dir(path))
        return load_archive_file(set, path, e);
    if (chart_read_folder(set, path, &budget, load_early, &files, &early, e) < 0)
        return NULL;
    return load_files(set, &files, &early, &budget, e);
}

struct chart *chart_load(struct doc_set *set, const char *path, struct err *e)
{
    return load_path(set, path, (struct chart_budget){0}, e);
}

struct chart *chart_load_strict(struct doc_set *set, const char *path, struct err *e)
{
    return load_path(set, path, (struct chart_budget){.is_strict = true}, e);
}

struct chart *chart_load_late(struct doc_set *set, const char *path, struct err *e)
{
    return load_path(set, path, (struct chart_budget){.is_late = true}, e);
}

struct chart *chart_load_bytes(struct doc_set *set, str archive, struct err *e)
{
    struct chart_budget budget = {0};
    AUTO(chart_files_done) struct chart_files files = {0};

    if (chart_read_archive(set, archive, &budget, &files, e) < 0)
        return NULL;
    return load_files(set, &files, NULL, &budget, e);
}

/* ---- questions */

str chart_full_name(struct doc_set *set, const struct chart *c)
{
    str parent;

    if (!c->parent)
        return c->name;
    parent = chart_full_name(set, c->parent);
    return arena_printf(&set->arena, "%.*s/charts/%.*s", STR_ARG(parent), STR_ARG(c->name));
}

bool chart_is_compatible(str constraint, str version)
{
    AUTO(err_done) struct err e = {0};
    AUTO(semver_constraint_free)
    struct semver_constraint *c =
        semver_constraint_parse(constraint.len ? constraint : STR("*"), &e);
    struct semver v;

    return c && semver_parse(version, SEMVER_LENIENT, &v, &e) == 0 && semver_matches(c, &v, false);
}

bool chart_has_child(const struct chart *c, str name)
{
    for (size_t i = 0; i < c->child_count; i++)
        if (str_eq(c->children[i]->name, name))
            return true;
    return false;
}

bool chart_has_dependency(const struct chart *c, str name)
{
    for (size_t i = 0; i < c->dependency_count; i++)
        if (str_eq(c->dependencies[i].name, name))
            return true;
    return false;
}

int chart_check_dependencies(const struct chart *c, struct err *e)
{
    AUTO(buf_done) struct buf missing = {0};

    bool is_missing = false;

    for (size_t i = 0; i < c->dependency_count; i++) {
        str name = c->dependencies[i].name;

        if (chart_has_child(c, name))
            continue;
        buf_addf(&missing, "%s%.*s", is_missing ? ", " : "", STR_ARG(name));
        is_missing = true;
    }
    return is_missing
               ? err_set(e, ERR_INVALID,
                         "an error occurred while checking for chart dependencies. You may need to "
                         "run 'helm dependency build' to fetch missing dependencies: found in "
                         "Chart.yaml, but missing in charts/ directory: %s",
                         buf_cstr(&missing))
               : 0;
}
