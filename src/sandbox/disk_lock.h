/* The lock of a data file. */
#pragma once
#include "base/err.h"

/* A descriptor that holds the lock of the file (made when it is not there) until it is closed, by
 * file_close after SQLite has let go of the file. ERR_CONFLICT names the process that has it. */
int sb_disk_lock(const char *path, struct err *e) MUST_CHECK;
