/* apply: send manifests, then wait for exactly these objects (khook spec 11). */
#include "base/mem.h"
#include "khook/act/action.h"
#include "khook/act/deliver.h"
#include "khook/act/difference.h"
#include "khook/await/await.h"

static struct khook_delivery delivery_of(const struct khook_context *ctx,
                                         const struct khook_step *step, struct cancel *cancel)
{
    return (struct khook_delivery){.kube = ctx->kube,
                                   .cancel = cancel,
                                   .ns = step->apply->ns,
                                   .server_side = step->apply->server_side};
}

static int load(const struct khook_context *ctx, const struct khook_step *step,
                struct cancel *cancel, struct khook_objects *ret, struct err *e)
{
    return khook_sources_load(ctx, &step->apply->manifests, cancel, ret, e);
}

/* Which objects there are. A kind the cluster does not know counts as not existing. */
static int look(const struct khook_delivery *d, const struct khook_objects *objects, size_t at,
                bool *ret_exists, bool *ret_known, struct kube_ref *ref, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};

    *ret_exists = *ret_known = false;
    if (khook_object_ref(d, objects, at, 0, ref, e) == 0) {
        *ret_known = true;
        if (kube_get(d->kube, ref, d->cancel, &live, e) == 0)
            *ret_exists = true;
    }
    if (e->kind != ERR_NONE && e->kind != ERR_NOT_FOUND)
        return err_wrap(e, "looking up %.*s \"%.*s\"", STR_ARG(objects->list.v[at].kind),
                        STR_ARG(objects->list.v[at].name));
    err_done(e);
    return 0;
}

static int all_exist(const struct khook_delivery *d, const struct khook_objects *objects, bool *ret,
                     struct err *e)
{
    *ret = true;
    for (size_t i = 0; i < objects->list.len && *ret; i++) {
        struct kube_ref ref;
        bool known;

        if (look(d, objects, i, ret, &known, &ref, e) < 0)
            return -1;
    }
    return 0;
}

static int wait_for_all(const struct khook_delivery *d, const struct khook_step *step,
                        const struct khook_objects *objects, struct buf *outstanding, struct err *e)
{
    AUTO(mem_free) void *memory = mem_zalloc(objects->list.len * sizeof(struct khook_await_object));
    struct khook_await_object *awaited = memory;

    for (size_t i = 0; i < objects->list.len; i++) {
        const struct khook_object *o = &objects->list.v[i];
        struct kube_ref ref;

        if (khook_object_ref(d, objects, i, objects->list.len, &ref, e) < 0)
            return -1;
        awaited[i] = (struct khook_await_object){o->api_version, o->kind, ref.ns, o->name};
    }
    return khook_await_objects(d->kube, awaited, objects->list.len, step->apply->wait,
                               step->apply->wait_for, d->cancel, outstanding, e);
}

static int run(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    const struct khook_apply *apply = a->step->apply;
    struct khook_delivery d = delivery_of(ctx, a->step, a->cancel);
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    bool skip = false;

    if (load(ctx, a->step, a->cancel, &objects, e) < 0)
        return -1;
    if (apply->create_ns && khook_ensure_namespace(ctx->kube, apply->ns, a->cancel, e) < 0)
        return -1;
    if (apply->skip_if.len && all_exist(&d, &objects, &skip, e) < 0)
        return -1;
    if (skip)
        buf_add_cstr(a->note, "skipIf: exists");
    else if (khook_apply_objects(&d, &objects, e) < 0)
        return -1;
    return apply->wait ? wait_for_all(&d, a->step, &objects, a->outstanding, e) : 0;
}

/* Last one first, each waited for. A kind no longer served is gone. */
static int teardown(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    struct khook_delivery d = delivery_of(ctx, a->step, a->cancel);
    AUTO(khook_objects_done) struct khook_objects objects = {0};

    if (load(ctx, a->step, a->cancel, &objects, e) < 0)
        return -1;
    for (size_t i = objects.list.len; i-- > 0;) {
        struct kube_ref ref;
        bool found;

        if (khook_object_ref(&d, &objects, i, 0, &ref, e) < 0) {
            if (e->kind != ERR_NOT_FOUND)
                return -1;
            err_done(e);
            continue;
        }
        if (khook_delete_object(ctx->kube, &ref, false, a->cancel, a->outstanding, &found, e) < 0)
            return -1;
    }
    return 0;
}

struct assessment {
    struct khook_ids creates, updates, unknown;
};

static int assess(const struct khook_delivery *d, const struct khook_objects *objects,
                  struct assessment *s, struct err *e)
{
    for (size_t i = 0; i < objects->list.len; i++) {
        const struct khook_object *o = &objects->list.v[i];
        struct kube_ref ref = {0};
        bool exists, known;

        if (look(d, objects, i, &exists, &known, &ref, e) < 0)
            return -1;
        khook_ids_add(!known   ? &s->unknown
                      : exists ? &s->updates
                               : &s->creates,
                      o->kind, o->name, known ? ref.ns : o->ns);
    }
    khook_ids_end(&s->creates);
    khook_ids_end(&s->updates);
    khook_ids_end(&s->unknown);
    return 0;
}

static void add_ids(const char *verb, const struct khook_ids *ids, const char *behind,
                    struct buf *detail)
{
    if (!ids->count)
        return;
    khook_detail_divide(detail);
    buf_addf(detail, "%s %s%s", verb, buf_cstr(&ids->text), behind);
}

static bool brings_namespace(const struct khook_objects *objects, str ns)
{
    for (size_t i = 0; i < objects->list.len; i++)
        if (str_eq(objects->list.v[i].kind, STR("Namespace")) &&
            str_eq(objects->list.v[i].name, ns))
            return true;
    return false;
}

static void predict_words(const struct khook_context *ctx, const struct khook_step *step,
                          const struct khook_objects *objects, const struct assessment *s,
                          struct cancel *cancel, struct khook_prediction *ret)
{
    const struct khook_apply *apply = step->apply;

    if (apply->skip_if.len && !s->creates.count && !s->unknown.count) {
        ret->action = KHOOK_PLAN_SKIP;
        buf_add_cstr(&ret->detail, "skipIf: exists");
        if (apply->wait)
            buf_addf(&ret->detail, "; still waits for %.*s", STR_ARG(apply->wait_for));
        return;
    }
    ret->action = s->updates.count   ? KHOOK_PLAN_CONFIGURE
                  : s->creates.count ? KHOOK_PLAN_CREATE
                                     : KHOOK_PLAN_UNKNOWN;
    add_ids("creates", &s->creates, "", &ret->detail);
    add_ids("updates", &s->updates, "", &ret->detail);
    add_ids("cannot assess", &s->unknown, " (kind may arrive in an earlier step)", &ret->detail);
    if (apply->wait) {
        khook_detail_divide(&ret->detail);
        buf_addf(&ret->detail, "then waits for %.*s", STR_ARG(apply->wait_for));
    }
    if (!brings_namespace(objects, apply->ns))
        khook_predict_namespace(ctx, apply->ns, apply->create_ns, cancel, &ret->detail);
}

static int predict(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    struct khook_delivery d = delivery_of(ctx, step, cancel);
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    struct assessment s = {0};
    int rc = load(ctx, step, cancel, &objects, e);

    if (rc == 0)
        rc = assess(&d, &objects, &s, e);
    if (rc == 0)
        predict_words(ctx, step, &objects, &s, cancel, ret);
    khook_ids_done(&s.creates);
    khook_ids_done(&s.updates);
    khook_ids_done(&s.unknown);
    return rc;
}

/* The very request apply would send, as a server dry run. */
static int dry_run(const struct khook_delivery *d, const struct kube_ref *ref,
                   const struct doc_node *node, const struct doc_node *live,
                   struct kube_object *ret, struct err *e)
{
    struct kube_write_options write = {
        .field_manager = STR(KHOOK_MANAGER), .dry_run = true, .force = true};

    if (d->server_side)
        return kube_patch(d->kube, ref, KUBE_PATCH_APPLY, node, &write, d->cancel, ret, e);
    if (live)
        return kube_patch(d->kube, ref, KUBE_PATCH_MERGE, node, &write, d->cancel, ret, e);
    return kube_create(d->kube, ref, node, &write, d->cancel, ret, e);
}

/* A dry run in a namespace that an earlier step makes is refused: then the manifest itself tells
 * what will be there, without what the server adds. */
static void plan_without_namespace(const struct kube_ref *ref, const struct doc_node *node,
                                   struct kube_object *ret)
{
    struct doc_node *metadata;

    ret->set = doc_set_new();
    ret->root = doc_copy(ret->set, node);
    metadata = doc_get_lit(ret->root, "metadata");
    if (!doc_get_lit(metadata, "namespace"))
        doc_set_string(ret->set, metadata, STR("namespace"), ref->ns);
}

static int diff_one(const struct khook_delivery *d, const struct khook_objects *objects, size_t at,
                    struct buf *out, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(kube_object_done) struct kube_object planned = {0};
    struct kube_ref ref;

    if (khook_object_ref(d, objects, at, 0, &ref, e) < 0 ||
        (kube_get(d->kube, &ref, d->cancel, &live, e) < 0 && e->kind != ERR_NOT_FOUND))
        return -1;
    err_done(e);
    if (dry_run(d, &ref, objects->list.v[at].node, live.root, &planned, e) < 0) {
        if (e->kind != ERR_NOT_FOUND || live.root || !ref.ns.len)
            return -1;
        err_done(e);
        plan_without_namespace(&ref, objects->list.v[at].node, &planned);
    }
    khook_difference(&khook_live_and_planned, &ref, &live, &planned, out);
    return 0;
}

static int diff(const struct khook_context *ctx, const struct khook_step *step,
                struct cancel *cancel, struct buf *out, struct err *e)
{
    struct khook_delivery d = delivery_of(ctx, step, cancel);
    AUTO(khook_objects_done) struct khook_objects objects = {0};

    if (load(ctx, step, cancel, &objects, e) < 0)
        return -1;
    for (size_t i = 0; i < objects.list.len; i++) {
        const struct khook_object *o = &objects.list.v[i];
        AUTO(buf_done) struct buf id = {0};

        if (diff_one(&d, &objects, i, out, e) == 0)
            continue;
        if (e->kind == ERR_CANCELED || e->kind == ERR_TIMEOUT || e->kind == ERR_UNAVAILABLE)
            return -1;
        khook_object_id(o->kind, o->name, o->ns, &id);
        buf_addf(out, "cannot diff %s: %s\n", buf_cstr(&id), err_text(e));
        err_done(e);
    }
    return 0;
}

static void summary(const struct khook_step *step, struct buf *out)
{
    buf_addf(out, "%zu manifest source(s)", step->apply->manifests.len);
}

const struct khook_executor khook_act_apply = {
    .run = run,
    .teardown = teardown,
    .predict = predict,
    .diff = diff,
    .summary = summary,
};
