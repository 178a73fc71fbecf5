/* Input: two or three JSON documents with NULs between them. Every failure says why; a patch made
 * from two states, applied to one, gives the other as far as the first state knew it; kyaml's
 * merges end, too. */
#include "doc/kyaml/merge.h"
#include "doc/parse.h"
#include "doc/patch/strategic.h"
#include "res/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct doc_node *next_document(struct doc_set *set, str *rest)
{
    AUTO(err_done) struct err e = {0};
    str text = str_cut(*rest, '\0', rest);

    return doc_parse_json(set, text, "fuzz", &e);
}

static doc_shape pod(void)
{
    const struct doc_schema *s = res_kubernetes_schema();

    return s->root(s, STR(""), STR("v1"), STR("Pod"));
}

static void check_apply(struct doc_set *set, const struct doc_node *a, const struct doc_node *b)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *got = NULL;

    if (doc_strategic_apply(set, doc_copy(set, a), b, res_kubernetes_schema(), pod(), &got, &e) < 0)
        assert(e.text && e.text[0]);
    err_done(&e);
    if (doc_kyaml_merge(set, doc_copy(set, a), b, res_kustomize_schema(), DOC_KYAML_PREPEND, &got,
                        &e) < 0)
        assert(e.text && e.text[0]);
}

static void check_three_way(struct doc_set *set, const struct doc_node *a, const struct doc_node *b,
                            const struct doc_node *c)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *patch, *again, *got;

    if (!doc_is_map(b) || !doc_is_map(c))
        return;
    patch = doc_strategic_three_way(set, a, b, c, NULL, 0, &e);
    if (!patch) {
        assert(e.text && e.text[0]);
        return;
    }
    if (doc_strategic_apply(set, doc_copy(set, c), patch, NULL, 0, &got, &e) < 0) {
        assert(e.text && e.text[0]);
        return;
    }
    again = doc_strategic_three_way(set, b, b, got, NULL, 0, &e);
    assert(again && (doc_len(again) == 0 || doc_len(patch) > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    str rest = {(const char *)data, size};
    struct doc_node *a = next_document(set, &rest), *b = next_document(set, &rest),
                    *c = next_document(set, &rest), *got;

    if (!a || !b)
        return 0;
    check_apply(set, a, b);
    check_three_way(set, a, b, c ? c : a);
    if (doc_kyaml_merge3(set, c, a, b, res_kustomize_schema(), DOC_KYAML_INFER, &got, &e) < 0)
        assert(e.text && e.text[0]);
    return 0;
}
