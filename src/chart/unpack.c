#include "chart/unpack.h"

#include "chart/read_priv.h"
#include "sys/file.h"

static int write_file(const char *folder, const struct chart_file *f, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, parent = {0};
    struct file_replace options = {.mode = 0644};

    buf_addf(&path, "%s/%.*s", folder, STR_ARG(f->name));
    buf_add_str(&parent, str_sub(buf_view(&path), 0, (size_t)str_rfind_char(buf_view(&path), '/')));
    if (file_mkdirs(buf_cstr(&parent), 0755, e) < 0)
        return -1;
    return file_replace(buf_cstr(&path), f->text, &options, e);
}

int chart_unpack(str archive, const char *dir, struct buf *ret_path, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_files_done) struct chart_files files = {0};
    AUTO(buf_done) struct buf folder = {0};
    struct chart_budget budget = {0};
    struct chart *c = ARENA_NEW(&set->arena, struct chart);

    if (chart_read_archive(set, archive, &budget, &files, e) < 0 ||
        chart_read_metadata(set, c, &files, e) < 0)
        return -1;
    if (strcmp(dir, ".") != 0)
        buf_addf(&folder, "%s/", dir);
    buf_add_str(&folder, c->name);
    if (file_exists(buf_cstr(&folder)))
        return err_set(e, ERR_EXISTS,
                       "failed to untar: a file or directory with the name %s already exists",
                       buf_cstr(&folder));
    for (size_t i = 0; i < files.len; i++)
        if (write_file(buf_cstr(&folder), &files.v[i], e) < 0)
            return -1;
    buf_add_str(ret_path, buf_view(&folder));
    return 0;
}
