/* From a request's target to what it asks for. */
#include "sandbox/priv.h"

#include "base/ascii.h"

str sb_param(const struct sb_req *r, const char *key)
{
    for (size_t i = 0; i < r->param_count; i++)
        if (str_eq(r->params[i].key, str_of(key)))
            return r->params[i].value;
    return STR_NONE;
}

bool sb_has_param(const struct sb_req *r, const char *key)
{
    for (size_t i = 0; i < r->param_count; i++)
        if (str_eq(r->params[i].key, str_of(key)))
            return true;
    return false;
}

bool sb_param_bool(const struct sb_req *r, const char *key)
{
    str v = sb_param(r, key);

    return str_eq(v, STR("true")) || str_eq(v, STR("1")) || (sb_has_param(r, key) && v.len == 0);
}

static bool unescape(struct arena *a, str in, bool plus_is_blank, str *ret)
{
    char *out = arena_alloc(a, in.len + 1);
    size_t n = 0;

    for (size_t i = 0; i < in.len; i++) {
        char c = in.p[i];

        if (c == '%') {
            int hi = i + 2 < in.len ? ascii_hex_value(in.p[i + 1]) : -1;
            int lo = i + 2 < in.len ? ascii_hex_value(in.p[i + 2]) : -1;

            if (hi < 0 || lo < 0)
                return false;
            c = (char)(hi << 4 | lo);
            i += 2;
        } else if (c == '+' && plus_is_blank) {
            c = ' ';
        }
        out[n++] = c;
    }
    out[n] = '\0';
    *ret = (str){out, n};
    return str_is_utf8(*ret, NULL) && !memchr(out, '\0', n); /* it is told in answers */
}

static bool parse_params(struct sb_req *r)
{
    str rest = r->query;

    while (rest.len) {
        str value, key, part = str_cut(rest, '&', &rest);

        if (!part.len)
            continue;
        if (r->param_count == ARRAY_LEN(r->params))
            return false;
        key = str_cut(part, '=', &value);
        if (!unescape(&r->arena, key, true, &r->params[r->param_count].key) ||
            !unescape(&r->arena, value, true, &r->params[r->param_count].value))
            return false;
        r->param_count++;
    }
    return true;
}

bool sb_req_parse(struct sb_req *r, str target)
{
    str query, path = str_cut(target, '?', &query);
    str rest = path;

    r->query = query;
    if (!str_starts(path, STR("/")) || !unescape(&r->arena, path, false, &r->path))
        return false;
    while (rest.p) {
        str part = str_cut(rest, '/', &rest);

        if (!part.len)
            continue;
        if (r->segment_count == ARRAY_LEN(r->segments) ||
            !unescape(&r->arena, part, false, &r->segments[r->segment_count++]))
            return false;
    }
    return parse_params(r);
}

void sb_req_done(struct sb_req *r)
{
    doc_set_free(r->set);
    buf_done(&r->out);
    arena_done(&r->arena);
}
