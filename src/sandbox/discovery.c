/* What the server serves: discovery in both forms, version, health. */
#include "sandbox/priv.h"

static const char aggregated_type[] =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
static const char aggregated_beta_type[] =
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

static const char all_verbs[] = "\"create\",\"delete\",\"deletecollection\",\"get\",\"list\","
                                "\"patch\",\"update\",\"watch\"";

/* Subresources beside status and scale. */
static const struct extra {
    const char *kind, *sub, *group, *version, *response, *verbs;
} extras[] = {
    {"Pod", "log", "", "v1", "Pod", "\"get\""},
    {"Pod", "eviction", "policy", "v1", "Eviction", "\"create\""},
    {"Pod", "binding", "", "v1", "Binding", "\"create\""},
    {"Namespace", "finalize", "", "v1", "Namespace", "\"update\""},
    {"ServiceAccount", "token", "authentication.k8s.io", "v1", "TokenRequest", "\"create\""},
};

static const char *verbs_of(const struct sb_kind *k)
{
    return k->is_virtual ? "\"create\"" : all_verbs;
}

static void add_words(const char *key, str words, struct buf *out)
{
    bool is_first = true;

    if (!words.len)
        return;
    buf_addf(out, ",\"%s\":[", key);
    while (words.p) {
        str word = str_cut(words, ' ', &words);

        buf_addf(out, "%s\"%.*s\"", is_first ? "" : ",", STR_ARG(word));
        is_first = false;
    }
    buf_add_char(out, ']');
}

/* Calls fn for each subresource of k. */
typedef void sub_fn(const struct sb_kind *k, const struct extra *sub, struct buf *out);
static void each_sub(const struct sb_kind *k, sub_fn *fn, struct buf *out)
{
    if (k->has_scale) {
        struct extra scale = {"",   "scale", "autoscaling",
                              "v1", "Scale", "\"get\",\"patch\",\"update\""};

        fn(k, &scale, out);
    }
    if (k->has_status) {
        struct extra status = {"", "status", NULL, NULL, NULL, "\"get\",\"patch\",\"update\""};

        fn(k, &status, out);
    }
    for (size_t i = 0; i < ARRAY_LEN(extras); i++)
        if (!k->group.len && str_eq(k->kind, str_of(extras[i].kind)))
            fn(k, &extras[i], out);
}

/* ---- the classic form */

static void classic_sub(const struct sb_kind *k, const struct extra *sub, struct buf *out)
{
    buf_addf(out, ",{\"name\":\"%.*s/%s\",\"singularName\":\"\",\"namespaced\":%s,",
             STR_ARG(k->res->plural), sub->sub, k->namespaced ? "true" : "false");
    if (sub->response)
        buf_addf(out, "\"group\":\"%s\",\"version\":\"%s\",\"kind\":\"%s\"", sub->group,
                 sub->version, sub->response);
    else
        buf_addf(out, "\"kind\":\"%.*s\"", STR_ARG(k->kind));
    buf_addf(out, ",\"verbs\":[%s]}", sub->verbs);
}

static void resource_list(struct sb_req *r, str group, str version)
{
    bool is_first = true;

    buf_addf(&r->out,
             "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":"
             "\"%.*s%s%.*s\",\"resources\":[",
             STR_ARG(group), group.len ? "/" : "", STR_ARG(version));
    for (size_t i = 0; i < r->sb->kinds.len; i++) {
        const struct sb_kind *k = r->sb->kinds.v[i];

        if (!k->is_served || !str_eq(k->group, group) || !str_eq(k->version, version))
            continue;
        buf_addf(&r->out,
                 "%s{\"name\":\"%.*s\",\"singularName\":\"%.*s\",\"namespaced\":%s,"
                 "\"kind\":\"%.*s\",\"verbs\":[%s]",
                 is_first ? "" : ",", STR_ARG(k->res->plural), STR_ARG(k->singular),
                 k->namespaced ? "true" : "false", STR_ARG(k->kind), verbs_of(k));
        add_words("shortNames", k->short_names, &r->out);
        add_words("categories", k->categories, &r->out);
        buf_add_cstr(&r->out, ",\"storageVersionHash\":\"\"}");
        each_sub(k, classic_sub, &r->out);
        is_first = false;
    }
    buf_add_cstr(&r->out, "]}\n");
}

/* ---- groups and their versions */

static bool is_first_of_group(const struct sandbox *sb, size_t at)
{
    if (!sb->kinds.v[at]->is_served)
        return false;
    for (size_t i = 0; i < at; i++)
        if (sb->kinds.v[i]->is_served && str_eq(sb->kinds.v[i]->group, sb->kinds.v[at]->group))
            return false;
    return true;
}

static bool is_first_of_version(const struct sandbox *sb, size_t at)
{
    if (!sb->kinds.v[at]->is_served)
        return false;
    for (size_t i = 0; i < at; i++)
        if (sb->kinds.v[i]->is_served && str_eq(sb->kinds.v[i]->group, sb->kinds.v[at]->group) &&
            str_eq(sb->kinds.v[i]->version, sb->kinds.v[at]->version))
            return false;
    return true;
}

static void group_of(const struct sandbox *sb, str group, struct buf *out)
{
    AUTO(buf_done) struct buf preferred = {0};

    buf_addf(out, "{\"name\":\"%.*s\",\"versions\":[", STR_ARG(group));
    for (size_t i = 0; i < sb->kinds.len; i++) {
        const struct sb_kind *k = sb->kinds.v[i];
        AUTO(buf_done) struct buf row = {0};

        if (!str_eq(k->group, group) || !is_first_of_version(sb, i))
            continue;
        buf_addf(&row, "{\"groupVersion\":\"%.*s/%.*s\",\"version\":\"%.*s\"}", STR_ARG(group),
                 STR_ARG(k->version), STR_ARG(k->version));
        if (preferred.len)
            buf_add_char(out, ',');
        else
            buf_add_str(&preferred, buf_view(&row));
        buf_add_str(out, buf_view(&row));
    }
    buf_addf(out, "],\"preferredVersion\":%s}", buf_cstr(&preferred));
}

static void group_list(struct sb_req *r)
{
    bool is_first = true;

    buf_add_cstr(&r->out, "{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[");
    for (size_t i = 0; i < r->sb->kinds.len; i++) {
        if (!r->sb->kinds.v[i]->group.len || !is_first_of_group(r->sb, i))
            continue;
        if (!is_first)
            buf_add_char(&r->out, ',');
        group_of(r->sb, r->sb->kinds.v[i]->group, &r->out);
        is_first = false;
    }
    buf_add_cstr(&r->out, "]}\n");
}

static bool has_group(const struct sandbox *sb, str group, str version)
{
    for (size_t i = 0; i < sb->kinds.len; i++)
        if (sb->kinds.v[i]->is_served && str_eq(sb->kinds.v[i]->group, group) &&
            (!version.p || str_eq(sb->kinds.v[i]->version, version)))
            return true;
    return false;
}

/* ---- the aggregated form */

static void aggregated_sub(const struct sb_kind *k, const struct extra *sub, struct buf *out)
{
    str group = sub->response ? str_of(sub->group) : k->group;
    str version = sub->response ? str_of(sub->version) : k->version;
    str kind = sub->response ? str_of(sub->response) : k->kind;

    if (out->p[out->len - 1] == '}')
        buf_add_char(out, ',');
    buf_addf(out,
             "{\"subresource\":\"%s\",\"responseKind\":{\"group\":\"%.*s\",\"version\":\"%.*s\","
             "\"kind\":\"%.*s\"},\"verbs\":[%s]}",
             sub->sub, STR_ARG(group), STR_ARG(version), STR_ARG(kind), sub->verbs);
}

static void aggregated_kind(const struct sb_kind *k, struct buf *out)
{
    buf_addf(out,
             "{\"resource\":\"%.*s\",\"responseKind\":{\"group\":\"%.*s\",\"version\":\"%.*s\","
             "\"kind\":\"%.*s\"},\"scope\":\"%s\",\"singularResource\":\"%.*s\",\"verbs\":[%s]",
             STR_ARG(k->res->plural), STR_ARG(k->group), STR_ARG(k->version), STR_ARG(k->kind),
             k->namespaced ? "Namespaced" : "Cluster", STR_ARG(k->singular), verbs_of(k));
    add_words("shortNames", k->short_names, out);
    add_words("categories", k->categories, out);
    buf_add_cstr(out, ",\"subresources\":[");
    each_sub(k, aggregated_sub, out);
    buf_add_cstr(out, "]}");
}

static void aggregated_version(const struct sandbox *sb, str group, str version, struct buf *out)
{
    bool is_first = true;

    buf_addf(out, "{\"version\":\"%.*s\",\"resources\":[", STR_ARG(version));
    for (size_t i = 0; i < sb->kinds.len; i++) {
        const struct sb_kind *k = sb->kinds.v[i];

        if (!k->is_served || !str_eq(k->group, group) || !str_eq(k->version, version))
            continue;
        if (!is_first)
            buf_add_char(out, ',');
        aggregated_kind(k, out);
        is_first = false;
    }
    buf_add_cstr(out, "],\"freshness\":\"Current\"}");
}

static void aggregated_group(const struct sandbox *sb, str group, struct buf *out)
{
    bool is_first = true;

    buf_addf(out, "{\"metadata\":{\"name\":\"%.*s\",\"creationTimestamp\":null},\"versions\":[",
             STR_ARG(group));
    for (size_t i = 0; i < sb->kinds.len; i++) {
        if (!str_eq(sb->kinds.v[i]->group, group) || !is_first_of_version(sb, i))
            continue;
        if (!is_first)
            buf_add_char(out, ',');
        aggregated_version(sb, group, sb->kinds.v[i]->version, out);
        is_first = false;
    }
    buf_add_cstr(out, "]}");
}

static bool aggregated(struct sb_req *r, bool is_core)
{
    bool is_beta = !str_contains(r->accept, STR("v=v2;")), is_first = true;

    if (!str_contains(r->accept, STR("as=APIGroupDiscoveryList")))
        return false;
    r->content_type_out = is_beta ? aggregated_beta_type : aggregated_type;
    buf_addf(&r->out,
             "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/%s\","
             "\"metadata\":{},\"items\":[",
             is_beta ? "v2beta1" : "v2");
    for (size_t i = 0; i < r->sb->kinds.len; i++) {
        str group = r->sb->kinds.v[i]->group;

        if ((group.len == 0) != is_core || !is_first_of_group(r->sb, i))
            continue;
        if (!is_first)
            buf_add_char(&r->out, ',');
        aggregated_group(r->sb, group, &r->out);
        is_first = false;
    }
    buf_add_cstr(&r->out, "]}\n");
    return true;
}

/* ---- */

static void version(struct sb_req *r)
{
    buf_add_cstr(&r->out,
                 "{\"major\":\"1\",\"minor\":\"34\",\"gitVersion\":\"" SB_VERSION
                 "\",\"gitCommit\":\"\",\"gitTreeState\":\"clean\",\"buildDate\":"
                 "\"1970-01-01T00:00:00Z\",\"goVersion\":\"\",\"compiler\":\"gcc\",\"platform\":"
                 "\"linux/amd64\"}\n");
}

static void core_versions(struct sb_req *r)
{
    buf_addf(&r->out,
             "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],\"serverAddressByClientCIDRs\":"
             "[{\"clientCIDR\":\"0.0.0.0/0\",\"serverAddress\":\"127.0.0.1:%u\"}]}\n",
             r->sb->server ? sandbox_port(r->sb) : 0);
}

static int group_or_fail(struct sb_req *r)
{
    str group = r->segments[1];

    if (!has_group(r->sb, group, STR_NONE))
        return 1;
    buf_add_cstr(&r->out, "{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",");
    {
        AUTO(buf_done) struct buf text = {0};

        group_of(r->sb, group, &text);
        buf_add_str(&r->out, str_from(buf_view(&text), 1));
    }
    buf_add_char(&r->out, '\n');
    return 0;
}

static int do_apis(struct sb_req *r)
{
    if (r->segment_count == 1) {
        if (!aggregated(r, false))
            group_list(r);
        return 0;
    }
    if (r->segment_count == 2)
        return group_or_fail(r);
    if (r->segment_count != 3 || !has_group(r->sb, r->segments[1], r->segments[2]))
        return 1;
    resource_list(r, r->segments[1], r->segments[2]);
    return 0;
}

int sb_do_discovery(struct sb_req *r)
{
    str first = r->segment_count ? r->segments[0] : STR_NONE;

    r->status = 200;
    if (str_eq(first, STR("apis")))
        return do_apis(r);
    if (str_eq(first, STR("openapi")))
        return sb_do_openapi(r);
    if (str_eq(first, STR("version")) && r->segment_count == 1) {
        version(r);
        return 0;
    }
    if (str_eq(first, STR("healthz")) || str_eq(first, STR("readyz")) ||
        str_eq(first, STR("livez"))) {
        r->content_type_out = "text/plain; charset=utf-8";
        buf_add_cstr(&r->out, "ok");
        return 0;
    }
    if (!str_eq(first, STR("api")))
        return 1;
    if (r->segment_count == 1) {
        if (!aggregated(r, true))
            core_versions(r);
        return 0;
    }
    if (r->segment_count != 2 || !str_eq(r->segments[1], STR("v1")))
        return 1;
    resource_list(r, STR_NONE, STR("v1"));
    return 0;
}
