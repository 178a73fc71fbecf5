#include "sdk/sdk_priv.h"

/* ---- reading paths */

/* A key up to '.' or '[', with its backslashes taken out. */
static str read_key(gfn_ctx *ctx, str *rest)
{
    size_t at = 0, len = 0;
    bool has_escape = false;
    char *text;
    str key;

    while (at < rest->len && rest->p[at] != '.' && rest->p[at] != '[') {
        if (rest->p[at] == '\\' && at + 1 < rest->len) {
            has_escape = true;
            at++;
        }
        at++;
    }
    key = str_sub(*rest, 0, at);
    *rest = str_from(*rest, at);
    if (!has_escape)
        return key;
    text = arena_alloc(&ctx->arena, key.len);
    for (size_t i = 0; i < key.len; i++) {
        if (key.p[i] == '\\' && i + 1 < key.len)
            i++;
        text[len++] = key.p[i];
    }
    return (str){text, len};
}

/* "[0]", "[name=x]", "["a.b"]". */
static bool read_bracket(str *rest, struct sdk_step *ret)
{
    char quote = rest->len > 1 ? rest->p[1] : '\0';
    str inside;
    ssize_t end;
    uint64_t index;

    if (quote == '"' || quote == '\'') {
        end = str_find_char(str_from(*rest, 2), quote);
        if (end < 0 || (size_t)end + 3 >= rest->len || rest->p[end + 3] != ']')
            return false;
        *ret = (struct sdk_step){.kind = STEP_KEY, .key = str_sub(*rest, 2, (size_t)end)};
        *rest = str_from(*rest, (size_t)end + 4);
        return true;
    }
    end = str_find_char(*rest, ']');
    if (end < 0)
        return false;
    inside = str_sub(*rest, 1, (size_t)end - 1);
    *rest = str_from(*rest, (size_t)end + 1);
    if (str_to_uint64(inside, &index) && index <= UINT32_MAX) {
        *ret = (struct sdk_step){.kind = STEP_INDEX, .index = (size_t)index};
        return true;
    }
    *ret = (struct sdk_step){.kind = STEP_MATCH};
    ret->key = str_cut(inside, '=', &ret->value);
    return ret->value.p != NULL && ret->key.len > 0;
}

bool sdk_next_step(gfn_ctx *ctx, str *rest, struct sdk_step *ret, bool *ret_bad)
{
    if (rest->len == 0)
        return false;
    if (rest->p[0] == '[') {
        *ret_bad = !read_bracket(rest, ret);
    } else {
        *ret = (struct sdk_step){.kind = STEP_KEY, .key = read_key(ctx, rest)};
        *ret_bad = ret->key.len == 0;
    }
    if (*ret_bad)
        return false;
    if (rest->len && rest->p[0] == '.') {
        *rest = str_from(*rest, 1);
        *ret_bad = rest->len == 0;
    } else if (rest->len && rest->p[0] != '[') {
        *ret_bad = true;
    }
    return !*ret_bad;
}

struct doc_node *sdk_step_to(const struct doc_node *n, const struct sdk_step *step)
{
    struct doc_iter it = doc_children(n);

    if (n && n->type == DOC_ALIAS)
        n = n->extra->target;
    switch (step->kind) {
    case STEP_KEY:
        return doc_get(n, step->key);
    case STEP_INDEX:
        return doc_is_list(n) ? doc_item(n, step->index) : NULL;
    case STEP_MATCH:
        break;
    }
    if (!doc_is_list(n))
        return NULL;
    while (doc_next(&it))
        if (str_eq(doc_text(doc_get(it.value, step->key), STR_NONE), step->value))
            return it.value;
    return NULL;
}

/* ---- writing paths */

void sdk_add_key(struct buf *path, str key)
{
    static const bool needs_quotes[256] = {['.'] = true, ['['] = true,  [']'] = true, ['\\'] = true,
                                           ['"'] = true, ['\''] = true, ['\0'] = true};
    bool is_plain = key.len > 0;

    for (size_t i = 0; i < key.len && is_plain; i++)
        is_plain = !needs_quotes[(unsigned char)key.p[i]];
    if (!is_plain) {
        buf_add_cstr(path, "[\"");
        buf_add_str(path, key);
        buf_add_cstr(path, "\"]");
        return;
    }
    if (path->len)
        buf_add_char(path, '.');
    buf_add_str(path, key);
}

void sdk_add_index(struct buf *path, size_t index)
{
    char digits[24], *p = digits + sizeof(digits);

    *--p = ']';
    do
        *--p = (char)('0' + index % 10);
    while (index /= 10);
    *--p = '[';
    buf_add(path, p, (size_t)(digits + sizeof(digits) - p));
}

/* ---- reading values */

gfn_node gfn_get(gfn_node n, const char *path)
{
    struct doc_node *at = sdk_node(n);
    str rest = str_of(path);
    struct sdk_step step;
    bool is_bad = false;

    while (at && sdk_next_step(n.ctx, &rest, &step, &is_bad))
        at = sdk_step_to(at, &step);
    return sdk_handle(n.ctx, is_bad ? NULL : at);
}

gfn_node gfn_child(gfn_node map, const char *key)
{
    return sdk_handle(map.ctx, doc_get(sdk_node(map), str_of(key)));
}

const char *gfn_get_str(gfn_node n, const char *path, const char *fallback)
{
    gfn_node at = gfn_get(n, path);

    return gfn_is_scalar(at) && gfn_type(at) != GFN_NULL ? gfn_text(at) : fallback;
}

int64_t gfn_get_int(gfn_node n, const char *path, int64_t fallback)
{
    return doc_int(sdk_node(gfn_get(n, path)), fallback);
}

bool gfn_get_bool(gfn_node n, const char *path, bool fallback)
{
    return doc_bool(sdk_node(gfn_get(n, path)), fallback);
}

gfn_node gfn_get_list(gfn_node n, const char *path)
{
    gfn_node at = gfn_get(n, path);

    return gfn_is_list(at) ? at : gfn_nothing(n.ctx);
}
