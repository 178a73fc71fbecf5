/* The functions of the language itself (template spec 8). */
#include "base/escape.h"
#include "expr/gotmpl/compare_priv.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"
#include "expr/gotmpl/printf_priv.h"

static int f_not(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, !value_truth(c->run, c->args[0]));
}

/* The type that a pointer leads to. */
static const char *value_type_behind(struct tmpl_value v)
{
    const char *type = value_type(v);

    return type + (type[0] == '*');
}

static int f_len(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0];

    if (v.type == TMPL_INVALID)
        return call_fail(c, "reflect: call of reflect.Value.Type on zero Value");
    if (v.type == TMPL_NIL)
        return call_fail(c, "len of nil pointer");
    if (v.type != TMPL_STRING && v.type != TMPL_LIST && v.type != TMPL_MAP)
        return call_fail(c, "len of type %s", value_type_behind(v));
    *ret = tmpl_int((int64_t)value_len(c->run, v));
    return 0;
}

/* An index of a list or text, limit included. */
static int index_arg(struct tmpl_call *c, struct tmpl_value index, size_t limit, size_t *ret)
{
    if (tmpl_is_nil(index))
        return call_fail(c, "cannot index slice/array with nil");
    if (value_is(index, &object_duration))
        index = tmpl_int64(duration_of(index));
    if (!tmpl_is_int(index))
        return call_fail(c, "cannot index slice/array with type %s", value_type(index));
    if (index.i < 0 || (uint64_t)index.i > limit)
        return call_fail(c, "index out of range: %lld", (long long)index.i);
    *ret = (size_t)index.i;
    return 0;
}

static int index_list(struct tmpl_call *c, struct tmpl_value index, struct tmpl_value *item)
{
    size_t at = 0;

    if (index_arg(c, index, item->len, &at) < 0)
        return -1;
    if (at == item->len)
        return call_fail(c, "reflect: %s index out of range",
                         item->type == TMPL_STRING ? "string" : "slice");
    if (item->type == TMPL_STRING)
        *item = (struct tmpl_value){.type = TMPL_UINT8, .u = (unsigned char)item->s[at]};
    else
        *item = value_item(c->run, *item, at);
    return 0;
}

static int index_map(struct tmpl_call *c, struct tmpl_value key, struct tmpl_value *item)
{
    struct tmpl_value map = *item;

    if (tmpl_is_nil(key))
        return call_fail(c, "value is nil; should be of type string");
    if (key.type != TMPL_STRING)
        return call_fail(c, "value has type %s; should be string", value_type(key));
    if (value_get(c->run, map, tmpl_text(key), item))
        return 0;
    *item = tmpl_holds_any(map)        ? (struct tmpl_value){.type = TMPL_NIL}
            : map.elem == TMPL_STRINGS ? tmpl_string(STR(""))
                                       : tmpl_bytes(STR(""));
    return 0;
}

static int f_index(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = c->args[0];
    if (tmpl_is_nil(*ret))
        return call_fail(c, "index of untyped nil");
    for (size_t i = 1; i < c->argc; i++) {
        int rc;

        if (tmpl_is_nil(*ret))
            return call_fail(c, "index of nil pointer");
        if (ret->type == TMPL_LIST || ret->type == TMPL_STRING)
            rc = index_list(c, c->args[i], ret);
        else if (ret->type == TMPL_MAP)
            rc = index_map(c, c->args[i], ret);
        else
            rc = call_fail(c, "can't index item of type %s", value_type_behind(*ret));
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int f_slice(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0];
    size_t bounds[3] = {0, v.len, v.len}, count = c->argc - 1;

    if (tmpl_is_nil(v))
        return call_fail(c, "slice of untyped nil");
    if (count > 3)
        return call_fail(c, "too many slice indexes: %zu", count);
    if (v.type == TMPL_STRING && count == 3)
        return call_fail(c, "cannot 3-index slice a string");
    if (v.type != TMPL_STRING && v.type != TMPL_LIST)
        return call_fail(c, "can't slice item of type %s", value_type(v));
    for (size_t i = 0; i < count; i++)
        if (index_arg(c, c->args[i + 1], v.len, &bounds[i]) < 0)
            return -1;
    for (size_t i = 0; i < 2; i++)
        if (bounds[i] > bounds[i + 1] && (i == 0 || count == 3))
            return call_fail(c, "invalid slice index: %zu > %zu", bounds[i], bounds[i + 1]);
    if (v.type == TMPL_STRING || v.elem == TMPL_BYTES) {
        *ret = v;
        ret->s = v.s + bounds[0];
        ret->len = (uint32_t)(bounds[1] - bounds[0]);
        return 0;
    }
    return ret_list(ret, v.elem, value_items(c->run, v) + bounds[0], bounds[1] - bounds[0]);
}

/* ---- text */

/* fmt.Sprint: a blank between two operands when neither is a text. */
static void fn_sprint(struct tmpl_run *r, const struct tmpl_value *args, size_t count,
                      struct buf *out)
{
    for (size_t i = 0; i < count && trun_room(r, out->len) == 0; i++) {
        if (i && args[i].type != TMPL_STRING && args[i - 1].type != TMPL_STRING)
            buf_add_char(out, ' ');
        value_print(r, args[i], out);
    }
}

static int f_print(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    fn_sprint(c->run, c->args, c->argc, b);
    return ret_text(c, b, ret);
}

static int f_println(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    for (size_t i = 0; i < c->argc && trun_room(c->run, b->len) == 0; i++) {
        if (i)
            buf_add_char(b, ' ');
        value_print(c->run, c->args[i], b);
    }
    buf_add_char(b, '\n');
    return ret_text(c, b, ret);
}

static int f_printf(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    printf_run(c->run, arg_text(c, 0), c->args + 1, c->argc - 1, b);
    return ret_text(c, b, ret);
}

/* What the escaping functions escape: a text as it is, others as print writes them, a missing value
 * as "<no value>". Views the arguments or b. */
static str joined(struct tmpl_call *c, struct buf *b)
{
    struct tmpl_value *args;

    if (c->argc == 1 && c->args[0].type == TMPL_STRING)
        return arg_text(c, 0);
    args = trun_array(c->run, c->argc);
    for (size_t i = 0; i < c->argc; i++)
        args[i] = tmpl_is_nil(c->args[i]) ? tmpl_string(STR("<no value>")) : c->args[i];
    fn_sprint(c->run, args, c->argc, b);
    return buf_view(b);
}

static int f_html(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf text = {0};
    struct buf *b = trun_borrow(c->run);
    str s = joined(c, &text);

    for (size_t i = 0; i < s.len; i++) {
        static const char specials[] = "&<>'\"";
        static const char names[][6] = {"&amp;", "&lt;", "&gt;", "&#39;", "&#34;"};
        const char *special = s.p[i] ? strchr(specials, s.p[i]) : NULL;

        if (special)
            buf_add_cstr(b, names[special - specials]);
        else if (!s.p[i])
            buf_add_utf8(b, 0xfffd);
        else
            buf_add_char(b, s.p[i]);
    }
    return ret_text(c, b, ret);
}

static int f_js(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf text = {0};
    struct buf *b = trun_borrow(c->run);
    str s = joined(c, &text);
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        uint32_t ch = str_utf8_at(s, at, &width);

        if (ch < 0x80 && ch && strchr("\\'\"", (char)ch)) {
            buf_add_char(b, '\\');
            buf_add_char(b, (char)ch);
        } else if (ch < 0x20 ||
                   (ch < 0x80 ? strchr("<>&=", (char)ch) != NULL : !text_is_print(ch))) {
            buf_addf(b, "\\u%04X", ch);
        } else {
            buf_add(b, s.p + at, width);
        }
    }
    return ret_text(c, b, ret);
}

/* Query and path escapes of URLs, as Go's net/url. */
static void fn_query_escape(str s, struct buf *out)
{
    for (str part, rest = s; rest.p;) {
        part = str_cut(rest, ' ', &rest);
        escape_percent(part, "", out);
        if (rest.p)
            buf_add_char(out, '+');
    }
}

static int f_urlquery(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf text = {0};
    struct buf *b = trun_borrow(c->run);

    fn_query_escape(joined(c, &text), b);
    return ret_text(c, b, ret);
}

/* The message names what is called as it is written, or what Go says of a value that is piped in.
 */
static int f_call(struct tmpl_call *c, struct tmpl_value *ret UNUSED)
{
    AUTO(buf_done) struct buf shown = {0};

    if (tmpl_is_nil(c->args[0]))
        return call_fail(c, "call of nil");
    if (c->nodes && c->nodes->len > 1)
        node_print(c->nodes->v[1], &shown);
    else if (c->args[0].type == TMPL_STRING)
        buf_add_str(&shown, arg_text(c, 0));
    else
        buf_addf(&shown, "<%s Value>", value_type(c->args[0]));
    return call_fail(c, "non-function %s of type %s", buf_cstr(&shown), value_type(c->args[0]));
}

static void add_rows(struct func_rows *to)
{
    func_add(
        to, "and", "VV*", NULL, FUNC_AND,
        "The first argument that is empty, else the last; the ones behind it are not evaluated",
        "{{ and 1 0 2 }}", "0");
    func_add(to, "or", "VV*", NULL, FUNC_OR, "The first argument that is not empty, else the last",
             "{{ or 0 \"\" \"x\" }}", "x");
    func_add(to, "not", "V", f_not, 0, "True for an empty value", "{{ not false }}", "true");
    func_add(to, "len", "V", f_len, 0, "Bytes of a text, items of a list, members of a map",
             "{{ len \"abc\" }}", "3");
    func_add(to, "index", "VV*", f_index, 0, "The item or member at each index in turn",
             "{{ index (list \"a\" \"b\") 1 }}", "b");
    func_add(to, "slice", "VV*", f_slice, 0, "Part of a text or list by its bounds",
             "{{ slice (list 1 2 3) 1 2 }}", "[2]");
    func_add(to, "print", "A*", f_print, 0,
             "The values as text, blanks between two that are no texts", "{{ print 1 2 \"x\" }}",
             "1 2x");
    func_add(to, "println", "A*", f_println, 0, "The values with blanks between, and a line end",
             "{{ println 1 \"x\" | trim }}", "1 x");
    func_add(to, "printf", "SA*", f_printf, 0, "The values in a format with Go's verbs",
             "{{ printf \"%s-%03d\" \"web\" 7 }}", "web-007");
    func_add(to, "html", "A*", f_html, 0, "The values as text for HTML", "{{ html \"<a>\" }}",
             "&lt;a&gt;");
    func_add(to, "js", "A*", f_js, 0, "The values as text for a JavaScript string",
             "{{ js \"it's\" }}", "it\\'s");
    func_add(to, "urlquery", "A*", f_urlquery, 0, "The values as text for the query of a URL",
             "{{ urlquery \"a b&c\" }}", "a+b%26c");
    func_add(to, "call", "VV*", f_call, 0, "Calls a function value, of which data has none", NULL,
             NULL);
    func_add(to, "eq", "VV*", compare_eq, 0, "True when the first equals one of the others",
             "{{ eq 1 2 1 }}", "true");
    func_add(to, "ne", "VV", compare_ne, 0, "True when the two differ", "{{ ne 1 2 }}", "true");
    func_add(to, "lt", "VV", compare_lt, 0, "True when the first is less", "{{ lt 1 2 }}", "true");
    func_add(to, "le", "VV", compare_le, 0, "True when the first is less or equal", "{{ le 2 2 }}",
             "true");
    func_add(to, "gt", "VV", compare_gt, 0, "True when the first is greater",
             "{{ gt \"b\" \"a\" }}", "true");
    func_add(to, "ge", "VV", compare_ge, 0, "True when the first is greater or equal",
             "{{ ge 1 2 }}", "false");
}
FUNC_GROUP(func_builtins, "Language", add_rows, IN_STD);
