#include "res/image.h"

struct res_image_parts res_image_split(str image)
{
    ssize_t slash = str_find_char(image, '/');
    size_t skipped = slash > 0 ? (size_t)slash : 0;
    str rest = str_from(image, skipped);
    ssize_t at = str_find_char(rest, '@'), colon = str_find_char(rest, ':');
    struct res_image_parts parts = {.name = image};

    if (at >= 0) {
        parts.name = str_sub(image, 0, skipped + (size_t)at);
        parts.digest = str_from(rest, (size_t)at + 1);
    }
    if (colon >= 0 && (at < 0 || colon < at)) {
        parts.tag = str_from(parts.name, skipped + (size_t)colon + 1);
        parts.name = str_sub(image, 0, skipped + (size_t)colon);
    }
    return parts;
}

static void change_version(const struct res_image_change *change, struct res_image_parts *parts)
{
    if (change->new_tag.len || change->digest.len) {
        parts->tag = change->new_tag;
        parts->digest = change->digest;
    } else if (change->tag_suffix.len) {
        parts->digest = STR_NONE;
    }
}

void res_image_apply(const struct res_image_change *change, str image, struct buf *out)
{
    struct res_image_parts parts = res_image_split(image);
    str suffix = change->new_tag.len || change->digest.len ? STR_NONE : change->tag_suffix;

    change_version(change, &parts);
    buf_add_str(out, change->new_name.len ? change->new_name : parts.name);
    if (parts.tag.len || suffix.len) {
        buf_add_char(out, ':');
        buf_add_str(out, parts.tag);
        buf_add_str(out, suffix);
    }
    if (parts.digest.len) {
        buf_add_char(out, '@');
        buf_add_str(out, parts.digest);
    }
}

struct re *res_image_pattern(str name)
{
    AUTO(buf_done) struct buf pattern = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&pattern,
             "^%.*s(:[a-zA-Z0-9_.{}-]*)?"
             "(@[a-zA-Z0-9]+([+._-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?$",
             STR_ARG(name));
    return re_compile(buf_view(&pattern), 0, &e);
}
