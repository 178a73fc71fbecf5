#include "fn/annotate.h"

static const str internal_names[] = {STR_INIT(FN_PATH), STR_INIT(FN_INDEX), STR_INIT(FN_ID)};
static const str legacy_names[] = {STR_INIT(FN_LEGACY_PATH), STR_INIT(FN_LEGACY_INDEX),
                                   STR_INIT(FN_LEGACY_ID)};
static const char words[][6] = {"path", "index", "id"};

static struct doc_node *annotations_of(const struct doc_node *object)
{
    return doc_get_lit(doc_get_lit(object, "metadata"), "annotations");
}

str fn_annotation(const struct doc_node *object, str name)
{
    return doc_text(doc_get(annotations_of(object), name), STR_NONE);
}

void fn_annotate(struct doc_set *set, struct doc_node *object, str name, str value)
{
    struct doc_node *metadata = doc_ensure_map(set, object, STR("metadata"));
    struct doc_node *annotations =
        metadata ? doc_ensure_map(set, metadata, STR("annotations")) : NULL;
    struct doc_node *old = doc_get(annotations, name), *text;

    if (!annotations || (old && str_eq(doc_string(old, STR_NONE), value)))
        return;
    text = doc_new_string(set, value);
    text->style = old && old->style == DOC_DOUBLE ? DOC_DOUBLE : DOC_SINGLE;
    doc_set_field(set, annotations, name, text);
}

void fn_unannotate(struct doc_node *object, str name)
{
    struct doc_node *metadata = doc_get_lit(object, "metadata");
    struct doc_node *annotations = doc_get_lit(metadata, "annotations");

    if (!annotations || !doc_remove(annotations, name) || doc_len(annotations))
        return;
    doc_remove(metadata, STR("annotations"));
    if (!doc_len(metadata))
        doc_remove(object, STR("metadata"));
}

str fn_path_of(const struct doc_node *object)
{
    str path = fn_annotation(object, STR(FN_PATH));

    return path.len ? path : fn_annotation(object, STR(FN_LEGACY_PATH));
}

str fn_folder_of(str path)
{
    ssize_t slash = str_rfind_char(path, '/');

    return slash < 0 ? STR_NONE : str_sub(path, 0, (size_t)slash);
}

int64_t fn_index_of(const struct doc_node *object)
{
    str text = fn_annotation(object, STR(FN_INDEX));
    int64_t index = 0;

    if (!text.len)
        text = fn_annotation(object, STR(FN_LEGACY_INDEX));
    return str_to_int64(text, &index) ? index : 0;
}

void fn_set_path(struct doc_set *set, struct doc_node *object, str path, int64_t index)
{
    str text = arena_printf(&set->arena, "%lld", (long long)index);

    fn_annotate(set, object, STR(FN_LEGACY_INDEX), text);
    fn_annotate(set, object, STR(FN_LEGACY_PATH), path);
    fn_annotate(set, object, STR(FN_INDEX), text);
    fn_annotate(set, object, STR(FN_PATH), path);
}

void fn_unannotate_all(struct doc_node *object)
{
    static const str others[] = {STR_INIT(FN_SEQINDENT), STR_INIT(FN_MIGRATION_ID),
                                 STR_INIT(FN_PACKAGE_PATH)};

    for (size_t i = 0; i < ARRAY_LEN(internal_names); i++) {
        fn_unannotate(object, internal_names[i]);
        fn_unannotate(object, legacy_names[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        fn_unannotate(object, others[i]);
}

struct fn_spellings fn_spellings_of(const struct doc_node *object)
{
    struct doc_node *annotations = annotations_of(object);
    struct fn_spellings s = {0};

    for (size_t i = 0; annotations && i < ARRAY_LEN(words); i++) {
        s.internal[i] = doc_text(doc_get(annotations, internal_names[i]), STR_NONE);
        s.legacy[i] = doc_text(doc_get(annotations, legacy_names[i]), STR_NONE);
    }
    return s;
}

static int mismatch(struct err *e, size_t at)
{
    return err_set(e, ERR_INVALID,
                   "resource input to function has mismatched legacy and internal %s annotations",
                   words[at]);
}

int fn_spellings_check(const struct fn_spellings *s, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (s->internal[i].len && s->legacy[i].len && !str_eq(s->internal[i], s->legacy[i]))
            return mismatch(e, i);
    return 0;
}

void fn_spellings_complete(struct doc_set *set, struct doc_node *object)
{
    struct fn_spellings s = fn_spellings_of(object);

    for (size_t i = 0; i < 2; i++) {
        if (s.internal[i].len && !s.legacy[i].len)
            fn_annotate(set, object, legacy_names[i], s.internal[i]);
        if (s.legacy[i].len && !s.internal[i].len)
            fn_annotate(set, object, internal_names[i], s.legacy[i]);
    }
}

int fn_spellings_reconcile(struct doc_set *set, struct doc_node *object,
                           const struct fn_spellings *before, struct err *e)
{
    struct fn_spellings now = fn_spellings_of(object);
    bool is_new = !before;

    for (size_t i = 0; i < 2; i++) {
        str internal = now.internal[i], legacy = now.legacy[i];
        bool is_internal_new = !before || !str_eq(internal, before->internal[i]);
        bool is_legacy_new = !before || !str_eq(legacy, before->legacy[i]);

        is_new = is_new || is_internal_new || is_legacy_new;
        if (str_eq(internal, legacy))
            continue;
        if (internal.len && legacy.len && is_internal_new == is_legacy_new)
            return mismatch(e, i);
        if (internal.len && (is_internal_new || !legacy.len))
            fn_annotate(set, object, legacy_names[i], internal);
        else
            fn_annotate(set, object, internal_names[i], legacy);
    }
    return is_new;
}

void fn_spellings_restore(struct doc_node *object, const struct fn_spellings *first)
{
    for (size_t i = 0; i < 2; i++) {
        if (first->internal[i].len && !first->legacy[i].len)
            fn_unannotate(object, legacy_names[i]);
        if (first->legacy[i].len && !first->internal[i].len)
            fn_unannotate(object, internal_names[i]);
    }
}
