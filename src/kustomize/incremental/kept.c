#include "kustomize/incremental/kept.h"

#include "base/buf.h"
#include "base/hash.h"

enum { WORTH_CLOSING = 64 };

static const str divider = STR_INIT("---\n");

/* ---- one */

static str dup_text(struct kustomize_kept_set *set, str text)
{
    return text.len ? arena_dup(&set->set->arena, text) : STR_NONE;
}

/* No more than is needed: there are many of them. */
static void reserve(struct kustomize_kept_set *set, struct kustomize_resource *r, uint32_t previous)
{
    r->previous = ARENA_ARRAY(&set->set->arena, struct res_id, previous);
    r->previous_cap = previous;
    r->indexed_cap = 1 + 3 * (previous + 1); /* its kind; of each id three hashes */
    r->indexed = ARENA_ARRAY(&set->set->arena, uint32_t, r->indexed_cap);
}

struct kustomize_kept *kustomize_kept_new(struct kustomize_kept_set *set,
                                          const struct kustomize_resource *r)
{
    struct kustomize_kept *kept;

    if (!set->set)
        set->set = doc_set_new();
    kept = ARENA_NEW(&set->set->arena, struct kustomize_kept);
    kept->r.set = set->set;
    kept->r.id =
        (struct res_id){.gvk = {dup_text(set, r->id.gvk.group), dup_text(set, r->id.gvk.version),
                                dup_text(set, r->id.gvk.kind)},
                        .name = dup_text(set, r->id.name),
                        .ns = dup_text(set, r->id.ns)};
    kept->r.scope = res_effective_ns(&kept->r.id);
    reserve(set, &kept->r, r->previous_count);
    kustomize_resource_take_history(&kept->r, r);
    kept->r.is_traceless = r->is_traceless;
    kept->leaf = r->leaf;
    kept->round = set->round;
    return kept;
}

void kustomize_kept_free_text(struct kustomize_kept_set *set, struct kustomize_kept *kept)
{
    if (kept->own)
        set->own_len -= kept->text.len;
    mem_free(kept->own);
    kept->own = NULL;
    kept->text = STR_NONE;
}

void kustomize_kept_set_text(struct kustomize_kept_set *set, struct kustomize_kept *kept,
                             struct buf *text)
{
    kustomize_kept_free_text(set, kept);
    kept->text.len = text->len;
    kept->own = buf_take(text);
    kept->text.p = kept->own;
    set->own_len += kept->text.len;
}

void kustomize_kept_remove(struct kustomize_kept_set *set, struct kustomize_kept *kept)
{
    kustomize_resmap_remove(&set->map, &kept->r);
    set->gone++;
}

bool kustomize_kept_asked(const struct kustomize_kept *kept, uint32_t name)
{
    for (uint32_t i = 0; i < kept->name_count; i++)
        if (kept->names[i] == name)
            return true;
    return false;
}

/* ---- who it is */

static bool is_like(const struct res_id *a, const struct res_id *b)
{
    return str_eq(a->name, b->name) && str_eq(a->ns, b->ns) && res_gvk_eq(&a->gvk, &b->gvk);
}

static bool are_alike(const struct kustomize_texts *a, const struct kustomize_texts *b)
{
    if (a->len != b->len)
        return false;
    for (uint32_t i = 0; i < a->len; i++)
        if (!str_eq(a->v[i], b->v[i]))
            return false;
    return true;
}

bool kustomize_kept_is_like(const struct kustomize_kept *kept, const struct kustomize_resource *r)
{
    const struct kustomize_resource *k = &kept->r;

    if (k->previous_count != r->previous_count || !is_like(&k->id, &r->id))
        return false;
    for (uint32_t i = 0; i < k->previous_count; i++)
        if (!is_like(&k->previous[i], &r->previous[i]))
            return false;
    return are_alike(&k->prefixes, &r->prefixes) && are_alike(&k->suffixes, &r->suffixes);
}

static void print_text(str text, struct buf *out)
{
    buf_addf(out, "%zu:%.*s", text.len, STR_ARG(text));
}

static void print_id(const struct res_id *id, struct buf *out)
{
    print_text(id->gvk.group, out);
    print_text(id->gvk.version, out);
    print_text(id->gvk.kind, out);
    print_text(id->ns, out);
    print_text(id->name, out);
}

static void print_texts(const struct kustomize_texts *texts, struct buf *out)
{
    buf_addf(out, "%u,", texts->len);
    for (uint32_t i = 0; i < texts->len; i++)
        print_text(texts->v[i], out);
}

void kustomize_kept_print(const struct kustomize_resource *r, struct buf *out)
{
    print_id(&r->id, out);
    print_texts(&r->prefixes, out);
    print_texts(&r->suffixes, out);
    for (uint32_t i = 0; i < r->previous_count; i++)
        print_id(&r->previous[i], out);
}

/* ---- all */

void kustomize_kept_done(struct kustomize_kept_set *set)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(&set->map, &at));)
        mem_free(kustomize_kept_of(r)->own);
    kustomize_resmap_done(&set->map);
    vec_done(&set->order);
    mem_free(set->block);
    doc_set_free(set->set);
    *set = (struct kustomize_kept_set){0};
}

/* Whether b follows a in the block, with the divider between them. */
static bool is_next(const struct kustomize_kept *a, const struct kustomize_kept *b)
{
    return !a->own && !b->own && a->text.p + a->text.len + divider.len == b->text.p;
}

void kustomize_kept_text(const struct kustomize_kept_set *set, struct str_vec *ret)
{
    for (size_t i = 0; i < set->order.len; i++) {
        const struct kustomize_kept *kept = set->order.v[i];

        if (i && is_next(set->order.v[i - 1], kept)) {
            vec_last(ret).len += divider.len + kept->text.len;
            continue;
        }
        if (i)
            vec_push(ret, divider);
        vec_push(ret, kept->text);
    }
}

/* One block again. */
static void join_texts(struct kustomize_kept_set *set)
{
    AUTO(buf_done) struct buf all = {0};
    size_t at = 0;

    for (size_t i = 0; i < set->order.len; i++) {
        buf_add_str(&all, i ? divider : STR_NONE);
        buf_add_str(&all, set->order.v[i]->text);
    }
    mem_free(set->block);
    set->block_len = all.len;
    set->block = buf_take(&all);
    for (size_t i = 0; i < set->order.len; i++) {
        struct kustomize_kept *kept = set->order.v[i];

        mem_free(kept->own);
        kept->own = NULL;
        at += i ? divider.len : 0;
        kept->text.p = set->block + at;
        at += kept->text.len;
    }
    set->own_len = 0;
}

/* The copy takes everything over that can be moved. */
static struct kustomize_kept *move(struct kustomize_kept_set *to, struct kustomize_kept *from)
{
    struct kustomize_kept *kept = kustomize_kept_new(to, &from->r);

    kept->leaf = from->leaf;
    kept->ordinal = from->ordinal;
    kept->name_count = from->name_count;
    kept->names = ARENA_ARRAY(&to->set->arena, uint32_t, from->name_count);
    if (from->name_count)
        memcpy(kept->names, from->names, from->name_count * sizeof(*kept->names));
    kept->is_printed = from->is_printed;
    kept->round = from->round;
    kept->place = from->place;
    kept->text = from->text;
    kept->own = TAKE(from->own);
    return kept;
}

static void move_all(struct kustomize_kept_set *set)
{
    struct kustomize_kept_set to = {.round = set->round,
                                    .block = set->block,
                                    .block_len = set->block_len,
                                    .own_len = set->own_len};
    AUTO(err_done) struct err e = {0};
    struct kustomize_resource *r;

    vec_reserve(&to.order, set->order.len);
    to.order.len = set->order.len;
    for (size_t at = 0; (r = kustomize_resmap_next(&set->map, &at));) {
        struct kustomize_kept *kept = move(&to, kustomize_kept_of(r));
        int rc = kustomize_resmap_append(&to.map, &kept->r, &e);

        assert(rc == 0);
        (void)rc;
        if (kept->is_printed)
            to.order.v[kept->place] = kept;
    }
    set->block = NULL;
    kustomize_kept_done(set);
    *set = to;
}

void kustomize_kept_trim(struct kustomize_kept_set *set)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    typeof(set->map.entries) *entries = &set->map.entries;

    kustomize_resmap_by_kind(&set->map, STR("Pod"), &found); /* it is filled when it is asked */
    entries->cap = entries->len;
    entries->v = mem_realloc(entries->v, MAX(entries->cap, (size_t)1), sizeof(*entries->v));
}

void kustomize_kept_close(struct kustomize_kept_set *set)
{
    if (set->own_len > set->block_len / 4 + 4096)
        join_texts(set);
    if (set->gone > kustomize_resmap_len(&set->map) / 4 + WORTH_CLOSING)
        move_all(set);
}
