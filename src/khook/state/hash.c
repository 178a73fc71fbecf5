#include "khook/state/hash.h"

#include "base/order.h"
#include "base/sha256.h"
#include "doc/emit.h"
#include "khook/state/kustomization.h"
#include "khook/state/normal.h"
#include "sys/file.h"

enum { FILE_LIMIT = 1 << 30 };

struct tree {
    struct sha256 sum;
    const char *root;
    str prefix; /* put before relative paths */
};

static int add_file(struct sha256 *sum, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (file_read(path, FILE_LIMIT, &text, e) < 0)
        return -1;
    sha256_add(sum, buf_view(&text));
    return 0;
}

/* Links to regular files inside the tree count by their content; other special files do not. */
static int add_link(struct tree *t, const char *path, struct buf *text, bool *ret_counts,
                    struct err *e)
{
    int fd = file_open_dir(t->root, e), rc;

    if (fd < 0)
        return -1;
    rc = file_read_beneath(fd, path, FILE_LIMIT, text, e);
    file_close(fd);
    *ret_counts = rc == 0;
    err_done(e);
    return 0;
}

static int add_entry(void *ctx, const struct file_entry *entry, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, path = {0};
    struct tree *t = ctx;
    bool counts = entry->type == FILE_REGULAR;

    if (entry->type == FILE_LINK && add_link(t, entry->path, &text, &counts, e) < 0)
        return -1;
    if (!counts)
        return FILE_ON;
    if (entry->type == FILE_REGULAR) {
        buf_addf(&path, "%s/%s", t->root, entry->path);
        if (file_read(buf_cstr(&path), FILE_LIMIT, &text, e) < 0)
            return -1;
    }
    sha256_add(&t->sum, t->prefix);
    sha256_add(&t->sum, str_of(entry->path));
    sha256_add(&t->sum, (str){"", 1});
    sha256_add(&t->sum, buf_view(&text));
    sha256_add(&t->sum, (str){"", 1});
    return FILE_ON;
}

/* A file or folder beside the kustomization's own: named by its number, so that the place of the
 * whole tree does not matter. */
static int add_outside(struct tree *t, const char *path, size_t number, struct err *e)
{
    char prefix[32];

    snprintf(prefix, sizeof(prefix), "../%zu/", number);
    t->prefix = str_of(prefix);
    if (file_is_dir(path)) {
        t->root = path;
        return file_walk(path, add_entry, t, e);
    }
    sha256_add(&t->sum, t->prefix);
    if (add_file(&t->sum, path, e) < 0)
        return -1;
    sha256_add(&t->sum, (str){"", 1});
    return 0;
}

/* The same for one path, a file or a folder: -1 when something cannot be read. A kustomization
 * includes what it reaches outside of its folder. */
static int khook_path_hash(const char *path, bool is_kustomization, struct buf *out, struct err *e)
{
    AUTO(khook_reach_done) struct khook_reach reach = {0};
    struct tree t = {.root = path};

    sha256_init(&t.sum);
    if (!file_is_dir(path)) {
        if (add_file(&t.sum, path, e) < 0)
            return -1;
    } else {
        if (file_walk(path, add_entry, &t, e) < 0)
            return -1;
        if (is_kustomization)
            khook_kustomization_reach(path, &reach);
        for (size_t i = 0; i < reach.paths.len; i++)
            if (add_outside(&t, reach.paths.v[i].p, i, e) < 0)
                return -1;
    }
    buf_add_cstr(out, "sha256:");
    sha256_end_hex(&t.sum, out);
    return 0;
}

/* ---- content: the local files a step refers to */

struct content {
    struct map hashes; /* path as written to its hash, a C string in the arena */
    struct arena arena;
    str base_dir;
};

static int add_content(struct content *c, str path, bool is_kustomization, struct err *e)
{
    AUTO(buf_done) struct buf full = {0}, hash = {0};
    bool is_relative = path.len && path.p[0] != '/' && c->base_dir.len;

    if (!path.len || map_has(&c->hashes, path))
        return 0;
    if (is_relative)
        buf_addf(&full, "%.*s/", STR_ARG(c->base_dir));
    buf_add_str(&full, path);
    if (khook_path_hash(buf_cstr(&full), is_kustomization, &hash, e) < 0)
        return -1;
    map_put(&c->hashes, path, (void *)arena_cstr(&c->arena, buf_view(&hash)));
    return 0;
}

static int add_sources(struct content *c, const struct khook_blocks *sources, struct err *e)
{
    const struct khook_source *v = sources->v;

    for (size_t i = 0; i < sources->len; i++)
        if (add_content(c, v[i].file, false, e) < 0 || add_content(c, v[i].kustomize, true, e) < 0)
            return -1;
    return 0;
}

static int collect(struct content *c, const struct khook_step *step, struct err *e)
{
    if (step->apply)
        return add_sources(c, &step->apply->manifests, e);
    if (step->del)
        return add_sources(c, &step->del->manifests, e);
    if (!step->helm)
        return 0;
    if (step->helm->source.form == KHOOK_CHART_PATH &&
        add_content(c, step->helm->source.ref, false, e) < 0)
        return -1;
    return add_sources(c, &step->helm->values_from, e);
}

static void add_content_json(const struct content *c, struct buf *out)
{
    AUTO(str_vec_done) struct str_vec keys = {0};
    struct map_iter it = {0};

    while (map_next(&c->hashes, &it))
        vec_push(&keys, it.key);
    if (!keys.len)
        return;
    vec_sort(&keys, order_str);
    for (size_t i = 0; i < keys.len; i++) {
        buf_add_cstr(out, i ? "," : "\"content\":{");
        doc_json_quote(keys.v[i], DOC_JSON_CANON, out);
        buf_addf(out, ":\"%s\"", (const char *)map_get(&c->hashes, keys.v[i]));
    }
    buf_add_cstr(out, "},");
}

void khook_step_hash(const struct khook_step *step, str base_dir, struct buf *out)
{
    struct khook_action action = khook_step_action(step);
    AUTO(buf_done) struct buf json = {0};
    AUTO(err_done) struct err e = {0};
    struct content c = {.base_dir = base_dir};

    if (collect(&c, step, &e) == 0) {
        buf_add_char(&json, '{');
        add_content_json(&c, &json);
        buf_add_cstr(&json, "\"op\":");
        khook_normal_json(action.table, action.node, &json);
        buf_addf(&json, ",\"type\":\"%s\"}", action.table->name);
        sha256_digest(buf_view(&json), out);
    }
    map_done(&c.hashes);
    arena_done(&c.arena);
}

void khook_spec_hash(const struct khook_spec *spec, struct buf *out)
{
    AUTO(buf_done) struct buf json = {0};

    khook_normal_json(&khook_table_root, spec->document, &json);
    sha256_digest(buf_view(&json), out);
}
