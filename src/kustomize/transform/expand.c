#include "kustomize/transform/expand.h"

static void add_reference(str name, kustomize_expand_fn *lookup, void *ctx, struct buf *out)
{
    str value;

    if (lookup(ctx, name, &value))
        buf_add_str(out, value);
    else
        buf_addf(out, "$(%.*s)", STR_ARG(name));
}

/* The length of the name of the reference that begins at text[0], which is '('; -1: it never ends.
 */
static ssize_t name_len(str text) { return str_find_char(str_from(text, 1), ')'); }

void kustomize_expand(str text, kustomize_expand_fn *lookup, void *ctx, struct buf *out)
{
    while (text.len) {
        ssize_t at = str_find_char(text, '$'), len;

        if (at < 0 || (size_t)at + 1 == text.len) {
            buf_add_str(out, text);
            return;
        }
        buf_add_str(out, str_sub(text, 0, (size_t)at));
        text = str_from(text, (size_t)at + 1);
        len = text.p[0] == '(' ? name_len(text) : -1;
        if (len >= 0) {
            add_reference(str_sub(text, 1, (size_t)len), lookup, ctx, out);
            text = str_from(text, (size_t)len + 2);
            continue;
        }
        buf_add_char(out, '$');
        if (text.p[0] != '$')
            buf_add_char(out, text.p[0]);
        text = str_from(text, 1);
    }
}

bool kustomize_expand_is_name(str text, str *ret_name)
{
    if (!str_starts(text, STR("$(")))
        return false;
    *ret_name = str_from(text, 2);
    if (str_find_char(*ret_name, ')') != (ssize_t)ret_name->len - 1 || !ret_name->len)
        return false;
    ret_name->len--;
    return true;
}
