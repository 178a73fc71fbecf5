/* kustomize-build: the native function that needs the build engine, and so is no program of its
 * own (KRM functions spec 9). Any thread, one list at a time. */
#pragma once
#include "fn/native.h"

extern const struct fn_native fnlib_kustomize_build;
