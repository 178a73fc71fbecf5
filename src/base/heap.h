/* The heap of a process that will need some megabytes, all of them at once. */
#pragma once
#include <stdbool.h>

/* Asks the kernel for huge pages below what malloc hands out from now on, to all threads: a page
 * fault costs 1.8 us and a huge page as much as 35 of them, so this pays from 150 KB on. A wish:
 * where there are none, or no room, nothing changes. Before threads are started; not for processes
 * that live on, since memory that is freed stays theirs. */
void heap_expect_megabytes(void);
bool heap_is_huge(void); /* whether that was called and granted */
