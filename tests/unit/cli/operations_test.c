/* Operations on releases in this process, against the sandbox: only the folder of the commands may
 * use both (helm spec 7, 8, 10, 12, 13). Beside the helm CLI they are tried in tests/scenarios. */
#include "support/clock_jump.h"
#include "support/test.h"
#include "unit/cli/releases.h"

static void jump(struct world *w UNUSED) { clock_jump(2 * CLOCK_HOUR); }
static void trigger(struct world *w) { cancel_trigger(w->soon, ERR_CANCELED, "seen enough"); }

TEST(a_release_is_installed_upgraded_rolled_back_and_removed)
{
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0}, back = {0}, gone = {0};
    AUTO(buf_done) struct buf kept = {0};
    struct chart_uninstall_options options = {0};

    world_start(&w, NULL);
    install(&w, COLORED "---\n" CM("old", "x"));
    CHECK(HAS_CM(&w, "cm", "\"color\":\"red\""));
    CHECK(HAS_CM(&w, "cm", "\"app.kubernetes.io/managed-by\":\"Helm\""));
    plan(&w, &p, COLORED "---\n" CM("new", "x"), NULL, NULL, "color: blue");
    CHECK(chart_upgrade(&p.op, NULL, &p.record, &w.e) == 0);
    CHECK_OK(&w.e);
    CHECK(HAS_CM(&w, "cm", "\"color\":\"blue\"") && HAS_CM(&w, "new", "x"));
    CHECK(!HAS_CM(&w, "old", ""));
    CHECK_INT(status_of(&w, 1), CHART_SUPERSEDED, "first");
    back.op = p.op;
    CHECK(chart_rollback(&back.op, 0, &back.record, &w.e) == 0);
    CHECK(HAS_CM(&w, "cm", "\"color\":\"red\"") && HAS_CM(&w, "old", "x"));
    CHECK_INT(status_of(&w, 3), CHART_DEPLOYED, "third");
    CHECK_STR(chart_record_description(&back.record), STR("Rollback to 1"), "description");
    gone.op = p.op;
    CHECK(chart_uninstall(&gone.op, &options, &gone.record, &kept, &w.e) == 0);
    CHECK_OK(&w.e);
    CHECK(!HAS_CM(&w, "cm", "") && !HAS_CM(&w, "old", ""));
    CHECK_INT(status_of(&w, 0), CHART_UNKNOWN, "records");
}

TEST(a_client_patches_and_the_server_goes_on)
{
    static const char *const colors[] = {"color: blue", "color: green", "color: brown"};
    static const enum chart_side sides[] = {CHART_SIDE_CLIENT, CHART_SIDE_AUTO, CHART_SIDE_SERVER};
    static const char *const want[] = {"csa", "csa", "ssa"};
    AUTO(world_done) struct world w = {0};

    world_start(&w, NULL);
    install(&w, COLORED "---\n" DEPLOYMENT("ok"));
    for (size_t i = 0; i < ARRAY_LEN(colors); i++) {
        AUTO(plan_done) struct plan p = {0};

        plan(&w, &p, COLORED "---\n" DEPLOYMENT("ok"), NULL, NULL, colors[i]);
        p.op.side = sides[i];
        p.op.force_replace = i == 1;
        CHECK(chart_upgrade(&p.op, NULL, &p.record, &w.e) == 0);
        CHECK_OK(&w.e);
        CHECK_STR(chart_record_apply_method(&p.record), str_of(want[i]), colors[i]);
        CHECK(HAS_CM(&w, "cm", colors[i] + sizeof("color:")));
    }
    CHECK(!HAS_CM(&w, "cm", "\"operation\":\"Update\""));
}

TEST(hooks_run_by_weight_and_go_by_their_policies)
{
#define HOOK(name, events, more)                              \
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name \
    ", annotations: {helm.sh/hook: '" events "'" more "}}\n---\n"
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0}, test = {0};
    AUTO(buf_done) struct buf logs = {0};
    struct chart_test_options options = {.logs = &logs};
    AUTO(chart_hooks_done) struct chart_hooks hooks = {0};

    world_start(&w, NULL);
    plan(&w, &p, COLORED,
         HOOK("late", "pre-install", ", helm.sh/hook-weight: '5'")
             HOOK("early", "pre-install",
                  ", helm.sh/hook-weight: '-5', "
                  "helm.sh/hook-delete-policy: hook-succeeded") HOOK("after", "post-install", "")
                 HOOK("try", "test", ""),
         NULL, NULL);
    CHECK(chart_install(&p.op, &p.record, &w.e) == 0);
    CHECK_OK(&w.e);
    CHECK_STR(buf_view(&w.told),
              STR("pre-install hook early\npre-install hook late\npost-install hook after\n"),
              "order");
    CHECK(!HAS_CM(&w, "early", "") && HAS_CM(&w, "late", "") && !HAS_CM(&w, "try", ""));
    CHECK(!HAS_CM(&w, "late", "managed-by"));
    test.op = p.op;
    CHECK(chart_test(&test.op, &options, &test.record, &w.e) == 0);
    CHECK(HAS_CM(&w, "try", ""));
    chart_record_hooks(&test.record, &hooks);
    CHECK_INT((long long)hooks.len, 4, "hooks");
    for (size_t i = 0; i < hooks.len; i++)
        CHECK_STR(hooks.v[i].phase, STR("Succeeded"), "phase");
}

TEST(a_hook_that_fails_ends_the_operation)
{
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0};

    world_start(&w, NULL);
    plan(&w, &p, COLORED,
         "apiVersion: v1\nkind: Pod\nmetadata: {name: bad, labels: {fate: fail}, annotations: "
         "{helm.sh/hook: pre-install, helm.sh/hook-delete-policy: hook-failed, "
         "helm.sh/hook-output-log-policy: hook-failed}}\nspec: {restartPolicy: Never, containers: "
         "[{name: c, image: i}]}\n",
         NULL, NULL);
    CHECK(chart_install(&p.op, &p.record, &w.e) < 0);
    CHECK(str_starts(str_of(err_text(&w.e)),
                     STR("failed pre-install: resource Pod/default/bad not ready. status: Failed, "
                         "message: pod bad failed\nPod/default/bad: container \"c\": Error")));
    CHECK_INT(status_of(&w, 1), CHART_FAILED, "record");
    CHECK(!HAS_CM(&w, "cm", "") && !has(&w, "v1", "Pod", "bad", "\"phase\""));
}

#define CRD                                                                                    \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: "   \
    "gizmos.example.com}\nspec: {group: example.com, scope: Namespaced, names: {kind: Gizmo, " \
    "plural: gizmos, singular: gizmo}, versions: [{name: v1, served: true, storage: true, "    \
    "schema: "                                                                                 \
    "{openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}\n"

TEST(crds_come_before_capabilities_and_lookup_finds_what_is_there)
{
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0};

    world_start(&w, NULL);
    CHECK(sandbox_put(w.sb,
                      STR("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":"
                          "\"seen\",\"namespace\":\"default\"},\"data\":{\"k\":\"found\"}}"),
                      &w.e) == 0);
    plan(&w, &p,
         "apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {generateName: g-}\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {api: '{{ "
         ".Capabilities.APIVersions.Has \"example.com/v1/Gizmo\" }}', look: '{{ (lookup \"v1\" "
         "\"ConfigMap\" \"default\" \"seen\").data.k }}', all: '{{ range (lookup \"v1\" "
         "\"ConfigMap\" \"default\" \"\").items }}{{ .metadata.name }} {{ end }}', none: '{{ "
         "lookup \"v1\" \"ConfigMap\" \"default\" \"nonesuch\" | empty }}'}\n",
         NULL, CRD, NULL);
    CHECK(chart_install(&p.op, &p.record, &w.e) == 0);
    CHECK_OK(&w.e);
    CHECK(HAS_CM(&w, "cm", "\"api\":\"true\"") && HAS_CM(&w, "cm", "\"look\":\"found\""));
    CHECK(HAS_CM(&w, "cm", "seen ") && HAS_CM(&w, "cm", "\"none\":\"true\""));
}

TEST(a_failed_upgrade_cleans_up_and_goes_back)
{
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0}, q = {0};

    clock_jumps_begin(NULL);
    w.on_unavailable = jump;
    world_start(&w, NULL);
    install(&w, COLORED);
    plan(&w, &p, COLORED "---\n" DEPLOYMENT("pull"), NULL, NULL, "color: blue");
    p.op.wait = CHART_WAIT_WATCHER;
    p.op.timeout_ms = CLOCK_HOUR;
    p.op.cleans_up = true;
    CHECK(chart_upgrade(&p.op, NULL, &p.record, &w.e) < 0);
    CHECK(str_starts(str_of(err_text(&w.e)),
                     STR("resource Deployment/default/d not ready. status: InProgress, message: "
                         "Available: 0/1\ncontext deadline exceeded\nDeployment/default/d: "
                         "container \"c\": ImagePullBackOff")));
    CHECK_STR(buf_view(&w.missing), STR("Deployment/default/d (Available: 0/1)"), "missing");
    CHECK(!has(&w, "apps/v1", "Deployment", "d", "\"replicas\""));
    CHECK_INT(status_of(&w, 2), CHART_FAILED, "second");
    CHECK_INT(status_of(&w, 1), CHART_DEPLOYED, "first");
    err_done(&w.e);
    plan(&w, &q, COLORED "---\n" DEPLOYMENT("pull"), NULL, NULL, "color: green");
    q.op.rolls_back = true;
    q.op.timeout_ms = CLOCK_HOUR;
    CHECK(chart_upgrade(&q.op, NULL, &q.record, &w.e) < 0);
    CHECK(str_contains(str_of(err_text(&w.e)), STR("has been rolled back due to")));
    CHECK_INT(status_of(&w, 4), CHART_DEPLOYED, "rollback");
    CHECK(HAS_CM(&w, "cm", "\"color\":\"red\""));
    clock_jumps_end();
}

TEST(helm_3_waits_by_polling)
{
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0}, q = {0};

    world_start(&w, NULL);
    plan(&w, &p, DEPLOYMENT("ok"), NULL, NULL, NULL);
    p.op.wait = CHART_WAIT_LEGACY;
    CHECK(chart_install(&p.op, &p.record, &w.e) == 0);
    CHECK_OK(&w.e);
    plan(&w, &q, DEPLOYMENT("pull"), NULL, NULL, NULL);
    q.op.wait = CHART_WAIT_LEGACY;
    q.op.timeout_ms = 300;
    CHECK(chart_upgrade(&q.op, NULL, &q.record, &w.e) < 0);
    CHECK(str_starts(str_of(err_text(&w.e)),
                     STR("context deadline exceeded\nDeployment/default/d: container \"c\": "
                         "ImagePullBackOff")));
}

TEST(values_of_an_upgrade_follow_the_flags)
{
    static const struct {
        enum chart_reuse reuse;
        const char *values, *color, *extra;
    } rows[] = {
        {CHART_REUSE_NONE, "{}", "\"color\":\"blue\"", "\"extra\":\"1\""},
        {CHART_REUSE_VALUES, "extra: 2", "\"color\":\"blue\"", "\"extra\":\"2\""},
        {CHART_REUSE_AFTER_RESET, "extra: 3", "\"color\":\"blue\"", "\"extra\":\"3\""},
        {CHART_REUSE_NONE, "extra: 4", "\"color\":\"red\"", "\"extra\":\"4\""},
        {CHART_REUSE_RESET, "{}", "\"color\":\"red\"", "\"extra\":\"\""},
    };
#define BOTH                                                                    \
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {color: '{{ " \
    ".Values.color }}', extra: '{{ .Values.extra }}'}\n"
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan first = {0};

    world_start(&w, NULL);
    plan(&w, &first, BOTH, NULL, NULL, "{color: blue, extra: 1}");
    first.op.installs = true;
    CHECK(chart_upgrade(&first.op, NULL, &first.record, &w.e) == 0);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(plan_done) struct plan p = {0};

        plan(&w, &p, BOTH, NULL, NULL, rows[i].values);
        p.op.reuse = rows[i].reuse;
        p.op.history_max = 2;
        CHECK(chart_upgrade(&p.op, NULL, &p.record, &w.e) == 0);
        CHECK_OK(&w.e);
        CHECK(HAS_CM(&w, "cm", rows[i].color) && HAS_CM(&w, "cm", rows[i].extra));
    }
    CHECK_INT(status_of(&w, 4), CHART_UNKNOWN, "pruned");
    CHECK_INT(status_of(&w, 5), CHART_SUPERSEDED, "kept");
}

TEST(what_cannot_be_done_says_why)
{
    static const struct {
        const char *manifest, *text;
    } rows[] = {
        {"apiVersion: v1\ndata: {}\n", "unable to build kubernetes objects from release manifest: "
                                       "error validating \"\": error validating data: kind not "
                                       "set"},
        {"apiVersion: x/v1\nkind: A\nmetadata: {name: a}\n---\napiVersion: x/v1\nkind: "
         "B\nmetadata: {name: b}\n",
         "unable to build kubernetes objects from release manifest: [resource mapping not found "
         "for name: \"a\" namespace: \"\" from \"\": no matches for kind \"A\" in version "
         "\"x/v1\"\nensure CRDs are installed first, resource mapping not found for name: \"b\" "
         "namespace: \"\" from \"\": no matches for kind \"B\" in version \"x/v1\"\nensure CRDs "
         "are installed first]"},
        {CM("theirs", "x"),
         "unable to continue with install: ConfigMap \"theirs\" in namespace \"default\" exists "
         "and cannot be imported into the current release: invalid ownership metadata; label "
         "validation error: missing key \"app.kubernetes.io/managed-by\": must be set to "
         "\"Helm\"; annotation validation error: missing key \"meta.helm.sh/release-name\": must "
         "be set to \"web\"; annotation validation error: key \"meta.helm.sh/release-namespace\" "
         "must equal \"default\": current value is \"other\""},
    };
    AUTO(world_done) struct world w = {0};

    world_start(&w, NULL);
    CHECK(sandbox_put(w.sb,
                      STR("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":"
                          "\"theirs\",\"namespace\":\"default\",\"annotations\":{"
                          "\"meta.helm.sh/release-namespace\":\"other\"}}}"),
                      &w.e) == 0);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(plan_done) struct plan p = {0};

        plan(&w, &p, rows[i].manifest, NULL, NULL, NULL);
        CHECK(chart_install(&p.op, &p.record, &w.e) < 0);
        CHECK_STR(str_of(err_text(&w.e)), str_of(rows[i].text), "error");
        err_done(&w.e);
        CHECK_INT(status_of(&w, 0), CHART_UNKNOWN, "nothing is recorded");
    }
}

TEST(a_dry_run_changes_nothing)
{
    static const enum chart_dry_run where[] = {CHART_DRY_CLIENT, CHART_DRY_SERVER};
    AUTO(world_done) struct world w = {0};

    world_start(&w, NULL);
    for (size_t i = 0; i < ARRAY_LEN(where); i++) {
        AUTO(plan_done) struct plan p = {0};

        plan(&w, &p,
             COLORED "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: "
                     "hush}\n",
             NULL, NULL, NULL);
        p.op.dry_run = where[i];
        p.op.hides_secrets = true;
        if (where[i] == CHART_DRY_CLIENT)
            p.op.kube = NULL;
        CHECK(chart_install(&p.op, &p.record, &w.e) == 0);
        CHECK_OK(&w.e);
        CHECK(str_contains(chart_record_manifest(&p.record), STR("color: 'red'")));
        CHECK(str_contains(chart_record_manifest(&p.record), STR("# HIDDEN: The Secret output")));
        CHECK(!str_contains(chart_record_manifest(&p.record), STR("hush")));
        CHECK(!HAS_CM(&w, "cm", ""));
        CHECK_INT(status_of(&w, 0), CHART_UNKNOWN, "nothing is recorded");
    }
}

TEST(a_cancelled_install_is_marked_failed)
{
    AUTO(world_done) struct world w = {0};
    AUTO(plan_done) struct plan p = {0};
    AUTO(cancel_free) struct cancel *soon = cancel_new(NULL, CLOCK_NEVER);

    w.on_unavailable = trigger;
    w.soon = soon;
    world_start(&w, NULL);
    plan(&w, &p, DEPLOYMENT("pull"), NULL, NULL, NULL);
    p.op.cancel = soon;
    p.op.wait = CHART_WAIT_WATCHER;
    CHECK(chart_install(&p.op, &p.record, &w.e) < 0);
    CHECK_INT(status_of(&w, 1), CHART_FAILED, "record");
}
