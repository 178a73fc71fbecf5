/* The store without the API in between, for tests and hooks. */
#include "sandbox/types/crd.h"
#include "sandbox/write.h"

static struct doc_node *parse(struct doc_set *set, str json, struct err *e)
{
    struct doc_node *n = doc_parse_json(set, json, "object", e);

    if (n && !doc_is_map(n)) {
        err_set(e, ERR_INVALID, "the object is no map");
        return NULL;
    }
    return n;
}

static struct sb_kind *kind_of(struct sandbox *sb, str api_version, str kind, struct err *e)
{
    struct sb_kind *k = sb_kind_by_gvk(sb, api_version, kind);

    if (!k)
        err_set(e, ERR_NOT_FOUND, "the sandbox does not serve %.*s %.*s", STR_ARG(api_version),
                STR_ARG(kind));
    return k;
}

static struct sb_slot *find(struct sandbox *sb, str api_version, str kind, str ns, str name,
                            struct sb_kind **ret_kind, struct err *e)
{
    struct sb_kind *k = *ret_kind = kind_of(sb, api_version, kind, e);
    struct sb_slot *slot = k ? sb_find(k->res, k->namespaced ? ns : STR_NONE, name) : NULL;

    if (k && !slot)
        err_set(e, ERR_NOT_FOUND, "%.*s \"%.*s\" not found", STR_ARG(k->res->plural),
                STR_ARG(name));
    return slot;
}

/* Fills in what the server gives an object, unless the text has it. */
static void fill(struct sandbox *sb, const struct sb_kind *k, struct doc_set *set,
                 struct doc_node *n)
{
    struct doc_node *meta = sb_meta(set, n);
    struct doc_node *uid = doc_get_lit(meta, "uid"), *at = doc_get_lit(meta, "creationTimestamp");
    struct doc_node *keep_uid = uid ? doc_copy(set, uid) : NULL;
    struct doc_node *keep_at = at ? doc_copy(set, at) : NULL;
    struct doc_node *gen = doc_get_lit(meta, "generation");
    struct doc_node *keep_gen = gen ? doc_copy(set, gen) : NULL;
    struct doc_node *del = doc_get_lit(meta, "deletionTimestamp");
    struct doc_node *keep_del = del ? doc_copy(set, del) : NULL;

    sb_meta_new(sb, k, set, n);
    if (keep_uid)
        doc_set_field(set, meta, STR("uid"), keep_uid);
    if (keep_at)
        doc_set_field(set, meta, STR("creationTimestamp"), keep_at);
    if (keep_gen)
        doc_set_field(set, meta, STR("generation"), keep_gen);
    if (keep_del)
        doc_set_field(set, meta, STR("deletionTimestamp"), keep_del);
}

static int put(struct sandbox *sb, struct doc_set *set, struct doc_node *n, struct err *e)
{
    struct sb_kind *k = kind_of(sb, doc_text(doc_get_lit(n, "apiVersion"), STR_NONE),
                                doc_text(doc_get_lit(n, "kind"), STR_NONE), e);
    struct doc_node *meta = sb_meta(set, n);
    struct sb_slot *slot;

    if (!k)
        return -1;
    if (!k->namespaced)
        doc_remove(meta, STR("namespace"));
    else if (!doc_get_lit(meta, "namespace"))
        doc_set_string(set, meta, STR("namespace"), STR("default"));
    slot = sb_find(k->res, doc_text(doc_get_lit(meta, "namespace"), STR_NONE),
                   doc_text(doc_get_lit(meta, "name"), STR_NONE));
    if (slot)
        sb_meta_keep(set, n, sb_load(set, k, slot->obj));
    else
        fill(sb, k, set, n);
    if (str_eq(k->kind, STR("CustomResourceDefinition")))
        sb_crd_apply(sb, set, n);
    sb_store(sb, k->res, slot, set, n);
    return sb_disk_flush(sb, e);
}

int sandbox_put(struct sandbox *sb, str json, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *n = parse(set, json, e);

    LOCK_SCOPE(&sb->lock);
    return n ? put(sb, set, n, e) : -1;
}

int sandbox_merge(struct sandbox *sb, str api_version, str kind, str ns, str name, str patch_json,
                  struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *patch = parse(set, patch_json, e);
    struct sb_kind *k;
    struct sb_slot *slot;

    LOCK_SCOPE(&sb->lock);
    slot = patch ? find(sb, api_version, kind, ns, name, &k, e) : NULL;
    if (!slot)
        return -1;
    sb_store(sb, k->res, slot, set, sb_merged(set, sb_load(set, k, slot->obj), patch));
    return sb_disk_flush(sb, e);
}

int sandbox_get(struct sandbox *sb, str api_version, str kind, str ns, str name, struct buf *out,
                struct err *e)
{
    struct sb_kind *k;
    struct sb_slot *slot;

    LOCK_SCOPE(&sb->lock);
    slot = find(sb, api_version, kind, ns, name, &k, e);
    if (!slot)
        return -1;
    sb_obj_print(k, slot->obj, out);
    return 0;
}

int sandbox_remove(struct sandbox *sb, str api_version, str kind, str ns, str name, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct sb_kind *k;
    struct sb_slot *slot;

    LOCK_SCOPE(&sb->lock);
    slot = find(sb, api_version, kind, ns, name, &k, e);
    if (!slot)
        return -1;
    sb_drop(sb, slot, set, sb_load(set, k, slot->obj));
    return sb_disk_flush(sb, e);
}

void sandbox_each(struct sandbox *sb, sandbox_object_fn *fn, void *ctx)
{
    LOCK_SCOPE(&sb->lock);
    for (size_t i = 0; i < sb->resources.len; i++) {
        const struct sb_res *res = sb->resources.v[i];

        for (size_t k = 0; k < res->slots.len; k++) {
            AUTO(buf_done) struct buf text = {0};

            sb_obj_print(res->kinds.v[0], res->slots.v[k]->obj, &text);
            fn(ctx, buf_view(&text));
        }
    }
}

int sandbox_add_kind(struct sandbox *sb, str api_version, str kind, str plural, bool namespaced,
                     bool is_custom, struct err *e)
{
    str version, group = str_cut(api_version, '/', &version);
    AUTO(buf_done) struct buf singular = {0};
    struct sb_kind k = {
        .kind = kind, .namespaced = namespaced, .is_custom = is_custom, .is_served = true};

    if (!kind.len || !plural.len || !group.len)
        return err_set(e, ERR_INVALID, "a kind needs an apiVersion, a name and a plural");
    k.group = version.p ? group : STR_NONE;
    k.version = version.p ? version : group;
    for (size_t i = 0; i < kind.len; i++)
        buf_add_char(&singular,
                     kind.p[i] >= 'A' && kind.p[i] <= 'Z' ? (char)(kind.p[i] | 0x20) : kind.p[i]);
    k.singular = buf_view(&singular);
    LOCK_SCOPE(&sb->lock);
    sb_kind_add(sb, &k, plural);
    return 0;
}

int sandbox_set_log(struct sandbox *sb, str ns, str pod, str text, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct sb_kind *k;
    struct sb_slot *slot;
    struct doc_node *n;

    LOCK_SCOPE(&sb->lock);
    slot = find(sb, STR("v1"), STR("Pod"), ns, pod, &k, e);
    if (!slot)
        return -1;
    n = sb_load(set, k, slot->obj);
    doc_set_string(set, doc_ensure_map(set, sb_meta(set, n), STR("annotations")),
                   STR("sandbox/log"), text);
    sb_store(sb, k->res, slot, set, n);
    return sb_disk_flush(sb, e);
}
