#include "res/scalar.h"

#include "doc/parse.h"

/* A timestamp was rewritten when it was read; upstream does that when it prints. */
static bool is_timestamp(str s)
{
    return s.len >= 20 && s.p[4] == '-' && s.p[7] == '-' && s.p[10] == 'T';
}

str res_scalar_text(const struct doc_set *set, const struct doc_node *n)
{
    str text = doc_text(n, STR_NONE);
    bool is_read = n && n->source && !n->is_changed && n->source < set->source_count;

    if (!doc_is_scalar(n))
        return STR_NONE;
    if (n->type == DOC_NULL && res_scalar_is_loose(n))
        return (str){n->text, n->len};
    if (n->type != DOC_NULL &&
        (n->type != DOC_STRING || n->style != DOC_PLAIN || !is_timestamp(text)))
        return text;
    if (!is_read || n->end > set->sources[n->source].text.len)
        return text.len || n->type != DOC_NULL || !n->source ? text : STR("null");
    return str_sub(set->sources[n->source].text, n->begin, n->end - n->begin);
}

const char *res_scalar_tag(const struct doc_node *n)
{
    switch (doc_type(n)) {
    case DOC_NULL:
        return "!!null";
    case DOC_BOOL:
        return "!!bool";
    case DOC_NUMBER:
        return n->is_int ? "!!int" : "!!float";
    case DOC_STRING:
    case DOC_ALIAS:
        return "!!str";
    case DOC_LIST:
        return "!!seq";
    case DOC_MAP:
        return "!!map";
    }
    return "!!str";
}

static bool can_become(const struct doc_node *n, const struct doc_node *plain)
{
    if (n->type != plain->type)
        return false;
    return n->type != DOC_NUMBER || !n->is_int || plain->is_int;
}

static void replace(struct doc_set *set, struct doc_node *n, struct doc_node *with)
{
    doc_keep_comments(set, n, with);
    doc_replace(n, with);
}

bool res_scalar_is_loose(const struct doc_node *n)
{
    return doc_is_scalar(n) && n->extra && str_eq(n->extra->tag, STR("?"));
}

struct doc_node *res_scalar_new_loose(struct doc_set *set, str text)
{
    struct doc_node *n = doc_new_plain(set, text, DOC_RESOURCE);

    doc_extra(set, n)->tag = STR("?");
    if (doc_is_null(n)) { /* "~" may have to be told from "" */
        n->text = arena_dup(&set->arena, text).p;
        n->len = (uint32_t)text.len;
    }
    return n;
}

int res_scalar_set(struct doc_set *set, struct doc_node *n, str text, struct err *e)
{
    struct doc_node *plain;

    if (doc_is_scalar(n) && str_eq(res_scalar_text(set, n), text))
        return 0;
    if (res_scalar_is_loose(n)) {
        replace(set, n, res_scalar_new_loose(set, text));
        return 0;
    }
    if (n->type == DOC_STRING) {
        enum doc_style style = (enum doc_style)n->style;

        replace(set, n, doc_new_string(set, text));
        n->style = style;
        return 0;
    }
    plain = doc_new_plain(set, text, DOC_RESOURCE);
    if (!can_become(n, plain))
        return err_set(e, ERR_INVALID, "cannot decode %s `%.*s` as a %s", res_scalar_tag(plain),
                       STR_ARG(text), res_scalar_tag(n));
    replace(set, n, plain);
    return 0;
}
