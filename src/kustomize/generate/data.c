#include "kustomize/generate/data.h"

#include "base/escape.h"

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

static void set_base64(struct doc_set *set, struct doc_node *map,
                       const struct kustomize_entry *entry)
{
    AUTO(buf_done) struct buf text = {0};

    kustomize_base64(entry->value, &text);
    doc_set_string(set, map, entry->key, buf_view(&text));
}

void kustomize_fill_config_map(struct doc_set *set, struct doc_node *object,
                               const struct kustomize_entries *entries)
{
    for (size_t i = 0; i < entries->len; i++) {
        const struct kustomize_entry *entry = &entries->v[i];

        if (str_is_utf8(entry->value, NULL))
            doc_set_string(set, doc_ensure_map(set, object, STR("data")), entry->key, entry->value);
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
