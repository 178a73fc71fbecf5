/* Objects as rows, for `kubectl get`: the columns people look at most, kind by kind. */
#include "doc/at.h"
#include "sandbox/priv.h"
#include "sandbox/types/crd.h"
#include "sandbox/types/type.h"

/* Appends one cell as JSON. */
typedef void cell_fn(struct sandbox *sb, const struct doc_node *object, struct buf *out);

enum cell {
    CELL_AT_PATH,
    CELL_AGE,
    CELL_DATA_COUNT,
    CELL_EVENT_OBJECT,
    CELL_EVENT_SEEN,
    CELL_JOB_DONE,
    CELL_JOB_STATUS,
    CELL_NODE_STATUS,
    CELL_POD_READY,
    CELL_POD_RESTARTS,
    CELL_POD_STATUS,
    CELL_READY_OF_REPLICAS,
    CELL_SERVICE_PORTS,
    CELL_CONTAINERS,
    CELL_DURATION,
    CELL_EXTERNAL,
    CELL_HOSTS,
    CELL_IMAGES,
    CELL_INGRESS_PORTS,
    CELL_LAST_SCHEDULE,
    CELL_ROLE,
    CELL_SECRETS,
    CELL_SELECTOR,
};
struct column {
    char name[20], type[8]; /* empty name: none */
    enum cell cell;
    char path[40];     /* CELL_AT_PATH: with '/' */
    char fallback[12]; /* JSON of a missing value */
    bool is_wide;      /* shown with -o wide only */
};

static void quote(str text, struct buf *out) { doc_json_quote(text, 0, out); }

/* As kubectl prints spans: two units at most, coarser as they grow. */
static void human_span(int64_t s, struct buf *out)
{
    if (s < 120)
        buf_addf(out, "%llds", (long long)MAX(s, (int64_t)0));
    else if (s < 600 && s % 60)
        buf_addf(out, "%lldm%llds", (long long)s / 60, (long long)s % 60);
    else if (s < 10800)
        buf_addf(out, "%lldm", (long long)s / 60);
    else if (s < 28800 && s / 60 % 60)
        buf_addf(out, "%lldh%lldm", (long long)s / 3600, (long long)s / 60 % 60);
    else if (s < 172800)
        buf_addf(out, "%lldh", (long long)s / 3600);
    else if (s < 691200 && s / 3600 % 24)
        buf_addf(out, "%lldd%lldh", (long long)s / 86400, (long long)s / 3600 % 24);
    else
        buf_addf(out, "%lldd", (long long)s / 86400);
}

static void span_since(struct sandbox *sb, const struct doc_node *time, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    int64_t at;

    if (clock_parse_rfc3339(doc_text(time, STR_NONE), &at))
        human_span((sb_wall(sb) - at) / 1000, &text);
    else
        buf_add_cstr(&text, "<unknown>");
    quote(buf_view(&text), out);
}

static void age(struct sandbox *sb, const struct doc_node *o, struct buf *out)
{
    span_since(sb, doc_at(o, "metadata/creationTimestamp"), out);
}

static void event_seen(struct sandbox *sb, const struct doc_node *o, struct buf *out)
{
    span_since(sb, doc_get_lit(o, "lastTimestamp"), out);
}

static void event_object(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    str kind = doc_text(doc_at(o, "involvedObject/kind"), STR_NONE);

    for (size_t i = 0; i < kind.len; i++)
        buf_add_char(&text,
                     (char)(kind.p[i] >= 'A' && kind.p[i] <= 'Z' ? kind.p[i] | 0x20 : kind.p[i]));
    buf_addf(&text, "/%.*s", STR_ARG(doc_text(doc_at(o, "involvedObject/name"), STR_NONE)));
    quote(buf_view(&text), out);
}

static void ratio(int64_t have, int64_t want, struct buf *out)
{
    buf_addf(out, "\"%lld/%lld\"", (long long)have, (long long)want);
}

static void ready_of_replicas(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    ratio(doc_int_at(o, "status/readyReplicas", 0), doc_int_at(o, "spec/replicas", 1), out);
}

static void pod_ready(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    struct doc_iter it = doc_children(doc_at(o, "status/containerStatuses"));
    int64_t ready = 0;

    while (doc_next(&it))
        ready += doc_bool(doc_get_lit(it.value, "ready"), false);
    ratio(ready, (int64_t)doc_len(doc_at(o, "spec/containers")), out);
}

static void pod_status(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    struct doc_iter it = doc_children(doc_at(o, "status/containerStatuses"));
    str text = doc_text(doc_at(o, "status/phase"), STR("Unknown"));

    while (doc_next(&it)) {
        const struct doc_node *why = doc_at(it.value, "state/waiting/reason");

        text = doc_text(why ? why : doc_at(it.value, "state/terminated/reason"), text);
    }
    if (doc_at(o, "metadata/deletionTimestamp"))
        text = STR("Terminating");
    quote(text, out);
}

static void pod_restarts(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    struct doc_iter it = doc_children(doc_at(o, "status/containerStatuses"));
    int64_t sum = 0;

    while (doc_next(&it))
        sum += doc_int(doc_get_lit(it.value, "restartCount"), 0);
    buf_addf(out, "\"%lld\"", (long long)sum);
}

static void job_done(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    ratio(doc_int_at(o, "status/succeeded", 0), doc_int_at(o, "spec/completions", 1), out);
}

static bool has_condition(const struct doc_node *o, const char *type)
{
    struct doc_iter it = doc_children(doc_at(o, "status/conditions"));

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "type"), STR_NONE), str_of(type)) &&
            str_eq(doc_text(doc_get_lit(it.value, "status"), STR_NONE), STR("True")))
            return true;
    return false;
}

static void job_status(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    quote(str_of(has_condition(o, "Complete") ? "Complete"
                 : has_condition(o, "Failed") ? "Failed"
                                              : "Running"),
          out);
}

static void node_status(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    quote(str_of(has_condition(o, "Ready") ? "Ready" : "NotReady"), out);
}

static void data_count(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    buf_addf(out, "\"%zu\"",
             doc_len(doc_get_lit(o, "data")) + doc_len(doc_get_lit(o, "binaryData")));
}

static void service_ports(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_iter it = doc_children(doc_at(o, "spec/ports"));

    while (doc_next(&it)) {
        str node_port = doc_text(doc_get_lit(it.value, "nodePort"), STR_NONE);

        buf_addf(&text, "%s%.*s%s%.*s/%.*s", text.len ? "," : "",
                 STR_ARG(doc_text(doc_get_lit(it.value, "port"), STR_NONE)),
                 node_port.len ? ":" : "", STR_ARG(node_port),
                 STR_ARG(doc_text(doc_get_lit(it.value, "protocol"), STR_NONE)));
    }
    quote(text.len ? buf_view(&text) : STR("<none>"), out);
}

/* One field of each item, divided by commas. */
static void join(const struct doc_node *list, const char *field, const char *none, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        str value = doc_text(doc_get(it.value, str_of(field)), STR_NONE);

        if (value.len)
            buf_addf(&text, "%s%.*s", text.len ? "," : "", STR_ARG(value));
    }
    quote(text.len ? buf_view(&text) : str_of(none), out);
}

static const struct doc_node *containers_of(const struct doc_node *o)
{
    const struct doc_node *job = doc_at(o, "spec/jobTemplate");

    return doc_at(job ? job : o, "spec/template/spec/containers");
}

static void containers(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    join(containers_of(o), "name", "", out);
}

static void images(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    join(containers_of(o), "image", "", out);
}

static void hosts(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    join(doc_at(o, "spec/rules"), "host", "*", out);
}

static void selector(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(str_vec_done) struct str_vec keys = {0};
    const struct doc_node *labels = doc_at(o, "spec/selector");

    if (!labels)
        labels = doc_at(o, "spec/podSelector");
    if (doc_is_map(doc_get_lit(labels, "matchLabels")))
        labels = doc_get_lit(labels, "matchLabels");
    sb_sorted_keys(labels, &keys);
    for (size_t i = 0; i < keys.len; i++)
        if (doc_is_string(doc_get(labels, keys.v[i])))
            buf_addf(&text, "%s%.*s=%.*s", text.len ? "," : "", STR_ARG(keys.v[i]),
                     STR_ARG(doc_text(doc_get(labels, keys.v[i]), STR_NONE)));
    quote(text.len ? buf_view(&text) : STR("<none>"), out);
}

static void duration(struct sandbox *sb, const struct doc_node *o, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    int64_t from, to;

    if (clock_parse_rfc3339(doc_text(doc_at(o, "status/startTime"), STR_NONE), &from)) {
        if (!clock_parse_rfc3339(doc_text(doc_at(o, "status/completionTime"), STR_NONE), &to))
            to = sb_wall(sb);
        human_span((to - from) / 1000, &text);
    }
    quote(buf_view(&text), out);
}

static void external(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    str type = doc_text(doc_at(o, "spec/type"), STR_NONE);
    const struct doc_node *ingress = doc_at(o, "status/loadBalancer/ingress");

    if (str_eq(type, STR("ExternalName")))
        quote(doc_text(doc_at(o, "spec/externalName"), STR("<none>")), out);
    else if (str_eq(type, STR("LoadBalancer")))
        join(ingress, "ip", "<pending>", out);
    else
        quote(STR("<none>"), out);
}

static void ingress_ports(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    quote(doc_len(doc_at(o, "spec/tls")) ? STR("80, 443") : STR("80"), out);
}

static void last_schedule(struct sandbox *sb, const struct doc_node *o, struct buf *out)
{
    const struct doc_node *time = doc_at(o, "status/lastScheduleTime");

    if (time)
        span_since(sb, time, out);
    else
        quote(STR("<none>"), out);
}

static void role(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};

    buf_addf(&text, "%.*s/%.*s", STR_ARG(doc_text(doc_at(o, "roleRef/kind"), STR_NONE)),
             STR_ARG(doc_text(doc_at(o, "roleRef/name"), STR_NONE)));
    quote(buf_view(&text), out);
}

static void secrets(struct sandbox *sb UNUSED, const struct doc_node *o, struct buf *out)
{
    buf_addf(out, "%zu", doc_len(doc_get_lit(o, "secrets")));
}

static cell_fn *const cells[] = {
    [CELL_AGE] = age,
    [CELL_DATA_COUNT] = data_count,
    [CELL_EVENT_OBJECT] = event_object,
    [CELL_EVENT_SEEN] = event_seen,
    [CELL_JOB_DONE] = job_done,
    [CELL_JOB_STATUS] = job_status,
    [CELL_NODE_STATUS] = node_status,
    [CELL_POD_READY] = pod_ready,
    [CELL_POD_RESTARTS] = pod_restarts,
    [CELL_POD_STATUS] = pod_status,
    [CELL_READY_OF_REPLICAS] = ready_of_replicas,
    [CELL_SERVICE_PORTS] = service_ports,
    [CELL_CONTAINERS] = containers,
    [CELL_DURATION] = duration,
    [CELL_EXTERNAL] = external,
    [CELL_HOSTS] = hosts,
    [CELL_IMAGES] = images,
    [CELL_INGRESS_PORTS] = ingress_ports,
    [CELL_LAST_SCHEDULE] = last_schedule,
    [CELL_ROLE] = role,
    [CELL_SECRETS] = secrets,
    [CELL_SELECTOR] = selector,
};

#define NAME                                                           \
    {                                                                  \
        "Name", "string", CELL_AT_PATH, "metadata/name", "\"\"", false \
    }
#define AGE CELL("Age", AGE)
#define NUMBER(title, path)                              \
    {                                                    \
        title, "integer", CELL_AT_PATH, path, "0", false \
    }
#define VALUE(title, path, none, is_wide)                            \
    {                                                                \
        title, "string", CELL_AT_PATH, path, "\"" none "\"", is_wide \
    }
#define TEXT(title, path) VALUE(title, path, "<none>", false)
#define WIDE_TEXT(title, path) VALUE(title, path, "<none>", true)
#define CELL(title, what)                           \
    {                                               \
        title, "string", CELL_##what, "", "", false \
    }
#define WIDE(title, what)                          \
    {                                              \
        title, "string", CELL_##what, "", "", true \
    }
#define WORKLOAD WIDE("Containers", CONTAINERS), WIDE("Images", IMAGES)

static const struct table {
    char kind[28];
    struct column columns[11];
} tables[] = {
    {"Pod",
     {NAME, CELL("Ready", POD_READY), CELL("Status", POD_STATUS), CELL("Restarts", POD_RESTARTS),
      AGE, WIDE_TEXT("IP", "status/podIP"), WIDE_TEXT("Node", "spec/nodeName"),
      WIDE_TEXT("Nominated Node", "status/nominatedNodeName"),
      WIDE_TEXT("Readiness Gates", "spec/readinessGates")}},
    {"Deployment",
     {NAME, CELL("Ready", READY_OF_REPLICAS), NUMBER("Up-to-date", "status/updatedReplicas"),
      NUMBER("Available", "status/availableReplicas"), AGE, WORKLOAD, WIDE("Selector", SELECTOR)}},
    {"ReplicaSet",
     {NAME, NUMBER("Desired", "spec/replicas"), NUMBER("Current", "status/replicas"),
      NUMBER("Ready", "status/readyReplicas"), AGE, WORKLOAD, WIDE("Selector", SELECTOR)}},
    {"StatefulSet", {NAME, CELL("Ready", READY_OF_REPLICAS), AGE, WORKLOAD}},
    {"DaemonSet",
     {NAME, NUMBER("Desired", "status/desiredNumberScheduled"),
      NUMBER("Current", "status/currentNumberScheduled"), NUMBER("Ready", "status/numberReady"),
      NUMBER("Up-to-date", "status/updatedNumberScheduled"),
      NUMBER("Available", "status/numberAvailable"), AGE, WORKLOAD, WIDE("Selector", SELECTOR)}},
    {"Job",
     {NAME, CELL("Status", JOB_STATUS), CELL("Completions", JOB_DONE), CELL("Duration", DURATION),
      AGE, WORKLOAD, WIDE("Selector", SELECTOR)}},
    {"CronJob",
     {NAME, TEXT("Schedule", "spec/schedule"), TEXT("Timezone", "spec/timeZone"),
      VALUE("Suspend", "spec/suspend", "False", false), NUMBER("Active", "status/active"),
      CELL("Last Schedule", LAST_SCHEDULE), AGE, WORKLOAD, WIDE("Selector", SELECTOR)}},
    {"Service",
     {NAME, TEXT("Type", "spec/type"), TEXT("Cluster-IP", "spec/clusterIP"),
      CELL("External-IP", EXTERNAL), CELL("Port(s)", SERVICE_PORTS), AGE,
      WIDE("Selector", SELECTOR)}},
    {"Ingress",
     {NAME, TEXT("Class", "spec/ingressClassName"), CELL("Hosts", HOSTS),
      VALUE("Address", "status/address", "", false), CELL("Ports", INGRESS_PORTS), AGE}},
    {"NetworkPolicy", {NAME, CELL("Pod-Selector", SELECTOR), AGE}},
    {"Role", {NAME, TEXT("Created At", "metadata/creationTimestamp")}},
    {"ClusterRole", {NAME, TEXT("Created At", "metadata/creationTimestamp")}},
    {"RoleBinding", {NAME, CELL("Role", ROLE), AGE}},
    {"ClusterRoleBinding", {NAME, CELL("Role", ROLE), AGE}},
    {"ServiceAccount", {NAME, CELL("Secrets", SECRETS), AGE}},
    {"PodDisruptionBudget",
     {NAME, VALUE("Min Available", "spec/minAvailable", "N/A", false),
      VALUE("Max Unavailable", "spec/maxUnavailable", "N/A", false),
      NUMBER("Allowed Disruptions", "status/disruptionsAllowed"), AGE}},
    {"Lease", {NAME, VALUE("Holder", "spec/holderIdentity", "", false), AGE}},
    {"Namespace", {NAME, TEXT("Status", "status/phase"), AGE}},
    {"Node",
     {NAME, CELL("Status", NODE_STATUS), TEXT("Roles", "spec/roles"), AGE,
      TEXT("Version", "status/nodeInfo/kubeletVersion")}},
    {"ConfigMap", {NAME, CELL("Data", DATA_COUNT), AGE}},
    {"Secret", {NAME, TEXT("Type", "type"), CELL("Data", DATA_COUNT), AGE}},
    {"Event",
     {CELL("Last Seen", EVENT_SEEN), TEXT("Type", "type"), TEXT("Reason", "reason"),
      CELL("Object", EVENT_OBJECT), TEXT("Message", "message")}},
    {"CustomResourceDefinition", {NAME, TEXT("Created At", "metadata/creationTimestamp")}},
    {"", {NAME, AGE}},
};

static const struct column *columns_of(const struct sb_kind *kind)
{
    size_t i = 0;

    while (tables[i].kind[0] && (kind->crd || !str_eq(kind->kind, str_of(tables[i].kind))))
        i++;
    return tables[i].columns;
}

bool sb_wants_table(const struct sb_req *r) { return str_contains(r->accept, STR("as=Table")); }

static void add_definition(str name, str type, int priority, bool is_first, struct buf *out)
{
    if (!is_first)
        buf_add_char(out, ',');
    buf_add_cstr(out, "{\"name\":");
    quote(name, out);
    buf_add_cstr(out, ",\"type\":");
    quote(type, out);
    buf_addf(out, ",\"format\":\"%s\",\"description\":\"\",\"priority\":%d}",
             is_first && str_eq(name, STR("Name")) ? "name" : "", priority);
}

static struct doc_iter printer_columns(const struct sb_kind *kind)
{
    return doc_children(sb_crd_columns(kind));
}

void sb_table_begin(struct sb_req *r UNUSED, const struct sb_kind *kind, struct buf *out)
{
    const struct column *c = columns_of(kind);
    struct doc_iter it = printer_columns(kind);
    bool is_custom = it.left > 0;

    buf_add_cstr(out, "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\","
                      "\"columnDefinitions\":[");
    for (size_t i = 0; i < ARRAY_LEN(tables[0].columns) && *c[i].name; i++) {
        if (is_custom && i == 1)
            break;
        add_definition(str_of(c[i].name), str_of(c[i].type), c[i].is_wide, i == 0, out);
    }
    while (doc_next(&it))
        add_definition(doc_text(doc_get_lit(it.value, "name"), STR_NONE),
                       doc_text(doc_get_lit(it.value, "type"), STR("string")),
                       (int)doc_int(doc_get_lit(it.value, "priority"), 0), false, out);
    buf_add_cstr(out, "],\"rows\":[");
}

void sb_table_end(uint64_t rv, struct buf *out)
{
    buf_addf(out, "],\"metadata\":{\"resourceVersion\":\"%llu\"}}", (unsigned long long)rv);
}

static void add_cell(struct sandbox *sb, const struct column *c, const struct doc_node *object,
                     struct buf *out)
{
    const struct doc_node *n;

    if (c->cell != CELL_AT_PATH) {
        cells[c->cell](sb, object, out);
        return;
    }
    n = doc_at(object, c->path);
    if (doc_type(n) == DOC_BOOL) /* told as Go's people write them */
        buf_add_cstr(out, doc_bool(n, false) ? "\"True\"" : "\"False\"");
    else if (doc_is_list(n))
        buf_addf(out, "%zu", doc_len(n));
    else if (n)
        doc_emit_json(n, 0, out);
    else
        buf_add_cstr(out, c->fallback);
}

/* A printer column of a CRD: simple paths only, ".spec.size". */
static void add_custom_cell(struct sandbox *sb, const struct doc_node *column,
                            const struct doc_node *object, struct buf *out)
{
    str rest = doc_text(doc_get_lit(column, "jsonPath"), STR_NONE);
    const struct doc_node *n = object;

    str_drop_prefix(&rest, STR("."));
    while (rest.p && n)
        n = doc_get(n, str_cut(rest, '.', &rest));
    if (n && str_eq(doc_text(doc_get_lit(column, "type"), STR_NONE), STR("date")))
        span_since(sb, n, out);
    else if (n)
        doc_emit_json(n, 0, out);
    else
        buf_add_cstr(out, "null");
}

static void add_row_object(const struct sb_req *r, const struct sb_kind *kind,
                           const struct sb_obj *obj, const struct doc_node *object, struct buf *out)
{
    str include = sb_param(r, "includeObject");

    if (str_eq(include, STR("None"))) {
        buf_add_cstr(out, "null");
    } else if (str_eq(include, STR("Object"))) {
        sb_obj_print(kind, obj, out);
    } else {
        buf_add_cstr(out, "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                          "\"metadata\":");
        doc_emit_json(doc_get_lit(object, "metadata"), 0, out);
        buf_add_char(out, '}');
    }
}

void sb_table_row(struct sb_req *r, const struct sb_kind *kind, const struct sb_obj *obj,
                  bool is_first, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    const struct doc_node *object = sb_load(set, kind, obj);
    const struct column *c = columns_of(kind);
    struct doc_iter it = printer_columns(kind);
    bool is_custom = it.left > 0;

    buf_add_cstr(out, is_first ? "{\"cells\":[" : ",{\"cells\":[");
    for (size_t i = 0; i < ARRAY_LEN(tables[0].columns) && *c[i].name; i++) {
        if (is_custom && i == 1)
            break;
        if (i)
            buf_add_char(out, ',');
        add_cell(r->sb, &c[i], object, out);
    }
    while (doc_next(&it)) {
        buf_add_char(out, ',');
        add_custom_cell(r->sb, it.value, object, out);
    }
    buf_add_cstr(out, "],\"object\":");
    add_row_object(r, kind, obj, object, out);
    buf_add_char(out, '}');
}
