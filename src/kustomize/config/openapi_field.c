/* The `openapi` of kustomizations: whose schema a build merges by (kustomize spec 13, KD-14). */
#include "kustomize/config/openapi.h"
#include "sys/thread.h"

/* The definitions of the level's file. */
static int load_definitions(struct kustomize_level *level, const struct doc_node **ret,
                            struct err *e)
{
    struct kustomize_build *b = &level->b;
    struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION, .flags = DOC_BORROW};
    AUTO(doc_list_done) struct doc_list docs = {0};
    str text = STR_NONE;

    if (kustomize_load(b, level->k->openapi_path, &text, e) < 0 ||
        doc_parse_all(b->set, text, &options, kustomize_file_origin(b, level->k->openapi_path),
                      &docs, e) < 0)
        return -1;
    *ret = docs.len ? doc_get_lit(docs.v[0], "definitions") : NULL;
    return 0;
}

static int read_schema(struct kustomize_level *level, const struct doc_node **ret, struct err *e)
{
    const struct kustomization *k = level->k;

    if (k->openapi_path.len && k->openapi_version.len)
        return err_set(e, ERR_INVALID,
                       "builtin version and custom schema provided, cannot use both");
    if (k->openapi_path.len)
        return load_definitions(level, ret, e);
    if (doc_get_lit(k->openapi_node, "path"))
        return err_set(e, ERR_INVALID, "openapi.path is empty: it must name a file");
    if (k->openapi_version.len && !str_eq(k->openapi_version, STR("v1.21.2")))
        return err_set(e, ERR_NOT_FOUND,
                       "the specified OpenAPI version is not built in: \"%.*s\"; there is v1.21.2",
                       STR_ARG(k->openapi_version));
    return 0;
}

/* Is anything defined that no level before has defined, or not so? ret_conflict: the last of the
 * latter, or NULL. */
static bool brings_news(const struct kustomize_shared *s, const struct doc_node *definitions,
                        const struct doc_node **ret_conflict)
{
    struct doc_iter it = doc_children(definitions);
    bool is_new = false;

    *ret_conflict = NULL;
    while (doc_next(&it)) {
        const struct doc_node *old = NULL;

        for (size_t i = 0; i < s->definitions.len && !old; i++)
            old = doc_get(s->definitions.v[i], it.key);
        if (old && doc_equal(old, it.value))
            continue;
        is_new = true;
        if (old)
            *ret_conflict = it.value;
    }
    return is_new;
}

/* KD-14: upstream keeps to the schema it met first. */
static int add_schema(struct kustomize_level *level, const struct doc_node *definitions,
                      struct err *e)
{
    struct kustomize_build *b = &level->b;
    struct kustomize_shared *s = b->shared;
    const struct doc_node *conflict;

    if (!brings_news(s, definitions, &conflict))
        return 0;
    if (!b->is_fixed) {
        kustomize_warn(b, level->k->openapi_node, "KD-14",
                       "KD-14: this schema is not used, since another level has one; --compat "
                       "fixed takes both");
        return 0;
    }
    if (conflict) {
        err_set(e, ERR_CONFLICT,
                "the schema defines \"%.*s\" otherwise than the one of another level",
                STR_ARG(doc_key(conflict)));
        return kustomize_fail_at(b, conflict, e);
    }
    vec_push(&s->definitions, definitions);
    kustomize_openapi_free(s->own_schema);
    s->schema = s->own_schema =
        kustomize_openapi_new(b->set, s->definitions.v, s->definitions.len, s->schema_below);
    return 0;
}

static void set_schema(struct kustomize_level *level, const struct doc_node *definitions)
{
    struct kustomize_shared *s = level->b.shared;

    s->has_schema = true;
    s->root_has_schema |= !level->parent;
    /* Upstream reads its own schema when it first needs one: a kind that nobody knows is such a
     * need, and a merge; then the file adds to it. Otherwise it takes its place. */
    s->schema_below =
        !level->k->openapi_path.len || (level->parent && s->has_used_schema) ? s->schema : NULL;
    if (!level->k->openapi_path.len)
        return;
    vec_push(&s->definitions, definitions);
    s->schema = s->own_schema =
        kustomize_openapi_new(level->b.set, &definitions, 1, s->schema_below);
}

int kustomize_use_schema(struct kustomize_level *level, struct err *e)
{
    struct kustomize_shared *s = level->b.shared;
    const struct doc_node *definitions = NULL;
    bool order_counts = level->b.is_fixed || !s->root_has_schema;
    int rc = 0;

    if (!level->k->has_openapi)
        return 0;
    if (level->parent && order_counts && kustomize_has_helpers(s)) {
        LOCK_SCOPE(&s->lock);
        s->wants_serial = true;
        return err_set(e, ERR_CANCELED, "bases with schemas are built one after another");
    }
    if (read_schema(level, &definitions, e) < 0)
        return kustomize_fail_at(&level->b, level->k->openapi_node, e);
    LOCK_SCOPE(&s->lock);
    if (s->has_schema)
        rc = add_schema(level, definitions, e);
    else
        set_schema(level, definitions);
    return rc;
}
