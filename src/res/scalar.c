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
    if (n->type != DOC_NULL &&
        (n->type != DOC_STRING || n->style != DOC_PLAIN || !is_timestamp(text)))
        return text;
    if (!is_read || n->end > set->sources[n->source].text.len)
        return n->type != DOC_NULL ? text : n->source ? STR("null") : (str){n->text, n->len};
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

struct doc_node *res_scalar_new_loose(struct doc_set *set, str text, enum doc_style style)
{
    struct doc_node *n = doc_new_string(set, text);

    n->style = style;
    n->bool_val = true;
    return n;
}

/* Most texts start with a letter that no word with a meaning has, or are longer than these. */
static bool may_be_other(str text)
{
    if (text.len == 0 || (unsigned)((text.p[0] | 0x20) - 'a') > 25)
        return true;
    return text.len < 6 && strchr("tTfFyYnNoO", text.p[0]);
}

/* A text that cannot stand unquoted is a text: what would be a comment, say. */
static struct doc_node *meaning(struct doc_set *set, str text)
{
    struct doc_node *plain = may_be_other(text) ? doc_new_plain(set, text, DOC_RESOURCE) : NULL;

    return plain && (!doc_is_string(plain) || !str_eq(doc_string(plain, STR_NONE), text)) ? plain
                                                                                          : NULL;
}

bool res_text_is_other(struct doc_set *set, str text) { return meaning(set, text) != NULL; }

enum doc_style res_scalar_loose_style(struct doc_set *set, const struct doc_node *n)
{
    bool has_quotes = doc_is_string(n) && n->style == DOC_PLAIN && n->len && !n->bool_val &&
                      !n->is_int && res_text_is_other(set, doc_string(n, STR_NONE));

    return has_quotes ? DOC_DOUBLE : (enum doc_style)n->style;
}

void res_scalar_put_loose(struct doc_set *set, struct doc_node *map, str key, str text)
{
    struct doc_node *n = doc_get(map, key);
    enum doc_style style = DOC_PLAIN;

    if (n)
        style = res_scalar_loose_style(set, n);
    else if (text.len && res_text_is_other(set, text))
        style = DOC_DOUBLE;
    doc_set_field(set, map, key, res_scalar_new_loose(set, text, style));
}

bool res_scalar_has_loose(const struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    while (doc_next(&it))
        if (res_scalar_is_loose(it.value) || res_scalar_is_bare(it.value) ||
            (doc_len(it.value) && res_scalar_has_loose(it.value)))
            return true;
    return false;
}

/* Nothing at all cannot stand between braces or brackets: upstream writes quotes there. */
static void settle_scalar(struct doc_set *set, struct doc_node *n, bool is_in_flow)
{
    bool has_quotes = n->style != DOC_PLAIN || (is_in_flow && n->len == 0);
    struct doc_node *with =
        res_scalar_is_loose(n) && !has_quotes ? meaning(set, doc_string(n, STR_NONE)) : NULL;

    n->is_int = n->bool_val = false;
    if (with)
        replace(set, n, with);
}

static void settle(struct doc_set *set, struct doc_node *n, bool is_in_flow)
{
    struct doc_node *child = doc_first(n);

    is_in_flow |= n->style == DOC_FLOW;
    for (uint32_t left = child ? n->len : 0; left > 0; left--, child = child->next) {
        if (child->type >= DOC_LIST)
            settle(set, child, is_in_flow);
        else if (res_scalar_is_loose(child) || res_scalar_is_bare(child))
            settle_scalar(set, child, is_in_flow);
    }
}

void res_scalar_settle(struct doc_set *set, struct doc_node *n) { settle(set, n, false); }

int res_scalar_set(struct doc_set *set, struct doc_node *n, str text, struct err *e)
{
    struct doc_node *plain;

    if (doc_is_scalar(n) && str_eq(res_scalar_text(set, n), text))
        return 0;
    if (res_scalar_is_loose(n)) {
        replace(set, n, res_scalar_new_loose(set, text, (enum doc_style)n->style));
        return 0;
    }
    if (n->type == DOC_STRING) {
        plain = doc_new_string(set, text);
        plain->style = n->style;
        plain->is_int = n->style == DOC_PLAIN; /* bare */
        replace(set, n, plain);
        return 0;
    }
    plain = doc_new_plain(set, text, DOC_RESOURCE);
    if (!can_become(n, plain))
        return err_set(e, ERR_INVALID, "cannot decode %s `%.*s` as a %s", res_scalar_tag(plain),
                       STR_ARG(text), res_scalar_tag(n));
    replace(set, n, plain);
    return 0;
}
