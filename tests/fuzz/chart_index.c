/* index.yaml of a repository: what is read is sorted, newest first, and can be asked for. */
#include "chart/repo/index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct chart_index *index, const struct chart_index_entry *entry)
{
    AUTO(err_done) struct err e = {0};

    for (size_t i = 0; i < entry->count; i++) {
        (void)chart_index_url(&entry->versions[i]);
        if (i)
            assert(semver_compare(&entry->versions[i - 1].parsed, &entry->versions[i].parsed) >= 0);
    }
    if (!chart_index_choose(index, entry->name, STR(">=1"), &e))
        assert(e.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct chart_index index = {0};

    if (chart_index_read(set, (str){(const char *)data, size}, "fuzz", &index, &e) < 0) {
        assert(e.text); /* every failure says why */
        return 0;
    }
    for (size_t i = 0; i < index.count; i++)
        check(&index, &index.entries[i]);
    return 0;
}
