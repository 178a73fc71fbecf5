/* Keys that JSON has none of, told as go-yaml tells them (template spec 16): a null is found when
 * its map is turned into JSON, a list or map while the text is decoded. Our reader refuses all of
 * them at their place and builds nothing, so the text is read once more with a stand-in there. */
#include "base/escape.h"
#include "base/num.h"
#include "doc/parse.h"
#include "expr/gotmpl/format_priv.h"

#define STAND_IN STR("\x01null")
#define STAND_IN_YAML "\"\\x01null\""
enum { MOST_ROUNDS = 16 };

/* ---- values as Go's %#v writes them */

static void go_syntax(const struct doc_node *n, struct buf *out);

static void go_number(const struct doc_node *n, struct buf *out)
{
    int64_t i;
    uint64_t u;
    double d;

    if (doc_to_int64(n, &i))
        buf_addf(out, "%lld", (long long)i);
    else if (doc_to_uint64(n, &u))
        buf_addf(out, "%llu", (unsigned long long)u);
    else if (doc_to_double(n, &d))
        num_add_double(out, d, NUM_G);
}

static void go_entries(const struct doc_node *n, struct buf *out)
{
    struct doc_iter it = doc_children(n);

    for (const char *divider = ""; doc_next(&it); divider = ", ") {
        buf_add_cstr(out, divider);
        if (doc_is_map(n)) {
            escape_quoted(it.key, out);
            buf_add_char(out, ':');
        }
        go_syntax(it.value, out);
    }
}

static void go_syntax(const struct doc_node *n, struct buf *out)
{
    switch (doc_type(n)) {
    case DOC_NULL:
        buf_add_cstr(out, "interface {}(nil)");
        return;
    case DOC_BOOL:
        buf_add_str(out, doc_text(n, STR_NONE));
        return;
    case DOC_NUMBER:
        go_number(n, out);
        return;
    case DOC_STRING:
        escape_quoted(doc_text(n, STR_NONE), out);
        return;
    case DOC_LIST:
    case DOC_MAP:
        buf_add_cstr(out, doc_is_map(n) ? "map[interface {}]interface {}{" : "[]interface {}{");
        go_entries(n, out);
        buf_add_char(out, '}');
        return;
    default:
        return;
    }
}

static void sort_all(struct doc_node *n)
{
    struct doc_iter it;

    if (doc_is_map(n))
        doc_sort_keys(n);
    for (it = doc_children(n); doc_next(&it);)
        sort_all(it.value);
}

static void add_value(const struct doc_node *n, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *sorted = doc_copy(set, n);

    sort_all(sorted);
    go_syntax(sorted, out);
}

/* ---- where */

static int parse(struct doc_set *set, str text, struct doc_list *ret, struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_VALUES, .flags = DOC_KEEP_EMPTY};

    return doc_parse_all(set, text, &options, "yaml", ret, e);
}

/* The offset that "yaml:LINE:COL: PROBLEM" names; the line must be ASCII up to there. */
static bool find_place(str text, str message, const char *problem, size_t *ret)
{
    str rest, line = STR(""), place = message;
    int64_t row, column;

    if (!str_drop_prefix(&place, STR("yaml:")) || !str_to_int64(str_cut(place, ':', &rest), &row) ||
        !str_to_int64(str_cut(rest, ':', &rest), &column) || row < 1 || column < 1 ||
        !str_eq(str_trim(rest), str_of(problem)))
        return false;
    rest = text;
    while (row-- > 0)
        if (!str_next_line(&rest, &line))
            return false;
    for (size_t i = 0; i + 1 < (size_t)column; i++)
        if (i >= line.len || (unsigned char)line.p[i] >= 0x80)
            return false;
    *ret = (size_t)(line.p - text.p) + (size_t)column - 1;
    return *ret <= text.len;
}

/* The list or map in brackets at the start of a text; 0: there is none. */
static size_t flow_length(str text)
{
    size_t depth = 0;
    char quote = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];

        if (quote) {
            i += quote == '"' && c == '\\';
            quote = c == quote ? 0 : quote;
            continue;
        }
        if (c == '"' || c == '\'')
            quote = c;
        depth += c == '[' || c == '{';
        if (!depth)
            return 0;
        if ((c == ']' || c == '}') && --depth == 0)
            return i + 1;
    }
    return 0;
}

static bool explain_collection(str text, size_t at, struct buf *why)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list docs = {0};
    AUTO(err_done) struct err bad = {0};
    str key = str_sub(text, at, flow_length(str_from(text, at)));

    if (!key.len || parse(set, key, &docs, &bad) < 0 || docs.len != 1)
        return false;
    buf_add_cstr(why, "error converting YAML to JSON: yaml: invalid map key: ");
    add_value(docs.v[0], why);
    return true;
}

/* A null as a key is a word, a tilde, or nothing. */
static size_t null_length(str text)
{
    static const char words[][5] = {"null", "Null", "NULL", "~"};

    for (size_t i = 0; text.p && i < ARRAY_LEN(words); i++)
        if (str_starts(text, str_of(words[i])))
            return strlen(words[i]);
    return 0;
}

static void put_stand_in(struct buf *text, size_t at)
{
    AUTO(buf_done) struct buf before = {0};
    size_t end;

    buf_add_str(&before, buf_view(text));
    end = at + null_length(str_from(buf_view(&before), at));
    buf_trunc(text, at);
    buf_add_cstr(text, STAND_IN_YAML);
    buf_add_str(text, str_from(buf_view(&before), end));
}

/* ---- telling */

static const struct doc_node *find_stand_in(const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it)) {
        const struct doc_node *found =
            doc_is_map(n) && str_eq(it.key, STAND_IN) ? it.value : find_stand_in(it.value);

        if (found)
            return found;
    }
    return NULL;
}

static bool explain_null(const struct doc_list *docs, struct buf *why)
{
    const struct doc_node *value = docs->len ? find_stand_in(docs->v[0]) : NULL;

    if (!value)
        return false;
    buf_add_cstr(why, "error converting YAML to JSON: unsupported map key of type: %!s(<nil>), "
                      "key: <nil>, value: ");
    if (doc_is_null(value))
        buf_add_cstr(why, "<nil>");
    else
        add_value(value, why);
    return true;
}

bool tmpl_explain_key(str given, str message, struct buf *why)
{
    AUTO(buf_done) struct buf text = {0}, said = {0};
    size_t at;

    buf_add_str(&text, given);
    buf_add_str(&said, message);
    for (int i = 0; i < MOST_ROUNDS; i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(doc_list_done) struct doc_list docs = {0};
        AUTO(err_done) struct err e = {0};

        if (find_place(buf_view(&text), buf_view(&said), "a list or map cannot be a key", &at))
            return explain_collection(buf_view(&text), at, why);
        if (!find_place(buf_view(&text), buf_view(&said), "null cannot be a key", &at))
            return false;
        put_stand_in(&text, at);
        if (parse(set, buf_view(&text), &docs, &e) == 0)
            return explain_null(&docs, why);
        buf_clear(&said);
        buf_add_cstr(&said, err_text(&e));
    }
    return false;
}
