#include "doc/path.h"
#include "kustomize/config/fieldtree.h"
#include "kustomize/transform/vars_priv.h"

/* ---- declaring */

static struct res_id object_id(const struct kustomize_var *v)
{
    struct res_id id = {
        .gvk = {v->group, v->version, v->kind}, .name = v->object_name, .ns = v->object_ns};

    if (v->api_version.len)
        res_split_api_version(v->api_version, &id.gvk.group, &id.gvk.version);
    return id;
}

/* Upstream finds the object by any id it has or had; without a namespace in the var, in any. */
static bool is_object(const struct kustomize_resource *r, const struct res_id *id)
{
    bool any_ns = !id->ns.len && !res_is_cluster_scoped(&id->gvk);

    for (uint32_t i = 0; i <= r->previous_count; i++) {
        const struct res_id *had = i < r->previous_count ? &r->previous[i] : &r->id;

        if (any_ns ? res_gvkn_eq(had, id) : res_id_eq(had, id))
            return true;
    }
    return false;
}

static int find_object(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct kustomize_var *var, struct kustomize_resource **ret,
                       struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    struct res_id id = object_id(var);
    size_t count = 0;

    *ret = NULL;
    kustomize_resmap_by_name(m, id.name, &found);
    for (size_t i = 0; i < found.len; i++)
        if (is_object(found.v[i], &id) && ++count == 1)
            *ret = found.v[i];
    if (count < 2)
        return 0;
    err_set(e, ERR_CONFLICT, "found %zu resId matches for var %.*s (unable to disambiguate)", count,
            STR_ARG(var->name));
    return kustomize_fail_at(b, var->node, e);
}

static int add(struct kustomize_vars *all, const struct kustomize_var_found *found, struct err *e)
{
    for (size_t i = 0; i < all->len; i++)
        if (str_eq(all->v[i].var->name, found->var->name))
            return err_set(e, ERR_EXISTS, "var '%.*s' already encountered",
                           STR_ARG(found->var->name));
    vec_push(all, *found);
    return 0;
}

int kustomize_vars_add(struct kustomize_build *b, struct kustomize_resmap *m,
                       struct kustomize_vars *all, const struct kustomize_var *vars, size_t count,
                       struct err *e)
{
    for (size_t i = 0; i < count; i++) {
        struct kustomize_var_found found = {.var = &vars[i]};

        if (find_object(b, m, found.var, &found.object, e) < 0)
            return -1;
        if (add(all, &found, e) < 0)
            return kustomize_fail_at(b, vars[i].node, e);
    }
    return 0;
}

int kustomize_vars_merge(struct kustomize_vars *all, const struct kustomize_vars *more,
                         struct err *e)
{
    for (size_t i = 0; i < more->len; i++)
        if (add(all, &more->v[i], e) < 0)
            return -1;
    return 0;
}

/* ---- resolving */

/* "ports[0].port" means "ports.0.port". */
static str without_brackets(struct arena *a, str path)
{
    char *to, *text = to = arena_alloc(a, path.len + 1);

    for (size_t i = 0; i < path.len; i++)
        if (path.p[i] == '[' && to > text && to[-1] != '.' && i + 1 < path.len &&
            path.p[i + 1] >= '0' && path.p[i + 1] <= '9')
            *to++ = '.';
        else if (path.p[i] != ']' || str_find_char(str_sub(path, 0, i), '=') >= 0)
            *to++ = path.p[i];
    return str_range(text, to);
}

static int fail_missing(struct kustomize_build *b, const struct kustomize_var *var, str path,
                        struct err *e)
{
    AUTO(buf_done) struct buf gvk = {0};
    struct res_id id = object_id(var);

    res_gvk_print(&id.gvk, &gvk);
    err_set(e, ERR_NOT_FOUND,
            "field specified in var '{%.*s %s {%.*s}}' not found in corresponding resource",
            STR_ARG(var->name), buf_cstr(&gvk), STR_ARG(path));
    return kustomize_fail_at(b, var->node, e);
}

static int fail_unmapped(struct kustomize_build *b, const struct kustomize_var *var, struct err *e)
{
    err_set(e, ERR_NOT_FOUND,
            "var '%.*s' cannot be mapped to a field in the set of known resources",
            STR_ARG(var->name));
    return kustomize_fail_at(b, var->node, e);
}

static int read_value(struct kustomize_build *b, const struct kustomize_var_found *v,
                      struct kustomize_var_value *ret, struct err *e)
{
    str path = v->var->field_path.len ? v->var->field_path : STR("metadata.name");
    const struct doc_node *field;

    if (!v->object || v->object->is_removed)
        return fail_unmapped(b, v->var, e);
    field = doc_path_get(v->object->root, without_brackets(&b->set->arena, path), '.');
    if (!field || !kustomize_var_read(v->object->set, field, ret))
        return fail_missing(b, v->var, path, e);
    return 0;
}

/* args, command and the values of variables are texts, whatever a var puts there. */
static bool is_text_path(str path)
{
    return str_ends(path, STR("ontainers/args")) || str_ends(path, STR("ontainers/command")) ||
           str_ends(path, STR("ontainers/env/value"));
}

static void warn_type(const struct kustomize_var_pass *pass, const struct doc_node *n,
                      const struct kustomize_var_value *value)
{
    kustomize_warn_at(pass->b, pass->set, n, "KD-5",
                      "KD-5: this text becomes the %s %.*s, which the API refuses; --compat fixed "
                      "quotes it",
                      value->type == DOC_BOOL ? "bool" : "number", STR_ARG(value->text));
}

static int visit(void *ctx, struct doc_node *field, const struct kustomize_field_leaf *leaves,
                 struct err *e)
{
    struct kustomize_var_pass *pass = ctx;

    for (; leaves; leaves = leaves->next) {
        pass->is_text = is_text_path(leaves->path);
        if (kustomize_var_field(pass, field, e) < 0)
            return -1;
    }
    return 0;
}

static struct kustomize_field_tree *tree_of(struct kustomize_build *b, struct arena *arena,
                                            struct map *trees, const struct res_gvk *gvk)
{
    AUTO(buf_done) struct buf key = {0};
    struct kustomize_field_tree *tree;

    res_gvk_print(gvk, &key);
    tree = map_get(trees, buf_view(&key));
    if (tree)
        return tree;
    tree = kustomize_config_vars_tree(b->config, gvk, arena);
    map_put(trees, arena_dup(arena, buf_view(&key)), tree);
    return tree;
}

static int fail_field(const struct kustomize_resource *r, str path, struct err *e)
{
    AUTO(buf_done) struct buf id = {0};
    struct doc_place place = doc_place(r->set, r->root);

    res_id_print(&r->id, &id);
    err_wrap(e, "considering field '%.*s' of object %s", STR_ARG(path), buf_cstr(&id));
    return place.line ? err_wrap(e, "%.*s:%u:%u", STR_ARG(place.origin), place.line, place.column)
                      : -1;
}

static int expand_all(struct kustomize_build *b, struct kustomize_resmap *m,
                      const struct map *by_name, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(map_done) struct map trees = {0};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        struct kustomize_var_pass pass = {
            .b = b, .warn = warn_type, .by_name = by_name, .set = r->set, .is_fixed = b->is_fixed};
        str path;

        if (kustomize_field_tree_visit(tree_of(b, &arena, &trees, &r->id.gvk), r->root, visit,
                                       &pass, &path, e) < 0)
            return fail_field(r, path, e);
        kustomize_resmap_refresh(m, r);
    }
    return 0;
}

static void warn_unused(struct kustomize_build *b, const struct kustomize_vars *all,
                        const struct map *by_name)
{
    AUTO(buf_done) struct buf names = {0};

    for (size_t i = 0; i < all->len; i++) {
        const struct kustomize_var_value *value = map_get(by_name, all->v[i].var->name);

        if (!value->is_used)
            buf_addf(&names, "%s%.*s", names.len ? "," : "", STR_ARG(all->v[i].var->name));
    }
    if (names.len)
        kustomize_warn(b, NULL, "var.unused", "well-defined vars that were never replaced: %s",
                       buf_cstr(&names));
}

int kustomize_vars_resolve(struct kustomize_build *b, struct kustomize_resmap *m,
                           const struct kustomize_vars *all, struct err *e)
{
    AUTO(map_done) struct map by_name = {0};

    if (!all->len)
        return 0;
    for (size_t i = 0; i < all->len; i++) {
        struct kustomize_var_value *value = ARENA_NEW(&b->set->arena, struct kustomize_var_value);

        if (read_value(b, &all->v[i], value, e) < 0)
            return -1;
        map_put(&by_name, all->v[i].var->name, value);
    }
    if (expand_all(b, m, &by_name, e) < 0)
        return -1;
    warn_unused(b, all, &by_name);
    return 0;
}
