#include "sys/clock.h"

#include <stdatomic.h>
#include <time.h>

#include "base/time.h"

typedef clock_ms clock_fn(void);
static _Atomic(clock_fn *) replacement;

static int64_t read_us(clockid_t id)
{
    struct timespec ts;

    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

clock_ms clock_now(void)
{
    clock_fn *now = atomic_load_explicit(&replacement, memory_order_acquire);

    return now ? now() : read_us(CLOCK_MONOTONIC) / 1000;
}

int64_t clock_now_us(void) { return read_us(CLOCK_MONOTONIC); }

bool clock_is_real(void) { return !atomic_load_explicit(&replacement, memory_order_acquire); }

void clock_replace(clock_ms (*now)(void))
{
    atomic_store_explicit(&replacement, now, memory_order_release);
}

clock_ms clock_after(int64_t ms)
{
    clock_ms now = clock_now();

    if (ms <= 0)
        return now;
    return ms >= CLOCK_NEVER - now ? CLOCK_NEVER : now + ms;
}

int64_t clock_left(clock_ms deadline)
{
    clock_ms now;

    if (deadline == CLOCK_NEVER)
        return CLOCK_NEVER;
    now = clock_now();
    return deadline > now ? deadline - now : 0;
}

int64_t clock_wall_ms(void) { return read_us(CLOCK_REALTIME) / 1000; }

int64_t clock_wall_us(void) { return read_us(CLOCK_REALTIME); }

void clock_rfc3339(int64_t wall_ms, int fraction_digits, struct buf *out)
{
    time_rfc3339_us(wall_ms * 1000, fraction_digits, out);
}

bool clock_parse_rfc3339(str text, int64_t *ret_wall_ms)
{
    return time_parse_rfc3339(text, ret_wall_ms);
}
