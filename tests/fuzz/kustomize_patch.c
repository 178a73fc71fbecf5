/* Input: an object, a NUL, a strategic merge patch or a JSON patch. Merging and patching end,
 * and failures say why. */
#include "doc/kyaml/merge.h"
#include "doc/parse.h"
#include "doc/patch/json.h"
#include "res/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void merge(struct doc_set *set, const struct doc_node *object, const struct doc_node *patch,
                  unsigned flags)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *merged = NULL;

    if (doc_kyaml_merge(set, doc_copy(set, object), patch, res_kustomize_schema(),
                        DOC_KYAML_PREPEND | flags, &merged, &e) < 0)
        assert(e.text && e.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str rest, text = str_cut((str){(const char *)data, size}, '\0', &rest);
    AUTO(err_done) struct err e = {0};
    struct doc_node *object = doc_parse(set, text, DOC_RESOURCE, "object", &e), *patch;

    err_done(&e);
    patch = object ? doc_parse(set, rest, DOC_PATCH, "patch", &e) : NULL;
    err_done(&e);
    if (!patch)
        return 0;
    merge(set, object, patch, 0);
    merge(set, object, patch, DOC_KYAML_DEFAULT_KEYS);
    if (doc_json_patch_lenient(set, object, set, patch, &e) < 0)
        assert(err_text(&e)[0]);
    return 0;
}
