#include "expr/schema/schema_priv.h"

struct parts {
    str scheme, authority, path, query, fragment; /* p NULL: absent */
};

static bool is_scheme_char(char c, bool is_first)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

    return is_letter || (!is_first && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'));
}

static str take_scheme(str *uri)
{
    for (size_t i = 0; i < uri->len; i++) {
        if (uri->p[i] == ':' && i > 0) {
            str scheme = str_sub(*uri, 0, i);

            *uri = str_from(*uri, i + 1);
            return scheme;
        }
        if (!is_scheme_char(uri->p[i], i == 0))
            break;
    }
    return STR_NONE;
}

static struct parts divide(str uri)
{
    struct parts p = {0};

    uri = str_cut(uri, '#', &p.fragment);
    p.scheme = take_scheme(&uri);
    uri = str_cut(uri, '?', &p.query);
    if (str_drop_prefix(&uri, STR("//"))) {
        ssize_t end = str_find_char(uri, '/');

        p.authority = end < 0 ? uri : str_sub(uri, 0, (size_t)end);
        if (!p.authority.p)
            p.authority = STR("");
        uri = str_from(uri, p.authority.len);
    }
    p.path = uri;
    return p;
}

/* Takes "." and ".." out of a path. */
static str clean_path(struct arena *arena, str path)
{
    AUTO(buf_done) struct buf out = {0};
    bool is_rooted = path.len && path.p[0] == '/';
    str rest = is_rooted ? str_from(path, 1) : path;

    if (!str_contains(path, STR("/.")) && !str_starts(path, STR(".")))
        return path;
    while (rest.p) {
        str segment = str_cut(rest, '/', &rest);
        bool is_dots = str_eq(segment, STR(".."));

        if (is_dots) {
            ssize_t slash = str_rfind_char(buf_view(&out), '/');

            buf_trunc(&out, slash < 0 ? 0 : (size_t)slash);
        }
        if (!is_dots && !str_eq(segment, STR("."))) {
            if (is_rooted || out.len)
                buf_add_char(&out, '/');
            buf_add_str(&out, segment);
        } else if (!rest.p) {
            buf_add_char(&out, '/');
        }
    }
    return arena_dup(arena, buf_view(&out));
}

static str merge_paths(struct arena *arena, const struct parts *base, str path)
{
    ssize_t slash = str_rfind_char(base->path, '/');

    if (slash < 0)
        return base->authority.p ? arena_printf(arena, "/%.*s", STR_ARG(path)) : path;
    return arena_printf(arena, "%.*s/%.*s", (int)slash, base->path.p, STR_ARG(path));
}

static str print(struct arena *arena, const struct parts *p)
{
    AUTO(buf_done) struct buf out = {0};

    if (p->scheme.p)
        buf_addf(&out, "%.*s:", STR_ARG(p->scheme));
    if (p->authority.p)
        buf_addf(&out, "//%.*s", STR_ARG(p->authority));
    buf_add_str(&out, p->path);
    if (p->query.p)
        buf_addf(&out, "?%.*s", STR_ARG(p->query));
    if (p->fragment.p)
        buf_addf(&out, "#%.*s", STR_ARG(p->fragment));
    return arena_dup(arena, buf_view(&out));
}

str uri_resolve(struct arena *arena, str base_uri, str reference)
{
    struct parts base = divide(base_uri), to = divide(reference);

    if (to.scheme.p)
        return reference;
    to.scheme = base.scheme;
    if (!to.authority.p) {
        to.authority = base.authority;
        if (!to.path.len) {
            to.path = base.path;
            if (!to.query.p)
                to.query = base.query;
        } else if (to.path.p[0] != '/') {
            to.path = merge_paths(arena, &base, to.path);
        }
    }
    to.path = clean_path(arena, to.path);
    return print(arena, &to);
}

str uri_divide(str uri, str *ret_fragment) { return str_cut(uri, '#', ret_fragment); }

static int hex_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

str uri_decode(struct arena *arena, str text)
{
    char *out = arena_alloc(arena, text.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        int high = -1, low = -1;

        if (text.p[i] == '%' && i + 2 < text.len) {
            high = hex_of(text.p[i + 1]);
            low = hex_of(text.p[i + 2]);
        }
        if (high >= 0 && low >= 0) {
            out[len++] = (char)(high * 16 + low);
            i += 2;
        } else {
            out[len++] = text.p[i];
        }
    }
    return (str){out, len};
}
