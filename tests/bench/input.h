/* Input files of benchmarks. */
#pragma once
#include "base/buf.h"

/* Appends a whole file; false, said on standard error, when it cannot be read. */
bool input_read(const char *path, struct buf *out);
