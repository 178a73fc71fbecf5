/* Patterns of paths: "*" inside a part, "**" across, "?", "[ab]", "[!a]", "{x,y}", "\" escapes
 * (template spec 15.4). Pure. */
#pragma once
#include "re/re.h"

/* An expression that matches the whole of a path; NULL for a pattern that is none: it matches
 * everything. */
struct re *glob_compile(str pattern);
