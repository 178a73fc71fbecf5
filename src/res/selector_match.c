#include "res/selector.h"

static bool has_value(const struct res_requirement *r, str value)
{
    size_t low = 0, high = r->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int way = str_cmp(value, r->values[middle]);

        if (way == 0)
            return true;
        if (way < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

static bool compares(const struct res_requirement *r, str value)
{
    int64_t have, want;

    if (!str_to_int64(value, &have) || !str_to_int64(r->values[0], &want))
        return false;
    return r->op == RES_GREATER ? have > want : have < want;
}

static bool holds(const struct res_requirement *r, const struct doc_node *label)
{
    str value = doc_text(label, STR_NONE);

    switch (r->op) {
    case RES_IN:
        return label && has_value(r, value);
    case RES_NOT_IN:
        return !label || !has_value(r, value);
    case RES_EXISTS:
        return label != NULL;
    case RES_NOT_EXISTS:
        return !label;
    case RES_GREATER:
    case RES_LESS:
        return label && compares(r, value);
    }
    return false;
}

bool res_selector_matches(const struct res_selector *s, const struct doc_node *labels)
{
    for (size_t i = 0; i < s->all.len; i++)
        if (!holds(&s->all.v[i], doc_get(labels, s->all.v[i].key)))
            return false;
    return true;
}

bool res_selector_matches_fields(const struct res_selector *s, const struct doc_node *object)
{
    for (size_t i = 0; i < s->all.len; i++) {
        const struct res_requirement *r = &s->all.v[i];
        const struct doc_node *at = object;
        str rest = r->key;

        while (rest.p)
            at = doc_get(at, str_cut(rest, '.', &rest));
        if (has_value(r, doc_text(at, STR_NONE)) != (r->op == RES_IN))
            return false;
    }
    return true;
}

/* ---- field selectors */

/* The text up to an unescaped comma; *rest is what follows, p NULL at the end. */
static str cut_term(str text, str *rest)
{
    size_t i = 0;

    while (i < text.len && text.p[i] != ',')
        i += text.p[i] == '\\' && i + 1 < text.len ? 2 : 1;
    *rest = i < text.len ? str_from(text, i + 1) : STR_NONE;
    return str_sub(text, 0, i);
}

static int unescape(str value, struct buf *out, struct err *e)
{
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i];

        if (c == '=' || c == ',')
            return err_set(e, ERR_INVALID,
                           "invalid field selector: unescaped character in value: %c", c);
        if (c == '\\') {
            c = ++i < value.len ? value.p[i] : '\0';
            if (c != '\\' && c != ',' && c != '=')
                return err_set(e, ERR_INVALID,
                               "invalid field selector: invalid escape sequence: \\%.*s", c != '\0',
                               &c);
        }
        buf_add_char(out, c);
    }
    return 0;
}

static int parse_term(str text, str term, struct res_selector *out, struct err *e)
{
    AUTO(buf_done) struct buf value = {0};
    struct res_requirement r = {.op = RES_IN, .count = 1};
    ssize_t at = str_find_char(term, '=');
    size_t end = (size_t)at;
    str rest;

    if (at < 0)
        return err_set(e, ERR_INVALID, "invalid selector: '%.*s'; can't understand '%.*s'",
                       STR_ARG(text), STR_ARG(term));
    rest = str_from(term, end + 1);
    if (end > 0 && term.p[end - 1] == '!') {
        r.op = RES_NOT_IN;
        end--;
    } else {
        str_drop_prefix(&rest, STR("="));
    }
    if (unescape(rest, &value, e) < 0)
        return -1;
    r.key = arena_dup(&out->arena, str_sub(term, 0, end));
    r.values = ARENA_NEW(&out->arena, str);
    r.values[0] = arena_dup(&out->arena, buf_view(&value));
    vec_push(&out->all, r);
    return 0;
}

int res_field_selector_parse(str text, struct res_selector *ret, struct err *e)
{
    str rest = text;

    *ret = (struct res_selector){0};
    while (rest.p) {
        str term = cut_term(rest, &rest);

        if (term.len && parse_term(text, term, ret, e) < 0) {
            res_selector_done(ret);
            return -1;
        }
    }
    return 0;
}

/* ---- text */

static int by_key(const void *a, const void *b)
{
    return str_cmp(((const struct res_requirement *)a)->key,
                   ((const struct res_requirement *)b)->key);
}

static void print_requirement(const struct res_requirement *r, struct buf *out)
{
    bool is_list = r->count != 1 && (r->op == RES_IN || r->op == RES_NOT_IN);
    static const char ops[][3] = {
        [RES_IN] = "=",        [RES_NOT_IN] = "!=", [RES_EXISTS] = "",
        [RES_NOT_EXISTS] = "", [RES_GREATER] = ">", [RES_LESS] = "<",
    };

    if (r->op == RES_NOT_EXISTS)
        buf_add_char(out, '!');
    buf_add_str(out, r->key);
    buf_add_cstr(out, !is_list ? ops[r->op] : r->op == RES_IN ? " in (" : " notin (");
    for (size_t i = 0; i < r->count; i++) {
        if (i)
            buf_add_char(out, ',');
        buf_add_str(out, r->values[i]);
    }
    if (is_list)
        buf_add_char(out, ')');
}

void res_selector_print(const struct res_selector *s, struct buf *out)
{
    VEC(struct res_requirement) sorted = {0};

    for (size_t i = 0; i < s->all.len; i++)
        vec_push(&sorted, s->all.v[i]);
    vec_sort(&sorted, by_key);
    for (size_t i = 0; i < sorted.len; i++) {
        if (i)
            buf_add_char(out, ',');
        print_requirement(&sorted.v[i], out);
    }
    vec_done(&sorted);
}
