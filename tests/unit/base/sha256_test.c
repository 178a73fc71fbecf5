#include "base/sha256.h"

#include "support/test.h"

TEST(sha256_gives_the_standards_vectors)
{
    static const struct {
        const char *in, *want;
    } rows[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        sha256_hex(str_of(rows[i].in), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].in);
    }
}
