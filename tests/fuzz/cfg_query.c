/* Input: a query of `cfg grep`, a NUL, a JSON document. Nothing crashes or hangs, a refusal says
 * why, and the path of a query that matches leads somewhere. */
#include "doc/parse.h"
#include "kustomize/cfg/cfg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_path(str text, const struct doc_node *root)
{
    AUTO(kustomize_path_done) struct kustomize_path path = {0};
    AUTO(err_done) struct err e = {0};

    if (kustomize_path_parse(text, &path, &e) < 0) {
        assert(e.text && e.text[0]);
        return;
    }
    assert(path.parts.len);
    (void)kustomize_path_find(&path, root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    AUTO(kustomize_query_free) struct kustomize_query *query = NULL;
    str json, text = str_cut((str){(const char *)data, size}, '\0', &json);
    struct doc_node *root = doc_parse_json(set, json, "fuzz", &e);

    err_done(&e);
    check_path(text, root);
    query = kustomize_query_parse(text, &e);
    if (!query) {
        assert(e.text && e.text[0]);
        return 0;
    }
    assert(e.kind == ERR_NONE);
    if (!root)
        assert(!kustomize_query_matches(query, root));
    else
        (void)kustomize_query_matches(query, root);
    return 0;
}
