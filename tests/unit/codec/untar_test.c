/* libarchive writes the archives; broken ones are made of single headers. */
#include "codec/untar.h"

#include <archive.h>
#include <archive_entry.h>

#include "support/test.h"

enum { BLOCK = 512, ROOM = 1 << 16 };

struct pieces {
    str rest;
    size_t step; /* bytes a piece */
};

static int next_piece(void *ctx, str *ret, struct err *e UNUSED)
{
    struct pieces *p = ctx;

    *ret = str_sub(p->rest, 0, p->step);
    p->rest = str_from(p->rest, ret->len);
    return 0;
}

/* "name=content name/ ..." of the archive, the time behind '@' where it is not 0; returns what
 * untar_next did last. */
static int list(str tar, size_t step, struct buf *ret, struct err *e)
{
    struct pieces pieces = {tar, step};
    AUTO(untar_done) struct untar t = {.source = next_piece, .ctx = &pieces};
    struct untar_member m;
    int rc;

    while ((rc = untar_next(&t, &m, e)) > 0) {
        char content[16] = "";
        str view = STR_NONE;

        if (m.size && m.size < sizeof(content) && !untar_view(&t, &view) &&
            untar_read(&t, content, e) < 0)
            return -1;
        if (view.len)
            memcpy(content, view.p, view.len);
        buf_addf(ret, "%s%.*s%s%s", ret->len ? " " : "", STR_ARG(m.name), m.is_folder ? "" : "=",
                 content);
        if (m.mtime_s)
            buf_addf(ret, "@%lld", (long long)m.mtime_s);
    }
    return rc;
}

/* ---- what others write */

struct file {
    const char *name, *text;
    unsigned type;
    int64_t mtime;
};

static void add(struct archive *a, const struct file *f)
{
    struct archive_entry *entry = archive_entry_new();

    archive_entry_set_pathname(entry, f->name);
    archive_entry_set_filetype(entry, f->type);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, f->mtime, f->mtime > 0 ? 500000000 : 0);
    archive_entry_set_size(entry, f->type == AE_IFREG ? (la_int64_t)strlen(f->text) : 0);
    if (f->type == AE_IFLNK)
        archive_entry_set_symlink(entry, f->text);
    CHECK(archive_write_header(a, entry) == ARCHIVE_OK);
    if (f->type == AE_IFREG)
        CHECK(archive_write_data(a, f->text, strlen(f->text)) >= 0);
    archive_entry_free(entry);
}

static void make(int (*format)(struct archive *), const struct file *files, struct buf *ret)
{
    struct archive *a = archive_write_new();
    size_t used = 0;

    buf_grow(ret, ROOM);
    CHECK(format(a) == ARCHIVE_OK);
    CHECK(archive_write_add_filter_none(a) == ARCHIVE_OK);
    CHECK(archive_write_open_memory(a, ret->p, ROOM, &used) == ARCHIVE_OK);
    for (; files->name; files++)
        add(a, files);
    archive_write_close(a);
    archive_write_free(a);
    ret->len = used;
}

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG FIFTY "/" FIFTY "/" FIFTY "/x"                 /* ustar has room for it */
#define LONGER FIFTY FIFTY FIFTY "/" FIFTY FIFTY FIFTY "/x" /* and not for that */

TEST(untar_reads_what_the_formats_write_whatever_the_pieces)
{
    static const struct file files[] = {
        {"a/", "", AE_IFDIR, 0},     {"a/b", "content", AE_IFREG, 1700000000},
        {"a/none", "", AE_IFREG, 0}, {"a/link", "/etc/passwd", AE_IFLNK, 0},
        {LONG, "long", AE_IFREG, 0}, {NULL, NULL, 0, 0}};
    static const struct file long_files[] = {
        {LONGER, "longer", AE_IFREG, 0}, {"short", "x", AE_IFREG, 0}, {NULL, NULL, 0, 0}};
    static const char want[] = "a/ a/b=content@1700000000 a/none= a/link= " LONG "=long";
    static const struct {
        const char *name;
        int (*format)(struct archive *);
        const struct file *files;
        const char *want;
    } rows[] = {
        {"ustar", archive_write_set_format_ustar, files, want},
        {"pax", archive_write_set_format_pax, files, want},
        {"gnu", archive_write_set_format_gnutar, files, want},
        {"pax, long names", archive_write_set_format_pax, long_files, LONGER "=longer short=x"},
        {"gnu, long names", archive_write_set_format_gnutar, long_files, LONGER "=longer short=x"},
    };
    static const size_t steps[] = {1, 7, 512, 1000, ROOM};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf tar = {0};

        make(rows[i].format, rows[i].files, &tar);
        for (size_t k = 0; k < ARRAY_LEN(steps); k++) {
            AUTO(err_done) struct err e = {0};
            AUTO(buf_done) struct buf got = {0};

            CHECK_INT(list(buf_view(&tar), steps[k], &got, &e), 0, rows[i].name);
            CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].name);
        }
    }
}

/* ---- headers one by one */

static void add_header(struct buf *tar, const char *name, char type, const char *size)
{
    char h[BLOCK] = {0};
    unsigned sum = 0;

    snprintf(h, 100, "%s", name);
    memcpy(h + 124, size, size[0] < 0 ? 12 : strlen(size)); /* a binary number holds NULs */
    memset(h + 148, ' ', 8);
    h[156] = type;
    for (size_t i = 0; i < BLOCK; i++)
        sum += (unsigned char)h[i];
    snprintf(h + 148, 8, "%06o", sum);
    buf_add(tar, h, BLOCK);
}

static void add_block(struct buf *tar, const char *text)
{
    buf_add_cstr(tar, text);
    buf_add_repeat(tar, 0, BLOCK - strlen(text));
}

TEST(untar_reads_headers_as_go_does)
{
    static const struct {
        const char *what;
        char type;
        const char *size, *text; /* of the first member; NULL: no content */
        const char *want;        /* the listing, or the error */
        bool fails;
    } rows[] = {
        {"blanks around a number", '0', "  3 ", "abc", "m=abc next=", false},
        {"the old type of files", 0, "3", "abc", "m=abc next=", false},
        {"a type nobody knows", 'Q', "3", "abc", "m=abc next=", false},
        {"a binary number", '0', "\x80\0\0\0\0\0\0\0\0\0\0\3", "abc", "m=abc next=", false},
        {"a link has no content, whatever it says", '2', "3", NULL, "m= next=", false},
        {"records", 'x', "26", "9 size=0\n13 path=ab/c\n", "ab/c=", false},
        {"an empty path is none", 'x', "10", "8 path=\n", "next=", false},
        {"a time before 1970", 'x', "16", "14 mtime=-5.5\n", "next=@-6", false},
        {"records of another length", 'x', "11", "8 size=0\n", "tar: invalid header", true},
        {"records of no number", 'x', "11", "9 size=x\n", "tar: invalid header", true},
        {"no records", 'x', "4", "abcd", "tar: invalid header", true},
        {"records for all are passed over", 'g', "11", "9 path=x\n", "next=", false},
        {"a long name", 'L', "5", "a/b/c", "a/b/c=", false},
        {"a long name of a link", 'K', "5", "a/b/c", "next=", false},
        {"no number", '0', "12x", "abc", "tar: invalid header", true},
        {"a negative size", '0', "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "abc",
         "tar: invalid header", true},
        {"sparse", 'S', "3", "abc", "tar: m is a sparse file", true},
        {"sparse by records", 'x', "26", "22 GNU.sparse.major=1\n", "tar: next is a sparse file",
         true},
        {"records without end", 'x', "77777777", "x", "tar: a header is larger than 1048576 bytes",
         true},
        {"content without end", '0', "77777777", "x", "tar: unexpected end", true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf tar = {0}, got = {0};
        AUTO(err_done) struct err e = {0};

        add_header(&tar, "m", rows[i].type, rows[i].size);
        if (rows[i].text)
            add_block(&tar, rows[i].text);
        add_header(&tar, "next", '0', "0");
        CHECK_INT(list(buf_view(&tar), ROOM, &got, &e), rows[i].fails ? -1 : 0, rows[i].what);
        CHECK_STR(rows[i].fails ? str_of(err_text(&e)) : buf_view(&got), str_of(rows[i].want),
                  rows[i].what);
    }
}

TEST(untar_ends_at_two_empty_blocks_or_the_end_of_the_text)
{
    AUTO(buf_done) struct buf tar = {0}, got = {0}, end = {0}, cut = {0}, empty = {0};
    AUTO(err_done) struct err e = {0}, none = {0}, broken = {0}, after = {0};

    add_header(&tar, "m", '0', "0");
    CHECK_INT(list(str_sub(buf_view(&tar), 0, 100), ROOM, &cut, &e), -1, "half a header");
    CHECK_STR(str_of(err_text(&e)), STR("tar: unexpected end"), "half a header");
    buf_add_repeat(&tar, 0, BLOCK);
    CHECK_INT(list(buf_view(&tar), ROOM, &got, &none), 0, "one empty block");
    add_header(&tar, "m", '0', "0");
    CHECK_INT(list(buf_view(&tar), ROOM, &empty, &after), -1, "one empty block amidst");
    buf_trunc(&tar, (size_t)2 * BLOCK);
    buf_add_repeat(&tar, 0, BLOCK);
    buf_add_repeat(&tar, 'x', BLOCK);
    CHECK_INT(list(buf_view(&tar), ROOM, &end, &none), 0, "what follows the end");
    tar.p[3] = 'y';
    CHECK_INT(list(buf_view(&tar), ROOM, &end, &broken), -1, "a wrong sum");
    CHECK_STR(str_of(err_text(&broken)), STR("tar: invalid header"), "a wrong sum");
    CHECK_STR(buf_view(&got), STR("m="), "one member");
}
