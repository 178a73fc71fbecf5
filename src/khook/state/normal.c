#include "khook/state/normal.h"

#include "doc/emit.h"

enum { MAX_FIELDS = 32 };

static int compare_fields(const void *a, const void *b)
{
    return strcmp((*(const struct khook_field *const *)a)->name,
                  (*(const struct khook_field *const *)b)->name);
}

static size_t sort_fields(const struct khook_table *table, const struct khook_field **sorted)
{
    size_t count = 0;

    for (; *table->fields[count].name; count++) {
        assert(count < MAX_FIELDS);
        sorted[count] = &table->fields[count];
    }
    qsort(sorted, count, sizeof(*sorted), compare_fields);
    return count;
}

/* The constant default, or the empty text. With allNamespaces there is no default namespace. */
static str fallback_of(const struct khook_field *field, const struct doc_node *block)
{
    if (!*field->fallback || field->flags & KHOOK_DERIVED)
        return STR_NONE;
    if (str_eq(str_of(field->name), STR("namespace")) &&
        doc_bool(doc_get_lit(block, "allNamespaces"), false))
        return STR_NONE;
    return str_of(field->fallback);
}

static void add_list(const struct khook_table *table, const struct doc_node *list, struct buf *out)
{
    struct doc_iter it = doc_children(list);
    const char *comma = "";

    buf_add_char(out, '[');
    for (; doc_next(&it); comma = ",") {
        buf_add_cstr(out, comma);
        khook_normal_json(table, it.value, out);
    }
    buf_add_char(out, ']');
}

static void add_fallback(const struct khook_field *field, str text, struct buf *out)
{
    if (field->kind == KHOOK_BOOL || field->kind == KHOOK_INT)
        buf_add_str(out, text);
    else
        doc_json_quote(text, DOC_JSON_CANON, out);
}

/* Appends the field's value, or nothing. */
static void add_value(const struct khook_field *field, const struct doc_node *block,
                      struct buf *out)
{
    const struct doc_node *value = doc_get(block, str_of(field->name));
    str fallback = fallback_of(field, block);
    bool is_empty = doc_is_null(value) || (doc_is_string(value) && !doc_text(value, STR_NONE).len);

    if (is_empty) {
        if (fallback.len)
            add_fallback(field, fallback, out);
    } else if (field->kind == KHOOK_BLOCK && doc_is_map(value)) {
        khook_normal_json(khook_field_table(field), value, out);
    } else if (field->kind == KHOOK_BLOCKS && doc_is_list(value)) {
        add_list(khook_field_table(field), value, out);
    } else {
        doc_emit_json(value, DOC_JSON_CANON, out);
    }
}

static bool is_dropped(str json)
{
    static const char dropped[][6] = {"", "false", "\"\"", "[]", "{}"};

    for (size_t i = 0; i < ARRAY_LEN(dropped); i++)
        if (str_eq(json, str_of(dropped[i])))
            return true;
    return false;
}

void khook_normal_json(const struct khook_table *table, const struct doc_node *block,
                       struct buf *out)
{
    const struct khook_field *sorted[MAX_FIELDS] = {0};
    size_t count = sort_fields(table, sorted);
    bool any = false;

    buf_add_char(out, '{');
    for (size_t i = 0; i < count; i++) {
        size_t before = out->len, value;

        buf_addf(out, "%s\"%s\":", any ? "," : "", sorted[i]->name);
        value = out->len;
        add_value(sorted[i], block, out);
        if (is_dropped(str_from(buf_view(out), value)))
            buf_trunc(out, before);
        else
            any = true;
    }
    buf_add_char(out, '}');
}
