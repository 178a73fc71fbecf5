/* Encodings and digests (template spec 14.5). */
#include <sha1.h>
#include <sha2.h>

#include "base/escape.h"
#include "expr/gotmpl/fn_priv.h"

static int f_b64enc(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    escape_base64(arg_text(c, 0), true, b);
    return ret_text(c, b, ret);
}

static int digit_of(char c, unsigned bits)
{
    static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char base32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const char *letters = bits == 6 ? base64 : base32;
    const char *found = c ? strchr(letters, c) : NULL;

    return found ? (int)(found - letters) : -1;
}

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/* The next byte that counts at *at; false at the end. */
static bool next_byte(str s, size_t *at, char *ret)
{
    while (*at < s.len && is_line_end(s.p[*at]))
        ++*at;
    if (*at == s.len)
        return false;
    *ret = s.p[(*at)++];
    return true;
}

/* A group of digits as it is read. */
struct group {
    uint64_t word;
    unsigned digits;
};
enum step { STEP_ON, STEP_PADDING, STEP_END, STEP_BAD };

/* One character of a group. */
static enum step read_digit(str s, size_t *at, unsigned bits, struct group *g)
{
    bool may_end = g->digits >= 2;
    char c;
    int digit;

    if (!next_byte(s, at, &c))
        return STEP_END;
    digit = digit_of(c, bits);
    if (digit < 0)
        return c == '=' && may_end ? STEP_PADDING : STEP_BAD;
    g->word = g->word << bits | (unsigned)digit;
    g->digits++;
    return STEP_ON;
}

/* The same of base32, whose reader looks no further than the padding, and names the byte before a
 * wrong one. */
static ssize_t bad_padding32(str s, size_t at, unsigned digits)
{
    size_t rest = s.len - at;

    if (rest >= 8)
        return (ssize_t)at - 1;
    if (rest + digits < 7)
        return (ssize_t)s.len;
    for (size_t k = 0; k < 7 - digits && k < rest; k++)
        if (s.p[at + k] != '=')
            return (ssize_t)(at + k) - 1;
    return digits == 3 || digits == 6 ? (ssize_t)at - 1 : -1;
}

/* The padding of a group that holds `digits`: its offset where it is wrong, -1 where it is right,
 * whatever follows it included. */
static ssize_t bad_padding(str s, size_t at, unsigned digits, unsigned size)
{
    char c;

    if (size == 8)
        return bad_padding32(s, at, digits);
    for (unsigned i = digits + 1; i < size; i++) {
        if (!next_byte(s, &at, &c))
            return (ssize_t)s.len;
        if (c != '=')
            return (ssize_t)at - 1;
    }
    return next_byte(s, &at, &c) ? (ssize_t)at - 1 : -1;
}

/* Appends the bytes that the text stands for; the offset of what is wrong, -1 when nothing is. */
static ssize_t decode(str s, unsigned bits, struct buf *out)
{
    unsigned size = bits == 6 ? 4 : 8;
    enum step step = STEP_ON;
    size_t at = 0;

    for (;;) {
        struct group g = {0};

        while (g.digits < size && step == STEP_ON)
            step = read_digit(s, &at, bits, &g);
        if (step == STEP_BAD)
            return (ssize_t)at - 1;
        if (step == STEP_END && g.digits)
            return (ssize_t)(at - g.digits);
        g.word <<= bits * (size - g.digits);
        for (unsigned i = 0; i < g.digits * bits / 8; i++)
            buf_add_char(out, (char)(g.word >> (size * bits - 8 - 8 * i)));
        if (step != STEP_ON)
            return step == STEP_END ? -1 : bad_padding(s, at, g.digits, size);
    }
}

ssize_t fn_decode_base64(str s, struct buf *out) { return decode(s, 6, out); }

static int decode_text(struct tmpl_call *c, unsigned bits, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf plain = {0};
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    ssize_t bad;

    for (size_t i = 0; i < s.len && bits == 5; i++) /* of base32 Go counts without line ends */
        if (!is_line_end(s.p[i]))
            buf_add_char(&plain, s.p[i]);
    bad = decode(bits == 5 ? buf_view(&plain) : s, bits, b);

    if (bad >= 0) { /* the message is the result */
        buf_clear(b);
        buf_addf(b, "illegal base%d data at input byte %zd", bits == 6 ? 64 : 32, bad);
    }
    return ret_text(c, b, ret);
}

static int f_b64dec(struct tmpl_call *c, struct tmpl_value *ret) { return decode_text(c, 6, ret); }
static int f_b32dec(struct tmpl_call *c, struct tmpl_value *ret) { return decode_text(c, 5, ret); }

static int f_b32enc(struct tmpl_call *c, struct tmpl_value *ret)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);

    for (size_t at = 0; at < s.len; at += 5) {
        size_t len = MIN(s.len - at, (size_t)5);
        uint64_t word = 0;

        for (size_t i = 0; i < 5; i++)
            word = word << 8 | (i < len ? (unsigned char)s.p[at + i] : 0);
        for (size_t i = 0; i < 8; i++)
            buf_add_char(b, i * 5 < len * 8 ? letters[word >> (35 - 5 * i) & 31] : '=');
    }
    return ret_text(c, b, ret);
}

static int ret_hex(struct tmpl_call *c, const uint8_t *bytes, size_t len, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    for (size_t i = 0; i < len; i++)
        buf_addf(b, "%02x", bytes[i]);
    return ret_text(c, b, ret);
}

static int f_sha1(struct tmpl_call *c, struct tmpl_value *ret)
{
    uint8_t digest[SHA1_DIGEST_LENGTH];
    SHA1_CTX ctx;

    SHA1Init(&ctx);
    SHA1Update(&ctx, (const uint8_t *)arg_text(c, 0).p, arg_text(c, 0).len);
    SHA1Final(digest, &ctx);
    return ret_hex(c, digest, sizeof(digest), ret);
}

static int f_sha256(struct tmpl_call *c, struct tmpl_value *ret)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX ctx;

    SHA256Init(&ctx);
    SHA256Update(&ctx, (const uint8_t *)arg_text(c, 0).p, arg_text(c, 0).len);
    SHA256Final(digest, &ctx);
    return ret_hex(c, digest, sizeof(digest), ret);
}

static int f_sha512(struct tmpl_call *c, struct tmpl_value *ret)
{
    uint8_t digest[SHA512_DIGEST_LENGTH];
    SHA2_CTX ctx;

    SHA512Init(&ctx);
    SHA512Update(&ctx, (const uint8_t *)arg_text(c, 0).p, arg_text(c, 0).len);
    SHA512Final(digest, &ctx);
    return ret_hex(c, digest, sizeof(digest), ret);
}

static int f_adler32(struct tmpl_call *c, struct tmpl_value *ret)
{
    enum { PRIME = 65521 };
    struct buf *b = trun_borrow(c->run);
    uint32_t low = 1, high = 0;
    str s = arg_text(c, 0);

    for (size_t i = 0; i < s.len; i++) {
        low = (low + (unsigned char)s.p[i]) % PRIME;
        high = (high + low) % PRIME;
    }
    buf_addf(b, "%u", high << 16 | low);
    return ret_text(c, b, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "b64enc", "S", f_b64enc, 0, "In base64", "{{ b64enc \"hello\" }}", "aGVsbG8=");
    func_add(to, "b64dec", "S", f_b64dec, 0, "From base64; what is wrong, as the text",
             "{{ b64dec \"aGVsbG8=\" }}", "hello");
    func_add(to, "b32enc", "S", f_b32enc, 0, "In base32", "{{ b32enc \"hi\" }}", "NBUQ====");
    func_add(to, "b32dec", "S", f_b32dec, 0, "From base32; what is wrong, as the text",
             "{{ b32dec \"NBUQ====\" }}", "hi");
    func_add(to, "sha1sum", "S", f_sha1, 0, "The SHA-1 digest in hexadecimal", "{{ sha1sum \"\" }}",
             "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    func_add(to, "sha256sum", "S", f_sha256, 0, "The SHA-256 digest in hexadecimal",
             "{{ sha256sum \"abc\" | trunc 8 }}", "ba7816bf");
    func_add(to, "sha512sum", "S", f_sha512, 0, "The SHA-512 digest in hexadecimal",
             "{{ sha512sum \"abc\" | trunc 8 }}", "ddaf35a1");
    func_add(to, "adler32sum", "S", f_adler32, 0, "The Adler-32 checksum in decimal",
             "{{ adler32sum \"abc\" }}", "38600999");
}
FUNC_GROUP(func_encodings, "Encodings and digests", add_rows, IN_SPRIG);
