/* Renaming every item that may have another name: the references follow. One context, one thread.
 */
#pragma once
#include "fnlib/fnlib.h"

/* The name that an item is to have; the same when nothing changes. */
typedef const char *fnlib_name_fn(void *user, gfn_ctx *ctx, const char *name);
int fnlib_rename(gfn_ctx *ctx, fnlib_name_fn *name, void *user);
