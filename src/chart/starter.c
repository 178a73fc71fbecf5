/* Charts made from a starter: the folder of another chart, with its placeholder for the name (helm
 * spec 18). */
#include "chart/chart.h"
#include "chart/create.h"
#include "sys/file.h"

#define PLACEHOLDER STR("<CHARTNAME>")

struct copying {
    const char *from, *to;
    str name;
};

static void fill_in(str text, str name, struct buf *out)
{
    ssize_t at;

    while ((at = str_find(text, PLACEHOLDER)) >= 0) {
        buf_add_str(out, str_sub(text, 0, (size_t)at));
        buf_add_str(out, name);
        text = str_from(text, (size_t)at + PLACEHOLDER.len);
    }
    buf_add_str(out, text);
}

static bool has_placeholder(str path)
{
    return str_starts(path, STR("templates/")) || str_eq(path, STR("values.yaml"));
}

static int copy_file(const struct copying *c, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf from = {0}, to = {0}, parent = {0}, text = {0}, filled = {0};

    buf_addf(&from, "%s/%s", c->from, path);
    buf_addf(&to, "%s/%s", c->to, path);
    buf_add_str(&parent, str_sub(buf_view(&to), 0, (size_t)str_rfind_char(buf_view(&to), '/')));
    if (file_mkdirs(buf_cstr(&parent), 0755, e) < 0)
        return -1;
    if (file_read(buf_cstr(&from), CHART_MAX_FILE, &text, e) < 0)
        return -1;
    fill_in(buf_view(&text), c->name, &filled);
    return file_replace(buf_cstr(&to), buf_view(has_placeholder(str_of(path)) ? &filled : &text),
                        NULL, e);
}

static int visit(void *ctx, const struct file_entry *entry, struct err *e)
{
    const struct copying *c = ctx;
    if (entry->type != FILE_REGULAR || str_eq(str_of(entry->path), STR("Chart.yaml")))
        return FILE_ON;
    return copy_file(c, entry->path, e);
}

static int write_metadata(const struct copying *c, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, text = {0};

    buf_addf(&path, "%s/Chart.yaml", c->to);
    buf_addf(&text,
             "apiVersion: v2\nappVersion: 0.1.0\ndescription: A Helm chart for Kubernetes\n"
             "name: %.*s\ntype: application\nversion: 0.1.0\n",
             STR_ARG(c->name));
    return file_replace(buf_cstr(&path), buf_view(&text), NULL, e);
}

int chart_create_from(const char *path, const char *starter, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct copying c = {.from = starter, .to = path};

    if (chart_create_check(path, &c.name, e) < 0)
        return -1;
    if (!file_is_dir(starter))
        return err_set(e, ERR_NOT_FOUND, "could not load %s: there is no such folder", starter);
    if (!chart_load(set, starter, e))
        return err_wrap(e, "could not load %s", starter);
    if (file_mkdirs(path, 0755, e) < 0 || file_walk(starter, visit, &c, e) < 0)
        return -1;
    return write_metadata(&c, e);
}
