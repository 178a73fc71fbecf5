/* libre2 behind C functions: what the tests of re/ compare with. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct oracle;
/* NULL when libre2 refuses the pattern; *ret_too_large says that only its size was the reason. */
struct oracle *oracle_new(const char *pattern, size_t len, bool is_literal, bool *ret_too_large);
void oracle_free(struct oracle *o);
int oracle_groups(const struct oracle *o);
/* Leftmost-first match in text[from..]; spans: 2 * count offsets, -1 where a group took no part. */
bool oracle_find(const struct oracle *o, const char *text, size_t len, size_t from, long *spans,
                 int count);
bool oracle_full(const struct oracle *o, const char *text, size_t len);

#ifdef __cplusplus
}
#endif
