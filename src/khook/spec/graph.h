/* The graph of steps as text (khook spec 18.8). Pure; to be masked by who prints it. */
#pragma once
#include "base/buf.h"
#include "khook/spec/spec.h"

#define KHOOK_GRAPH_FORMATS "mermaid dot"

/* False when the format is none of KHOOK_GRAPH_FORMATS. */
bool khook_graph(const struct khook_spec *spec, str format, struct buf *out);
