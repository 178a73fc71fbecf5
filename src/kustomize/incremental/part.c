/* The end of a build by parts: what was made anew takes the place of what is kept. */
#include "base/map.h"
#include "kustomize/incremental/plan_priv.h"
#include "kustomize/order.h"

/* What goes, in order, and what comes. */
struct part {
    struct kustomize_plan *plan;
    struct kustomize_kept_set *kept;
    struct kustomize_resmap *m; /* what comes */
    struct kustomize_found old; /* of the map of what is kept */
    bool is_same;               /* to others: each takes the place of one that was like it */
    bool has_order;
    struct res_order order;
    struct buf key, other_key; /* room */
};
static void part_done(struct part *p)
{
    kustomize_found_done(&p->old);
    buf_done(&p->key);
    buf_done(&p->other_key);
}
AUTO_VALUE(struct part, part_done)

static int by_place(const void *a, const void *b)
{
    const struct kustomize_kept *x = kustomize_kept_of(*(struct kustomize_resource *const *)a),
                                *y = kustomize_kept_of(*(struct kustomize_resource *const *)b);

    if (x->leaf != y->leaf)
        return x->leaf->place < y->leaf->place ? -1 : 1;
    return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static void find_old(struct part *p)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(&p->kept->map, &at));)
        if (kustomize_kept_of(r)->leaf->is_old)
            vec_push(&p->old, r);
    vec_sort(&p->old, by_place);
}

/* Others could have met it under an id that nobody knows any more. */
static bool is_traceless(const struct part *p)
{
    struct kustomize_resource *r;
    bool is = false;

    for (size_t i = 0; i < p->old.len; i++)
        is |= p->old.v[i]->is_traceless;
    for (size_t at = 0; (r = kustomize_resmap_next(p->m, &at));)
        is |= r->is_traceless;
    return is;
}

static bool are_same(const struct part *p)
{
    struct kustomize_resource *r;

    if (p->old.len != kustomize_resmap_len(p->m))
        return false;
    for (size_t at = 0, i = 0; (r = kustomize_resmap_next(p->m, &at)); i++)
        if (!kustomize_kept_is_like(kustomize_kept_of(p->old.v[i]), r))
            return false;
    return true;
}

/* ---- what others see of the change */

/* Other resources that asked for one of its names have to ask again. */
static bool mark_who_asked(struct part *p, const struct kustomize_resource *r)
{
    struct kustomize_resource *other;

    for (size_t at = 0; (other = kustomize_resmap_next(&p->kept->map, &at));) {
        struct kustomize_kept *kept = kustomize_kept_of(other);
        bool asked = kustomize_kept_asked(kept, str_hash(r->id.name));

        if (kept->leaf->is_old || !kept->name_count)
            continue;
        for (uint32_t i = 0; !asked && i < r->previous_count; i++)
            asked = kustomize_kept_asked(kept, str_hash(r->previous[i].name));
        if (!asked)
            continue;
        p->plan->wants_more = true;
        if (!kustomize_plan_mark(kept->leaf))
            return false;
    }
    return true;
}

/* References with a namespace ask whether any resource came from it and is now in another. */
static bool has_home(struct part *p, const struct kustomize_resource *r, bool is_new)
{
    str from = res_effective_ns(kustomize_resource_original(r));
    struct kustomize_resource *other;

    for (size_t at = 0; (other = kustomize_resmap_next(&p->kept->map, &at));)
        if ((is_new || !kustomize_kept_of(other)->leaf->is_old) && str_eq(other->scope, r->scope) &&
            str_eq(res_effective_ns(kustomize_resource_original(other)), from))
            return true;
    for (size_t at = 0; !is_new && (other = kustomize_resmap_next(p->m, &at));)
        if (str_eq(other->scope, r->scope) &&
            str_eq(res_effective_ns(kustomize_resource_original(other)), from))
            return true;
    return false;
}

static bool had_kind(const struct kustomize_resource *r, str kind)
{
    bool had = str_eq(r->id.gvk.kind, kind);

    for (uint32_t i = 0; !had && i < r->previous_count; i++)
        had = str_eq(r->previous[i].gvk.kind, kind);
    return had;
}

static bool had_same_kind(const struct kustomize_resource *a, const struct kustomize_resource *b)
{
    bool had = had_kind(a, b->id.gvk.kind);

    for (uint32_t i = 0; !had && i < b->previous_count; i++)
        had = had_kind(a, b->previous[i].gvk.kind);
    return had;
}

/* May it ever have been taken for one that is not made anew? Then a level it joined could refuse
 * it. */
static bool has_twin(struct part *p, str name, const struct kustomize_resource *r)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};

    kustomize_resmap_by_name(&p->kept->map, name, &found);
    for (size_t i = 0; i < found.len; i++)
        if (!kustomize_kept_of(found.v[i])->leaf->is_old && had_same_kind(found.v[i], r))
            return true;
    return false;
}

static bool has_twins(struct part *p, const struct kustomize_resource *r)
{
    if (has_twin(p, r->id.name, r))
        return true;
    for (uint32_t i = 0; i < r->previous_count; i++)
        if (has_twin(p, r->previous[i].name, r))
            return true;
    return false;
}

static int tell_one(struct part *p, const struct kustomize_resource *r, bool is_new, struct err *e)
{
    if ((is_new && has_twins(p, r)) || !has_home(p, r, is_new) || !mark_who_asked(p, r))
        return err_set(e, ERR_CONFLICT, "all resources are concerned");
    return 0;
}

/* Those that came or went: the others are still there, whatever their order. */
static int tell_others(struct part *p, struct err *e)
{
    AUTO(map_done) struct map old = {0};
    AUTO(arena_done) struct arena a = {0};
    AUTO(buf_done) struct buf text = {0};
    struct kustomize_resource *r;
    struct map_iter it = {0};

    for (size_t i = 0; i < p->old.len; i++) {
        buf_clear(&text);
        kustomize_kept_print(p->old.v[i], &text);
        map_put(&old, arena_dup(&a, buf_view(&text)), p->old.v[i]);
    }
    for (size_t at = 0; (r = kustomize_resmap_next(p->m, &at));) {
        buf_clear(&text);
        kustomize_kept_print(r, &text);
        if (!map_remove(&old, buf_view(&text)) && tell_one(p, r, true, e) < 0)
            return -1;
    }
    while (map_next(&old, &it))
        if (tell_one(p, it.value, false, e) < 0)
            return -1;
    return p->plan->wants_more ? err_set(e, ERR_CONFLICT, "others are concerned") : 0;
}

/* ---- keeping */

static void keep_names(struct kustomize_plan *plan, const struct kustomize_resource *r,
                       struct kustomize_kept *kept, size_t *at)
{
    size_t first = *at;

    while (*at < plan->names.len && plan->names.v[*at].referrer == r)
        ++*at;
    kept->names = ARENA_ARRAY(&plan->kept.set->arena, uint32_t, *at - first);
    for (size_t i = first; i < *at; i++)
        if (!kustomize_kept_asked(kept, plan->names.v[i].hash))
            kept->names[kept->name_count++] = plan->names.v[i].hash;
}

static int keep_all(struct kustomize_plan *plan, struct kustomize_resmap *m, bool is_part,
                    struct err *e)
{
    struct kustomize_resource *r;
    uint32_t ordinal = 0;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        r->kept = kustomize_kept_new(&plan->kept, r);
        r->kept->ordinal = ordinal++;
        r->kept->is_printed = !kustomize_is_local_only(r);
        if (!r->leaf) {
            plan->is_blind = true;
            if (is_part)
                return err_set(e, ERR_CONFLICT, "not all that counts is noted");
        }
        if (r->leaf)
            r->leaf->made++;
        if (kustomize_resmap_append(&plan->kept.map, &r->kept->r, e) < 0)
            return -1;
    }
    return 0;
}

static void keep_all_names(struct kustomize_plan *plan, struct kustomize_resmap *m)
{
    struct kustomize_resource *r;
    size_t name = 0;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        keep_names(plan, r, r->kept, &name);
    plan->names.len = 0;
}

int kustomize_plan_keep(struct kustomize_level *root, struct kustomize_resmap *m, struct err *e)
{
    struct kustomize_plan *plan = root->b.shared->plan;

    kustomize_kept_done(&plan->kept);
    if (keep_all(plan, m, false, e) < 0)
        return -1;
    keep_all_names(plan, m);
    return 0;
}

/* ---- the order of the output */

static int compare(struct part *p, const struct kustomize_kept *a, const struct kustomize_kept *b)
{
    int c = 0;

    if (p->has_order) {
        kustomize_sort_key(&p->order, &b->r.id, &p->other_key);
        c = str_cmp(buf_view(&p->key), buf_view(&p->other_key));
    }
    if (c)
        return c;
    if (a->leaf != b->leaf)
        return a->leaf->place < b->leaf->place ? -1 : 1;
    return a->ordinal < b->ordinal ? -1 : 1;
}

static void insert(struct part *p, struct kustomize_kept *kept)
{
    typeof(p->kept->order) *order = &p->kept->order;
    size_t low = 0, high = order->len;

    if (p->has_order)
        kustomize_sort_key(&p->order, &kept->r.id, &p->key);
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(p, kept, order->v[middle]) < 0)
            high = middle;
        else
            low = middle + 1;
    }
    vec_reserve(order, 1);
    memmove(&order->v[low + 1], &order->v[low], (order->len++ - low) * sizeof(*order->v));
    order->v[low] = kept;
}

static void take_out_old(struct part *p)
{
    typeof(p->kept->order) *order = &p->kept->order;
    size_t to = 0;

    for (size_t i = 0; i < order->len; i++)
        if (!order->v[i]->leaf->is_old)
            order->v[to++] = order->v[i];
    order->len = to;
}

static void take_places(struct part *p)
{
    struct kustomize_resource *r;

    for (size_t at = 0, i = 0; (r = kustomize_resmap_next(p->m, &at)); i++)
        if (r->kept->is_printed) {
            r->kept->place = kustomize_kept_of(p->old.v[i])->place;
            p->kept->order.v[r->kept->place] = r->kept;
        }
}

static void find_places(struct part *p)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(p->m, &at));)
        if (r->kept->is_printed)
            insert(p, r->kept);
    for (size_t i = 0; i < p->kept->order.len; i++)
        p->kept->order.v[i]->place = i;
}

/* ---- finishing */

static int print_new(struct part *p, struct err *e)
{
    struct kustomize_resource *r;

    for (size_t at = 0, i = 0; (r = kustomize_resmap_next(p->m, &at)); i++) {
        AUTO(buf_done) struct buf text = {0};
        const struct kustomize_kept *old = p->is_same ? kustomize_kept_of(p->old.v[i]) : NULL;

        if (r->kept->is_printed && kustomize_resource_print(r, &text, e) < 0)
            return -1;
        p->is_same = p->is_same && old->is_printed == r->kept->is_printed;
        p->plan->is_changed |= !p->is_same || !str_eq(old->text, buf_view(&text));
        kustomize_kept_set_text(p->kept, r->kept, &text);
    }
    return 0;
}

static int replace(struct kustomize_level *root, struct part *p, struct err *e)
{
    for (size_t i = 0; i < p->old.len; i++) {
        kustomize_kept_of(p->old.v[i])->leaf->made--;
        kustomize_kept_remove(p->kept, kustomize_kept_of(p->old.v[i]));
    }
    if (keep_all(p->plan, p->m, true, e) < 0 ||
        kustomize_name_references_among(&root->b, p->m, &p->kept->map, e) < 0)
        return -1;
    keep_all_names(p->plan, p->m);
    kustomize_finish_resources(&root->b, p->m);
    return print_new(p, e);
}

/* Nothing can fail any more. */
static void commit(struct part *p)
{
    if (!p->is_same)
        take_out_old(p);
    for (size_t i = 0; i < p->old.len; i++)
        kustomize_kept_free_text(p->kept, kustomize_kept_of(p->old.v[i]));
    kustomize_plan_commit(p->plan);
    if (p->is_same) {
        take_places(p);
    } else {
        kustomize_plan_prepare(p->plan);
        find_places(p);
    }
}

int kustomize_plan_finish_part(struct kustomize_level *root, struct kustomize_resmap *m,
                               struct err *e)
{
    struct kustomize_plan *plan = root->b.shared->plan;
    AUTO(part_done) struct part p = {.plan = plan, .kept = &plan->kept, .m = m};

    plan->is_changed = false;
    if (plan->is_blind || kustomize_hash(&root->b, m, e) < 0)
        return plan->is_blind ? err_set(e, ERR_CONFLICT, "not all that counts is noted") : -1;
    find_old(&p);
    if (is_traceless(&p))
        return err_set(e, ERR_CONFLICT, "an id cannot be traced");
    p.is_same = are_same(&p);
    p.has_order = kustomize_sort_order(&root->b, root->k, &p.order);
    if (!p.is_same && tell_others(&p, e) < 0)
        return -1;
    plan->is_broken = true;
    if (replace(root, &p, e) < 0)
        return -1;
    plan->is_broken = false;
    plan->is_changed |= p.old.len != kustomize_resmap_len(m);
    commit(&p);
    return 0;
}
