/* Input: an image, a NUL, the name of an entry. Taking apart and putting together gives the image
 * back, a pattern matches or not, with and without the engine alike, and a change without parts
 * changes nothing. */
#include "res/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str name, image = str_cut((str){(const char *)data, size}, '\0', &name);
    struct res_image_parts parts = res_image_split(image);
    AUTO(buf_done) struct buf same = {0}, tagged = {0};
    AUTO(re_free) struct re *pattern = res_image_pattern(name);
    AUTO(res_image_matcher_done) struct res_image_matcher matcher = {0};

    assert(parts.name.len + parts.tag.len + parts.digest.len <= image.len);
    res_image_apply(&(struct res_image_change){.new_name = STR_NONE}, image, &same);
    assert(same.len <= image.len); /* an empty tag or digest loses its sign */
    if (parts.tag.len && parts.digest.len)
        assert(str_eq(buf_view(&same), image));
    res_image_apply(&(struct res_image_change){.new_tag = STR("v")}, image, &tagged);
    assert(str_ends(buf_view(&tagged), STR(":v")));
    assert(res_image_matcher_init(&matcher, name) == (pattern != NULL));
    if (pattern)
        assert(res_image_matches(&matcher, image) == re_match(pattern, image));
    return 0;
}
