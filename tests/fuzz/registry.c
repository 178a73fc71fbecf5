/* References of registries: what is read is the text's, in order; challenges are read whatever they
 * are. */
#include "fetch/registry_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_name(str text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    struct registry_name name;

    if (registry_name_parse(text, &name, &e) < 0) {
        assert(e.text); /* every failure says why */
        return;
    }
    buf_addf(&out, "%.*s/%.*s", STR_ARG(name.host), STR_ARG(name.path));
    if (name.tag.p)
        buf_addf(&out, ":%.*s", STR_ARG(name.tag));
    if (name.digest.p)
        buf_addf(&out, "@%.*s", STR_ARG(name.digest));
    assert(str_eq(buf_view(&out), text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(registry_challenge_done) struct registry_challenge c = {0};
    str text = {(const char *)data, size};

    read_name(text);
    registry_challenge_parse(text, &c);
    assert(c.realm.len <= size && c.service.len <= size && c.scope.len <= size);
    return 0;
}
