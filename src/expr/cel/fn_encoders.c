/* Base64 (cel spec 10.5). */
#include "base/escape.h"
#include "expr/cel/fn_priv.h"

#include <ctype.h>

FN(encode)
{
    AUTO(buf_done) struct buf out = {0};

    escape_base64(a[0].s, true, &out);
    return cel_keep_string(r, &out);
}

static bool is_base64(char c) { return isalnum((unsigned char)c) || c == '+' || c == '/'; }

/* Where a text without padding is wrong; -1: nowhere, and *ret_digits says how long it is. */
static ssize_t bad_byte(str s, size_t *ret_digits)
{
    *ret_digits = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (is_base64(s.p[i]))
            ++*ret_digits;
        else if (s.p[i] != '\n' && s.p[i] != '\r')
            return (ssize_t)i;
    }
    return *ret_digits % 4 == 1 ? (ssize_t)s.len - 1 : -1;
}

/* First as a padded text; failing that as one without, whose complaint is the one that is told. */
FN(decode)
{
    AUTO(buf_done) struct buf out = {0}, padded = {0};
    size_t digits;
    ssize_t bad;

    if (unescape_base64(a[0].s, &out))
        return cel_make_bytes(cel_keep(r, &out));
    bad = bad_byte(a[0].s, &digits);
    if (bad < 0) {
        buf_add_str(&padded, a[0].s);
        buf_add_repeat(&padded, '=', (4 - digits % 4) % 4);
        if (unescape_base64(buf_view(&padded), &out))
            return cel_make_bytes(cel_keep(r, &out));
        bad = 0;
    }
    return cel_fail(r->arena, CEL_OTHER, "illegal base64 data at input byte %zd", bad);
}

void cel_rows_encoders(const struct cel_rows *to)
{
    cel_add_row(to, "base64.encode", false, "bytes", "string", encode);
    cel_add_row(to, "base64.decode", false, "string", "bytes", decode);
}
