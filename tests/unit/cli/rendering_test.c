/* What install and template do before anything is sent: post-renderers, names of hosts, what a
 * template prints of a release. */
#include <sys/stat.h>

#include "cli/go_template.h"
#include "support/test.h"
#include "sys/file.h"
#include "unit/cli/releases.h"

#define HOOK                                                                            \
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: h, annotations: {helm.sh/hook: " \
    "pre-install}}\ndata: {color: red}\n"

/* A program that makes red green and adds a document; in the test's folder. */
static void post_renderer(struct buf *path, const char *script)
{
    AUTO(err_done) struct err e = {0};

    buf_addf(path, "%s/post", test_tmp());
    CHECK(file_replace(buf_cstr(path), str_of(script), NULL, &e) == 0);
    CHECK_INT(chmod(buf_cstr(path), 0755), 0, "chmod");
}
#define MAKES_GREEN "#!/bin/sh\nsed s/red/green/\nprintf -- '---\\nkind: Made\\n'\n"

static const struct chart_manifest *find(const struct chart_manifest *v, size_t count,
                                         const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(v[i].path, str_of(path)))
            return &v[i];
    return NULL;
}

TEST(a_post_renderer_sees_hooks_as_the_strategy_says)
{
    static const struct {
        enum chart_post_strategy strategy;
        const char *hook, *made; /* color of the hook; a document that was made up */
        size_t manifests;
    } rows[] = {
        {CHART_POST_COMBINED, "green", "generated-by-postrender-2.yaml", 2},
        {CHART_POST_SEPARATE, "green", "generated-by-postrender-hooks-1.yaml", 3},
        {CHART_POST_SEPARATE, "green", "generated-by-postrender-manifests-1.yaml", 3},
        {CHART_POST_NO_HOOKS, "red", "generated-by-postrender-manifests-1.yaml", 2},
    };
    AUTO(buf_done) struct buf path = {0};

    post_renderer(&path, MAKES_GREEN);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(world_done) struct world w = {0};
        AUTO(plan_done) struct plan p = {0};
        AUTO(chart_release_done) struct chart_release r = {0};
        const struct chart_manifest *own;

        plan(&w, &p, COLORED, HOOK, NULL, NULL);
        p.op.dry_run = CHART_DRY_CLIENT;
        p.op.post_renderer = buf_cstr(&path);
        p.op.post_strategy = rows[i].strategy;
        CHECK_INT(chart_template(&p.op, false, &r, &w.e), 0, err_text(&w.e));
        CHECK_INT((long long)r.manifests.len, (long long)rows[i].manifests, rows[i].made);
        CHECK(find(r.manifests.v, r.manifests.len, rows[i].made) != NULL);
        own = find(r.manifests.v, r.manifests.len, "web/templates/a.yaml");
        CHECK(own && str_contains(own->text, STR("green")));
        CHECK(own && !str_contains(own->text, STR("postrender-filename")));
        CHECK_INT((long long)r.hooks.len, 1, rows[i].made);
        CHECK(r.hooks.len && str_contains(r.hooks.v[0].text, str_of(rows[i].hook)));
    }
}

TEST(a_post_renderer_that_fails_is_named_with_what_it_said)
{
    static const struct {
        const char *script;
        enum chart_post_strategy strategy;
        const char *says;
    } rows[] = {
        {"#!/bin/sh\necho no good >&2\nexit 3\n", CHART_POST_COMBINED,
         "error while running post render on files: error while running command "},
        {"#!/bin/sh\necho no good >&2\nexit 3\n", CHART_POST_SEPARATE,
         "error while running post render on hooks: error while running command "},
        {"#!/bin/sh\ncat >/dev/null\n", CHART_POST_NO_HOOKS, "produced empty output"},
        {"#!/bin/sh\ncat >/dev/null; echo 'a: b: c'\n", CHART_POST_COMBINED,
         "the post-renderer's output"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(world_done) struct world w = {0};
        AUTO(plan_done) struct plan p = {0};
        AUTO(chart_release_done) struct chart_release r = {0};
        AUTO(buf_done) struct buf path = {0};

        post_renderer(&path, rows[i].script);
        plan(&w, &p, COLORED, HOOK, NULL, NULL);
        p.op.dry_run = CHART_DRY_CLIENT;
        p.op.post_renderer = buf_cstr(&path);
        p.op.post_strategy = rows[i].strategy;
        CHECK_INT(chart_template(&p.op, false, &r, &w.e), -1, rows[i].says);
        CHECK(str_contains(str_of(err_text(&w.e)), str_of(rows[i].says)));
        if (i < 2)
            CHECK(str_contains(str_of(err_text(&w.e)), STR("no good: exit status 3")));
    }
}

/* Addresses need no name server. */
TEST(names_of_hosts_are_looked_up_only_when_that_is_asked)
{
    static const char *const manifest = "kind: A\nat: '{{ getHostByName \"127.0.0.1\" }}'\n";
    static const char *const nowhere = "kind: A\nat: '{{ getHostByName \"\" }}'\n";

    for (int enabled = 0; enabled < 3; enabled++) {
        AUTO(world_done) struct world w = {0};
        AUTO(plan_done) struct plan p = {0};
        AUTO(chart_release_done) struct chart_release r = {0};

        plan(&w, &p, enabled == 2 ? nowhere : manifest, NULL, NULL, NULL);
        p.op.dry_run = CHART_DRY_CLIENT;
        p.op.enables_dns = enabled > 0;
        CHECK_INT(chart_template(&p.op, false, &r, &w.e), enabled == 2 ? -1 : 0, err_text(&w.e));
        if (enabled == 2)
            CHECK(str_contains(str_of(err_text(&w.e)), STR("no address of \"\" is known")));
        else
            CHECK(str_contains(r.manifests.v[0].text,
                               enabled ? STR("at: '127.0.0.1'") : STR("at: ''")));
    }
}

TEST(a_template_on_the_server_sees_what_is_there_and_what_is_in_the_way)
{
    static const char *const manifest =
        COLORED "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: seen}\ndata: {ns: '{{ "
                "(lookup \"v1\" \"Namespace\" \"\" \"default\").metadata.name }}', v: '{{ "
                ".Capabilities.KubeVersion }}'}\n";
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0}, again = {0}, upgrade = {0};
    AUTO(chart_release_done) struct chart_release r = {0}, other = {0}, more = {0};
    AUTO(buf_done) struct buf printed = {0};

    world_start(&w, NULL);
    install(&w, COLORED);
    plan(&w, &p, manifest, NULL, NULL, NULL);
    p.op.dry_run = CHART_DRY_SERVER;
    p.op.outputs = &printed;
    CHECK_INT(chart_template(&p.op, false, &r, &w.e), 0, err_text(&w.e));
    CHECK(str_contains(buf_view(&printed), STR("ns: 'default', v: 'v1.")));
    CHECK(!HAS_CM(&w, "seen", ""));
    plan(&w, &again, manifest, NULL, NULL, NULL);
    again.op.dry_run = CHART_DRY_SERVER;
    again.op.name = STR("other");
    CHECK_INT(chart_template(&again.op, false, &other, &w.e), -1, "somebody else's");
    CHECK(str_contains(str_of(err_text(&w.e)), STR("unable to continue with install: ConfigMap "
                                                   "\"cm\" in namespace \"default\" exists")));
    err_done(&w.e);
    plan(&w, &upgrade, manifest, NULL, NULL, NULL);
    upgrade.op.dry_run = CHART_DRY_SERVER;
    upgrade.op.name = STR("other");
    CHECK_INT(chart_template(&upgrade.op, true, &more, &w.e), 0, err_text(&w.e));
}

TEST(a_release_prints_through_a_template_by_the_names_of_go)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.Version }}", "web default 1"},
        {"{{ .Release.Info.Status }}: {{ .Release.Info.Description }}",
         "deployed: Install complete"},
        {"{{ .Release.Chart.Metadata.APIVersion }} {{ .Release.Chart.Values.color }}", "v2 red"},
        {"{{ range .Release.Hooks }}{{ .Name }} {{ .Weight }} {{ .Events }} {{ .DeletePolicies }} "
         "{{ .LastRun.Phase }}{{ end }}",
         "h 0 [pre-install] [before-hook-creation] Succeeded"},
        {"{{ .Release.Labels.owner }} {{ .Release.Config }} {{ .Release.ApplyMethod }}",
         "helm map[] ssa"},
        {"{{ slice .Release.Info.LastDeployed 0 2 }}", "20"},
    };
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0};
    AUTO(chart_store_free) struct chart_store *store = NULL;
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    world_start(&w, NULL);
    plan(&w, &p, COLORED, HOOK, NULL, NULL);
    CHECK_INT(chart_install(&p.op, &p.record, &w.e), 0, err_text(&w.e));
    store = chart_store_new(w.kube, STR("default"), CHART_SECRETS);
    CHECK_INT(chart_store_get(store, STR("web"), 0, NULL, &r, &w.e), 0, err_text(&w.e));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        CHECK_INT(cli_go_template(str_of(rows[i].text), cli_release_dot(&r, set), &out, &w.e), 0,
                  err_text(&w.e));
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].text);
    }
    {
        AUTO(buf_done) struct buf out = {0};

        CHECK_INT(cli_go_template(STR("{{ .Release"), cli_release_dot(&r, set), &out, &w.e), -1,
                  "unclosed");
        CHECK(str_contains(str_of(err_text(&w.e)), STR("unclosed action")));
    }
}
