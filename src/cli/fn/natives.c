/* The one place that knows where the native functions come from. */
#include "cli/fn/flags.h"
#include "fnlib/table.h"

const struct fn_native *const *cli_natives(void) { return fnlib_all; }
