/* Growing arrays of any type. VEC(type) declares one in place; {0} is empty. Items are plain
 * values, the vector frees only its own storage (vec_done), not what the items point to. One thread
 * at a time.
 *
 *     VEC(struct step *) steps = {0};
 *     vec_push(&steps, s);
 *     for (size_t i = 0; i < steps.len; i++) use(steps.v[i]);
 *     vec_done(&steps); */
#pragma once
#include "base/mem.h"
#include "base/str.h"

#define VEC(type)        \
    struct {             \
        type *v;         \
        size_t len, cap; \
    }

#define vec_reserve(vec, extra)                                                     \
    ({                                                                              \
        if ((vec)->cap - (vec)->len < (size_t)(extra)) {                            \
            (vec)->cap = MAX((vec)->len + (extra), MAX((vec)->cap * 2, (size_t)8)); \
            (vec)->v = mem_realloc((vec)->v, (vec)->cap, sizeof(*(vec)->v));        \
        }                                                                           \
    })
#define vec_push(vec, ...)                                       \
    ({                                                           \
        vec_reserve(vec, 1);                                     \
        (vec)->v[(vec)->len++] = (typeof(*(vec)->v))__VA_ARGS__; \
    })
/* A pointer to a new, cleared last item. */
#define vec_add(vec)                                         \
    ({                                                       \
        vec_reserve(vec, 1);                                 \
        memset(&(vec)->v[(vec)->len], 0, sizeof(*(vec)->v)); \
        &(vec)->v[(vec)->len++];                             \
    })
#define vec_last(vec) ((vec)->v[(vec)->len - 1])
#define vec_remove(vec, at)                                                                      \
    ({                                                                                           \
        size_t at_ = (at);                                                                       \
        memmove(&(vec)->v[at_], &(vec)->v[at_ + 1], ((vec)->len - at_ - 1) * sizeof(*(vec)->v)); \
        (vec)->len--;                                                                            \
    })
#define vec_done(vec)                \
    ({                               \
        mem_free((vec)->v);          \
        (vec)->v = NULL;             \
        (vec)->len = (vec)->cap = 0; \
    })
#define vec_sort(vec, compare)                                       \
    ({                                                               \
        if ((vec)->len > 1)                                          \
            qsort((vec)->v, (vec)->len, sizeof(*(vec)->v), compare); \
    })

/* Named vectors that cross function borders. */
struct str_vec {
    str *v;
    size_t len, cap;
};
static inline void str_vec_done(struct str_vec *vec) { vec_done(vec); }
AUTO_VALUE(struct str_vec, str_vec_done)
