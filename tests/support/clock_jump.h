/* A clock on which hours pass when a test says so, or once a child has made a file. With a deadline
 * of hours and a jump, what must come before the deadline comes before it however slow the machine
 * is, and nobody waits for it.
 *
 * Begin before the threads that look at the clock: whoever waits then looks again every millisecond
 * (clock_is_real). */
#pragma once
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "sys/clock.h"

#define CLOCK_HOUR (INT64_C(3600) * 1000) /* ms */

static _Atomic int64_t clock_jumped_ms, clock_each_ms;
static char clock_sign[256];

static clock_ms clock_with_jumps(void)
{
    struct timespec ts;
    clock_ms now;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    clock_jumped_ms += clock_each_ms;
    now = ts.tv_sec * 1000 + ts.tv_nsec / 1000000 + clock_jumped_ms;
    return clock_sign[0] && access(clock_sign, F_OK) == 0 ? now + 2 * CLOCK_HOUR : now;
}

/* sign: the file whose coming is a jump of two hours; NULL: none. */
static inline void clock_jumps_begin(const char *sign)
{
    clock_jumped_ms = clock_each_ms = 0;
    snprintf(clock_sign, sizeof(clock_sign), "%s", sign ? sign : "");
    clock_replace(clock_with_jumps);
}

static inline void clock_jump(int64_t ms) { clock_jumped_ms += ms; }
/* From now on at each look at the clock. */
static inline void clock_jump_each(int64_t ms) { clock_each_ms = ms; }
static inline void clock_jumps_end(void) { clock_replace(NULL); }
