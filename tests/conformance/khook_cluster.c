#include "conformance/khook_cluster.h"

#include <pthread.h>

#include "base/duration.h"
#include "base/escape.h"
#include "base/mem.h"
#include "chart/release/record.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "khook/act/object.h"
#include "sys/thread.h"

enum { ATTEMPT_MS = 120000 };

struct stand_in {
    struct khook_case *c;
    const struct doc_node *cluster;
    struct sandbox *sb;
    struct kube *kube;
    pthread_mutex_t lock;
    VEC(char *) writes;
    VEC(str) changed; /* ids of `becomes` that were carried out */
    bool is_later, is_job_created, is_job_done;
    char *job_ns, *job_name;
    int conflicts;
    char *race;
    struct cancel *hopeless; /* borrowed: the attempt whose time is over once it watches */
};

/* ---- objects and ids */

static void add_json(const struct doc_node *object, struct buf *out)
{
    doc_emit_json(object, 0, out);
}

static bool put_all(struct stand_in *s, const struct doc_node *objects)
{
    struct doc_iter it = doc_children(objects);

    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf json = {0};

        add_json(it.value, &json);
        if (sandbox_put(s->sb, buf_view(&json), &e) < 0)
            return khook_wrong(s->c, "put: %s", err_text(&e));
    }
    return true;
}

/* A release as the Secret of its record: a chart's name and version, no templates, no manifest. */
static bool put_release(struct stand_in *s, const struct doc_node *release)
{
    AUTO(chart_record_done) struct chart_record record = {0};
    AUTO(buf_done) struct buf text = {0}, data = {0}, json = {0};
    AUTO(err_done) struct err e = {0};
    str name = khook_member(release, "name"), ns = khook_member(release, "namespace"),
        status = khook_member(release, "status"), chart = khook_member(release, "chart"),
        version = khook_member(release, "version"), revision = khook_member(release, "revision");

    buf_addf(
        &json,
        "{\"name\":\"%.*s\",\"namespace\":\"%.*s\",\"version\":%.*s,\"info\":{\"status\":"
        "\"%.*s\"},\"chart\":{\"metadata\":{\"name\":\"%.*s\",\"version\":\"%.*s\",\"apiVersion\":"
        "\"v2\"}}}",
        STR_ARG(name), STR_ARG(ns), STR_ARG(revision), STR_ARG(status), STR_ARG(chart),
        STR_ARG(version));
    if (chart_record_parse(buf_view(&json), &record, &e) < 0 ||
        chart_record_encode(&record, &text, &e) < 0)
        return khook_wrong(s->c, "release: %s", err_text(&e));
    escape_base64(buf_view(&text), true, &data);
    buf_clear(&json);
    buf_addf(
        &json,
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"type\":\"helm.sh/release.v1\",\"metadata\":{"
        "\"name\":\"sh.helm.release.v1.%.*s.v%.*s\",\"namespace\":\"%.*s\",\"labels\":{\"name\":"
        "\"%.*s\",\"owner\":\"helm\",\"status\":\"%.*s\",\"version\":\"%.*s\"}},\"data\":{"
        "\"release\":\"%s\"}}",
        STR_ARG(name), STR_ARG(revision), STR_ARG(ns), STR_ARG(name), STR_ARG(status),
        STR_ARG(revision), buf_cstr(&data));
    return sandbox_put(s->sb, buf_view(&json), &e) == 0 ||
           khook_wrong(s->c, "release: %s", err_text(&e));
}

static bool put_releases(struct stand_in *s, const struct doc_node *releases)
{
    struct doc_iter it = doc_children(releases);
    bool ok = true;

    while (ok && doc_next(&it))
        ok = put_release(s, it.value);
    return ok;
}

static bool add_kinds(struct stand_in *s, const struct doc_node *kinds)
{
    struct doc_iter it = doc_children(kinds);

    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};

        if (sandbox_add_kind(s->sb, khook_member(it.value, "apiVersion"),
                             khook_member(it.value, "kind"), khook_member(it.value, "plural"),
                             !doc_bool(doc_get_lit(it.value, "clusterScoped"), false),
                             doc_bool(doc_get_lit(it.value, "custom"), false), &e) < 0)
            return khook_wrong(s->c, "kind: %s", err_text(&e));
    }
    return true;
}

static void id_of(const struct doc_node *object, struct buf *out)
{
    khook_object_id(khook_member(object, "kind"),
                    doc_text(doc_at(object, "metadata/name"), STR_NONE),
                    doc_text(doc_at(object, "metadata/namespace"), STR_NONE), out);
}

struct finding {
    struct stand_in *s;
    str id;
    const struct doc_node *found;
};

static void find_one(void *ctx, str json)
{
    struct finding *f = ctx;
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf id = {0};
    const struct doc_node *object = doc_parse_json(suite_set(f->s->c->suite), json, "object", &e);

    if (!object)
        return;
    id_of(object, &id);
    if (str_eq_nocase(buf_view(&id), f->id))
        f->found = object;
}

const struct doc_node *stand_in_object(struct stand_in *s, str id)
{
    struct finding f = {.s = s, .id = id};

    sandbox_each(s->sb, find_one, &f);
    return f.found;
}

/* ---- what changes after the first poll */

/* Does a request ask for the object of an id? Plurals begin with the kind's first letters in all
 * cases. */
static bool asks_for(const struct sandbox_call *call, str id)
{
    str ns, name, kind = str_cut(id, '/', &name);
    size_t stem = kind.len > 1 ? kind.len - 1 : kind.len;

    name = str_cut(name, '@', &ns);
    if (call->plural.len < stem ||
        !str_eq_nocase(str_sub(call->plural, 0, stem), str_sub(kind, 0, stem)))
        return false;
    if (call->name.len && !str_eq(call->name, name))
        return false;
    return !call->ns.len || !ns.p || str_eq(call->ns, ns);
}

static bool was_changed(struct stand_in *s, str id)
{
    for (size_t i = 0; i < s->changed.len; i++)
        if (str_eq(s->changed.v[i], id))
            return true;
    return false;
}

static void carry_out_becomes(struct stand_in *s, const struct sandbox_call *call)
{
    struct doc_iter it = doc_children(doc_get_lit(s->cluster, "becomes"));

    while (doc_next(&it)) {
        const struct doc_node *live;
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf json = {0};

        if (was_changed(s, it.key) || !asks_for(call, it.key))
            continue;
        live = stand_in_object(s, it.key);
        if (!live)
            continue;
        vec_push(&s->changed, it.key);
        add_json(it.value, &json);
        if (sandbox_merge(s->sb, khook_member(live, "apiVersion"), khook_member(live, "kind"),
                          doc_text(doc_at(live, "metadata/namespace"), STR_NONE),
                          doc_text(doc_at(live, "metadata/name"), STR_NONE), buf_view(&json),
                          &e) < 0)
            khook_wrong(s->c, "becomes: %s", err_text(&e));
    }
}

static void finish_job(struct stand_in *s)
{
    const struct doc_node *message = doc_get_lit(s->cluster, "message"),
                          *log = doc_get_lit(s->cluster, "log");
    bool fails = str_eq(khook_member(s->cluster, "job"), STR("fails"));
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf status = {0}, pod = {0};

    s->is_job_done = true;
    if (log) {
        buf_addf(&pod,
                 "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"%s-x\","
                 "\"namespace\":\"%s\",\"labels\":{"
                 "\"job-name\":\"%s\",\"batch.kubernetes.io/"
                 "job-name\":\"%s\"}},\"spec\":{\"containers\":[{\"name\":\"%s\"}"
                 "]},\"status\":{\"phase\":\"%s\"}}",
                 s->job_name, s->job_ns, s->job_name, s->job_name, s->job_name,
                 fails ? "Failed" : "Succeeded");
        if (sandbox_put(s->sb, buf_view(&pod), &e) < 0)
            khook_wrong(s->c, "pod: %s", err_text(&e));
        buf_clear(&pod);
        buf_addf(&pod, "%s-x", s->job_name);
        if (sandbox_set_log(s->sb, str_of(s->job_ns), buf_view(&pod), doc_text(log, STR_NONE), &e) <
            0)
            khook_wrong(s->c, "log: %s", err_text(&e));
    }
    buf_addf(&status,
             "{\"status\":{\"conditions\":[{\"type\":\"%s\",\"status\":\"True\",\"message\":",
             fails ? "Failed" : "Complete");
    doc_json_quote(doc_text(message, STR_NONE), 0, &status);
    buf_add_cstr(&status, "}]}}");
    if (sandbox_merge(s->sb, STR("batch/v1"), STR("Job"), str_of(s->job_ns), str_of(s->job_name),
                      buf_view(&status), &e) < 0)
        khook_wrong(s->c, "job: %s", err_text(&e));
}

static void bring_later(struct stand_in *s, const struct sandbox_call *call)
{
    const struct doc_node *later = doc_get_lit(s->cluster, "later");

    /* discovery answers without the kind first */
    if (!later || s->is_later || !(str_starts(call->path, STR("/apis")) || call->plural.len))
        return;
    s->is_later = true;
    if (add_kinds(s, doc_get_lit(later, "kinds")))
        put_all(s, doc_get_lit(later, "objects"));
}

/* ---- hooks */

static const char *verb_of(const struct sandbox_call *call)
{
    if (str_eq(call->method, STR("POST")))
        return "create";
    if (str_eq(call->method, STR("PUT")))
        return "update";
    if (str_eq(call->method, STR("DELETE")))
        return "delete";
    if (!str_eq(call->method, STR("PATCH")))
        return NULL;
    if (str_contains(call->content_type, STR("apply-patch")))
        return "apply-patch";
    if (str_contains(call->content_type, STR("strategic")))
        return "strategic-merge-patch";
    return str_contains(call->content_type, STR("json-patch")) ? "json-patch" : "merge-patch";
}

static void note_write(struct stand_in *s, const struct sandbox_call *call, const char *verb)
{
    AUTO(buf_done) struct buf line = {0};
    str name = call->name.len ? call->name : call->object_name;

    buf_addf(&line, "%s ", verb);
    khook_object_id(call->object_kind, name, call->ns, &line);
    buf_addf(&line, "?%.*s", STR_ARG(call->query));
    vec_push(&s->writes, buf_take(&line));
    if (str_eq(call->object_kind, STR("Job")) && !strcmp(verb, "create")) {
        mem_free(s->job_ns);
        mem_free(s->job_name);
        s->job_ns = mem_strndup(call->ns.p, call->ns.len);
        s->job_name = mem_strndup(name.p, name.len);
        s->is_job_created = true;
        s->is_job_done = false;
    }
}

static void after(void *ctx, const struct sandbox_call *call)
{
    struct stand_in *s = ctx;
    const char *verb = verb_of(call);
    LOCK_SCOPE(&s->lock);

    if (verb) {
        if (call->status < 300 && call->plural.len)
            note_write(s, call, verb);
        return;
    }
    if (!s->kube) /* still being set up */
        return;
    if (s->hopeless && call->is_watch)
        cancel_trigger(s->hopeless, ERR_TIMEOUT, "timed out");
    bring_later(s, call);
    carry_out_becomes(s, call);
    if (doc_get_lit(s->cluster, "job") && s->is_job_created && !s->is_job_done &&
        str_eq(call->plural, STR("jobs")))
        finish_job(s);
}

static int before(void *ctx, const struct sandbox_call *call)
{
    struct stand_in *s = ctx;
    LOCK_SCOPE(&s->lock);

    if (s->conflicts > 0 && str_eq(call->method, STR("PUT"))) {
        s->conflicts--;
        return 409;
    }
    if (s->race && str_eq(call->method, STR("POST"))) {
        AUTO(err_done) struct err e = {0};
        AUTO(mem_free_str) char *object = TAKE(s->race);

        if (sandbox_put(s->sb, str_of(object), &e) < 0)
            khook_wrong(s->c, "race: %s", err_text(&e));
    }
    return 0;
}

/* ---- life */

static bool connect(struct stand_in *s, struct err *e)
{
    AUTO(buf_done) struct buf kubeconfig = {0};
    AUTO(kube_config_free) struct kube_config *config = NULL;
    AUTO(mem_free_str) char *path = str_printf("%s/kubeconfig", khook_temp_dir(s->c));
    struct kube_config_flags flags = {.kubeconfig = str_of(path)};
    FILE *f = fopen(path, "w");

    sandbox_kubeconfig(s->sb, &kubeconfig);
    if (!f || fwrite(kubeconfig.p, 1, kubeconfig.len, f) != kubeconfig.len || fclose(f) != 0)
        return khook_wrong(s->c, "cannot write the kubeconfig");
    config = kube_config_load(&flags, e);
    s->kube = config ? kube_new(config, e) : NULL;
    return s->kube || khook_wrong(s->c, "%s", err_text(e));
}

struct stand_in *stand_in_start(struct khook_case *c, const struct doc_node *cluster)
{
    AUTO(stand_in_stop) struct stand_in *s = NEW(struct stand_in);
    AUTO(err_done) struct err e = {0};
    struct sandbox_options options = {
        .is_plain = true, .is_bare = true, .hooks = {.before = before, .after = after, .ctx = s}};

    s->c = c;
    s->cluster = cluster;
    pthread_mutex_init(&s->lock, NULL);
    s->sb = sandbox_start(&options, &e);
    if (!s->sb) {
        khook_wrong(c, "sandbox: %s", err_text(&e));
        return NULL;
    }
    if (!add_kinds(s, doc_get_lit(cluster, "kinds")) ||
        !put_all(s, doc_get_lit(cluster, "objects")) ||
        !put_releases(s, doc_get_lit(cluster, "releases")) || !connect(s, &e))
        return NULL;
    return TAKE(s);
}

void stand_in_stop(struct stand_in *s)
{
    if (!s)
        return;
    kube_free(s->kube);
    sandbox_stop(s->sb);
    for (size_t i = 0; i < s->writes.len; i++)
        mem_free(s->writes.v[i]);
    vec_done(&s->writes);
    vec_done(&s->changed);
    pthread_mutex_destroy(&s->lock);
    mem_free(s->job_ns);
    mem_free(s->job_name);
    mem_free(s->race);
    mem_free(s);
}

struct kube *stand_in_kube(struct stand_in *s) { return s->kube; }

struct sandbox *stand_in_sandbox(struct stand_in *s) { return s->sb; }

int64_t stand_in_timeout_ms(const struct stand_in *s)
{
    int64_t ms;

    return duration_parse_ms(khook_member(s->cluster, "timeout"), &ms) ? ms : ATTEMPT_MS;
}

void stand_in_end_watching(struct stand_in *s, struct cancel *attempt)
{
    LOCK_SCOPE(&s->lock);

    s->hopeless = attempt;
}

size_t stand_in_write_count(const struct stand_in *s) { return s->writes.len; }

str stand_in_write(const struct stand_in *s, size_t at) { return str_of(s->writes.v[at]); }

void stand_in_conflicts(struct stand_in *s, int count)
{
    LOCK_SCOPE(&s->lock);

    s->conflicts = count;
}

void stand_in_race(struct stand_in *s, str object_json)
{
    LOCK_SCOPE(&s->lock);

    s->race = mem_strndup(object_json.p, object_json.len);
}

struct khook_spec *stand_in_spec(struct khook_case *c, bool state)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    struct khook_engines engines = khook_case_engines();
    struct khook_spec *spec;
    str rest = khook_member(c->node, "step"), line;
    bool first = true;

    buf_addf(&text, "apiVersion: khook.io/v1\nkind: Khook\nmetadata: {name: t}\n%ssteps:\n",
             state ? "state: {}\n" : "");
    while (str_next_line(&rest, &line)) {
        buf_addf(&text, "%s%.*s\n", first ? "- " : "  ", STR_ARG(line));
        first = false;
    }
    spec = khook_spec_read(buf_view(&text), "spec", &vars, &engines, &problems);
    if (!spec)
        khook_wrong(c, "spec: %.*s", STR_ARG(problems.v[0].text));
    return spec;
}
