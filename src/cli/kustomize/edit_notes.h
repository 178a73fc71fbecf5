/* What edits tell the user: a warning a line, on stderr. Main thread. */
#pragma once
#include "cli/output.h"

void cli_print_notes(str lines);
