/* From bytes to UTF-8 (libyaml 0.2.5, reader): byte-order marks, UTF-16, and which characters may
 * stand in a text. */
#include "doc/yaml/yaml_priv.h"

static void refuse(struct doc_yaml_problem *ret, const char *problem, size_t offset, int value)
{
    *ret = (struct doc_yaml_problem){.problem = problem,
                                     .is_reader = true,
                                     .reader_offset = (uint32_t)offset,
                                     .reader_value = value};
}

static bool is_allowed(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0x7E) || c == 0x85 ||
           (c >= 0xA0 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) ||
           (c >= 0x10000 && c <= 0x10FFFF);
}

/* ---- UTF-8 */

typedef signed char lanes __attribute__((vector_size(16)));

/* What is odd in the sixteen bytes at p: 0 where one is printable ASCII, a blank or a line feed. */
static inline lanes odd_lanes(const char *p)
{
    lanes v;

    memcpy(&v, p, sizeof(v));
    return ((v < 0x20) & (v != '\n')) | (v == 0x7F);
}

static inline bool has_lane(lanes v)
{
    uint64_t half[2];

    memcpy(half, &v, sizeof(half));
    return half[0] | half[1];
}

/* Bytes at the begin of text that are printable ASCII, blanks and line feeds; by blocks, so the
 * rest may be such too. */
static size_t plain_prefix(const char *p, size_t len)
{
    const char *begin = p, *end = p + len;

    for (; end - p >= 64; p += 64)
        if (has_lane(odd_lanes(p) | odd_lanes(p + 16) | odd_lanes(p + 32) | odd_lanes(p + 48)))
            break;
    while (end - p >= 16 && !has_lane(odd_lanes(p)))
        p += 16;
    return (size_t)(p - begin);
}

/* Bytes of the character at p, 0 when it is refused. */
static size_t check_character(const uint8_t *p, size_t left, size_t offset,
                              struct doc_yaml_problem *ret)
{
    size_t width = *p < 0x80             ? 1
                   : (*p & 0xE0) == 0xC0 ? 2
                   : (*p & 0xF0) == 0xE0 ? 3
                   : (*p & 0xF8) == 0xF0 ? 4
                                         : 0;
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t value = width == 1 ? *p : *p & (0xFFu >> (width + 1));

    if (width == 0)
        return refuse(ret, "invalid leading UTF-8 octet", offset, *p), 0;
    if (width > left)
        return refuse(ret, "incomplete UTF-8 octet sequence", offset, -1), 0;
    for (size_t i = 1; i < width; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return refuse(ret, "invalid trailing UTF-8 octet", offset + i, p[i]), 0;
        value = value << 6 | (p[i] & 0x3F);
    }
    if (value < lowest[width])
        return refuse(ret, "invalid length of a UTF-8 sequence", offset, -1), 0;
    if ((value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF)
        return refuse(ret, "invalid Unicode character", offset, (int)value), 0;
    if (!is_allowed(value))
        return refuse(ret, "control characters are not allowed", offset, (int)value), 0;
    return width;
}

static str check_utf8(str text, size_t offset, struct doc_yaml_problem *ret)
{
    size_t at = 0;

    while (at < text.len) {
        size_t stop, plain = plain_prefix(text.p + at, text.len - at);

        at += plain;
        for (stop = MIN(at + 16, text.len); at < stop;) {
            size_t width =
                check_character((const uint8_t *)text.p + at, text.len - at, offset + at, ret);

            if (width == 0)
                return str_sub(text, 0, at);
            at += width;
        }
    }
    return text;
}

/* ---- UTF-16 */

static uint32_t unit(const char *p, bool is_big)
{
    const uint8_t *u = (const uint8_t *)p;

    return is_big ? (uint32_t)(u[0] << 8 | u[1]) : (uint32_t)(u[1] << 8 | u[0]);
}

/* Bytes taken, 0 when the character is refused. */
static size_t take_utf16(str text, size_t at, bool is_big, struct buf *out,
                         struct doc_yaml_problem *ret)
{
    size_t left = text.len - at, width = 2;
    uint32_t value, low;

    if (left < 2)
        return refuse(ret, "incomplete UTF-16 character", at, -1), 0;
    value = unit(text.p + at, is_big);
    if ((value & 0xFC00) == 0xDC00)
        return refuse(ret, "unexpected low surrogate area", at, (int)value), 0;
    if ((value & 0xFC00) == 0xD800) {
        width = 4;
        if (left < 4)
            return refuse(ret, "incomplete UTF-16 surrogate pair", at, -1), 0;
        low = unit(text.p + at + 2, is_big);
        if ((low & 0xFC00) != 0xDC00)
            return refuse(ret, "expected low surrogate area", at + 2, (int)low), 0;
        value = 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF);
    }
    if (!is_allowed(value))
        return refuse(ret, "control characters are not allowed", at, (int)value), 0;
    buf_add_utf8(out, value);
    return width;
}

static void convert_utf16(str text, bool is_big, str *ret_plain, char **ret_copy,
                          struct doc_yaml_problem *ret_bad)
{
    AUTO(buf_done) struct buf out = {0};
    size_t width = 2;

    buf_grow(&out, text.len);
    for (size_t at = 2; at < text.len && width; at += width)
        width = take_utf16(text, at, is_big, &out, ret_bad);
    ret_plain->len = out.len;
    ret_plain->p = *ret_copy = buf_take(&out);
}

void doc_yaml_decode(str text, str *ret_plain, char **ret_copy, struct doc_yaml_problem *ret_bad)
{
    str rest = text;

    *ret_copy = NULL;
    *ret_bad = (struct doc_yaml_problem){0};
    if (text.len >= 2 && memcmp(text.p, "\xFF\xFE", 2) == 0) {
        convert_utf16(text, false, ret_plain, ret_copy, ret_bad);
    } else if (text.len >= 2 && memcmp(text.p, "\xFE\xFF", 2) == 0) {
        convert_utf16(text, true, ret_plain, ret_copy, ret_bad);
    } else {
        str_drop_prefix(&rest, STR("\xEF\xBB\xBF"));
        *ret_plain = check_utf8(rest, text.len - rest.len, ret_bad);
    }
}
