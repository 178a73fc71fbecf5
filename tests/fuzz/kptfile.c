/* A Kptfile. Every refusal says why; one that is accepted takes a new function, and is a Kptfile
 * then. */
#include "fn/kptfile.h"
#include "doc/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str text = {(const char *)data, size};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(fn_kptfile_done) struct fn_kptfile before = {0}, after = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *root = doc_parse(set, text, DOC_KYAML, "fuzz", &e), *entry = doc_new_map(set);

    if (!root || fn_kptfile_read(set, root, &before, &e) < 0) {
        assert(e.text && e.text[0]);
        return 0;
    }
    doc_set_string(set, entry, STR("exec"), STR("a command that no input has"));
    if (fn_kptfile_save(text, "mutators", entry, &out, &e) < 0)
        __builtin_trap();
    root = doc_parse(set, buf_view(&out), DOC_KYAML, "saved", &e);
    if (!root || fn_kptfile_read(set, root, &after, &e) < 0)
        __builtin_trap();
    assert(after.mutators.len == before.mutators.len + 1);
    return 0;
}
