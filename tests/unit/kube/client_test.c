#include "kube/client.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/log.h"
#include "doc/parse.h"
#include "kube/client_priv.h"
#include "support/test.h"
#include "support/tiny_server.h"

/* A server that plays what its path and earlier requests ask for. */
struct play {
    atomic_size_t hits; /* of the path under test */
    size_t failures;    /* of them that fail first */
    const char *fault;  /* "503", "429", "409", "reset" */
    char seen[4096];    /* the last request's head */
    char body[4096];
    bool is_classic; /* knows no aggregated discovery */
};

#define RESOURCE(plural, kind, scope, short)                                                   \
    "{\"resource\":\"" plural "\",\"responseKind\":{\"kind\":\"" kind "\"},\"scope\":\"" scope \
    "\",\"singularResource\":\"\",\"shortNames\":[\"" short "\"],\"verbs\":[\"get\",\"list\"," \
                                                            "\"watch\"],\"subresources\":[{"   \
                                                            "\"subresource\":\"status\"}]}"
#define GROUP(name, version, resources)                                           \
    "{\"metadata\":{\"name\":\"" name "\"},\"versions\":[{\"version\":\"" version \
    "\",\"resources\":[" resources "]}]}"
#define GROUPS(items) "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[" items "]}"

static const char core[] =
    GROUPS(GROUP("", "v1",
                 RESOURCE("pods", "Pod", "Namespaced", "po") "," RESOURCE(
                     "namespaces", "Namespace", "Cluster", "ns") "," RESOURCE("events", "Event",
                                                                              "Namespaced", "ev")));
static const char groups[] = GROUPS(
    GROUP("apps", "v1", RESOURCE("deployments", "Deployment", "Namespaced", "deploy")) "," GROUP(
        "events.k8s.io", "v1", RESOURCE("events", "Event", "Namespaced", "ev")));

static bool answer(int fd, const char *json)
{
    return tiny_answer(fd, 200, "application/json", str_of(json));
}

static bool play_discovery(struct play *p, str path, int fd)
{
    if (str_eq(path, STR("/api")))
        return answer(fd,
                      p->is_classic ? "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}" : core);
    if (str_eq(path, STR("/apis")))
        return answer(fd, p->is_classic
                              ? "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"apps\","
                                "\"versions\":[{\"version\":\"v1beta1\"},{\"version\":\"v1\"}],"
                                "\"preferredVersion\":{\"version\":\"v1\"}},{\"name\":\"away\","
                                "\"versions\":[{\"version\":\"v1\"}]}]}"
                              : groups);
    if (str_eq(path, STR("/api/v1")))
        return answer(fd,
                      "{\"resources\":[{\"name\":\"pods\",\"kind\":\"Pod\",\"namespaced\":true},"
                      "{\"name\":\"pods/status\",\"kind\":\"Pod\",\"namespaced\":true}]}");
    if (str_starts(path, STR("/apis/apps/")))
        return answer(fd,
                      "{\"resources\":[{\"name\":\"deployments\",\"singularName\":\"deployment\","
                      "\"kind\":\"Deployment\",\"namespaced\":true,\"shortNames\":[\"deploy\"],"
                      "\"verbs\":[\"list\"]}]}");
    return tiny_answer(fd, 503, NULL, STR("away"));
}

static bool fail(const struct play *p, int fd)
{
    if (strcmp(p->fault, "reset") == 0) {
        tiny_reset(fd);
        return false;
    }
    return tiny_write(fd,
                      strcmp(p->fault, "429") == 0
                          ? STR("HTTP/1.1 429 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")
                      : strcmp(p->fault, "409") == 0
                          ? STR("HTTP/1.1 409 Conflict\r\nContent-Length: 4\r\n\r\nbusy")
                          : STR("HTTP/1.1 503 Away\r\nContent-Length: 4\r\n\r\naway"));
}

/* Pages of two Pods each; the second page's token has expired when it is asked for first. */
static bool play_list(struct play *p, const struct tiny_request *req, int fd)
{
    bool is_second = str_contains(req->target, STR("continue=two"));

    if (is_second && p->failures && atomic_fetch_add(&p->hits, 1) < p->failures)
        return tiny_answer(fd, 410, NULL,
                           STR("{\"kind\":\"Status\",\"reason\":\"Expired\",\"message\":\"old\"}"));
    return answer(fd, is_second ? "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"metadata\":"
                                  "{\"resourceVersion\":\"7\"},\"items\":["
                                  "{\"metadata\":{\"name\":\"c\",\"uid\":\"3\"}}]}"
                                : "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"metadata\":"
                                  "{\"continue\":\"two\",\"resourceVersion\":\"7\"},\"items\":["
                                  "{\"metadata\":{\"name\":\"a\",\"uid\":\"1\"}},"
                                  "{\"metadata\":{\"name\":\"b\",\"uid\":\"2\"}}]}");
}

static bool play_api(void *ctx, const struct tiny_request *req, int fd)
{
    struct play *p = ctx;
    str path = str_cut(req->target, '?', NULL);

    if (str_starts(path, STR("/api")) && !str_contains(path, STR("namespaces")))
        return play_discovery(p, path, fd);
    snprintf(p->seen, sizeof(p->seen), "%.*s", STR_ARG(req->head));
    snprintf(p->body, sizeof(p->body), "%.*s", STR_ARG(req->body));
    if (str_eq(path, STR("/api/v1/namespaces/all/pods")))
        return play_list(p, req, fd);
    if (str_contains(path, STR("/page")))
        return tiny_answer(fd, 200, "text/html", STR("<html><title>Log in</title></html>"));
    if (str_contains(path, STR("/silent"))) {
        char byte;

        return read(fd, &byte, 1) > 0; /* ends when the client leaves */
    }
    if (str_contains(path, STR("/missing")))
        return tiny_answer(fd, 404, "application/json",
                           STR("{\"kind\":\"Status\",\"reason\":\"NotFound\",\"message\":\"pods "
                               "\\\"missing\\\" not found\"}"));
    if (atomic_fetch_add(&p->hits, 1) < p->failures)
        return fail(p, fd);
    return answer(fd, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"x\"}}");
}

struct fixture {
    struct play play;
    struct tiny_server *server;
    struct kube *kube;
    struct kube_object object;
    struct err e;
};

static void fixture_start(struct fixture *f, const struct kube_config_flags *more)
{
    struct kube_config_flags flags = more ? *more : (struct kube_config_flags){0};
    AUTO(kube_config_free) struct kube_config *config = NULL;

    f->server = tiny_start(play_api, &f->play);
    flags.server = str_of(tiny_url(f->server));
    flags.kubeconfig = STR("/dev/null");
    config = kube_config_load(&flags, &f->e);
    CHECK_OK(&f->e);
    f->kube = kube_new(config, &f->e);
}

static void fixture_done(struct fixture *f)
{
    kube_object_done(&f->object);
    kube_free(f->kube);
    tiny_stop(f->server);
    err_done(&f->e);
    secret_forget_all();
}
AUTO_VALUE(struct fixture, fixture_done)

static struct kube_ref pod(struct fixture *f, const char *name)
{
    const struct kube_type *type = kube_type_of(f->kube, STR("v1"), STR("Pod"), NULL, &f->e);

    CHECK_OK(&f->e);
    return (struct kube_ref){.type = type, .ns = STR("n"), .name = str_of(name)};
}

static int get(struct fixture *f, const char *name)
{
    struct kube_ref ref = pod(f, name);

    return kube_get(f->kube, &ref, NULL, &f->object, &f->e);
}

/* ---- discovery */
TEST(types_are_found_by_kind_and_by_what_people_write)
{
    static const struct {
        const char *name, *group, *kind;
    } rows[] = {
        {"pods", "", "Pod"},
        {"PO", "", "Pod"},
        {"Pod", "", "Pod"},
        {"pods.v1", "", "Pod"},
        {"deploy", "apps", "Deployment"},
        {"Deployments.apps", "apps", "Deployment"},
        {"deploy.v1.apps", "apps", "Deployment"},
        {"ev", "", "Event"},
        {"events.events.k8s.io", "events.k8s.io", "Event"},
        {"ns", "", "Namespace"},
    };
    AUTO(fixture_done) struct fixture f = {0};

    fixture_start(&f, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct kube_type *t = kube_type_named(f.kube, str_of(rows[i].name), NULL, &f.e);

        CHECK_OK(&f.e);
        if (!t)
            continue;
        CHECK_STR(t->group, str_of(rows[i].group), rows[i].name);
        CHECK_STR(t->kind, str_of(rows[i].kind), rows[i].name);
    }
    CHECK_INT(tiny_requests(f.server), 2, "aggregated discovery");
    CHECK(kube_type_of(f.kube, STR("apps/v1"), STR("Deployment"), NULL, &f.e) ==
          kube_type_named(f.kube, STR("deploy"), NULL, &f.e));
}

TEST(an_unknown_kind_asks_again_once_and_known_types_stay)
{
    AUTO(fixture_done) struct fixture f = {0};
    const struct kube_type *pods;

    fixture_start(&f, NULL);
    pods = kube_type_of(f.kube, STR("v1"), STR("Pod"), NULL, &f.e);
    CHECK(!kube_type_of(f.kube, STR("x.io/v1"), STR("Thing"), NULL, &f.e));
    CHECK_INT(f.e.kind, ERR_NOT_FOUND, err_text(&f.e));
    CHECK(str_contains(str_of(err_text(&f.e)), STR("CustomResourceDefinition")));
    CHECK_INT(tiny_requests(f.server), 4, "asked twice");
    err_done(&f.e);
    CHECK(!kube_type_named(f.kube, STR("things"), NULL, &f.e));
    CHECK_INT(tiny_requests(f.server), 6, "asked again");
    CHECK(pods == kube_type_named(f.kube, STR("po"), NULL, &(struct err){0}));
}

TEST(classic_discovery_is_the_fallback_and_a_group_may_be_away)
{
    AUTO(fixture_done) struct fixture f = {.play.is_classic = true};
    const struct kube_type *t;

    fixture_start(&f, NULL);
    t = kube_type_named(f.kube, STR("deploy"), NULL, &f.e);
    CHECK_OK(&f.e);
    if (t)
        CHECK_STR(t->version, STR("v1"), "the preferred version");
    CHECK(kube_type_of(f.kube, STR("apps/v1beta1"), STR("Deployment"), NULL, &f.e));
    t = kube_type_of(f.kube, STR("v1"), STR("Pod"), NULL, &f.e);
    CHECK(t && t->has_status);
}

/* ---- requests */
TEST(not_found_has_the_servers_words)
{
    AUTO(fixture_done) struct fixture f = {0};

    fixture_start(&f, NULL);
    CHECK_INT(get(&f, "missing"), -1, "missing");
    CHECK_INT(f.e.kind, ERR_NOT_FOUND, "kind");
    CHECK_INT(f.e.code, 404, "code");
    CHECK_STR(str_of(err_text(&f.e)), STR("pods \"missing\" not found"), "text");
}

TEST(a_page_for_people_is_no_answer)
{
    AUTO(fixture_done) struct fixture f = {0};

    fixture_start(&f, NULL);
    CHECK_INT(get(&f, "page"), -1, "HTML with status 200");
    CHECK_STR(str_of(err_text(&f.e)),
              STR("the server answered 200 with a page of HTML (\"Log in\"); is this a Kubernetes "
                  "API server?"),
              "message");
    CHECK_INT(f.e.kind, ERR_IO, "not the user's mistake");
}

TEST(a_request_timeout_says_whose_time_has_passed)
{
    AUTO(fixture_done) struct fixture f = {0};

    fixture_start(&f, &(struct kube_config_flags){.request_timeout_ms = 150});
    CHECK_INT(get(&f, "silent"), -1, "no answer");
    CHECK_STR(str_of(err_text(&f.e)), STR("no answer within 150ms (--request-timeout)"), "message");
    CHECK_INT(f.e.kind, ERR_TIMEOUT, "kind");
}

TEST(reads_survive_faults)
{
    static const struct {
        const char *fault;
        size_t failures;
        int rc;
    } rows[] = {{"reset", 1, 0}, {"reset", 99, -1}, {"503", 2, 0}, {"503", 99, -1}, {"429", 8, 0}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fixture_done)
        struct fixture f = {.play = {.fault = rows[i].fault, .failures = rows[i].failures}};

        fixture_start(&f, NULL);
        CHECK_INT(get(&f, "x"), rows[i].rc, rows[i].fault);
        if (rows[i].rc < 0)
            CHECK_INT(f.e.kind, ERR_UNAVAILABLE, err_text(&f.e));
    }
}

static int patch(struct fixture *f, enum kube_patch kind, const struct kube_write_options *options)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *object = doc_parse_json(set, STR("{\"a\":1}"), "test", &f->e);
    struct kube_ref ref = pod(f, "x:y/z");

    return kube_patch(f->kube, &ref, kind, object, options, NULL, &f->object, &f->e);
}

TEST(writes_that_add_up_are_not_sent_twice)
{
    static const struct {
        const char *name;
        enum kube_patch kind;
        int rc, hits;
    } rows[] = {{"apply", KUBE_PATCH_APPLY, 0, 2},
                {"merge", KUBE_PATCH_MERGE, 0, 2},
                {"json", KUBE_PATCH_JSON, -1, 1}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fixture_done) struct fixture f = {.play = {.fault = "503", .failures = 1}};

        fixture_start(&f, NULL);
        CHECK_INT(patch(&f, rows[i].kind, NULL), rows[i].rc, rows[i].name);
        CHECK_INT(f.play.hits, rows[i].hits, rows[i].name);
    }
}

TEST(patches_bear_that_others_write_too)
{
    static const struct {
        const char *name;
        enum kube_patch kind;
        bool force;
        int rc, hits;
    } rows[] = {{"apply", KUBE_PATCH_APPLY, true, 0, 3},
                {"apply without force", KUBE_PATCH_APPLY, false, -1, 1},
                {"merge", KUBE_PATCH_MERGE, false, 0, 3},
                {"strategic", KUBE_PATCH_STRATEGIC, false, 0, 3},
                {"json", KUBE_PATCH_JSON, false, -1, 1}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fixture_done) struct fixture f = {.play = {.fault = "409", .failures = 2}};
        struct kube_write_options options = {.force = rows[i].force};

        fixture_start(&f, NULL);
        CHECK_INT(patch(&f, rows[i].kind, &options), rows[i].rc, rows[i].name);
        CHECK_INT(f.play.hits, rows[i].hits, rows[i].name);
        if (rows[i].rc < 0)
            CHECK_INT(f.e.kind, ERR_CONFLICT, err_text(&f.e));
    }
}

TEST(writes_carry_their_options)
{
    AUTO(fixture_done) struct fixture f = {0};
    struct kube_config_flags flags = {.token = STR("let-me-in"), .as_user = STR("boss")};
    struct kube_write_options options = {
        .field_manager = STR("me & you"), .dry_run = true, .force = true};

    fixture_start(&f, &flags);
    CHECK_INT(patch(&f, KUBE_PATCH_APPLY, &options), 0, err_text(&f.e));
    CHECK(str_starts(str_of(f.play.seen),
                     STR("PATCH /api/v1/namespaces/n/pods/x:y%2Fz?fieldManager=me%20%26%20you&"
                         "dryRun=All&force=true HTTP/1.1")));
    CHECK(str_contains(str_of(f.play.seen), STR("Content-Type: application/apply-patch+yaml\r\n")));
    CHECK(str_contains(str_of(f.play.seen), STR("Authorization: Bearer let-me-in\r\n")));
    CHECK(str_contains(str_of(f.play.seen), STR("Impersonate-User: boss\r\n")));
    CHECK_STR(str_of(f.play.body), STR("{\"a\":1}"), "body");
    CHECK_STR(doc_text(doc_at(f.object.root, "metadata/name"), STR_NONE), STR("x"), "answer");
}

TEST(a_delete_says_how)
{
    AUTO(fixture_done) struct fixture f = {0};
    struct kube_ref ref;
    struct kube_delete_options options = {.propagation = KUBE_FOREGROUND, .uid = STR("u\"1")};

    fixture_start(&f, NULL);
    ref = pod(&f, "x");
    CHECK_INT(kube_delete(f.kube, &ref, &options, NULL, &f.e), 0, err_text(&f.e));
    CHECK_STR(str_of(f.play.body),
              STR("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"propagationPolicy\":"
                  "\"Foreground\",\"preconditions\":{\"uid\":\"u\\\"1\"}}"),
              "body");
    ref.name = STR("");
    CHECK_INT(kube_delete(f.kube, &ref, &options, NULL, &f.e), -1, "never a whole collection");
}

static int gather(void *ctx, struct doc_set *set, struct doc_node *object)
{
    (void)set;
    buf_add_str(ctx, doc_text(doc_get_lit(object, "kind"), STR_NONE));
    buf_add_str(ctx, doc_text(doc_at(object, "metadata/name"), STR_NONE));
    return 0;
}

TEST(a_list_comes_page_by_page_and_survives_an_expired_token)
{
    for (size_t failures = 0; failures < 2; failures++) {
        AUTO(fixture_done) struct fixture f = {.play.failures = failures};
        AUTO(buf_done) struct buf names = {0}, version = {0};
        struct kube_ref ref;

        fixture_start(&f, NULL);
        ref = pod(&f, "");
        ref.ns = STR("all");
        CHECK_INT(kube_list(f.kube, &ref, &(struct kube_list_options){.page = 2}, NULL, gather,
                            &names, &version, &f.e),
                  0, err_text(&f.e));
        CHECK_STR(buf_view(&names), STR("PodaPodbPodc"), "each once");
        CHECK_STR(buf_view(&version), STR("7"), "version");
    }
}

TEST(the_servers_reasons_become_errors_with_remedies)
{
#define STATUS(reason, message) \
    "{\"kind\":\"Status\",\"reason\":\"" reason "\",\"message\":\"" message "\"}"
    static const struct {
        int status;
        const char *body;
        enum err_kind kind;
        const char *want;
    } rows[] = {
        {401, STATUS("Unauthorized", "Unauthorized"), ERR_DENIED, "log in again"},
        {403, STATUS("Forbidden", "pods is forbidden: User x"), ERR_DENIED, "Role"},
        {403, STATUS("Forbidden", "exceeded quota: q"), ERR_DENIED, "quota raised"},
        {400, STATUS("BadRequest", "admission webhook w denied the request: no"), ERR_INVALID,
         "policy"},
        {500, STATUS("InternalError", "failed calling webhook w"), ERR_UNAVAILABLE, "its Pods run"},
        {409, STATUS("AlreadyExists", "x exists"), ERR_EXISTS, "x exists; choose"},
        {409, STATUS("Conflict", "Apply failed with 1 conflict"), ERR_CONFLICT, "by force"},
        {409, STATUS("Conflict", "the object has been modified"), ERR_CONFLICT, "try again"},
        {404, STATUS("NotFound", "the server could not find the requested resource"), ERR_NOT_FOUND,
         "CustomResourceDefinition"},
        {410, STATUS("Expired", "too old"), ERR_GONE, "too old"},
        {415, "", ERR_UNSUPPORTED, "the server answered 415"},
        {422,
         "{\"kind\":\"Status\",\"reason\":\"Invalid\",\"message\":\"Pod is invalid\",\"details\":"
         "{\"causes\":[{\"field\":\"spec.x\",\"message\":\"Required value\"}]}}",
         ERR_INVALID, "Pod is invalid (spec.x: Required value)"},
        {502, "Bad Gateway\nmore", ERR_UNAVAILABLE, "the server answered 502: Bad Gateway"},
        {502, "<html>", ERR_UNAVAILABLE, "the server answered 502 with a page of HTML; is this"},
        {403, "<!DOCTYPE html>\n<html><head><TITLE>\n Log  in </TITLE></head><body>x", ERR_DENIED,
         "answered 403 with a page of HTML (\"Log  in\"); is this a Kubernetes API server?; grant"},
        {503, "<html><style>b {}</style><h1>No <b>server</b></h1>", ERR_UNAVAILABLE,
         "HTML (\"No server\"); is"},
        {407, "", ERR_IO, "a proxy in between asks for a user and password"},
        {403, STATUS("Forbidden", ""), ERR_DENIED, "the server answered 403: forbidden"},
        {500, "{\"kind\":", ERR_UNAVAILABLE, "the server answered 500"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};

        CHECK_INT(kube_status_error(rows[i].status, str_of(rows[i].body), &e), -1, rows[i].body);
        CHECK_INT(e.kind, rows[i].kind, rows[i].body);
        CHECK_INT(e.code, rows[i].status, rows[i].body);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), "should contain");
    }
}
