/* Objects as rows, for `kubectl get`: the columns people look at most, kind by kind. */
#include "sandbox/priv.h"
#include "sandbox/types/crd.h"

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
};
struct column {
    char name[12], type[8]; /* empty name: none */
    enum cell cell;
    char path[32];     /* CELL_AT_PATH: with '/' */
    char fallback[12]; /* JSON of a missing value */
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
    ratio(doc_int(doc_at(o, "status/readyReplicas"), 0), doc_int(doc_at(o, "spec/replicas"), 1),
          out);
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
    ratio(doc_int(doc_at(o, "status/succeeded"), 0), doc_int(doc_at(o, "spec/completions"), 1),
          out);
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

    while (doc_next(&it))
        buf_addf(&text, "%s%.*s/%.*s", text.len ? "," : "",
                 STR_ARG(doc_text(doc_get_lit(it.value, "port"), STR_NONE)),
                 STR_ARG(doc_text(doc_get_lit(it.value, "protocol"), STR_NONE)));
    quote(text.len ? buf_view(&text) : STR("<none>"), out);
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
};

#define NAME                                                    \
    {                                                           \
        "Name", "string", CELL_AT_PATH, "metadata/name", "\"\"" \
    }
#define AGE CELL("Age", AGE)
#define NUMBER(title, path)                       \
    {                                             \
        title, "integer", CELL_AT_PATH, path, "0" \
    }
#define TEXT(title, path)                                 \
    {                                                     \
        title, "string", CELL_AT_PATH, path, "\"<none>\"" \
    }
#define CELL(title, what)                    \
    {                                        \
        title, "string", CELL_##what, "", "" \
    }

static const struct table {
    char kind[28];
    struct column columns[8];
} tables[] = {
    {"Pod",
     {NAME, CELL("Ready", POD_READY), CELL("Status", POD_STATUS), CELL("Restarts", POD_RESTARTS),
      AGE}},
    {"Deployment",
     {NAME, CELL("Ready", READY_OF_REPLICAS), NUMBER("Up-to-date", "status/updatedReplicas"),
      NUMBER("Available", "status/availableReplicas"), AGE}},
    {"ReplicaSet",
     {NAME, NUMBER("Desired", "spec/replicas"), NUMBER("Current", "status/replicas"),
      NUMBER("Ready", "status/readyReplicas"), AGE}},
    {"StatefulSet", {NAME, CELL("Ready", READY_OF_REPLICAS), AGE}},
    {"DaemonSet",
     {NAME, NUMBER("Desired", "status/desiredNumberScheduled"),
      NUMBER("Current", "status/currentNumberScheduled"), NUMBER("Ready", "status/numberReady"),
      NUMBER("Up-to-date", "status/updatedNumberScheduled"),
      NUMBER("Available", "status/numberAvailable"), AGE}},
    {"Job", {NAME, CELL("Status", JOB_STATUS), CELL("Completions", JOB_DONE), AGE}},
    {"Service",
     {NAME, TEXT("Type", "spec/type"), TEXT("Cluster-IP", "spec/clusterIP"),
      CELL("Port(s)", SERVICE_PORTS), AGE}},
    {"Namespace", {NAME, TEXT("Status", "status/phase"), AGE}},
    {"Node",
     {NAME, CELL("Status", NODE_STATUS), TEXT("Version", "status/nodeInfo/kubeletVersion"), AGE}},
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

static void add_definition(str name, str type, bool is_first, struct buf *out)
{
    if (!is_first)
        buf_add_char(out, ',');
    buf_add_cstr(out, "{\"name\":");
    quote(name, out);
    buf_add_cstr(out, ",\"type\":");
    quote(type, out);
    buf_addf(out, ",\"format\":\"%s\",\"description\":\"\",\"priority\":0}",
             is_first && str_eq(name, STR("Name")) ? "name" : "");
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
        add_definition(str_of(c[i].name), str_of(c[i].type), i == 0, out);
    }
    while (doc_next(&it))
        add_definition(doc_text(doc_get_lit(it.value, "name"), STR_NONE),
                       doc_text(doc_get_lit(it.value, "type"), STR("string")), false, out);
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
    if (n)
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
