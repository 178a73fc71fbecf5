#include "codec/untar.h"

enum { BLOCK = 512, MAX_SPECIAL = 1 << 20 /* bytes of a pax header or long name */ };

struct header { /* the fields that all formats share, and ustar's */
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100];
    char magic[8], user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};
static_assert(sizeof(struct header) == BLOCK, "a header is a block");

struct records { /* what a pax header says of the next member */
    str path;    /* in the text it was read from */
    int64_t size, mtime_s;
    bool has_size, has_mtime, is_sparse;
};

void untar_done(struct untar *t)
{
    buf_done(&t->name);
    buf_done(&t->pax);
    buf_done(&t->long_name);
}

/* ---- bytes */

/* Has the archive more? 1, 0 at its end. */
static int more(struct untar *t, struct err *e)
{
    if (!t->piece.len && t->source(t->ctx, &t->piece, e) < 0)
        return -1;
    return t->piece.len > 0;
}

/* Up to len bytes, into ret unless it is NULL; fewer only at the end of the archive. */
static int take(struct untar *t, char *ret, size_t len, size_t *ret_len, struct err *e)
{
    *ret_len = 0;
    while (*ret_len < len) {
        int rc = more(t, e);
        size_t now = MIN(len - *ret_len, t->piece.len);

        if (rc <= 0)
            return rc;
        if (ret)
            memcpy(ret + *ret_len, t->piece.p, now);
        t->piece = str_from(t->piece, now);
        *ret_len += now;
    }
    return 0;
}

static int fail_cut_off(struct err *e) { return err_set(e, ERR_INVALID, "tar: unexpected end"); }

static int fail_header(struct err *e) { return err_set(e, ERR_INVALID, "tar: invalid header"); }

/* Past what is left of the member: 1, or 0 where the archive ends within the padding. */
static int skip(struct untar *t, struct err *e)
{
    size_t got;

    if (take(t, NULL, t->left, &got, e) < 0)
        return -1;
    if (got < t->left)
        return fail_cut_off(e);
    t->left = 0;
    if (take(t, NULL, t->padding, &got, e) < 0)
        return -1;
    if (got < t->padding)
        return 0;
    t->padding = 0;
    return 1;
}

/* ---- fields */

static str text_of(const char *field, size_t size) { return (str){field, strnlen(field, size)}; }
#define TEXT_OF(field) text_of(field, sizeof(field))

/* Octal between blanks and NULs, or with the top bit set a binary number. */
static int number_of(const char *field, size_t size, int64_t *ret)
{
    const unsigned char *p = (const unsigned char *)field;
    int64_t n = 0;
    size_t i = 0, end = size;

    *ret = 0;
    if (p[0] & 0x80) {
        n = p[0] & 0x40 ? -1 : 0; /* two's complement; the first bits are no part of it */
        n = n * 64 + (p[0] & 0x3f);
        for (i = 1; i < size; i++)
            if (__builtin_mul_overflow(n, 256, &n) || __builtin_add_overflow(n, p[i], &n))
                return -1;
        *ret = n;
        return 0;
    }
    while (end && (p[end - 1] == ' ' || p[end - 1] == 0))
        end--;
    while (i < end && (p[i] == ' ' || p[i] == 0))
        i++;
    for (; i < end && p[i]; i++) {
        if (p[i] < '0' || p[i] > '7' || n >> 58)
            return -1;
        n = n * 8 + (p[i] - '0');
    }
    *ret = n;
    return 0;
}
#define NUMBER_OF(field, ret) number_of(field, sizeof(field), ret)

/* Some old programs summed signed bytes. */
static bool is_intact(const struct header *h)
{
    const char *p = (const char *)h;
    int64_t said, plain = 0, is_signed = 0;

    for (size_t i = 0; i < BLOCK; i++) {
        bool is_sum = i >= offsetof(struct header, checksum) && i < offsetof(struct header, type);
        char c = is_sum ? ' ' : p[i];

        plain += (unsigned char)c;
        is_signed += (signed char)c;
    }
    return NUMBER_OF(h->checksum, &said) == 0 && (said == plain || said == is_signed);
}

static bool is_empty(const struct header *h)
{
    static const struct header none;

    return memcmp(h, &none, sizeof(none)) == 0;
}

/* A header and the size it says: 1; 0 at the end: two empty blocks, or nothing more. */
static int read_header(struct untar *t, struct header *h, struct err *e)
{
    for (int empty = 0; empty < 2; empty++) {
        size_t got;

        if (take(t, (char *)h, sizeof(*h), &got, e) < 0)
            return -1;
        if (!got)
            return 0;
        if (got < sizeof(*h))
            return fail_cut_off(e);
        if (!is_empty(h))
            return empty || !is_intact(h) ? fail_header(e) : 1;
    }
    return 0;
}

/* Sets out to read the content of a member. */
static int begin(struct untar *t, int64_t size, struct err *e)
{
    if (size < 0)
        return fail_header(e);
    t->left = (size_t)size;
    t->padding = (BLOCK - t->left % BLOCK) % BLOCK;
    return 0;
}

/* ---- headers before headers */

static int read_special(struct untar *t, struct buf *ret, struct err *e)
{
    buf_clear(ret);
    if (t->left > MAX_SPECIAL)
        return err_set(e, ERR_LIMIT, "tar: a header is larger than %d bytes", MAX_SPECIAL);
    buf_grow(ret, t->left);
    ret->len = t->left;
    ret->p[ret->len] = 0;
    return untar_read(t, ret->p, e);
}

/* Whole seconds of "-12.5", towards the past. */
static bool seconds_of(str text, int64_t *ret)
{
    str fraction, whole = str_cut(text, '.', &fraction);

    if (!str_to_int64(whole, ret))
        return false;
    for (size_t i = 0; i < fraction.len; i++)
        if (fraction.p[i] < '0' || fraction.p[i] > '9')
            return false;
    if (whole.p[0] == '-' && str_trim_right(fraction, "0").len)
        *ret -= 1;
    return true;
}

static bool take_record(struct records *r, str key, str value)
{
    bool is_text = str_eq(key, STR("path")) || str_eq(key, STR("linkpath")) ||
                   str_eq(key, STR("uname")) || str_eq(key, STR("gname"));

    if (!key.len || str_find_char(is_text ? value : key, 0) >= 0)
        return false;
    if (str_starts(key, STR("GNU.sparse.")))
        r->is_sparse = true;
    if (str_eq(key, STR("path"))) {
        r->path = value;
    } else if (str_eq(key, STR("size"))) {
        r->has_size = value.len > 0;
        return !value.len || str_to_int64(value, &r->size);
    } else if (str_eq(key, STR("mtime"))) {
        r->has_mtime = value.len > 0;
        return !value.len || seconds_of(value, &r->mtime_s);
    }
    return true;
}

/* Lines of "LENGTH key=value\n", the length being that of the whole line. */
static int read_records(str text, struct records *ret, struct err *e)
{
    *ret = (struct records){0};
    while (text.len) {
        str rest, value, key, digits = str_cut(text, ' ', &rest);
        int64_t length;

        if (!rest.p || !str_to_int64(digits, &length) || length < 5 || (size_t)length > text.len ||
            (size_t)length < digits.len + 2 || text.p[length - 1] != '\n')
            return fail_header(e);
        key = str_cut(str_sub(rest, 0, (size_t)length - digits.len - 2), '=', &value);
        if (!value.p || !take_record(ret, key, value))
            return fail_header(e);
        text = str_from(text, (size_t)length);
    }
    return 0;
}

/* What stands before a member: 1 when h was such a header. A long name of a link is passed over,
 * records for all members too: so does Go. */
static int read_before(struct untar *t, const struct header *h, struct records *records,
                       struct err *e)
{
    struct records global;

    switch (h->type) {
    case 'x':
        return read_special(t, &t->pax, e) < 0 || read_records(buf_view(&t->pax), records, e) < 0
                   ? -1
                   : 1;
    case 'g':
        *records = (struct records){0};
        buf_clear(&t->long_name);
        return read_special(t, &t->pax, e) < 0 || read_records(buf_view(&t->pax), &global, e) < 0
                   ? -1
                   : 1;
    case 'L':
        return read_special(t, &t->long_name, e) < 0 ? -1 : 1;
    case 'K':
        return 1;
    default:
        return 0;
    }
}

/* ---- members */

static void take_name(struct untar *t, const struct header *h, const struct records *r)
{
    static const char ustar[] = "ustar\00000";

    buf_clear(&t->name);
    if (t->long_name.len) {
        buf_add_str(&t->name, text_of(t->long_name.p, t->long_name.len));
    } else if (r->path.len) {
        buf_add_str(&t->name, r->path);
    } else {
        if (memcmp(h->magic, ustar, sizeof(h->magic)) == 0 && h->prefix[0])
            buf_addf(&t->name, "%.*s/", STR_ARG(TEXT_OF(h->prefix)));
        buf_add_str(&t->name, TEXT_OF(h->name));
    }
}

/* The member that a header and the records before it speak of. */
static int take_member(struct untar *t, const struct header *h, const struct records *r,
                       struct untar_member *ret, struct err *e)
{
    bool is_bare = h->type >= '1' && h->type <= '6'; /* links, devices, folders */

    take_name(t, h, r);
    ret->name = buf_view(&t->name);
    ret->is_folder = h->type == '5' || (h->type == 0 && str_ends(ret->name, STR("/")));
    if (h->type == 'S' || r->is_sparse)
        return err_set(e, ERR_UNSUPPORTED, "tar: %.*s is a sparse file", STR_ARG(ret->name));
    if (r->has_size && begin(t, r->size, e) < 0)
        return -1;
    if (is_bare)
        t->left = t->padding = 0;
    if (NUMBER_OF(h->mtime, &ret->mtime_s) < 0)
        return fail_header(e);
    if (r->has_mtime)
        ret->mtime_s = r->mtime_s;
    ret->size = t->left;
    return 1;
}

int untar_next(struct untar *t, struct untar_member *ret, struct err *e)
{
    struct records records = {0};
    struct header h;
    int rc;

    buf_clear(&t->long_name);
    do {
        int64_t size;

        rc = skip(t, e);
        if (rc > 0)
            rc = read_header(t, &h, e);
        if (rc <= 0)
            return rc;
        if (NUMBER_OF(h.size, &size) < 0)
            return fail_header(e);
        if (begin(t, size, e) < 0)
            return -1;
        rc = read_before(t, &h, &records, e);
    } while (rc > 0);
    return rc < 0 ? -1 : take_member(t, &h, &records, ret, e);
}

bool untar_view(struct untar *t, str *ret)
{
    if (t->piece.len < t->left)
        return false;
    *ret = str_sub(t->piece, 0, t->left);
    t->piece = str_from(t->piece, t->left);
    t->left = 0;
    return true;
}

int untar_read(struct untar *t, char *ret, struct err *e)
{
    size_t got;

    if (take(t, ret, t->left, &got, e) < 0)
        return -1;
    if (got < t->left)
        return fail_cut_off(e);
    t->left = 0;
    return 0;
}
