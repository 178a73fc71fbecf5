/* Heap memory that never fails: out of memory ends the process with a message, so callers never
 * test for it. Sizes that come from outside have limits of their own; a product that overflows ends
 * the process too. Any thread. */
#pragma once
#include "base/base.h"

void *mem_alloc(size_t size) __attribute__((malloc, returns_nonnull)); /* not cleared */
/* For blocks of some megabytes that will be filled: asks the kernel for huge pages, which spares
 * most of the page faults and of the lookups of addresses. Not cleared; mem_free frees it. */
void *mem_alloc_large(size_t size) __attribute__((malloc, returns_nonnull));
enum { MEM_LARGE = 2 << 20 }; /* from here on: the size of a huge page */
void *mem_zalloc(size_t size) __attribute__((malloc, returns_nonnull)); /* cleared */
void *mem_realloc(void *p, size_t count, size_t size) __attribute__((returns_nonnull));
char *mem_strndup(const char *s, size_t len) __attribute__((malloc, returns_nonnull));
char *mem_strdup(const char *s) __attribute__((malloc, returns_nonnull));
void mem_free(void *p); /* NULL is fine */
AUTO_PTR(void, mem_free)
static inline void mem_free_str(char *p) { mem_free(p); }
AUTO_PTR(char, mem_free_str)

#define NEW(type) ((type *)mem_zalloc(sizeof(type)))
