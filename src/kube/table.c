#include "kube/table.h"

#include "base/vec.h"
#include "kube/client_priv.h"

int kube_get_table(struct kube *k, const struct kube_ref *ref, str label_selector,
                   struct cancel *cancel, struct kube_object *ret, struct err *e)
{
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(buf_done) struct buf path = {0};
    struct kube_query q = {.out = &path};
    struct kube_call call = {.method = "GET",
                             .accept = STR("application/json;as=Table;v=v1;g=meta.k8s.io, "
                                           "application/json")};

    kube_path(ref, ref->name.len == 0, &path);
    kube_query_add(&q, "labelSelector", label_selector);
    call.path = buf_view(&path);
    if (kube_send_ok(k, &call, cancel, &r, e) < 0)
        return -1;
    return kube_parse_answer(&r, ret, e);
}

/* ---- printing */

enum { MIN_WIDTH = 6, PADDING = 3 }; /* kubectl's */

struct cells {
    VEC(str) v; /* row by row */
    size_t columns;
};

static bool is_shown(const struct doc_node *column)
{
    return doc_int(doc_get_lit(column, "priority"), 0) == 0;
}

static void add_headers(struct cells *cells, const struct doc_node *table, struct arena *arena)
{
    struct doc_iter it = doc_children(doc_get_lit(table, "columnDefinitions"));

    while (doc_next(&it)) {
        str name = doc_string(doc_get_lit(it.value, "name"), STR(""));
        char *upper;

        if (!is_shown(it.value))
            continue;
        name = arena_dup(arena, name);
        upper = (char *)(uintptr_t)name.p;
        for (size_t i = 0; i < name.len; i++)
            if (upper[i] >= 'a' && upper[i] <= 'z')
                upper[i] = (char)(upper[i] - 'a' + 'A');
        vec_push(&cells->v, name);
    }
}

static void add_row(struct cells *cells, const struct doc_node *table, const struct doc_node *row)
{
    struct doc_iter columns = doc_children(doc_get_lit(table, "columnDefinitions"));
    struct doc_iter values = doc_children(doc_get_lit(row, "cells"));

    while (doc_next(&columns)) {
        bool has_value = doc_next(&values);
        str text = has_value ? doc_text(values.value, STR("<none>")) : STR("");

        if (is_shown(columns.value))
            vec_push(&cells->v, text);
    }
}

static size_t letters(str text)
{
    size_t count = 0, width;

    for (size_t at = 0; at < text.len; at += width, count++)
        str_utf8_at(text, at, &width);
    return count;
}

static size_t column_width(const struct cells *cells, size_t column)
{
    size_t width = MIN_WIDTH;

    for (size_t i = column; i < cells->v.len; i += cells->columns)
        width = MAX(width, letters(cells->v.v[i]) + PADDING);
    return width;
}

static void print_cells(const struct cells *cells, struct buf *out)
{
    for (size_t i = 0; i < cells->v.len; i++) {
        size_t column = i % cells->columns;

        buf_add_str(out, cells->v.v[i]);
        if (column + 1 < cells->columns)
            buf_add_repeat(out, ' ', column_width(cells, column) - letters(cells->v.v[i]));
        else
            buf_add_char(out, '\n');
    }
}

void kube_table_print(const struct doc_node *table, bool with_headers, struct buf *out)
{
    struct doc_iter columns = doc_children(doc_get_lit(table, "columnDefinitions"));
    struct doc_iter rows = doc_children(doc_get_lit(table, "rows"));
    AUTO(arena_done) struct arena arena = {0};
    struct cells cells = {0};

    while (doc_next(&columns))
        cells.columns += is_shown(columns.value);
    if (!cells.columns || !rows.left)
        return;
    if (with_headers)
        add_headers(&cells, table, &arena);
    while (doc_next(&rows))
        add_row(&cells, table, rows.value);
    print_cells(&cells, out);
    vec_done(&cells.v);
}
