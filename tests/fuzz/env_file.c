/* An env file: no key is empty or begins with a blank, every pair is written back as it was read, a
 * refusal says which line. The same text as a literal and as a file source never crashes. */
#include "base/buf.h"
#include "kustomize/generate/sources.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_again(const struct kustomize_entries *entries)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(kustomize_entries_done) struct kustomize_entries again = {0};
    AUTO(err_done) struct err e = {0};
    unsigned cut;

    for (size_t i = 0; i < entries->len; i++)
        buf_addf(&text, "\n%.*s=%.*s", STR_ARG(entries->v[i].key), STR_ARG(entries->v[i].value));
    if (kustomize_source_env(buf_view(&text), &again, &cut, &e) < 0 || cut)
        return; /* a NUL ended what buf_addf wrote */
    for (size_t i = 0; i < again.len && again.len == entries->len; i++)
        assert(str_starts(entries->v[i].key, again.v[i].key));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0}, ignored = {0};
    AUTO(kustomize_entries_done) struct kustomize_entries entries = {0};
    struct kustomize_entry pair;
    str text = {(const char *)data, size}, key, path;
    unsigned cut;

    if (kustomize_source_env(text, &entries, &cut, &e) < 0)
        assert(e.text[0] >= '1' && e.text[0] <= '9');
    for (size_t i = 0; i < entries.len; i++) {
        assert(entries.v[i].key.len && entries.v[i].key.p[0] != '#');
        assert(str_find_char(entries.v[i].key, '=') < 0);
        assert(str_find_char(entries.v[i].value, '\n') < 0);
    }
    if (e.kind == ERR_NONE && !memchr(data, 0, size))
        read_again(&entries);
    if (kustomize_source_literal(text, &pair, &ignored) == 0)
        assert(pair.key.len);
    else
        err_done(&ignored);
    if (kustomize_source_file(text, &key, &path, &ignored) == 0)
        assert(key.len);
    return 0;
}
