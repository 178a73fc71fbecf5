#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    apply_replacements, "apply-replacements", "copies values from field to field",
    "Takes the value of one resource's field (or a part of it, or a fixed text) and puts it into\n"
    "fields of others, as the replacements of a kustomization do.\n"
    "\n"
    "functionConfig: ApplyReplacements with replacements: a list of {source, targets} with source\n"
    "{group, version, kind, name, namespace, fieldPath, options} or sourceValue, and targets of\n"
    "{select, reject, fieldPaths, options}.");

static int run(gfn_ctx *ctx)
{
    return gfn_replace(ctx, gfn_child(gfn_config(ctx), "replacements"));
}

static const gfn_kind_of kinds[] = {{FNLIB_V1, "ApplyReplacements"}};
const gfn_desc fnlib_apply_replacements = {FNLIB_DESC(apply_replacements), .run = run,
                                           .kinds = kinds, .kind_count = FNLIB_LEN(kinds)};
