#include "doc/kyaml/merge.h"
#include "base/map.h"
#include "fetch/git_url.h"
#include "fetch/root.h"
#include "kustomize/composition/composition.h"
#include "res/schema.h"

enum { MAX_DEPTH = 100 };

static int consolidate(struct kustomize_level *level, struct kustomize_composition *all,
                       struct kustomize_composition *ret, struct err *e);

static void step_done(struct kustomize_step *step) { vec_done(&step->overrides); }

void kustomize_composition_done(struct kustomize_composition *c)
{
    for (size_t i = 0; i < c->steps.len; i++)
        step_done(&c->steps.v[i]);
    vec_done(&c->steps);
    for (size_t i = 0; i < c->levels.len; i++)
        kustomize_level_done(c->levels.v[i]);
    vec_done(&c->levels);
}

static void take_steps(struct kustomize_composition *to, struct kustomize_composition *from,
                       bool is_imported)
{
    for (size_t i = 0; i < from->steps.len; i++) {
        from->steps.v[i].is_imported = is_imported;
        vec_push(&to->steps, from->steps.v[i]);
    }
    from->steps.len = 0;
}

/* ---- own transformers */

static int add_step(struct kustomize_level *level, struct doc_node *config, size_t index,
                    struct kustomize_composition *own, struct err *e)
{
    struct kustomize_step step;

    if (kustomize_step_read(level, config, &step, e) < 0)
        return -1;
    step.index = index;
    vec_push(&own->steps, step);
    return 0;
}

/* A text: documents of transformers, or the path of a file with them. */
static int add_text(struct kustomize_level *level, const struct doc_node *entry,
                    struct kustomize_composition *own, struct err *e)
{
    AUTO(doc_list_done) struct doc_list documents = {0};
    str text = arena_dup(&level->b.set->arena, doc_string(entry, STR_NONE));
    bool is_path = str_find_char(text, '\n') < 0;

    if (is_path
            ? kustomize_load_documents(&level->b, text, &documents, e) < 0
            : kustomize_parse_documents(&level->b, text, level->b.file.p, entry, &documents, e) < 0)
        return is_path ? kustomize_fail_at(&level->b, entry, e) : -1;
    if (!documents.len)
        return kustomize_refuse(level, entry, e, "no transformer is in %s",
                                is_path ? kustomize_file_origin(&level->b, text) : "this text");
    for (size_t i = 0; i < documents.len; i++)
        if (add_step(level, documents.v[i], own->steps.len, own, e) < 0)
            return -1;
    return 0;
}

static int read_own(struct kustomize_level *level, const struct doc_node *root,
                    struct kustomize_composition *own, struct err *e)
{
    struct doc_iter it = doc_children(doc_get_lit(root, "transformers"));

    while (doc_next(&it))
        if (doc_is_string(it.value) ? add_text(level, it.value, own, e) < 0
                                    : add_step(level, it.value, own->steps.len, own, e) < 0)
            return -1;
    return 0;
}

/* ---- imports */

/* The folder of an import; a file must be named composition.yaml. */
static int import_folder(struct kustomize_level *level, const struct doc_node *path, str *ret,
                         struct err *e)
{
    str text = doc_string(path, STR_NONE), name = text;
    ssize_t slash = str_rfind_char(text, '/');

    if (slash >= 0)
        name = str_from(text, (size_t)slash + 1);
    *ret = text;
    if (text.p[0] == '/')
        return kustomize_refuse(level, path, e, "transformersFrom: path \"%.*s\" must be relative",
                                STR_ARG(text));
    if (str_eq(name, STR(KUSTOMIZE_COMPOSITION_FILE)))
        *ret = slash < 0 ? STR(".") : str_sub(text, 0, (size_t)slash);
    else if (fetch_root_look(level->root, text) == FETCH_FILE ||
             (str_ends(name, STR(".yaml")) && fetch_root_look(level->root, text) != FETCH_DIR))
        return kustomize_refuse(level, path, e,
                                "transformersFrom: cannot import \"%.*s\": the file must be "
                                "named " KUSTOMIZE_COMPOSITION_FILE,
                                STR_ARG(text));
    return 0;
}

static int enter_import(struct kustomize_level *level, const struct doc_node *path,
                        struct kustomize_level *sub, struct err *e)
{
    str text = doc_string(path, STR_NONE), folder;
    int rc;

    if (fetch_is_git_url(text)) {
        rc = kustomize_level_enter(level, text, path, sub, e);
    } else if (fetch_is_file_url(text)) {
        return kustomize_refuse(level, path, e,
                                "transformersFrom: path \"%.*s\" must be relative or the URL of a "
                                "git repository, not that of a file",
                                STR_ARG(text));
    } else {
        if (import_folder(level, path, &folder, e) < 0)
            return -1;
        rc = kustomize_level_import(level, folder, path, sub, e);
    }
    if (rc < 0) {
        kustomize_wrap(e, "transformersFrom: cannot import \"%.*s\"", STR_ARG(text));
        return kustomize_fail_at(&level->b, path, e);
    }
    if (fetch_root_look(sub->root, STR(KUSTOMIZE_COMPOSITION_FILE)) != FETCH_FILE)
        return kustomize_refuse(
            level, path, e, "transformersFrom: cannot import \"%.*s\": no %s is in '%s'",
            STR_ARG(text), KUSTOMIZE_COMPOSITION_FILE, fetch_root_path(sub->root));
    return kustomize_level_load(sub, e) < 0 ? kustomize_fail_at(&level->b, path, e) : 0;
}

static int import_mode(struct kustomize_level *level, const struct doc_node *entry,
                       bool *ret_append, struct err *e)
{
    const struct doc_node *mode = doc_get_lit(entry, "importMode");
    str text = doc_string(mode, STR_NONE);

    *ret_append = str_eq(text, STR("append"));
    if (doc_is_null(mode) || *ret_append || str_eq(text, STR("prepend")))
        return 0;
    return kustomize_refuse(level, mode, e, "importMode \"%.*s\" must be \"prepend\" or \"append\"",
                            STR_ARG(doc_text(mode, STR("?"))));
}

static int check_import(struct kustomize_level *level, const struct doc_node *entry, struct err *e)
{
    static const char *const fields[] = {"path", "importMode", NULL};

    if (!doc_is_map(entry))
        return kustomize_refuse(level, entry, e, "an entry of transformersFrom must be an object");
    if (kustomize_check_fields(level, entry, "transformersFrom", fields, e) < 0)
        return -1;
    if (!doc_string(doc_get_lit(entry, "path"), STR_NONE).len)
        return kustomize_refuse(level, entry, e, "transformersFrom: path is required");
    return 0;
}

static int import(struct kustomize_level *level, const struct doc_node *entry,
                  struct kustomize_composition *all, struct kustomize_composition *before,
                  struct kustomize_composition *behind, struct err *e)
{
    AUTO(kustomize_composition_done) struct kustomize_composition list = {0};
    struct kustomize_level *sub = ARENA_NEW(&level->b.set->arena, struct kustomize_level);
    bool is_appended;

    if (check_import(level, entry, e) < 0 || import_mode(level, entry, &is_appended, e) < 0)
        return -1;
    if (level->depth > MAX_DEPTH)
        return kustomize_refuse(level, entry, e, "more than %d Compositions inside of one another",
                                MAX_DEPTH);
    vec_push(&all->levels, sub);
    if (enter_import(level, doc_get_lit(entry, "path"), sub, e) < 0)
        return -1;
    if (consolidate(sub, all, &list, e) < 0)
        return kustomize_fail_at(&level->b, doc_get_lit(entry, "path"), e);
    take_steps(is_appended ? behind : before, &list, true);
    return 0;
}

/* ---- duplicates (CD-11) */

static bool is_same(const struct kustomize_step *a, const struct kustomize_step *b)
{
    return str_eq(a->kind, b->kind) && str_eq(a->name, b->name) &&
           str_eq(a->api_version, b->api_version);
}

static const char *who_changed(const struct kustomize_level *level,
                               const struct kustomize_step *step)
{
    AUTO(buf_done) struct buf names = {0};

    for (size_t i = 0; i < step->overrides.len; i++)
        buf_addf(&names, "%s%.*s", i ? " and " : "changed by ",
                 STR_ARG(step->overrides.v[i]->b.file));
    return names.len ? arena_cstr(&level->b.set->arena, buf_view(&names)) : "unchanged";
}

/* imports: the level's transformersFrom. */
static int judge_pair(struct kustomize_level *level, const struct doc_node *imports,
                      const struct kustomize_step *first, const struct kustomize_step *second,
                      struct err *e)
{
    bool is_one_place =
        first->index == second->index && str_eq(first->level->b.dir, second->level->b.dir);

    if (is_one_place && doc_equal(first->config, second->config))
        return 0;
    if (is_one_place)
        return kustomize_refuse(level, imports, e,
                                "overrides of %.*s \"%.*s\" of %.*s conflict: it comes in by two "
                                "ways that change it differently (%s, %s); render the variants "
                                "separately with ResourceAccumulator",
                                STR_ARG(first->kind), STR_ARG(first->name),
                                STR_ARG(first->level->b.file), who_changed(level, first),
                                who_changed(level, second));
    return kustomize_refuse(level, second->config, e,
                            "duplicate transformer %.*s/%.*s \"%.*s\": it is in %.*s and in %.*s",
                            STR_ARG(first->api_version), STR_ARG(first->kind), STR_ARG(first->name),
                            STR_ARG(first->level->b.file), STR_ARG(second->level->b.file));
}

static str identity(struct arena *arena, const struct kustomize_step *s)
{
    return arena_printf(arena, "%.*s\n%.*s\n%.*s", STR_ARG(s->api_version), STR_ARG(s->kind),
                        STR_ARG(s->name));
}

static int unite(struct kustomize_level *level, const struct doc_node *imports,
                 struct kustomize_composition *c, struct err *e)
{
    AUTO(map_done) struct map seen = {0};
    size_t kept = 0;

    for (size_t i = 0; i < c->steps.len; i++) {
        struct kustomize_step *step = &c->steps.v[i];
        str key = identity(&level->b.set->arena, step);
        const struct doc_node *first = map_get(&seen, key);

        if (first) {
            size_t k = 0;

            while (c->steps.v[k].config != first)
                k++;
            if (judge_pair(level, imports, &c->steps.v[k], step, e) < 0)
                return -1;
            step_done(step);
            *step = (struct kustomize_step){0};
            continue;
        }
        map_put(&seen, key, step->config);
        if (kept != i) {
            c->steps.v[kept] = *step;
            *step = (struct kustomize_step){0};
        }
        kept++;
    }
    c->steps.len = kept;
    return 0;
}

/* ---- overrides */

static void remove_step(struct kustomize_composition *c, struct kustomize_step *step)
{
    step_done(step);
    vec_remove(&c->steps, (size_t)(step - c->steps.v));
}

static struct kustomize_step *find_overridden(struct kustomize_level *level,
                                              struct kustomize_composition *c,
                                              const struct kustomize_step *by, struct err *e)
{
    const char *hint = "no transformer comes in by transformersFrom that is it";

    for (size_t i = 0; i < c->steps.len; i++)
        if (is_same(&c->steps.v[i], by)) {
            if (c->steps.v[i].is_imported)
                return &c->steps.v[i];
            hint = "it is not imported: change it where it stands";
        }
    kustomize_refuse(level, by->config, e, "transformerOverrides: %.*s/%.*s \"%.*s\": %s",
                     STR_ARG(by->api_version), STR_ARG(by->kind), STR_ARG(by->name), hint);
    return NULL;
}

static int override(struct kustomize_level *level, struct doc_node *entry,
                    struct kustomize_composition *c, struct err *e)
{
    struct kustomize_step by, *step;
    struct doc_node *patch, *merged;
    struct doc_set *set = level->b.set;

    if (doc_get_lit(entry, "runtime")) {
        /* a part of a runtime is checked when it is merged */
        patch = doc_copy(set, entry);
        doc_remove(patch, STR("runtime"));
        if (kustomize_step_read(level, patch, &by, e) < 0)
            return kustomize_fail_at(&level->b, entry, e);
        by.config = entry;
    } else if (kustomize_step_read(level, entry, &by, e) < 0) {
        return -1;
    }
    step = find_overridden(level, c, &by, e);
    if (!step)
        return -1;
    patch = doc_copy(set, entry);
    if (!str_eq(level->b.dir, step->level->b.dir))
        kustomize_rebase_paths(level, patch, by.kind, step->level->b.dir);
    if (doc_kyaml_merge(set, doc_copy(set, step->config), patch, res_kustomize_schema(), 0, &merged,
                        e) < 0)
        return kustomize_fail_at(&level->b, entry, e);
    if (!merged || !doc_len(merged)) {
        remove_step(c, step);
        return 0;
    }
    by = *step;
    if (kustomize_step_read(step->level, merged, step, e) < 0) {
        *step = by;
        return kustomize_fail_at(&level->b, entry, e);
    }
    step->index = by.index;
    step->overrides = by.overrides;
    step->is_imported = true;
    vec_push(&step->overrides, level);
    return 0;
}

/* ---- order (CD-14) */

static bool fits(const struct doc_node *entry, const struct kustomize_step *step)
{
    const struct doc_node *kind = doc_get_lit(entry, "kind");
    const struct doc_node *api = doc_get_lit(entry, "apiVersion");

    return str_eq(doc_string(doc_get_lit(entry, "name"), STR_NONE), step->name) &&
           (doc_is_null(kind) || str_eq(doc_string(kind, STR_NONE), step->kind)) &&
           (doc_is_null(api) || str_eq(doc_string(api, STR_NONE), step->api_version));
}

static int find_ordered(struct kustomize_level *level, const struct doc_node *entry,
                        struct kustomize_composition *c, struct kustomize_step **ret, struct err *e)
{
    static const char *const fields[] = {"name", "kind", "apiVersion", NULL};
    AUTO(buf_done) struct buf candidates = {0};
    str name = doc_string(doc_get_lit(entry, "name"), STR_NONE);
    size_t count = 0;

    if (kustomize_check_fields(level, entry, "transformerOrder", fields, e) < 0)
        return -1;
    if (!name.len)
        return kustomize_refuse(level, entry, e, "transformerOrder: name is required");
    for (size_t i = 0; i < c->steps.len; i++)
        if (fits(entry, &c->steps.v[i])) {
            *ret = &c->steps.v[i];
            buf_addf(&candidates, "%s%.*s/%.*s", count++ ? ", " : "", STR_ARG((*ret)->api_version),
                     STR_ARG((*ret)->kind));
        }
    if (count == 0)
        return kustomize_refuse(level, entry, e, "transformerOrder: no transformer is \"%.*s\"",
                                STR_ARG(name));
    if (count > 1)
        return kustomize_refuse(level, entry, e,
                                "transformerOrder: \"%.*s\" is ambiguous (%s): add kind or "
                                "apiVersion",
                                STR_ARG(name), buf_cstr(&candidates));
    if ((*ret)->is_ordered)
        return kustomize_refuse(
            level, entry, e, "transformerOrder: \"%.*s\" is named more than once", STR_ARG(name));
    return 0;
}

static int check_all_ordered(struct kustomize_level *level, const struct doc_node *list,
                             const struct kustomize_composition *c, struct err *e)
{
    AUTO(buf_done) struct buf missing = {0};

    for (size_t i = 0; i < c->steps.len; i++)
        if (!c->steps.v[i].is_ordered)
            buf_addf(&missing, "%s%.*s \"%.*s\"", missing.len ? ", " : "",
                     STR_ARG(c->steps.v[i].kind), STR_ARG(c->steps.v[i].name));
    return missing.len ? kustomize_refuse(level, list, e, "transformerOrder: missing: %s",
                                          buf_cstr(&missing))
                       : 0;
}

static int order(struct kustomize_level *level, const struct doc_node *list,
                 struct kustomize_composition *c, struct err *e)
{
    typeof(c->steps) sorted = {0};
    struct doc_iter it = doc_children(list);
    struct kustomize_step *step = NULL;
    int rc = 0;

    for (size_t i = 0; i < c->steps.len; i++)
        c->steps.v[i].is_ordered = false;
    while (rc == 0 && doc_next(&it)) {
        rc = find_ordered(level, it.value, c, &step, e);
        if (rc == 0) {
            step->is_ordered = true;
            vec_push(&sorted, *step);
        }
    }
    if (rc == 0)
        rc = check_all_ordered(level, list, c, e);
    for (size_t i = 0; rc == 0 && i < sorted.len; i++)
        c->steps.v[i] = sorted.v[i];
    vec_done(&sorted);
    return rc;
}

/* ---- */

static int merge(struct kustomize_level *level, const struct doc_node *root,
                 struct kustomize_composition *c, struct err *e)
{
    const struct doc_node *list = doc_get_lit(root, "transformerOrder");
    struct doc_iter it = doc_children(doc_get_lit(root, "transformerOverrides"));

    if (unite(level, doc_get_lit(root, "transformersFrom"), c, e) < 0)
        return -1;
    while (doc_next(&it))
        if (override(level, it.value, c, e) < 0)
            return -1;
    return doc_len(list) ? order(level, list, c, e) : 0;
}

static int consolidate(struct kustomize_level *level, struct kustomize_composition *all,
                       struct kustomize_composition *ret, struct err *e)
{
    AUTO(kustomize_composition_done) struct kustomize_composition own = {0}, behind = {0};
    struct doc_node *root = NULL;
    struct doc_iter it;

    if (kustomize_composition_read(level, &root, e) < 0 || read_own(level, root, &own, e) < 0)
        return -1;
    it = doc_children(doc_get_lit(root, "transformersFrom"));
    while (doc_next(&it))
        if (import(level, it.value, all, ret, &behind, e) < 0)
            return -1;
    take_steps(ret, &own, false);
    take_steps(ret, &behind, true);
    return merge(level, root, ret, e);
}

int kustomize_consolidate(struct kustomize_level *level, struct kustomize_composition *ret,
                          struct err *e)
{
    return consolidate(level, ret, ret, e);
}
