/* Arguments of `edit set image`. Pure. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct kustomize_edit_image {            /* views into the argument */
    str name, new_name, new_tag, digest; /* "*" keeps what is there, empty removes it */
};
/* "[NAME=]NEWNAME[:TAG][@DIGEST]", "NAME=:TAG", "NAME=@DIGEST"; without "=" a tag or digest must be
 * there. ERR_USAGE. */
int kustomize_edit_image_parse(str text, struct kustomize_edit_image *ret,
                               struct err *e) MUST_CHECK;
