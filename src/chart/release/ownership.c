/* Whose the objects are that are there already (helm spec 12.1). helm asks for each by its name; we
 * ask for many of one kind with one list of their metadata, which costs the server a small part of
 * that, and by name for those that a list did not tell. */
#include "base/mem.h"
#include "chart/release/release_priv.h"

enum {
    LIST_FROM = 4,   /* so many of a kind and namespace are worth a list */
    LIST_FACTOR = 8, /* a list of so many times what is looked for costs no more than asking */
    LIST_MOST = 500,
};

static void require(const struct doc_node *map, const char *what, str key, str want,
                    struct buf *out)
{
    str have = doc_text(doc_get(map, key), STR_NONE);

    if (str_eq(have, want) && have.p)
        return;
    if (out->len)
        buf_add_cstr(out, "; ");
    if (!have.p)
        buf_addf(out, "%s validation error: missing key \"%.*s\": must be set to \"%.*s\"", what,
                 STR_ARG(key), STR_ARG(want));
    else
        buf_addf(out,
                 "%s validation error: key \"%.*s\" must equal \"%.*s\": current value is \"%.*s\"",
                 what, STR_ARG(key), STR_ARG(want), STR_ARG(have));
}

void chart_object_strangeness(const struct chart_run *run, const struct doc_node *live,
                              struct buf *out)
{
    const struct doc_node *annotations = doc_at(live, "metadata/annotations");
    AUTO(buf_done) struct buf why = {0};

    require(doc_at(live, "metadata/labels"), "label", CHART_MANAGED_BY, STR("Helm"), &why);
    require(annotations, "annotation", CHART_RELEASE_NAME, run->op->name, &why);
    require(annotations, "annotation", CHART_RELEASE_NAMESPACE, run->op->ns, &why);
    buf_add_str(out, buf_view(&why));
}

/* What is known of an object of the manifest. */
struct look {
    size_t group;    /* whose list tells of it; 0: none does */
    bool is_settled; /* a list told */
    struct buf why;  /* it is there and not ours */
};

/* Objects of one kind in one namespace. */
struct group {
    struct kube_ref all;
    size_t first, count; /* of the manifest's objects */
};

struct check {
    const struct chart_run *run;
    struct chart_objects *objects;
    const struct chart_objects *known;
    bool adopts;
    struct look *looks;       /* an object each */
    VEC(struct group) groups; /* group 0 is none */
};

static bool is_passed_over(const struct check *c, const struct chart_object *o)
{
    return o->is_generated || (c->known && chart_objects_find(c->known, o));
}

/* Notes what lies in the cluster under the object's name. */
static void settle(const struct check *c, size_t i, const struct doc_node *live)
{
    c->looks[i].is_settled = true;
    c->objects->v[i].exists = live != NULL;
    if (live && !c->adopts)
        chart_object_strangeness(c->run, live, &c->looks[i].why);
}

/* ---- by lists */

static bool is_in(const struct group *g, const struct chart_object *o)
{
    return g->all.type == o->ref.type && str_eq(g->all.ns, o->ref.ns);
}

/* The objects of one kind stand together in a manifest. */
static void group_objects(struct check *c)
{
    struct group *last;

    vec_push(&c->groups, (struct group){0});
    for (size_t i = 0; i < c->objects->len; i++) {
        const struct chart_object *o = &c->objects->v[i];

        if (is_passed_over(c, o)) {
            c->looks[i].is_settled = true;
            continue;
        }
        if (!o->ref.type->can_list)
            continue;
        last = &vec_last(&c->groups);
        if (!is_in(last, o)) {
            vec_push(&c->groups, (struct group){{.type = o->ref.type, .ns = o->ref.ns}, i, 0});
            last = &vec_last(&c->groups);
        }
        last->count++;
        c->looks[i].group = c->groups.len - 1;
    }
}

struct listing {
    const struct check *check;
    const struct group *group;
    size_t number;
};

static int on_live(void *ctx, struct doc_set *set UNUSED, struct doc_node *live)
{
    const struct listing *l = ctx;
    str name = doc_text(doc_at(live, "metadata/name"), STR_NONE);

    for (size_t i = l->group->first, left = l->group->count; left; i++) {
        if (l->check->looks[i].group != l->number)
            continue;
        left--;
        if (str_eq(l->check->objects->v[i].name, name) && !l->check->looks[i].is_settled)
            settle(l->check, i, live);
    }
    return 0;
}

/* Where the list fails, or is not whole, the objects it did not tell are asked for by name: who may
 * only get may install, and what went wrong is told of an object. */
static int look_at_group(void *ctx, size_t number, struct err *e UNUSED)
{
    struct check *c = ctx;
    const struct group *g = &c->groups.v[number];
    struct listing l = {c, g, number};
    AUTO(err_done) struct err ignored = {0};
    bool is_whole = false;

    if (g->count < LIST_FROM ||
        kube_list_metadata(c->run->kube, &g->all,
                           (uint32_t)MIN(g->count * LIST_FACTOR, (size_t)LIST_MOST), c->run->cancel,
                           on_live, &l, &is_whole, &ignored) < 0 ||
        !is_whole)
        return 0;
    for (size_t i = g->first, left = g->count; left; i++) {
        if (c->looks[i].group != number)
            continue;
        left--;
        if (!c->looks[i].is_settled)
            settle(c, i, NULL);
    }
    return 0;
}

/* ---- by name */

static int ask(const struct check *c, size_t i, struct err *e)
{
    const struct chart_object *o = &c->objects->v[i];
    AUTO(kube_object_done) struct kube_object live = {0};

    if (kube_get(c->run->kube, &o->ref, c->run->cancel, &live, e) == 0) {
        settle(c, i, live.root);
        return 0;
    }
    if (e->kind != ERR_NOT_FOUND)
        return err_wrap(e,
                        "could not get information about the resource %.*s \"%.*s\" in "
                        "namespace \"%.*s\"",
                        STR_ARG(o->kind), STR_ARG(o->name), STR_ARG(o->ref.ns));
    err_done(e);
    settle(c, i, NULL);
    return 0;
}

static int check_one(void *ctx, size_t i, struct err *e)
{
    const struct check *c = ctx;
    const struct chart_object *o = &c->objects->v[i];

    if (!c->looks[i].is_settled && ask(c, i, e) < 0)
        return -1;
    if (!c->looks[i].why.len)
        return 0;
    return err_set(e, ERR_EXISTS,
                   "%.*s \"%.*s\" in namespace \"%.*s\" exists and cannot be imported into the "
                   "current release: invalid ownership metadata; %s",
                   STR_ARG(o->kind), STR_ARG(o->name), STR_ARG(o->ref.ns),
                   buf_cstr(&c->looks[i].why));
}

/* Only the first failure is told, as helm does. */
static int keep_first_line(struct err *e)
{
    AUTO(err_done) struct err first = {0};
    str line, rest = str_of(err_text(e));

    if (!str_next_line(&rest, &line))
        return -1;
    err_set(&first, e->kind, "%.*s", STR_ARG(line));
    err_done(e);
    err_move(e, &first);
    return -1;
}

int chart_objects_check(const struct chart_run *run, struct chart_objects *objects,
                        const struct chart_objects *known, bool adopts, struct err *e)
{
    struct check c = {.run = run, .objects = objects, .known = known, .adopts = adopts};
    int rc;

    if (!objects->len)
        return 0;
    c.looks = mem_zalloc(objects->len * sizeof(*c.looks));
    group_objects(&c);
    rc = chart_each(c.groups.len, look_at_group, &c, run->cancel, e);
    if (rc == 0)
        rc = chart_each(objects->len, check_one, &c, run->cancel, e) < 0 ? keep_first_line(e) : 0;
    for (size_t i = 0; i < objects->len; i++)
        buf_done(&c.looks[i].why);
    mem_free(c.looks);
    vec_done(&c.groups);
    return rc;
}
