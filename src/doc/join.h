/* Document sets made side by side, one for each thread, that go on as one. */
#pragma once
#include "doc/node.h"

/* Moves all of from, which is empty then, into set: its nodes live as long as set from now on.
 * doc_place no longer tells where they were read: spans count in sources that set does not know.
 * Neither is in use by another thread. */
void doc_set_join(struct doc_set *set, struct doc_set *from);
