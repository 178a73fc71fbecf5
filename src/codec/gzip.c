#include "codec/gzip.h"

#include <zlib.h>

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

enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8, CHUNK = 65536 };

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

/* One chunk more: Z_OK, Z_STREAM_END or a failure of zlib's. */
static int inflate_some(const struct zlib_dl *z, z_stream *s, struct buf *ret)
{
    int rc;

    buf_grow(ret, CHUNK);
    s->next_out = (unsigned char *)ret->p + ret->len;
    s->avail_out = CHUNK;
    rc = z->inflate(s, Z_NO_FLUSH);
    ret->len += CHUNK - s->avail_out;
    ret->p[ret->len] = 0;
    return rc;
}

static int inflate_all(const struct zlib_dl *z, z_stream *s, size_t limit, struct buf *ret,
                       struct err *e)
{
    size_t begin = ret->len;

    for (;;) {
        int rc = inflate_some(z, s, ret);

        if (ret->len - begin > limit)
            return err_set(e, ERR_LIMIT, "gzip: more than %zu bytes unpacked", limit);
        if (rc == Z_STREAM_END && s->avail_in == 0)
            return 0;
        if (rc == Z_STREAM_END) /* another member follows */
            rc = z->inflateReset(s);
        if (rc == Z_OK && (s->avail_in || s->avail_out == 0))
            continue;
        return err_set(e, ERR_INVALID, "gzip: %s",
                       rc == Z_OK || rc == Z_BUF_ERROR ? "unexpected end"
                       : s->msg                        ? s->msg
                                                       : "no gzip data");
    }
}

int gzip_unpack(str packed, size_t limit, struct buf *ret, struct err *e)
{
    const struct zlib_dl *z = zlib_load(e);
    z_stream s = {.next_in = in_of(packed), .avail_in = (uInt)packed.len};
    size_t before = ret->len;
    int rc;

    if (!z)
        return -1;
    if (packed.len > UINT32_MAX / 2)
        return err_set(e, ERR_LIMIT, "%zu bytes are too many for gzip", packed.len);
    if (z->inflateInit2_(&s, GZIP_WINDOW, ZLIB_VERSION, (int)sizeof(s)) != Z_OK)
        return err_set(e, ERR_UNSUPPORTED, "zlib does not start");
    rc = inflate_all(z, &s, limit, ret, e);
    z->inflateEnd(&s);
    if (rc < 0)
        buf_trunc(ret, before);
    return rc;
}
