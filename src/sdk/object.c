#include "res/schema.h"
#include "sdk/sdk_priv.h"

/* What every Kubernetes object has. */

static const struct doc_node *meta_map(const struct doc_node *object, str name)
{
    return doc_get(doc_get_lit(object, "metadata"), name);
}

/* The value of an annotation or NULL. */
static const struct doc_node *sdk_annotation(const struct doc_node *object, str key)
{
    return doc_get(meta_map(object, STR("annotations")), key);
}

static const char *text_of(gfn_node object, const struct doc_node *n)
{
    str text = doc_text(n, STR_NONE);

    return text.len ? sdk_text(object.ctx, text) : "";
}

const char *gfn_api_version(gfn_node object)
{
    return text_of(object, doc_get_lit(sdk_node(object), "apiVersion"));
}

static str group_of(const struct doc_node *object)
{
    str group, version;

    res_split_api_version(doc_text(doc_get_lit(object, "apiVersion"), STR_NONE), &group, &version);
    return group;
}

const char *gfn_group(gfn_node object)
{
    str group = group_of(sdk_node(object));

    return group.len ? sdk_text(object.ctx, group) : "";
}

const char *gfn_kind(gfn_node object)
{
    return text_of(object, doc_get_lit(sdk_node(object), "kind"));
}

const char *gfn_name(gfn_node object)
{
    return text_of(object, meta_map(sdk_node(object), STR("name")));
}

const char *gfn_namespace(gfn_node object)
{
    return text_of(object, meta_map(sdk_node(object), STR("namespace")));
}

static const char *pair(gfn_node object, str map, const char *key)
{
    const struct doc_node *n = doc_get(meta_map(sdk_node(object), map), str_of(key));

    return n ? text_of(object, n) : NULL;
}

const char *gfn_label(gfn_node object, const char *key) { return pair(object, STR("labels"), key); }

const char *gfn_annotation(gfn_node object, const char *key)
{
    return pair(object, STR("annotations"), key);
}

int gfn_set_api_version(gfn_node object, const char *api_version)
{
    return gfn_set_str(object, "apiVersion", api_version);
}
int gfn_set_kind(gfn_node object, const char *kind) { return gfn_set_str(object, "kind", kind); }
int gfn_set_name(gfn_node object, const char *name)
{
    return gfn_set_str(object, "metadata.name", name);
}
int gfn_set_namespace(gfn_node object, const char *ns)
{
    return gfn_set_str(object, "metadata.namespace", ns);
}

/* With the last annotation or label goes the mapping, as nobody wants "labels: {}". */
static int set_pair(gfn_node object, const char *map, const char *key, const char *value)
{
    AUTO(buf_done) struct buf path = {0};
    gfn_node pairs;

    buf_addf(&path, "metadata.%s", map);
    if (value) {
        pairs = gfn_ensure_map(object, buf_cstr(&path));
        if (!pairs.at)
            return -1;
        if (gfn_exists(gfn_child(pairs, key)))
            return gfn_set_str(gfn_child(pairs, key), "", value);
        gfn_set_child(pairs, key, gfn_new_str(object.ctx, value));
        return 0;
    }
    pairs = gfn_get(object, buf_cstr(&path));
    if (doc_remove(sdk_node(pairs), str_of(key)) && gfn_len(pairs) == 0)
        return gfn_delete(object, buf_cstr(&path));
    return 0;
}

int gfn_set_label(gfn_node object, const char *key, const char *value)
{
    return set_pair(object, "labels", key, value);
}

int gfn_set_annotation(gfn_node object, const char *key, const char *value)
{
    return set_pair(object, "annotations", key, value);
}

/* The orchestrator gives both spellings; others may know one. */
static const struct doc_node *place(gfn_node object, str key, str legacy)
{
    const struct doc_node *n = sdk_annotation(sdk_node(object), key);

    return n ? n : sdk_annotation(sdk_node(object), legacy);
}

const char *gfn_path(gfn_node object)
{
    return text_of(object, place(object, STR("internal.config.kubernetes.io/path"),
                                 STR("config.kubernetes.io/path")));
}

int64_t gfn_index(gfn_node object)
{
    const struct doc_node *n = place(object, STR("internal.config.kubernetes.io/index"),
                                     STR("config.kubernetes.io/index"));
    int64_t index;

    return str_to_int64(doc_text(n, STR_NONE), &index) ? index : 0;
}

bool gfn_is(gfn_node object, const char *group, const char *kind)
{
    const struct doc_node *at = sdk_node(object);

    return at && (!kind || str_eq(doc_text(doc_get_lit(at, "kind"), STR_NONE), str_of(kind))) &&
           (!group || str_eq(group_of(at), str_of(group)));
}

bool gfn_is_local_config(gfn_node object)
{
    const struct doc_node *n =
        sdk_annotation(sdk_node(object), STR("config.kubernetes.io/local-config"));

    return n && !str_eq(doc_text(n, STR_NONE), STR("false"));
}

int gfn_is_namespaced(gfn_node object)
{
    struct res_id id = res_id_of(sdk_node(object));
    int is;

    if (res_is_cluster_scoped(&id.gvk))
        return 0;
    is = res_schema_is_namespaced(res_kubernetes_schema(), &id.gvk);
    return is >= 0 ? is : res_schema_is_namespaced(res_kustomize_schema(), &id.gvk);
}
