/* Folders and files into items. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doc/kyaml/node.h"
#include "doc/parse.h"
#include "fn/annotate.h"
#include "fn/ignore.h"
#include "fn/package.h"
#include "fn/parts.h"
#include "sys/file.h"

enum {
    FILE_LIMIT = 256 << 20,  /* bytes of one file */
    DOCUMENT_LIMIT = 200000, /* of a package: each is a source of its own */
};

void fn_package_done(struct fn_package *p)
{
    for (size_t i = 0; i < p->files.len; i++)
        vec_done(&p->files.v[i].parts);
    vec_done(&p->files);
    map_done(&p->by_path);
    map_done(&p->by_item);
    *p = (struct fn_package){0};
}

static str pointer_key(const struct doc_node *const *item)
{
    return (str){(const char *)item, sizeof(*item)};
}

struct fn_part *fn_package_part(const struct fn_package *p, const struct doc_node *item)
{
    return map_get(&p->by_item, pointer_key(&item));
}

static void note_item(struct fn_package *p, struct fn_part *part, struct doc_node *item)
{
    const struct doc_node **key = ARENA_NEW(&p->set->arena, const struct doc_node *);

    part->item = item;
    *key = item;
    map_put(&p->by_item, pointer_key(key), part);
}

/* ---- documents */

static struct doc_node *wrap_list(struct doc_set *set, const struct doc_node *list)
{
    struct doc_node *wrapper = doc_new_map(set);

    doc_set_field(set, wrapper, STR(FN_BARE_LIST), doc_copy(set, list));
    return wrapper;
}

/* before: the file's text in front of the part. */
static int refuse_item(const struct fn_package *p, const struct fn_file *file,
                       const struct fn_part *part, str before, struct err *e)
{
    struct doc_place place = doc_place(p->set, part->root);
    size_t line = place.line;

    for (size_t i = 0; i < before.len; i++)
        line += before.p[i] == '\n';
    return err_wrap(e, "input resource list must contain only KRM resources: %s:%zu:%u",
                    file->origin, line, place.column);
}

static int add_item(struct fn_package *p, struct fn_file *file, struct fn_part *part, str before,
                    struct doc_list *items, struct err *e)
{
    struct doc_set *set = p->set;
    bool is_bare = doc_is_list(part->root);
    struct doc_node *item = is_bare ? wrap_list(set, part->root) : doc_copy(set, part->root);

    if (fn_check_resource(item, file->path, e) < 0)
        return refuse_item(p, file, part, before, e);
    fn_unfold(item);
    if (++p->documents > DOCUMENT_LIMIT)
        return err_set(e, ERR_LIMIT, "more than %d documents", DOCUMENT_LIMIT);
    fn_set_path(set, item, file->path, (int64_t)file->documents++);
    fn_annotate(set, item, STR(FN_SEQINDENT), part->is_wide ? STR("wide") : STR("compact"));
    note_item(p, part, item);
    vec_push(items, item);
    return 0;
}

static int add_part(struct fn_package *p, struct fn_file *file, str before, str text,
                    struct doc_list *items, struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct fn_part *part = ARENA_NEW(&p->set->arena, struct fn_part);

    part->text = text;
    part->file = (uint32_t)p->files.len - 1;
    part->place = (uint32_t)file->parts.len;
    vec_push(&file->parts, part);
    if (doc_parse_all(p->set, text, &options, file->origin, &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++) {
        if (doc_is_null(roots.v[i]))
            continue;
        if (part->root)
            return err_set(e, ERR_INVALID, "%s: documents must be divided by lines \"---\"",
                           file->origin);
        part->root = roots.v[i];
    }
    if (!part->root)
        return 0;
    part->is_wide = doc_has_wide_lists(text);
    return add_item(p, file, part, before, items, e);
}

int fn_package_add(struct fn_package *p, str path, str text, struct doc_list *items, struct err *e)
{
    struct fn_file *file = vec_add(&p->files);
    str rest = arena_dup(&p->set->arena, text), whole = rest;
    bool is_json = str_ends(path, STR(".json"));

    file->path = arena_dup(&p->set->arena, path);
    file->origin = p->dir.len && !str_eq(p->dir, STR("."))
                       ? arena_printf(&p->set->arena, "%.*s/%.*s", STR_ARG(p->dir), STR_ARG(path)).p
                       : file->path.p;
    map_put(&p->by_path, file->path, (void *)(uintptr_t)p->files.len);
    while (rest.len) {
        str part = rest;

        if (is_json)
            rest = STR_NONE;
        else
            part = fn_part_next(&rest);
        if (add_part(p, file, str_range(whole.p, part.p), part, items, e) < 0)
            return e->diags ? fn_part_explain(p->set, whole, file->origin, e) : -1;
    }
    return 0;
}

/* ---- folders */

struct walk {
    struct fn_package *package;
    struct doc_list *items;
    struct fn_ignore ignore;
    int root;
};
static void walk_done(struct walk *w)
{
    fn_ignore_done(&w->ignore);
    file_close(w->root);
}
AUTO_VALUE(struct walk, walk_done)

static int read_ignore(struct walk *w, str folder, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%.*s%s.krmignore", STR_ARG(folder), folder.len ? "/" : "");
    if (file_read_beneath(w->root, buf_cstr(&path), FILE_LIMIT, &text, e) < 0) {
        if (e->kind != ERR_NOT_FOUND)
            return -1;
        err_done(e);
        return 0;
    }
    fn_ignore_add(&w->ignore, folder, buf_view(&text));
    return 0;
}

static bool is_krm_name(str name)
{
    return str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml")) ||
           str_ends(name, STR(".json")) || str_eq(name, STR("Kptfile"));
}

/* A link counts if it leads to a file inside; others are passed over. */
static bool is_file_inside(const struct walk *w, const struct file_entry *entry)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(file_close) int fd = -1;
    struct stat st;

    if (entry->type != FILE_LINK)
        return entry->type == FILE_REGULAR;
    fd = file_open_beneath(w->root, entry->path, O_RDONLY | O_NONBLOCK, &ignored);
    return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static int visit(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct walk *w = ctx;
    AUTO(buf_done) struct buf text = {0};
    str path = str_of(entry->path);

    if (fn_ignore_has(&w->ignore, path, entry->type == FILE_DIR))
        return FILE_SKIP;
    if (entry->type == FILE_DIR) {
        if (!strcmp(entry->name, ".git"))
            return FILE_SKIP;
        return read_ignore(w, path, e) < 0 ? -1 : FILE_ON;
    }
    if (!is_krm_name(str_of(entry->name)) || !is_file_inside(w, entry))
        return FILE_ON;
    if (file_read_beneath(w->root, entry->path, FILE_LIMIT, &text, e) < 0)
        return -1;
    return fn_package_add(w->package, path, buf_view(&text), w->items, e);
}

int fn_package_read(struct doc_set *set, const char *dir, struct fn_package *ret,
                    struct doc_list *items, struct err *e)
{
    AUTO(walk_done) struct walk w = {.package = ret, .items = items, .root = -1};

    ret->set = set;
    ret->dir = arena_dup(&set->arena, str_of(dir));
    w.root = file_open_dir(dir, e);
    if (w.root < 0 || read_ignore(&w, STR_NONE, e) < 0)
        return -1;
    return file_walk(dir, visit, &w, e);
}
