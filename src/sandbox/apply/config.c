/* The configuration of an apply patch against its type, as structured-merge-diff tells mistakes:
 * maps in the order of their keys, one undeclared field each. */
#include "doc/go_type.h"
#include "sandbox/apply/fields.h"
#include "sandbox/apply/fieldset.h"
#include "sandbox/types/typed.h"

enum { MAX_MISTAKES = 32 };

struct walk {
    struct sb_req *r;
    struct buf path;
    struct buf mistakes; /* one a line */
    size_t count;
};

static void mistake(struct walk *w, const char *fmt, ...) PRINTF(2, 3);
static void mistake(struct walk *w, const char *fmt, ...)
{
    va_list args;

    if (w->count++ >= MAX_MISTAKES)
        return;
    if (w->mistakes.len)
        buf_add_char(&w->mistakes, '\n');
    buf_addf(&w->mistakes, "%s%s: ", w->path.len ? "" : ".", buf_cstr(&w->path));
    va_start(args, fmt);
    buf_addv(&w->mistakes, fmt, args);
    va_end(args);
}

static str printed(struct walk *w, const struct doc_node *n)
{
    AUTO(buf_done) struct buf text = {0};

    if (doc_is_map(n) || doc_is_list(n))
        doc_emit_json(n, DOC_JSON_SORTED, &text);
    else
        buf_add_str(&text, doc_text(n, STR("<nil>")));
    return arena_dup(&w->r->arena, str_sub(buf_view(&text), 0, 200));
}

/* False: it is of another type, which is told. Null is of every type. */
static bool has_type(struct walk *w, str type, const struct doc_node *n)
{
    bool is_number = str_eq(type, STR("integer")) || str_eq(type, STR("number"));
    bool is_scalar = !doc_is_map(n) && !doc_is_list(n);

    if (doc_is_null(n) || !type.len)
        return true;
    if (str_eq(type, STR("object")) && !doc_is_map(n))
        mistake(w, "expected map, got &{%.*s}", STR_ARG(printed(w, n)));
    else if (str_eq(type, STR("array")) && !doc_is_list(n))
        mistake(w, "expected list, got &{%.*s}", STR_ARG(printed(w, n)));
    else if (is_number && doc_type(n) != DOC_NUMBER)
        mistake(w, "expected numeric (int or float), got %s", doc_go_type(n));
    else if (str_eq(type, STR("boolean")) && doc_type(n) != DOC_BOOL)
        mistake(w, "expected boolean, got &{%.*s}", STR_ARG(printed(w, n)));
    else if (str_eq(type, STR("string")) && !doc_is_string(n))
        mistake(w, "expected string, got &value.valueUnstructured{Value:%s%.*s}",
                is_scalar ? "" : doc_go_type(n), STR_ARG(printed(w, n)));
    else
        return true;
    return false;
}

static void check(struct walk *w, const struct sb_type *t, const struct doc_node *n);

static void check_map(struct walk *w, const struct sb_type *t, const struct doc_node *map)
{
    AUTO(str_vec_done) struct str_vec keys = {0};
    size_t before = w->path.len;

    sb_sorted_keys(map, &keys);
    for (size_t i = 0; i < keys.len; i++) {
        struct sb_type below = sb_type_field(t, keys.v[i]);

        buf_addf(&w->path, ".%.*s", STR_ARG(keys.v[i]));
        if (sb_type_declares(t, keys.v[i])) {
            check(w, &below, doc_get(map, keys.v[i]));
        } else {
            mistake(w, "field not declared in schema");
            i = keys.len;
        }
        buf_trunc(&w->path, before);
    }
}

/* What an item of a list with keys, or of a set, must not be. */
static bool is_item(struct walk *w, enum sb_merge how, const struct doc_node *item, size_t at)
{
    bool is_set = how == SB_SET;

    if (is_set && doc_is_null(item))
        mistake(w,
                "element %zu: associative list without keys has an element that's an explicit null",
                at);
    else if (is_set && (doc_is_map(item) || doc_is_list(item)))
        mistake(w, "element %zu: associative list without keys has an element that's a %s type", at,
                doc_is_map(item) ? "map" : "list");
    else if (!is_set && doc_is_null(item))
        mistake(w, "element %zu: associative list with keys may not have a null element", at);
    else if (!is_set && !doc_is_map(item))
        mistake(w, "element %zu: associative list with keys may not have non-map elements", at);
    else
        return true;
    return false;
}

/* True: an earlier item has the same name, which is told once for each name. */
static void check_twice(struct walk *w, const struct str_vec *names)
{
    for (size_t i = 0; i < names->len; i++) {
        size_t earlier = 0;

        for (size_t k = 0; k < i; k++)
            earlier += str_eq(names->v[k], names->v[i]);
        if (earlier == 1) {
            AUTO(buf_done) struct buf key = {0};

            sb_fieldset_step(names->v[i], &key);
            mistake(w, "duplicate entries for key %s", buf_cstr(&key));
        }
    }
}

static void check_list(struct walk *w, const struct sb_type *t, const struct doc_node *list)
{
    AUTO(str_vec_done) struct str_vec names = {0};
    struct sb_keys keys;
    enum sb_merge how = sb_type_merge(t, list, &keys);
    struct sb_type below = sb_type_item(t);
    struct doc_iter it = doc_children(list);
    size_t before = w->path.len;

    for (size_t at = 0; doc_next(&it); at++) {
        str name = STR_NONE;

        if (how != SB_ATOMIC) {
            if (!is_item(w, how, it.value, at))
                continue;
            name = sb_item_name(w->r->set, how, &keys, it.value);
        }
        if (name.len) {
            vec_push(&names, name);
            sb_fieldset_step(name, &w->path);
        } else {
            buf_addf(&w->path, "[%zu]", at);
        }
        check(w, &below, it.value);
        buf_trunc(&w->path, before);
    }
    check_twice(w, &names);
}

static void check(struct walk *w, const struct sb_type *t, const struct doc_node *n)
{
    if (!has_type(w, sb_type_name(t), n))
        return;
    if (doc_is_map(n))
        check_map(w, t, n);
    else if (doc_is_list(n))
        check_list(w, t, n);
}

/* "errors:" and a line for each when there are several. */
static void join(const struct walk *w, struct buf *out)
{
    str rest = buf_view(&w->mistakes);

    if (w->count > 1)
        buf_add_cstr(out, "errors:");
    while (rest.len) {
        str line = str_cut(rest, '\n', &rest);

        buf_addf(out, "%s%.*s", w->count > 1 ? "\n  " : "", STR_ARG(line));
    }
}

int sb_apply_check(struct sb_req *r, const struct doc_node *config, str ns)
{
    struct walk w = {.r = r};
    struct sb_type root = sb_type_root(r->kind);
    AUTO(buf_done) struct buf why = {0};
    str type = arena_printf(&r->arena, "%.*s/%.*s, Kind=%.*s", STR_ARG(r->kind->group),
                            STR_ARG(r->kind->version), STR_ARG(r->kind->kind));
    size_t at;
    int rc = 0;

    check(&w, &root, config);
    if (w.count) {
        join(&w, &why);
        rc = sb_fail(r, 500, "", "failed to create typed patch object (%.*s/%.*s; %.*s): %s",
                     STR_ARG(ns), STR_ARG(r->name), STR_ARG(type), buf_cstr(&why));
    } else if (sb_typed_bad_bytes(r->kind, config, &at)) {
        rc =
            sb_fail(r, 500, "",
                    "failed to convert new object (%.*s/%.*s; %.*s) to proper version: unable to "
                    "convert unstructured object to %.*s: error decoding from json: illegal base64 "
                    "data at input byte %zu",
                    STR_ARG(ns), STR_ARG(r->name), STR_ARG(type), STR_ARG(type), at);
    }
    buf_done(&w.path);
    buf_done(&w.mistakes);
    return rc;
}
