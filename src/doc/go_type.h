/* What Go calls the types of values, for messages that have to read as those of programs in Go.
 * Any thread. */
#pragma once
#include "doc/node.h"

/* "map[string]interface {}"; "<nil>" for null and NULL. A number is "float64": who tells whole
 * numbers apart asks before. Static text. */
const char *doc_go_type(const struct doc_node *n);
