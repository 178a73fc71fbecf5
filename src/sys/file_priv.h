/* What the file sources and their tests share. */
#pragma once
#include "sys/file.h"

/* file_open_beneath without openat2: one name after the other. The descriptor, or -1 with errno,
 * EXDEV for what leads out. */
int file_open_by_steps(int root_fd, const char *path, int flags);
