#include "base/num.h"
#include "doc/parse.h"
#include "kustomize/transform/vars_priv.h"
#include "res/scalar.h"

/* ---- reading values */

/* As Go's ParseInt with base 10 reads it: 017 is 17, 0x1F and 1_000 are nothing. */
static bool read_int(struct doc_set *set, str text, struct kustomize_var_value *ret)
{
    int64_t value;

    if (text.len > 1 && text.p[0] == '+')
        text = str_from(text, 1);
    if (!str_to_int64(text, &value))
        return false;
    ret->text = arena_printf(&set->arena, "%lld", (long long)value);
    return true;
}

static bool read_float(struct doc_set *set, const struct doc_node *n,
                       struct kustomize_var_value *ret)
{
    AUTO(buf_done) struct buf text = {0};
    double value;

    if (!doc_to_double(n, &value) || value - value != 0) /* neither .inf nor .nan */
        return false;
    num_add_double(&text, value, NUM_G);
    ret->text = arena_dup(&set->arena, buf_view(&text));
    return true;
}

bool kustomize_var_read(struct doc_set *set, const struct doc_node *field,
                        struct kustomize_var_value *ret)
{
    str text = res_scalar_text(set, field);

    *ret = (struct kustomize_var_value){.type = doc_type(field), .text = text};
    switch (doc_type(field)) {
    case DOC_NUMBER:
        return field->is_int ? read_int(set, text, ret) : read_float(set, field, ret);
    case DOC_BOOL:
        ret->text = doc_bool(field, false) ? STR("true") : STR("false");
        return true;
    case DOC_NULL: /* upstream takes the word for a text */
        ret->type = DOC_STRING;
        return true;
    case DOC_STRING:
    case DOC_LIST:
    case DOC_MAP:
    case DOC_ALIAS:
        break;
    }
    return true;
}

/* ---- fields */

static bool is_value(const struct kustomize_var_value *v)
{
    return v && v->type != DOC_LIST && v->type != DOC_MAP;
}

static bool lookup(void *ctx, str name, str *ret)
{
    const struct kustomize_var_pass *pass = ctx;
    struct kustomize_var_value *value = map_get(pass->by_name, name);

    if (!is_value(value))
        return false;
    value->is_used = true;
    *ret = value->text;
    return true;
}

/* A text that is one reference takes on the type of the value. */
static bool put_typed(struct kustomize_var_pass *pass, struct doc_node *n, str text)
{
    struct kustomize_var_value *value;
    str name;

    if (!kustomize_expand_is_name(text, &name))
        return false;
    value = map_get(pass->by_name, name);
    if (!is_value(value) || value->type == DOC_STRING)
        return false;
    if (pass->is_text && pass->is_fixed)
        return false;
    if (pass->is_text && pass->warn)
        pass->warn(pass, n, value);
    value->is_used = true;
    doc_replace(n, value->type == DOC_BOOL
                       ? doc_new_bool(pass->set, str_eq(value->text, STR("true")))
                       : doc_new_plain(pass->set, value->text, DOC_RESOURCE));
    return true;
}

/* Upstream makes a text of every scalar it passes that has no type, and takes the style of texts.
 */
static void take_for_text(struct doc_node *n)
{
    if (n->type == DOC_STRING && n->style == DOC_FOLDED)
        n->style = DOC_PLAIN;
    if (res_scalar_is_loose(n))
        n->bool_val = false;
}

static void expand_scalar(struct kustomize_var_pass *pass, struct doc_node *n)
{
    AUTO(buf_done) struct buf out = {0};
    str text;

    take_for_text(n);
    text = doc_string(n, STR_NONE);
    if (!doc_is_string(n) || str_find_char(text, '$') < 0 || put_typed(pass, n, text))
        return;
    kustomize_expand(text, lookup, pass, &out);
    if (!str_eq(buf_view(&out), text))
        doc_replace(n, doc_new_string(pass->set, buf_view(&out)));
}

static int expand_map(struct kustomize_var_pass *pass, struct doc_node *map, struct err *e)
{
    struct doc_iter it = doc_children(map);

    while (doc_next(&it)) {
        const struct doc_node *key = it.value->key_style == DOC_PLAIN
                                         ? doc_new_plain(pass->set, it.key, DOC_RESOURCE)
                                         : NULL;

        if (key && !doc_is_string(key))
            return err_set(e, ERR_INVALID, "invalid map key: value='%.*s', tag='%s'",
                           STR_ARG(it.key), res_scalar_tag(key));
        expand_scalar(pass, it.value);
    }
    return 0;
}

static int expand_list(struct kustomize_var_pass *pass, struct doc_node *list, struct err *e)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        take_for_text(it.value);
        if (!doc_is_string(it.value))
            return err_set(e, ERR_INVALID, "invalid value type expect a string");
        expand_scalar(pass, it.value);
    }
    return 0;
}

int kustomize_var_field(struct kustomize_var_pass *pass, struct doc_node *field, struct err *e)
{
    if (doc_is_map(field))
        return expand_map(pass, field, e);
    if (doc_is_list(field))
        return expand_list(pass, field, e);
    expand_scalar(pass, field);
    return 0;
}
