/* Labels and annotations. */
#include <ctype.h>

#include "doc/parse.h"
#include "kustomize/edit/edit_priv.h"
#include "kustomize/edit/parts.h"
#include "res/selector.h"

struct pair {
    str key, value;
};
struct pairs {
    struct pair *v;
    size_t len, cap;
};
static void pairs_done(struct pairs *pairs) { vec_done(pairs); }
AUTO_VALUE(struct pairs, pairs_done)

/* "key:value"; the value may stand in quotes. */
static int parse_pair(const char *what, str text, struct pair *ret, struct err *e)
{
    ret->key = str_cut(text, ':', &ret->value);
    if (!ret->key.len)
        return err_set(e, ERR_USAGE, "invalid %s: '%.*s' (write KEY:VALUE)", what, STR_ARG(text));
    if (ret->value.len >= 2 && (ret->value.p[0] == '"' || ret->value.p[0] == '\'') &&
        ret->value.p[ret->value.len - 1] == ret->value.p[0])
        ret->value = str_sub(ret->value, 1, ret->value.len - 2);
    return 0;
}

static int parse_pairs(const struct kustomize_edit_args *args, const char *what, struct pairs *ret,
                       struct err *e)
{
    if (!args->names.len)
        return err_set(e, ERR_USAGE, "must specify %s", what);
    for (size_t i = 0; i < args->names.len; i++)
        if (parse_pair(what, args->names.v[i], vec_add(ret), e) < 0)
            return -1;
    return 0;
}

static int already(const char *what, str key, struct err *e)
{
    return err_set(e, ERR_EXISTS, "%s %.*s already in kustomization file; --force overrides it",
                   what, STR_ARG(key));
}

/* A key that would be a number or bool by itself, as `yes`, is quoted. */
static void put_pair(struct doc_set *set, struct doc_node *map, const struct pair *pair)
{
    bool is_new = !doc_get(map, pair->key);
    struct doc_node *value = doc_set_string(set, map, pair->key, pair->value);

    if (is_new && !doc_is_string(doc_new_plain(set, pair->key, DOC_KUSTOMIZATION)))
        value->key_style = DOC_DOUBLE;
}

/* All or nothing: what is there already is found before anything is set. */
static int put_pairs(struct kustomize_edit *edit, struct doc_node *map, const struct pairs *pairs,
                     bool is_forced, const char *what, struct err *e)
{
    for (size_t i = 0; i < pairs->len; i++)
        if (!is_forced && doc_get(map, pairs->v[i].key))
            return already(what, pairs->v[i].key, e);
    for (size_t i = 0; i < pairs->len; i++)
        put_pair(edit->set, map, &pairs->v[i]);
    return 0;
}

static int put_common(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                      str field, const char *what, bool is_forced, struct err *e)
{
    AUTO(pairs_done) struct pairs pairs = {0};
    struct doc_node *map;

    if (parse_pairs(args, what, &pairs, e) < 0)
        return -1;
    map = kustomize_edit_map(edit, edit->root, field, e);
    return map ? put_pairs(edit, map, &pairs, is_forced, what, e) : -1;
}

int kustomize_edit_set_labels(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                              struct err *e)
{
    return put_common(edit, args, STR("commonLabels"), "label", true, e);
}

/* Annotations are held against the rules in small letters. */
static str key_problem(struct doc_set *set, str key)
{
    char *small = arena_alloc(&set->arena, key.len + 1);

    for (size_t i = 0; i < key.len; i++)
        small[i] = (char)tolower((unsigned char)key.p[i]);
    return res_label_key_problem((str){small, key.len});
}

/* Only `set annotation` looks at the keys. */
static int check_annotations(const struct kustomize_edit *edit,
                             const struct kustomize_edit_args *args, struct err *e)
{
    for (size_t i = 0; i < args->names.len; i++) {
        str rest, key = str_cut(args->names.v[i], ':', &rest);
        str problem = key_problem(edit->set, key);

        if (key.len && problem.len)
            return err_set(e, ERR_USAGE, "invalid annotation key '%.*s': %.*s%s", STR_ARG(key),
                           STR_ARG(problem), rest.p ? "" : " (write KEY:VALUE)");
    }
    return 0;
}

int kustomize_edit_set_annotations(struct kustomize_edit *edit,
                                   const struct kustomize_edit_args *args, struct err *e)
{
    if (check_annotations(edit, args, e) < 0)
        return -1;
    return put_common(edit, args, STR("commonAnnotations"), "annotation", true, e);
}

int kustomize_edit_add_annotations(struct kustomize_edit *edit,
                                   const struct kustomize_edit_args *args, struct err *e)
{
    return put_common(edit, args, STR("commonAnnotations"), "annotation", args->is_forced, e);
}

/* The entry of `labels` that selects nothing and has the same say about templates. */
static struct doc_node *find_entry(struct doc_node *list, bool include_templates)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        const struct doc_node *selectors = kustomize_edit_field(it.value, STR("includeSelectors"));
        const struct doc_node *templates = kustomize_edit_field(it.value, STR("includeTemplates"));

        if (!doc_bool(selectors, false) && doc_bool(templates, false) == include_templates)
            return it.value;
    }
    return NULL;
}

static int put_without_selector(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                                struct err *e)
{
    AUTO(pairs_done) struct pairs pairs = {0};
    struct doc_node *list, *entry, *map;

    if (parse_pairs(args, "label", &pairs, e) < 0)
        return -1;
    list = kustomize_edit_list(edit, edit->root, STR("labels"), e);
    if (!list)
        return -1;
    entry = find_entry(list, args->include_templates);
    if (!entry) {
        entry = doc_append(list, doc_new_map(edit->set));
        if (args->include_templates)
            doc_set_bool(edit->set, entry, STR("includeTemplates"), true);
    }
    map = kustomize_edit_map(edit, entry, STR("pairs"), e);
    return map ? put_pairs(edit, map, &pairs, args->is_forced, "label", e) : -1;
}

int kustomize_edit_add_labels(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                              struct err *e)
{
    if (args->include_templates && !args->without_selector)
        return err_set(e, ERR_USAGE, "--include-templates needs --without-selector");
    return args->without_selector
               ? put_without_selector(edit, args, e)
               : put_common(edit, args, STR("commonLabels"), "label", args->is_forced, e);
}

static int remove_keys(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                       str field, const char *what, struct err *e)
{
    AUTO(str_vec_done) struct str_vec keys = {0};
    struct doc_node *map = kustomize_edit_field(edit->root, field);

    if (kustomize_edit_words(args, what, &keys, e) < 0)
        return -1;
    if (!doc_is_map(map) && !args->ignores_missing)
        return err_set(e, ERR_NOT_FOUND, "%.*s is not defined in kustomization file",
                       STR_ARG(field));
    for (size_t i = 0; i < keys.len; i++)
        if (!doc_is_map(map) || (!doc_remove(map, keys.v[i]) && !args->ignores_missing)) {
            if (args->ignores_missing)
                continue;
            return err_set(e, ERR_NOT_FOUND, "%s %.*s is not defined in kustomization file", what,
                           STR_ARG(keys.v[i]));
        }
    kustomize_edit_drop_empty(edit->root, field);
    return 0;
}

int kustomize_edit_remove_labels(struct kustomize_edit *edit,
                                 const struct kustomize_edit_args *args, struct err *e)
{
    return remove_keys(edit, args, STR("commonLabels"), "label", e);
}

int kustomize_edit_remove_annotations(struct kustomize_edit *edit,
                                      const struct kustomize_edit_args *args, struct err *e)
{
    return remove_keys(edit, args, STR("commonAnnotations"), "annotation", e);
}
