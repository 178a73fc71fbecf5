/* delete: by manifests, by resource, or a release (khook spec 12). */
#include "khook/act/action.h"
#include "khook/act/deliver.h"
#include "khook/act/release.h"

static struct khook_delivery delivery_of(const struct khook_context *ctx,
                                         const struct khook_step *step, struct cancel *cancel)
{
    return (struct khook_delivery){.kube = ctx->kube, .cancel = cancel, .ns = step->del->ns};
}

static int not_there(const struct khook_delete *del, str what, struct err *e)
{
    if (del->ignore_not_found)
        return 0;
    return err_set(e, ERR_NOT_FOUND, "%.*s not found, and `ignoreNotFound` is false",
                   STR_ARG(what));
}

/* The same for a resource, with the selectors that matched nothing. */
static int nothing_matches(const struct khook_delete *del, struct err *e)
{
    AUTO(buf_done) struct buf what = {0};

    buf_add_str(&what, del->resource);
    if (del->selector.len)
        buf_addf(&what, " (selector %.*s)", STR_ARG(del->selector));
    if (del->field_selector.len)
        buf_addf(&what, " (field selector %.*s)", STR_ARG(del->field_selector));
    return not_there(del, buf_view(&what), e);
}

/* ---- manifests */

/* Finds where an object lives; 1 when the cluster does not know its kind, which counts as absent.
 */
static int locate(const struct khook_delivery *d, const struct khook_objects *objects, size_t at,
                  struct kube_ref *ret, struct err *e)
{
    if (khook_object_ref(d, objects, at, 0, ret, e) == 0)
        return 0;
    if (e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    return 1;
}

static int delete_manifests(const struct khook_context *ctx, const struct khook_attempt *a,
                            struct err *e)
{
    struct khook_delivery d = delivery_of(ctx, a->step, a->cancel);
    AUTO(khook_objects_done) struct khook_objects objects = {0};

    if (khook_sources_load(ctx, &a->step->del->manifests, a->cancel, &objects, e) < 0)
        return -1;
    for (size_t i = 0; i < objects.list.len; i++) {
        AUTO(buf_done) struct buf id = {0};
        struct kube_ref ref = {0};
        bool found = false;
        int rc = locate(&d, &objects, i, &ref, e);

        if (rc == 0)
            rc = khook_delete_object(ctx->kube, &ref, false, a->cancel, a->outstanding, &found, e);
        khook_object_id(objects.list.v[i].kind, objects.list.v[i].name,
                        ref.type ? ref.ns : objects.list.v[i].ns, &id);
        if (rc < 0 || (!found && not_there(a->step->del, buf_view(&id), e) < 0))
            return -1;
    }
    return 0;
}

/* ---- resource */

/* The resource's type, its namespace and, for "kind/name", its name. 1: the cluster does not know
 * it. */
static int resource_ref(const struct khook_context *ctx, const struct khook_delete *del,
                        struct cancel *cancel, struct kube_ref *ret, struct err *e)
{
    const struct kube_type *type = kube_type_named(ctx->kube, del->type, cancel, e);

    if (!type && e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    if (!type)
        return 1;
    if (del->all_ns && del->name.len && type->namespaced)
        return err_set(e, ERR_INVALID, "`allNamespaces` does not go with the name of one %.*s",
                       STR_ARG(type->singular));
    *ret = (struct kube_ref){.type = type, .name = del->name};
    if (type->namespaced && !del->all_ns)
        ret->ns = del->ns.len ? del->ns : STR("default");
    return 0;
}

static int delete_resource(const struct khook_context *ctx, const struct khook_attempt *a,
                           struct err *e)
{
    const struct khook_delete *del = a->step->del;
    struct kube_list_options selectors = {.label_selector = del->selector,
                                          .field_selector = del->field_selector};
    struct kube_ref ref;
    size_t count = 0;
    int rc = resource_ref(ctx, del, a->cancel, &ref, e);

    if (rc == 0 && del->name.len) {
        bool found;

        rc = khook_delete_object(ctx->kube, &ref, false, a->cancel, a->outstanding, &found, e);
        count = found;
    } else if (rc == 0) {
        rc = khook_delete_matching(ctx->kube, &ref, &selectors, a->cancel, a->outstanding, &count,
                                   e);
    }
    if (rc < 0)
        return -1;
    return count ? 0 : nothing_matches(del, e);
}

/* ---- a release */

static int delete_release(const struct khook_context *ctx, const struct khook_attempt *a,
                          struct err *e)
{
    const struct khook_delete *del = a->step->del;
    AUTO(buf_done) struct buf what = {0};
    bool found;

    if (khook_release_remove(ctx, del->release, del->ns, a->cancel, a->outstanding, &found, e) < 0)
        return -1;
    buf_addf(&what, "release \"%.*s\"", STR_ARG(del->release));
    return found ? 0 : not_there(del, buf_view(&what), e);
}

static int run(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    if (a->step->del->release.len)
        return delete_release(ctx, a, e);
    return a->step->del->resource.len ? delete_resource(ctx, a, e) : delete_manifests(ctx, a, e);
}

/* ---- plan */

static int none(const struct khook_delete *del, str what, struct khook_prediction *ret)
{
    ret->action = del->ignore_not_found ? KHOOK_PLAN_NO_OP : KHOOK_PLAN_UNKNOWN;
    if (del->ignore_not_found)
        buf_addf(&ret->detail, "already absent");
    else
        buf_addf(&ret->detail, "%.*s not found, and `ignoreNotFound` is false", STR_ARG(what));
    return 0;
}

static int exists(const struct khook_context *ctx, const struct kube_ref *ref,
                  struct cancel *cancel, bool *ret, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};

    *ret = kube_get(ctx->kube, ref, cancel, &live, e) == 0;
    if (!*ret && e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    return 0;
}

static int count_one(void *ctx, struct doc_set *set UNUSED, struct doc_node *object UNUSED)
{
    ++*(size_t *)ctx;
    return 0;
}

static int predict_resource(const struct khook_context *ctx, const struct khook_delete *del,
                            struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    struct kube_list_options selectors = {.label_selector = del->selector,
                                          .field_selector = del->field_selector};
    struct kube_ref ref;
    size_t count = 0;
    bool found = false;
    int rc = resource_ref(ctx, del, cancel, &ref, e);

    if (rc == 0 && del->name.len)
        rc = exists(ctx, &ref, cancel, &found, e);
    else if (rc == 0)
        rc = kube_list(ctx->kube, &ref, &selectors, cancel, count_one, &count, NULL, e);
    if (rc < 0)
        return -1;
    if (!found && !count)
        return none(del, del->resource, ret);
    ret->action = KHOOK_PLAN_DELETE;
    if (!found) {
        buf_addf(&ret->detail, "deletes %zu %.*s", count,
                 STR_ARG(count == 1 ? ref.type->singular : ref.type->plural));
        return 0;
    }
    buf_add_cstr(&ret->detail, "deletes ");
    khook_object_id(ref.type->kind, ref.name, ref.ns, &ret->detail);
    return 0;
}

static int predict_manifests(const struct khook_context *ctx, const struct khook_step *step,
                             struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    struct khook_delivery d = delivery_of(ctx, step, cancel);
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    AUTO(khook_ids_done) struct khook_ids ids = {0};
    size_t absent = 0;

    if (khook_sources_load(ctx, &step->del->manifests, cancel, &objects, e) < 0)
        return -1;
    for (size_t i = 0; i < objects.list.len; i++) {
        struct kube_ref ref;
        bool found = false;
        int rc = locate(&d, &objects, i, &ref, e);

        if (rc < 0 || (rc == 0 && exists(ctx, &ref, cancel, &found, e) < 0))
            return -1;
        if (found)
            khook_ids_add(&ids, ref.type->kind, ref.name, ref.ns);
        absent += !found;
    }
    if (!ids.count || (absent && !step->del->ignore_not_found))
        return none(step->del, STR("an object"), ret);
    khook_ids_end(&ids);
    ret->action = KHOOK_PLAN_DELETE;
    buf_addf(&ret->detail, "deletes %s", buf_cstr(&ids.text));
    if (absent)
        buf_addf(&ret->detail, "; %zu already absent", absent);
    return 0;
}

static int predict_release(const struct khook_context *ctx, const struct khook_delete *del,
                           struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    AUTO(chart_records_done) struct chart_records history = {0};
    AUTO(buf_done) struct buf what = {0};

    if (khook_release_history(ctx, del->release, del->ns, cancel, &history, e) < 0)
        return -1;
    buf_addf(&what, "release \"%.*s\"", STR_ARG(del->release));
    if (!history.len)
        return none(del, buf_view(&what), ret);
    ret->action = KHOOK_PLAN_DELETE;
    buf_addf(&ret->detail, "deletes %s: ", buf_cstr(&what));
    khook_release_describe(chart_records_last(&history), &ret->detail);
    return 0;
}

static int predict(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    if (step->del->release.len)
        return predict_release(ctx, step->del, cancel, ret, e);
    return step->del->resource.len ? predict_resource(ctx, step->del, cancel, ret, e)
                                   : predict_manifests(ctx, step, cancel, ret, e);
}

static void summary(const struct khook_step *step, struct buf *out)
{
    const struct khook_delete *del = step->del;

    if (del->release.len)
        buf_addf(out, "release \"%.*s\"", STR_ARG(del->release));
    else if (del->resource.len)
        buf_addf(out, "%.*s", STR_ARG(del->resource));
    else
        buf_addf(out, "%zu manifest source(s)", del->manifests.len);
}

const struct khook_executor khook_act_delete = {
    .run = run,
    .keeps = "not reversed: khook does not restore deleted resources",
    .predict = predict,
    .summary = summary,
};
