#include "kustomize/build.h"

#include "kustomize/config/crds.h"
#include "kustomize/config/openapi.h"
#include "kustomize/incremental/plan.h"
#include "kustomize/order.h"
#include "res/schema.h"

/* ---- what lives as long as the build */

void kustomize_shared_free(struct kustomize_shared *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->sets.len; i++)
        doc_set_free(s->sets.v[i]);
    vec_done(&s->sets);
    str_vec_done(&s->folders);
    for (size_t i = 0; i < s->configs.len; i++) {
        kustomize_config_done(s->configs.v[i]);
        mem_free(s->configs.v[i]);
    }
    vec_done(&s->configs);
    kustomize_config_done(&s->defaults);
    kustomize_openapi_free(s->own_schema);
    vec_done(&s->definitions);
    for (size_t i = 0; i < s->crds.len; i++)
        kustomize_crds_free(s->crds.v[i]);
    vec_done(&s->crds);
    fetch_loader_free(s->loader);
    arena_done(&s->arena);
    pthread_mutex_destroy(&s->lock);
    mem_free(s);
}

struct kustomize_shared *kustomize_shared_new(const struct kustomize_options *options,
                                              struct diag_list *warnings)
{
    struct kustomize_shared *s = NEW(struct kustomize_shared);

    s->warnings = warnings;
    pthread_mutex_init(&s->lock, NULL);
    s->options = options;
    s->schema = res_kustomize_schema();
    s->plan = options->plan;
    s->loader = fetch_loader_new(&(struct fetch_loader_options){
        .restriction = options->restriction,
        .is_offline = options->is_offline,
        .cache_dir = options->cache_dir,
        .lock = options->lock,
        .cancel = options->cancel,
        .note = options->note,
        .ctx = options->note_ctx,
    });
    kustomize_config_defaults(&s->defaults);
    return s;
}

void kustomize_result_done(struct kustomize_result *r)
{
    kustomize_resmap_done(&r->resources);
    diag_list_done(&r->warnings);
    kustomize_shared_free(r->shared);
    *r = (struct kustomize_result){0};
}

/* ---- the root */

static void drop_local(struct kustomize_resmap *m)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (kustomize_is_local_only(r))
            kustomize_resmap_remove(m, r);
}

/* Replacements and vars may have given two resources one id. */
static int refuse_twins(struct kustomize_resmap *m, struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    AUTO(buf_done) struct buf id = {0};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        kustomize_resmap_by_current_id(m, &r->id, &found);
        if (found.len < 2)
            continue;
        res_id_print(&r->id, &id);
        return err_set(e, ERR_EXISTS, "may not add resource with an already registered id: %s",
                       buf_cstr(&id));
    }
    return 0;
}

static int finish(struct kustomize_level *root, struct kustomize_accumulator *acc, struct err *e)
{
    struct kustomize_build *b = &root->b;
    struct kustomize_resmap *m = &acc->resources;

    b->config = acc->config;
    if (root->is_part)
        return kustomize_plan_finish_part(root, m, e);
    if (kustomize_hash(b, m, e) < 0)
        return -1;
    kustomize_tell(root, m, "name hash", NULL);
    if (kustomize_name_references(b, m, e) < 0)
        return -1;
    kustomize_tell(root, m, "name references", NULL);
    if (kustomize_vars_resolve(b, m, &acc->vars, e) < 0)
        return -1;
    kustomize_tell(root, m, "vars", NULL);
    if (b->shared->plan && kustomize_plan_keep(root, m, e) < 0)
        return -1;
    drop_local(m);
    if (refuse_twins(m, e) < 0)
        return -1;
    if (!root->is_sorted)
        kustomize_sort(b, root->k, m);
    kustomize_finish_resources(b, m);
    return 0;
}

static int build_level(struct kustomize_level *root, struct kustomize_resmap *ret, struct err *e)
{
    AUTO(kustomize_accumulator_done)
    struct kustomize_accumulator acc = {0};
    struct kustomize_shared *s = root->b.shared;

    if (kustomize_level_load(root, e) < 0 || kustomize_use_schema(root, e) < 0 ||
        kustomize_sort_check(&root->b, root->k, e) < 0)
        return -1;
    s->build_metadata =
        root->k->build_metadata | (s->options->managed_by_label ? KUSTOMIZE_META_MANAGED_BY : 0);
    s->wants_origin = root->k->metadata_options.len > 0;
    if (kustomize_accumulate(root, &acc, e) < 0 || finish(root, &acc, e) < 0)
        return -1;
    *ret = acc.resources;
    acc.resources = (struct kustomize_resmap){0};
    return 0;
}

static int build(const char *target, const struct kustomize_options *options, bool is_serial,
                 struct kustomize_result *ret, struct err *e)
{
    struct kustomize_level root;
    int rc;

    *ret = (struct kustomize_result){0};
    ret->shared = kustomize_shared_new(options, &ret->warnings);
    ret->shared->threads_are_counted = is_serial; /* there are none then */
    if (kustomize_level_open(ret->shared, target, &root, e) < 0)
        return -1;
    rc = build_level(&root, &ret->resources, e);
    kustomize_level_done(&root);
    return rc;
}

int kustomize_build_run(const char *target, const struct kustomize_options *options,
                        struct kustomize_result *ret, struct err *e)
{
    int rc = build(target, options, false, ret, e);

    if (ret->shared->wants_serial) {
        err_done(e);
        kustomize_result_done(ret);
        rc = build(target, options, true, ret, e);
    }
    if (rc == 0 && options->is_strict && ret->warnings.len)
        return err_set(e, ERR_INVALID, "--strict lets no warning pass, and there %s %zu",
                       ret->warnings.len == 1 ? "is" : "are", ret->warnings.len);
    return rc;
}

const struct str_vec *kustomize_result_folders(const struct kustomize_result *r)
{
    return &r->shared->folders;
}
