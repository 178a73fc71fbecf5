#include "kube/selector.h"

static void divide(struct buf *out, size_t start)
{
    if (out->len > start)
        buf_add_char(out, ',');
}

static void add_labels(const struct doc_node *labels, size_t start, struct buf *out)
{
    struct doc_iter it = doc_children(labels);

    while (doc_next(&it)) {
        divide(out, start);
        buf_addf(out, "%.*s=%.*s", STR_ARG(it.key), STR_ARG(doc_text(it.value, STR_NONE)));
    }
}

static void add_expression(const struct doc_node *expression, struct buf *out)
{
    str key = doc_text(doc_get_lit(expression, "key"), STR_NONE);
    str operator= doc_text(doc_get_lit(expression, "operator"), STR_NONE);
    struct doc_iter it = doc_children(doc_get_lit(expression, "values"));
    bool first = true;

    if (str_eq(operator, STR("Exists")) || str_eq(operator, STR("DoesNotExist"))) {
        buf_addf(out, "%s%.*s", str_eq(operator, STR("Exists")) ? "" : "!", STR_ARG(key));
        return;
    }
    buf_addf(out, "%.*s %s (", STR_ARG(key), str_eq(operator, STR("NotIn")) ? "notin" : "in");
    while (doc_next(&it)) {
        buf_addf(out, "%s%.*s", first ? "" : ",", STR_ARG(doc_text(it.value, STR_NONE)));
        first = false;
    }
    buf_add_char(out, ')');
}

void kube_selector_text(const struct doc_node *selector, struct buf *out)
{
    const struct doc_node *labels = doc_get_lit(selector, "matchLabels");
    const struct doc_node *expressions = doc_get_lit(selector, "matchExpressions");
    struct doc_iter it = doc_children(expressions);
    size_t start = out->len;

    add_labels(labels || expressions ? labels : selector, start, out);
    while (doc_next(&it)) {
        divide(out, start);
        add_expression(it.value, out);
    }
}
