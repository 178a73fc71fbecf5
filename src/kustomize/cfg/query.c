/* Paths and queries of `cfg grep` and `cfg tree`. */
#include <math.h>

#include "base/mem.h"
#include "kustomize/cfg/cfg.h"

void kustomize_path_done(struct kustomize_path *path)
{
    vec_done(&path->parts);
    arena_done(&path->arena);
}

static void end_part(struct kustomize_path *path, struct buf *part)
{
    if (part->len)
        vec_push(&path->parts, arena_dup(&path->arena, buf_view(part)));
    buf_clear(part);
}

/* Dots divide, "\." is a dot of a name, brackets are a part of their own. */
int kustomize_path_parse(str text, struct kustomize_path *ret, struct err *e)
{
    AUTO(buf_done) struct buf part = {0};
    bool in_brackets = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];

        if (c == '\\' && i + 1 < text.len && text.p[i + 1] == '.') {
            buf_add_char(&part, text.p[++i]);
            continue;
        }
        if ((c == '[' || c == '.') && !in_brackets)
            end_part(ret, &part);
        if (c == '[')
            in_brackets = true;
        if (c != '.' || in_brackets)
            buf_add_char(&part, c);
        if (c == ']' && in_brackets) {
            end_part(ret, &part);
            in_brackets = false;
        }
    }
    end_part(ret, &part);
    if (in_brackets || !ret->parts.len)
        return err_set(e, ERR_USAGE, "'%.*s' is no path of fields: write spec.ports[port=80].name",
                       STR_ARG(text));
    return 0;
}

/* "[key=value]": the item with that field; "[=value]": the item that is that text. */
static struct doc_node *find_item(const struct doc_node *list, str part)
{
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);
    str value, key = str_cut(str_sub(part, 1, part.len - 2), '=', &value);

    while (doc_next(&it)) {
        const struct doc_node *field = key.len ? doc_get(it.value, key) : it.value;

        if (doc_is_scalar(field) && str_eq(doc_text(field, STR_NONE), value))
            return it.value;
    }
    return NULL;
}

struct doc_node *kustomize_path_find(const struct kustomize_path *path, const struct doc_node *item)
{
    struct doc_node *at = (struct doc_node *)item;

    for (size_t i = 0; at && i < path->parts.len; i++) {
        str part = path->parts.v[i];

        at = part.p[0] == '[' ? find_item(at, part) : doc_get(at, part);
    }
    return at;
}

enum operation { HAS, FITS, LESS, AT_MOST, MORE, AT_LEAST };

struct kustomize_query {
    struct kustomize_path path;
    enum operation operation;
    struct re *re; /* FITS */
    double value;  /* the others */
};

void kustomize_query_free(struct kustomize_query *query)
{
    if (!query)
        return;
    kustomize_path_done(&query->path);
    re_free(query->re);
    mem_free(query);
}

/* Kubernetes quantities: "500m", "1Gi", "1e3". Not a number: NAN. */
static double quantity(str text)
{
    static const struct {
        char suffix[3];
        double factor;
    } rows[] = {{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50},
                {"Ei", 0x1p60}, {"n", 1e-9},    {"u", 1e-6},    {"m", 1e-3},    {"k", 1e3},
                {"M", 1e6},     {"G", 1e9},     {"T", 1e12},    {"P", 1e15},    {"E", 1e18}};
    double factor = 1, value;
    char digits[64];
    char *end;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (str_ends(text, str_of(rows[i].suffix))) {
            factor = rows[i].factor;
            text = str_sub(text, 0, text.len - strlen(rows[i].suffix));
            break;
        }
    if (!text.len || text.len >= sizeof(digits))
        return NAN;
    memcpy(digits, text.p, text.len);
    digits[text.len] = '\0';
    value = strtod(digits, &end);
    return *end ? NAN : value * factor;
}

/* Where the operator stands, outside of brackets; text.len when there is none. */
static size_t find_operator(str text)
{
    bool in_brackets = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];

        if (c == '[')
            in_brackets = true;
        else if (c == ']')
            in_brackets = false;
        else if (!in_brackets && (c == '=' || c == '<' || c == '>'))
            return i;
    }
    return text.len;
}

static int read_operation(struct kustomize_query *query, str text, struct err *e)
{
    static const struct {
        char text[3];
        enum operation operation;
    } rows[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"<", LESS}, {">", MORE}};

    if (!text.len)
        return 0;
    if (str_drop_prefix(&text, STR("="))) {
        query->operation = FITS;
        query->re = re_compile(text, 0, e);
        return query->re ? 0 : err_wrap(e, "value of the query");
    }
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (str_drop_prefix(&text, str_of(rows[i].text))) {
            query->operation = rows[i].operation;
            query->value = quantity(text);
            break;
        }
    return isnan(query->value)
               ? err_set(e, ERR_USAGE, "'%.*s' is no quantity to compare with", STR_ARG(text))
               : 0;
}

struct kustomize_query *kustomize_query_parse(str text, struct err *e)
{
    AUTO(kustomize_query_free) struct kustomize_query *query = NEW(struct kustomize_query);
    size_t end = find_operator(text);

    if (kustomize_path_parse(str_sub(text, 0, end), &query->path, e) < 0 ||
        read_operation(query, str_from(text, end), e) < 0)
        return NULL;
    return TAKE(query);
}

static bool compares(const struct kustomize_query *query, double value)
{
    switch (query->operation) {
    case LESS:
        return value < query->value;
    case AT_MOST:
        return value <= query->value;
    case MORE:
        return value > query->value;
    case AT_LEAST:
        return value >= query->value;
    case HAS:
    case FITS:
        break;
    }
    return false;
}

bool kustomize_query_matches(const struct kustomize_query *query, const struct doc_node *item)
{
    const struct doc_node *found = kustomize_path_find(&query->path, item);
    struct doc_iter it = doc_children(doc_is_list(found) ? found : NULL);

    if (!found || query->operation == HAS)
        return found != NULL;
    if (doc_is_scalar(found)) {
        str text = doc_text(found, STR_NONE);

        return query->operation == FITS ? re_match(query->re, text)
                                        : compares(query, quantity(text));
    }
    while (doc_next(&it)) /* one of the list's texts */
        if (query->operation == FITS && doc_is_scalar(it.value) &&
            re_match(query->re, doc_text(it.value, STR_NONE)))
            return true;
    return false;
}
