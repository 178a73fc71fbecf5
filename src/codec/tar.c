#include "codec/tar.h"

enum { BLOCK = 512, NAME = 100, PREFIX = 155 };

struct header { /* of POSIX.1-1988 */
    char name[NAME], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100];
    char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[PREFIX], rest[12];
};
static_assert(sizeof(struct header) == BLOCK, "a header is a block");

/* Digits with leading zeros and a NUL behind. */
static void put_octal(char *field, size_t size, uint64_t value)
{
    field[--size] = 0;
    while (size) {
        field[--size] = (char)('0' + (value & 7));
        value >>= 3;
    }
}

/* False when it does not fit: then what is put is its end, for readers without pax. */
static bool put_name(struct header *h, str name)
{
    if (name.len <= NAME) {
        memcpy(h->name, name.p, name.len);
        return true;
    }
    for (size_t i = name.len - NAME - 1; i <= PREFIX && i + 1 < name.len; i++) {
        if (name.p[i] != '/')
            continue;
        memcpy(h->prefix, name.p, i);
        memcpy(h->name, name.p + i + 1, name.len - i - 1);
        return true;
    }
    memcpy(h->name, name.p + name.len - NAME, NAME);
    return false;
}

static void add_header(struct buf *out, struct header *h, char type, size_t size, int64_t mtime_s)
{
    unsigned sum = 0;

    put_octal(h->mode, sizeof(h->mode), 0644);
    put_octal(h->uid, sizeof(h->uid), 0);
    put_octal(h->gid, sizeof(h->gid), 0);
    put_octal(h->size, sizeof(h->size), size);
    put_octal(h->mtime, sizeof(h->mtime), mtime_s > 0 ? (uint64_t)mtime_s : 0);
    put_octal(h->major, sizeof(h->major), 0);
    put_octal(h->minor, sizeof(h->minor), 0);
    h->type = type;
    memcpy(h->magic, "ustar", 6);
    memcpy(h->version, "00", 2);
    memset(h->checksum, ' ', sizeof(h->checksum));
    for (size_t i = 0; i < sizeof(*h); i++)
        sum += ((unsigned char *)h)[i];
    put_octal(h->checksum, 7, sum);
    buf_add(out, h, sizeof(*h));
}

static void add_content(struct buf *out, str text)
{
    buf_add_str(out, text);
    buf_add_repeat(out, 0, (BLOCK - text.len % BLOCK) % BLOCK);
}

/* "LENGTH path=NAME\n", the length being that of the whole line. */
static void add_pax(struct buf *out, str name, int64_t mtime_s)
{
    AUTO(buf_done) struct buf record = {0};
    struct header h = {.name = "PaxHeaders.0/name"};
    size_t length = sizeof(" path=\n") - 1 + name.len, digits = 1;

    for (size_t most = 10; length + digits >= most; most *= 10)
        digits++;
    buf_addf(&record, "%zu path=%.*s\n", length + digits, STR_ARG(name));
    add_header(out, &h, 'x', record.len, mtime_s);
    add_content(out, buf_view(&record));
}

void tar_add_file(struct buf *out, str name, str text, int64_t mtime_s)
{
    struct header h = {0};

    if (!put_name(&h, name))
        add_pax(out, name, mtime_s);
    add_header(out, &h, '0', text.len, mtime_s);
    add_content(out, text);
}

void tar_end(struct buf *out) { buf_add_repeat(out, 0, (size_t)2 * BLOCK); }
