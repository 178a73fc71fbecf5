/* All native functions, for the orchestrator (fn/native.h). Constant data; any thread. */
#pragma once
#include "fn/native.h"

extern const struct fn_native *const fnlib_all[]; /* NULL at the end */
