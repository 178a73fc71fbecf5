#include "kustomize/incremental/plan.h"
#include "kustomize/transform/reference_priv.h"

static const str no_namespace = STR_INIT("_non_namespaceable_");

void kustomize_fixer_done(struct kustomize_fixer *f)
{
    map_done(&f->trees);
    map_done(&f->homes);
    map_done(&f->natives);
    buf_done(&f->key);
    kustomize_found_done(&f->found);
    kustomize_found_done(&f->part);
    str_vec_done(&f->subject_namespaces);
    arena_done(&f->arena);
}

static bool is_cluster(const struct kustomize_resource *r)
{
    return str_eq(kustomize_resource_home(r), no_namespace);
}

/* A subject upstream does not get along with either. */
static int refuse_subject(struct kustomize_fixer *f, const struct doc_node *subject)
{
    AUTO(buf_done) struct buf id = {0};

    f->place = doc_place(f->referrer->set, subject);
    res_id_print(&f->referrer->id, &id);
    if (doc_is_map(subject))
        return err_set(f->e, ERR_INVALID, "Invalid Input: namespace is blank for resource \"%s\"",
                       buf_cstr(&id));
    return err_set(f->e, ERR_INVALID, "a subject of %s must be a map", buf_cstr(&id));
}

/* A RoleBinding may name accounts of other namespaces. */
static int read_subjects(struct kustomize_fixer *f)
{
    const struct doc_node *subjects = doc_get_lit(f->referrer->root, "subjects");
    struct doc_iter it = doc_children(doc_is_list(subjects) ? subjects : NULL);

    while (doc_next(&it)) {
        const struct doc_node *ns = doc_get_lit(it.value, "namespace");

        if (!doc_is_map(it.value))
            return refuse_subject(f, it.value);
        if (!ns ||
            !str_eq(doc_text(doc_get_lit(it.value, "kind"), STR_NONE), STR("ServiceAccount")))
            continue;
        if (!doc_is_string(ns))
            return refuse_subject(f, it.value);
        vec_push(&f->subject_namespaces, doc_string(ns, STR_NONE));
    }
    return 0;
}

int kustomize_fixer_begin(struct kustomize_fixer *f, struct kustomize_resource *referrer)
{
    f->referrer = referrer;
    f->is_cluster = is_cluster(referrer);
    f->subject_namespaces.len = 0;
    f->place = (struct doc_place){0};
    if (f->is_cluster || !str_eq(referrer->id.gvk.kind, STR("RoleBinding")))
        return 0;
    return read_subjects(f);
}

/* ---- candidates */

static int by_place(const void *a, const void *b)
{
    size_t x = (*(struct kustomize_resource *const *)a)->at;
    size_t y = (*(struct kustomize_resource *const *)b)->at;

    return x < y ? -1 : x > y;
}

static void take_part(struct kustomize_fixer *f, str name, str scope)
{
    kustomize_resmap_by_name_in(f->m, name, scope, &f->part);
    for (size_t i = 0; i < f->part.len; i++)
        vec_push(&f->found, f->part.v[i]);
}

/* Those of the namespaces that subjects name. */
static void take_subjects(struct kustomize_fixer *f, str name)
{
    for (size_t i = 0; i < f->subject_namespaces.len; i++) {
        str ns = f->subject_namespaces.v[i];
        bool is_known = str_eq(ns, kustomize_resource_home(f->referrer));

        for (size_t j = 0; j < i; j++)
            is_known |= str_eq(ns, f->subject_namespaces.v[j]);
        if (is_known)
            continue;
        kustomize_resmap_by_name_in(f->m, name, ns, &f->part);
        for (size_t j = 0; j < f->part.len; j++)
            if (str_eq(f->part.v[j]->id.ns, ns))
                vec_push(&f->found, f->part.v[j]);
    }
}

static bool is_one_of(const struct kustomize_resource *r, const struct res_gvk *gvk)
{
    for (uint32_t i = 0; i < r->previous_count; i++)
        if (res_gvk_selected(&r->previous[i].gvk, gvk))
            return true;
    return false;
}

/* The group and kind of the referrer's roleRef, for paths that end there. */
static bool role_ref(const struct kustomize_fixer *f, struct res_gvk *ret)
{
    const struct doc_node *ref = doc_get_lit(f->referrer->root, "roleRef");
    const struct doc_node *group = doc_get_lit(ref, "apiGroup"), *kind = doc_get_lit(ref, "kind");

    if (!str_ends(f->path, STR("roleRef/name")) || !group || !kind)
        return false;
    *ret = (struct res_gvk){.group = doc_text(group, STR_NONE), .kind = doc_text(kind, STR_NONE)};
    return true;
}

static bool is_near(const struct kustomize_fixer *f, const struct kustomize_resource *r)
{
    return f->is_cluster || is_cluster(r) || str_eq(r->id.gvk.kind, STR("ServiceAccount")) ||
           str_eq(kustomize_resource_home(r), kustomize_resource_home(f->referrer));
}

/* ---- namespaces of maps */

static str home_key(struct kustomize_fixer *f, str original, str current)
{
    buf_clear(&f->key);
    buf_addf(&f->key, "%.*s|%.*s", STR_ARG(original), STR_ARG(current));
    return buf_view(&f->key);
}

static void note_name(struct kustomize_fixer *f, struct kustomize_resource *r, str ns, str name)
{
    struct kustomize_native *native = ARENA_NEW(&f->arena, struct kustomize_native);
    struct kustomize_native *first = map_get(&f->natives, home_key(f, ns, name));

    native->r = r;
    native->last = native;
    if (!first) {
        map_put(&f->natives, arena_dup(&f->arena, buf_view(&f->key)), native);
    } else if (first->last->r != r) {
        first->last->next = native;
        first->last = native;
    }
}

static void note_native(struct kustomize_fixer *f, struct kustomize_resource *r, str ns)
{
    for (uint32_t i = 0; i < r->previous_count; i++)
        note_name(f, r, ns, r->previous[i].name);
}

/* Notes which pairs of an original and a current namespace there are. A pair that begins with
 * nothing stands for any current one. */
static void note_homes(struct kustomize_fixer *f)
{
    struct kustomize_resource *r;

    f->has_homes = true;
    for (size_t at = 0; (r = kustomize_resmap_next(f->m, &at));) {
        str original = res_effective_ns(kustomize_resource_original(r));
        str current[] = {kustomize_resource_home(r), STR("")};

        if (str_eq(original, no_namespace))
            continue;
        note_native(f, r, original);
        for (size_t i = 0; i < ARRAY_LEN(current); i++) {
            str key = home_key(f, original, current[i]);

            if (!map_has(&f->homes, key))
                map_put(&f->homes, arena_dup(&f->arena, key), f);
        }
    }
}

/* Does a resource that the referrer may refer to come from this namespace? */
static bool is_home(struct kustomize_fixer *f, str ns)
{
    if (!f->has_homes)
        note_homes(f);
    if (f->is_cluster)
        return map_has(&f->homes, home_key(f, ns, STR("")));
    if (map_has(&f->homes, home_key(f, ns, kustomize_resource_home(f->referrer))))
        return true;
    for (size_t i = 0; i < f->subject_namespaces.len; i++)
        if (map_has(&f->homes, home_key(f, ns, f->subject_namespaces.v[i])))
            return true;
    return false;
}

struct home {
    bool is_given, is_original;
    str ns;
};

static struct home home_of(struct kustomize_fixer *f, const struct doc_node *map)
{
    const struct doc_node *ns = doc_get_lit(map, "namespace");
    struct home home = {.is_given = ns != NULL, .ns = doc_text(ns, STR_NONE)};

    home.is_original = home.is_given && is_home(f, home.ns);
    return home;
}

static bool is_at_home(const struct home *home, const struct kustomize_resource *r)
{
    if (!home->is_given)
        return true;
    return str_eq(home->ns, home->is_original ? res_effective_ns(kustomize_resource_original(r))
                                              : kustomize_resource_home(r));
}

/* ---- who has the name */

/* Those that bore the name in the namespace they come from. */
static void take_natives(struct kustomize_fixer *f, str ns, str name)
{
    const struct kustomize_native *native = map_get(&f->natives, home_key(f, ns, name));

    f->found.len = 0;
    for (; native; native = native->next)
        vec_push(&f->found, native->r);
}

/* Everything that has or had the name and can be referred to from the referrer. */
static void find_named(struct kustomize_fixer *f, str name, const struct home *home)
{
    if (f->is_cluster && home->is_original) {
        take_natives(f, home->ns, name);
        return;
    }
    if (f->is_cluster && home->is_given) {
        kustomize_resmap_by_name_in(f->m, name, home->ns, &f->found);
        return;
    }
    if (f->is_cluster) {
        kustomize_resmap_by_name(f->m, name, &f->found);
        return;
    }
    kustomize_resmap_by_name_in(f->m, name, kustomize_resource_home(f->referrer), &f->found);
    take_part(f, name, no_namespace);
    take_subjects(f, name);
    vec_sort(&f->found, by_place);
}

/* ---- choosing */

static bool ends_alike(const struct kustomize_texts *a, const struct kustomize_texts *b)
{
    uint32_t shorter = MIN(a->len, b->len);

    if (!shorter)
        return a->len == b->len;
    for (uint32_t i = 1; i <= shorter; i++)
        if (!str_eq(a->v[a->len - i], b->v[b->len - i]))
            return false;
    return true;
}

static bool is_alike(const struct kustomize_resource *a, const struct kustomize_resource *b,
                     bool allow_empty)
{
    bool any_prefix = allow_empty && (!a->prefixes.len || !b->prefixes.len);
    bool any_suffix = allow_empty && (!a->suffixes.len || !b->suffixes.len);

    return (any_prefix || ends_alike(&a->prefixes, &b->prefixes)) &&
           (any_suffix || ends_alike(&a->suffixes, &b->suffixes));
}

static void keep_alike(struct kustomize_fixer *f, bool allow_empty)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->found.len; i++)
        if (is_alike(f->found.v[i], f->referrer, allow_empty))
            f->found.v[kept++] = f->found.v[i];
    f->found.len = kept;
}

/* Would it make no difference which one is taken? */
static bool are_same(const struct kustomize_found *found, bool with_ns)
{
    for (size_t i = 1; i < found->len; i++)
        if (!str_eq(found->v[i]->id.name, found->v[0]->id.name) ||
            (with_ns && !str_eq(found->v[i]->id.ns, found->v[0]->id.ns)))
            return false;
    return true;
}

static int fail_ambiguous(struct kustomize_fixer *f)
{
    AUTO(buf_done) struct buf ids = {0};

    for (size_t i = 0; i < f->found.len; i++) {
        buf_add_cstr(&ids, i ? ", " : "");
        res_id_print(&f->found.v[i]->id, &ids);
    }
    return err_set(f->e, ERR_CONFLICT, "found multiple possible referrals: %s", buf_cstr(&ids));
}

/* The sieves that look at a candidate alone. */
static void sieve(struct kustomize_fixer *f, str name, const struct home *home)
{
    struct res_gvk role;
    bool has_role = role_ref(f, &role);
    size_t kept = 0;

    for (size_t i = 0; i < f->found.len; i++) {
        struct kustomize_resource *r = f->found.v[i];

        if (is_one_of(r, &f->target) && kustomize_resource_was_named(r, name) &&
            (!has_role || is_one_of(r, &role)) && is_near(f, r) && is_at_home(home, r))
            f->found.v[kept++] = r;
    }
    f->found.len = kept;
}

int kustomize_fixer_select(struct kustomize_fixer *f, str name, const struct doc_node *map,
                           struct kustomize_resource **ret)
{
    struct home home = {0};

    *ret = NULL;
    kustomize_plan_asked(f->b, f->referrer, name);
    if (!f->has_former)
        return 0;
    if (map)
        home = home_of(f, map);
    find_named(f, name, &home);
    sieve(f, name, &home);
    for (int allow_empty = 1; allow_empty >= 0 && f->found.len > 1; allow_empty--)
        keep_alike(f, allow_empty);
    if (!f->found.len)
        return 0;
    if (!are_same(&f->found, map != NULL))
        return fail_ambiguous(f);
    *ret = f->found.v[0];
    return 0;
}

/* What the name would become, were the group right: NULL when nothing changes. */
static const struct kustomize_resource *missed(struct kustomize_fixer *f, str name)
{
    struct kustomize_resource *referral;

    if (kustomize_fixer_select(f, name, NULL, &referral) < 0) {
        err_done(f->e);
        return NULL;
    }
    return referral && !str_eq(referral->id.name, name) ? referral : NULL;
}

void kustomize_fixer_mend_target(struct kustomize_fixer *f, const struct doc_node *field)
{
    struct res_gvk as_upstream = f->target;
    str name = doc_text(field, STR(""));
    const struct kustomize_resource *referral;

    if (!str_eq(f->target.group, STR("networking.k8s.io/v1")))
        return;
    f->target.group = STR("networking.k8s.io");
    if (f->b->is_fixed)
        return;
    referral = missed(f, name);
    f->target = as_upstream;
    if (!referral)
        return;
    kustomize_warn_at(f->b, f->referrer->set, field, "KD-2",
                      "KD-2: this name keeps pointing at IngressClass \"%.*s\", which is now "
                      "\"%.*s\"; --compat fixed follows it",
                      STR_ARG(name), STR_ARG(referral->id.name));
}
