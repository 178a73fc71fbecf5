/* Accumulating a kustomization: resources, configurations, generators, components, transformers,
 * validators, vars, in upstream's order (kustomize spec 4). */
#include "kustomize/bases.h"
#include "kustomize/composition/composition.h"
#include "kustomize/config/crds.h"
#include "kustomize/incremental/plan.h"
#include "kustomize/metadata.h"
#include "kustomize/plugin/plugin.h"
#include "sys/thread.h"

void kustomize_accumulator_done(struct kustomize_accumulator *a)
{
    kustomize_resmap_done(&a->resources);
    vec_done(&a->vars);
    *a = (struct kustomize_accumulator){0};
}

/* ---- configurations */

static struct kustomize_config *new_config(struct kustomize_shared *s,
                                           const struct kustomize_config *from)
{
    struct kustomize_config *c = NEW(struct kustomize_config);

    if (from)
        kustomize_config_copy(c, from);
    LOCK_SCOPE(&s->lock);
    vec_push(&s->configs, c);
    return c;
}

/* What came up from a base joins; the common case is that neither has anything of its own. */
int kustomize_merge_config(struct kustomize_shared *s, const struct kustomize_config **to,
                           const struct kustomize_config *from, struct err *e)
{
    struct kustomize_config *c;

    if (from == *to || (*to && from == &s->defaults))
        return 0;
    if (!*to) {
        *to = from;
        return 0;
    }
    c = new_config(s, *to);
    *to = c;
    return kustomize_config_merge(c, from, e);
}

typedef int read_config_fn(struct kustomize_config *c, struct doc_set *set,
                           const struct doc_node *document, struct err *e);

static int read_configuration(struct kustomize_config *c, struct doc_set *set,
                              const struct doc_node *document, struct err *e)
{
    return kustomize_config_read(c, set, document, e);
}

static int load_config_file(struct kustomize_level *level, str path, read_config_fn *read,
                            struct kustomize_config *to, struct err *e)
{
    AUTO(kustomize_config_done) struct kustomize_config c = {0};
    AUTO(doc_list_done) struct doc_list docs = {0};
    struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION, .flags = DOC_BORROW};
    struct kustomize_build *b = &level->b;
    str text = STR_NONE;

    if (kustomize_load(b, path, &text, e) < 0 ||
        doc_parse_all(b->set, text, &options, kustomize_file_origin(b, path), &docs, e) < 0)
        return -1;
    for (size_t i = 0; i < docs.len; i++)
        if (!doc_is_null(docs.v[i]) && read(&c, b->set, docs.v[i], e) < 0)
            return -1;
    return kustomize_config_merge(to, &c, e);
}

static int load_configs(struct kustomize_level *level, const struct kustomize_text_list *paths,
                        read_config_fn *read, const char *what, struct kustomize_config *c,
                        struct err *e)
{
    for (size_t i = 0; i < paths->len; i++)
        if (load_config_file(level, paths->v[i].text, read, c, e) < 0) {
            kustomize_wrap(e, "loading %s %.*s", what, STR_ARG(paths->v[i].text));
            return kustomize_fail_at(&level->b, paths->v[i].node, e);
        }
    return 0;
}

/* The order counts: a spec of a file takes in a default one that it selects a part of (the default
 * is then not added), while what came up from the bases takes in those of the level. */
static int use_configs(struct kustomize_level *level, struct kustomize_accumulator *acc,
                       struct err *e)
{
    struct kustomize_shared *s = level->b.shared;
    const struct kustomization *k = level->k;
    struct kustomize_config *own, *crds;

    if (k->configurations.len == 0) {
        if (kustomize_merge_config(s, &acc->config, &s->defaults, e) < 0)
            return -1;
    } else {
        own = new_config(s, NULL);
        if (load_configs(level, &k->configurations, read_configuration, "configuration", own, e) <
                0 ||
            kustomize_config_merge(own, &s->defaults, e) < 0 ||
            kustomize_merge_config(s, &acc->config, own, e) < 0)
            return -1;
    }
    if (k->crds.len == 0)
        return 0;
    crds = new_config(s, NULL);
    if (load_configs(level, &k->crds, kustomize_config_read_crd, "CRDs", crds, e) < 0)
        return -1;
    return kustomize_merge_config(s, &acc->config, crds, e);
}

/* ---- files */

/* Of what the list has from `first` on. */
static void mark_origin(struct kustomize_level *level, str path, struct kustomize_resmap *m,
                        size_t first)
{
    struct kustomize_origin origin;
    struct kustomize_resource *r;

    if (!level->b.shared->wants_origin)
        return;
    origin = kustomize_origin_of_file(level, path);
    for (size_t at = first; (r = kustomize_resmap_next(m, &at));)
        r->origin = origin;
}

static int accumulate_text(struct kustomize_level *level, struct kustomize_resmap *to, str path,
                           str text, struct err *e)
{
    const char *origin = kustomize_file_origin(&level->b, path);
    size_t first = to->list.len;

    if (kustomize_read_resources(&level->b, text, origin, NULL, to, e) < 0)
        return kustomize_wrap(e, "accumulating resources from '%.*s'", STR_ARG(path));
    mark_origin(level, path, to, first);
    kustomize_plan_made(level->reading, to, first);
    kustomize_tell(level, to, NULL, NULL);
    return 0;
}

/* Neither file nor folder: both attempts are told, as upstream does. */
static int refuse_path(struct kustomize_level *level, const struct kustomize_text *path,
                       bool is_folder, struct err *file, struct err *folder, struct err *e)
{
    if (is_folder || fetch_root_look(level->root, path->text) == FETCH_DIR)
        err_set(file, folder->kind, "'%.*s' must resolve to a file", STR_ARG(path->text));
    err_set(e, file->kind, "accumulation err='accumulating resources from '%.*s': %s': %s",
            STR_ARG(path->text), err_text(file), err_text(folder));
    kustomize_wrap(e, "accumulating resources");
    kustomize_suggest_path(level, path->text, e);
    return kustomize_fail_at(&level->b, path->node, e);
}

static int fail_file(struct kustomize_level *level, const struct kustomize_text *path,
                     struct err *e)
{
    kustomize_wrap(e, "accumulating resources");
    return kustomize_fail_at(&level->b, path->node, e);
}

/* ---- paths */

/* Upstream tries to read a folder as a file first, and says nothing of it. */
static bool is_folder(struct kustomize_level *level, str path)
{
    return kustomize_is_likely_folder(path) && !fetch_is_file_url(path) &&
           fetch_root_look(level->root, path) == FETCH_DIR;
}

static int accumulate_path(struct kustomize_level *level, struct kustomize_accumulator *acc,
                           const struct kustomize_text *path, struct err *e)
{
    AUTO(err_done) struct err file = {0}, folder = {0};
    struct kustomize_text inside = *path;
    AUTO(kustomize_base_done) struct kustomize_base base = {.path = path};
    str text = STR_NONE;
    bool is_dir;

    level->reading = kustomize_plan_leaf(level, path);
    if (kustomize_is_composition_file(path->text, &inside.text))
        base.path = path = &inside;
    is_dir = is_folder(level, path->text);
    if (!is_dir && kustomize_try_load(&level->b, path->text, &text, &file) == 0)
        return accumulate_text(level, &acc->resources, path->text, text, e) < 0
                   ? fail_file(level, path, e)
                   : 0;
    if (kustomize_base_enter(&base, level, level->b.set, level->b.warnings, &folder) < 0)
        return refuse_path(level, path, is_dir, &file, &folder, e);
    kustomize_base_build(&base);
    return kustomize_base_join(&base, level, acc, e);
}

int kustomize_accumulate_paths(struct kustomize_level *level, struct kustomize_accumulator *acc,
                               const struct kustomize_text_list *paths, struct err *e)
{
    AUTO(kustomize_bases_done) struct kustomize_bases bases = {0};
    size_t next = 0;

    kustomize_bases_build(&bases, level, paths);
    for (size_t i = 0; i < paths->len; i++) {
        bool is_built = next < bases.len && bases.v[next].path == &paths->v[i];
        int rc;

        if (kustomize_plan_skips(level, kustomize_plan_leaf(level, &paths->v[i])))
            continue;
        rc = is_built ? kustomize_base_join(&bases.v[next++], level, acc, e)
                      : accumulate_path(level, acc, &paths->v[i], e);
        if (rc < 0)
            return -1;
    }
    level->reading = NULL;
    return 0;
}

/* A Component works on the accumulator of its parent. */
static int accumulate_component(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                const struct kustomize_text *path, struct err *e)
{
    struct kustomize_level sub;
    int rc = kustomize_level_enter(level, path->text, path->node, &sub, e);

    if (rc < 0)
        kustomize_suggest_path(level, path->text, e);
    if (rc == 0) {
        kustomize_plan_enter(level, path, &sub);
        rc = kustomize_level_read(&sub, true, e);
        if (rc == 0)
            rc = kustomize_accumulate(&sub, acc, e);
        if (rc == 0)
            rc = kustomize_resmap_check_twins(&acc->resources, e);
        kustomize_level_done(&sub);
    }
    if (rc == 0)
        return 0;
    if (!e->diags || !sub.k)
        kustomize_wrap(e, "accumulating components");
    return kustomize_fail_at(&level->b, path->node, e);
}

static int accumulate_components(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                 struct err *e)
{
    for (size_t i = 0; i < level->k->components.len; i++)
        if (accumulate_component(level, acc, &level->k->components.v[i], e) < 0)
            return -1;
    return 0;
}

int kustomize_accumulate(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         struct err *e)
{
    const struct kustomization *k = level->k;

    if (level->is_composition)
        return kustomize_compose(level, acc, e);
    if (kustomize_accumulate_paths(level, acc, &k->resources, e) < 0)
        return -1;
    if (use_configs(level, acc, e) < 0)
        return -1;
    level->b.config = acc->config;
    if (kustomize_run_generators(level, acc, e) < 0 || accumulate_components(level, acc, e) < 0)
        return -1;
    level->b.config = acc->config;
    kustomize_crds_note(level, &acc->resources);
    if (kustomize_run_transformers(level, acc, e) < 0 ||
        kustomize_run_validators(level, acc, e) < 0)
        return -1;
    return kustomize_vars_add(&level->b, &acc->resources, &acc->vars, k->vars.v, k->vars.len, e);
}
