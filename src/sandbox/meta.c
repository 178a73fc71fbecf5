/* metadata: what the server fills in, keeps and counts. */
#include "doc/at.h"
#include "sandbox/write.h"
#include "sys/random.h"

struct doc_node *sb_meta(struct doc_set *set, struct doc_node *object)
{
    struct doc_node *meta = doc_ensure_map(set, object, STR("metadata"));

    return meta ? meta : doc_set_field(set, object, STR("metadata"), doc_new_map(set));
}

static bool sb_has_generation(const struct sb_kind *kind)
{
    static const char groups[][29] = {"apps",
                                      "batch",
                                      "policy",
                                      "networking.k8s.io",
                                      "apiextensions.k8s.io",
                                      "admissionregistration.k8s.io",
                                      "flowcontrol.apiserver.k8s.io",
                                      "storage.k8s.io"};

    if (kind->is_custom || str_eq(kind->kind, STR("Pod")) ||
        str_eq(kind->kind, STR("PriorityClass")) ||
        str_eq(kind->kind, STR("ReplicationController")))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (str_eq(kind->group, str_of(groups[i])))
            return !str_eq(kind->kind, STR("IngressClass")) &&
                   !str_eq(kind->kind, STR("StorageClass")) &&
                   !str_eq(kind->kind, STR("ControllerRevision"));
    return false;
}

static void generate_name(struct doc_set *set, struct doc_node *meta)
{
    AUTO(buf_done) struct buf name = {0};
    str base = doc_text(doc_get_lit(meta, "generateName"), STR_NONE);

    if (doc_text(doc_get_lit(meta, "name"), STR_NONE).len || !base.len)
        return;
    buf_add_str(&name, str_sub(base, 0, 58));
    random_suffix(5, &name);
    doc_set_string(set, meta, STR("name"), buf_view(&name));
}

void sb_meta_new(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                 struct doc_node *object)
{
    AUTO(buf_done) struct buf uid = {0};
    AUTO(buf_done) struct buf now = {0};
    struct doc_node *meta = sb_meta(set, object);

    generate_name(set, meta);
    sb_uid_new(&uid);
    sb_now(sb, &now);
    doc_set_string(set, meta, STR("uid"), buf_view(&uid));
    doc_set_string(set, meta, STR("creationTimestamp"), buf_view(&now));
    doc_remove(meta, STR("deletionTimestamp"));
    doc_remove(meta, STR("deletionGracePeriodSeconds"));
    doc_remove(meta, STR("selfLink"));
    if (sb_has_generation(kind))
        doc_set_int(set, meta, STR("generation"), 1);
    else
        doc_remove(meta, STR("generation"));
}

void sb_meta_keep(struct doc_set *set, struct doc_node *now, const struct doc_node *old)
{
    static const char kept[][27] = {
        "name",           "namespace",         "uid",          "creationTimestamp",
        "generation",     "deletionTimestamp", "generateName", "deletionGracePeriodSeconds",
        "resourceVersion"};
    struct doc_node *meta = sb_meta(set, now);
    const struct doc_node *before = doc_get_lit(old, "metadata");

    for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
        const struct doc_node *n = doc_get(before, str_of(kept[i]));

        if (n)
            doc_set_field(set, meta, str_of(kept[i]), doc_copy(set, n));
        else
            doc_remove(meta, str_of(kept[i]));
    }
    doc_remove(meta, STR("selfLink"));
}

/* Equal in every member but some: `but` names up to two. */
static bool equal_but(const struct doc_node *a, const struct doc_node *b, const char *x,
                      const char *y)
{
    struct doc_iter it = doc_children(a);
    size_t seen = 0, others = doc_len(b);

    others -= doc_get(b, str_of(x)) != NULL;
    others -= y && doc_get(b, str_of(y)) != NULL;
    while (doc_next(&it)) {
        if (str_eq(it.key, str_of(x)) || (y && str_eq(it.key, str_of(y))))
            continue;
        if (!doc_equal(it.value, doc_get(b, it.key)) || !doc_get(b, it.key))
            return false;
        seen++;
    }
    return seen == others;
}

bool sb_same_state(const struct doc_node *a, const struct doc_node *b)
{
    return equal_but(a, b, "metadata", NULL) &&
           equal_but(doc_get_lit(a, "metadata"), doc_get_lit(b, "metadata"), "managedFields",
                     "resourceVersion");
}

void sb_meta_bump(const struct sb_kind *kind, struct doc_set *set, struct doc_node *now,
                  const struct doc_node *old)
{
    bool changed;

    if (!sb_has_generation(kind))
        return;
    if (kind->is_custom)
        changed = !equal_but(now, old, "metadata", kind->has_status ? "status" : NULL);
    else
        changed = !doc_equal(doc_get_lit(now, "spec"), doc_get_lit(old, "spec"));
    if (changed)
        doc_set_int(set, sb_meta(set, now), STR("generation"),
                    doc_int_at(old, "metadata/generation", 0) + 1);
}

int sb_check_preconditions(struct sb_req *r, const struct sb_kind *kind, const struct doc_node *old,
                           str uid, str version)
{
    str have_uid = doc_text(doc_at(old, "metadata/uid"), STR_NONE);
    str have = doc_text(doc_at(old, "metadata/resourceVersion"), STR_NONE);
    str name = doc_text(doc_at(old, "metadata/name"), STR_NONE);

    if (uid.len && !str_eq(uid, have_uid))
        return sb_fail_conflict(
            r, kind, name,
            arena_cstr(&r->arena,
                       arena_printf(&r->arena,
                                    "Precondition failed: UID in precondition: %.*s, UID in object "
                                    "meta: %.*s",
                                    STR_ARG(uid), STR_ARG(have_uid))));
    if (version.len && !str_eq(version, STR("0")) && !str_eq(version, have))
        return sb_fail_conflict(r, kind, name,
                                "the object has been modified; please apply your changes to the "
                                "latest version and try again");
    return 0;
}

str sb_manager(const struct sb_req *r)
{
    str manager = sb_param(r, "fieldManager");

    if (!manager.len)
        manager = str_cut(r->user_agent, '/', NULL);
    manager = str_sub(manager, 0, 128);
    return manager.len && str_is_utf8(manager, NULL) ? manager : STR("unknown");
}
