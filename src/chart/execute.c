/* Executing the templates of a chart: the set, the dots, the order (helm spec 6; template spec
 * 15.5). */
#include "chart/kube_version.h"
#include "chart/read_priv.h"
#include "chart/render_priv.h"
#include "sys/clock.h"
#include "sys/env.h"
#include "sys/random.h"

#define NEWEST_KUBERNETES STR("v1.37.0")
#define MAX_RENDERED ((size_t)256 << 20)

/* Groups and versions of the APIs that are part of Kubernetes. */
static const char built_in_apis[][40] = {
    "v1",
    "admissionregistration.k8s.io/v1",
    "admissionregistration.k8s.io/v1alpha1",
    "admissionregistration.k8s.io/v1beta1",
    "internal.apiserver.k8s.io/v1alpha1",
    "apps/v1",
    "apps/v1beta1",
    "apps/v1beta2",
    "authentication.k8s.io/v1",
    "authentication.k8s.io/v1alpha1",
    "authentication.k8s.io/v1beta1",
    "authorization.k8s.io/v1",
    "authorization.k8s.io/v1beta1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "batch/v1beta1",
    "certificates.k8s.io/v1",
    "certificates.k8s.io/v1beta1",
    "certificates.k8s.io/v1alpha1",
    "coordination.k8s.io/v1alpha2",
    "coordination.k8s.io/v1beta1",
    "coordination.k8s.io/v1",
    "discovery.k8s.io/v1",
    "discovery.k8s.io/v1beta1",
    "events.k8s.io/v1",
    "events.k8s.io/v1beta1",
    "extensions/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3",
    "lifecycle.k8s.io/v1alpha1",
    "networking.k8s.io/v1",
    "networking.k8s.io/v1beta1",
    "node.k8s.io/v1",
    "node.k8s.io/v1alpha1",
    "node.k8s.io/v1beta1",
    "policy/v1",
    "policy/v1beta1",
    "rbac.authorization.k8s.io/v1",
    "rbac.authorization.k8s.io/v1beta1",
    "rbac.authorization.k8s.io/v1alpha1",
    "resource.k8s.io/v1",
    "resource.k8s.io/v1beta2",
    "resource.k8s.io/v1beta1",
    "resource.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1beta1",
    "scheduling.k8s.io/v1",
    "storage.k8s.io/v1beta1",
    "storage.k8s.io/v1",
    "storage.k8s.io/v1alpha1",
    "storagemigration.k8s.io/v1",
    "storagemigration.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1beta1",
    "apiextensions.k8s.io/v1",
};

struct template
{
    str name, base, text;
    size_t depth; /* of the name */
    size_t place; /* among those collected */
    size_t chart; /* its number: parents before children */
};
struct templates {
    struct template *v;
    size_t len, cap;
};
static void templates_done(struct templates *t) { vec_done(t); }
AUTO_VALUE(struct templates, templates_done)

static bool is_partial(str name)
{
    size_t base = (size_t)(str_rfind_char(name, '/') + 1);

    return base < name.len && name.p[base] == '_';
}

static str join(struct arena *arena, str folder, str name)
{
    char *path = arena_alloc(arena, folder.len + 1 + name.len + 1);

    memcpy(path, folder.p, folder.len);
    path[folder.len] = '/';
    memcpy(path + folder.len + 1, name.p, name.len);
    path[folder.len + 1 + name.len] = '\0';
    return (str){path, folder.len + 1 + name.len};
}

/* full: the chart's full name. charts: how many there were so far. */
static void collect(struct arena *arena, const struct chart *c, str full, size_t *charts,
                    struct templates *ret)
{
    str base = join(arena, full, STR("templates"));
    str below = c->child_count ? join(arena, full, STR("charts")) : STR_NONE;
    size_t number = (*charts)++;

    for (size_t i = 0; i < c->template_count; i++)
        if (!chart_is_library(c) || is_partial(c->templates[i].name))
            vec_push(ret, {.name = join(arena, full, c->templates[i].name),
                           .base = base,
                           .text = c->templates[i].text,
                           .chart = number});
    for (size_t i = 0; i < c->child_count; i++)
        collect(arena, c->children[i], join(arena, below, c->children[i]->name), charts, ret);
}

static size_t depth_of(str name)
{
    size_t depth = 0;

    for (size_t i = 0; i < name.len; i++)
        depth += name.p[i] == '/';
    return depth;
}

/* Deeper paths first, then from the last name to the first: what is defined later wins. */
static int by_parse_order(const void *a, const void *b)
{
    const struct template *x = a, *y = b;
    int order = x->depth != y->depth ? (x->depth < y->depth) - (x->depth > y->depth)
                                     : str_cmp(y->name, x->name);

    return order ? order : (x->place < y->place) - (x->place > y->place);
}

/* Sorts them; of one path, which an alias may give two charts, the last collected stays. */
static void sort_templates(struct templates *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->len; i++) {
        t->v[i].depth = depth_of(t->v[i].name);
        t->v[i].place = i;
    }
    vec_sort(t, by_parse_order);
    for (size_t i = 0; i < t->len; i++)
        if (!kept || !str_eq(t->v[kept - 1].name, t->v[i].name))
            t->v[kept++] = t->v[i];
    t->len = kept;
}

/* ---- dots */

struct world {
    struct doc_set *set;
    struct tmpl_run *run;
    struct tmpl_value release, capabilities;
    struct templates *templates;
    VEC(struct tmpl_map *) dots;
    struct err *late; /* why a file that was read late is not there, or nothing */
};

static void world_done(struct world *w) { vec_done(&w->dots); }
AUTO_VALUE(struct world, world_done)

static struct tmpl_map *map_new(const struct world *w)
{
    return tmpl_map_new(tmpl_run_arena(w->run), TMPL_ANY);
}

static void put_text(struct tmpl_map *map, const char *key, str text)
{
    tmpl_map_set(map, str_of(key), tmpl_string(text));
}

static struct tmpl_value release_of(const struct world *w,
                                    const struct chart_render_options *options)
{
    struct tmpl_map *map = map_new(w);

    put_text(map, "Name", options->release);
    put_text(map, "Namespace", options->ns);
    put_text(map, "Service", STR("Helm"));
    tmpl_map_set(map, STR("IsUpgrade"), tmpl_bool(options->is_upgrade));
    tmpl_map_set(map, STR("IsInstall"), tmpl_bool(!options->is_upgrade));
    tmpl_map_set(map, STR("Revision"), tmpl_int(MAX(options->revision, 1)));
    return tmpl_map_value(map);
}

/* The level of helm whose output we print. */
static struct tmpl_value helm_version(const struct world *w)
{
    static const struct tmpl_build build = {.version = STR_INIT("v4.3"),
                                            .commit = STR_INIT(""),
                                            .tree_state = STR_INIT(""),
                                            .go_version = STR_INIT("go1.26.8"),
                                            .client = STR_INIT("v1.37")};

    return tmpl_build_info(w->run, &build);
}

static struct tmpl_value api_versions(const struct world *w,
                                      const struct chart_render_options *options)
{
    size_t built_in = options->has_all_apis ? 0 : ARRAY_LEN(built_in_apis);
    size_t count = built_in + options->api_version_count;
    str *all = ARENA_ARRAY(&w->set->arena, str, count);

    for (size_t i = 0; i < count; i++)
        all[i] = i < built_in ? str_of(built_in_apis[i]) : options->api_versions[i - built_in];
    return tmpl_api_versions(w->run, all, count);
}

/* What a cluster says of itself is taken as it is. */
static int kube_version(struct arena *arena, const struct chart_render_options *options,
                        struct chart_kube_version *ret, struct err *e)
{
    str given = options->kube_version;

    if (!options->has_all_apis)
        return chart_kube_version_parse(arena, given.len ? given : NEWEST_KUBERNETES, ret, e);
    *ret = (struct chart_kube_version){given, given, options->kube_major, options->kube_minor};
    return 0;
}

static int capabilities_of(struct world *w, const struct chart *c,
                           const struct chart_render_options *options, struct err *e)
{
    struct chart_kube_version v;

    if (kube_version(&w->set->arena, options, &v, e) < 0)
        return -1;
    if (c->kube_version.len && !chart_is_compatible(c->kube_version, v.shown))
        return err_set(
            e, ERR_INVALID,
            "chart requires kubeVersion: %.*s which is incompatible with Kubernetes %.*s",
            STR_ARG(c->kube_version), STR_ARG(v.full));
    w->capabilities =
        tmpl_capabilities(w->run, tmpl_kube_version(w->run, v.full, v.shown, v.major, v.minor),
                          api_versions(w, options), helm_version(w));
    return 0;
}

/* The entries that take part, under their aliases. */
static struct doc_node *dependencies_of(struct doc_set *set, const struct chart *c)
{
    struct doc_node *list = doc_new_list(set);

    for (size_t i = 0; i < c->dependency_count; i++) {
        const struct chart_dependency *d = &c->dependencies[i];
        struct doc_node *map = doc_append(list, doc_new_map(set));

        doc_set_string(set, map, STR("Name"), d->name);
        doc_set_string(set, map, STR("Version"), d->version);
        doc_set_string(set, map, STR("Repository"), d->repository);
        doc_set_string(set, map, STR("Condition"), d->condition);
        doc_set_string(set, map, STR("Alias"), d->alias);
        doc_set_bool(set, map, STR("Enabled"), d->is_enabled);
        doc_set_field(set, map, STR("Tags"), d->tags ? doc_copy(set, d->tags) : doc_new_list(set));
        doc_set_field(set, map, STR("ImportValues"),
                      d->imports ? doc_copy(set, d->imports) : doc_new_list(set));
    }
    return list;
}

/* A chart whose part of a dot is made when a template first looks there. */
struct own {
    const struct world *w;
    const struct chart *c;
};

static struct own *own_of(const struct world *w, const struct chart *c)
{
    struct own *own = ARENA_NEW(&w->set->arena, struct own);

    *own = (struct own){w, c};
    return own;
}

/* The metadata as maps; Annotations is a map of texts. */
static void fill_metadata(void *ctx, struct tmpl_value metadata)
{
    const struct own *own = ctx;
    const struct chart *c = own->c;
    struct tmpl_map *map = metadata.map;
    struct tmpl_map *texts = tmpl_map_new(tmpl_run_arena(own->w->run), TMPL_STRINGS);
    struct doc_iter it = doc_children(c->metadata);
    struct tmpl_value annotations;
    struct doc_iter pairs = doc_children(doc_get_lit(c->metadata, "Annotations"));

    while (doc_next(&it))
        tmpl_map_set(map, it.key, tmpl_doc(it.value, false));
    while (doc_next(&pairs))
        tmpl_map_set(texts, pairs.key, tmpl_string(doc_string(pairs.value, STR(""))));
    annotations = tmpl_map_value(tmpl_map_len(texts) ? texts : NULL);
    annotations.elem = TMPL_STRINGS;
    tmpl_map_set(map, STR("Annotations"), annotations);
    put_text(map, "Name", c->name);
    tmpl_map_set(map, STR("Dependencies"), tmpl_doc(dependencies_of(own->w->set, c), false));
    tmpl_map_set(map, STR("IsRoot"), tmpl_bool(!c->parent));
}

static struct tmpl_value metadata_of(const struct world *w, const struct chart *c)
{
    struct tmpl_map *map = map_new(w);

    tmpl_map_fill_late(map, fill_metadata, own_of(w, c));
    return tmpl_map_value(map);
}

static void fill_files(void *ctx, struct tmpl_value files)
{
    const struct own *own = ctx;
    const struct chart *c = own->c;

    if (own->w->late->kind != ERR_NONE || chart_read_late(own->w->set, c, own->w->late) < 0)
        return;
    for (size_t i = 0; i < c->file_count; i++)
        tmpl_files_add(files, c->files[i].name, c->files[i].text);
}

static struct tmpl_value files_of(const struct world *w, const struct chart *c)
{
    return tmpl_files_late(w->run, fill_files, own_of(w, c));
}

/* Adds the dots of a chart and its subcharts, by the number of the chart. */
static struct tmpl_map *add_dot(struct world *w, const struct chart *c,
                                const struct doc_node *values)
{
    struct tmpl_map *dot = map_new(w), *below = map_new(w);

    vec_push(&w->dots, dot);
    tmpl_map_set(dot, STR("Chart"), metadata_of(w, c));
    tmpl_map_set(dot, STR("Files"), files_of(w, c));
    tmpl_map_set(dot, STR("Release"), w->release);
    tmpl_map_set(dot, STR("Capabilities"), w->capabilities);
    tmpl_map_set(dot, STR("Values"), tmpl_doc_values(values));
    for (size_t i = 0; i < c->child_count; i++) {
        const struct chart *child = c->children[i];
        const struct doc_node *own = doc_get(values, child->name);

        own = doc_is_map(own) ? own : doc_new_map(w->set);
        tmpl_map_set(below, child->name, tmpl_map_value(add_dot(w, child, own)));
    }
    tmpl_map_set(dot, STR("Subcharts"), tmpl_map_value(below));
    return dot;
}

/* ---- execution */

static int64_t now_ns(void *ctx UNUSED)
{
    int64_t epoch;

    if (str_to_int64(str_of(env_get("SOURCE_DATE_EPOCH")), &epoch) && epoch >= 0 &&
        epoch <= INT64_MAX / 1000000000)
        return epoch * 1000000000;
    return clock_wall_us() * 1000;
}

static void fill(void *ctx UNUSED, void *p, size_t len) { random_bytes(p, len); }

static struct tmpl_set *parse_templates(struct doc_set *docs, const struct templates *all,
                                        struct err *e)
{
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    struct tmpl_text *texts = ARENA_ARRAY(&docs->arena, struct tmpl_text, all->len);

    for (size_t i = 0; i < all->len; i++)
        texts[i] = (struct tmpl_text){all->v[i].name, all->v[i].text};
    if (tmpl_set_parse_views(set, texts, all->len, e) < 0) {
        chart_explain_parse(e);
        return NULL;
    }
    return TAKE(set);
}

static int execute_one(const struct world *w, const struct template *t, struct buf *out,
                       struct chart_files *ret, struct err *e)
{
    struct tmpl_map *self = tmpl_map_new(tmpl_run_arena(w->run), TMPL_VALUES);
    struct tmpl_map *map = w->dots.v[t->chart];
    struct tmpl_value dot = tmpl_map_value(map);

    put_text(self, "Name", t->name);
    put_text(self, "BasePath", t->base);
    tmpl_map_set(map, STR("Template"), tmpl_map_value(self));
    dot.elem = TMPL_VALUES;
    if (tmpl_run_exec(w->run, t->name, dot, out, e) < 0 && w->late->kind == ERR_NONE)
        return chart_explain_failure(w->run, e);
    if (w->late->kind != ERR_NONE) {
        err_move(e, w->late);
        return -1;
    }
    vec_push(ret, {t->name, chart_keep_text(w->set, out), 0, NULL});
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return str_cmp(((const struct chart_file *)a)->name, ((const struct chart_file *)b)->name);
}

static int execute_all(const struct world *w, struct chart_files *ret, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    size_t bytes = 0;

    for (size_t i = 0; i < w->templates->len; i++) {
        if (is_partial(w->templates->v[i].name))
            continue;
        if (execute_one(w, &w->templates->v[i], &out, ret, e) < 0)
            return -1;
        bytes += vec_last(ret).text.len;
        if (bytes > MAX_RENDERED)
            return err_set(e, ERR_LIMIT, "the templates print more than %zu bytes", MAX_RENDERED);
    }
    vec_sort(ret, by_name);
    return 0;
}

int chart_execute(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                  const struct chart_render_options *options, struct chart_files *ret,
                  struct err *e)
{
    AUTO(templates_done) struct templates all = {0};
    AUTO(tmpl_set_free) struct tmpl_set *compiled = NULL;
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    struct tmpl_options run_options = {.missing = TMPL_MISSING_ZERO,
                                       .drops_no_value = true,
                                       .host = {.now_ns = now_ns, .random = fill}};
    AUTO(err_done) struct err late = {0};
    AUTO(world_done) struct world w = {.set = set, .templates = &all, .late = &late};
    size_t charts = 0;

    if (options->host) {
        run_options.host.ctx = options->host->ctx;
        run_options.host.lookup = options->host->lookup;
        run_options.host.resolve = options->host->resolve;
        run_options.host.lint = options->host->lint;
    }
    collect(&set->arena, c, chart_full_name(set, c), &charts, &all);
    sort_templates(&all);
    compiled = parse_templates(set, &all, e);
    if (!compiled)
        return -1;
    run = tmpl_run_new(compiled, &run_options);
    w.run = run;
    w.release = release_of(&w, options);
    if (capabilities_of(&w, c, options, e) < 0)
        return -1;
    add_dot(&w, c, values);
    return execute_all(&w, ret, e);
}
