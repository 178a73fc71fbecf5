/* Items back into files. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "doc/edit.h"
#include "doc/emit.h"
#include "fn/annotate.h"
#include "fn/become.h"
#include "fn/comments.h"
#include "fn/package.h"
#include "fn/parts.h"
#include "sys/file.h"

void fn_changes_done(struct fn_changes *c)
{
    for (size_t i = 0; i < c->v.len; i++)
        buf_done(&c->v.v[i].text);
    vec_done(&c->v);
}

/* ---- one item */

/* What the orchestrator added goes; what was in the file stays as it was there. */
static void clean(struct doc_set *set, const struct fn_part *part, struct doc_node *item)
{
    static const str names[] = {STR_INIT(FN_PATH), STR_INIT(FN_INDEX), STR_INIT(FN_SEQINDENT),
                                STR_INIT(FN_LEGACY_PATH), STR_INIT(FN_LEGACY_INDEX)};
    str before[ARRAY_LEN(names)];

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        before[i] = part ? fn_annotation(part->root, names[i]) : STR_NONE;
    fn_unannotate_all(item);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (before[i].len)
            fn_annotate(set, item, names[i], before[i]);
}

static const struct doc_node *unwrapped(const struct doc_node *item)
{
    const struct doc_node *list = doc_get_lit(item, FN_BARE_LIST);

    return list ? list : item;
}

static void print_new(const struct doc_node *item, bool is_json, bool is_wide, struct buf *out)
{
    if (is_json) {
        doc_emit_json(item, DOC_JSON_PRETTY, out);
        buf_add_char(out, '\n');
    } else {
        doc_emit(item, is_wide ? DOC_EMIT_KYAML_WIDE : DOC_EMIT_KYAML, out);
    }
}

static bool is_json_path(str path) { return str_ends(path, STR(".json")); }

/* The item's text, its "---" line included when it was read with one. */
static void print_item(struct fn_package *p, struct doc_node *item, struct buf *out)
{
    struct fn_part *part = fn_package_part(p, item);
    bool is_json = is_json_path(fn_path_of(item)), has_comments;
    bool is_wide = str_eq(fn_annotation(item, STR(FN_SEQINDENT)), STR("wide"));
    const struct doc_node *now, *before;
    AUTO(buf_done) struct buf text = {0};

    clean(p->set, part, item);
    now = unwrapped(item);
    /* A function that is there to reformat marks what it has done (gfn_touch). */
    if (!part || item->is_changed || (is_json && !is_json_path(p->files.v[part->file].path))) {
        print_new(now, is_json, is_wide, out);
        return;
    }
    has_comments = !is_json && fn_has_new_comments(part->root, now);
    if (!has_comments && doc_equal(part->root, now)) {
        buf_add_str(out, part->text);
        return;
    }
    before = has_comments ? doc_copy(p->set, part->root) : NULL; /* of which new comments are new */
    fn_become(p->set, part->root, now);
    doc_edit_emit(p->set, part->root->source, &part->root, 1, &text);
    if (has_comments)
        fn_put_comments(before, now, &text);
    buf_add_str(out, buf_view(&text));
}

static void end_line(struct buf *out)
{
    if (out->len && out->p[out->len - 1] != '\n')
        buf_add_char(out, '\n');
}

void fn_package_print(struct fn_package *p, struct doc_node *item, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};

    print_item(p, item, &text);
    buf_add_str(out, str_from(buf_view(&text), fn_part_divider(buf_view(&text))));
    end_line(out);
}

/* ---- one file */

struct placed {
    struct doc_node *item;
    int64_t index;
    size_t order;
};
struct group {
    str path;
    struct fn_file *file; /* as read, or NULL */
    VEC(struct placed) items;
};

static void add_text(struct buf *out, size_t begin, bool keeps_divider, str text)
{
    if (out->len == begin) {
        buf_add_str(out, keeps_divider ? text : str_from(text, fn_part_divider(text)));
        return;
    }
    end_line(out);
    if (!fn_part_has_divider(text))
        buf_add_cstr(out, "---\n");
    buf_add_str(out, text);
}

/* Parts without a resource, from place *at on up to `to`. */
static void add_loose(const struct group *g, size_t *at, size_t to, struct buf *out, bool keeps)
{
    for (; *at < to; ++*at)
        if (!g->file->parts.v[*at]->root)
            add_text(out, 0, keeps, g->file->parts.v[*at]->text);
}

static void print_file(struct fn_package *p, struct group *g, struct buf *out)
{
    size_t at = 0, count = g->file ? g->file->parts.len : 0;
    bool keeps = count && fn_part_has_divider(g->file->parts.v[0]->text);

    for (size_t i = 0; i < g->items.len; i++) {
        AUTO(buf_done) struct buf text = {0};
        const struct fn_part *part = fn_package_part(p, g->items.v[i].item);
        bool is_own = part && g->file && &p->files.v[part->file] == g->file;

        if (is_own && part->place >= at) {
            add_loose(g, &at, part->place, out, keeps);
            at = part->place + 1;
        }
        print_item(p, g->items.v[i].item, &text);
        add_text(out, 0, keeps, buf_view(&text));
    }
    if (count)
        add_loose(g, &at, count, out, keeps);
    if (!g->file)
        end_line(out);
}

static str file_text(const struct fn_file *f)
{
    const struct fn_part *last = vec_last(&f->parts);

    return str_range(f->parts.v[0]->text.p, last->text.p + last->text.len);
}

/* Does every line end as on Windows? */
static bool has_windows_lines(str text)
{
    bool found = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != '\n')
            continue;
        if (i == 0 || text.p[i - 1] != '\r')
            return false;
        found = true;
    }
    return found;
}

/* Lines that were written anew end like the file's others. */
static void use_windows_lines(struct buf *text)
{
    AUTO(buf_done) struct buf out = {0};

    for (size_t i = 0; i < text->len; i++) {
        if (text->p[i] == '\n' && (i == 0 || text->p[i - 1] != '\r'))
            buf_add_char(&out, '\r');
        buf_add_char(&out, text->p[i]);
    }
    buf_clear(text);
    buf_add_str(text, buf_view(&out));
}

/* ---- all files */

struct groups {
    VEC(struct group *) v;
    struct map by_path;
};
static void groups_done(struct groups *all)
{
    for (size_t i = 0; i < all->v.len; i++) {
        vec_done(&all->v.v[i]->items);
        mem_free(all->v.v[i]);
    }
    vec_done(&all->v);
    map_done(&all->by_path);
}
AUTO_VALUE(struct groups, groups_done)

static struct group *group_of(struct fn_package *p, struct groups *all, str path)
{
    struct group *g = map_get(&all->by_path, path);
    uintptr_t file = (uintptr_t)map_get(&p->by_path, path);

    if (g)
        return g;
    g = NEW(struct group);
    g->path = path;
    g->file = file ? &p->files.v[file - 1] : NULL;
    vec_push(&all->v, g);
    map_put(&all->by_path, path, g);
    return g;
}

static int group_all(struct fn_package *p, const struct doc_list *items, struct groups *ret,
                     struct err *e)
{
    for (size_t i = 0; i < items->len; i++) {
        str path = fn_path_of(items->v[i]);

        if (!path.len || fn_clean_path(p->set, path, &path, e) < 0)
            return path.len ? -1 : err_set(e, ERR_INVALID, "a resource has no path");
        vec_push(&group_of(p, ret, path)->items, {items->v[i], fn_index_of(items->v[i]), i});
    }
    return 0;
}

static int by_index(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

int fn_package_changes(struct fn_package *p, const struct doc_list *items, bool all,
                       struct fn_changes *ret, struct err *e)
{
    AUTO(groups_done) struct groups groups = {0};

    if (group_all(p, items, &groups, e) < 0)
        return -1;
    for (size_t i = 0; i < groups.v.len; i++) {
        struct group *g = groups.v.v[i];
        struct fn_change *change = vec_add(&ret->v);

        vec_sort(&g->items, by_index);
        change->path = g->path;
        print_file(p, g, &change->text);
        if (g->file && g->file->parts.len && has_windows_lines(file_text(g->file)))
            use_windows_lines(&change->text);
        if (!all && g->file && g->file->parts.len &&
            str_eq(buf_view(&change->text), file_text(g->file))) {
            buf_done(&change->text);
            ret->v.len--;
        }
    }
    for (size_t i = 0; i < p->files.len && !all; i++)
        if (p->files.v[i].documents && !map_has(&groups.by_path, p->files.v[i].path))
            vec_push(&ret->v, {.path = p->files.v[i].path, .is_removed = true});
    return 0;
}

/* ---- to disk */

/* Nothing on the way to the file, nor the file itself, may be a link that leads out of the folder.
 */
static int check_inside(int root, str path, struct err *e)
{
    for (size_t end = 0; end <= path.len; end++) {
        AUTO(buf_done) struct buf prefix = {0};
        AUTO(file_close) int fd = -1;

        if (end < path.len && path.p[end] != '/')
            continue;
        buf_add_str(&prefix, str_sub(path, 0, end));
        fd = file_open_beneath(root, buf_cstr(&prefix), O_PATH, e);
        if (fd >= 0)
            continue;
        if (e->kind != ERR_NOT_FOUND)
            return err_wrap(e, "function must not modify resources outside of package");
        err_done(e);
        return 0;
    }
    return 0;
}

static int write_one(const struct fn_change *c, const char *dir, int root, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    ssize_t slash;

    if (check_inside(root, c->path, e) < 0)
        return -1;
    buf_addf(&path, "%s/%.*s", dir, STR_ARG(c->path));
    if (c->is_removed)
        return unlink(buf_cstr(&path)) < 0 && errno != ENOENT
                   ? err_errno(e, errno, "remove %s", buf_cstr(&path))
                   : 0;
    slash = str_rfind_char(c->path, '/');
    if (slash > 0) {
        AUTO(buf_done) struct buf folder = {0};

        buf_addf(&folder, "%s/%.*s", dir, (int)slash, c->path.p);
        if (file_mkdirs(buf_cstr(&folder), 0777, e) < 0)
            return -1;
    }
    return file_replace(buf_cstr(&path), buf_view(&c->text), NULL, e);
}

int fn_changes_write(const struct fn_changes *c, const char *dir, struct err *e)
{
    AUTO(buf_done) struct buf done = {0};
    AUTO(file_close) int root = file_open_dir(dir, e);

    if (root < 0)
        return -1;
    for (size_t i = 0; i < c->v.len; i++) {
        if (write_one(&c->v.v[i], dir, root, e) < 0)
            return done.len
                       ? err_wrap(e, "these files were written already: %s; then", buf_cstr(&done))
                       : -1;
        buf_addf(&done, "%s%.*s", i ? ", " : "", STR_ARG(c->v.v[i].path));
    }
    return 0;
}
