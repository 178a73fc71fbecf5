/* Services: their defaults, and what they give up when their type changes. Under the lock. */
#pragma once
#include "sandbox/priv.h"

void sb_service_default(struct doc_set *set, struct doc_node *object);
/* Fills in addresses and node ports: those of old (NULL: it is new), else free ones. What the type
 * has no use for goes. */
void sb_service_prepare(struct sandbox *sb, struct doc_set *set, struct doc_node *object,
                        const struct doc_node *old);
/* Has a Service of this specification addresses in the cluster? All but ExternalName do. */
bool sb_service_is_inside(const struct doc_node *spec);
