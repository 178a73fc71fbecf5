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

/* All that a stream gives, and the text of its failure. */
static void drain(str packed, size_t limit, struct buf *ret, struct err *e)
{
    AUTO(gzip_stream_free) struct gzip_stream *s = gzip_stream_new(packed, limit, e);
    str piece = STR("x");

    while (s && piece.len && gzip_stream_next(s, &piece, e) == 0)
        buf_add_str(ret, piece);
}

TEST(gzip_streams_give_what_comes_before_a_fault)
{
    static const struct {
        const char *what;
        size_t length, members, cut;
        const char *error;
    } rows[] = {
        {"one member", 300000, 1, 0, "none"},
        {"two members", 300000, 2, 0, "none"},
        {"more than is unpacked at once", (17 << 20) + 1, 1, 0, "none"},
        {"no text", 0, 1, 0, "none"},
        {"half a trailer", 300000, 1, 4, "gzip: unexpected end"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf text = {0}, packed = {0}, got = {0};
        AUTO(err_done) struct err e = {0};

        for (size_t k = 0; k < rows[i].length; k++)
            buf_add_char(&text, (char)(k * k >> 8));
        for (size_t k = 0; k < rows[i].members; k++)
            CHECK(gzip_pack(buf_view(&text), 1, &packed, &e) == 0);
        drain(str_sub(buf_view(&packed), 0, packed.len - rows[i].cut), 1 << 26, &got, &e);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].error), rows[i].what);
        CHECK_INT((long long)got.len, (long long)(rows[i].length * rows[i].members), rows[i].what);
        for (size_t k = 0; k < rows[i].members; k++)
            CHECK(str_eq(str_sub(buf_view(&got), k * text.len, text.len), buf_view(&text)));
    }
}

TEST(gzip_streams_end_at_their_limit)
{
    AUTO(buf_done) struct buf text = {0}, packed = {0}, got = {0};
    AUTO(err_done) struct err e = {0};

    buf_add_repeat(&text, 'x', 1 << 20);
    CHECK(gzip_pack(buf_view(&text), 9, &packed, &e) == 0);
    memset(packed.p + packed.len - 4, 0, 2); /* a length that lies */
    drain(buf_view(&packed), 200000, &got, &e);
    CHECK_STR(str_of(err_text(&e)), STR("gzip: more than 200000 bytes unpacked"), "a bomb");
}
