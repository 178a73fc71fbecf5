#include "fn/wire.h"

#include "base/map.h"
#include "base/vec.h"
#include "doc/kyaml/merge.h"
#include "res/id.h"
#include "res/schema.h"

void fn_wire_done(struct fn_wire *w)
{
    mem_free(w->first);
    mem_free(w->items);
    *w = (struct fn_wire){0};
}

int fn_wire_begin(struct fn_wire *w, struct fn_list *list, struct err *e)
{
    w->list = list;
    w->count = list->items.len;
    w->first = mem_zalloc((w->count + 1) * sizeof(*w->first));
    w->items = mem_zalloc((w->count + 1) * sizeof(*w->items));
    for (size_t i = 0; i < w->count; i++) {
        w->items[i] = list->items.v[i];
        w->first[i] = fn_spellings_of(w->items[i]);
        if (fn_spellings_check(&w->first[i], e) < 0)
            return -1;
    }
    return 0;
}

void fn_wire_complete(struct fn_wire *w)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct fn_spellings *s = &w->first[i];

        if (s->internal[0].len != s->legacy[0].len || s->internal[1].len != s->legacy[1].len)
            fn_spellings_complete(w->list->set, w->items[i]);
    }
}

void fn_wire_send(struct fn_wire *w, bool completes)
{
    struct doc_set *set = w->list->set;

    if (completes)
        fn_wire_complete(w);
    for (size_t i = 0; i < w->count; i++) {
        str id = arena_printf(&set->arena, "%zu", i + 1);

        fn_annotate(set, w->items[i], STR(FN_ID), id);
        fn_annotate(set, w->items[i], STR(FN_LEGACY_ID), id);
    }
}

static void drop_ids(struct doc_node *item)
{
    fn_unannotate(item, STR(FN_ID));
    fn_unannotate(item, STR(FN_LEGACY_ID));
}

void fn_wire_undo(struct fn_wire *w)
{
    for (size_t i = 0; i < w->count; i++) {
        drop_ids(w->items[i]);
        fn_spellings_restore(w->items[i], &w->first[i]);
    }
}

/* ---- who is whose partner */

enum { NOBODY = -1 };

struct partners {
    bool *taken;      /* by input */
    ssize_t *of;      /* by output: place of the input, or NOBODY */
    struct map by_id; /* text of path, index and kind to the place + 1; made when needed */
    struct arena arena;
};

static void partners_done(struct partners *p)
{
    mem_free(p->taken);
    mem_free(p->of);
    map_done(&p->by_id);
    arena_done(&p->arena);
}
AUTO_VALUE(struct partners, partners_done)

static void take(struct partners *p, size_t output, size_t input)
{
    p->taken[input] = true;
    p->of[output] = (ssize_t)input;
}

static bool partner_by_id(const struct fn_wire *w, struct partners *p, size_t output,
                          const struct doc_node *item)
{
    str text = fn_annotation(item, STR(FN_ID));
    uint64_t id;

    if (!text.len)
        text = fn_annotation(item, STR(FN_LEGACY_ID));
    if (!str_to_uint64(text, &id) || id < 1 || id > w->count || p->taken[id - 1])
        return text.len > 0;
    take(p, output, id - 1);
    return true;
}

static str place_text(struct arena *a, const struct doc_node *item)
{
    struct res_id id = res_id_of(item);
    str path = fn_path_of(item);

    if (!path.len)
        return STR_NONE;
    return arena_printf(a, "%.*s\n%lld\n%.*s\n%.*s", STR_ARG(path), (long long)fn_index_of(item),
                        STR_ARG(id.gvk.kind), STR_ARG(id.name));
}

/* A function that drops annotations it does not know keeps path and index at least. */
static void partner_by_place(const struct fn_wire *w, struct partners *p, size_t output,
                             const struct doc_node *item)
{
    uintptr_t at;

    if (!p->by_id.len)
        for (size_t i = 0; i < w->count; i++) {
            str place = place_text(&p->arena, w->items[i]);

            if (place.len)
                map_put(&p->by_id, place, (void *)(uintptr_t)(i + 1));
        }
    at = (uintptr_t)map_get(&p->by_id, place_text(&p->arena, item));
    if (at && !p->taken[at - 1])
        take(p, output, at - 1);
}

static void find_partners(const struct fn_wire *w, const struct fn_list *from, struct partners *p)
{
    bool *has_id = mem_zalloc(from->items.len + 1);

    p->taken = mem_zalloc(w->count + 1);
    p->of = mem_zalloc((from->items.len + 1) * sizeof(*p->of));
    for (size_t i = 0; i < from->items.len; i++) {
        p->of[i] = NOBODY;
        has_id[i] = partner_by_id(w, p, i, from->items.v[i]);
    }
    for (size_t i = 0; i < from->items.len; i++)
        if (!has_id[i])
            partner_by_place(w, p, i, from->items.v[i]);
    mem_free(has_id);
}

/* ---- what comes back */

/* What the function saw of the item's spellings. */
static struct fn_spellings as_sent(const struct fn_spellings *first)
{
    struct fn_spellings s = *first;

    for (size_t i = 0; i < 2; i++) {
        if (!s.internal[i].len)
            s.internal[i] = s.legacy[i];
        if (!s.legacy[i].len)
            s.legacy[i] = s.internal[i];
    }
    return s;
}

static bool has_same_comments(const struct doc_node *a, const struct doc_node *b)
{
    static const struct doc_extra none;
    const str *x = &(a->extra ? a->extra : &none)->head, *y = &(b->extra ? b->extra : &none)->head;

    if (a->extra == b->extra) /* both have none */
        return true;
    for (size_t i = 0; i < offsetof(struct doc_extra, tag) / sizeof(str); i++)
        if (!str_eq(x[i], y[i]))
            return false;
    return true;
}

/* The same in all that counts, order of keys and comments included: most items come back so. */
static bool is_untouched(const struct doc_node *a, const struct doc_node *b)
{
    struct doc_iter x = doc_children(a), y = doc_children(b);

    if (doc_type(a) != doc_type(b) || doc_len(a) != doc_len(b) || !has_same_comments(a, b))
        return false;
    if (doc_is_scalar(a))
        return str_eq(doc_text(a, STR_NONE), doc_text(b, STR_NONE));
    while (doc_next(&x) && doc_next(&y))
        if (!str_eq(x.key, y.key) || !is_untouched(x.value, y.value))
            return false;
    return true;
}

/* 1 when the item is new, or is to be stored elsewhere. */
static int mend(struct fn_wire *w, struct doc_node *item, ssize_t input, struct err *e)
{
    struct doc_set *set = w->list->set;
    struct fn_spellings sent;
    int rc;

    if (input == NOBODY) {
        drop_ids(item);
        return fn_spellings_reconcile(set, item, NULL, e);
    }
    sent = as_sent(&w->first[input]);
    if (doc_copy_comments(set, w->items[input], item, res_kustomize_schema(), e) < 0 ||
        doc_copy_order(set, w->items[input], item, e) < 0)
        return -1;
    rc = fn_spellings_reconcile(set, item, &sent, e);
    drop_ids(item);
    fn_spellings_restore(item, &w->first[input]);
    return rc;
}

static int name_item(struct err *e, const struct doc_node *item)
{
    struct res_id id = res_id_of(item);

    return err_wrap(e, "%.*s %.*s", STR_ARG(id.gvk.kind), STR_ARG(id.name));
}

static int mend_all(struct fn_wire *w, struct fn_list *from, struct partners *p, struct err *e)
{
    w->list->keeps_places = true;
    for (size_t i = 0; i < from->items.len; i++) {
        struct doc_node *item = from->items.v[i];
        int rc = 0;

        if (p->of[i] != NOBODY && is_untouched(w->items[p->of[i]], item))
            from->items.v[i] = NULL; /* the one that went in stays */
        else
            rc = mend(w, item, p->of[i], e);
        if (rc < 0)
            return name_item(e, item);
        if (rc > 0)
            w->list->keeps_places = false;
    }
    return 0;
}

int fn_wire_receive(struct fn_wire *w, struct fn_list *from, struct err *e)
{
    AUTO(partners_done) struct partners p = {0};
    struct doc_list *items = &w->list->items;

    find_partners(w, from, &p);
    if (mend_all(w, from, &p, e) < 0)
        return -1;
    items->len = 0;
    for (size_t i = 0; i < from->items.len; i++) {
        struct doc_node *item = from->items.v[i];
        ssize_t input = p.of[i];

        if (!item) {
            item = w->items[input];
            drop_ids(item);
            fn_spellings_restore(item, &w->first[input]);
        } else if (input != NOBODY) {
            doc_replace(w->items[input], item);
            item = w->items[input];
        }
        vec_push(items, item);
    }
    return 0;
}

static int by_pointer(const void *a, const void *b)
{
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;

    return x < y ? -1 : x > y;
}

int fn_wire_settle(struct fn_wire *w, struct err *e)
{
    VEC(uintptr_t) places = {0}; /* pairs: node, place */
    struct doc_list *items = &w->list->items;
    int rc = 0;

    for (size_t i = 0; i < w->count; i++) {
        vec_push(&places, (uintptr_t)w->items[i]);
        vec_push(&places, i);
    }
    if (w->count > 1)
        qsort(places.v, w->count, 2 * sizeof(*places.v), by_pointer);
    w->list->keeps_places = true;
    for (size_t i = 0; i < items->len && rc >= 0; i++) {
        struct doc_node *item = items->v[i];
        uintptr_t key = (uintptr_t)item;
        uintptr_t *found =
            w->count ? bsearch(&key, places.v, w->count, 2 * sizeof(*places.v), by_pointer) : NULL;
        struct fn_spellings sent = {0};

        if (fn_check_resource(item, fn_path_of(item), e) < 0) {
            rc = err_wrap(e, "function must return only KRM resources: items[%zu]", i);
            break;
        }
        if (found)
            sent = as_sent(&w->first[found[1]]);
        rc = fn_spellings_reconcile(w->list->set, item, found ? &sent : NULL, e);
        if (rc > 0)
            w->list->keeps_places = false;
        if (rc < 0)
            name_item(e, item);
        else if (found)
            fn_spellings_restore(item, &w->first[found[1]]);
    }
    vec_done(&places);
    return rc < 0 ? -1 : 0;
}
