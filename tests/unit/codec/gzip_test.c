#include "codec/gzip.h"
#include "support/test.h"

TEST(gzip_gives_back_what_was_packed)
{
    static const char *const rows[] = {"", "a", "the same the same the same the same"};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf packed = {0}, text = {0};

        CHECK(gzip_pack(str_of(rows[i]), 9, &packed, &e) == 0);
        CHECK(gzip_is(buf_view(&packed)));
        CHECK(gzip_unpack(buf_view(&packed), 100, &text, &e) == 0);
        CHECK_OK(&e);
        CHECK_STR(buf_view(&text), str_of(rows[i]), rows[i]);
    }
}

TEST(gzip_reads_several_members)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf packed = {0}, text = {0};

    CHECK(gzip_pack(STR("one "), 1, &packed, &e) == 0);
    CHECK(gzip_pack(STR("two"), 1, &packed, &e) == 0);
    CHECK(gzip_unpack(buf_view(&packed), 100, &text, &e) == 0);
    CHECK_STR(buf_view(&text), STR("one two"), "members");
}

TEST(gzip_refuses_bombs_and_broken_data)
{
    AUTO(buf_done) struct buf big = {0}, packed = {0}, text = {0};
    AUTO(err_done) struct err e = {0}, broken = {0}, cut = {0}, none = {0};

    buf_add_repeat(&big, 'x', 1 << 20);
    CHECK(gzip_pack(buf_view(&big), 9, &packed, &e) == 0);
    CHECK(gzip_unpack(buf_view(&packed), 100000, &text, &e) < 0);
    CHECK_INT(e.kind, ERR_LIMIT, "a bomb");
    CHECK_INT((long long)text.len, 0, "what was unpacked");
    CHECK(gzip_unpack(str_sub(buf_view(&packed), 0, 20), 1 << 21, &text, &cut) < 0);
    CHECK_STR(str_of(err_text(&cut)), STR("gzip: unexpected end"), "cut off");
    packed.p[packed.len - 5] ^= 1;
    CHECK(gzip_unpack(buf_view(&packed), 1 << 21, &text, &broken) < 0);
    CHECK_INT(broken.kind, ERR_INVALID, "a wrong checksum");
    CHECK(gzip_unpack(STR("plain"), 100, &text, &none) < 0);
    CHECK_INT(none.kind, ERR_INVALID, "no gzip");
}
