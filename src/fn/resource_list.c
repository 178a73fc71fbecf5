#include "fn/resource_list.h"

#include "base/vec.h"
#include "doc/emit.h"
#include "doc/kyaml/node.h"
#include "doc/parse.h"
#include "fn/annotate.h"
#include "res/id.h"

void fn_list_done(struct fn_list *list)
{
    doc_list_done(&list->items);
    *list = (struct fn_list){0};
}

/* ---- what a resource is */

static bool is_named_like_kustomization(str path)
{
    static const char names[][19] = {"kustomization.yaml", "kustomization.yml", "Kustomization",
                                     "composition.yaml"};
    ssize_t slash = str_rfind_char(path, '/');

    if (slash >= 0)
        path = str_from(path, (size_t)slash + 1);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(path, str_of(names[i])))
            return true;
    return false;
}

static int lacks(struct err *e, const char *field)
{
    return err_set(e, ERR_INVALID, "resource must have `%s`", field);
}

int fn_check_resource(const struct doc_node *n, str path, struct err *e)
{
    struct res_id id = res_id_of(n);

    if (doc_get_lit(n, FN_BARE_LIST))
        return 0;
    if (!doc_is_map(n))
        return err_set(e, ERR_INVALID, "resource must be a map");
    if (!doc_string(doc_get_lit(n, "apiVersion"), STR_NONE).len)
        return lacks(e, "apiVersion");
    if (!id.gvk.kind.len)
        return lacks(e, "kind");
    if (!id.name.len && !is_named_like_kustomization(path) &&
        !str_eq(id.gvk.group, STR("kustomize.config.k8s.io")) &&
        !str_eq(id.gvk.kind, STR("Kustomization")))
        return lacks(e, "metadata.name");
    return 0;
}

/* ---- reading */

/* Go's and older tools' spellings: {name, items: [...]}, suggestedValue, resourceRef.metadata. */
static void modernize_result(struct doc_set *set, struct doc_node *result)
{
    struct doc_node *field = doc_get_lit(result, "field"),
                    *ref = doc_get_lit(result, "resourceRef");
    struct doc_node *suggested = doc_get_lit(field, "suggestedValue");
    struct doc_node *metadata = doc_get_lit(ref, "metadata");

    if (suggested && !doc_get_lit(field, "proposedValue"))
        doc_rename(set, field, suggested, STR("proposedValue"));
    if (!doc_is_map(metadata))
        return;
    doc_remove(ref, STR("metadata"));
    for (size_t i = 0; i < 2; i++) {
        str key = i ? STR("namespace") : STR("name");
        str text = doc_string(doc_get(metadata, key), STR_NONE);

        if (text.len)
            doc_set_string(set, ref, key, text);
    }
}

static int read_results(struct fn_list *list, struct doc_node *results, const char *origin,
                        struct err *e)
{
    struct doc_iter it;

    if (doc_is_map(results))
        results = doc_get_lit(results, "items");
    if (doc_is_null(results))
        return 0;
    if (!doc_is_list(results))
        return err_set(e, ERR_INVALID, "%s: results must be a list", origin);
    for (it = doc_children(results); doc_next(&it);) {
        if (!doc_is_map(it.value))
            return err_set(e, ERR_INVALID, "%s: a result must be a map", origin);
        modernize_result(list->set, it.value);
    }
    list->results = results;
    return 0;
}

/* go-yaml's printer, whose bytes ours prints, adds line ends to folded texts with more than one at
 * their end or with indented lines: a text that only passes through must stay what it is. */
static bool is_fold_safe(str text)
{
    return !str_ends(text, STR("\n\n")) && !str_contains(text, STR("\n ")) &&
           !str_contains(text, STR("\n\t")) && text.len && !strchr(" \t\n", text.p[0]);
}

void fn_unfold(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (n->style == DOC_FOLDED && doc_is_string(n) && !is_fold_safe(doc_text(n, STR_NONE)))
        n->style = DOC_LITERAL;
    while (doc_next(&it))
        fn_unfold(it.value);
}

static int read_items(struct fn_list *list, const struct doc_node *items, const char *origin,
                      struct err *e)
{
    struct doc_iter it = doc_children(items);

    if (!doc_is_null(items) && !doc_is_list(items))
        return err_set(e, ERR_INVALID, "%s: items must be a list", origin);
    for (size_t i = 0; doc_next(&it); i++) {
        if (fn_check_resource(it.value, fn_path_of(it.value), e) < 0)
            return err_wrap(e, "%s: ResourceList must contain only KRM resources: items[%zu]",
                            origin, i);
        fn_unfold(it.value);
        vec_push(&list->items, it.value);
    }
    return 0;
}

static bool is_resource_list(const struct doc_node *root)
{
    str version = doc_string(doc_get_lit(root, "apiVersion"), STR_NONE);

    return str_eq(doc_string(doc_get_lit(root, "kind"), STR_NONE), STR("ResourceList")) &&
           (str_eq(version, STR(FN_LIST_V1)) ||
            str_eq(version, STR("config.kubernetes.io/v1beta1")) ||
            str_eq(version, STR("config.kubernetes.io/v1alpha1")));
}

/* The same of a document that is read already, with its comments. */
static int fn_list_of(struct doc_set *set, const struct doc_node *root, const char *origin,
                      struct fn_list *ret, struct err *e)
{
    if (!is_resource_list(root))
        return err_set(e, ERR_INVALID, "%s: not a ResourceList of config.kubernetes.io", origin);
    ret->set = set;
    ret->api_version = doc_string(doc_get_lit(root, "apiVersion"), STR_NONE);
    if (!doc_is_null(doc_get_lit(root, "functionConfig")))
        ret->function_config = doc_get_lit(root, "functionConfig");
    if (read_results(ret, doc_get_lit(root, "results"), origin, e) < 0)
        return -1;
    return read_items(ret, doc_get_lit(root, "items"), origin, e);
}

static int parse_roots(struct doc_set *set, str text, const char *origin, struct doc_list *roots,
                       struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};

    return doc_parse_all(set, text, &options, origin, roots, e);
}

int fn_list_read_any(struct doc_set *set, str text, const char *origin, struct fn_list *ret,
                     struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (parse_roots(set, text, origin, &roots, e) < 0)
        return -1;
    if (roots.len == 1 && is_resource_list(roots.v[0]))
        return fn_list_of(set, roots.v[0], origin, ret, e);
    ret->set = set;
    for (size_t i = 0; i < roots.len; i++) {
        if (fn_check_resource(roots.v[i], fn_path_of(roots.v[i]), e) < 0)
            return err_wrap(e, "%s", origin);
        vec_push(&ret->items, roots.v[i]);
    }
    return 0;
}

int fn_list_read(struct doc_set *set, str text, const char *origin, struct fn_list *ret,
                 struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (parse_roots(set, text, origin, &roots, e) < 0)
        return -1;
    if (roots.len != 1)
        return err_set(e, ERR_INVALID, "%s: expected one ResourceList, found %zu documents", origin,
                       roots.len);
    ret->is_wide = doc_has_wide_lists(text);
    return fn_list_of(set, roots.v[0], origin, ret, e);
}

/* ---- writing */

void fn_list_emit(const struct fn_list *list, struct buf *out)
{
    struct doc_set *set = list->set;
    struct doc_node *root = doc_new_map(set), *items = doc_new_list(set);
    str version = list->api_version.len ? list->api_version : STR(FN_LIST_V1);

    doc_set_string(set, root, STR("apiVersion"), version);
    doc_set_string(set, root, STR("kind"), STR("ResourceList"));
    for (size_t i = 0; i < list->items.len; i++)
        doc_push(set, items, list->items.v[i]);
    doc_set_field(set, root, STR("items"), items);
    if (list->function_config)
        doc_set_field(set, root, STR("functionConfig"), list->function_config);
    if (list->results && doc_len(list->results))
        doc_set_field(set, root, STR("results"), list->results);
    doc_emit(root, list->is_wide ? DOC_EMIT_KYAML_WIDE : DOC_EMIT_KYAML, out);
}

/* ---- results */

static void set_text(struct doc_set *set, struct doc_node *map, str key, str text)
{
    if (text.len)
        doc_set_string(set, map, key, text);
}

struct doc_node *fn_list_result(struct fn_list *list, const char *severity,
                                const struct doc_node *object, const char *path, str message)
{
    struct doc_set *set = list->set;
    struct doc_node *result = doc_new_map(set);

    doc_set_string(set, result, STR("message"), message);
    doc_set_string(set, result, STR("severity"), str_of(severity));
    if (object) {
        struct res_id id = res_id_of(object);
        struct doc_node *ref = doc_ensure_map(set, result, STR("resourceRef"));

        set_text(set, ref, STR("apiVersion"),
                 doc_string(doc_get_lit(object, "apiVersion"), STR_NONE));
        set_text(set, ref, STR("kind"), id.gvk.kind);
        set_text(set, ref, STR("name"), id.name);
        set_text(set, ref, STR("namespace"), id.ns);
    }
    if (path)
        doc_set_string(set, doc_ensure_map(set, result, STR("field")), STR("path"), str_of(path));
    if (object && fn_path_of(object).len) {
        struct doc_node *file = doc_ensure_map(set, result, STR("file"));

        doc_set_string(set, file, STR("path"), fn_path_of(object));
        if (fn_index_of(object))
            doc_set_int(set, file, STR("index"), fn_index_of(object));
    }
    if (!list->results)
        list->results = doc_new_list(set);
    return doc_append(list->results, result);
}
