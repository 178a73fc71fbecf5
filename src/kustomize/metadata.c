/* Where resources came from and what was done to them (kustomize spec 14: buildMetadata). */
#include "kustomize/metadata.h"

#include "doc/emit.h"
#include "fetch/git_url.h"
#include "fetch/path.h"
#include "kustomize/quirks.h"
#include "res/scalar.h"

static const str origin_key = STR_INIT("config.kubernetes.io/origin");
static const str transformations_key = STR_INIT("alpha.config.kubernetes.io/transformations");

static str join_path(struct arena *a, str folder, str path)
{
    AUTO(buf_done) struct buf whole = {0}, clean = {0};

    if (folder.len)
        buf_addf(&whole, "%.*s/", STR_ARG(folder));
    buf_add_str(&whole, path);
    fetch_clean_path(buf_view(&whole), &clean);
    return arena_dup(a, buf_view(&clean));
}

void kustomize_origin_descend(struct kustomize_level *level, str path)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(err_done) struct err e = {0};
    struct kustomize_origin *origin = &level->origin;
    struct arena *a = &level->b.set->arena;

    if (!level->b.shared->wants_origin)
        return;
    if (fetch_git_url_parse(path, &url, &e) <= 0) {
        origin->path = join_path(a, origin->path, path);
        return;
    }
    origin->repo = arena_dup(a, buf_view(&url.repository));
    origin->path = join_path(a, STR_NONE, buf_view(&url.path));
    origin->ref = str_contains(path, STR("ref=")) || str_contains(path, STR("version="))
                      ? arena_dup(a, buf_view(&url.ref))
                      : STR_NONE;
}

struct kustomize_origin kustomize_origin_of_file(struct kustomize_level *level, str path)
{
    struct kustomize_origin origin = level->origin;

    origin.path = join_path(&level->b.set->arena, origin.path, path);
    return origin;
}

struct kustomize_origin kustomize_origin_of_step(struct kustomize_level *level, const char *kind)
{
    struct kustomize_origin by = level->origin;

    by.configured_in = join_path(&level->b.set->arena, by.path, level->file_name);
    by.path = STR_NONE;
    by.by_api_version = STR("builtin");
    by.by_kind = str_of(kind);
    return by;
}

struct kustomize_origin kustomize_origin_of_config(struct kustomize_level *level,
                                                   const struct kustomize_resource *config)
{
    struct kustomize_origin by = config->origin;
    AUTO(buf_done) struct buf api_version = {0};

    res_api_version(&config->id.gvk, &api_version);
    by.configured_in = by.path;
    by.path = STR_NONE;
    by.by_api_version = arena_dup(&level->b.set->arena, buf_view(&api_version));
    by.by_kind = config->id.gvk.kind;
    by.by_name = config->id.name;
    by.by_ns = config->id.ns;
    return by;
}

static bool is_set(const struct kustomize_origin *o)
{
    return o->path.len || o->configured_in.len || o->repo.len;
}

void kustomize_origin_generated(struct kustomize_resmap *m, const struct kustomize_origin *by)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (!is_set(&r->origin))
            r->origin = *by;
}

/* What has no origin was made by this transformer: so upstream has it. */
void kustomize_origin_transformed(struct kustomize_level *level, struct kustomize_resmap *m,
                                  const struct kustomize_origin *by)
{
    struct kustomize_origin *kept = ARENA_NEW(&level->b.set->arena, struct kustomize_origin);
    struct kustomize_resource *r;

    *kept = *by;
    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        if (!is_set(&r->origin)) {
            r->origin = *by;
            continue;
        }
        kustomize_unfold_annotations(&level->b, r);
        kustomize_resource_add_transformation(r, kept);
    }
}

void kustomize_origin_read(struct kustomize_resource *r)
{
    AUTO(err_done) struct err e = {0};
    str text = doc_string(doc_get(kustomize_resource_annotations(r), origin_key), STR_NONE);
    struct doc_node *n = NULL;

    if (text.len)
        n = doc_parse(r->set, text, DOC_RESOURCE, "origin", &e);
    if (!n)
        return;
    r->origin.path = doc_text(doc_get_lit(n, "path"), STR_NONE);
    r->origin.repo = doc_text(doc_get_lit(n, "repo"), STR_NONE);
    r->origin.ref = doc_text(doc_get_lit(n, "ref"), STR_NONE);
    r->origin.configured_in = doc_text(doc_get_lit(n, "configuredIn"), STR_NONE);
    n = doc_get_lit(n, "configuredBy");
    r->origin.by_api_version = doc_text(doc_get_lit(n, "apiVersion"), STR_NONE);
    r->origin.by_kind = doc_text(doc_get_lit(n, "kind"), STR_NONE);
    r->origin.by_name = doc_text(doc_get_lit(n, "name"), STR_NONE);
    r->origin.by_ns = doc_text(doc_get_lit(n, "namespace"), STR_NONE);
}

/* ---- annotations */

static void set_if(struct doc_set *set, struct doc_node *map, const char *key, str text)
{
    if (text.len)
        doc_set_string(set, map, str_of(key), text);
}

static struct doc_node *origin_node(struct doc_set *set, const struct kustomize_origin *o)
{
    struct doc_node *map = doc_new_map(set), *by;

    set_if(set, map, "path", o->path);
    set_if(set, map, "repo", o->repo);
    set_if(set, map, "ref", o->ref);
    set_if(set, map, "configuredIn", o->configured_in);
    if (o->by_kind.len) {
        by = doc_set_field(set, map, STR("configuredBy"), doc_new_map(set));
        set_if(set, by, "apiVersion", o->by_api_version);
        set_if(set, by, "kind", o->by_kind);
        set_if(set, by, "name", o->by_name);
        set_if(set, by, "namespace", o->by_ns);
    }
    return map;
}

static void annotate(struct kustomize_resource *r, str key, const struct doc_node *value)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *meta = doc_ensure_map(r->set, r->root, STR("metadata"));
    struct doc_node *annotations = meta ? doc_ensure_map(r->set, meta, STR("annotations")) : NULL;

    doc_emit(value, DOC_EMIT_ORDERED, &text);
    if (annotations)
        doc_set_string(r->set, annotations, key, buf_view(&text));
}

static void write_annotations(struct kustomize_resource *r, unsigned what)
{
    struct doc_node *list;

    if ((what & KUSTOMIZE_META_ORIGIN) && is_set(&r->origin))
        annotate(r, origin_key, origin_node(r->set, &r->origin));
    if (!(what & KUSTOMIZE_META_TRANSFORMATIONS) || r->transformations.len == 0)
        return;
    list = doc_new_list(r->set);
    for (uint32_t i = 0; i < r->transformations.len; i++)
        doc_append(list, origin_node(r->set, r->transformations.v[i]));
    annotate(r, transformations_key, list);
}

/* What those who carry resources from one function to the next leave on them, in all spellings. */
static bool is_of_transport(str key)
{
    static const char names[][64] = {
        "config.kubernetes.io/index",
        "config.kubernetes.io/path",
        "config.k8s.io/id",
        "internal.config.kubernetes.io/index",
        "internal.config.kubernetes.io/path",
        "internal.config.kubernetes.io/id",
        "internal.config.kubernetes.io/seqindent",
        "internal.config.kubernetes.io/annotations-migration-resource-id",
    };

    if (!str_starts(key, STR("config.k")) && !str_starts(key, STR("internal.config.k")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(key, str_of(names[i])))
            return true;
    return false;
}

static void drop_annotations(struct kustomize_resource *r, unsigned what)
{
    struct doc_node *meta = doc_get_lit(r->root, "metadata");
    struct doc_node *annotations = doc_get_lit(meta, "annotations");
    struct doc_iter it = doc_children(doc_is_map(annotations) ? annotations : NULL);

    if (annotations && !doc_is_map(annotations) && doc_len(annotations) == 0)
        doc_remove(meta, STR("annotations"));
    while (doc_next(&it))
        if (is_of_transport(it.key))
            doc_remove(annotations, it.key);
    if (!doc_is_map(annotations))
        return;
    if (!(what & KUSTOMIZE_META_ORIGIN))
        doc_remove(annotations, origin_key);
    if (!(what & KUSTOMIZE_META_TRANSFORMATIONS))
        doc_remove(annotations, transformations_key);
    if (doc_len(annotations) == 0)
        doc_remove(meta, STR("annotations"));
}

static void add_managed_by(struct kustomize_resource *r, bool is_fixed)
{
    struct doc_node *meta = doc_ensure_map(r->set, r->root, STR("metadata"));
    struct doc_node *labels = meta ? doc_ensure_map(r->set, meta, STR("labels")) : NULL;

    if (labels)
        doc_set_string(r->set, labels, STR("app.kubernetes.io/managed-by"),
                       is_fixed ? STR("grapnel-" GRAPNEL_VERSION)
                                : STR("kustomize-" KUSTOMIZE_VERSION));
}

/* Upstream writes the annotations of every resource anew, as texts, whatever they were; a List
 * without items may have no metadata before. */
static void make_texts(struct kustomize_resource *r)
{
    struct doc_node *annotations = kustomize_resource_annotations(r);
    struct doc_iter it = doc_children(annotations);

    if (!doc_get_lit(r->root, "metadata"))
        doc_ensure_map(r->set, r->root, STR("metadata"));
    while (doc_next(&it)) {
        str text;

        if (!doc_is_scalar(it.value))
            doc_replace(it.value, doc_new_string(r->set, STR_NONE));
        else if (it.value->type != DOC_STRING) /* null: as it was written */
            doc_replace(it.value, doc_new_string(r->set, (str){it.value->text, it.value->len}));
        else if (!str_eq(text = res_scalar_text(r->set, it.value), doc_string(it.value, STR_NONE)))
            doc_replace(it.value, doc_new_string(r->set, text)); /* a date, as it was written */
    }
}

void kustomize_metadata_finish(struct kustomize_resource *r, unsigned what, bool is_fixed)
{
    if (what & KUSTOMIZE_META_MANAGED_BY)
        add_managed_by(r, is_fixed);
    make_texts(r);
    drop_annotations(r, what);
    write_annotations(r, what);
}
