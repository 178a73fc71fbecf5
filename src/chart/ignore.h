/* .helmignore: which files of a chart's folder do not belong to it (helm spec 2). Immutable once
 * read; borrows the text. */
#pragma once
#include "base/err.h"
#include "base/vec.h"

enum chart_ignore_shape {
    CHART_IGNORE_GLOB,
    CHART_IGNORE_LITERAL, /* no special characters: the text itself */
    CHART_IGNORE_ENDING,  /* one '*' at the beginning */
};
struct chart_ignore_rule {
    str pattern; /* of an ending without its '*' */
    enum chart_ignore_shape shape;
    bool is_negated, only_folders, is_rooted, is_path; /* is_path: '/' inside, whole path counts */
};
struct chart_ignore {
    VEC(struct chart_ignore_rule) rules;
};
void chart_ignore_done(struct chart_ignore *ignore); /* leaves {0} */
AUTO_VALUE(struct chart_ignore, chart_ignore_done)

/* Adds the rules of a text. ERR_INVALID for "**" and patterns that are none. */
int chart_ignore_read(struct chart_ignore *ignore, str text, struct err *e) MUST_CHECK;
/* Is the path (below the chart's folder, '/') left out? */
bool chart_ignore_has(const struct chart_ignore *ignore, str path, bool is_folder);
/* Go's filepath.Match: "*", "?" and "[a-z]", "[^a]" inside a part, "\" escapes. False in *ret_valid
 * for a pattern that is none. */
bool chart_glob(str pattern, str name, bool *ret_valid);
