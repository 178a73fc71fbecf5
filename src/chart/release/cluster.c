/* Rendering with a cluster: CRDs before it, its capabilities, lookup (helm spec 6, 8, 10.1). */
#include <netdb.h>
#include <sys/socket.h>

#include "chart/release/release_priv.h"
#include "doc/parse.h"

enum { CRD_WAIT_MS = 60000 };

struct world {
    const struct chart_run *run;
    struct doc_set *set;
    struct str_vec apis;
    bool installs_crds;
};
static void world_done(struct world *w) { str_vec_done(&w->apis); }
AUTO_VALUE(struct world, world_done)

/* ---- CRDs */

/* Creates the CRDs of a file; those that exist are left alone, or applied when that is asked. */
static int send_crds(const struct world *w, const struct chart_file *file,
                     struct chart_objects *ret, struct err *e)
{
    struct chart_run run = *w->run;

    run.server_side = w->run->op->upgrades_crds;
    if (chart_objects_parse(&run, file->text, ret, e) < 0)
        return err_wrap(e, "failed to install CRD %.*s", STR_ARG(file->name));
    for (size_t i = 0; i < ret->len; i++) {
        if (chart_create_object(&run, &ret->v[i], e) == 0)
            continue;
        if (e->kind != ERR_EXISTS)
            return err_wrap(e, "failed to install CRD %.*s", STR_ARG(file->name));
        err_done(e);
    }
    return 0;
}

static int wait_established(const struct world *w, struct chart_objects *objects, struct err *e)
{
    struct chart_operation op = *w->run->op;
    struct chart_run run = *w->run;

    op.timeout_ms = CRD_WAIT_MS;
    run.op = &op;
    if (chart_wait_watching(&run, objects, CHART_UNTIL_READY, e) < 0)
        return err_wrap(e, "CRDs are not established");
    return 0;
}

static int install_crds(const struct world *w, const struct chart_files *crds, struct err *e)
{
    const struct chart_operation *op = w->run->op;

    if (!crds->len || op->skips_crds || !(w->installs_crds || op->upgrades_crds))
        return 0;
    for (size_t i = 0; i < crds->len; i++) {
        AUTO(chart_objects_done) struct chart_objects objects = {0};

        if (op->dry_run != CHART_DRY_NONE) {
            if (chart_coming_add(w->run->coming, &crds->v[i], e) < 0)
                return -1;
        } else if (send_crds(w, &crds->v[i], &objects, e) < 0 ||
                   wait_established(w, &objects, e) < 0)
            return -1;
    }
    if (op->dry_run == CHART_DRY_NONE)
        kube_discovery_reset(w->run->kube);
    return 0;
}

/* ---- capabilities */

static bool has_api(const struct world *w, str text)
{
    for (size_t i = w->apis.len; i-- > 0;)
        if (str_eq(w->apis.v[i], text))
            return true;
    return false;
}

static int on_type(void *ctx, const struct kube_type *type)
{
    struct world *w = ctx;
    struct arena *arena = &w->set->arena;
    str version = arena_printf(arena, "%.*s%s%.*s", STR_ARG(type->group),
                               type->group.len ? "/" : "", STR_ARG(type->version));

    if (!has_api(w, version)) /* types of one version stand together */
        vec_push(&w->apis, version);
    vec_push(&w->apis, arena_printf(arena, "%.*s/%.*s", STR_ARG(version), STR_ARG(type->kind)));
    return 0;
}

/* Those that the server will have, as if it had them. */
static void add_coming(struct world *w)
{
    const struct chart_coming *coming = w->run->coming;

    for (size_t i = 0; i < coming->types.len; i++) {
        const struct kube_type *t = coming->types.v[i];
        AUTO(buf_done) struct buf text = {0};

        buf_addf(&text, "%.*s/%.*s/%.*s", STR_ARG(t->group), STR_ARG(t->version), STR_ARG(t->kind));
        if (!has_api(w, buf_view(&text)))
            (void)on_type(w, t);
    }
}

static int read_version(const struct world *w, struct chart_render_options *options, struct err *e)
{
    AUTO(buf_done) struct buf body = {0};
    struct doc_set *set = w->set;
    const struct doc_node *version;
    int status;

    if (kube_raw(w->run->kube, "GET", STR("/version"), STR_NONE, STR_NONE, w->run->cancel, &body,
                 &status, e) < 0)
        return -1;
    if (status != 200)
        return err_set(e, ERR_IO, "the server answers %d to the question for its version", status);
    version = doc_parse_json(set, buf_view(&body), "version", e);
    if (!version)
        return -1;
    options->kube_version = doc_text(doc_get_lit(version, "gitVersion"), STR(""));
    options->kube_major = doc_text(doc_get_lit(version, "major"), STR(""));
    options->kube_minor = doc_text(doc_get_lit(version, "minor"), STR(""));
    return 0;
}

static int on_crds(void *ctx, const struct chart_files *crds, struct chart_render_options *options,
                   struct err *e)
{
    struct world *w = ctx;

    if (install_crds(w, crds, e) < 0)
        return -1;
    if (read_version(w, options, e) < 0 ||
        kube_each_type(w->run->kube, w->run->cancel, on_type, w, e) < 0)
        return err_wrap(e, "could not get capabilities of the cluster");
    add_coming(w);
    options->api_versions = w->apis.v;
    options->api_version_count = w->apis.len;
    options->has_all_apis = true;
    return 0;
}

/* ---- lookup */

struct listing {
    struct doc_set *set;
    struct doc_node *items;
};

static int on_item(void *ctx, struct doc_set *set UNUSED, struct doc_node *object)
{
    struct listing *l = ctx;

    doc_append(l->items, doc_copy(l->set, object));
    return 0;
}

static int look_up_all(const struct world *w, const struct kube_ref *ref,
                       const struct doc_node **ret, struct err *e)
{
    struct doc_node *root = doc_new_map(w->set);
    const struct kube_type *t = ref->type;
    struct listing l = {w->set, doc_new_list(w->set)};

    doc_set_string(w->set, root, STR("apiVersion"),
                   arena_printf(&w->set->arena, "%.*s%s%.*s", STR_ARG(t->group),
                                t->group.len ? "/" : "", STR_ARG(t->version)));
    doc_set_string(w->set, root, STR("kind"),
                   arena_printf(&w->set->arena, "%.*sList", STR_ARG(t->kind)));
    if (kube_list(w->run->kube, ref, &(struct kube_list_options){0}, w->run->cancel, on_item, &l,
                  NULL, e) < 0)
        return -1;
    doc_set_field(w->set, root, STR("items"), l.items);
    *ret = root;
    return 0;
}

static int look_up(void *ctx, str api_version, str kind, str ns, str name,
                   const struct doc_node **ret, struct err *e)
{
    const struct world *w = ctx;
    AUTO(kube_object_done) struct kube_object live = {0};
    struct kube_ref ref = {.ns = ns, .name = name};

    *ret = NULL;
    ref.type = kube_type_of(w->run->kube, api_version, kind, w->run->cancel, e);
    if (!ref.type)
        return -1;
    if (!name.len)
        return look_up_all(w, &ref, ret, e);
    if (kube_get(w->run->kube, &ref, w->run->cancel, &live, e) < 0) {
        if (e->kind != ERR_NOT_FOUND)
            return -1;
        err_done(e);
        return 0;
    }
    *ret = doc_copy(w->set, live.root);
    return 0;
}

static int on_outputs(void *ctx, struct doc_set *set, struct chart_files *outputs, struct err *e)
{
    const struct world *w = ctx;
    struct buf *all = w->run->op->outputs;

    for (size_t i = 0; all && i < outputs->len; i++)
        if (str_trim(outputs->v[i].text).len)
            buf_addf(all, "---\n# Source: %.*s\n%.*s\n", STR_ARG(outputs->v[i].name),
                     STR_ARG(outputs->v[i].text));
    return w->run->op->post_renderer
               ? chart_post_render(w->run->op, set, outputs, w->run->cancel, e)
               : 0;
}

/* ---- DNS */

/* One of the addresses of a name, as the host's resolver finds them. */
static int resolve(void *ctx UNUSED, str name, struct buf *out, struct err *e)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    AUTO(buf_done) struct buf host = {0};
    char text[NI_MAXHOST];

    buf_add_str(&host, name);
    if (!name.len || getaddrinfo(buf_cstr(&host), NULL, &hints, &found) != 0)
        return err_set(e, ERR_NOT_FOUND, "no address of \"%.*s\" is known", STR_ARG(name));
    if (getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof(text), NULL, 0,
                    NI_NUMERICHOST) == 0)
        buf_add_cstr(out, text);
    freeaddrinfo(found);
    return 0;
}

/* ---- rendering */

struct rendering {
    bool is_upgrade;
    int64_t revision;
};

static int render(const struct chart_run *run, const struct doc_node *values,
                  const struct rendering *what, struct chart_release *ret, struct err *e)
{
    const struct chart_operation *op = run->op;
    AUTO(world_done)
    struct world w = {.run = run, .set = op->set, .installs_crds = !what->is_upgrade};
    bool has_cluster = op->dry_run != CHART_DRY_CLIENT;
    struct chart_host host = {.ctx = &w,
                              .crds = has_cluster ? on_crds : NULL,
                              .lookup = has_cluster ? look_up : NULL,
                              .resolve = op->enables_dns ? resolve : NULL,
                              .filter = on_outputs};
    struct chart_render_options options = {
        .release = op->name,
        .ns = op->ns,
        .kube_version = op->kube_version,
        .api_versions = op->api_versions,
        .api_version_count = op->api_version_count,
        .is_upgrade = what->is_upgrade,
        .skips_schema = op->skips_schema,
        .leaves_crds = op->leaves_crds,
        .renders_subchart_notes = op->renders_subchart_notes,
        .revision = what->revision,
        .host = &host,
    };

    return chart_render(op->set, op->chart, values, &options, ret, e);
}

int chart_render_record(const struct chart_run *run, const struct doc_node *values,
                        struct chart_record_start *start, struct chart_record *ret, struct err *e)
{
    AUTO(chart_release_done) struct chart_release release = {0};
    bool is_upgrade = start->status == CHART_PENDING_UPGRADE;
    /* An install calls itself revision 1 to its templates, whatever --replace makes the record. */
    struct rendering what = {is_upgrade, is_upgrade ? start->revision : 1};

    if (render(run, values, &what, &release, e) < 0)
        return -1;
    chart_record_make(start, run->op->chart, &release, STR_NONE, ret);
    return 0;
}

/* Would the cluster take it? */
static int judge(const struct chart_run *run, const struct chart_release *release, struct err *e)
{
    AUTO(buf_done) struct buf manifest = {0};
    AUTO(chart_objects_done) struct chart_objects objects = {0};

    chart_release_print(release, CHART_PRINT_NO_HOOKS, &manifest);
    if (chart_objects_parse(run, buf_view(&manifest), &objects, e) < 0)
        return err_wrap(e, "unable to build kubernetes objects from release manifest");
    if (chart_objects_check(run, &objects, NULL, run->op->takes_ownership, e) < 0)
        return err_wrap(e, "unable to continue with install");
    return 0;
}

int chart_template(const struct chart_operation *op, bool is_upgrade, struct chart_release *ret,
                   struct err *e)
{
    AUTO(chart_coming_done) struct chart_coming coming = {0};
    struct chart_run run = {.op = op, .kube = op->kube, .cancel = op->cancel, .coming = &coming};
    struct rendering what = {is_upgrade, 1};

    if (render(&run, op->values, &what, ret, e) < 0)
        return -1;
    return op->dry_run == CHART_DRY_SERVER && !is_upgrade ? judge(&run, ret, e) : 0;
}
