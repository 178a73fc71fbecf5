/* Containers: the command line that runs an image through docker, podman or nerdctl (KRM functions
 * spec 6). Any thread; looks at the environment and PATH. */
#pragma once
#include "fn/runner.h"

/* The words that run spec's image, in the arena: those of spec 6, and a name that nobody else has,
 * *name, by which the container can be removed. mounts with a relative source are below dir (NULL:
 * the current folder). ERR_INVALID on a name that is no image reference, ERR_NOT_FOUND when there
 * is no container program. */
int fn_container_argv(struct arena *a, const struct fn_runner *r, const struct fn_spec *spec,
                      const char *dir, struct str_vec *ret, str *name, struct err *e) MUST_CHECK;
/* Ends and removes a container whose program was ended before it: a signal to that program ends
 * neither a daemon's container nor a process that ignores it. program: the first of the words. */
void fn_container_remove(struct arena *a, str program, str name);
/* The path of the container program: GRAPNEL_FN_RUNTIME, KPT_FN_RUNTIME, or the first on PATH. */
int fn_container_program(struct arena *a, str *ret, struct err *e) MUST_CHECK;
/* The full name: the catalogue's registry before a name without a slash. */
str fn_image_name(struct arena *a, str image);
/* Is this an image reference: host with port, path, tag, digest? */
bool fn_is_image(str image);
/* What the container program wrote about pulling before anything else is cut off; returns the rest.
 */
str fn_without_pull_lines(str err);
