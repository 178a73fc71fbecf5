#include "kustomize/edit/image.h"

static int wrong(str text, struct err *e)
{
    return err_set(e, ERR_USAGE,
                   "'%.*s' is no image: write NAME=NEWNAME[:TAG][@DIGEST], NAME:TAG or NAME@DIGEST",
                   STR_ARG(text));
}

/* "name:tag@digest": the tag stands behind the first colon of the last part of the name. */
static void split(str text, str *ret_name, str *ret_tag, str *ret_digest)
{
    str rest;
    ssize_t slash, colon;

    text = str_cut(text, '@', &rest);
    *ret_digest = rest;
    slash = str_rfind_char(text, '/');
    colon = str_find_char(str_from(text, (size_t)(slash + 1)), ':');
    *ret_tag = STR_NONE;
    *ret_name = text;
    if (colon < 0)
        return;
    colon += slash + 1;
    *ret_name = str_sub(text, 0, (size_t)colon);
    *ret_tag = str_from(text, (size_t)colon + 1);
}

int kustomize_edit_image_parse(str text, struct kustomize_edit_image *ret, struct err *e)
{
    str right, left = str_cut(text, '=', &right);

    *ret = (struct kustomize_edit_image){.name = left};
    if (right.p)
        split(right, &ret->new_name, &ret->new_tag, &ret->digest);
    else
        split(left, &ret->name, &ret->new_tag, &ret->digest);
    if (!ret->name.len || (!right.p && !ret->new_tag.len && !ret->digest.len))
        return wrong(text, e);
    return 0;
}
