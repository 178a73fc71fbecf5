#include "doc/emit.h"
#include "expr/jsonpath/compare_priv.h"

enum { INDENT = 4 };

void jsonpath_value_text(const struct doc_node *value, struct buf *out)
{
    if (doc_is_map(value) || doc_is_list(value))
        doc_emit_json(value, DOC_JSON_CANON | DOC_JSON_HTML, out);
    else if (doc_is_null(value))
        buf_add_cstr(out, "null");
    else
        jp_add_scalar(out, value);
}

static void new_line(struct buf *out, size_t depth)
{
    buf_add_char(out, '\n');
    buf_add_repeat(out, ' ', depth * INDENT);
}

/* Lays compact JSON out as Go's MarshalIndent does with four blanks. */
static void add_indented(str json, struct buf *out)
{
    bool in_string = false;
    size_t depth = 0;

    for (size_t i = 0; i < json.len; i++) {
        char c = json.p[i];
        bool is_open = !in_string && (c == '{' || c == '['),
             is_close = !in_string && (c == '}' || c == ']');

        if (is_close && json.p[i - 1] != c - 2) /* '{' and '[' are two before their partners */
            new_line(out, depth - 1);
        depth -= is_close;
        buf_add_char(out, c);
        if (c == '"')
            in_string = !in_string;
        else if (c == '\\')
            buf_add_char(out, json.p[++i]);
        depth += is_open;
        if ((is_open && json.p[i + 1] != c + 2) || (c == ',' && !in_string))
            new_line(out, depth);
        if (c == ':' && !in_string)
            buf_add_char(out, ' ');
    }
}

static void print_json(const struct jsonpath_list *list, struct buf *out)
{
    AUTO(buf_done) struct buf json = {0};

    buf_add_char(&json, '[');
    for (size_t i = 0; i < list->len; i++) {
        if (i)
            buf_add_char(&json, ',');
        doc_emit_json(list->v[i], DOC_JSON_CANON | DOC_JSON_HTML, &json);
    }
    buf_add_char(&json, ']');
    add_indented(buf_view(&json), out);
    buf_add_char(out, '\n');
}

static void print_plain(const struct jsonpath_list *list, struct buf *out)
{
    for (size_t i = 0; i < list->len; i++) {
        if (i)
            buf_add_char(out, ' ');
        jsonpath_value_text(list->v[i], out);
    }
}

int jsonpath_print(const struct jsonpath *path, const struct doc_node *root, unsigned flags,
                   struct buf *out, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    struct jsonpath_results results;

    if (jsonpath_find(path, root, flags, &arena, &results, e) < 0)
        return -1;
    for (size_t i = 0; i < results.len; i++) {
        if (flags & JSONPATH_JSON)
            print_json(&results.v[i], out);
        else
            print_plain(&results.v[i], out);
    }
    return 0;
}

int jsonpath_relaxed(str text, struct buf *ret, struct err *e)
{
    str path = text;

    if (text.len == 0)
        return 0;
    if (str_starts(path, STR("{")) && str_ends(path, STR("}")))
        path = str_sub(path, 1, path.len - 2);
    if (path.len > 1)
        str_drop_prefix(&path, STR("."));
    if (path.len == 0 || str_find_char(path, '{') >= 0 || str_find_char(path, '}') >= 0)
        return err_set(
            e, ERR_INVALID,
            "unexpected path string \"%.*s\", expected a 'name1.name2' or '.name1.name2' or "
            "'{name1.name2}' or '{.name1.name2}'",
            STR_ARG(text));
    buf_addf(ret, "{.%.*s}", STR_ARG(path));
    return 0;
}
