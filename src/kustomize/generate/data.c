#include "kustomize/generate/data.h"

#include "base/escape.h"
#include "doc/parse.h"

enum { BASE64_LINE = 70 };

void kustomize_base64(str bytes, struct buf *out)
{
    AUTO(buf_done) struct buf all = {0};

    escape_base64(bytes, true, &all);
    if (all.len <= BASE64_LINE) {
        buf_add_str(out, buf_view(&all));
        return;
    }
    for (size_t at = 0; at < all.len; at += BASE64_LINE) {
        buf_add_str(out, str_sub(buf_view(&all), at, BASE64_LINE));
        buf_add_char(out, '\n');
    }
}

/* Most values are words that nothing else can be. */
static bool may_mean_other(str text)
{
    return text.len && ((unsigned)((text.p[0] | 0x20) - 'a') > 25 || text.len < 6 ||
                        str_find_char(text, ':') >= 0 || str_find_char(text, '#') >= 0);
}

/* Is a text of one line, read as YAML 1.1, anything but a text? */
static bool means_other(str text)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;
    AUTO(err_done) struct err e = {0};
    const struct doc_node *n;

    if (!may_mean_other(text))
        return false;
    set = doc_set_new();
    n = doc_parse(set, text, DOC_VALUES, "", &e);
    return n && !doc_is_string(n);
}

void kustomize_set_data(struct doc_set *set, struct doc_node *map, str key, str text)
{
    struct doc_node *n = doc_set_string(set, map, key, text);

    if (str_find_char(text, '\n') >= 0)
        n->style = DOC_LITERAL;
    else if (means_other(text))
        n->style = DOC_DOUBLE;
}

static void set_base64(struct doc_set *set, struct doc_node *map,
                       const struct kustomize_entry *entry)
{
    AUTO(buf_done) struct buf text = {0};

    kustomize_base64(entry->value, &text);
    kustomize_set_data(set, map, entry->key, buf_view(&text));
}

void kustomize_fill_config_map(struct doc_set *set, struct doc_node *object,
                               const struct kustomize_entries *entries)
{
    for (size_t i = 0; i < entries->len; i++) {
        const struct kustomize_entry *entry = &entries->v[i];

        if (str_is_utf8(entry->value, NULL))
            kustomize_set_data(set, doc_ensure_map(set, object, STR("data")), entry->key,
                               entry->value);
        else
            set_base64(set, doc_ensure_map(set, object, STR("binaryData")), entry);
    }
}

void kustomize_fill_secret(struct doc_set *set, struct doc_node *object,
                           const struct kustomize_entries *entries)
{
    struct doc_node *data = doc_ensure_map(set, object, STR("data"));

    for (size_t i = 0; i < entries->len; i++)
        set_base64(set, data, &entries->v[i]);
}
