/* ISO dates and times as go-yaml v3 takes them for timestamps. Pure. */
#pragma once
#include "doc/node.h"

/* When s is a timestamp, n becomes a string in RFC 3339 form: "2001-1-4" gives
 * "2001-01-04T00:00:00Z". */
bool yaml_time(str s, struct arena *arena, struct doc_node *n);
