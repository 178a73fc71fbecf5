/* uninstall (helm spec 10.4). */
#include "chart/name.h"
#include "chart/release/release_priv.h"

static const char order[][32] = {
    "ValidatingWebhookConfiguration",
    "MutatingWebhookConfiguration",
    "APIService",
    "Ingress",
    "IngressClass",
    "Service",
    "CronJob",
    "Job",
    "StatefulSet",
    "HorizontalPodAutoscaler",
    "Deployment",
    "ReplicaSet",
    "ReplicationController",
    "Pod",
    "DaemonSet",
    "RoleBindingList",
    "RoleBinding",
    "RoleList",
    "Role",
    "ClusterRoleBindingList",
    "ClusterRoleBinding",
    "ClusterRoleList",
    "ClusterRole",
    "CustomResourceDefinition",
    "PersistentVolumeClaim",
    "PersistentVolume",
    "StorageClass",
    "ConfigMap",
    "SecretList",
    "Secret",
    "ServiceAccount",
    "PodDisruptionBudget",
    "PodSecurityPolicy",
    "LimitRange",
    "ResourceQuota",
    "NetworkPolicy",
    "Namespace",
    "PriorityClass",
};

static size_t rank_of(str kind)
{
    size_t i = 0;

    while (i < ARRAY_LEN(order) && !str_eq(kind, str_of(order[i])))
        i++;
    return i;
}

struct ranked {
    size_t rank, at;
    struct chart_object object;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int kinds;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    kinds = x->rank == ARRAY_LEN(order) ? str_cmp(x->object.kind, y->object.kind) : 0;
    return kinds ? kinds : (x->at > y->at) - (x->at < y->at);
}

static void sort_for_uninstall(struct chart_objects *objects)
{
    VEC(struct ranked) all = {0};

    for (size_t i = 0; i < objects->len; i++)
        vec_push(&all, {rank_of(objects->v[i].kind), i, objects->v[i]});
    vec_sort(&all, by_rank);
    for (size_t i = 0; i < objects->len; i++)
        objects->v[i] = all.v[i].object;
    vec_done(&all);
}

/* ---- what stays */

static void keep(const struct chart_object *o, struct buf *kept)
{
    buf_addf(kept, "[%.*s] %.*s\n", STR_ARG(o->kind), STR_ARG(o->name));
}

static void take_policy(struct chart_objects *objects, struct buf *kept)
{
    size_t left = 0;

    for (size_t i = 0; i < objects->len; i++)
        if (chart_is_kept(objects->v[i].node))
            keep(&objects->v[i], kept);
        else
            objects->v[left++] = objects->v[i];
    objects->len = left;
}

struct owners {
    const struct chart_run *run;
    struct chart_objects *objects;
    char **why; /* of each: why it is not ours, or NULL */
    bool *gone;
};

static int check_owner(void *ctx, size_t i, struct err *e UNUSED)
{
    const struct owners *o = ctx;
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(buf_done) struct buf why = {0};
    AUTO(err_done) struct err bad = {0};

    if (kube_get(o->run->kube, &o->objects->v[i].ref, o->run->cancel, &live, &bad) < 0) {
        o->gone[i] = bad.kind == ERR_NOT_FOUND;
        if (!o->gone[i])
            buf_addf(&why, "ownership cannot be read: %s", err_text(&bad));
    } else {
        chart_object_strangeness(o->run, live.root, &why);
    }
    o->why[i] = why.len ? buf_take(&why) : NULL;
    return 0;
}

/* Leaves those that are there and carry the release's metadata. */
static int take_strangers(const struct chart_run *run, struct chart_objects *objects,
                          struct buf *kept, struct err *e)
{
    struct owners o = {.run = run, .objects = objects};
    size_t left = 0;
    int rc;

    o.why = mem_zalloc((objects->len + 1) * sizeof(*o.why));
    o.gone = mem_zalloc(objects->len + 1);
    rc = chart_each(objects->len, check_owner, &o, run->cancel, e);
    for (size_t i = 0; i < objects->len; i++) {
        const struct chart_object *object = &objects->v[i];

        if (o.why[i]) {
            chart_run_tell(run, CHART_TALE_WARNING, "%.*s \"%.*s\" is kept: %s",
                           STR_ARG(object->kind), STR_ARG(object->name), o.why[i]);
            keep(object, kept);
        } else if (!o.gone[i]) {
            objects->v[left++] = *object;
        }
        mem_free(o.why[i]);
    }
    objects->len = left;
    mem_free(o.why);
    mem_free(o.gone);
    return rc;
}

/* ---- the operation */

static int delete_objects(struct chart_begun *b, const struct chart_record *r,
                          enum kube_propagation cascade, struct buf *kept, struct err *e)
{
    AUTO(chart_objects_done) struct chart_objects objects = {0};

    if (chart_objects_parse(&b->run, chart_record_manifest(r), &objects, e) < 0)
        return err_wrap(e, "unable to build kubernetes objects for delete");
    sort_for_uninstall(&objects);
    take_policy(&objects, kept);
    if (take_strangers(&b->run, &objects, kept, e) < 0 ||
        chart_delete_objects(&b->run, &objects, cascade, e) < 0)
        return -1;
    return chart_wait_gone(&b->run, &objects, e);
}

static int purge(struct chart_begun *b, struct err *e)
{
    for (size_t i = 0; i < b->history.len; i++)
        if (chart_store_delete(b->store, &b->history.v[i], b->cancel, e) < 0)
            return err_wrap(e, "uninstall: Failed to purge the release");
    return 0;
}

static int bury(struct chart_begun *b, struct err *e)
{
    str description = b->run.op->description;

    chart_record_set_status(b->last, CHART_UNINSTALLED,
                            description.len ? description : STR("Uninstallation complete"));
    if (chart_store_update(b->store, b->last, b->cancel, e) < 0)
        return err_wrap(e, "uninstall: Failed to store updated release");
    return chart_supersede(b, b->last, 0, e);
}

static int uninstall(struct chart_begun *b, const struct chart_uninstall_options *options,
                     struct buf *kept, struct err *e)
{
    struct chart_record *r = b->last;
    const struct chart_operation *op = b->run.op;

    chart_record_set_status(r, CHART_UNINSTALLING,
                            STR("Deletion in progress (or silently failed)"));
    chart_record_set_deleted(r, clock_wall_us());
    if (chart_store_update(b->store, r, b->cancel, e) < 0)
        return -1;
    if (!op->no_hooks && chart_run_hooks(&b->run, r, CHART_PRE_DELETE, NULL, e) < 0)
        return -1;
    if (delete_objects(b, r, options->cascade, kept, e) < 0)
        return -1;
    if (!op->no_hooks && chart_run_hooks(&b->run, r, CHART_POST_DELETE, NULL, e) < 0)
        return -1;
    return options->keeps_history ? bury(b, e) : purge(b, e);
}

/* Of a dry run: what would stay by its policy. */
static int foretell(struct chart_begun *b, struct buf *kept, struct err *e)
{
    AUTO(chart_objects_done) struct chart_objects objects = {0};

    if (chart_objects_parse(&b->run, chart_record_manifest(b->last), &objects, e) < 0)
        return err_wrap(e, "unable to build kubernetes objects for delete");
    sort_for_uninstall(&objects);
    take_policy(&objects, kept);
    return 0;
}

/* A record of its own for the caller: those of the history go. */
static void hand_out(struct chart_begun *b, struct chart_record *ret)
{
    *ret = *b->last;
    *b->last = (struct chart_record){0};
}

static int not_found(const struct chart_operation *op,
                     const struct chart_uninstall_options *options, struct err *e)
{
    if (options->ignores_missing)
        return 0;
    if (op->dry_run != CHART_DRY_NONE)
        return err_set(e, ERR_NOT_FOUND, "release: not found");
    return err_set(e, ERR_NOT_FOUND, "uninstall: Release not loaded: %.*s: release: not found",
                   STR_ARG(op->name));
}

int chart_uninstall(const struct chart_operation *op, const struct chart_uninstall_options *options,
                    struct chart_record *ret, struct buf *ret_kept, struct err *e)
{
    AUTO(chart_begun_done) struct chart_begun b = {0};
    int rc = 0;

    if (chart_check_release_name(op->name, e) < 0 || chart_begin(&b, op, e) < 0)
        return -1;
    if (!b.last)
        return not_found(op, options, e);
    b.run.server_side = chart_picks_server(op, b.last);
    if (b.last->status == CHART_UNINSTALLED && options->keeps_history)
        return err_set(e, ERR_EXISTS, "the release named \"%.*s\" is already deleted",
                       STR_ARG(op->name));
    if (op->dry_run != CHART_DRY_NONE)
        rc = foretell(&b, ret_kept, e);
    else
        rc = b.last->status == CHART_UNINSTALLED ? purge(&b, e)
                                                 : uninstall(&b, options, ret_kept, e);
    hand_out(&b, ret);
    return rc < 0 ? chart_reasons_tell(&b.run, e) : 0;
}
