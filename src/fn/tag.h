/* Tags of images that are version ranges (KRM functions spec 8, Kptfile `tag`): ">=1.2.0 <2" is
 * the newest version among the tags of a repository that fits. Pure but for fn_resolve_range,
 * which blocks; any thread. */
#pragma once
#include "base/vec.h"
#include "fn/runner.h"

enum fn_tag {
    FN_TAG_PLAIN, /* a version or a word: the tag as it is */
    FN_TAG_RANGE,
    FN_TAG_WRONG, /* neither */
};
enum fn_tag fn_tag_kind(str tag);

/* The newest of tags that fits the range, a view; the empty text when none does. Of those that are
 * one version ("v1.2", "1.2.0") the longest. Pure; any thread. */
str fn_choose_tag(const struct str_vec *tags, str range);

/* The image without tag and digest. */
str fn_without_tag(str image);

/* The tag takes the place of that or the digest of the spec's image, in the arena, or becomes its
 * range. ERR_INVALID when it is wrong. */
int fn_use_tag(struct arena *a, struct fn_spec *spec, str tag, struct err *e) MUST_CHECK;

/* The image with the tag that spec->range stands for, in the arena: the registry is asked or, when
 * the runner is offline or never pulls, the container program for the images it has. ERR_NOT_FOUND
 * names tags that are there; other errors are the registry's. */
int fn_resolve_range(struct arena *a, const struct fn_runner *r, const struct fn_spec *spec,
                     struct cancel *cancel, str *ret, struct err *e) MUST_CHECK;
