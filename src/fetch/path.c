#include "fetch/path.h"

bool fetch_is_below(str path, str dir)
{
    dir = str_trim_right(dir, "/");
    return str_starts(path, dir) && (path.len == dir.len || path.p[dir.len] == '/');
}

/* Takes the last part off what was written from start on; false when there is none to take. */
static bool drop_last_part(struct buf *out, size_t start)
{
    str written = str_from(buf_view(out), start);
    ssize_t slash = str_rfind_char(written, '/');
    str last = str_from(written, (size_t)(slash + 1));

    if (last.len == 0 || str_eq(last, STR("..")))
        return false;
    buf_trunc(out, start + (slash > 0 ? (size_t)slash : 0));
    return true;
}

/* No part is empty or begins with a dot: nothing is to be done. */
static bool is_clean(str path)
{
    char before = '/';

    for (size_t i = 0; i < path.len; i++) {
        if (before == '/' && (path.p[i] == '.' || (path.p[i] == '/' && i > 0)))
            return false;
        before = path.p[i];
    }
    return before != '/' || path.len == 1;
}

void fetch_clean_path(str path, struct buf *out)
{
    bool is_absolute = path.len && path.p[0] == '/';
    size_t start;

    if (is_clean(path)) {
        buf_add_str(out, path);
        return;
    }
    if (is_absolute)
        buf_add_char(out, '/');
    start = out->len;
    while (path.len) {
        str part = str_cut(path, '/', &path);

        if (part.len == 0 || str_eq(part, STR(".")))
            continue;
        if (str_eq(part, STR("..")) && (drop_last_part(out, start) || is_absolute))
            continue;
        if (out->len > start)
            buf_add_char(out, '/');
        buf_add_str(out, part);
    }
    if (out->len == start && !is_absolute)
        buf_add_char(out, '.');
}
