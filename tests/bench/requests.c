#include "bench/requests.h"

void request_write(const struct request *r, struct buf *out)
{
    buf_addf(out, "%d %.*s %.*s %zu %.*s\t%.*s\n", r->group, STR_ARG(r->method), STR_ARG(r->target),
             r->body.len, STR_ARG(r->accept), STR_ARG(r->content_type));
    buf_add_str(out, r->body);
    buf_add_char(out, '\n');
}

bool requests_read(str text, struct requests *ret)
{
    str line;

    while (str_next_line(&text, &line)) {
        struct request r = {0};
        int64_t group, len;
        str rest;

        if (!str_to_int64(str_cut(line, ' ', &rest), &group))
            return false;
        r.group = (int)group;
        r.method = str_cut(rest, ' ', &rest);
        r.target = str_cut(rest, ' ', &rest);
        if (!str_to_int64(str_cut(rest, ' ', &rest), &len) || len < 0 || (size_t)len >= text.len)
            return false;
        r.accept = str_cut(rest, '\t', &r.content_type);
        r.body = str_sub(text, 0, (size_t)len);
        text = str_from(text, (size_t)len + 1);
        vec_push(ret, r);
    }
    return ret->len > 0;
}
