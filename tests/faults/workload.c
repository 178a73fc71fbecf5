#include "faults/workload.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "base/mem.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "khook/state/record.h"
#include "sys/file.h"

/* FIRST_VERSION: a restart halves the versions. Were the first one low, a server could be back at
 * those of before while a client on a busy machine still waits, and no client can tell
 * (kube/watch.h). */
enum { BULK = 600, SETTLE_MS = 60000, LOOK_MS = 10, REST_MS = 200, FIRST_VERSION = 100000 };

#define NAMESPACE "shop"

static const char spec_text[] =
    "apiVersion: khook.io/v1\n"
    "kind: Khook\n"
    "metadata: {name: shop}\n"
    "state: {}\n"
    "defaults: {timeout: 120s}\n"
    "steps:\n"
    "- name: space\n"
    "  apply:\n"
    "    manifests: [{inline: '{apiVersion: v1, kind: Namespace, metadata: {name: shop}}'}]\n"
    "- name: crd\n"
    "  apply:\n"
    "    waitFor: condition=Established\n"
    "    manifests:\n"
    "    - inline: |\n"
    "        apiVersion: apiextensions.k8s.io/v1\n"
    "        kind: CustomResourceDefinition\n"
    "        metadata: {name: things.example.com}\n"
    "        spec:\n"
    "          group: example.com\n"
    "          names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}\n"
    "          scope: Namespaced\n"
    "          versions:\n"
    "          - name: v1\n"
    "            served: true\n"
    "            storage: true\n"
    "            schema: {openAPIV3Schema: {type: object,\n"
    "              x-kubernetes-preserve-unknown-fields: true}}\n"
    "- name: conf\n"
    "  needs: [space]\n"
    "  apply:\n"
    "    namespace: shop\n"
    "    serverSide: true\n"
    "    manifests:\n"
    "    - inline: |\n"
    "        {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v, n: \"1\"}}\n"
    "        ---\n"
    "        {apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {password: hidden}}\n"
    "        ---\n"
    "        {apiVersion: v1, kind: Service, metadata: {name: web},\n"
    "         spec: {selector: {app: web}, ports: [{port: 80}]}}\n"
    "- name: plain\n"
    "  needs: [space]\n"
    "  apply:\n"
    "    namespace: shop\n"
    "    manifests:\n"
    "    - inline: |\n"
    "        {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {k: v}}\n"
    "        ---\n"
    "        {apiVersion: v1, kind: ConfigMap, metadata: {name: d}, data: {k: v}}\n"
    "- name: thing\n"
    "  needs: [space, crd]\n"
    "  apply:\n"
    "    namespace: shop\n"
    "    serverSide: true\n"
    "    manifests:\n"
    "    - inline: '{apiVersion: example.com/v1, kind: Thing, metadata: {name: one}, spec: {n: "
    "3}}'\n"
    "- name: web\n"
    "  needs: [conf]\n"
    "  apply:\n"
    "    namespace: shop\n"
    "    serverSide: true\n"
    "    manifests:\n"
    "    - inline: |\n"
    "        apiVersion: apps/v1\n"
    "        kind: Deployment\n"
    "        metadata: {name: web}\n"
    "        spec:\n"
    "          replicas: 3\n"
    "          selector: {matchLabels: {app: web}}\n"
    "          template:\n"
    "            metadata: {labels: {app: web, fate: slow}, annotations: {fate/after: 60ms}}\n"
    "            spec: {containers: [{name: web, image: example/web:1}]}\n"
    "- name: rolled\n"
    "  needs: [web]\n"
    "  rollout: {status: deployment/web, namespace: shop}\n"
    "- name: ready\n"
    "  needs: [web]\n"
    "  wait:\n"
    "    allOf: [condition=Ready, \"jsonpath={.status.phase}=Running\"]\n"
    "    on: pods\n"
    "    selector: app=web\n"
    "    namespace: shop\n"
    "- name: mig\n"
    "  needs: [rolled]\n"
    "  job: {image: example/tool:1, namespace: shop}\n"
    "- name: touch\n"
    "  needs: [mig]\n"
    "  patch:\n"
    "    target: configmap/a\n"
    "    namespace: shop\n"
    "    type: merge\n"
    "    patch: {data: {done: \"yes\"}}\n"
    "- name: label\n"
    "  needs: [mig]\n"
    "  patch:\n"
    "    target: deployment/web\n"
    "    namespace: shop\n"
    "    patch: {metadata: {labels: {done: \"yes\"}}}\n"
    "- name: drop\n"
    "  needs: [touch]\n"
    "  delete: {resource: configmap/d, namespace: shop}\n";

static const char bulk_step[] =
    "- name: bulk\n"
    "  wait: {for: \"jsonpath={.data.k}=v\", on: configmaps, selector: bulk=yes, "
    "namespace: default}\n";

/* ---- start and stop */

static void after(void *ctx, const struct sandbox_call *call)
{
    struct workload *w = ctx;

    if (str_eq(call->method, STR("POST")) && str_eq(call->plural, STR("jobs")) &&
        call->status == 201)
        w->jobs_created++;
    if (w->options.hooks.after)
        w->options.hooks.after(w->options.hooks.ctx, call);
}

static int before(void *ctx, const struct sandbox_call *call)
{
    struct workload *w = ctx;

    return w->options.hooks.before ? w->options.hooks.before(w->options.hooks.ctx, call) : 0;
}

static int put_bulk(struct workload *w, struct err *e)
{
    for (int i = 0; w->options.has_bulk && i < BULK; i++) {
        AUTO(buf_done) struct buf json = {0};

        buf_addf(&json,
                 "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":"
                 "\"default\",\"name\":\"bulk-%d\",\"labels\":{\"bulk\":\"yes\"}},\"data\":{"
                 "\"k\":\"v\"}}",
                 i);
        if (sandbox_put(w->sb, buf_view(&json), e) < 0)
            return -1;
    }
    return 0;
}

static int write_files(struct workload *w, struct err *e)
{
    AUTO(mem_free_str) char *token = str_printf("%s/token", w->dir);
    AUTO(buf_done) struct buf spec = {0}, config = {0}, secured = {0};

    w->spec_path = str_printf("%s/spec.yaml", w->dir);
    w->kubeconfig = str_printf("%s/kubeconfig", w->dir);
    buf_add_cstr(&spec, spec_text);
    if (w->options.has_bulk)
        buf_add_cstr(&spec, bulk_step);
    if (w->options.more_steps)
        buf_add_cstr(&spec, w->options.more_steps);
    buf_add_cstr(&config, "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts:\n"
                          "- {name: c, context: {cluster: c, user: u}}\nclusters:\n"
                          "- name: c\n  cluster: {server: \"");
    sandbox_url(w->sb, &config);
    buf_addf(&config, "\"}\nusers:\n- {name: u, user: {tokenFile: \"%s\"}}\n", token);
    if (mkdir(w->dir, 0700) < 0 && errno != EEXIST)
        return err_errno(e, errno, "%s", w->dir);
    if (file_replace(w->spec_path, buf_view(&spec), NULL, e) < 0 ||
        file_replace(token, STR("token-of-the-workload"), NULL, e) < 0)
        return -1;
    sandbox_kubeconfig(w->sb, &secured);
    return file_replace(w->kubeconfig, buf_view(w->options.is_tls ? &secured : &config), NULL, e);
}

struct workload *workload_start(const char *dir, const struct workload_options *options,
                                struct err *e)
{
    AUTO(workload_stop) struct workload *w = NEW(struct workload);
    struct sandbox_options sandbox = {.is_plain = !options->is_tls,
                                      .first_version = FIRST_VERSION,
                                      .hooks = {.before = before, .after = after, .ctx = w}};

    w->options = *options;
    w->dir = mem_strdup(dir);
    w->sb = sandbox_start(&sandbox, e);
    if (!w->sb || write_files(w, e) < 0 || put_bulk(w, e) < 0)
        return NULL;
    return TAKE(w);
}

void workload_stop(struct workload *w)
{
    AUTO(err_done) struct err ignored = {0};

    if (!w)
        return;
    sandbox_stop(w->sb);
    if (w->dir && file_remove_tree(w->dir, &ignored) < 0)
        fprintf(stderr, "%s\n", err_text(&ignored));
    mem_free(w->dir);
    mem_free(w->spec_path);
    mem_free(w->kubeconfig);
    mem_free(w);
}

/* ---- a run in this process */

static struct kube *connect(const struct workload *w, struct err *e)
{
    struct kube_config_flags flags = {.kubeconfig = str_of(w->kubeconfig)};
    AUTO(kube_config_free) struct kube_config *config = kube_config_load(&flags, e);

    return config ? kube_new(config, e) : NULL;
}

static struct khook_spec *read_spec(const struct workload *w, struct err *e)
{
    static const struct khook_engines engines = {0};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(buf_done) struct buf text = {0};
    struct khook_spec *spec;

    if (file_read(w->spec_path, KHOOK_MAX_SPEC_BYTES, &text, e) < 0)
        return NULL;
    spec = khook_spec_read(buf_view(&text), "spec.yaml", &vars, &engines, &problems);
    if (!spec)
        err_diags(e, &problems);
    return spec;
}

static int first_failure(const struct khook_outcome *o, struct err *e)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->results[i].error)
            return err_set(e, ERR_IO, "step %.*s: %s", STR_ARG(o->steps[i].name),
                           o->results[i].error);
    return err_set(e, ERR_IO, "the run failed and no step says why");
}

int workload_apply(struct workload *w, struct err *e)
{
    AUTO(khook_spec_free) struct khook_spec *spec = read_spec(w, e);
    AUTO(kube_free) struct kube *kube = spec ? connect(w, e) : NULL;
    AUTO(khook_outcome_done) struct khook_outcome outcome = {0};
    struct khook_context context = {.kube = kube, .spec = spec};
    struct khook_run run = {.mode = KHOOK_APPLY_RUN, .context = &context};

    if (!kube)
        return -1;
    khook_outcome_init(&outcome, spec, run.mode);
    if (khook_run(&run, &outcome, NULL, NULL, e) < 0)
        return -1;
    return outcome.is_ok ? 0 : first_failure(&outcome, e);
}

/* ---- the state afterwards */

struct listing {
    struct doc_set *set;
    VEC(char *) lines;
    int pods_running, pods_done, pods_other;
};

static bool is_left_out(str kind)
{
    static const char *const kinds[] = {"Event", "ReplicaSet", "Lease", "Node", "EndpointSlice"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_eq(kind, str_of(kinds[i])))
            return true;
    return false;
}

static void count_pod(struct listing *l, const struct doc_node *pod)
{
    str phase = doc_text(doc_at(pod, "status/phase"), STR_NONE);

    if (str_eq(phase, STR("Running")))
        l->pods_running++;
    else if (str_eq(phase, STR("Succeeded")))
        l->pods_done++;
    else
        l->pods_other++;
}

static void add_member(const struct doc_node *object, const char *path, struct buf *line)
{
    const struct doc_node *n = doc_at(object, path);

    if (!n || doc_len(n) == 0)
        return;
    buf_addf(line, " %s=", path);
    doc_emit_json(n, DOC_JSON_SORTED, line);
}

/* The record: how each step ended, and whether a lease is left. */
static void add_record(const struct doc_node *secret, struct buf *line)
{
    AUTO(khook_record_done) struct khook_record record = {0};
    AUTO(buf_done) struct buf json = {0};
    AUTO(err_done) struct err e = {0};

    add_member(secret, "metadata/annotations", line);
    if (!unescape_base64(doc_text(doc_get(doc_at(secret, "data"), STR("record.json")), STR_NONE),
                         &json) ||
        khook_record_parse(buf_view(&json), &record, &e) != 0) {
        buf_addf(line, " damaged: %s", err_text(&e));
        return;
    }
    buf_addf(line, " run=%.*s", STR_ARG(record.run_status));
    for (size_t i = 0; i < record.steps.len; i++)
        buf_addf(line, " %.*s=%d", STR_ARG(record.steps.v[i].name), record.steps.v[i].status);
}

/* Without the labels that name the Job's UID, another one in each run. */
static void add_job(struct doc_node *job, struct buf *line)
{
    struct doc_node *labels = doc_at(job, "metadata/labels");

    doc_remove(labels, STR("controller-uid"));
    doc_remove(labels, STR("batch.kubernetes.io/controller-uid"));
    add_member(job, "metadata/labels", line);
    add_member(job, "spec/template/spec/containers", line);
    buf_addf(line, " succeeded=%lld failed=%lld",
             (long long)doc_int(doc_at(job, "status/succeeded"), 0),
             (long long)doc_int(doc_at(job, "status/failed"), 0));
}

static void add_object(const struct doc_node *object, struct buf *line)
{
    static const char *const members[] = {
        "metadata/labels", "metadata/annotations", "data",         "type",       "spec/replicas",
        "spec/n",          "spec/template",        "spec/ports",   "spec/names", "spec/selector",
        "status/replicas", "status/readyReplicas", "status/phase",
    };

    for (size_t i = 0; i < ARRAY_LEN(members); i++)
        add_member(object, members[i], line);
}

static void list_one(void *ctx, str json)
{
    struct listing *l = ctx;
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf line = {0};
    struct doc_node *object = doc_parse_json(l->set, json, "object", &e);
    str kind = doc_text(doc_get_lit(object, "kind"), STR_NONE),
        name = doc_text(doc_at(object, "metadata/name"), STR_NONE);

    if (is_left_out(kind) || str_starts(name, STR("bulk-")) ||
        str_eq(name, STR("kube-root-ca.crt")))
        return;
    if (str_eq(kind, STR("Pod"))) {
        count_pod(l, object);
        return;
    }
    buf_addf(&line, "%.*s/%.*s@%.*s", STR_ARG(kind), STR_ARG(name),
             STR_ARG(doc_text(doc_at(object, "metadata/namespace"), STR_NONE)));
    if (str_eq(name, STR("khook-state-shop")))
        add_record(object, &line);
    else if (str_eq(kind, STR("Job")))
        add_job(object, &line);
    else
        add_object(object, &line);
    vec_push(&l->lines, buf_take(&line));
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void workload_state(struct workload *w, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct listing l = {.set = set};

    sandbox_each(w->sb, list_one, &l);
    vec_sort(&l.lines, compare_lines);
    for (size_t i = 0; i < l.lines.len; i++) {
        buf_addf(out, "%s\n", l.lines.v[i]);
        mem_free(l.lines.v[i]);
    }
    vec_done(&l.lines);
    buf_addf(out, "Pods: %d run, %d done, %d else\n", l.pods_running, l.pods_done, l.pods_other);
}

static bool has_line(str text, str line)
{
    while (text.len)
        if (str_eq(str_cut(text, '\n', &text), line))
            return true;
    return false;
}

static void add_missing(str from, str in, const char *mark, struct buf *out)
{
    while (from.len) {
        str line = str_cut(from, '\n', &from);

        if (!has_line(in, line))
            buf_addf(out, "%s%.*s\n", mark, STR_ARG(line));
    }
}

void workload_rest(struct workload *w, struct buf *out)
{
    AUTO(err_done) struct err never = {0};
    AUTO(buf_done) struct buf before = {0};

    do {
        buf_clear(&before);
        workload_state(w, &before);
        if (cancel_sleep(NULL, REST_MS, &never) < 0)
            return;
        buf_clear(out);
        workload_state(w, out);
    } while (!str_eq(buf_view(&before), buf_view(out)));
}

bool workload_settles(struct workload *w, str want, struct buf *difference)
{
    clock_ms deadline = clock_after(SETTLE_MS);
    AUTO(buf_done) struct buf got = {0};

    for (;;) {
        AUTO(err_done) struct err never = {0};

        buf_clear(&got);
        workload_state(w, &got);
        if (str_eq(buf_view(&got), want))
            return true;
        if (clock_left(deadline) == 0 || cancel_sleep(NULL, LOOK_MS, &never) < 0)
            break;
    }
    add_missing(want, buf_view(&got), "    - ", difference);
    add_missing(buf_view(&got), want, "    + ", difference);
    return false;
}

void workload_age_lease(struct workload *w)
{
    AUTO(err_done) struct err e = {0};

    if (sandbox_merge(w->sb, STR("v1"), STR("Secret"), STR("default"), STR("khook-state-shop"),
                      STR("{\"metadata\":{\"annotations\":{\"khook.io/renewed\":"
                          "\"2020-01-01T00:00:00Z\"}}}"),
                      &e) < 0 &&
        e.kind != ERR_NOT_FOUND)
        fprintf(stderr, "ageing the lease: %s\n", err_text(&e));
}
