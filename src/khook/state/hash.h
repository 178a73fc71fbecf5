/* Hashes that say whether a step or a spec changed (khook spec 7.3, 7.4). They read the local files
 * that a step refers to. Any thread. */
#pragma once
#include "khook/spec/spec.h"

/* Appends "sha256:" and 64 hex digits; nothing when a referenced file cannot be read. base_dir is
 * where relative paths begin; empty: the working directory. */
void khook_step_hash(const struct khook_step *step, str base_dir, struct buf *out);
void khook_spec_hash(const struct khook_spec *spec, struct buf *out);
