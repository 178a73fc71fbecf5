/* TOML 1.0 as values: integers are int64, dates are times (template spec 16.3). */
#include "expr/gotmpl/format_priv.h"
#include "expr/gotmpl/objects_priv.h"
#include "expr/gotmpl/text_priv.h"

enum { MOST_DEPTH = 200 };

struct reader {
    struct tmpl_run *r;
    str text;
    size_t at;
    unsigned depth;
    struct buf *why;
};

static bool read_value(struct reader *r, struct tmpl_value *ret);

static int peek(const struct reader *r)
{
    return r->at < r->text.len ? (unsigned char)r->text.p[r->at] : -1;
}

static bool fail(struct reader *r, const char *why)
{
    size_t line = 1;

    for (size_t i = 0; i < r->at && i < r->text.len; i++)
        line += r->text.p[i] == '\n';
    if (!r->why->len)
        buf_addf(r->why, "toml: line %zu: %s", line, why);
    return false;
}

static bool take(struct reader *r, const char *word)
{
    if (!str_starts(str_from(r->text, r->at), str_of(word)))
        return false;
    r->at += strlen(word);
    return true;
}

static void skip_blanks(struct reader *r)
{
    while (peek(r) == ' ' || peek(r) == '\t')
        r->at++;
}

/* Blanks, line ends and comments. */
static void skip_lines(struct reader *r)
{
    for (;;) {
        skip_blanks(r);
        if (peek(r) == '#')
            while (peek(r) >= 0 && peek(r) != '\n')
                r->at++;
        if (peek(r) != '\n' && peek(r) != '\r')
            return;
        r->at++;
    }
}

/* ---- strings */

static bool read_escape(struct reader *r, struct buf *out)
{
    static const char names[] = "btnfr\"\\e", codes[] = "\b\t\n\f\r\"\\\x1b";
    int c = peek(r);
    const char *found = c > 0 ? strchr(names, c) : NULL;
    size_t digits = c == 'u' ? 4 : 8;
    uint64_t code;
    AUTO(buf_done) struct buf hex = {0};

    r->at++;
    if (found) {
        buf_add_char(out, codes[found - names]);
        return true;
    }
    if (c != 'u' && c != 'U')
        return fail(r, "invalid escape in a string");
    buf_addf(&hex, "0x%.*s", STR_ARG(str_sub(r->text, r->at, digits)));
    if (hex.len != digits + 2 || !text_to_uint(buf_view(&hex), 0, &code) || code > 0x10ffff)
        return fail(r, "invalid escape in a string");
    buf_add_utf8(out, (uint32_t)code);
    r->at += digits;
    return true;
}

/* A backslash at the end of a line: the white space behind it does not count. */
static bool skip_line_end(struct reader *r)
{
    size_t at = r->at;

    skip_blanks(r);
    if (peek(r) != '\n' && peek(r) != '\r') {
        r->at = at;
        return false;
    }
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r')
        r->at++;
    return true;
}

static bool read_string(struct reader *r, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf out = {0};
    char quote = (char)peek(r), three[] = {quote, quote, quote, 0}, one[] = {quote, 0};
    bool is_long = take(r, three);

    if (is_long)
        (void)(take(r, "\r\n") || take(r, "\n"));
    else
        r->at++;
    while (!take(r, is_long ? three : one)) {
        int c = peek(r);

        if (c < 0 || (c == '\n' && !is_long))
            return fail(r, "a string has no end");
        r->at++;
        if (c != '\\' || quote == '\'')
            buf_add_char(&out, (char)c);
        else if (!(is_long && skip_line_end(r)) && !read_escape(r, &out))
            return false;
    }
    for (int i = 0; is_long && i < 2 && peek(r) == quote; i++, r->at++)
        buf_add_char(&out, quote); /* quotes right before the closing three */
    *ret = trun_string(r->r, &out);
    return true;
}

/* ---- other scalars */

static bool is_date(str s)
{
    return (s.len >= 10 && s.p[4] == '-' && s.p[7] == '-') ||
           (s.len >= 8 && s.p[2] == ':' && s.p[5] == ':');
}

/* What has no date, no time or no zone gets a zone whose name says so. */
static bool read_date(struct reader *r, str word, struct tmpl_value *ret)
{
    bool is_time = word.p[2] == ':', is_date_alone = word.len == 10 && !is_time;
    str tail = str_from(word, is_time ? 0 : word.len < 11 ? word.len : 11);
    bool has_zone = !is_time && (str_find_char(tail, '+') >= 0 || str_find_char(tail, '-') >= 0 ||
                                 str_contains_nocase(tail, STR("z")));
    AUTO(buf_done) struct buf text = {0}, why = {0};
    struct moment at;

    if (is_time)
        buf_addf(&text, "0000-01-01T%.*sZ", STR_ARG(word));
    else if (is_date_alone)
        buf_addf(&text, "%.*sT00:00:00Z", STR_ARG(word));
    else
        buf_addf(&text, "%.*sT%.*s%s", 10, word.p, STR_ARG(tail), has_zone ? "" : "Z");
    if (text.p[text.len - 1] == 'z')
        text.p[text.len - 1] = 'Z';
    if (!layout_parse(buf_view(&text), STR("2006-01-02T15:04:05Z07:00"), NULL, &at, &why))
        return fail(r, "this is no date or time");
    if (!has_zone)
        at.zone = zone_named(is_time         ? STR("time-local")
                             : is_date_alone ? STR("date-local")
                                             : STR("datetime-local"));
    *ret = object_of_time(r->r, at);
    return true;
}

static bool read_scalar(struct reader *r, struct tmpl_value *ret)
{
    str rest = str_from(r->text, r->at), word;
    size_t len = 0;
    int64_t i;
    double f;

    while (len < rest.len && !strchr(",]}# \t\r\n", rest.p[len]))
        len++;
    word = str_sub(rest, 0, len);
    if (is_date(word) && len + 1 < rest.len && rest.p[len] == ' ' && word.len == 10 &&
        rest.p[len + 1] >= '0' && rest.p[len + 1] <= '9')
        for (len++; len < rest.len && !strchr(",]}# \t\r\n", rest.p[len]);)
            len++;
    word = str_sub(rest, 0, len);
    r->at += len;
    if (str_eq(word, STR("true")) || str_eq(word, STR("false")))
        *ret = tmpl_bool(word.len == 4);
    else if (is_date(word))
        return read_date(r, word, ret);
    else if (word.len > 1 && word.p[0] == '0' && word.p[1] >= '0' && word.p[1] <= '9')
        return fail(r, "a number has leading zeros");
    else if (text_to_int(word, 0, &i))
        *ret = tmpl_int64(i);
    else if (text_to_float(word, &f))
        *ret = tmpl_float(f);
    else
        return fail(r, "expected a value");
    return true;
}

/* ---- keys and tables */

static bool read_key(struct reader *r, str *ret)
{
    struct tmpl_value v;
    size_t start = r->at;
    int c;

    if (peek(r) == '"' || peek(r) == '\'') {
        if (!read_string(r, &v))
            return false;
        *ret = tmpl_text(v);
        return true;
    }
    for (c = peek(r);
         (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c == '-';
         c = peek(r))
        r->at++;
    *ret = arena_dup(&r->r->arena, str_sub(r->text, start, r->at - start));
    return ret->len || fail(r, "expected a key");
}

/* The table at a key of another, made when it is not there; of a list of tables the last. */
static struct tmpl_map *inner_table(struct reader *r, struct tmpl_map *map, str key)
{
    struct tmpl_value v;

    if (!tmpl_map_get(map, key, &v)) {
        v = tmpl_map_value(tmpl_map_new(&r->r->arena, TMPL_ANY));
        tmpl_map_set(map, key, v);
    }
    if (v.type == TMPL_LIST && v.len && v.items[v.len - 1].type == TMPL_MAP)
        v = v.items[v.len - 1];
    if (v.type == TMPL_MAP)
        return v.map;
    fail(r, "a key is no table");
    return NULL;
}

/* Dotted keys up to the last, which is left to the caller. */
static struct tmpl_map *read_path(struct reader *r, struct tmpl_map *map, str *ret_last)
{
    for (;;) {
        skip_blanks(r);
        if (!read_key(r, ret_last))
            return NULL;
        skip_blanks(r);
        if (!take(r, "."))
            return map;
        map = inner_table(r, map, *ret_last);
        if (!map)
            return NULL;
    }
}

static bool read_pair(struct reader *r, struct tmpl_map *map)
{
    struct tmpl_value v = {0};
    str key;

    map = read_path(r, map, &key);
    if (!map)
        return false;
    if (!take(r, "="))
        return fail(r, "expected '=' behind a key");
    skip_blanks(r);
    if (!read_value(r, &v))
        return false;
    if (tmpl_map_get(map, key, &(struct tmpl_value){0}))
        return fail(r, "a key is defined twice");
    tmpl_map_set(map, key, v);
    return true;
}

static struct tmpl_value with_item(struct reader *r, struct tmpl_value list, struct tmpl_value item)
{
    struct tmpl_value *items = trun_array(r->r, list.len + (size_t)1);

    if (list.len)
        memcpy(items, list.items, list.len * sizeof(*items));
    items[list.len] = item;
    return tmpl_list(TMPL_ANY, items, list.len + (size_t)1);
}

/* "[a.b]" or "[[a.b]]": the table that follows. */
static struct tmpl_map *read_header(struct reader *r, struct tmpl_map *root)
{
    bool is_item = take(r, "[[") || !take(r, "[");
    struct tmpl_value list = tmpl_list(TMPL_ANY, NULL, 0), item;
    struct tmpl_map *map;
    str key;

    map = read_path(r, root, &key);
    if (!map)
        return NULL;
    if (!take(r, is_item ? "]]" : "]")) {
        fail(r, "expected ']'");
        return NULL;
    }
    if (!is_item)
        return inner_table(r, map, key);
    if (tmpl_map_get(map, key, &list) && list.type != TMPL_LIST) {
        fail(r, "a key is no list of tables");
        return NULL;
    }
    item = tmpl_map_value(tmpl_map_new(&r->r->arena, TMPL_ANY));
    tmpl_map_set(map, key, with_item(r, list, item));
    return item.map;
}

static bool read_list(struct reader *r, struct tmpl_value *ret)
{
    VEC(struct tmpl_value) items = {0};
    struct tmpl_value v, *copy;
    bool is_good = true;

    r->at++;
    for (skip_lines(r); is_good && !take(r, "]"); skip_lines(r)) {
        is_good = read_value(r, &v);
        if (is_good)
            vec_push(&items, v);
        skip_lines(r);
        if (is_good && !take(r, ",") && peek(r) != ']')
            is_good = fail(r, "expected ',' or ']'");
    }
    copy = trun_array(r->r, items.len);
    if (items.len)
        memcpy(copy, items.v, items.len * sizeof(*copy));
    *ret = tmpl_list(TMPL_ANY, copy, items.len);
    vec_done(&items);
    return is_good;
}

static bool read_inline(struct reader *r, struct tmpl_value *ret)
{
    struct tmpl_map *map = tmpl_map_new(&r->r->arena, TMPL_ANY);

    r->at++;
    *ret = tmpl_map_value(map);
    skip_blanks(r);
    if (take(r, "}"))
        return true;
    do
        if (!read_pair(r, map))
            return false;
    while (skip_blanks(r), take(r, ","));
    return take(r, "}") || fail(r, "expected ',' or '}'");
}

static bool read_value(struct reader *r, struct tmpl_value *ret)
{
    bool is_good;

    if (trun_step(r->r) < 0)
        return fail(r, "the text is too large");
    if (peek(r) == '"' || peek(r) == '\'')
        return read_string(r, ret);
    if (peek(r) != '[' && peek(r) != '{')
        return read_scalar(r, ret);
    if (++r->depth > MOST_DEPTH)
        return fail(r, "values are nested too deeply");
    is_good = peek(r) == '[' ? read_list(r, ret) : read_inline(r, ret);
    r->depth--;
    return is_good;
}

bool parse_toml(struct tmpl_run *run, str text, struct tmpl_value *ret, struct buf *why)
{
    struct reader r = {.r = run, .text = text, .why = why};
    struct tmpl_map *root = tmpl_map_new(&run->arena, TMPL_ANY), *map = root;

    for (skip_lines(&r); peek(&r) >= 0; skip_lines(&r)) {
        if (trun_step(run) < 0)
            return fail(&r, "the text is too large");
        if (peek(&r) == '[') {
            map = read_header(&r, root);
            if (!map)
                return false;
        } else if (!read_pair(&r, map)) {
            return false;
        }
        skip_blanks(&r);
        if (peek(&r) >= 0 && !strchr("#\r\n", peek(&r)))
            return fail(&r, "expected the end of the line");
    }
    *ret = tmpl_map_value(root);
    return true;
}
