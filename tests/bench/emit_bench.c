/* emit_bench FILE...: reads resource files and prints their documents sorted, as a build does that
 * has nothing else to do. */
#include "base/buf.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "sys/file.h"

static int read_one(struct doc_set *set, const char *path, struct doc_list *all, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_parse_options options = {.dialect = DOC_RESOURCE};

    return file_read(path, SIZE_MAX, &text, e) < 0
               ? -1
               : doc_parse_all(set, buf_view(&text), &options, path, all, e);
}

int main(int argc, char **argv)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    AUTO(doc_list_done) struct doc_list all = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    for (int i = 1; i < argc; i++)
        if (read_one(set, argv[i], &all, &e) < 0) {
            fprintf(stderr, "%s\n", err_text(&e));
            return 1;
        }
    doc_emit_all(all.v, all.len, DOC_EMIT_SORTED, &out);
    return fwrite(out.p, 1, out.len, stdout) != out.len;
}
