#include "cli/chart/release_objects.h"

#include "doc/parse.h"
#include "kube/selector.h"
#include "kube/table.h"

#define RELATED STR("v1/Pod(related)")

struct live;
struct listed { /* Pods on their way into a list */
    struct live *live;
    struct doc_node *items;
};
struct live {
    struct kube *kube;
    struct cancel *cancel;
    str ns;
    struct doc_set *set;
    struct doc_node *groups; /* a map of lists: what was found, by "version/Kind" */
    bool as_tables;
};

static struct doc_node *group_of(struct live *l, str name)
{
    return doc_ensure_list(l->set, l->groups, name);
}

static void keep(struct live *l, str group, const struct doc_node *object)
{
    doc_append(group_of(l, group), doc_copy(l->set, object));
}

/* Objects that are gone, or whose kind is, are no error. */
static int forgive(struct err *e)
{
    if (e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    return 0;
}

static int on_pod(void *ctx, struct doc_set *set UNUSED, struct doc_node *pod)
{
    struct listed *listed = ctx;
    struct doc_set *to = listed->live->set;
    struct doc_node *copy = doc_append(listed->items, doc_copy(to, pod));

    doc_set_string(to, copy, STR("apiVersion"), STR("v1"));
    doc_set_string(to, copy, STR("kind"), STR("Pod"));
    return 0;
}

/* As one list, which is how helm shows them. */
static int list_pods(struct live *l, const struct kube_ref *pods, str selector, struct err *e)
{
    struct kube_list_options options = {.label_selector = selector};
    struct doc_node *list = doc_new_map(l->set);
    struct listed listed = {.live = l};
    AUTO(buf_done) struct buf version = {0};

    doc_set_string(l->set, list, STR("apiVersion"), STR("v1"));
    doc_set_string(l->set, list, STR("kind"), STR("PodList"));
    listed.items = doc_set_field(l->set, list, STR("items"), doc_new_list(l->set));
    if (kube_list(l->kube, pods, &options, l->cancel, on_pod, &listed, &version, e) < 0)
        return -1;
    doc_set_string(l->set, doc_ensure_map(l->set, list, STR("metadata")), STR("resourceVersion"),
                   buf_view(&version));
    doc_append(group_of(l, RELATED), list);
    return 0;
}

static bool has_pods(str kind)
{
    static const char kinds[][22] = {
        "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController", "Job"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_eq(kind, str_of(kinds[i])))
            return true;
    return false;
}

static int find_pods(struct live *l, const struct kube_ref *of, struct err *e)
{
    AUTO(kube_object_done) struct kube_object owner = {0}, table = {0};
    AUTO(buf_done) struct buf selector = {0};
    struct kube_ref pods = {.type = kube_type_of(l->kube, STR("v1"), STR("Pod"), l->cancel, e),
                            .ns = of->ns};

    if (!pods.type || kube_get(l->kube, of, l->cancel, &owner, e) < 0)
        return -1;
    kube_selector_text(doc_at(owner.root, "spec/selector"), &selector);
    if (!selector.len)
        return 0;
    if (!l->as_tables)
        return list_pods(l, &pods, buf_view(&selector), e);
    if (kube_get_table(l->kube, &pods, buf_view(&selector), l->cancel, &table, e) < 0)
        return -1;
    keep(l, RELATED, table.root);
    return 0;
}

static int find_object(struct live *l, const struct doc_node *root, struct err *e)
{
    AUTO(kube_object_done) struct kube_object object = {0};
    str ns = doc_text(doc_at(root, "metadata/namespace"), STR_NONE);
    struct kube_ref ref = {
        .type = kube_type_of(l->kube, doc_text(doc_get_lit(root, "apiVersion"), STR("")),
                             doc_text(doc_get_lit(root, "kind"), STR("")), l->cancel, e),
        .ns = ns.len ? ns : l->ns,
        .name = doc_text(doc_at(root, "metadata/name"), STR(""))};
    str group;

    if (!ref.type || !ref.name.len)
        return ref.type ? 0 : forgive(e);
    group = arena_printf(&l->set->arena, "%.*s/%.*s", STR_ARG(ref.type->version),
                         STR_ARG(ref.type->kind));
    if ((l->as_tables ? kube_get_table(l->kube, &ref, STR_NONE, l->cancel, &object, e)
                      : kube_get(l->kube, &ref, l->cancel, &object, e)) < 0)
        return forgive(e);
    keep(l, group, object.root);
    return has_pods(ref.type->kind) && find_pods(l, &ref, e) < 0 ? forgive(e) : 0;
}

static int find_all(struct live *l, const struct chart_record *r, struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_parse_options options = {.dialect = DOC_VALUES};
    struct doc_node *pods;

    l->groups = doc_new_map(l->set);
    l->ns = r->ns;
    if (doc_parse_all(l->set, chart_record_manifest(r), &options, "manifest", &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++)
        if (doc_is_map(roots.v[i]) && find_object(l, roots.v[i], e) < 0)
            return -1;
    pods = doc_get(l->groups, RELATED);
    if (pods) { /* to the end */
        struct doc_node *copy = doc_copy(l->set, pods);

        doc_remove(l->groups, RELATED);
        doc_set_field(l->set, l->groups, RELATED, copy);
    }
    return 0;
}

int cli_release_tables(struct kube *k, const struct chart_record *r, struct cancel *cancel,
                       struct buf *out, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct live l = {.kube = k, .cancel = cancel, .set = set, .as_tables = true};
    struct doc_iter groups;

    if (find_all(&l, r, e) < 0)
        return -1;
    for (groups = doc_children(l.groups); doc_next(&groups);) {
        struct doc_iter tables = doc_children(groups.value);
        bool is_first = true;

        buf_addf(out, "==> %.*s\n", STR_ARG(groups.key));
        for (; doc_next(&tables); is_first = false)
            kube_table_print(tables.value, is_first, out);
        buf_add_char(out, '\n');
    }
    return 0;
}

int cli_release_objects(struct kube *k, const struct chart_record *r, struct cancel *cancel,
                        struct doc_set *set, struct doc_node **ret, struct err *e)
{
    struct live l = {.kube = k, .cancel = cancel, .set = set};

    if (find_all(&l, r, e) < 0)
        return -1;
    doc_sort_keys(l.groups); /* maps in Go */
    *ret = l.groups;
    return 0;
}
