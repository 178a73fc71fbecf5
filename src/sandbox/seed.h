/* What a cluster has from its first minute: namespaces, a Node, the API's own Service. */
#pragma once
#include "sandbox/priv.h"

/* Makes what is missing. Before any thread runs. */
void sb_seed(struct sandbox *sb);
