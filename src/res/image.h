/* Image references, as an `images` entry of a kustomization sees them: matching, taking apart,
 * changing (kustomize spec 11; upstream's image and imagetag packages). Borrowed texts; pure. */
#pragma once
#include "base/buf.h"
#include "re/re.h"

/* Views into the reference; what is missing is empty. */
struct res_image_parts {
    str name, tag, digest;
};
/* "localhost:5000/nginx:1.2@sha256:ab": a colon before the first slash belongs to the name. Takes
 * any text. */
struct res_image_parts res_image_split(str image);

/* What an entry sets; empty texts leave a part alone. */
struct res_image_change {
    str new_name, new_tag, digest, tag_suffix;
};
/* Appends the image that the change makes of another one. A new tag drops the digest, a new digest
 * the tag, unless both are given; a suffix drops the digest. */
void res_image_apply(const struct res_image_change *change, str image, struct buf *out);

/* The pattern for images of an entry's name, which is itself a regular expression (unanchored
 * alternatives included: "a|b" is "^a" or "b…$"). NULL when it is none: then nothing matches, as
 * upstream. Match with re_match. */
struct re *res_image_pattern(str name);

/* The same for many images: a name that stands for itself but for its dots, as most do, needs no
 * engine. name is borrowed and outlives the matcher. False when it is no pattern. Not for two
 * threads at once: the pattern is compiled when first needed. */
struct res_image_matcher {
    str name;
    bool is_plain;
    struct re *pattern;
};
bool res_image_matcher_init(struct res_image_matcher *m, str name);
bool res_image_matches(struct res_image_matcher *m, str image);
void res_image_matcher_done(struct res_image_matcher *m);
AUTO_VALUE(struct res_image_matcher, res_image_matcher_done)
