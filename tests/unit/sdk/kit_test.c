#include <grapnel/fn.h>

#include "base/buf.h"
#include "support/test.h"

/* The kit as authors of functions see it: nothing but its header. */

static const char list[] = "apiVersion: config.kubernetes.io/v1\n"
                           "kind: ResourceList\n"
                           "items:\n"
                           "- # head\n"
                           "  apiVersion: apps/v1\n"
                           "  kind: Deployment # kind\n"
                           "  metadata:\n"
                           "    name: web\n"
                           "    labels: {app: web}\n"
                           "    annotations:\n"
                           "      internal.config.kubernetes.io/path: 'a/d.yaml'\n"
                           "      internal.config.kubernetes.io/index: '2'\n"
                           "  spec:\n"
                           "    replicas: 3 # few\n"
                           "    template:\n"
                           "      spec:\n"
                           "        containers: # c\n"
                           "        - name: main\n"
                           "          image: 'nginx:1' # pinned\n"
                           "        - name: side\n"
                           "- apiVersion: v1\n"
                           "  kind: Namespace\n"
                           "  metadata:\n"
                           "    name: prod\n"
                           "functionConfig:\n"
                           "  apiVersion: v1\n"
                           "  kind: ConfigMap\n"
                           "  metadata:\n"
                           "    name: config\n"
                           "  data:\n"
                           "    size: 5\n"
                           "    odd: x\n";

static void ctx_free(gfn_ctx *ctx) { gfn_free(ctx); }
AUTO_PTR(gfn_ctx, ctx_free)

static gfn_ctx *read_list(void) { return gfn_read(list, sizeof(list) - 1); }

static bool has_line(gfn_ctx *ctx, const char *line)
{
    str text = str_of(gfn_write(ctx, NULL)), l;

    while (str_next_line(&text, &l))
        if (str_eq(l, str_of(line)))
            return true;
    return false;
}

TEST(kit_gives_back_what_it_read)
{
    AUTO(ctx_free) gfn_ctx *ctx = read_list();

    CHECK(!gfn_has_failed(ctx));
    CHECK_STR(str_of(gfn_write(ctx, NULL)), str_of(list), "unchanged");
}

TEST(kit_reads_by_path)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"spec.replicas", "3"},
        {"spec.template.spec.containers[0].image", "nginx:1"},
        {"spec.template.spec.containers[name=side].name", "side"},
        {"metadata.annotations.internal\\.config\\.kubernetes\\.io/index", "2"},
        {"metadata.annotations[\"internal.config.kubernetes.io/path\"]", "a/d.yaml"},
        {"metadata.labels['app']", "web"},
        {"spec.template.spec.containers[2].image", "none"},
        {"spec.replicas.x", "none"},
        {"spec..replicas", "none"},
        {"spec.", "none"},
        {"spec[", "none"},
        {"spec[x]", "none"},
        {"metadata", "none"},
    };
    AUTO(ctx_free) gfn_ctx *ctx = read_list();

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_STR(str_of(gfn_get_str(gfn_item(ctx, 0), rows[i].path, "none")), str_of(rows[i].want),
                  rows[i].path);
    CHECK(gfn_get_int(gfn_item(ctx, 0), "spec.replicas", 0) == 3);
    CHECK(gfn_len(gfn_get_list(gfn_item(ctx, 0), "spec.template.spec.containers")) == 2);
    CHECK(!gfn_exists(gfn_get(gfn_get(gfn_item(ctx, 9), "a"), "b")));
}

TEST(kit_knows_what_objects_have)
{
    AUTO(ctx_free) gfn_ctx *ctx = read_list();
    gfn_node web = gfn_item(ctx, 0), prod = gfn_item(ctx, 1);

    CHECK_STR(str_of(gfn_group(web)), STR("apps"), "group");
    CHECK_STR(str_of(gfn_namespace(web)), STR(""), "namespace");
    CHECK_STR(str_of(gfn_path(web)), STR("a/d.yaml"), "path");
    CHECK(gfn_index(web) == 2);
    CHECK(gfn_is_namespaced(web) == 1 && gfn_is_namespaced(prod) == 0);
    CHECK(!gfn_label(web, "none"));
    CHECK(gfn_find(ctx, "apps", "Deployment", "", "web").at == web.at);
    CHECK(!gfn_exists(gfn_find(ctx, "", "Deployment", NULL, "web")));
    CHECK(gfn_find(ctx, NULL, NULL, NULL, "prod").at == prod.at);
}

TEST(kit_sets_values_and_keeps_what_is_around_them)
{
    AUTO(ctx_free) gfn_ctx *ctx = read_list();
    gfn_node web = gfn_item(ctx, 0);

    CHECK(gfn_set_int(web, "spec.replicas", 3) == 0);
    CHECK_STR(str_of(gfn_write(ctx, NULL)), str_of(list), "the same value");
    CHECK(gfn_set_int(web, "spec.replicas", 5) == 0);
    CHECK(has_line(ctx, "    replicas: 5 # few"));
    CHECK(gfn_set_str(web, "spec.template.spec.containers[0].image", "nginx:2") == 0);
    CHECK(has_line(ctx, "          image: 'nginx:2' # pinned"));
    CHECK(gfn_set_str(web, "spec.template.spec.containers[1].image", "5") == 0);
    CHECK(has_line(ctx, "          image: \"5\""));
    CHECK(gfn_set_plain(web, "spec.template.spec.containers[2].port", "80") == 0);
    CHECK(has_line(ctx, "        - port: 80"));
    CHECK(gfn_set_label(web, "tier", "db") == 0);
    CHECK(has_line(ctx, "    labels: {app: web, tier: db}"));
    CHECK(gfn_set_bool(web, "spec.a.b[name=x].on", true) == 0);
    CHECK(has_line(ctx, "      - name: x"));
    CHECK(gfn_delete(web, "spec.a") == 0 && gfn_delete(web, "spec.a") == 0);
    CHECK(!has_line(ctx, "      - name: x"));
    CHECK(!gfn_has_failed(ctx));
}

TEST(kit_says_why_a_field_cannot_be_set)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"spec.replicas.x", "spec.replicas.x: expected a mapping on the way"},
        {"spec.template.spec.containers[7].x",
         "spec.template.spec.containers[7].x: the list has 2 items"},
        {"spec.template[0]", "spec.template[0]: expected a list on the way"},
        {"a..b", "a..b: the path makes no sense"},
    };
    AUTO(ctx_free) gfn_ctx *ctx = read_list();

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        gfn_node last;

        CHECK(gfn_set_str(gfn_item(ctx, 0), rows[i].path, "v") == -1);
        last = gfn_get(gfn_results(ctx), gfn_printf(ctx, "[%zu].message", i));
        CHECK_STR(str_of(gfn_text(last)), str_of(rows[i].want), rows[i].path);
    }
    CHECK(gfn_has_failed(ctx));
    CHECK_STR(str_of(gfn_yaml(gfn_get(gfn_results(ctx), "[0].file"))),
              STR("path: a/d.yaml\nindex: 2\n"), "file");
}

static int collect(void *user, gfn_node node, const char *path)
{
    if (gfn_is_scalar(node))
        buf_addf(user, "%s=%s%s ", path, gfn_text(node), gfn_line_comment(node) ? "#" : "");
    return strcmp(path, "metadata") == 0 ? GFN_WALK_SKIP : GFN_WALK_ON;
}

TEST(kit_walks_and_changes_comments)
{
    AUTO(ctx_free) gfn_ctx *ctx = read_list();
    AUTO(buf_done) struct buf seen = {0};
    gfn_node web = gfn_item(ctx, 0);

    CHECK(gfn_walk(web, collect, &seen) == 0);
    CHECK_STR(buf_view(&seen),
              STR("apiVersion=apps/v1 kind=Deployment# spec.replicas=3# "
                  "spec.template.spec.containers[0].name=main "
                  "spec.template.spec.containers[0].image=nginx:1# "
                  "spec.template.spec.containers[1].name=side "),
              "walk");
    CHECK_STR(str_of(gfn_line_comment(gfn_get(web, "spec.template.spec.containers"))), STR("c"),
              "key");
    gfn_set_line_comment(gfn_get(web, "spec.template.spec.containers"), "two");
    gfn_set_line_comment(gfn_get(web, "spec.replicas"), NULL);
    gfn_set_head_comment(gfn_get(web, "spec.replicas"), "one\nmore");
    CHECK(has_line(ctx, "        containers: # two"));
    CHECK(has_line(ctx, "    # more") && has_line(ctx, "    replicas: 3"));
}

TEST(kit_adds_and_removes_items)
{
    AUTO(ctx_free) gfn_ctx *ctx = read_list();
    gfn_iter it = gfn_items(ctx);
    size_t met = 0;

    while (gfn_next(&it)) {
        met++;
        if (gfn_is(it.node, "", "Namespace"))
            gfn_add_item(ctx, gfn_parse(ctx, "{apiVersion: v1, kind: X, metadata: {name: n}}"));
        if (gfn_is(it.node, NULL, "Deployment"))
            CHECK(gfn_remove_item(ctx, it.node) == 0);
    }
    CHECK_INT((long long)met, 3, "items met");
    CHECK_INT((long long)gfn_item_count(ctx), 2, "items left");
    CHECK(has_line(ctx, "- {apiVersion: v1, kind: X, metadata: {name: n}}"));
    CHECK(!has_line(ctx, "  kind: Deployment # kind"));
    CHECK(gfn_exists(gfn_item(ctx, 1)) && !gfn_exists(gfn_item(ctx, 2)));
}

static int strict(gfn_ctx *ctx)
{
    static const gfn_field fields[] = {{"size", GFN_STRING, true}, {"name", GFN_STRING, true}};

    return gfn_config_strict(ctx, fields, ARRAY_LEN(fields));
}

TEST(kit_judges_the_configuration)
{
    static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}}, others[] = {{"x/v1", "Other"}};
    gfn_desc d = {.name = "t", .run = strict, .kinds = kinds, .kind_count = 1};
    AUTO(ctx_free) gfn_ctx *ctx = read_list();

    CHECK_STR(str_of(gfn_config_map(ctx, "size")), STR("5"), "size");
    CHECK(gfn_run(ctx, &d) == -1);
    CHECK_STR(str_of(gfn_get_str(gfn_results(ctx), "[0].message", "")),
              STR("functionConfig: unknown field \"odd\""), "unknown");
    CHECK_STR(str_of(gfn_get_str(gfn_results(ctx), "[1].message", "")),
              STR("functionConfig: field \"name\" is required"), "missing");
    gfn_free(ctx);
    ctx = read_list();
    d.kinds = others;
    CHECK(gfn_run(ctx, &d) == -1);
    CHECK_STR(str_of(gfn_get_str(gfn_results(ctx), "[0].message", "")),
              STR("functionConfig must be x/v1 Other, found v1 ConfigMap"), "kind");
}

TEST(kit_refuses_what_is_no_resource_list)
{
    static const char no_items[] =
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {}\n";
    static const char *const rows[] = {"", "a: [", "kind: ResourceList\n", "- 1\n", no_items};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(ctx_free) gfn_ctx *ctx = gfn_read(rows[i], strlen(rows[i]));

        CHECK(gfn_has_failed(ctx));
        CHECK(str_contains(str_of(gfn_write(ctx, NULL)), STR("severity: error")));
    }
}

TEST(kit_matches_globs)
{
    static const struct {
        const char *pattern, *path;
        bool want;
    } rows[] = {
        {"a/*.yaml", "a/x.yaml", true},
        {"a/*.yaml", "a/b/x.yaml", false},
        {"**/*.yaml", "x.yaml", true},
        {"**/*.yaml", "a/b/x.yaml", true},
        {"a/**", "a/b/c", true},
        {"a/**/z", "a/z", true},
        {"?.yaml", "ab.yaml", false},
        {"[a-c].y", "b.y", true},
        {"[!a-c].y", "b.y", false},
        {"{a,b/*}.y", "b/c.y", true},
        {"{a,b}.y", "c.y", false},
        {"x{a,{b,c}}", "xc", true},
        {"\\*", "*", true},
        {"\\*", "x", false},
        {"[", "[", false},
        {"{a", "{a", false},
        {"**a**a**a**a**b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(gfn_glob(rows[i].pattern, rows[i].path), rows[i].want, rows[i].pattern);
}

TEST(kit_selects_and_searches)
{
    AUTO(ctx_free) gfn_ctx *ctx = read_list();
    gfn_regex *re = gfn_regex_new(ctx, "(\\w+):(\\d)?");
    gfn_selector s = {.labels = gfn_labels_parse(ctx, "app in (web, api),!old")};
    const char *groups[4] = {NULL};

    CHECK(gfn_match(gfn_item(ctx, 0), &s) && !gfn_match(gfn_item(ctx, 1), &s));
    s.name = "other";
    CHECK(!gfn_match(gfn_item(ctx, 0), &s));
    CHECK(gfn_regex_groups(re) == 2 && gfn_regex_find(re, "x nginx: y", groups, 4));
    CHECK_STR(str_of(groups[1]), STR("nginx"), "group");
    CHECK(!groups[2] && !groups[3]);
    CHECK_STR(str_of(gfn_regex_replace(re, "a:1 b:2", "${2}$$")), STR("1$ 2$"), "replace");
    CHECK(!gfn_has_failed(ctx));
    CHECK(!gfn_regex_new(ctx, "(") && !gfn_labels_parse(ctx, "a in ("));
    CHECK(gfn_has_failed(ctx));
}
