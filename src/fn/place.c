/* Where items are stored: checks of paths, and default ones. */
#include "fn/annotate.h"
#include "fn/package.h"
#include "res/id.h"

/* Nearly every path is. */
static bool is_clean(str path)
{
    bool at_part = true;

    for (size_t i = 0; i < path.len; i++) {
        if (at_part && (path.p[i] == '/' || path.p[i] == '.'))
            return false;
        at_part = path.p[i] == '/';
    }
    return !at_part;
}

int fn_clean_path(struct doc_set *set, str path, str *ret, struct err *e)
{
    AUTO(str_vec_done) struct str_vec parts = {0};
    AUTO(buf_done) struct buf out = {0};
    str rest = path;

    *ret = path;
    if (is_clean(path))
        return 0;
    while (rest.p) {
        str part = str_cut(rest, '/', &rest);

        if (!part.len || str_eq(part, STR(".")))
            continue;
        if (!str_eq(part, STR("..")))
            vec_push(&parts, part);
        else if (parts.len && !str_eq(vec_last(&parts), STR("..")))
            parts.len--;
        else
            vec_push(&parts, part);
    }
    if ((path.len && path.p[0] == '/') || (parts.len && str_eq(parts.v[0], STR(".."))))
        return err_set(e, ERR_DENIED,
                       "function must not modify resources outside of package: path \"%.*s\"",
                       STR_ARG(path));
    for (size_t i = 0; i < parts.len; i++)
        buf_addf(&out, "%s%.*s", i ? "/" : "", STR_ARG(parts.v[i]));
    *ret = arena_dup(&set->arena, buf_view(&out));
    return 0;
}

/* Path and index as one key. */
static str place_key(struct arena *a, str path, int64_t index)
{
    char *key = arena_alloc(a, path.len + sizeof(index));

    memcpy(key, path.p, path.len);
    memcpy(key + path.len, &index, sizeof(index));
    return (str){key, path.len + sizeof(index)};
}

int fn_check_places(const struct doc_list *items, struct err *e)
{
    AUTO(map_done) struct map places = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    for (size_t i = 0; i < items->len; i++) {
        str path = fn_path_of(items->v[i]);
        int64_t index = fn_index_of(items->v[i]);

        if (!path.len)
            continue;
        if (memchr(path.p, '\0', path.len))
            return err_set(e, ERR_INVALID, "a path cannot hold a NUL byte");
        if (fn_clean_path(set, path, &path, e) < 0)
            return -1;
        if (map_put(&places, place_key(&set->arena, path, index), set))
            return err_set(e, ERR_INVALID,
                           "resource at path \"%.*s\" and index %lld already exists", STR_ARG(path),
                           (long long)index);
    }
    return 0;
}

/* A name that stays one part of a path. */
static void add_part(struct buf *out, str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_add_char(out, text.p[i] == '/' || text.p[i] == '\0' ? '_' : text.p[i]);
}

static void default_path(const struct doc_node *item, str folder, struct buf *out)
{
    struct res_id id = res_id_of(item);

    if (folder.len)
        buf_addf(out, "%.*s/", STR_ARG(folder));
    if (id.ns.len && !str_eq(id.ns, STR(".")) && !str_eq(id.ns, STR(".."))) {
        add_part(out, id.ns);
        buf_add_char(out, '/');
    }
    for (size_t i = 0; i < id.gvk.kind.len; i++) {
        char c = id.gvk.kind.p[i];

        add_part(out, (str){&(char){c >= 'A' && c <= 'Z' ? (char)(c + 32) : c}, 1});
    }
    buf_add_char(out, '_');
    add_part(out, id.name);
    buf_add_cstr(out, ".yaml");
}

void fn_place(struct doc_set *set, const struct doc_list *items, str folder)
{
    AUTO(map_done) struct map highest = {0}; /* by path: highest index + 1 */
    bool has_all = true;

    for (size_t i = 0; i < items->len && has_all; i++)
        has_all = fn_path_of(items->v[i]).len > 0;
    if (has_all)
        return;
    for (size_t i = 0; i < items->len; i++) {
        str path = fn_path_of(items->v[i]);
        uintptr_t next = (uintptr_t)MAX(fn_index_of(items->v[i]), (int64_t)0) + 1;

        if (path.len && next > (uintptr_t)map_get(&highest, path))
            map_put(&highest, path, (void *)next);
    }
    for (size_t i = 0; i < items->len; i++) {
        AUTO(buf_done) struct buf text = {0};
        uintptr_t index;
        str path;

        if (fn_path_of(items->v[i]).len)
            continue;
        default_path(items->v[i], folder, &text);
        path = arena_dup(&set->arena, buf_view(&text));
        index = (uintptr_t)map_get(&highest, path);
        map_put(&highest, path, (void *)(index + 1));
        fn_annotate(set, items->v[i], STR(FN_PATH), path);
        fn_annotate(set, items->v[i], STR(FN_LEGACY_PATH), path);
        if (index)
            fn_set_path(set, items->v[i], path, (int64_t)index);
    }
}
