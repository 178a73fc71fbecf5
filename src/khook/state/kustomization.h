/* What a kustomization reaches outside of its own folder (khook spec 7.3.4): found by reading its
 * file, and those of the folders it leads to, without building anything. Reads files; any thread,
 * one reach at a time. */
#pragma once
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

struct khook_reach {
    struct str_vec paths; /* files and folders, each ended by NUL, in order of discovery */
    struct arena arena;   /* of the texts */
    struct map seen;
};
/* Appends to reach. What cannot be read is left out: the step itself will say so. */
void khook_kustomization_reach(const char *folder, struct khook_reach *reach);
void khook_reach_done(struct khook_reach *reach); /* leaves {0} */
AUTO_VALUE(struct khook_reach, khook_reach_done)
