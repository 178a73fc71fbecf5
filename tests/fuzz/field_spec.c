/* Input: a path, a NUL, a JSON object. Visiting ends, failures say why, and what is visited again
 * is what was visited. */
#include "doc/parse.h"
#include "res/fieldspec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int count_field(void *ctx, struct doc_set *set UNUSED, struct doc_node *field UNUSED,
                       struct err *e UNUSED)
{
    ++*(size_t *)ctx;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str json, path = str_cut((str){(const char *)data, size}, '\0', &json);
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse_json(set, json, "fuzz", &e);

    err_done(&e);
    for (int create = 0; n && create < 2; create++) {
        const struct res_field_spec spec = {.path = path, .create = create};
        size_t first = 0, again = 0;
        int rc = res_field_spec_visit(set, n, &spec, DOC_STRING, count_field, &first, &e);

        assert(rc == 0 || (e.text && e.text[0]));
        err_done(&e);
        assert(res_field_spec_visit(set, n, &spec, DOC_STRING, count_field, &again, &e) == rc);
        assert(first == again);
        err_done(&e);
    }
    return 0;
}
