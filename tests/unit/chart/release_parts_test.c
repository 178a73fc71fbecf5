/* Parts of operations that need no cluster: patches, managed fields, Helm 3's readiness, labels. */
#include "chart/release/release_priv.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"

static struct doc_node *parse(struct doc_set *set, const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = text ? doc_parse(set, str_of(text), DOC_MANIFEST, "test", &e) : NULL;

    CHECK_OK(&e);
    return n;
}

static void check_json(const struct doc_node *n, const char *want, const char *what)
{
    AUTO(buf_done) struct buf json = {0};

    if (n)
        doc_emit_json(n, DOC_JSON_SORTED, &json);
    CHECK_STR(buf_view(&json), str_of(want), what);
}

#define CM "apiVersion: v1\nkind: ConfigMap\n"
#define CR "apiVersion: example.com/v1\nkind: Gizmo\n"
#define POD "apiVersion: v1\nkind: Pod\n"

TEST(a_client_patches_what_changed_and_keeps_what_others_did)
{
    static const struct {
        const char *baseline, *target, *live;
        bool three_way;
        enum kube_patch kind;
        const char *want;
    } rows[] = {
        {CM "data: {a: '1'}", CM "data: {a: '1'}", CM "data: {a: '1', other: x}", false,
         KUBE_PATCH_STRATEGIC, "{}"},
        {CM "data: {a: '1', b: '2'}", CM "data: {a: '3'}", CM "data: {a: '1', b: '2', other: x}",
         false, KUBE_PATCH_STRATEGIC, "{\"data\":{\"a\":\"3\",\"b\":null}}"},
        {CM "data: {a: '1'}", CM "data: {a: '1'}", CM "data: {a: drift}", false,
         KUBE_PATCH_STRATEGIC, "{\"data\":{\"a\":\"1\"}}"},
        {NULL, CM "data: {a: '1'}", CM "data: {a: '0', b: mine}", false, KUBE_PATCH_STRATEGIC,
         "{\"data\":{\"a\":\"1\",\"b\":null}}"},
        {POD "spec: {containers: [{name: a, image: x}]}",
         POD "spec: {containers: [{name: a, image: new}]}",
         POD "spec: {containers: [{name: side, image: s}, {name: a, image: x}]}", false,
         KUBE_PATCH_STRATEGIC,
         "{\"spec\":{\"$setElementOrder/containers\":[{\"name\":\"a\"}],\"containers\":[{\"image\":"
         "\"new\",\"name\":\"a\"}]}}"},
        {CR "spec: {a: 1, b: 2}", CR "spec: {a: 1}", CR "spec: {a: 9, b: 2}", false,
         KUBE_PATCH_MERGE, "{\"spec\":{\"b\":null}}"},
        {CR "spec: {a: 1, b: 2}", CR "spec: {a: 1}", CR "spec: {a: 9, b: 2, c: 3}", true,
         KUBE_PATCH_MERGE, "{\"spec\":{\"a\":1,\"b\":null}}"},
        {NULL, CR "spec: {a: 1}", CR "spec: {a: 9, c: 3}", true, KUBE_PATCH_MERGE,
         "{\"spec\":{\"a\":1}}"},
        {CR "spec: {a: 1}", CR "spec: {a: 1}", CR "spec: {a: 9}", false, KUBE_PATCH_MERGE, "{}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(err_done) struct err e = {0};
        struct chart_object o = {.node = parse(set, rows[i].target)};
        enum kube_patch kind = KUBE_PATCH_JSON;
        struct doc_node *patch;

        o.kind = doc_text(doc_get_lit(o.node, "kind"), STR_NONE);
        patch = chart_patch_make(set, &o, parse(set, rows[i].baseline), parse(set, rows[i].live),
                                 rows[i].three_way, &kind, &e);
        CHECK_OK(&e);
        check_json(patch, rows[i].want, rows[i].target);
        CHECK_INT(kind, rows[i].kind, rows[i].target);
    }
}

TEST(update_entries_of_helm_become_its_apply_entry)
{
#define ENTRY(manager, operation, fields) \
    "{manager: " manager ", operation: " operation ", fieldsV1: {f:data: {" fields "}}}"
#define PATCH(entries)                                                                            \
    "[{\"op\":\"replace\",\"path\":\"/metadata/managedFields\",\"value\":[" entries "]},{\"op\":" \
    "\"replace\",\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"}]"
#define JSON(manager, operation, fields)                             \
    "{\"fieldsV1\":{\"f:data\":{" fields "}},\"manager\":\"" manager \
    "\",\"operation\":\"" operation "\"}"
    static const struct {
        const char *entries, *want;
    } rows[] = {
        {ENTRY("kubectl", "Update", "f:a: {}"), ""},
        {ENTRY("helm", "Apply", "f:a: {}"), ""},
        {ENTRY("helm", "Update", "f:a: {}"), PATCH(JSON("helm", "Apply", "\"f:a\":{}"))},
        {ENTRY("helm", "Apply", "f:a: {}") ", " ENTRY("x", "Update", "f:c: {}") ", " ENTRY(
             "helm", "Update", "f:b: {}"),
         PATCH(
             JSON("helm", "Apply", "\"f:a\":{},\"f:b\":{}") "," JSON("x", "Update", "\"f:c\":{}"))},
        {"{manager: helm, operation: Update, subresource: status, fieldsV1: {}}", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf live = {0};

        buf_addf(&live, "metadata: {resourceVersion: '7', managedFields: [%s]}", rows[i].entries);
        check_json(chart_migration_make(set, parse(set, buf_cstr(&live))), rows[i].want,
                   rows[i].entries);
    }
}

TEST(helm_3_had_its_own_rules_for_ready)
{
    static const struct {
        const char *object;
        int64_t replicas;
        bool for_jobs, want;
    } rows[] = {
        {"{kind: ConfigMap}", -1, false, true},
        {"{kind: Pod, status: {conditions: [{type: Ready, status: 'True'}]}}", -1, false, true},
        {"{kind: Pod, status: {phase: Running}}", -1, false, false},
        {"{kind: Job, status: {}}", -1, false, true},
        {"{kind: Job, status: {}}", -1, true, false},
        {"{kind: Job, status: {succeeded: 1}}", -1, true, true},
        {"{kind: Service, spec: {clusterIP: ''}}", -1, false, false},
        {"{kind: Service, spec: {type: ExternalName}}", -1, false, true},
        {"{kind: Service, spec: {type: LoadBalancer, clusterIP: 1.2.3.4}}", -1, false, false},
        {"{kind: Service, spec: {type: LoadBalancer, clusterIP: 1.2.3.4}, status: {loadBalancer: "
         "{ingress: [{}]}}}",
         -1, false, true},
        {"{kind: PersistentVolumeClaim, status: {phase: Bound}}", -1, false, true},
        {"{kind: Deployment, spec: {replicas: 4}}", 3, false, true},
        {"{kind: Deployment, spec: {replicas: 4}}", 2, false, false},
        {"{kind: Deployment, spec: {replicas: 4, strategy: {type: Recreate}}}", 3, false, false},
        {"{kind: Deployment, spec: {replicas: 4, strategy: {rollingUpdate: {maxUnavailable: "
         "50%}}}}",
         2, false, true},
        {"{kind: Deployment, spec: {replicas: 1}}", -1, false, false},
        {"{kind: Deployment, metadata: {generation: 2}, status: {observedGeneration: 1}}", 9, false,
         false},
        {"{kind: Deployment, spec: {paused: true}}", -1, false, true},
        {"{kind: StatefulSet, spec: {replicas: 2}, status: {readyReplicas: 2, updatedReplicas: "
         "2}}",
         -1, false, true},
        {"{kind: StatefulSet, spec: {replicas: 2}, status: {readyReplicas: 1, updatedReplicas: "
         "2}}",
         -1, false, false},
        {"{kind: DaemonSet, status: {desiredNumberScheduled: 3, updatedNumberScheduled: 3, "
         "numberReady: 2}}",
         -1, false, true},
        {"{kind: DaemonSet, status: {desiredNumberScheduled: 3, updatedNumberScheduled: 2, "
         "numberReady: 3}}",
         -1, false, false},
        {"{kind: CustomResourceDefinition, status: {conditions: [{type: Established, status: "
         "'True'}]}}",
         -1, false, true},
        {"{kind: ReplicaSet, spec: {replicas: 2}, status: {readyReplicas: 1}}", -1, false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();

        CHECK_INT(
            chart_legacy_is_ready(parse(set, rows[i].object), rows[i].replicas, rows[i].for_jobs),
            rows[i].want, rows[i].object);
    }
}

TEST(labels_are_merged_and_null_takes_one_away)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    check_json(chart_labels_merge(set, parse(set, "{a: x, b: y}"), parse(set, "{b: 'null', c: z}")),
               "{\"a\":\"x\",\"c\":\"z\"}", "merged");
    check_json(chart_labels_merge(set, NULL, NULL), "{}", "none");
}

TEST(what_is_kept_says_so)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    CHECK(
        chart_is_kept(parse(set, "metadata: {annotations: {helm.sh/resource-policy: ' Keep '}}")));
    CHECK(!chart_is_kept(parse(set, "metadata: {annotations: {helm.sh/resource-policy: no}}")));
    CHECK(!chart_is_kept(NULL));
}

static int odd_fails(void *ctx, size_t i, struct err *e)
{
    _Atomic int *seen = ctx;

    (*seen)++;
    return i % 2 ? err_set(e, ERR_IO, "number %zu", i) : 0;
}

TEST(all_are_tried_and_failures_are_told_in_order)
{
    AUTO(err_done) struct err e = {0};
    _Atomic int seen = 0;

    CHECK(chart_each(6, odd_fails, &seen, NULL, &e) < 0);
    CHECK_INT(seen, 6, "calls");
    CHECK_STR(str_of(err_text(&e)), STR("number 1\nnumber 3\nnumber 5"), "text");
    err_done(&e);
    CHECK(chart_each(0, odd_fails, &seen, NULL, &e) == 0);
}
