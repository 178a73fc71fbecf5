#include "kustomize/edit/parts.h"

int kustomize_edit_words(const struct kustomize_edit_args *args, const char *what,
                         struct str_vec *ret, struct err *e)
{
    str rest, word;

    if (args->names.len != 1)
        return err_set(e, ERR_USAGE, "give one argument: each %s, with commas between them", what);
    rest = args->names.v[0];
    do {
        word = str_cut(rest, ',', &rest);
        if (!word.len)
            return err_set(e, ERR_USAGE, "an empty %s", what);
        vec_push(ret, word);
    } while (rest.p);
    return 0;
}

static const char metadata_options[][23] = {"originAnnotations", "transformerAnnotations",
                                            "managedByLabel"};

int kustomize_edit_metadata(const struct kustomize_edit_args *args, struct str_vec *ret,
                            struct err *e)
{
    if (kustomize_edit_words(args, "build metadata option", ret, e) < 0)
        return -1;
    for (size_t i = 0; i < ret->len; i++) {
        bool is_known = false;

        for (size_t j = 0; j < ARRAY_LEN(metadata_options); j++)
            is_known |= str_eq(ret->v[i], str_of(metadata_options[j]));
        if (!is_known)
            return err_set(e, ERR_USAGE,
                           "invalid buildMetadata option: %.*s; there are originAnnotations, "
                           "transformerAnnotations and managedByLabel",
                           STR_ARG(ret->v[i]));
    }
    return 0;
}
