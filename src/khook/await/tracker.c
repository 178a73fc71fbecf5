#include "khook/await/tracker.h"

enum { NAMED = 3 }; /* objects named in a message */

void khook_tracker_init(struct khook_tracker *t, const struct wait_for *conditions,
                        const str *texts, size_t count, bool any)
{
    assert(count <= ARRAY_LEN(t->met));
    *t = (struct khook_tracker){
        .conditions = conditions, .texts = texts, .count = count, .any = any};
}

void khook_tracker_done(struct khook_tracker *t)
{
    map_done(&t->objects);
    arena_done(&t->arena);
}

static struct khook_tracked *tracked_find(struct khook_tracker *t, str ns, str name, bool make)
{
    AUTO(buf_done) struct buf key = {0};
    struct khook_tracked *o;

    buf_addf(&key, "%.*s/%.*s", STR_ARG(ns), STR_ARG(name));
    o = map_get(&t->objects, buf_view(&key));
    if (!o && make) {
        o = ARENA_NEW(&t->arena, struct khook_tracked);
        o->ns = arena_dup(&t->arena, ns);
        o->name = arena_dup(&t->arena, name);
        map_put(&t->objects, arena_dup(&t->arena, buf_view(&key)), o);
    }
    return o;
}

static struct khook_tracked *tracked_of(struct khook_tracker *t, const struct doc_node *object,
                                        bool make)
{
    return tracked_find(t, doc_text(doc_at(object, "metadata/namespace"), STR_NONE),
                        doc_text(doc_at(object, "metadata/name"), STR_NONE), make);
}

void khook_tracker_expect(struct khook_tracker *t, str ns, str name)
{
    t->only_expected = true;
    if (tracked_find(t, ns, name, false))
        return;
    tracked_find(t, ns, name, true);
    t->total++;
}

static uint32_t judge(const struct khook_tracker *t, const struct doc_node *object)
{
    uint32_t met = 0;

    for (size_t i = 0; i < t->count; i++) {
        AUTO(err_done) struct err e = {0};

        if (t->conditions[i].kind != WAIT_DELETE &&
            wait_for_met(&t->conditions[i], object, &e) == 1)
            met |= 1u << i;
    }
    return met;
}

static void count_bits(struct khook_tracker *t, uint32_t met, int by)
{
    for (size_t i = 0; i < t->count; i++)
        if (met & (1u << i))
            t->met[i] += (size_t)by;
}

void khook_tracker_update(struct khook_tracker *t, const struct doc_node *object, bool deleted)
{
    struct khook_tracked *o = tracked_of(t, object, !t->only_expected && !deleted);

    if (!o)
        return;
    count_bits(t, o->met, -1);
    if (!t->only_expected && o->is_there == deleted)
        t->total += deleted ? (size_t)-1 : 1;
    o->is_there = !deleted;
    o->met = deleted ? 0 : judge(t, object);
    count_bits(t, o->met, 1);
}

/* Only what changed is copied: the arena lives as long as the wait. */
void khook_tracker_note_held(struct khook_tracker *t, const struct doc_node *object, str why,
                             str remedy)
{
    struct khook_tracked *o = tracked_of(t, object, false);

    if (!o || str_eq(o->held, why))
        return;
    o->held = arena_dup(&t->arena, why);
    o->remedy = arena_dup(&t->arena, remedy);
}

bool khook_tracker_holds(const struct khook_tracker *t)
{
    size_t holding = 0;

    for (size_t i = 0; i < t->count; i++) {
        bool is_delete = t->conditions[i].kind == WAIT_DELETE;

        holding += is_delete ? t->total == 0 : t->total > 0 && t->met[i] == t->total;
    }
    return t->any ? holding > 0 : holding == t->count;
}

/* Every condition, or one of them. Deletion is not an object's own matter: it is never met while
 * the object is there. */
static bool is_met(const struct khook_tracker *t, const struct khook_tracked *o)
{
    uint32_t all = t->count == 32 ? UINT32_MAX : (1u << t->count) - 1;

    return o->is_there && (t->any ? o->met != 0 : o->met == all);
}

size_t khook_tracker_met(const struct khook_tracker *t)
{
    struct map_iter it = {0};
    size_t met = 0;

    while (map_next(&t->objects, &it))
        met += is_met(t, it.value);
    return met;
}

void khook_conditions_text(const str *texts, size_t count, bool any, struct buf *out)
{
    for (size_t i = 0; i < count; i++)
        buf_addf(out, "%s%.*s", i == 0 ? "" : any ? " or " : " and ", STR_ARG(texts[i]));
}

static bool is_only_delete(const struct khook_tracker *t)
{
    return t->count == 1 && t->conditions[0].kind == WAIT_DELETE;
}

/* "pods/web@shop (held by …)" */
static void add_missing(const struct khook_tracked *o, str type, struct buf *out)
{
    buf_addf(out, "%.*s/%.*s", STR_ARG(type), STR_ARG(o->name));
    if (o->ns.len)
        buf_addf(out, "@%.*s", STR_ARG(o->ns));
    if (o->held.len && o->is_there)
        buf_addf(out, " (%.*s)", STR_ARG(o->held));
}

void khook_tracker_outstanding(const struct khook_tracker *t, str type, struct buf *out)
{
    struct map_iter it = {0};
    size_t missing = 0;
    str remedy = STR_NONE;

    if (t->total == 0 && !is_only_delete(t)) {
        buf_addf(out, "no %.*s matches yet", STR_ARG(type));
        return;
    }
    if (is_only_delete(t)) {
        buf_addf(out, "%zu object(s) still present", t->total);
    } else {
        buf_addf(out, "%zu/%zu object(s) meet ", khook_tracker_met(t), t->total);
        khook_conditions_text(t->texts, t->count, t->any, out);
    }
    while (map_next(&t->objects, &it)) {
        const struct khook_tracked *o = it.value;

        if (is_met(t, o) || (!o->is_there && !t->only_expected))
            continue;
        if (++missing > NAMED)
            continue;
        buf_add_cstr(out, missing > 1 ? ", " : is_only_delete(t) ? ": " : "; not yet: ");
        add_missing(o, type, out);
        if (!remedy.len && o->is_there)
            remedy = o->remedy;
    }
    if (missing > NAMED)
        buf_addf(out, ", +%zu more", missing - NAMED);
    if (remedy.len)
        buf_addf(out, "; %.*s", STR_ARG(remedy));
}
