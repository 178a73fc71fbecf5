/* Writing the files of an archive into a folder: `pull --untar`. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* Makes DIR/NAME, NAME being that of the chart, and writes the chart's files into it; archives
 * inside stay archives. ERR_EXISTS when it is there. Every path is judged as when the chart is
 * loaded. Appends DIR/NAME. Blocking; any thread. */
int chart_unpack(str archive, const char *dir, struct buf *ret_path, struct err *e) MUST_CHECK;
