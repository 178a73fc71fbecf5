/* What every file needs: attributes, scope-bound clean-up, small macros.
 *
 * AUTO(destructor) in front of a declaration runs the destructor when the scope ends. A header
 * makes a destructor fit for it with AUTO_PTR(type, destructor) for owned pointers and
 * AUTO_VALUE(type, destructor) for values. TAKE(p) hands an owned pointer on and leaves NULL
 * behind. */
#pragma once
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/banned.h"

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define UNUSED __attribute__((unused))
#define PURE __attribute__((pure))

#define AUTO(destructor) __attribute__((cleanup(destructor##_auto)))
#define AUTO_PTR(type, destructor) \
    static inline void destructor##_auto(type **p) { destructor(*p); }
#define AUTO_VALUE(type, destructor) \
    static inline void destructor##_auto(type *p) { destructor(p); }

#define TAKE(p)                 \
    ({                          \
        typeof(p) taken_ = (p); \
        (p) = NULL;             \
        taken_;                 \
    })

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
/* Unique names, so that calls nest without shadowing. */
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define PICK_(x, y, op, a, b) \
    ({                        \
        typeof(a) x = (a);    \
        typeof(b) y = (b);    \
        x op y ? x : y;       \
    })
#define MIN(a, b) PICK_(PASTE(min_a_, __COUNTER__), PASTE(min_b_, __COUNTER__), <, a, b)
#define MAX(a, b) PICK_(PASTE(max_a_, __COUNTER__), PASTE(max_b_, __COUNTER__), >, a, b)
#define CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
