/* Any text: our scanner, with and without its short cuts, against libyaml; then the tree builder.
 */
#include "base/base.h"
#include "doc/parse.h"
#include "unit/doc/yaml_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(str text)
{
    AUTO(buf_done) struct buf why = {0};

    if (oracle_agrees(text, &why))
        return;
    fprintf(stderr, "%s", buf_cstr(&why));
    abort();
}

static void build(str text, enum doc_dialect dialect, unsigned flags)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_parse_options options = {.dialect = dialect, .flags = flags};

    options.limits.max_expansion = 10000;
    if (doc_parse_all(set, text, &options, "fuzz", &roots, &e) < 0)
        assert(e.text && e.diags && roots.len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str text = {(const char *)data, size};

    compare(text);
    build(text, (enum doc_dialect)(size % DOC_DIALECT_COUNT), size % 2 ? DOC_COMMENTS : 0);
    build(text, DOC_KYAML, DOC_COMMENTS | DOC_KEEP_ALIASES | DOC_KEEP_EMPTY);
    return 0;
}
