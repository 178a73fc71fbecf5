#include "codec/gzip.h"

#include <libdeflate.h>
#include <zlib.h>

#include "base/mem.h"
#include "sys/dl.h"

#define ZLIB_FUNCTIONS(X) \
    X(deflateInit2_)      \
    X(deflateBound)       \
    X(deflate)            \
    X(deflateEnd)         \
    X(inflateInit2_)      \
    X(inflate)            \
    X(inflateReset)       \
    X(inflateEnd)
DL_LIBRARY(zlib, ZLIB_FUNCTIONS, SONAME_z, "zlib1g")

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8, CHUNK = 65536, MAX_SMALL = 16 << 20 };

bool gzip_is(str text)
{
    return text.len > 2 && (unsigned char)text.p[0] == 0x1f && (unsigned char)text.p[1] == 0x8b;
}

/* zlib counts in 32 bits; what it reads is never changed. */
static unsigned char *in_of(str text) { return (unsigned char *)(uintptr_t)text.p; }

int gzip_pack(str text, int level, struct buf *ret, struct err *e)
{
    const struct zlib_dl *z = zlib_load(e);
    z_stream s = {.next_in = in_of(text), .avail_in = (uInt)text.len};
    size_t room;
    int rc;

    if (!z)
        return -1;
    if (text.len > UINT32_MAX / 2)
        return err_set(e, ERR_LIMIT, "%zu bytes are too many for gzip", text.len);
    if (z->deflateInit2_(&s, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY,
                         ZLIB_VERSION, (int)sizeof(s)) != Z_OK)
        return err_set(e, ERR_UNSUPPORTED, "zlib does not start");
    room = z->deflateBound(&s, text.len);
    buf_grow(ret, room);
    s.next_out = (unsigned char *)ret->p + ret->len;
    s.avail_out = (uInt)room;
    rc = z->deflate(&s, Z_FINISH);
    z->deflateEnd(&s);
    if (rc != Z_STREAM_END)
        return err_set(e, ERR_IO, "gzip: the text could not be compressed");
    ret->len += s.total_out;
    ret->p[ret->len] = 0;
    return 0;
}

/* ---- unpacking at once */

/* What the last bytes of one member say of its length, modulo 2^32: a guess where there are more
 * members, or liars. */
static size_t said_length(str packed)
{
    const unsigned char *end = (const unsigned char *)packed.p + packed.len;

    if (packed.len < 18) /* header and trailer */
        return 0;
    return end[-4] | (size_t)end[-3] << 8 | (size_t)end[-2] << 16 | (size_t)end[-1] << 24;
}

/* One whole member of that length, and nothing behind it? Three times as fast as zlib. Of what
 * libdeflate does not take nothing is said here: zlib finds out why. */
static bool unpack_at_once(str packed, char *ret, size_t length)
{
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    size_t taken, got;
    bool is_good = d &&
                   libdeflate_gzip_decompress_ex(d, packed.p, packed.len, ret, length, &taken,
                                                 &got) == LIBDEFLATE_SUCCESS &&
                   taken == packed.len && got == length;

    libdeflate_free_decompressor(d);
    return is_good;
}

char *gzip_unpack_small(str packed, size_t *ret_len)
{
    size_t length = said_length(packed);
    AUTO(mem_free_str) char *text = NULL;

    if (!length || length > MAX_SMALL)
        return NULL;
    text = length < MEM_LARGE ? mem_alloc(length + 1) : mem_alloc_large(length + 1);
    if (!unpack_at_once(packed, text, length))
        return NULL;
    text[length] = 0;
    *ret_len = length;
    return TAKE(text);
}

/* ---- piece by piece */

struct gzip_stream {
    const struct zlib_dl *dl;
    z_stream z;
    size_t limit, total;
    bool has_ended;
    char chunk[CHUNK];
};

struct gzip_stream *gzip_stream_new(str packed, size_t limit, struct err *e)
{
    AUTO(gzip_stream_free) struct gzip_stream *s = NULL;
    const struct zlib_dl *dl = zlib_load(e);

    if (!dl)
        return NULL;
    if (packed.len > UINT32_MAX / 2) {
        err_set(e, ERR_LIMIT, "%zu bytes are too many for gzip", packed.len);
        return NULL;
    }
    s = mem_alloc(sizeof(*s));
    memset(s, 0, offsetof(struct gzip_stream, chunk));
    s->z = (z_stream){.next_in = in_of(packed), .avail_in = (uInt)packed.len};
    s->limit = limit;
    if (dl->inflateInit2_(&s->z, GZIP_WINDOW, ZLIB_VERSION, (int)sizeof(s->z)) != Z_OK) {
        err_set(e, ERR_UNSUPPORTED, "zlib does not start");
        return NULL;
    }
    s->dl = dl;
    return TAKE(s);
}

void gzip_stream_free(struct gzip_stream *s)
{
    if (s && s->dl)
        s->dl->inflateEnd(&s->z);
    mem_free(s);
}

static int fail_inflate(const struct gzip_stream *s, int rc, struct err *e)
{
    bool is_cut = rc == Z_OK || rc == Z_BUF_ERROR;

    return err_set(e, ERR_INVALID, "gzip: %s",
                   is_cut     ? "unexpected end"
                   : s->z.msg ? s->z.msg
                              : "no gzip data");
}

int gzip_stream_next(struct gzip_stream *s, str *ret, struct err *e)
{
    int rc = Z_OK;

    s->z.next_out = (unsigned char *)s->chunk;
    s->z.avail_out = CHUNK;
    while (!s->has_ended && s->z.avail_out && rc == Z_OK) {
        rc = s->dl->inflate(&s->z, Z_NO_FLUSH);
        if (rc != Z_STREAM_END)
            continue;
        s->has_ended = s->z.avail_in == 0;
        rc = s->dl->inflateReset(&s->z); /* another member follows */
    }
    *ret = (str){s->chunk, CHUNK - s->z.avail_out};
    s->total += ret->len;
    if (s->total > s->limit)
        return err_set(e, ERR_LIMIT, "gzip: more than %zu bytes unpacked", s->limit);
    return ret->len || s->has_ended ? 0 : fail_inflate(s, rc, e);
}

static int unpack_pieces(str packed, size_t limit, struct buf *ret, struct err *e)
{
    AUTO(gzip_stream_free) struct gzip_stream *s = gzip_stream_new(packed, limit, e);
    str piece;

    if (!s)
        return -1;
    do {
        if (gzip_stream_next(s, &piece, e) < 0)
            return -1;
        buf_add_str(ret, piece);
    } while (piece.len);
    return 0;
}

int gzip_unpack(str packed, size_t limit, struct buf *ret, struct err *e)
{
    size_t before = ret->len, length = said_length(packed);

    if (length && length <= MIN(limit, (size_t)MAX_SMALL)) {
        buf_grow(ret, length);
        if (unpack_at_once(packed, ret->p + before, length)) {
            ret->len += length;
            ret->p[ret->len] = 0;
            return 0;
        }
    }
    if (unpack_pieces(packed, limit, ret, e) == 0)
        return 0;
    buf_trunc(ret, before);
    return -1;
}
