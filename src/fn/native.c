#include "fn/native.h"

#include "base/words.h"

/* The name at the end of an image of the catalogue, or the bare name; the empty text for any other
 * image and for one with a digest. */
static str catalogue_name(str image)
{
    static const char prefixes[][38] = {"gcr.io/kpt-fn/", "ghcr.io/kptdev/krm-functions-catalog/"};

    if (str_find_char(image, '@') >= 0)
        return STR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        if (str_drop_prefix(&image, str_of(prefixes[i])))
            break;
    return str_find_char(image, '/') >= 0 ? STR_NONE : str_cut(image, ':', NULL);
}

const struct fn_native *fn_native_by_image(const struct fn_native *const *table, str image)
{
    str name = catalogue_name(image);

    for (; table && *table && name.len; table++)
        if (str_eq(str_of((*table)->name), name))
            return *table;
    return NULL;
}

const struct fn_native *fn_native_by_config(const struct fn_native *const *table,
                                            const struct doc_node *function_config)
{
    str kind = doc_string(doc_get_lit(function_config, "kind"), STR_NONE);
    str version = doc_string(doc_get_lit(function_config, "apiVersion"), STR_NONE);

    if (!str_eq(version, STR("fn.kpt.dev/v1alpha1")))
        return NULL;
    for (; table && *table && kind.len; table++)
        if (words_have(str_of((*table)->kinds), ' ', kind))
            return *table;
    return NULL;
}

static bool has_error(const struct doc_node *results)
{
    struct doc_iter it = doc_children(results);

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "severity"), STR("error")), STR("error")))
            return true;
    return false;
}

int fn_native_run(const struct fn_native *native, struct fn_list *io, struct err *e)
{
    int rc = native->run(io, e);
    struct doc_node *result;
    str why;

    if (rc >= 0 || has_error(io->results))
        return rc;
    if (e->kind == ERR_NONE)
        err_set(e, ERR_INVALID, "function failed");
    why = str_of(err_text(e));
    if (str_drop_prefix(&why, str_of(native->name)))
        str_drop_prefix(&why, STR(": "));
    result = doc_new_map(io->set);
    doc_set_string(io->set, result, STR("message"), why);
    doc_set_string(io->set, result, STR("severity"), STR("error"));
    if (!io->results)
        io->results = doc_new_list(io->set);
    doc_append(io->results, result);
    return rc;
}
