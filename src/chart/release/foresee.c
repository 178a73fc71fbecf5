/* What an operation would make of the objects that are there: the answers of the server to dry runs
 * of the very requests. */
#include "base/mem.h"
#include "chart/release/release_priv.h"

/* One object now and afterwards; empty where there is none. */
struct foreseen {
    struct kube_object live, planned;
    struct buf conflict; /* what stands in the way of an apply without force */
};
struct foresight {
    const struct chart_run *run;
    struct chart_objects *objects;
    const struct chart_objects *baseline;
    struct foreseen *v; /* by object */
    bool migrates;
};
static void foresight_done(struct foresight *f)
{
    for (size_t i = 0; f->v && i < f->objects->len; i++) {
        kube_object_done(&f->v[i].live);
        kube_object_done(&f->v[i].planned);
        buf_done(&f->v[i].conflict);
    }
    mem_free(f->v);
}
AUTO_VALUE(struct foresight, foresight_done)

/* ---- one object */

static void copy_object(const struct doc_node *node, struct kube_object *ret)
{
    kube_object_done(ret);
    ret->set = doc_set_new();
    ret->root = doc_copy(ret->set, node);
}

static int look(const struct chart_run *run, const struct chart_object *o, struct kube_object *ret,
                struct err *e)
{
    if (o->is_generated || kube_get(run->kube, &o->ref, run->cancel, ret, e) == 0)
        return 0;
    if (e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    return 0;
}

/* With force only where it takes that: who else holds a field is worth a word. */
static int apply(const struct chart_run *run, const struct chart_object *o, struct foreseen *seen,
                 struct err *e)
{
    struct kube_write_options write = {.field_manager = CHART_MANAGER,
                                       .dry_run = true,
                                       .force = run->op->force_conflicts,
                                       .field_validation =
                                           run->op->no_validation ? STR("Ignore") : STR("Strict")};

    if (kube_patch(run->kube, &o->ref, KUBE_PATCH_APPLY, o->node, &write, run->cancel,
                   &seen->planned, e) == 0)
        return 0;
    if (e->kind != ERR_CONFLICT || write.force)
        return -1;
    buf_add_cstr(&seen->conflict, err_text(e));
    err_done(e);
    write.force = true;
    return kube_patch(run->kube, &o->ref, KUBE_PATCH_APPLY, o->node, &write, run->cancel,
                      &seen->planned, e);
}

static int create(const struct chart_run *run, const struct chart_object *o,
                  struct kube_object *ret, struct err *e)
{
    struct kube_write_options write = {.field_manager = CHART_MANAGER, .dry_run = true};

    if (kube_create(run->kube, &o->ref, o->node, &write, run->cancel, ret, e) == 0)
        return 0;
    if (e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e); /* its namespace or its type is still to come */
    copy_object(o->node, ret);
    return 0;
}

static int patch(const struct chart_run *run, const struct chart_object *o,
                 const struct doc_node *baseline, const struct doc_node *live,
                 struct kube_object *ret, struct err *e)
{
    struct kube_write_options write = {.field_manager = CHART_MANAGER, .dry_run = true};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    enum kube_patch kind;
    struct doc_node *node =
        chart_patch_make(set, o, baseline, live, run->op->takes_ownership, &kind, e);

    if (!node)
        return -1;
    if (doc_len(node))
        return kube_patch(run->kube, &o->ref, kind, node, &write, run->cancel, ret, e);
    copy_object(live, ret);
    return 0;
}

static int foresee_one(void *ctx, size_t i, struct err *e)
{
    const struct foresight *f = ctx;
    const struct chart_object *o = &f->objects->v[i];
    const struct chart_object *before = chart_objects_find(f->baseline, o);
    struct foreseen *seen = &f->v[i];
    int rc = look(f->run, o, &seen->live, e);

    if (rc == 0 && !seen->live.root)
        rc = create(f->run, o, &seen->planned, e);
    else if (rc == 0 && f->run->server_side && !(before && f->migrates))
        rc = apply(f->run, o, seen, e);
    else if (rc == 0) /* managed fields cannot be moved for a trial only */
        rc = patch(f->run, o, before ? before->node : NULL, seen->live.root, &seen->planned, e);
    return rc < 0 ? err_wrap(e, "%.*s/%.*s", STR_ARG(o->kind), STR_ARG(o->name)) : 0;
}

/* ---- all */

/* What only the server writes would differ between any two looks. */
static void leave_out(struct kube_object *o)
{
    static const char fields[][18] = {"managedFields", "uid", "resourceVersion", "generation",
                                      "creationTimestamp"};
    struct doc_node *metadata = doc_get_lit(o->root, "metadata");

    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        doc_remove(metadata, str_of(fields[i]));
    doc_remove(o->root, STR("status"));
}

static int tell(const struct chart_run *run, const struct chart_object *o, struct foreseen *seen,
                struct err *e)
{
    if (seen->conflict.len)
        chart_run_tell(run, CHART_TALE_WARNING, "%.*s/%.*s needs --force-conflicts: %s",
                       STR_ARG(o->kind), STR_ARG(o->name), buf_cstr(&seen->conflict));
    leave_out(&seen->live);
    leave_out(&seen->planned);
    return run->op->foresee(run->op->foresee_ctx, &o->ref, &seen->live, &seen->planned, e);
}

static int tell_deleted(const struct foresight *f, const struct chart_object *o, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    struct foreseen seen = {0};
    int rc;

    if (o->is_generated || chart_objects_find(f->objects, o))
        return 0;
    if (look(f->run, o, &live, e) < 0)
        return -1;
    if (!live.root || chart_is_kept(live.root))
        return 0;
    seen.live = live;
    rc = tell(f->run, o, &seen, e);
    live = seen.live;
    return rc;
}

int chart_foresee(const struct chart_run *run, struct chart_objects *objects,
                  const struct chart_objects *baseline, bool migrates, struct err *e)
{
    AUTO(foresight_done)
    struct foresight f = {
        .run = run, .objects = objects, .baseline = baseline, .migrates = migrates};

    if (!run->op->foresee)
        return 0;
    f.v = mem_zalloc((objects->len + 1) * sizeof(*f.v));
    if (chart_each(objects->len, foresee_one, &f, run->cancel, e) < 0)
        return -1;
    for (size_t i = 0; i < objects->len; i++)
        if (tell(run, &objects->v[i], &f.v[i], e) < 0)
            return -1;
    for (size_t i = 0; i < baseline->len; i++)
        if (tell_deleted(&f, &baseline->v[i], e) < 0)
            return -1;
    return 0;
}
