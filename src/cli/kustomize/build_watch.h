/* `grapnel build --watch`: builds, writes, waits for a change, until it is interrupted. Main
 * thread. */
#pragma once
#include "cli/command.h"
#include "kustomize/build.h"

int cli_build_watch(const struct cli *cli, const char *target,
                    const struct kustomize_options *options, struct err *e) MUST_CHECK;
