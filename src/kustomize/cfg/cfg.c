#include "kustomize/cfg/cfg.h"

#include "doc/parse.h"
#include "fn/annotate.h"
#include "fn/ignore.h"
#include "fn/stream.h"
#include "sys/file.h"

enum { FILE_LIMIT = 256 << 20 };

struct walk {
    struct doc_set *set;
    struct doc_list *items;
    const char *dir;
    bool with_subpackages;
    struct fn_ignore ignore;
};
static void walk_done(struct walk *w) { fn_ignore_done(&w->ignore); }
AUTO_VALUE(struct walk, walk_done)

/* What stands on standard input may come from `cfg grep`: it keeps the places it has. */
static int read_stdin(struct doc_set *set, struct doc_list *items, struct err *e)
{
    static const struct fn_stream_options options = {0};
    AUTO(fn_stream_done) struct fn_stream stream = {0};
    AUTO(buf_done) struct buf text = {0};

    if (file_read("-", FILE_LIMIT, &text, e) < 0 ||
        fn_stream_read(set, buf_view(&text), &options, "standard input", &stream, e) < 0)
        return -1;
    for (size_t i = 0; i < stream.list.items.len; i++)
        vec_push(items, stream.list.items.v[i]);
    return 0;
}

/* full is where it lies, path what its items are told. */
static int read_file(struct doc_set *set, const char *full, const char *path,
                     struct doc_list *items, struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(doc_list_done) struct doc_list roots = {0};
    AUTO(buf_done) struct buf text = {0};

    if (file_read(full, FILE_LIMIT, &text, e) < 0 ||
        doc_parse_all(set, buf_view(&text), &options, full, &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++) {
        if (!doc_is_map(roots.v[i]))
            return err_set(e, ERR_INVALID, "%s: document %zu is no map", full, i + 1);
        fn_set_path(set, roots.v[i], str_of(path), (int64_t)i);
        vec_push(items, roots.v[i]);
    }
    return 0;
}

static bool has_file(const struct walk *w, const char *folder, const char *name)
{
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/%s%s%s", w->dir, folder, folder[0] ? "/" : "", name);
    return file_exists(buf_cstr(&path));
}

static int read_ignore(struct walk *w, const char *folder, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, text = {0};

    if (!has_file(w, folder, ".krmignore"))
        return 0;
    buf_addf(&path, "%s/%s%s.krmignore", w->dir, folder, folder[0] ? "/" : "");
    if (file_read(buf_cstr(&path), FILE_LIMIT, &text, e) < 0)
        return -1;
    fn_ignore_add(&w->ignore, str_of(folder), buf_view(&text));
    return 0;
}

static int visit(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct walk *w = ctx;
    str name = str_of(entry->name);
    AUTO(buf_done) struct buf full = {0};

    if (fn_ignore_has(&w->ignore, str_of(entry->path), entry->type == FILE_DIR))
        return FILE_SKIP;
    if (entry->type == FILE_DIR) {
        if (str_eq(name, STR(".git")) ||
            (!w->with_subpackages && has_file(w, entry->path, "Kptfile")))
            return FILE_SKIP;
        return read_ignore(w, entry->path, e) < 0 ? -1 : FILE_ON;
    }
    if (entry->type != FILE_REGULAR ||
        (!str_ends(name, STR(".yaml")) && !str_ends(name, STR(".yml"))))
        return FILE_ON;
    buf_addf(&full, "%s/%s", w->dir, entry->path);
    return read_file(w->set, buf_cstr(&full), entry->path, w->items, e) < 0 ? -1 : FILE_ON;
}

int kustomize_cfg_read(struct doc_set *set, const char *path, bool with_subpackages,
                       struct doc_list *items, struct err *e)
{
    AUTO(walk_done)
    struct walk w = {.set = set, .items = items, .dir = path, .with_subpackages = with_subpackages};
    const char *slash = strrchr(path, '/');

    if (strcmp(path, "-") == 0)
        return read_stdin(set, items, e);
    if (!file_is_dir(path))
        return read_file(set, path, slash ? slash + 1 : path, items, e);
    return read_ignore(&w, "", e) < 0 ? -1 : file_walk(path, visit, &w, e);
}

bool kustomize_cfg_is_local(const struct doc_node *item)
{
    str value = fn_annotation(item, STR("config.kubernetes.io/local-config"));

    return value.len && !str_eq(value, STR("false"));
}
