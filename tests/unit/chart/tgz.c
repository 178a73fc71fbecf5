#include "unit/chart/tgz.h"

#include "codec/gzip.h"
#include "support/test.h"

enum {
    BLOCK = 512,
    NAME = 0,
    MODE = 100,
    SIZE = 124,
    TIME = 136,
    SUM = 148,
    TYPE = 156,
    MAGIC = 257
};

static void add_file(const struct tgz_file *file, struct buf *tar)
{
    char head[BLOCK] = {0};
    size_t len = strlen(file->text);
    unsigned sum = 0;

    snprintf(head + NAME, 100, "%s", file->name);
    snprintf(head + MODE, 8, "%07o", 0644);
    snprintf(head + SIZE, 12, "%011o", (unsigned)len & 0777777u);
    snprintf(head + TIME, 12, "%011o", 1700000000);
    memset(head + SUM, ' ', 8);
    head[TYPE] = '0';
    memcpy(head + MAGIC, "ustar\00000", 8);
    for (size_t i = 0; i < BLOCK; i++)
        sum += (unsigned char)head[i];
    snprintf(head + SUM, 8, "%06o", sum);
    buf_add(tar, head, BLOCK);
    buf_add(tar, file->text, len);
    buf_add_repeat(tar, '\0', (BLOCK - len % BLOCK) % BLOCK);
}

void tgz_make(const struct tgz_file *files, struct buf *out)
{
    AUTO(buf_done) struct buf tar = {0};
    AUTO(err_done) struct err e = {0};

    for (; files->name; files++)
        add_file(files, &tar);
    buf_add_repeat(&tar, '\0', 2 * (size_t)BLOCK);
    CHECK(gzip_pack(buf_view(&tar), 6, out, &e) == 0);
    CHECK_OK(&e);
}

void tgz_make_chart(const char *name, const char *version, struct buf *out)
{
    AUTO(buf_done) struct buf meta = {0};
    struct tgz_file files[] = {{"web/Chart.yaml", NULL},
                               {"web/values.yaml", "a: 1\n"},
                               {"web/templates/x.yaml", "a: {{ .Values.a }}\n"},
                               {NULL, NULL}};

    buf_addf(&meta,
             "apiVersion: v2\nname: %s\nversion: %s\ndescription: of a test\n"
             "home: https://example.org\nsources: [https://example.org/src]\n"
             "maintainers:\n- {name: Ann, email: ann@example.org}\n- {name: Bob}\n"
             "annotations: {team: x, org.opencontainers.image.title: other}\n",
             name, version);
    files[0].text = buf_cstr(&meta);
    tgz_make(files, out);
}
