#include "re/re_priv.h"

void re_set_done(struct re_set *set) { vec_done(set); }

void re_set_add(struct re_set *set, uint32_t lo, uint32_t hi) { vec_push(set, {lo, hi}); }

/* Everything that differs from c in case only. */
static void add_orbit(struct re_set *set, uint32_t c)
{
    for (uint32_t next = re_unicode_fold(c); next != c; next = re_unicode_fold(next))
        re_set_add(set, next, next);
}

void re_set_add_fold(struct re_set *set, uint32_t lo, uint32_t hi)
{
    re_set_add(set, lo, hi);
    for (size_t i = re_unicode_fold_row(lo); i < re_fold_count && re_folds[i].lo <= hi; i++) {
        const struct re_fold *f = &re_folds[i];

        for (uint32_t c = f->lo; c <= f->hi && c <= hi; c += f->stride)
            if (c >= lo)
                add_orbit(set, c);
    }
}

static int by_lo(const void *a, const void *b)
{
    const struct re_range *x = a, *y = b;

    return x->lo != y->lo ? (x->lo < y->lo ? -1 : 1) : (x->hi > y->hi) - (x->hi < y->hi);
}

void re_set_normalize(struct re_set *set)
{
    size_t len = 0;

    vec_sort(set, by_lo);
    for (size_t i = 0; i < set->len; i++) {
        if (len && set->v[i].lo <= set->v[len - 1].hi + 1)
            set->v[len - 1].hi = MAX(set->v[len - 1].hi, set->v[i].hi);
        else
            set->v[len++] = set->v[i];
    }
    set->len = len;
}

void re_set_negate(struct re_set *set)
{
    struct re_set other = {0};
    uint32_t next = 0;

    for (size_t i = 0; i < set->len; i++) {
        if (set->v[i].lo > next)
            re_set_add(&other, next, set->v[i].lo - 1);
        next = set->v[i].hi + 1;
    }
    if (next <= RE_MAX_RUNE)
        re_set_add(&other, next, RE_MAX_RUNE);
    re_set_done(set);
    *set = other;
}
