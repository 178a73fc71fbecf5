/* The URL library of Kubernetes (cel spec 11). */
#include "expr/cel/fn_priv.h"
#include "expr/net/url.h"

enum { SCHEME, HOST, PATH, QUERY, WHOLE }; /* parts of the object */

static bool is_equal(const struct cel_object *a, const struct cel_object *b)
{
    return str_eq(a->parts[WHOLE], b->parts[WHOLE]);
}

static const struct cel_object_class class = {"kubernetes.URL", is_equal};

FN(to_url)
{
    AUTO(buf_done) struct buf why = {0};
    struct cel_object *o;
    struct net_url url;
    str rest;

    if (!net_url_check_request(a[0].s, &why) ||
        !net_url_parse(r->arena, a[0].s, NET_URL_COLONS_LOOSE, &url, &why))
        return cel_fail(r->arena, CEL_OTHER, "URL parse error during conversion from string: %s",
                        buf_cstr(&why));
    o = cel_new_object(r, &class);
    o->text = a[0].s;
    o->parts[SCHEME] = url.scheme;
    o->parts[HOST] = url.host;
    o->parts[PATH] = url.escaped_path;
    o->parts[QUERY] = arena_dup(r->arena, url.query);
    rest = str_from(a[0].s, url.scheme.len);
    o->parts[WHOLE] = arena_printf(r->arena, "%.*s%.*s", STR_ARG(url.scheme), STR_ARG(rest));
    return cel_make_object(o);
}

FN(is_url)
{
    AUTO(buf_done) struct buf why = {0};

    return cel_make_bool(net_url_check_request(a[0].s, &why));
}

FN(get_scheme) { return cel_make_string(a[0].object->parts[SCHEME]); }
FN(get_host) { return cel_make_string(a[0].object->parts[HOST]); }
FN(get_path) { return cel_make_string(a[0].object->parts[PATH]); }

FN(get_hostname)
{
    str port;

    return cel_make_string(net_url_split_host(a[0].object->parts[HOST], &port));
}

FN(get_port)
{
    str port;

    net_url_split_host(a[0].object->parts[HOST], &port);
    return cel_make_string(port);
}

/* ---- the query */

struct pair {
    str key, value;
    size_t at;
};

static int compare_pairs(const void *x, const void *y)
{
    const struct pair *a = x, *b = y;
    int c = str_cmp(a->key, b->key);

    return c ? c : (a->at > b->at) - (a->at < b->at);
}

static bool read_pair(struct cel_run *r, str text, struct pair *ret)
{
    AUTO(buf_done) struct buf key = {0}, value = {0};
    str right, left = str_cut(text, '=', &right);

    if (!text.len || str_find_char(text, ';') >= 0 || !net_url_unescape_query(left, &key) ||
        !net_url_unescape_query(right, &value))
        return false;
    ret->key = cel_keep(r, &key);
    ret->value = cel_keep(r, &value);
    return true;
}

static struct cel_value map_of_pairs(struct cel_run *r, const struct pair *pairs, size_t n)
{
    struct cel_entry *entries = ARENA_ARRAY(r->arena, struct cel_entry, n);
    struct cel_value *values = ARENA_ARRAY(r->arena, struct cel_value, n);
    size_t len = 0, next;

    for (size_t i = 0; i < n; i = next) {
        for (next = i; next < n && str_eq(pairs[next].key, pairs[i].key); next++)
            values[next] = cel_make_string(pairs[next].value);
        entries[len].key = cel_make_string(pairs[i].key);
        entries[len++].value = cel_make_list(r->arena, values + i, next - i);
    }
    return cel_make_map(r->arena, entries, len);
}

/* By name; the values of a name in the order of the text. */
FN(get_query)
{
    str rest = a[0].object->parts[QUERY];
    struct pair *pairs;
    size_t n = 0, most = 1;

    for (size_t i = 0; i < rest.len; i++)
        most += rest.p[i] == '&';
    if (!cel_spend(r, most))
        return cel_work_exceeded(r);
    pairs = ARENA_ARRAY(r->arena, struct pair, most);
    while (rest.len) {
        if (read_pair(r, str_cut(rest, '&', &rest), &pairs[n])) {
            pairs[n].at = n;
            n++;
        }
    }
    if (n > 1)
        qsort(pairs, n, sizeof(*pairs), compare_pairs);
    return map_of_pairs(r, pairs, n);
}

void cel_rows_url(const struct cel_rows *to)
{
    cel_add_row(to, "url", false, "string", "kubernetes.URL", to_url);
    cel_add_row(to, "isURL", false, "string", "bool", is_url);
    cel_add_row(to, "getScheme", true, "kubernetes.URL", "string", get_scheme);
    cel_add_row(to, "getHost", true, "kubernetes.URL", "string", get_host);
    cel_add_row(to, "getHostname", true, "kubernetes.URL", "string", get_hostname);
    cel_add_row(to, "getPort", true, "kubernetes.URL", "string", get_port);
    cel_add_row(to, "getEscapedPath", true, "kubernetes.URL", "string", get_path);
    cel_add_row(to, "getQuery", true, "kubernetes.URL", "map(string,list(string))", get_query);
}
