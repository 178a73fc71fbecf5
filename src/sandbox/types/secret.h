/* What Secrets of a type must hold. Pure. */
#pragma once
#include "sandbox/priv.h"

void sb_secret_check(const struct doc_node *secret, struct sb_causes *c);
/* Names below `data` (and `binaryData`), of ConfigMaps too. */
void sb_data_keys_check(const struct doc_node *object, struct sb_causes *c);
