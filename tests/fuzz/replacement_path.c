/* A path, a zero byte, a resource: putting a value where the path leads ends, and is found there
 * again; a refusal says why. */
#include "doc/emit.h"
#include "doc/parse.h"
#include "res/replace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put(struct doc_set *set, struct doc_node *root, const struct doc_path *path,
                const struct res_value *value, const struct res_replace_options *options)
{
    AUTO(err_done) struct err e = {0};
    struct res_places places = {0};
    struct res_path_options find = {
        .set = set, .create = options->create, .made = doc_type(value->node)};
    int rc = res_value_set_inside(set, root, path, &find, value, options, &e);

    if (rc < 0)
        assert(e.text);
    if (rc == RES_INSIDE_NOT && res_path_find(root, path, 0, &find, &places, &e) == 0)
        for (size_t i = 0; i < places.len; i++) {
            AUTO(err_done) struct err refused = {0};

            if (res_value_set(set, &places.v[i], value, options, &refused) < 0)
                assert(refused.text);
            else if (doc_is_scalar(value->node) && !options->delimiter.len)
                assert(doc_is_scalar(places.v[i].node));
        }
    vec_done(&places);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct res_replace_options ways[] = {
        {0}, {.create = true}, {.delimiter = STR_INIT("/"), .index = 1}};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_path_done) struct doc_path path = {0};
    str document, text = str_cut((str){(const char *)data, size}, '\0', &document);
    struct doc_node *root = doc_parse(set, document, DOC_RESOURCE, "fuzz", &e), *found;
    struct res_value value = {.set = set};

    doc_path_split_smart(&set->arena, text, '.', &path);
    if (!root)
        return 0;
    err_done(&e);
    if (res_path_lookup(set, root, &path, path.len, &found, &e) < 0)
        assert(e.text);
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        value.node = i == 1 ? doc_new_map(set) : doc_new_string(set, STR("v/w"));
        value.text = i == 1 ? STR("") : STR("v/w");
        put(set, root, &path, &value, &ways[i]);
    }
    doc_emit(root, DOC_EMIT_SORTED, &out);
    return 0;
}
