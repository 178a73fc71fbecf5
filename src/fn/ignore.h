/* .krmignore files: gitignore syntax, each for its folder and below; the last pattern that fits
 * decides. Pure. */
#pragma once
#include "base/arena.h"
#include "base/vec.h"

struct fn_ignore_rule {
    str folder;  /* of the file, below the root; empty for the root's */
    str pattern; /* without '!', slashes at both ends */
    bool is_negated, is_for_folders, is_anchored;
};
struct fn_ignore {
    struct arena arena;
    VEC(struct fn_ignore_rule) rules;
};
void fn_ignore_done(struct fn_ignore *ignore); /* leaves {0} */
AUTO_VALUE(struct fn_ignore, fn_ignore_done)

/* Adds the rules of a file that lies in folder ("" or "a/b"); both are copied. */
void fn_ignore_add(struct fn_ignore *ignore, str folder, str text);
/* Is the path, below the root, to be left out? Its folders are to be asked first. */
bool fn_ignore_has(const struct fn_ignore *ignore, str path, bool is_folder);
