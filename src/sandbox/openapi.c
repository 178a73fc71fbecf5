/* OpenAPI: what clients learn of kinds' fields from. Built-in kinds are printed from the table in
 * res/, custom ones from their definitions; documents are made when they are asked for. */
#include "res/openapi.h"

#include "sandbox/priv.h"

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."

/* ---- the index */

static bool is_of(const struct sb_kind *k, str group, str version)
{
    return k->is_served && str_eq(k->group, group) && str_eq(k->version, version);
}

/* Tells documents of a group's version apart: it changes with each kind that comes or goes. */
static uint64_t hash_of(const struct sandbox *sb, str group, str version)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < sb->kinds.len; i++)
        if (is_of(sb->kinds.v[i], group, version))
            hash = hash * 1000003 + sb->kinds.v[i]->revision;
    return hash;
}

static bool is_listed(const struct sandbox *sb, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_of(sb->kinds.v[i], sb->kinds.v[at]->group, sb->kinds.v[at]->version))
            return true;
    return false;
}

static void print_index(struct sb_req *r)
{
    bool is_first = true;

    buf_add_cstr(&r->out, "{\"paths\":{");
    for (size_t i = 0; i < r->sb->kinds.len; i++) {
        const struct sb_kind *k = r->sb->kinds.v[i];
        str api = sb_api_version(k, &r->arena);
        const char *root = k->group.len ? "apis" : "api";

        if (!k->is_served || is_listed(r->sb, i))
            continue;
        buf_addf(&r->out,
                 "%s\"%s/%.*s\":{\"serverRelativeURL\":\"/openapi/v3/%s/%.*s?hash=%016llX\"}",
                 is_first ? "" : ",", root, STR_ARG(api), root, STR_ARG(api),
                 (unsigned long long)hash_of(r->sb, k->group, k->version));
        is_first = false;
    }
    buf_add_cstr(&r->out, "}}\n");
}

/* ---- paths */

static void print_operation(const struct sb_kind *k, const char *method, const char *action,
                            struct buf *out)
{
    bool writes = !str_eq(str_of(method), STR("get"));

    buf_addf(out,
             "%s\"%s\":{\"x-kubernetes-action\":\"%s\",\"x-kubernetes-group-version-kind\":"
             "{\"group\":\"%.*s\",\"kind\":\"%.*s\",\"version\":\"%.*s\"},",
             out->p[out->len - 1] == '{' ? "" : ",", method, action, STR_ARG(k->group),
             STR_ARG(k->kind), STR_ARG(k->version));
    if (writes)
        buf_add_cstr(
            out, "\"parameters\":["
                 "{\"name\":\"dryRun\",\"in\":\"query\",\"schema\":{\"type\":\"string\"}},"
                 "{\"name\":\"fieldValidation\",\"in\":\"query\",\"schema\":{\"type\":\"string\"}}"
                 "],");
    buf_add_cstr(out, "\"responses\":{\"200\":{\"description\":\"OK\"}}}");
}

static void print_paths_of(struct sb_req *r, const struct sb_kind *k, struct buf *out)
{
    str path =
        arena_printf(&r->arena, "/%s/%.*s/%s%.*s", k->group.len ? "apis" : "api",
                     STR_ARG(sb_api_version(k, &r->arena)),
                     k->namespaced ? "namespaces/{namespace}/" : "", STR_ARG(k->res->plural));

    buf_addf(out, "%s\"%.*s\":{", out->p[out->len - 1] == '{' ? "" : ",", STR_ARG(path));
    if (!k->is_virtual)
        print_operation(k, "get", "list", out);
    print_operation(k, "post", "post", out);
    buf_add_char(out, '}');
    if (k->is_virtual)
        return;
    buf_addf(out, ",\"%.*s/{name}\":{", STR_ARG(path));
    print_operation(k, "get", "get", out);
    print_operation(k, "put", "put", out);
    print_operation(k, "patch", "patch", out);
    print_operation(k, "delete", "delete", out);
    buf_add_char(out, '}');
}

/* ---- schemas of custom kinds */

/* "com.example.shop.v1.Gadget" of shop.example.com/v1. */
static str custom_name(const struct sb_kind *k, struct arena *a)
{
    AUTO(buf_done) struct buf out = {0};
    str rest = k->group;

    while (rest.len) {
        const char *dot = memrchr(rest.p, '.', rest.len);
        str last = dot ? str_from(rest, (size_t)(dot - rest.p) + 1) : rest;

        buf_addf(&out, "%.*s.", STR_ARG(last));
        rest.len = dot ? (size_t)(dot - rest.p) : 0;
    }
    buf_addf(&out, "%.*s.%.*s", STR_ARG(k->version), STR_ARG(k->kind));
    return arena_dup(a, buf_view(&out));
}

static void print_kind(const struct sb_kind *k, const char *suffix, struct buf *out)
{
    buf_addf(out,
             ",\"x-kubernetes-group-version-kind\":[{\"group\":\"%.*s\",\"kind\":\"%.*s%s\","
             "\"version\":\"%.*s\"}]}",
             STR_ARG(k->group), STR_ARG(k->kind), suffix, STR_ARG(k->version));
}

static void print_metadata(enum res_openapi_version version, const char *type, struct buf *out)
{
    bool is_link = version == RES_OPENAPI_V2;

    buf_add_cstr(out, is_link ? ",\"metadata\":" : ",\"metadata\":{\"allOf\":[");
    res_openapi_print_reference(version, str_of(type), out);
    if (!is_link)
        buf_add_cstr(out, "]}");
}

/* The fields that every object has, then those of the definition. */
static void print_properties(enum res_openapi_version version, const struct doc_node *schema,
                             struct buf *out)
{
    static const char common[][11] = {"apiVersion", "kind"};
    struct doc_iter it = doc_children(doc_get_lit(schema, "properties"));

    for (size_t i = 0; i < ARRAY_LEN(common); i++) {
        const struct doc_node *own = doc_get(doc_get_lit(schema, "properties"), str_of(common[i]));

        buf_addf(out, "%s\"%s\":", i ? "," : "", common[i]);
        if (own)
            doc_emit_json(own, 0, out);
        else
            buf_add_cstr(out, "{\"type\":\"string\"}");
    }
    print_metadata(version, META "ObjectMeta", out);
    while (doc_next(&it)) {
        if (str_eq(it.key, STR("apiVersion")) || str_eq(it.key, STR("kind")) ||
            str_eq(it.key, STR("metadata")))
            continue;
        buf_add_char(out, ',');
        doc_json_quote(it.key, 0, out);
        buf_add_char(out, ':');
        doc_emit_json(it.value, 0, out);
    }
}

static void print_custom(struct sb_req *r, const struct sb_kind *k,
                         enum res_openapi_version version, struct buf *out)
{
    str name = custom_name(k, &r->arena);
    struct doc_iter it = doc_children(k->schema);

    buf_addf(out, "%s\"%.*s\":{", out->p[out->len - 1] == '{' ? "" : ",", STR_ARG(name));
    while (doc_next(&it)) {
        if (str_eq(it.key, STR("properties")))
            continue;
        doc_json_quote(it.key, 0, out);
        buf_add_char(out, ':');
        doc_emit_json(it.value, 0, out);
        buf_add_char(out, ',');
    }
    buf_add_cstr(out, "\"properties\":{");
    print_properties(version, k->schema, out);
    buf_add_char(out, '}');
    print_kind(k, "", out);
    buf_addf(out,
             ",\"%.*sList\":{\"type\":\"object\",\"required\":[\"items\"],\"properties\":{"
             "\"apiVersion\":{\"type\":\"string\"},\"kind\":{\"type\":\"string\"}",
             STR_ARG(name));
    print_metadata(version, META "ListMeta", out);
    buf_add_cstr(out, ",\"items\":{\"type\":\"array\",\"items\":");
    res_openapi_print_reference(version, name, out);
    buf_add_cstr(out, "}}");
    print_kind(k, "List", out);
}

/* ---- documents */

static void want(struct sb_req *r, const struct sb_kind *k, struct res_openapi *o)
{
    if (k->is_custom) {
        res_openapi_want(o, STR(META "ObjectMeta"));
        res_openapi_want(o, STR(META "ListMeta"));
    } else {
        res_openapi_want_kind(o, k->group, k->version, k->kind);
        res_openapi_want_kind(o, k->group, k->version,
                              arena_printf(&r->arena, "%.*sList", STR_ARG(k->kind)));
    }
    if (k->has_scale)
        res_openapi_want_kind(o, STR("autoscaling"), STR("v1"), STR("Scale"));
}

/* Paths and definitions of the kinds of a group's version; of all kinds when version is none. */
static void print_document(struct sb_req *r, enum res_openapi_version openapi, str group,
                           str version)
{
    AUTO(res_openapi_done) struct res_openapi o = {.version = openapi};
    const char *head = openapi == RES_OPENAPI_V2 ? "\"swagger\":\"2.0\"" : "\"openapi\":\"3.0.0\"";
    AUTO(buf_done) struct buf customs = {0};

    buf_addf(&r->out,
             "{%s,\"info\":{\"title\":\"Kubernetes\",\"version\":\"" SB_VERSION "\"},\"paths\":{",
             head);
    buf_add_char(&customs, '{');
    for (size_t i = 0; i < r->sb->kinds.len; i++) {
        const struct sb_kind *k = r->sb->kinds.v[i];

        if (!k->is_served || (version.p && !is_of(k, group, version)))
            continue;
        print_paths_of(r, k, &r->out);
        want(r, k, &o);
        if (k->is_custom)
            print_custom(r, k, openapi, &customs);
    }
    buf_add_cstr(&r->out, openapi == RES_OPENAPI_V2 ? "},\"definitions\":"
                                                    : "},\"components\":{\"schemas\":");
    buf_add_str(&r->out, buf_view(&customs));
    res_openapi_print(&o, &r->out);
    buf_add_cstr(&r->out, openapi == RES_OPENAPI_V2 ? "}}\n" : "}}}\n");
}

static bool has_version(const struct sandbox *sb, str group, str version)
{
    for (size_t i = 0; i < sb->kinds.len; i++)
        if (is_of(sb->kinds.v[i], group, version))
            return true;
    return false;
}

/* kubectl looks into version 2, which it takes as protobuf only, for kinds that version 3 does not
 * have: before it tells that a CRD is missing. None of them are in this document. */
static int print_empty(struct sb_req *r)
{
    static const char document[] = "\x0a\x03"
                                   "2.0\x12\x0c\x0a\x07sandbox\x12\x01"
                                   "1\x42\x00\x4a\x00";

    r->content_type_out = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    r->status = 200;
    buf_add_str(&r->out, (str){document, sizeof(document) - 1});
    return 0;
}

int sb_do_openapi(struct sb_req *r)
{
    size_t n = r->segment_count;
    bool is_core = n == 4 && str_eq(r->segments[2], STR("api"));
    bool is_group = n == 5 && str_eq(r->segments[2], STR("apis"));
    str group = is_group ? r->segments[3] : STR_NONE;

    if (n == 2 && str_eq(r->segments[1], STR("v2"))) {
        if (str_contains(r->accept, STR("proto-openapi")) && !str_contains(r->accept, STR("json")))
            return print_empty(r);
        print_document(r, RES_OPENAPI_V2, STR_NONE, STR_NONE);
        return 0;
    }
    if (n < 2 || !str_eq(r->segments[1], STR("v3")))
        return 1;
    if (n == 2) {
        print_index(r);
        return 0;
    }
    if ((!is_core && !is_group) || !has_version(r->sb, group, r->segments[n - 1]))
        return 1;
    print_document(r, RES_OPENAPI_V3, group, r->segments[n - 1]);
    return 0;
}
