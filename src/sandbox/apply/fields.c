#include "sandbox/apply/fields.h"

#include "sandbox/apply/fieldset.h"
#include "sandbox/write.h"

/* ---- what counts: identity and what the server owns is nobody's */

static const char unowned[][27] = {"name",
                                   "namespace",
                                   "uid",
                                   "generation",
                                   "selfLink",
                                   "creationTimestamp",
                                   "managedFields",
                                   "generateName",
                                   "resourceVersion",
                                   "deletionTimestamp",
                                   "deletionGracePeriodSeconds"};

/* The part of an object that a request to this path may own. */
static struct doc_node *owned_part(struct doc_set *set, const struct sb_kind *kind,
                                   const struct doc_node *object, str sub)
{
    struct doc_node *out = doc_new_map(set), *meta;
    struct doc_iter it = doc_children(object);
    bool is_status = str_eq(sub, STR("status"));

    while (doc_next(&it)) {
        bool names_type = str_eq(it.key, STR("apiVersion")) || str_eq(it.key, STR("kind"));

        if (names_type || (is_status && !str_eq(it.key, STR("status"))) ||
            (!is_status && kind->has_status && str_eq(it.key, STR("status"))))
            continue;
        doc_set_field(set, out, it.key, doc_copy(set, it.value));
    }
    meta = doc_get_lit(out, "metadata");
    for (size_t i = 0; i < ARRAY_LEN(unowned); i++)
        doc_remove(meta, str_of(unowned[i]));
    if (meta && doc_len(meta) == 0)
        doc_remove(out, STR("metadata"));
    return out;
}

/* ---- entries of managedFields */

static bool is_entry(const struct doc_node *entry, str manager, const char *operation, str sub)
{
    return str_eq(doc_text(doc_get_lit(entry, "manager"), STR_NONE), manager) &&
           str_eq(doc_text(doc_get_lit(entry, "operation"), STR_NONE), str_of(operation)) &&
           str_eq(doc_text(doc_get_lit(entry, "subresource"), STR_NONE), sub);
}

static struct doc_node *find_entry(const struct doc_node *list, str manager, const char *operation,
                                   str sub)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (is_entry(it.value, manager, operation, sub))
            return it.value;
    return NULL;
}

static struct doc_node *make_entry(struct doc_set *set, const struct sb_kind *kind,
                                   struct doc_node *list, str manager, const char *operation,
                                   str sub)
{
    struct doc_node *entry = doc_append(list, doc_new_map(set));

    doc_set_string(set, entry, STR("manager"), manager);
    doc_set_string(set, entry, STR("operation"), str_of(operation));
    doc_set_string(set, entry, STR("apiVersion"), sb_api_version(kind, &set->arena));
    doc_set_string(set, entry, STR("fieldsType"), STR("FieldsV1"));
    doc_ensure_map(set, entry, STR("fieldsV1"));
    if (sub.len)
        doc_set_string(set, entry, STR("subresource"), sub);
    return entry;
}

static void stamp(struct sandbox *sb, struct doc_set *set, struct doc_node *entry)
{
    AUTO(buf_done) struct buf now = {0};

    sb_now(sb, &now);
    doc_set_string(set, entry, STR("time"), buf_view(&now));
}

static void drop_empty(struct doc_node *list)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (doc_len(doc_get_lit(it.value, "fieldsV1")) == 0)
            doc_remove_item(list, it.value);
}

/* The list of now, taken over from old when now has none. */
static struct doc_node *entries(struct doc_set *set, const struct doc_node *old,
                                struct doc_node *now)
{
    struct doc_node *meta = sb_meta(set, now);
    const struct doc_node *before = doc_at(old, "metadata/managedFields");

    if (before && !doc_get_lit(meta, "managedFields"))
        doc_set_field(set, meta, STR("managedFields"), doc_copy(set, before));
    return doc_ensure_list(set, meta, STR("managedFields"));
}

static void tidy(struct doc_node *now)
{
    struct doc_node *meta = doc_get_lit(now, "metadata");
    struct doc_node *list = doc_get_lit(meta, "managedFields");

    drop_empty(list);
    if (list && doc_len(list) == 0)
        doc_remove(meta, STR("managedFields"));
}

bool sb_fields_differ(const struct doc_node *a, const struct doc_node *b)
{
    struct doc_iter ia = doc_children(doc_at(a, "metadata/managedFields"));
    struct doc_iter ib = doc_children(doc_at(b, "metadata/managedFields"));

    if (ia.left != ib.left)
        return true;
    while (doc_next(&ia) && doc_next(&ib))
        if (!str_eq(doc_text(doc_get_lit(ia.value, "manager"), STR_NONE),
                    doc_text(doc_get_lit(ib.value, "manager"), STR_NONE)) ||
            !str_eq(doc_text(doc_get_lit(ia.value, "operation"), STR_NONE),
                    doc_text(doc_get_lit(ib.value, "operation"), STR_NONE)) ||
            !doc_equal(doc_get_lit(ia.value, "fieldsV1"), doc_get_lit(ib.value, "fieldsV1")))
            return true;
    return false;
}

/* ---- updates */

/* What a value of a built-in type always has, however little was set: structs that are no pointers,
 * and the list of containers, as null. They are nobody's. */
static struct doc_node *zero_of(struct doc_set *set, const struct doc_node *now, bool is_custom)
{
    static const char structs[][15] = {"metadata",  "spec",           "strategy",
                                       "template",  "updateStrategy", "jobTemplate",
                                       "resources", "names",          "scaleTargetRef"};
    struct doc_node *out = doc_new_map(set);

    for (size_t i = 0; i < (is_custom ? 1 : ARRAY_LEN(structs)); i++) {
        const struct doc_node *n = doc_get(now, str_of(structs[i]));

        if (doc_is_map(n))
            doc_set_field(set, out, str_of(structs[i]), zero_of(set, n, is_custom));
    }
    if (!is_custom && doc_is_string(doc_get_lit(now, "serviceName")))
        doc_set_string(set, out, STR("serviceName"), STR_NONE);
    if (!is_custom && doc_get_lit(now, "containers"))
        doc_set_field(set, out, STR("containers"), doc_new_null(set));
    return out;
}

void sb_fields_changed(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                       const struct doc_node *old, struct doc_node *now, str manager, str sub)
{
    struct sb_type root = sb_type_root(kind);
    struct doc_node *changed = doc_new_map(set), *removed = doc_new_map(set), *list, *entry;
    struct doc_node *before, *mine;
    struct doc_iter it;

    if (sb->o.is_bare)
        return;
    mine = owned_part(set, kind, now, sub);
    before = old ? owned_part(set, kind, old, sub) : zero_of(set, mine, kind->is_custom);
    doc_ensure_map(set, before, STR("metadata"));
    doc_ensure_map(set, mine, STR("metadata"));
    sb_fieldset_compare(set, &root, before, mine, changed, removed);
    list = entries(set, old, now);
    if (!list || (doc_len(changed) == 0 && doc_len(removed) == 0)) {
        tidy(now);
        return;
    }
    entry = find_entry(list, manager, "Update", sub);
    if (!entry)
        entry = make_entry(set, kind, list, manager, "Update", sub);
    it = doc_children(list);
    while (doc_next(&it)) {
        struct doc_node *fields = doc_get_lit(it.value, "fieldsV1");

        sb_fieldset_drop(fields, removed);
        if (it.value != entry)
            sb_fieldset_subtract(fields, changed);
    }
    sb_fieldset_add(set, doc_get_lit(entry, "fieldsV1"), changed);
    stamp(sb, set, entry);
    tidy(now);
}

/* ---- apply */

static struct doc_node *merge(struct doc_set *set, const struct sb_type *t,
                              const struct doc_node *live, const struct doc_node *want);

static struct doc_node *merge_map(struct doc_set *set, const struct sb_type *t,
                                  const struct doc_node *live, const struct doc_node *want)
{
    struct doc_node *out = doc_copy(set, live);
    struct doc_iter it = doc_children(want);

    while (doc_next(&it)) {
        struct sb_type below = sb_type_field(t, it.key);

        doc_set_field(set, out, it.key, merge(set, &below, doc_get(live, it.key), it.value));
    }
    return out;
}

/* Items with their names; those without one are nobody's to find again. */
struct items {
    VEC(struct item {
        str name;
        const struct doc_node *node;
    })
    v;
};

static void read_items(struct doc_set *set, enum sb_merge how, const struct sb_keys *keys,
                       const struct doc_node *list, struct items *ret)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        vec_push(&ret->v, {.name = sb_item_name(set, how, keys, it.value), .node = it.value});
}

static const struct doc_node *find_item(const struct items *in, str name)
{
    for (size_t i = 0; name.len && i < in->v.len; i++)
        if (str_eq(in->v.v[i].name, name))
            return in->v.v[i].node;
    return NULL;
}

/* The first item from `at` on that `in` has, too. */
static str next_shared(const struct items *of, size_t at, const struct items *in)
{
    for (; at < of->v.len; at++)
        if (find_item(in, of->v.v[at].name))
            return of->v.v[at].name;
    return STR_NONE;
}

/* The items that both have come in the order of want; what only live has stays where it is between
 * them. */
static struct doc_node *merge_list(struct doc_set *set, const struct sb_type *t, enum sb_merge how,
                                   const struct sb_keys *keys, const struct doc_node *live,
                                   const struct doc_node *want)
{
    struct doc_node *out = doc_new_list(set);
    struct sb_type below = sb_type_item(t);
    struct items have = {0}, wanted = {0};
    size_t l = 0, w = 0;

    read_items(set, how, keys, live, &have);
    read_items(set, how, keys, want, &wanted);
    while (l < have.v.len || w < wanted.v.len) {
        const struct item *mine = l < have.v.len ? &have.v.v[l] : NULL;
        const struct doc_node *both;

        if (mine && !find_item(&wanted, mine->name)) {
            doc_append(out, doc_copy(set, mine->node));
            l++;
        } else if (mine && !str_eq(mine->name, next_shared(&wanted, w, &have))) {
            l++; /* its turn comes later, or has been */
        } else {
            both = find_item(&have, wanted.v.v[w].name);
            l += mine && str_eq(mine->name, wanted.v.v[w].name);
            doc_append(out, both ? merge(set, &below, both, wanted.v.v[w].node)
                                 : doc_copy(set, wanted.v.v[w].node));
            w++;
        }
    }
    vec_done(&have.v);
    vec_done(&wanted.v);
    return out;
}

static struct doc_node *merge(struct doc_set *set, const struct sb_type *t,
                              const struct doc_node *live, const struct doc_node *want)
{
    struct sb_keys keys, live_keys;
    enum sb_merge how = sb_type_merge(t, want, &keys);

    if (!live || how == SB_ATOMIC || how != sb_type_merge(t, live, &live_keys))
        return doc_copy(set, want);
    return how == SB_GRANULAR ? merge_map(set, t, live, want)
                              : merge_list(set, t, how, &keys, live, want);
}

/* Conflicts, told as the API server tells them. */
struct conflicts {
    struct sb_req *r;
    struct buf lines, causes;
    const char *who;
    size_t count;
};

static void add_conflict(void *ctx, str path)
{
    struct conflicts *c = ctx;

    buf_addf(&c->lines, "\n- %.*s", STR_ARG(path));
    buf_addf(&c->causes,
             "%s{\"reason\":\"FieldManagerConflict\",\"message\":", c->count ? "," : "");
    doc_json_quote(str_of(c->who), 0, &c->causes);
    buf_add_cstr(&c->causes, ",\"field\":");
    doc_json_quote(path, 0, &c->causes);
    buf_add_char(&c->causes, '}');
    c->count++;
}

static void name_manager(const struct doc_node *entry, struct buf *out)
{
    str sub = doc_text(doc_get_lit(entry, "subresource"), STR_NONE);

    buf_addf(out, "conflict with \"%.*s\"",
             STR_ARG(doc_text(doc_get_lit(entry, "manager"), STR_NONE)));
    if (sub.len)
        buf_addf(out, " with subresource \"%.*s\"", STR_ARG(sub));
    if (str_eq(doc_text(doc_get_lit(entry, "operation"), STR_NONE), STR("Update")))
        buf_addf(out, " using %.*s", STR_ARG(doc_text(doc_get_lit(entry, "apiVersion"), STR_NONE)));
}

static int fail_conflicts(struct conflicts *c)
{
    struct sb_req *r = c->r;
    AUTO(buf_done) struct buf message = {0};

    buf_addf(&message, "Apply failed with %zu conflict%s: ", c->count, c->count == 1 ? "" : "s");
    if (c->count == 1) {
        ssize_t at = str_find(buf_view(&c->lines), STR("\n- "));

        buf_addf(&message, "%s: %s", c->who, buf_cstr(&c->lines) + at + 3);
    } else {
        buf_add_str(&message, buf_view(&c->lines));
    }
    buf_clear(&r->out);
    r->status = 409;
    buf_add_cstr(&r->out, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":"
                          "\"Failure\",\"message\":");
    doc_json_quote(buf_view(&message), 0, &r->out);
    buf_addf(&r->out, ",\"reason\":\"Conflict\",\"details\":{\"causes\":[%s]},\"code\":409}\n",
             buf_cstr(&c->causes));
    return -1;
}

/* What an entry owns of what is about to change. */
static void add_conflicts(struct conflicts *c, const struct doc_node *entry,
                          const struct doc_node *both)
{
    AUTO(buf_done) struct buf who = {0}, path = {0};

    name_manager(entry, &who);
    c->who = arena_cstr(&c->r->arena, buf_view(&who));
    buf_addf(&c->lines, "%sconflicts%s:", c->count ? "\n" : "", c->who + strlen("conflict"));
    sb_fieldset_paths(both, &path, add_conflict, c);
}

static int by_manager(const void *a, const void *b)
{
    const struct doc_node *x = *(struct doc_node *const *)a, *y = *(struct doc_node *const *)b;

    return str_cmp(doc_text(doc_get_lit(x, "manager"), STR_NONE),
                   doc_text(doc_get_lit(y, "manager"), STR_NONE));
}

/* Others that own what is about to change lose it under force; else the request fails. */
static int settle(struct sb_req *r, struct doc_node *list, const struct doc_node *mine,
                  const struct doc_node *changed)
{
    struct conflicts c = {.r = r};
    bool force = sb_param_bool(r, "force");
    struct doc_iter it = doc_children(list);
    VEC(struct doc_node *) others = {0};
    int rc = 0;

    while (doc_next(&it))
        if (it.value != mine)
            vec_push(&others, it.value);
    vec_sort(&others, by_manager);
    for (size_t i = 0; i < others.len; i++) {
        struct doc_node *fields = doc_get_lit(others.v[i], "fieldsV1");
        struct doc_node *both = sb_fieldset_common(r->set, fields, changed);

        if (force)
            sb_fieldset_subtract(fields, both);
        else if (doc_len(both))
            add_conflicts(&c, others.v[i], both);
    }
    if (c.count)
        rc = fail_conflicts(&c);
    vec_done(&others);
    buf_done(&c.lines);
    buf_done(&c.causes);
    return rc;
}

/* Deletes what the manager applied before, no longer wants, and nobody else owns. */
static void drop(struct sb_req *r, const struct doc_node *list, const struct doc_node *mine,
                 const struct doc_node *wanted, struct doc_node *now)
{
    struct sb_type root = sb_type_root(r->kind);
    struct doc_node *dropped = doc_copy(r->set, doc_get_lit(mine, "fieldsV1"));
    struct doc_node *kept = doc_copy(r->set, wanted);
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (it.value != mine)
            sb_fieldset_add(r->set, kept, doc_get_lit(it.value, "fieldsV1"));
    sb_fieldset_subtract(dropped, kept);
    sb_fieldset_delete(r->set, &root, now, dropped, kept);
}

struct doc_node *sb_fields_apply(struct sb_req *r, const struct doc_node *live,
                                 struct doc_node *config, str manager)
{
    struct doc_set *set = r->set;
    struct sb_type root = sb_type_root(r->kind);
    const struct doc_node *wanted = owned_part(set, r->kind, config, r->sub);
    struct doc_node *fields = sb_fieldset_of(set, &root, wanted);
    struct doc_node *changed = doc_new_map(set), *removed = doc_new_map(set);
    struct doc_node *now, *list, *mine;

    if (r->sb->o.is_bare && live)
        return sb_merged(set, live, config);
    now = live ? merge_map(set, &root, live, wanted) : doc_copy(set, config);
    list = entries(set, live, now);
    mine = find_entry(list, manager, "Apply", r->sub);
    if (live) {
        sb_fieldset_compare(set, &root, owned_part(set, r->kind, live, r->sub),
                            owned_part(set, r->kind, now, r->sub), changed, removed);
        if (settle(r, list, mine, changed) < 0)
            return NULL;
        if (mine)
            drop(r, list, mine, fields, now);
    }
    if (!mine)
        mine = make_entry(set, r->kind, list, manager, "Apply", r->sub);
    if (!doc_equal(doc_get_lit(mine, "fieldsV1"), fields) || doc_len(changed) ||
        !doc_get_lit(mine, "time"))
        stamp(r->sb, set, mine);
    doc_set_field(set, mine, STR("fieldsV1"), fields);
    if (live)
        doc_set_string(set, sb_meta(set, now), STR("resourceVersion"),
                       doc_text(doc_at(config, "metadata/resourceVersion"), STR_NONE));
    tidy(now);
    return now;
}
