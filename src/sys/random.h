/* Random numbers from the kernel; tests replace the source. Any thread. */
#pragma once
#include "base/buf.h"

void random_bytes(void *p, size_t len);
uint64_t random_u64(void);
uint64_t random_below(uint64_t limit); /* evenly in [0, limit), limit > 0 */
/* length letters and digits that API servers append to generateName: no vowels, no 0, 1, 3. */
void random_suffix(size_t length, struct buf *out);
void random_replace(void (*fill)(void *p, size_t len)); /* NULL: the kernel again */
