#include "khook/spec/values.h"

#include "doc/parse.h"

struct doc_node *khook_values_parse(struct doc_set *set, str text, const char *origin,
                                    struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_parse_options options = {.dialect = DOC_SPEC};

    if (doc_parse_all(set, text, &options, origin, &roots, e) < 0)
        return NULL;
    if (roots.len > 1) {
        err_set(e, ERR_INVALID, "%s: values are one YAML document, not several", origin);
        return NULL;
    }
    if (!roots.len || doc_is_null(roots.v[0]))
        return doc_new_map(set);
    if (!doc_is_map(roots.v[0])) {
        err_set(e, ERR_INVALID, "%s: values must be a mapping", origin);
        return NULL;
    }
    return roots.v[0];
}

static void merge(struct doc_set *set, struct doc_node *into, const struct doc_node *from,
                  int depth)
{
    struct doc_iter it = doc_children(from);

    while (doc_next(&it)) {
        struct doc_node *old = doc_get(into, it.key);

        /* The reader's own limit of nesting bounds both sides; this one bounds the stack. */
        if (doc_is_map(old) && doc_is_map(it.value) && depth < 1000)
            merge(set, old, it.value, depth + 1);
        else
            doc_set_field(set, into, it.key, doc_copy(set, it.value));
    }
}

void khook_values_merge(struct doc_set *set, struct doc_node *into, const struct doc_node *from)
{
    merge(set, into, from, 0);
}
