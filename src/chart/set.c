#include "chart/set.h"

#include <errno.h>

#include "chart/merge.h"
#include "doc/go_type.h"
#include "doc/parse.h"
#include "expr/gotmpl/value.h"
#include "sys/file.h"

#define MAX_INDEX 65536
#define MAX_LEVEL 30

struct parser {
    struct doc_set *set;
    enum chart_set_kind kind;
    str rest;
    bool is_over; /* an index has no end: helm takes that for the end of all, and sets nothing */
    struct err *e;
};

/* Reads up to one of the stop characters into out, '\' taken off; which one, or 0 at the end. */
static char read_until(struct parser *p, const char *stops, struct buf *out)
{
    bool escapes = p->kind != CHART_SET_LITERAL;

    while (p->rest.len) {
        char c = p->rest.p[0];

        p->rest = str_from(p->rest, 1);
        if (c && strchr(stops, c))
            return c;
        if (c == '\\' && escapes) {
            if (!p->rest.len)
                return 0;
            c = p->rest.p[0];
            p->rest = str_from(p->rest, 1);
        }
        buf_add_char(out, c);
    }
    return 0;
}

/* ---- values */

static struct doc_node *int64_node(struct doc_set *set, int64_t i)
{
    struct doc_node *n = doc_new_int(set, i);

    doc_extra(set, n)->tag = TMPL_TAG_INT64;
    return n;
}

static struct doc_node *typed_value(struct doc_set *set, str text)
{
    int64_t i;

    if (str_eq_nocase(text, STR("true")) || str_eq_nocase(text, STR("false")))
        return doc_new_bool(set, text.len == 4);
    if (str_eq_nocase(text, STR("null")))
        return doc_new_null(set);
    if (str_eq(text, STR("0")))
        return int64_node(set, 0);
    if (text.len && text.p[0] != '0') {
        str digits = text;

        str_drop_prefix(&digits, STR("+"));
        if (digits.len && digits.p[0] != '+' && str_to_int64(digits, &i) &&
            (digits.p == text.p || digits.p[0] != '-'))
            return int64_node(set, i);
    }
    return doc_new_string(set, text);
}

static struct doc_node *file_value(struct parser *p, str path)
{
    AUTO(buf_done) struct buf text = {0};
    const char *name = arena_cstr(&p->set->arena, path);

    if (file_read(name, CHART_MAX_FILE, &text, p->e) < 0) {
        if (p->e->code == ENOENT) {
            err_done(p->e);
            err_set(p->e, ERR_NOT_FOUND, "open %s: no such file or directory", name);
        }
        return NULL;
    }
    return doc_new_string(p->set, buf_view(&text));
}

static struct doc_node *make_value(struct parser *p, str text)
{
    if (p->kind == CHART_SET_FILE)
        return file_value(p, text);
    return p->kind == CHART_SET_TYPED ? typed_value(p->set, text) : doc_new_string(p->set, text);
}

/* "{a,b}": the brace has been read. */
static struct doc_node *read_list(struct parser *p)
{
    struct doc_node *list = doc_new_list(p->set);

    for (;;) {
        AUTO(buf_done) struct buf text = {0};
        char end = read_until(p, ",}", &text);
        struct doc_node *item;

        if (!end) {
            err_set(p->e, ERR_INVALID, "list must terminate with '}'");
            return NULL;
        }
        item = make_value(p, buf_view(&text));
        if (!item)
            return NULL;
        doc_append(list, item);
        if (end == '}') {
            str_drop_prefix(&p->rest, STR(","));
            return list;
        }
    }
}

/* Where the JSON value at the beginning of text ends. */
static size_t json_end(str text)
{
    size_t depth = 0, i = 0;
    bool in_string = false;

    for (; i < text.len; i++) {
        char c = text.p[i];

        if (in_string) {
            i += c == '\\';
            in_string = c != '"';
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
        } else if (c == ',' && !depth) {
            break;
        }
    }
    return MIN(i, text.len);
}

static struct doc_node *read_json(struct parser *p)
{
    str text = str_sub(p->rest, 0, json_end(p->rest));

    p->rest = str_from(p->rest, text.len + 1);
    if (!str_trim(text).len)
        return doc_new_null(p->set);
    return doc_parse_json_flags(p->set, text, DOC_LAST_WINS, "", p->e);
}

/* What stands behind '='. */
static struct doc_node *read_value(struct parser *p)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *n;

    if (p->kind == CHART_SET_JSON)
        return read_json(p);
    if (p->kind == CHART_SET_LITERAL) {
        n = doc_new_string(p->set, p->rest);
        p->rest = STR_NONE;
        return n;
    }
    if (str_drop_prefix(&p->rest, STR("{")))
        return read_list(p);
    if (!p->rest.len)
        return doc_new_string(p->set, STR(""));
    read_until(p, ",", &text);
    return make_value(p, buf_view(&text));
}

/* ---- places */

static int fail_kind(struct parser *p, const struct doc_node *n, const char *want)
{
    bool is_int = doc_type(n) == DOC_NUMBER && n->extra && str_eq(n->extra->tag, TMPL_TAG_INT64);

    return err_set(p->e, ERR_INVALID,
                   "unable to parse key: interface conversion: interface {} is %s, not %s",
                   is_int           ? "int64"
                   : doc_is_null(n) ? "nil"
                                    : doc_go_type(n),
                   want);
}

static int read_index(struct parser *p, size_t *ret)
{
    AUTO(buf_done) struct buf text = {0};
    int64_t index;

    *ret = 0;
    read_until(p, "]", &text);
    if (!str_to_int64(buf_view(&text), &index))
        return err_set(p->e, ERR_INVALID,
                       "error parsing index: strconv.Atoi: parsing \"%s\": invalid syntax",
                       buf_cstr(&text));
    if (index < 0)
        return err_set(p->e, ERR_INVALID, "negative %lld index not allowed", (long long)index);
    if (index > MAX_INDEX)
        return err_set(p->e, ERR_INVALID,
                       "index of %lld is greater than maximum supported index of %d",
                       (long long)index, MAX_INDEX);
    *ret = (size_t)index;
    return 0;
}

static struct doc_node *item_at(struct parser *p, struct doc_node *list, size_t index)
{
    while (doc_len(list) <= index)
        doc_append(list, doc_new_null(p->set));
    return doc_item(list, index);
}

static int read_key(struct parser *p, struct doc_node *map, int level);

/* A map in place of slot (an entry of that name, or an item), for the names behind '.'. Of an item
 * any other value gives way. */
static int read_nested(struct parser *p, struct doc_node *slot, str name, int level)
{
    struct doc_node *map = doc_is_map(slot) ? doc_copy(p->set, slot) : doc_new_map(p->set);
    bool is_item = !name.len;

    if (!is_item && !doc_is_null(slot) && !doc_is_map(slot))
        return fail_kind(p, slot, "map[string]interface {}");
    if (level >= MAX_LEVEL)
        return err_set(p->e, ERR_INVALID,
                       "value name nested level is greater than maximum supported nested level of "
                       "%d",
                       MAX_LEVEL);
    if (read_key(p, map, level + 1) < 0)
        return -1;
    if (p->is_over)
        return 0;
    if (!is_item && !doc_len(map))
        return err_set(p->e, ERR_INVALID, "key map \"%.*s\" has no value", STR_ARG(name));
    doc_replace(slot, map);
    return 0;
}

static int end_all(struct parser *p)
{
    p->rest = STR_NONE;
    p->is_over = true;
    return 0;
}

static int fail_index(struct parser *p)
{
    AUTO(buf_done) struct buf text = {0}, shown = {0};
    size_t width;

    read_until(p, "=[.", &text);
    for (size_t at = 0; at < text.len; at += width) {
        str_utf8_at(buf_view(&text), at, &width);
        buf_addf(&shown, "%s'%.*s'", at ? " " : "", (int)width, text.p + at);
    }
    return err_set(p->e, ERR_INVALID, "unexpected data at end of array index: [%s]",
                   buf_cstr(&shown));
}

/* What stands behind "name[": the index and all that follows. */
static int read_item(struct parser *p, struct doc_node *slot, int level)
{
    struct doc_node *list = doc_is_list(slot) ? doc_copy(p->set, slot) : doc_new_list(p->set);
    struct doc_node *value = NULL;
    size_t index;
    char c;
    int rc;

    if (!doc_is_null(slot) && !doc_is_list(slot))
        return fail_kind(p, slot, "[]interface {}");
    if (level >= MAX_LEVEL)
        return err_set(p->e, ERR_INVALID, "an index nests deeper than %d levels", MAX_LEVEL);
    if (str_find_char(p->rest, ']') < 0)
        return end_all(p);
    if (read_index(p, &index) < 0)
        return -1;
    c = p->rest.len ? p->rest.p[0] : 0;
    if (c && !strchr("=[.", c))
        return fail_index(p);
    p->rest = str_from(p->rest, 1);
    switch (c) {
    case 0:
        rc = 0;
        break;
    case '=':
        value = read_value(p);
        rc = value ? 0 : -1;
        if (value)
            doc_replace(item_at(p, list, index), value);
        break;
    case '[':
        rc = read_item(p, item_at(p, list, index), level + 1);
        break;
    default:
        rc = p->rest.len ? read_nested(p, item_at(p, list, index), STR(""), level) : 0;
        break;
    }
    if (rc == 0)
        doc_replace(slot, list);
    return rc;
}

/* The entry of a name, null when it is new. */
static struct doc_node *slot_of(struct parser *p, struct doc_node *map, str name)
{
    struct doc_node *slot = doc_get(map, name);

    return slot ? slot : doc_set_field(p->set, map, name, doc_new_null(p->set));
}

/* What stands behind "name.". */
static int read_below(struct parser *p, struct doc_node *map, str key, int level)
{
    bool is_new = !doc_get(map, key);

    if (!key.len) {
        p->rest = STR_NONE;
        return 0;
    }
    if (!is_new && doc_is_null(doc_get(map, key)))
        return fail_kind(p, doc_get(map, key), "map[string]interface {}");
    if (read_nested(p, slot_of(p, map, key), key, level) < 0)
        return -1;
    if (is_new && p->is_over)
        doc_remove(map, key);
    return 0;
}

static int read_key(struct parser *p, struct doc_node *map, int level)
{
    AUTO(buf_done) struct buf name = {0};
    char end = read_until(p, p->kind == CHART_SET_LITERAL ? "=[." : "=[,.", &name);
    str key = buf_view(&name);
    struct doc_node *value;

    if (end == '[' && doc_is_null(doc_get(map, key)) && doc_get(map, key))
        return fail_kind(p, doc_get(map, key), "[]interface {}");
    if (end == '[')
        return key.len && str_find_char(p->rest, ']') >= 0
                   ? read_item(p, slot_of(p, map, key), level)
                   : end_all(p);
    if (end == '.')
        return read_below(p, map, key, level);
    if (end == ',')
        return err_set(p->e, ERR_INVALID, "key \"%.*s\" has no value (cannot end with ,)",
                       STR_ARG(key));
    if (!end)
        return key.len ? err_set(p->e, ERR_INVALID, "key \"%.*s\" has no value", STR_ARG(key)) : 0;
    value = read_value(p);
    if (!value)
        return -1;
    if (key.len)
        doc_set_field(p->set, map, key, value);
    return 0;
}

/* An argument of --set-json that is a map. */
static int merge_json(struct doc_set *set, struct doc_node *values, str text, struct err *e)
{
    struct doc_node *map = doc_parse_json_flags(set, text, DOC_LAST_WINS, "", e);

    if (!map)
        return -1;
    chart_merge_over(set, values, map);
    return 0;
}

/* As helm reads it, character by character: what is no UTF-8 becomes U+FFFD. */
static str as_utf8(struct doc_set *set, str text)
{
    AUTO(buf_done) struct buf out = {0};
    size_t width;

    if (str_is_utf8(text, NULL))
        return text;
    for (size_t i = 0; i < text.len; i += width)
        buf_add_utf8(&out, str_utf8_at(text, i, &width));
    return arena_dup(&set->arena, buf_view(&out));
}

int chart_set(struct doc_set *set, struct doc_node *values, enum chart_set_kind kind, str text,
              struct err *e)
{
    struct parser p = {.set = set, .kind = kind, .e = e};

    p.rest = text = as_utf8(set, text);
    if (kind == CHART_SET_JSON && str_starts(str_trim(text), STR("{")))
        return merge_json(set, values, text, e);
    while (p.rest.len)
        if (read_key(&p, values, 0) < 0)
            return -1;
    return 0;
}
