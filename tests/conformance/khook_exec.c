/* Areas exec and plan: one step against the stand-in cluster. */
#include "base/escape.h"
#include "chart/release/store.h"
#include "conformance/khook_cluster.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "khook/act/action.h"
#include "khook/plan.h"
#include "khook/state/hash.h"

/* ---- exec */

struct executed {
    const char *status;
    struct buf error, note;
};

/* Times below MEANT_TO_PASS are there to pass while the attempt waits, not before it does: they end
 * with the first watch, or after PATIENCE. What is to succeed gets AMPLE at least. */
enum { MEANT_TO_PASS_MS = 1000, PATIENCE_MS = 1500, AMPLE_MS = 5000 };

static int64_t attempt_ms(const struct khook_case *c, int64_t given)
{
    if (str_eq(khook_member(c->expect, "status"), STR("ok")))
        return MAX(given, (int64_t)AMPLE_MS);
    return given < MEANT_TO_PASS_MS ? PATIENCE_MS : given;
}

static void execute(struct khook_case *c, struct stand_in *s, const struct khook_spec *spec,
                    struct executed *ret)
{
    const struct khook_executor *x = khook_executor_of(spec->steps[0].type);
    struct khook_context context = {.kube = stand_in_kube(s), .spec = spec};
    int64_t timeout_ms = stand_in_timeout_ms(s);
    bool is_hopeless = attempt_ms(c, timeout_ms) == PATIENCE_MS;
    AUTO(cancel_free)
    struct cancel *cancel = cancel_new(NULL, clock_after(attempt_ms(c, timeout_ms)));
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf outstanding = {0};
    struct khook_attempt attempt = {
        .step = &spec->steps[0], .cancel = cancel, .note = &ret->note, .outstanding = &outstanding};
    bool destroys = str_eq(khook_member(c->node, "mode"), STR("destroy"));

    if (destroys && !x->teardown) {
        ret->status = "skipped";
        return;
    }
    stand_in_end_watching(s, is_hopeless ? cancel : NULL);
    ret->status = (destroys ? x->teardown : x->run)(&context, &attempt, &e) == 0 ? "ok" : "failed";
    stand_in_end_watching(s, NULL);
    if (e.kind != ERR_NONE)
        buf_addf(&ret->error, "%s; %s", err_text(&e), buf_cstr(&outstanding));
}

static bool check_presence(struct khook_case *c, struct stand_in *s)
{
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "present"));

    while (doc_next(&it))
        if (!stand_in_object(s, doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "%.*s is not there", STR_ARG(doc_text(it.value, STR_NONE)));
    it = doc_children(doc_get_lit(c->expect, "absent"));
    while (doc_next(&it))
        if (stand_in_object(s, doc_text(it.value, STR_NONE)))
            return khook_wrong(c, "%.*s is still there", STR_ARG(doc_text(it.value, STR_NONE)));
    return true;
}

/* Names as "release@namespace". */
static bool check_releases(struct khook_case *c, struct stand_in *s)
{
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "releases_absent"));

    while (doc_next(&it)) {
        str ns, name = str_cut(doc_text(it.value, STR_NONE), '@', &ns);
        AUTO(chart_store_free)
        struct chart_store *store = chart_store_new(stand_in_kube(s), ns, CHART_SECRETS);
        AUTO(chart_records_done) struct chart_records history = {0};
        AUTO(err_done) struct err e = {0};

        if (chart_store_history(store, name, NULL, &history, &e) < 0 || history.len)
            return khook_wrong(c, "release %.*s is still there", STR_ARG(name));
    }
    return true;
}

static bool check_objects(struct khook_case *c, struct stand_in *s)
{
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "objects"));

    while (doc_next(&it)) {
        const struct doc_node *live = stand_in_object(s, it.key);
        AUTO(buf_done) struct buf json = {0};

        if (!live)
            return khook_wrong(c, "%.*s is not there", STR_ARG(it.key));
        doc_emit_json(live, 0, &json);
        if (!khook_json_is(c, buf_view(&json), it.value, true))
            return false;
    }
    return true;
}

/* "delete?propagationPolicy=Foreground": the verb, and parameters that must be there. */
static bool is_write(str got, str want)
{
    str params, verb = str_cut(want, '?', &params), query, head = str_cut(got, '?', &query);

    if (!str_eq(str_cut(head, ' ', NULL), verb))
        return false;
    while (params.len) {
        str param = str_cut(params, '&', &params), rest = query;
        bool found = false;

        while (rest.len && !found)
            found = str_eq(str_cut(rest, '&', &rest), param);
        if (!found)
            return false;
    }
    return true;
}

static bool check_writes(struct khook_case *c, struct stand_in *s, const char *member,
                         bool with_object)
{
    const struct doc_node *want = doc_get(c->expect, str_of(member));
    struct doc_iter it = doc_children(want);
    size_t at = 0;

    if (!want)
        return true;
    while (doc_next(&it)) {
        str text = doc_text(it.value, STR_NONE), got;

        if (at == stand_in_write_count(s))
            return khook_wrong(c, "no request for \"%.*s\"", STR_ARG(text));
        got = stand_in_write(s, at++);
        if (with_object ? !str_eq_nocase(str_cut(got, '?', NULL), text) : !is_write(got, text))
            return khook_wrong(c, "request %zu is \"%.*s\", want \"%.*s\"", at, STR_ARG(got),
                               STR_ARG(text));
    }
    return at == stand_in_write_count(s) ||
           khook_wrong(c, "a request too many: %.*s", STR_ARG(stand_in_write(s, at)));
}

/* The member that the text begins with, the longest such; the rest lies behind a separator. */
static const struct doc_node *longest_member(const struct doc_node *map, str *rest)
{
    struct doc_iter it = doc_children(map);
    const struct doc_node *found = NULL;
    size_t len = 0;

    while (doc_next(&it)) {
        bool ends = rest->len == it.key.len ||
                    (rest->len > it.key.len && strchr("./[]'\"", rest->p[it.key.len]));

        if (str_starts(*rest, it.key) && ends && it.key.len >= len) {
            found = it.value;
            len = it.key.len;
        }
    }
    *rest = str_from(*rest, len);
    return found;
}

/* A path as a list of keys, dotted, with slashes (and ~1 for one in a key), or with ['keys']. */
static const struct doc_node *descend(const struct doc_node *at, const struct doc_node *path)
{
    AUTO(buf_done) struct buf plain = {0};
    struct doc_iter it = doc_children(path);
    str text = doc_text(path, STR_NONE);

    while (doc_is_list(path) && doc_next(&it))
        at = doc_get(at, doc_text(it.value, STR_NONE));
    for (size_t i = 0; i < text.len; i++) {
        bool is_slash = text.p[i] == '~' && i + 1 < text.len && text.p[i + 1] == '1';

        if (text.p[i] != '\\')
            buf_add_char(&plain, is_slash ? '/' : text.p[i]);
        i += is_slash;
    }
    text = buf_view(&plain);
    while (at && text.len) {
        while (text.len && strchr("./[]'\"{}", text.p[0]))
            text = str_from(text, 1);
        if (text.len)
            at = longest_member(at, &text);
    }
    return at;
}

static bool check_annotated(struct khook_case *c, struct stand_in *s)
{
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "annotated"));

    while (doc_next(&it)) {
        const struct doc_node *at = descend(stand_in_object(s, it.key), it.value);

        if (!doc_text(at, STR_NONE).len)
            return khook_wrong(c, "nothing at %.*s of %.*s", STR_ARG(doc_text(it.value, STR_NONE)),
                               STR_ARG(it.key));
    }
    return true;
}

struct jobs {
    struct khook_case *c;
    int64_t deadline;
};

static void find_deadline(void *ctx, str json)
{
    struct jobs *j = ctx;
    AUTO(err_done) struct err e = {0};
    const struct doc_node *object = doc_parse_json(suite_set(j->c->suite), json, "object", &e);

    if (object && str_eq(khook_member(object, "kind"), STR("Job")))
        j->deadline = doc_int(doc_at(object, "spec/activeDeadlineSeconds"), 0);
}

static bool check_deadline(struct khook_case *c, struct stand_in *s)
{
    int64_t most = doc_int(doc_get_lit(c->expect, "deadline_max_s"), 0);
    int64_t given_ms = MAX(stand_in_timeout_ms(s), (int64_t)1);
    struct jobs jobs = {.c = c};

    if (!most)
        return true;
    most = most * attempt_ms(c, given_ms) / given_ms;
    sandbox_each(stand_in_sandbox(s), find_deadline, &jobs);
    return (jobs.deadline >= 1 && jobs.deadline <= most) ||
           khook_wrong(c, "activeDeadlineSeconds is %lld", (long long)jobs.deadline);
}

static bool judge(struct khook_case *c, struct stand_in *s, const struct executed *x)
{
    str note = khook_member(c->expect, "note");

    if (!khook_same(c, "status", str_of(x->status), khook_member(c->expect, "status")))
        return khook_wrong(c, "error: %s", buf_cstr(&x->error));
    if (note.len && !str_contains(buf_view(&x->note), note))
        return khook_wrong(c, "note is \"%s\"", buf_cstr(&x->note));
    if (!strcmp(x->status, "failed") && !khook_mentions(c, c->expect, buf_view(&x->error)))
        return false;
    return check_presence(c, s) && check_releases(c, s) && check_objects(c, s) &&
           check_writes(c, s, "writes", false) && check_writes(c, s, "order", true) &&
           check_annotated(c, s) && check_deadline(c, s);
}

bool khook_area_exec(struct khook_case *c)
{
    AUTO(khook_spec_free) struct khook_spec *spec = NULL;
    AUTO(stand_in_stop) struct stand_in *s = NULL;
    struct executed x = {0};
    bool passed;

    spec = stand_in_spec(c, false);
    s = spec ? stand_in_start(c, doc_get_lit(c->node, "cluster")) : NULL;
    if (!s)
        return false;
    execute(c, s, spec, &x);
    passed = judge(c, s, &x) && !c->why.len;
    buf_done(&x.error);
    buf_done(&x.note);
    return passed;
}

/* ---- plan */

/* The record of the case, in which "same" stands for the step's present hash, as the Secret that
 * holds it. */
static bool put_record(struct khook_case *c, struct stand_in *s, const struct khook_spec *spec,
                       const struct doc_node *record)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf json = {0}, base64 = {0}, hash = {0};
    struct doc_node *copy = doc_copy(set, record), *secret = doc_new_map(set), *metadata;
    struct doc_iter it = doc_children(doc_get_lit(copy, "steps"));

    khook_step_hash(&spec->steps[0], STR_NONE, &hash);
    while (doc_next(&it))
        if (str_eq(khook_member(it.value, "inputHash"), STR("same")))
            doc_set_string(set, it.value, STR("inputHash"), buf_view(&hash));
    if (!doc_get_lit(copy, "apiVersion"))
        doc_set_string(set, copy, STR("apiVersion"), STR(KHOOK_RECORD_VERSION));
    doc_emit_json(copy, 0, &json);
    escape_base64(buf_view(&json), true, &base64);
    buf_clear(&json);
    doc_set_string(set, secret, STR("apiVersion"), STR("v1"));
    doc_set_string(set, secret, STR("kind"), STR("Secret"));
    metadata = doc_ensure_map(set, secret, STR("metadata"));
    doc_set_string(set, metadata, STR("name"), spec->state_name);
    doc_set_string(set, metadata, STR("namespace"), spec->state_ns);
    doc_set_string(set, doc_ensure_map(set, metadata, STR("labels")),
                   STR("app.kubernetes.io/managed-by"), STR("khook"));
    doc_set_string(set, doc_ensure_map(set, secret, STR("data")), STR("record.json"),
                   buf_view(&base64));
    doc_emit_json(secret, 0, &json);
    return sandbox_put(stand_in_sandbox(s), buf_view(&json), &e) == 0 ||
           khook_wrong(c, "record: %s", err_text(&e));
}

bool khook_area_plan(struct khook_case *c)
{
    const struct doc_node *record = doc_at(c->node, "cluster/record");
    AUTO(khook_spec_free) struct khook_spec *spec = NULL;
    AUTO(stand_in_stop) struct stand_in *s = NULL;
    AUTO(khook_plan_done) struct khook_plan plan = {0};
    AUTO(err_done) struct err e = {0};
    struct khook_context context = {0};
    struct khook_plan_options options = {.context = &context};

    spec = stand_in_spec(c, record != NULL);
    s = spec ? stand_in_start(c, doc_get_lit(c->node, "cluster")) : NULL;
    if (!s || (record && !put_record(c, s, spec, record)))
        return false;
    context = (struct khook_context){.kube = stand_in_kube(s), .spec = spec};
    if (khook_plan_make(&options, &plan, &e) < 0)
        return khook_wrong(c, "plan: %s", err_text(&e));
    return khook_same(c, "action", str_of(khook_plan_word(plan.steps[0].prediction.action)),
                      khook_member(c->expect, "action")) &&
           khook_mentions(c, c->expect, buf_view(&plan.steps[0].prediction.detail));
}
