#include <stdlib.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    set_labels, "set-labels", "sets labels on resources, selectors and pod templates",
    "Sets every pair on metadata.labels, on selectors of Services and workloads, and on the\n"
    "templates of workloads and volume claims. In selectors that choose among pods "
    "(NetworkPolicy,\n"
    "PodDisruptionBudget, Job, affinity, topology spread) only labels that are there change.\n"
    "Local-config resources are left alone.\n"
    "\n"
    "functionConfig: a v1 ConfigMap whose data are the labels, or SetLabels with labels.");

#define ROW(group, version, kind, path)  \
    {                                    \
        group, version, kind, path, true \
    }

/* Where labels go, made when they are missing. */
static const fnlib_field everywhere[] = {
    ROW("", "", "", "metadata/labels"),
    ROW("", "v1", "Service", "spec/selector"),
    ROW("", "v1", "ReplicationController", "spec/selector"),
    ROW("", "", "Deployment", "spec/selector/matchLabels"),
    ROW("", "", "ReplicaSet", "spec/selector/matchLabels"),
    ROW("", "", "DaemonSet", "spec/selector/matchLabels"),
    ROW("apps", "", "StatefulSet", "spec/selector/matchLabels"),
    ROW("", "v1", "ReplicationController", "spec/template/metadata/labels"),
    ROW("", "", "Deployment", "spec/template/metadata/labels"),
    ROW("", "", "ReplicaSet", "spec/template/metadata/labels"),
    ROW("", "", "DaemonSet", "spec/template/metadata/labels"),
    ROW("apps", "", "StatefulSet", "spec/template/metadata/labels"),
    ROW("batch", "", "Job", "spec/template/metadata/labels"),
    ROW("batch", "", "CronJob", "spec/jobTemplate/metadata/labels"),
    ROW("batch", "", "CronJob", "spec/jobTemplate/spec/template/metadata/labels"),
    ROW("apps", "", "StatefulSet", "spec/volumeClaimTemplates[]/metadata/labels"),
};
#undef ROW
#define ROW(group, kind, path)       \
    {                                \
        group, "", kind, path, false \
    }
#define SPREAD(kind, spec)                                                                    \
    ROW("", kind, spec "topologySpreadConstraints/labelSelector/matchLabels"),                \
        ROW("", kind, TERM(spec, "podAffinity/required") "labelSelector/matchLabels"),        \
        ROW("", kind, TERM(spec, "podAntiAffinity/required") "labelSelector/matchLabels"),    \
        ROW("", kind,                                                                         \
            TERM(spec, "podAffinity/preferred") "podAffinityTerm/labelSelector/matchLabels"), \
        ROW("", kind,                                                                         \
            TERM(spec, "podAntiAffinity/preferred") "podAffinityTerm/labelSelector/matchLabels")
#define TERM(spec, which) spec "affinity/" which "DuringSchedulingIgnoredDuringExecution/"

/* Where only labels that are there change. */
static const fnlib_field where_present[] = {
    ROW("batch", "Job", "spec/selector/matchLabels"),
    ROW("batch", "CronJob", "spec/jobTemplate/spec/selector/matchLabels"),
    ROW("policy", "PodDisruptionBudget", "spec/selector/matchLabels"),
    ROW("networking.k8s.io", "NetworkPolicy", "spec/podSelector/matchLabels"),
    ROW("networking.k8s.io", "NetworkPolicy", "spec/ingress/from/podSelector/matchLabels"),
    ROW("networking.k8s.io", "NetworkPolicy", "spec/egress/to/podSelector/matchLabels"),
    SPREAD("Pod", "spec/"),
    SPREAD("Deployment", "spec/template/spec/"),
    SPREAD("ReplicaSet", "spec/template/spec/"),
    SPREAD("DaemonSet", "spec/template/spec/"),
    SPREAD("StatefulSet", "spec/template/spec/"),
    SPREAD("ReplicationController", "spec/template/spec/"),
    SPREAD("Job", "spec/template/spec/"),
    SPREAD("CronJob", "spec/jobTemplate/spec/template/spec/"),
};

struct setter {
    gfn_node item;
    fnlib_pair *labels;
    size_t count;
    bool only_present;
};

static int set_labels(void *user, gfn_node map)
{
    const struct setter *s = user;

    if (!gfn_is_map(map))
        return gfn_result(map.ctx, GFN_ERROR, s->item, NULL,
                          "the labels must be a mapping, found \"%s\"", gfn_text(map));
    for (size_t i = 0; i < s->count; i++) {
        gfn_node old = gfn_child(map, s->labels[i].key);

        if (gfn_exists(old)
                ? gfn_set_str(old, "", s->labels[i].value) < 0
                : !s->only_present &&
                      !gfn_exists(gfn_set_child(map, s->labels[i].key,
                                                gfn_new_str(map.ctx, s->labels[i].value))))
            return -1;
    }
    return 0;
}

static gfn_fields *fields_of(gfn_ctx *ctx, const fnlib_field *rows, size_t count)
{
    gfn_field_spec specs[FNLIB_LEN(everywhere) + FNLIB_LEN(where_present)];

    fnlib_specs(rows, count, specs);
    return gfn_fields_new(ctx, specs, count);
}

static int set_items(gfn_ctx *ctx, struct setter *s)
{
    gfn_fields *all = fields_of(ctx, everywhere, FNLIB_LEN(everywhere));
    gfn_fields *present = fields_of(ctx, where_present, FNLIB_LEN(where_present));
    gfn_iter it = gfn_items(ctx);

    while (gfn_next(&it)) {
        if (gfn_is_local_config(it.node))
            continue;
        s->item = it.node;
        s->only_present = false;
        if (gfn_fields_each(all, it.node, GFN_MAP, set_labels, s) < 0)
            return -1;
        s->only_present = true;
        if (gfn_fields_each(present, it.node, GFN_NONE, set_labels, s) < 0)
            return -1;
    }
    return 0;
}

static int run(gfn_ctx *ctx)
{
    gfn_node fields = gfn_config_fields(ctx);
    struct setter s = {.count = 0};
    int rc = fnlib_pairs(gfn_config_is(ctx, "SetLabels") ? gfn_child(fields, "labels") : fields,
                         &s.labels, &s.count);

    if (rc == 0 && s.count == 0)
        rc = gfn_fail(ctx, "functionConfig: there are no labels to set");
    if (rc == 0)
        rc = set_items(ctx, &s);
    free(s.labels);
    return rc;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}, {FNLIB_V1, "SetLabels"}};
const gfn_desc fnlib_set_labels = {FNLIB_DESC(set_labels), .run = run, .kinds = kinds,
                                   .kind_count = FNLIB_LEN(kinds)};
