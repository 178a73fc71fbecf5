/* Values as YAML, and back, by way of JSON's types (template spec 16.1). */
#include <ctype.h>
#include <math.h>

#include "base/escape.h"
#include "doc/emit.h"
#include "doc/order.h"
#include "doc/parse.h"
#include "doc/yaml/scan.h"
#include "expr/gotmpl/format_priv.h"
#include "expr/gotmpl/objects_priv.h"

/* ---- writing */

/* Characters that a reader of YAML refuses, where JSON does not escape them. */
static bool is_forbidden(uint32_t c)
{
    return (c >= 0x7f && c <= 0x9f && c != 0x85) || c == 0xfffe || c == 0xffff;
}

static bool has_forbidden(str s)
{
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        width = 1;
        if ((unsigned char)s.p[at] >= 0x7f && is_forbidden(str_utf8_at(s, at, &width)))
            return true;
    }
    return false;
}

struct builder {
    struct tmpl_run *r;
    struct doc_set *set;
    bool is_pretty; /* as go-yaml v3 writes Go's values */
    const char *why;
};

static bool is_fraction_60(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] != '.' && s.p[i] != '_' && (s.p[i] < '0' || s.p[i] > '9'))
            return false;
    return true;
}

/* Numbers with base 60, which only readers of YAML 1.1 know: 12:30:45.5. */
static bool is_base_60(str s)
{
    size_t i = s.len && (s.p[0] == '-' || s.p[0] == '+'), digits = 0, colons = 0;

    for (; i < s.len && s.p[i] != '.'; i++) {
        bool is_digit = s.p[i] >= '0' && s.p[i] <= '9';

        if (s.p[i] == ':' && digits)
            colons++;
        else if (!is_digit && (s.p[i] != '_' || colons || !digits))
            return false;
        digits = is_digit ? digits + 1 : s.p[i] == ':' ? 0 : digits;
        if (colons && (digits > 2 || (digits == 2 && s.p[i - 1] > '5')))
            return false;
    }
    return colons && digits && is_fraction_60(str_from(s, i));
}

/* Words that are booleans to readers of YAML 1.1 alone, and such numbers: go-yaml v3 quotes them.
 */
static bool is_old_word(str s)
{
    static const char words[][4] = {"y", "Y", "yes", "Yes", "YES", "on",  "On",  "ON",
                                    "n", "N", "no",  "No",  "NO",  "off", "Off", "OFF"};

    for (size_t i = 0; s.len <= 3 && i < ARRAY_LEN(words); i++)
        if (str_eq(s, str_of(words[i])))
            return true;
    return is_base_60(s);
}

static struct doc_node *build(struct builder *b, struct tmpl_value v);

static struct doc_node *build_string(struct builder *b, str s)
{
    AUTO(buf_done) struct buf fixed = {0};
    size_t bad, width;

    if (!b->is_pretty && has_forbidden(s)) /* go-yaml v3 escapes them */
        b->why = "yaml: control characters are not allowed";
    if (str_is_utf8(s, &bad)) {
        struct doc_node *n = doc_new_string_view(b->set, s);

        if (b->is_pretty && is_old_word(s))
            n->style = DOC_DOUBLE;
        return n;
    }
    for (size_t at = 0; at < s.len; at += width)
        buf_add_utf8(&fixed, str_utf8_at(s, at, &width));
    return doc_new_string(b->set, buf_view(&fixed));
}

static struct doc_node *build_list(struct builder *b, struct tmpl_value v)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *list;
    const struct tmpl_value *items;

    if (v.elem == TMPL_BYTES) {
        escape_base64(tmpl_text(v), true, &text);
        return doc_new_string(b->set, buf_view(&text));
    }
    items = value_items(b->r, v);
    if (!items)
        return doc_new_null(b->set);
    list = doc_new_list(b->set);
    for (size_t i = 0; i < v.len && !b->why; i++)
        doc_append(list, build(b, items[i]));
    return list;
}

/* Whether go-yaml v3 quotes a text because it would read it as another type. */
static bool is_quoted(struct builder *b, str s)
{
    AUTO(buf_done) struct buf text = {0};

    doc_emit(doc_new_string_view(b->set, s), DOC_EMIT_KYAML, &text);
    return text.len && text.p[0] == '"';
}

static int compare_nodes(const void *a, const void *b)
{
    return doc_compare_keys(doc_key(*(struct doc_node *const *)a),
                            doc_key(*(struct doc_node *const *)b));
}

/* A key that is no string to some reader stands in quotes. */
static void style_key(struct builder *b, struct doc_node *child)
{
    str key = doc_key(child);

    if (is_old_word(key) || is_quoted(b, key))
        child->key_style = DOC_DOUBLE;
}

static struct doc_node *build_map(struct builder *b, struct tmpl_value v)
{
    struct doc_node *map, **children;
    size_t count, len = 0;
    const struct tmpl_entry *entries = value_entries(b->r, v, &count);

    if (!v.map && !(v.flags & TMPL_IS_DOC))
        return doc_new_null(b->set);
    map = doc_new_map(b->set);
    children = ARENA_ARRAY(&b->set->arena, struct doc_node *, count);
    for (; len < count && !b->why; len++) {
        children[len] = build(b, entries[len].value);
        if (!b->is_pretty && has_forbidden(entries[len].key))
            b->why = "yaml: control characters are not allowed";
        doc_key_set(children[len], entries[len].key);
        if (b->is_pretty)
            style_key(b, children[len]);
    }
    if (b->is_pretty && len > 1)
        qsort(children, len, sizeof(struct doc_node *), compare_nodes);
    for (size_t i = 0; i < len; i++)
        doc_push(b->set, map, children[i]);
    return map;
}

static struct doc_node *build_text(struct builder *b, struct tmpl_value v)
{
    AUTO(buf_done) struct buf json = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_node *n;

    if (b->is_pretty && value_is(v, &object_duration)) {
        v.object->class->print(v.object, &json);
        return doc_new_string(b->set, buf_view(&json));
    }
    if (v.type == TMPL_FLOAT && b->is_pretty) { /* not by way of JSON, which has no infinity */
        if (isfinite(v.f))
            value_add_float(v.f, &json);
        else
            buf_add_cstr(&json, isnan(v.f) ? ".nan" : v.f > 0 ? ".inf" : "-.inf");
    } else if (format_json(b->r, v, 0, &json, &b->why) < 0) {
        return doc_new_null(b->set);
    }
    if (v.type != TMPL_OBJECT)
        return doc_new_number(b->set, buf_view(&json));
    n = doc_parse_json(b->set, buf_view(&json), "object", &e);
    return n ? n : doc_new_null(b->set);
}

/* By way of JSON the keys are sorted; else they stand as declared, in small letters. */
static struct doc_node *build_struct(struct builder *b, struct tmpl_value v)
{
    const struct tmpl_field *fields = v.object->class->fields;
    struct doc_node *map = doc_new_map(b->set);

    for (const struct tmpl_field *f = fields; f->name && !b->why; f++) {
        struct tmpl_value value = struct_values(v)[f - fields];
        AUTO(buf_done) struct buf key = {0};
        struct doc_node *child;

        if (f->is_hidden || (!b->is_pretty && f->omits_empty && !value_truth(b->r, value)))
            continue;
        buf_add_cstr(&key, b->is_pretty ? f->name : f->json);
        if (b->is_pretty)
            for (size_t i = 0; i < key.len; i++)
                key.p[i] = (char)tolower((unsigned char)key.p[i]);
        child = build(b, value);
        doc_key_set(child, arena_dup(&b->set->arena, buf_view(&key)));
        doc_push(b->set, map, child);
    }
    if (!b->is_pretty)
        doc_sort_keys(map);
    return map;
}

static struct doc_node *build(struct builder *b, struct tmpl_value v)
{
    if (trun_step(b->r) < 0 || trun_room(b->r, b->set->arena.used / 8) < 0) {
        b->why = "yaml: the value is too large";
        return doc_new_null(b->set);
    }
    switch ((enum tmpl_type)v.type) {
    case TMPL_INVALID:
    case TMPL_NIL:
        return doc_new_null(b->set);
    case TMPL_BOOL:
        return doc_new_bool(b->set, v.b);
    case TMPL_STRING:
        return build_string(b, tmpl_text(v));
    case TMPL_LIST:
        return build_list(b, v);
    case TMPL_MAP:
        return build_map(b, v);
    default:
        return value_is_struct(v) ? build_struct(b, v) : build_text(b, v);
    }
}

bool format_yaml(struct tmpl_run *r, struct tmpl_value v, bool pretty, struct buf *out,
                 const char **ret_why)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct builder b = {.r = r, .set = set, .is_pretty = pretty};
    struct doc_node *n = build(&b, v);

    *ret_why = b.why;
    if (b.why)
        return false;
    doc_emit(n, pretty ? DOC_EMIT_KYAML_WIDE : DOC_EMIT_SORTED, out);
    if (out->len && out->p[out->len - 1] == '\n')
        buf_trunc(out, out->len - 1);
    return true;
}

/* ---- reading */

/* Upstream tells no place of what it finds behind the parser. */
static const char *without_place(const char *message)
{
    const char *at = message;

    if (strncmp(at, "yaml:", 5) != 0)
        return message;
    for (at += 5; (*at >= '0' && *at <= '9') || *at == ':'; at++)
        continue;
    return *at == ' ' ? at + 1 : message;
}

static void explain(str text, const struct doc_yaml_problem *p, const struct err *e,
                    struct buf *why)
{
    if (tmpl_explain_key(text, str_of(err_text(e)), why))
        return;
    buf_add_cstr(why, "error converting YAML to JSON: yaml: ");
    if (p->problem)
        doc_yaml_go_words(p, why);
    else
        buf_add_cstr(why, without_place(err_text(e)));
}

/* The text before the mark that ends its first document: later ones may be wrong. */
static str first_document(str text)
{
    bool has_content = false;
    str line;

    for (str rest = text; str_next_line(&rest, &line);) {
        bool is_mark = str_starts(line, STR("---")) || str_starts(line, STR("..."));

        if (is_mark && has_content)
            return str_range(text.p, line.p);
        has_content = has_content || (line.len && line.p[0] != '#' && line.p[0] != '%' && !is_mark);
    }
    return text;
}

static int read_first(struct tmpl_run *r, str text, struct doc_list *ret,
                      struct doc_yaml_problem *problem, struct err *e)
{
    struct doc_parse_options options = {
        .dialect = DOC_VALUES, .flags = DOC_KEEP_EMPTY, .ret_problem = problem};
    str first;

    if (doc_parse_all(trun_doc_set(r), text, &options, "yaml", ret, e) == 0)
        return 0;
    first = first_document(text);
    if (first.len == text.len)
        return -1;
    err_done(e);
    *problem = (struct doc_yaml_problem){0};
    return doc_parse_all(trun_doc_set(r), first, &options, "yaml", ret, e);
}

bool parse_yaml(struct tmpl_run *r, str text, struct tmpl_value *ret, struct buf *why)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_list_done) struct doc_list docs = {0};
    AUTO(buf_done) struct buf json = {0};
    struct doc_yaml_problem problem = {0};
    const char *no_json = NULL;

    *ret = TMPL_NOTHING;
    if (read_first(r, text, &docs, &problem, &e) < 0) {
        explain(text, &problem, &e, why);
        return false;
    }
    if (docs.len)
        *ret = tmpl_doc(docs.v[0], false);
    /* Only these numbers of YAML are none of JSON's. */
    if ((str_contains_nocase(text, STR(".inf")) || str_contains_nocase(text, STR(".nan"))) &&
        format_json(r, *ret, 0, &json, &no_json) < 0) {
        buf_addf(why, "error converting YAML to JSON: %s", no_json);
        return false;
    }
    return true;
}
