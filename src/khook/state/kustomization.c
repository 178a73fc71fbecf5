#include "khook/state/kustomization.h"

#include "doc/parse.h"
#include "sys/file.h"

enum { MAX_REACHED = 10000, MAX_DEPTH = 100, FILE_LIMIT = 16 << 20 };

struct walk {
    struct khook_reach *reach;
    const char *folder; /* whose file is being read */
    str root;           /* the kustomization asked for, cleaned, with a slash at its end */
};

void khook_reach_done(struct khook_reach *reach)
{
    map_done(&reach->seen);
    vec_done(&reach->paths);
    arena_done(&reach->arena);
    *reach = (struct khook_reach){0};
}

/* "a/./b/../c" as "a/c"; ".." at the front stays. */
static void clean(str path, struct buf *out)
{
    bool is_absolute = path.len && path.p[0] == '/';
    VEC(str) parts = {0};

    while (path.len) {
        str part = str_cut(path, '/', &path);

        if (!part.len || str_eq(part, STR(".")))
            continue;
        if (str_eq(part, STR("..")) && parts.len && !str_eq(vec_last(&parts), STR("..")))
            parts.len--;
        else if (!str_eq(part, STR("..")) || !is_absolute)
            vec_push(&parts, part);
    }
    if (is_absolute)
        buf_add_char(out, '/');
    for (size_t i = 0; i < parts.len; i++)
        buf_addf(out, "%s%.*s", i ? "/" : "", STR_ARG(parts.v[i]));
    if (!out->len)
        buf_add_char(out, '.');
    vec_done(&parts);
}

static void read_folder(struct walk *w, const char *folder, int depth);

/* A text of the kustomization that may be a path: "../base", or "name=../file" of a generator. */
static void consider(struct walk *w, str text, int depth)
{
    AUTO(buf_done) struct buf joined = {0}, path = {0}, with_slash = {0};
    struct khook_reach *reach = w->reach;
    str kept;

    if (!text.len || text.len > 4096 || memchr(text.p, '\n', text.len) ||
        reach->paths.len >= MAX_REACHED)
        return;
    if (text.p[0] != '/')
        buf_addf(&joined, "%s/", w->folder);
    buf_add_str(&joined, text);
    clean(buf_view(&joined), &path);
    if (map_has(&reach->seen, buf_view(&path)) || !file_exists(buf_cstr(&path)))
        return;
    kept = arena_dup(&reach->arena, buf_view(&path));
    map_put(&reach->seen, kept, reach);
    buf_addf(&with_slash, "%.*s/", STR_ARG(kept));
    if (!str_starts(buf_view(&with_slash), w->root))
        vec_push(&reach->paths, kept);
    if (file_is_dir(kept.p))
        read_folder(w, kept.p, depth + 1);
}

static void consider_all(struct walk *w, const struct doc_node *texts, int depth)
{
    struct doc_iter it = doc_children(texts);
    str name = doc_string(texts, STR_NONE), file;

    str_cut(name, '=', &file); /* generators: "key=path" */
    consider(w, name, depth);
    consider(w, file, depth);
    while (doc_next(&it)) {
        str_cut(doc_string(it.value, STR_NONE), '=', &file);
        consider(w, doc_string(it.value, STR_NONE), depth);
        consider(w, file, depth);
    }
}

/* The fields of a kustomization that hold paths; below: the field of each entry that does. */
static void consider_fields(struct walk *w, const struct doc_node *root, int depth)
{
    static const struct {
        char field[24], below[24];
    } rows[] = {
        {"resources", ""},
        {"bases", ""},
        {"components", ""},
        {"crds", ""},
        {"configurations", ""},
        {"generators", ""},
        {"transformers", ""},
        {"validators", ""},
        {"patchesStrategicMerge", ""},
        {"patches", "path"},
        {"patchesJson6902", "path"},
        {"replacements", "path"},
        {"configMapGenerator", "files"},
        {"configMapGenerator", "envs"},
        {"configMapGenerator", "env"},
        {"secretGenerator", "files"},
        {"secretGenerator", "envs"},
        {"secretGenerator", "env"},
        {"helmCharts", "valuesFile"},
        {"helmCharts", "additionalValuesFiles"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct doc_node *value = doc_get(root, str_of(rows[i].field));
        struct doc_iter it = doc_children(value);

        if (!*rows[i].below) {
            consider_all(w, value, depth);
            continue;
        }
        while (doc_next(&it))
            consider_all(w, doc_get(it.value, str_of(rows[i].below)), depth);
    }
    consider_all(w, doc_at(root, "openapi/path"), depth);
    consider_all(w, doc_at(root, "helmGlobals/chartHome"), depth);
}

static void read_folder(struct walk *w, const char *folder, int depth)
{
    static const char names[][19] = {"kustomization.yaml", "kustomization.yml", "Kustomization"};
    const char *outer = w->folder;

    for (size_t i = 0; i < ARRAY_LEN(names) && depth < MAX_DEPTH; i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf path = {0}, text = {0};
        AUTO(err_done) struct err e = {0};
        struct doc_node *root;

        buf_addf(&path, "%s/%s", folder, names[i]);
        if (file_read(buf_cstr(&path), FILE_LIMIT, &text, &e) < 0)
            continue;
        root = doc_parse(set, buf_view(&text), DOC_KUSTOMIZATION, buf_cstr(&path), &e);
        w->folder = folder;
        consider_fields(w, root, depth);
        w->folder = outer;
    }
}

void khook_kustomization_reach(const char *folder, struct khook_reach *reach)
{
    AUTO(buf_done) struct buf root = {0};
    struct walk w = {.reach = reach, .folder = folder};

    clean(str_of(folder), &root);
    map_put(&reach->seen, arena_dup(&reach->arena, buf_view(&root)), reach);
    if (root.p[root.len - 1] != '/')
        buf_add_char(&root, '/');
    w.root = buf_view(&root);
    read_folder(&w, folder, 0);
}
