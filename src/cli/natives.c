/* The one place that knows where the native functions come from. */
#include "cli/fn_flags.h"

const struct fn_native *const *cli_natives(void) { return NULL; }
