#include "fetch/registry.h"

#include "base/ascii.h"
#include "base/escape.h"

bool registry_is_digest(str text)
{
    if (!str_drop_prefix(&text, STR("sha256:")) || text.len != 64)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_digit(text.p[i]) && !(text.p[i] >= 'a' && text.p[i] <= 'f'))
            return false;
    return true;
}

bool registry_is_tag(str text)
{
    if (!text.len || text.len > 128 || text.p[0] == '.' || text.p[0] == '-')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_alnum(text.p[i]) && !memchr("._-", text.p[i], 3))
            return false;
    return true;
}

static bool is_port(str port) /* p NULL: there is none */
{
    uint64_t number;

    return !port.p || (str_to_uint64(port, &number) && number <= 65535);
}

/* "[::1]:5000" */
static bool is_address(str text)
{
    ssize_t close = str_find_char(text, ']');
    str port, rest;

    if (close < 2)
        return false;
    for (size_t i = 1; i < (size_t)close; i++)
        if (!ascii_is_alnum(text.p[i]) && text.p[i] != ':' && text.p[i] != '.')
            return false;
    rest = str_cut(str_from(text, (size_t)close + 1), ':', &port);
    return !rest.len && is_port(port);
}

static bool is_host(str text)
{
    str port, host;

    if (text.len && text.p[0] == '[')
        return is_address(text);
    host = str_cut(text, ':', &port);
    for (size_t i = 0; i < host.len; i++)
        if (!ascii_is_alnum(host.p[i]) && host.p[i] != '-' && host.p[i] != '.')
            return false;
    return host.len && is_port(port);
}

/* Letters and digits with ".", "_", "__" or any number of "-" between. */
static bool is_path_part(str part)
{
    size_t i = 0;

    if (!part.len || !(ascii_is_lower(part.p[0]) || ascii_is_digit(part.p[0])))
        return false;
    while (i < part.len) {
        size_t from = i;

        while (i < part.len && (ascii_is_lower(part.p[i]) || ascii_is_digit(part.p[i])))
            i++;
        if (i == part.len)
            return true;
        if (i == from)
            return false;
        if (part.p[i] == '-')
            while (i < part.len && part.p[i] == '-')
                i++;
        else if (part.p[i] == '_')
            i += i + 1 < part.len && part.p[i + 1] == '_' ? 2 : 1;
        else if (part.p[i] == '.')
            i++;
        else
            return false;
    }
    return false; /* it ends with what only stands between */
}

static bool is_path(str path)
{
    if (!path.len || path.len > 255)
        return false;
    for (str rest = path; rest.p;)
        if (!is_path_part(str_cut(rest, '/', &rest)))
            return false;
    return true;
}

static int bad(const char *what, str text, struct err *e)
{
    AUTO(buf_done) struct buf quoted = {0};

    escape_quoted(str_sub(text, 0, 200), &quoted);
    return err_set(e, ERR_INVALID, "invalid reference: invalid %s %s", what, buf_cstr(&quoted));
}

int registry_name_parse(str text, struct registry_name *ret, struct err *e)
{
    str rest, tag;

    *ret = (struct registry_name){.host = str_cut(text, '/', &rest)};
    if (!ret->host.len || !rest.len)
        return err_set(e, ERR_INVALID, "invalid reference: missing registry or repository");
    rest = str_cut(rest, '@', &ret->digest);
    ret->path = str_cut(rest, ':', &tag);
    ret->tag = tag;
    if (!is_host(ret->host))
        return bad("registry", ret->host, e);
    if (!is_path(ret->path))
        return bad("repository", ret->path, e);
    if (tag.p && !registry_is_tag(tag))
        return bad("tag", tag, e);
    if (ret->digest.p && !registry_is_digest(ret->digest))
        return bad("digest", ret->digest, e);
    return 0;
}
