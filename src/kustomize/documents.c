/* Reading resources: documents, lists of objects, what an object must have (kustomize spec 5). */
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "kustomize/generate/hash.h"
#include "kustomize/shared.h"
#include "res/schema.h"

#define INTERNAL "internal.config.kubernetes.io/"

/* The next line feed that "---" follows, or NULL. */
static const char *find_divider(const char *p, const char *end)
{
#ifdef __SSE2__
    const __m128i feed = _mm_set1_epi8('\n'), dash = _mm_set1_epi8('-');

    for (; end - p > 16; p += 16) {
        __m128i a = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i b = _mm_loadu_si128((const __m128i *)(const void *)(p + 1));
        __m128i both = _mm_and_si128(_mm_cmpeq_epi8(a, feed), _mm_cmpeq_epi8(b, dash));
        unsigned mask = (unsigned)_mm_movemask_epi8(both);

        for (; UNLIKELY(mask); mask &= mask - 1) {
            const char *at = p + __builtin_ctz(mask);

            if (end - at >= 4 && at[2] == '-' && at[3] == '-')
                return at;
        }
    }
#endif
    return memmem(p, (size_t)(end - p), "\n---", 4);
}

/* A line "---" may carry a comment; other text on it is refused by upstream's splitting of
 * documents, which YAML itself allows. The first line is no divider. */
static int check_dividers(str text, const char *origin, struct err *e)
{
    const char *p = text.p, *end = text.p + text.len;

    if (text.len && text.p[0] == '%')
        return err_set(e, ERR_INVALID,
                       "%s:1:1: MalformedYAMLError: did not find expected <document start>: a "
                       "directive cannot stand before the '---' that divides documents",
                       origin);
    for (; p < end && (p = find_divider(p, end)); p += 4) {
        const char *line_end = memchr(p + 1, '\n', (size_t)(end - p - 1));
        str rest = str_trim(str_range(p + 4, line_end ? line_end : end));

        if (rest.len && rest.p[0] != '#' && line_end)
            return err_set(e, ERR_INVALID, "%s: invalid document separator: %.*s", origin,
                           STR_ARG(str_trim(str_range(p + 1, line_end))));
    }
    return 0;
}

static bool is_list_of_objects(const struct doc_node *object)
{
    return str_ends(doc_text(doc_get_lit(object, "kind"), STR_NONE), STR("List")) &&
           doc_get_lit(object, "items");
}

/* Upstream writes the items of a List as JSON and reads them again, so that their texts are in
 * quotes and their collections in braces; but not those of a List that is alone in its file. */
static void lay_out_as_json(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (doc_is_string(n))
        n->style = DOC_DOUBLE;
    else if (doc_is_map(n) || doc_is_list(n))
        n->style = DOC_FLOW;
    while (doc_next(&it))
        lay_out_as_json(it.value);
}

/* The items of a List become objects of their own, behind the others. */
static int expand(struct doc_list *objects, struct doc_node *list, bool is_alone, struct err *e)
{
    struct doc_node *items = doc_get_lit(list, "items");
    struct doc_iter it = doc_children(items);

    if (!doc_is_null(items) && !doc_is_list(items))
        return err_set(e, ERR_INVALID, "items in List is type %s, expected array",
                       doc_is_map(items) ? "map" : "scalar");
    while (doc_next(&it)) {
        doc_remove_item(items, it.value);
        if (!is_alone)
            lay_out_as_json(it.value);
        vec_push(objects, it.value);
    }
    return 0;
}

static int check_object(const struct doc_node *object, const struct res_id *id, struct err *e)
{
    if (!doc_is_map(object) || (!doc_get_lit(object, "apiVersion") &&
                                !doc_get_lit(object, "kind") && !doc_get_lit(object, "metadata")))
        return err_set(e, ERR_INVALID, "missing Resource metadata");
    if (id->gvk.kind.len == 0)
        return err_set(e, ERR_INVALID, "missing kind in object");
    if (id->name.len == 0 && !str_ends(id->gvk.kind, STR("List")))
        return err_set(e, ERR_INVALID, "missing metadata.name in object");
    return 0;
}

static str mark(const struct doc_node *annotations, str key)
{
    return doc_text(doc_get(annotations, key), STR_NONE);
}

/* Lists of one length, divided by commas. */
static void take_history(struct kustomize_resource *r, const struct doc_node *annotations)
{
    str names = mark(annotations, STR(INTERNAL "previousNames")),
        kinds = mark(annotations, STR(INTERNAL "previousKinds"));
    str spaces = mark(annotations, STR(INTERNAL "previousNamespaces"));
    str prefixes = mark(annotations, STR(INTERNAL "prefixes")),
        suffixes = mark(annotations, STR(INTERNAL "suffixes"));
    struct res_id now = r->id;

    while (names.len && kinds.len && spaces.len) {
        r->id.name = str_cut(names, ',', &names);
        r->id.gvk.kind = str_cut(kinds, ',', &kinds);
        r->id.ns = str_cut(spaces, ',', &spaces);
        kustomize_resource_remember(r);
    }
    r->id = now;
    while (prefixes.len)
        kustomize_resource_add_prefix(r, str_cut(prefixes, ',', &prefixes));
    while (suffixes.len)
        kustomize_resource_add_suffix(r, str_cut(suffixes, ',', &suffixes));
}

static bool is_mark(str key)
{
    static const char names[][19] = {
        "previousNames",   "previousNamespaces", "previousKinds",
        "prefixes",        "suffixes",           "refBy",
        "needsHashSuffix", "generatorBehavior",  "allowNameChange",
        "allowKindChange",
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(key, str_of(names[i])))
            return true;
    return false;
}

/* Marks that upstream keeps in annotations: read, and out of the tree. */
static void take_marks(struct kustomize_resource *r)
{
    struct doc_node *annotations = kustomize_resource_annotations(r);
    struct doc_iter it = doc_children(annotations);

    if (doc_len(annotations))
        take_history(r, annotations);

    while (doc_next(&it)) {
        str name = it.key;

        if (!str_drop_prefix(&name, STR(INTERNAL)) || !is_mark(name))
            continue;
        if (str_eq(it.key, STR(KUSTOMIZE_NEEDS_HASH))) {
            r->needs_hash = str_eq(doc_text(it.value, STR_NONE), STR("enabled"));
            if (r->needs_hash && !kustomize_hash_is_of_data(r->root))
                continue; /* the hash goes over it, too: it goes with it (generate/hash_names.c) */
        }
        doc_remove(annotations, it.key);
    }
}

static int fail_at_object(struct kustomize_build *b, const struct doc_node *object, struct err *e)
{
    AUTO(err_done) struct err cause = {0};

    err_move(&cause, e);
    err_set(e, cause.kind, "%s", err_text(&cause));
    return kustomize_fail_at(b, object, e);
}

/* See kustomize_use_schema, kustomize_crds_note. */
static void note_kind(struct kustomize_shared *s, const struct res_gvk *gvk)
{
    if (!s->has_used_schema && res_schema_is_namespaced(res_kustomize_schema(), gvk) < 0)
        s->has_used_schema = true;
    if (!s->has_crds && str_eq(gvk->kind, STR("CustomResourceDefinition")))
        s->has_crds = true;
}

static int add_object(struct kustomize_build *b, struct doc_node *object,
                      struct kustomize_resmap *ret, struct err *e)
{
    struct kustomize_resource *r = kustomize_resource_new(b->set, object);

    if (check_object(object, &r->id, e) < 0)
        return fail_at_object(b, object, e);
    take_marks(r);
    note_kind(b->shared, &r->id.gvk);
    return kustomize_resmap_append(ret, r, e);
}

/* The same of trees, which must have no parent; what is put behind them here is of their lists. */
static int kustomize_read_objects(struct kustomize_build *b, struct doc_list *objects,
                                  struct kustomize_resmap *ret, struct err *e)
{
    bool is_alone = objects->len == 1;

    for (size_t i = 0; i < objects->len; i++) {
        struct doc_node *object = objects->v[i];
        int rc;

        if (doc_is_null(object) || (doc_is_map(object) && doc_len(object) == 0))
            continue;
        rc = is_list_of_objects(object) ? expand(objects, object, i == 0 && is_alone, e)
                                        : add_object(b, object, ret, e);
        if (rc < 0)
            return -1;
    }
    return 0;
}

int kustomize_read_resources(struct kustomize_build *b, str text, const char *origin,
                             const struct doc_node *inside, struct kustomize_resmap *ret,
                             struct err *e)
{
    AUTO(doc_list_done) struct doc_list objects = {0};

    if (check_dividers(text, origin, e) < 0)
        return -1;
    if (kustomize_parse_documents(b, text, origin, inside, &objects, e) < 0)
        return kustomize_wrap(e, "MalformedYAMLError");
    return kustomize_read_objects(b, &objects, ret, e);
}
