/* Compositions: `build` and `cfg consolidate`. */
#include "conformance/txtar.h"

SUITE(composition) { txtar_run_all(s); }
