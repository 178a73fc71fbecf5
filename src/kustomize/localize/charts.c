/* Charts (kustomize spec 16, 21): the folder that holds them is copied whole, but for links. A
 * chart that is to be fetched stays what it is. */
#include "fetch/path.h"
#include "kustomize/file/kustomization.h"
#include "kustomize/localize/localize_priv.h"
#include "sys/file.h"

enum { FILE_LIMIT = 64 << 20 };

struct copying {
    int fd; /* of the folder that is copied */
    str to;
};

static int copy_entry(void *ctx, const struct file_entry *entry, struct err *e)
{
    const struct copying *c = ctx;
    AUTO(buf_done) struct buf to = {0}, text = {0};

    buf_addf(&to, "%.*s/%s", STR_ARG(c->to), entry->path);
    switch (entry->type) {
    case FILE_DIR:
        return file_mkdirs(buf_cstr(&to), 0755, e);
    case FILE_LINK:
        return 0;
    case FILE_OTHER:
        return err_set(e, ERR_INVALID, "'%s' is no regular file", entry->path);
    case FILE_REGULAR:
        break;
    }
    if (file_read_beneath(c->fd, entry->path, FILE_LIMIT, &text, e) < 0)
        return -1;
    return file_replace(buf_cstr(&to), buf_view(&text), NULL, e);
}

static int copy_tree(struct localize_level *level, const char *from, str to, struct err *e)
{
    AUTO(file_close) int fd = file_open_dir(from, e);
    AUTO(buf_done) struct buf folder = {0}, key = {0};
    struct copying c = {fd, to};

    if (fd < 0)
        return -1;
    if (fetch_is_below(str_of(level->run->dest), str_of(from)))
        return err_set(e, ERR_INVALID, "the copy would lie in '%s', which is to be copied", from);
    buf_addf(&key, "%.*s/", STR_ARG(to));
    if (map_get(&level->run->done, buf_view(&key)))
        return 0;
    map_put(&level->run->done, arena_dup(&level->run->arena, buf_view(&key)), level->run);
    buf_add_str(&folder, to);
    if (file_mkdirs(buf_cstr(&folder), 0755, e) < 0)
        return -1;
    return file_walk(from, copy_entry, &c, e);
}

/* The usual home keeps its name, as nothing says it; another is named by where it lies. */
static int place_home(const struct localize_level *level, str clean, const struct fetch_root *home,
                      struct buf *to, struct buf *out, struct err *e)
{
    str root = str_of(fetch_root_path(level->root)), path = str_of(fetch_root_path(home));
    AUTO(buf_done) struct buf ignored = {0};

    if (!str_eq(clean, STR(KUSTOMIZE_CHART_HOME))) {
        kustomize_relative_path(root, path, out);
        return kustomize_localize_place(&level->scope, path, to, e);
    }
    buf_add_str(out, clean);
    buf_addf(to, "%.*s/%.*s", STR_ARG(buf_view(&level->to)), STR_ARG(clean));
    return kustomize_localize_place(&level->scope, path, &ignored, e);
}

int kustomize_localize_chart_home(struct localize_level *level, str home, struct buf *out,
                                  struct err *e)
{
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;
    AUTO(buf_done) struct buf clean = {0}, to = {0}, name = {0};

    fetch_clean_path(home.len ? home : STR(KUSTOMIZE_CHART_HOME), &clean);
    if (clean.p[0] == '/')
        return err_set(e, ERR_INVALID, "chart home '%.*s': an absolute path cannot be made local",
                       STR_ARG(home));
    if (fetch_root_look(level->root, buf_view(&clean)) == FETCH_ABSENT) {
        buf_add_str(&name, buf_view(&clean));
    } else {
        root = fetch_root_enter(level->root, buf_view(&clean), e);
        if (!root || place_home(level, buf_view(&clean), root, &to, &name, e) < 0 ||
            copy_tree(level, fetch_root_path(root), buf_view(&to), e) < 0)
            return err_wrap(e, "chart home '%s'", buf_cstr(&clean));
    }
    if (home.len)
        buf_add_str(out, buf_view(&name));
    return 0;
}
